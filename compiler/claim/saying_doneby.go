package claim

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// doneBy adds who does something by a label that ends with what is done: decided_by: community lead.
func (x *sayer) doneBy(s *Saying, label string) {
	words := split(label)
	n := len(words)
	if n < 2 || words[n-1] != "by" || len(s.Values) == 0 || s.Values[0].Class != "name" {
		return
	}
	done := x.words.concept(words[n-2])
	if act := x.words.acts[done]; act != "" && x.words.columns[done] == "" {
		x.column(s, s.Values[0], "who:"+act)
	}
}

// deciding are what lists of who does what are headed with, by what is done; who decides something, approves it too.
var deciding = map[string][]string{"decide": {"decide", "approve"}, "decides": {"decide", "approve"}, "approve": {"approve"}, "approves": {"approve"}, "approval": {"approve"}, "approvals": {"approve"},
	"approvers": {"approve"}, "owns": {"own"}, "owner": {"own"}, "owners": {"own"}, "ownership": {"own"}, "maintainers": {"own"}, "sign": {"sign"}, "signs": {"sign"}, "signatures": {"sign"}, "releases": {"release"}, "responsible": {"own"}, "responsibilities": {"own"},
	"permits": {"approve", "sign"}, "powers": {"approve", "decide"}}

// decidedLine reads a line that is a matter, a colon and a role, below a heading that says what the role does about it: **Price
// changes:** head of product.
func (x *sayer) decidedLine(b *block, tokens []token) {
	colon := slices.IndexFunc(tokens, func(t token) bool { return t.text == ":" })
	if colon < 1 || colon > longestClause/2 || colon+1 >= len(tokens) || len(tokens)-colon-1 > longestName+3 {
		return
	}
	rest := tokens[colon+1:]
	if end := slices.IndexFunc(rest, func(t token) bool { return t.kind == 'p' }); end > 0 {
		rest = rest[:end]
	}
	if !rest[len(rest)-1].is(isActor) && !slices.ContainsFunc(rest, func(t token) bool { return t.text == "of" }) || !slices.ContainsFunc(rest, func(t token) bool { return t.is(isActor) }) {
		return
	}
	var acts []string
	for _, heading := range append(slices.Clip(x.section(b.span.Start)), x.page.Title) {
		for _, w := range split(heading) {
			acts = append(acts, deciding[strings.ToLower(w)]...)
		}
		if len(acts) > 0 {
			break
		}
	}
	span := schema.Span{Start: rest[0].span.Start, End: rest[len(rest)-1].span.End}
	words := x.words.roleWords(string(span.In(x.page.Source)))
	if len(acts) == 0 || words == nil || len(x.parts) >= mostSayings {
		return
	}
	for _, act := range acts {
		s := x.begin(originOf(*b), span)
		if s == nil || x.onlyDates {
			return
		}
		s.Part = true
		for i := range tokens[:colon] {
			if w := &tokens[i]; w.word != "" && w.kind != 'p' && !w.is(isEmpty|isDeterminer) {
				s.Words = append(s.Words, SaidWord{Concept: w.word, Link: w.link, At: -1, Label: true})
			}
		}
		act = x.words.concept(act)
		s.Words = append(s.Words, SaidWord{Concept: act, Link: -1, At: -1, Label: true})
		s.Values = []SaidValue{{Span: span, Text: string(span.In(x.page.Source)), Class: "class:who:" + act, Value: schema.Value{Kind: schema.ValueName, Words: words}}}
		x.parts = append(x.parts, *s)
	}
}
