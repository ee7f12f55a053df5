package claim

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"github.com/loopwiki/wiki/schema"
)

// keeping are the classes of products that something is kept in, sent through or served by.
var keeping = wordSet(`database broker cache filesystem metrics proxy orchestrator payment identity mailer pager tracker chat ci registry map geocoder`)

// productRow reads a row whose first cell is a well-known product, or the name of a bucket or the like,
// and another of whose cells says in words what it is for: | Redis | 7.2 | carts of the shop |.
func (x *sayer) productRow(t *schema.Table, row []schema.Cell) {
	class, name := x.codeCell(t.Head[0].Text, row[0])
	if class == "" {
		name = toolName(strings.TrimSpace(plainText(row[0].Text)))
		if class = "class:" + x.words.classes[name]; !keeping[x.words.classes[name]] || !x.english(row[0].Span) {
			return
		}
	}
	for k := 1; k < len(row); k++ {
		if len(strings.Fields(row[k].Text)) < 2 || figures(row[k].Text) || !x.english(row[k].Span) {
			continue
		}
		switch v := x.words.ParseValue(row[k].Text, nil); v.Kind {
		case schema.ValueNone:
		case schema.ValueName:
			if plain := plainText(row[k].Text); plain[0] < 'a' || plain[0] > 'z' {
				continue // somebody or something by name
			}
		default:
			continue
		}
		s := x.begin(schema.OriginTable, row[k].Span)
		if s == nil {
			return
		}
		tk := &tokenizer{page: x.page, words: x.words, link: x.linkFrom(row[k].Span.Start)}
		x.purpose(s, tk.read(row[k].Span))
		s.Words = append(s.Words, SaidWord{Concept: x.words.concept("keep"), Link: -1, At: -1, Label: true})
		s.Values = append(s.Values, SaidValue{Span: row[0].Span, Text: strings.TrimSpace(row[0].Text), Class: class, Value: schema.Value{Kind: schema.ValueName, Words: []string{name}}})
		x.end(s)
		return
	}
}

// pin is a line of a file that pins the versions of tools, as .tool-versions does: nodejs 20.11.1.
var pin = schema.Expression(`^([a-z][a-z0-9.+-]*)[ =:]+v?([0-9]+(?:\.[0-9]+){0,3})$`)

// pinned reads a block without a language in which each line but for comments is a well-known tool with
// its version. The comment at its head says of what.
func (x *sayer) pinned(f *schema.Fence, intro string) {
	if f.Language != "" && f.Language != "text" && f.Language != "txt" {
		return
	}
	head, lines := "", 0
	var out []SaidValue
	for at := f.Content.Start; at < f.Content.End; {
		end := f.Content.End
		if i := bytes.IndexByte(x.page.Source[at:end], '\n'); i >= 0 {
			end = at + i
		}
		line := schema.Span{Start: at, End: end}
		at = end + 1
		text := bytes.TrimSpace(line.In(x.page.Source))
		if len(text) == 0 {
			continue
		}
		if text[0] == '#' {
			if lines == 0 {
				head += " " + string(text[1:])
			}
			continue
		}
		lines++
		v, ok := x.pinOf(line, pin().FindSubmatch(text))
		if !ok {
			return
		}
		out = append(out, v)
	}
	for _, v := range out {
		s := x.begin(schema.OriginCode, v.Span)
		if s == nil || anyWord(head, exemplary) {
			return
		}
		for _, w := range x.words.Concepts(head) {
			s.Words = append(s.Words, SaidWord{Concept: w, Link: -1, At: -1, Label: true})
		}
		s.Words = append(s.Words, SaidWord{Concept: x.words.concept("version"), Link: -1, At: -1, Label: true})
		s.Near = x.words.Concepts(intro)
		s.Values = append(s.Values, v, x.productOf(&v))
		x.end(s)
	}
}

