package claim

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// algorithms completes the names of algorithms and protocols by the numbers that belong to them:
// AES-128, 256-bit AES, SHA-512, HTTP/2.
func (x *sayer) algorithms(s *Saying, st *statement, first int) {
	for i := range st.tokens {
		t := &st.tokens[i]
		if t.kind == 'p' || t.kind == 'n' || !t.capital || t.link >= 0 || !st.numbered(i) {
			continue
		}
		from, to := i, i+1
		class, words := x.words.algorithm(t.text)
		switch {
		case class == "" || class == "protocol" && st.word(i+1) != "/":
			continue
		case class == "protocol" && i+2 < len(st.tokens) && st.tokens[i+2].kind == 'n' && st.tokens[i+2].span.Start == t.span.End+1:
			words, to = append(words, st.tokens[i+2].text), i+3
		case class == "cipher" && len(words) == 1 && i+1 < len(st.tokens) && keyLength(&st.tokens[i+1]):
			words, to = append(words, st.tokens[i+1].text), i+2
		case class == "cipher" && len(words) == 1 && i > 1:
			from = st.bitsBefore(i)
			if from < i {
				words = append(words, st.tokens[from].text)
			}
		}
		if len(words) < 2 {
			continue
		}
		v := SaidValue{Class: "class:" + class, From: from, To: to, Value: schema.Value{Kind: schema.ValueName, Words: words},
			Span: schema.Span{Start: st.tokens[from].span.Start, End: st.tokens[to-1].span.End}}
		v.Text = string(v.Span.In(x.page.Source))
		if k := slices.IndexFunc(s.Values[first:], func(v SaidValue) bool { return v.From == i && v.To == i+1 }); k >= 0 {
			s.Values[first+k] = v
			continue
		}
		s.Values = append(s.Values, v)
	}
}

// numbered reports whether a name has a number, or one stands beside it.
func (s *statement) numbered(i int) bool {
	return strings.ContainsAny(s.tokens[i].text, "0123456789") || i+1 < len(s.tokens) && (s.tokens[i+1].kind == 'n' || s.tokens[i+1].text == "/") || i > 0 && wordIn(s.tokens[i-1].text, "bit", "-")
}

// keyLength reports whether a token is the length of a key.
func keyLength(t *token) bool {
	return t.kind == 'n' && len(t.text) > 2 && len(t.text) < 6 && allDigits(t.text)
}

// bitsBefore returns where the length of the key before a name begins: 256-bit AES.
func (s *statement) bitsBefore(at int) int {
	for i := at - 1; i >= max(0, at-3); i-- {
		if keyLength(&s.tokens[i]) {
			return i
		}
		if !wordIn(s.tokens[i].text, "bit", "-") {
			break
		}
	}
	return at
}

// algorithm returns the class of an algorithm or a protocol, and what its name is made of: what it
// is, the number that tells which, how it is used.
func (l *Lexicon) algorithm(name string) (class string, words []string) {
	parts := strings.Split(name, "-")
	if len(parts) > 1 && parts[0] == "hmac" {
		parts = parts[1:]
	}
	class = l.classes[parts[0]]
	if base, ok := strings.CutPrefix(parts[0], "sha"); ok && len(base) > 0 && class == "hash" {
		parts = append([]string{"sha", base}, parts[1:]...)
	} else if len(parts) > 1 && class == "" {
		class = l.classes[parts[0]+parts[1]]
	}
	if class != "hash" && class != "cipher" && class != "protocol" || len(parts) > 3 || class == "protocol" && len(parts) > 1 {
		return "", nil
	}
	return class, parts
}
