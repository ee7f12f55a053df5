package claim

import (
	"bytes"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// bold begins and ends bold type.
const bold = "**"

// label returns how many tokens the label has that a sentence begins with, in bold type and with a
// colon; 0 for none. It names what its value is of, and says of nothing that it is done.
func (s *statement) label() int {
	src, t := s.x.page.Source, s.tokens
	if start := t[0].span.Start; start < len(bold) || string(src[start-len(bold):start]) != bold {
		return 0
	}
	for i := 1; i < len(t) && i < mostSaidWords; i++ {
		before := schema.Span{Start: t[i-1].span.End, End: t[i].span.Start}
		ends := before.Len() >= len(bold) && strings.Contains(string(before.In(src)), bold) // words of a link have one span
		switch {
		case t[i].text == ":" && (ends || strings.HasPrefix(string(src[t[i].span.End:min(len(src), t[i].span.End+len(bold))]), bold)):
			return i
		case ends:
			return 0
		}
	}
	return 0
}

// longestName bounds, in tokens, the name that stands behind a label.
const longestName = 4

// labelledName reads a line that is a label in bold and a name, as a field would be: **Owner:** Petra Quist. What is
// well known is found as such.
func (x *sayer) labelledName(b *block, tokens []token) {
	colon := slices.IndexFunc(tokens, func(t token) bool { return t.text == ":" })
	if colon < 1 || colon > 3 || !bytes.HasSuffix(x.page.Source[:tokens[0].span.Start], []byte("**")) {
		return
	}
	rest := tokens[colon+1:]
	if n := len(rest); n > 0 && rest[n-1].text == "." {
		rest = rest[:n-1]
	}
	if len(rest) == 0 || len(rest) > longestName || slices.ContainsFunc(rest, func(t token) bool { return t.kind != 'w' || !t.capital || t.link >= 0 || x.words.classes[t.text] != "" }) {
		return
	}
	span := schema.Span{Start: rest[0].span.Start, End: rest[len(rest)-1].span.End}
	s := x.begin(originOf(*b), span)
	if s == nil {
		return
	}
	single := false
	for i := range tokens[:colon] {
		if w := tokens[i].word; w != "" && !tokens[i].is(isEmpty|isDeterminer) {
			s.Words = append(s.Words, SaidWord{Concept: w, Link: tokens[i].link, At: -1, Label: true})
			single = single || x.words.columns[w] != "" || x.words.Single([]string{w})
		}
	}
	if single && x.whole(s, span, string(span.In(x.page.Source)), nil) {
		x.end(s)
	}
}