// pinOf returns the version that a line pins.
func (x *sayer) pinOf(line schema.Span, m [][]byte) (SaidValue, bool) {
	if m == nil {
		return SaidValue{}, false
	}
	tool := toolName(string(m[1]))
	lo, hi, ok := versionInterval(string(m[2]))
	if !ok || x.words.classes[tool] == "" {
		return SaidValue{}, false
	}
	q := schema.Quantity{Dimension: schema.Version, Lo: lo, Hi: hi}
	return SaidValue{Span: line, Text: string(bytes.TrimSpace(line.In(x.page.Source))), Class: "version", Value: schema.Value{Kind: schema.ValueVersion, Words: []string{tool}, Quantity: q}}, true
}

// image is a container's image of a well-known tool by its version: postgres:16.2-alpine, docker.io/library/node:20.
var image = schema.Expression(`^(?:[a-z0-9.-]+/)*([a-z][a-z0-9+-]*):v?([0-9]+(?:\.[0-9]+){0,3})(?:-[a-z0-9.-]+)?$`)

// imageOf returns the version of the tool that an image holds.
func (x *sayer) imageOf(span schema.Span) (SaidValue, bool) {
	return x.pinOf(span, image().FindSubmatch(bytes.TrimSpace(bytes.ToLower(span.In(x.page.Source)))))
}

// releaseKeys are words by which the name of a setting says that it gives the version of a product, and not
// something else of it.
var releaseKeys = wordSet(`version versions release min max minimum maximum oldest newest required supported runtime image target least value what`)

// released are the classes of products of which versions are spoken of by a bare number.
var released = wordSet(`system language database runtime broker cache orchestrator`)

// release makes the version of a product of the number that a setting or a row gives it, whose name is that of the
// product, or says besides only that it is a version: min_android: 11, postgres_version: 15. A sentence says the
// product with the number.
func (x *sayer) release(s *Saying, name string) {
	if len(s.Values) != 1 || s.Values[0].Value.Kind != schema.ValueQuantity && s.Values[0].Value.Kind != schema.ValueVersion {
		return
	}
	v, product, bound := &s.Values[0], "", schema.Exactly
	var said []string // the words that the version says
	for _, w := range strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		tool := toolName(w)
		said = append(said, x.words.concept(w))
		switch class := x.words.classes[tool]; {
		case released[class] && product == "" && len(tool) > 1:
			product = tool
		case !releaseKeys[w]:
			return
		case wordIn(w, "min", "minimum", "oldest", "least"):
			bound = schema.AtLeast
		case wordIn(w, "max", "maximum", "newest"):
			bound = schema.AtMost
		}
	}
	number := strings.Trim(v.Text, "\"'`")
	for _, more := range []string{"+", " or newer", " or later", " and newer", " and later", " or higher", " and above", " and up"} {
		if least, cut := strings.CutSuffix(number, more); cut {
			number, bound = least, schema.AtLeast
		}
	}
	lo, hi, ok := versionInterval(number)
	if product == "" || !ok {
		return
	}
	v.Class = "version"
	v.Value = schema.Value{Kind: schema.ValueVersion, Words: []string{product}, Quantity: schema.Quantity{Dimension: schema.Version, Lo: lo, Hi: hi, Bound: bound}}
	s.Words = slices.DeleteFunc(s.Words, func(w SaidWord) bool { return w.Label && slices.Contains(said, w.Concept) })
	if len(s.Words) == 0 {
		s.Words = append(s.Words, SaidWord{Concept: x.words.concept("version"), Link: -1, At: -1, Label: true})
	}
}

// toolNames are other spellings of the names of tools.
var toolNames = map[string]string{"nodejs": "node", "node.js": "node", "golang": "go", "postgres": "postgresql"}

// toolName returns the name of a tool as others write it.
func toolName(name string) string {
	if known := toolNames[strings.ToLower(name)]; known != "" {
		return known
	}
	return strings.ToLower(name)
}

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
