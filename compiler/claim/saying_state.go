package claim

import (
	"slices"

	"github.com/loopwiki/wiki/schema"
)

// maturities are words for how far a thing is, as a field gives it.
var maturities = wordSet(`alpha beta preview pilot production prototype experimental deprecated retired stable ga discontinued`)

// inState adds in which state a sentence says that something is: the export is still in beta, is a prototype, has been
// generally available since May.
func (x *sayer) inState(s *Saying, st *statement) {
	t := st.tokens
	if st.past || st.negative || len(s.Scope) > len(x.scope)+1 {
		return
	}
	for i := 1; i < len(t); i++ {
		from, to := i, i+1
		word := st.word(i)
		switch {
		case st.word(i) == "generally" && st.word(i+1) == "available":
			word, to = "ga", i+2
		case !maturities[word] || t[i].capital && word != "ga" && word != "beta" && word != "alpha":
			continue
		}
		k := i - 1
		for k > 0 && wordIn(st.word(k), "in", "a", "an", "still", "now", "currently", "already", "yet", "only", "the", "public", "closed", "private") {
			k--
		}
		if k < 0 || !wordIn(st.word(k), "is", "are", "been", "remains", "stays", "became") || wordIn(st.word(to), "phase", "stage") && to+1 < len(t) && t[to+1].kind == 'w' ||
			to < len(t) && t[to].kind == 'w' && !t[to].is(isCondition|isWeak|isConjunction|isJoiner) && !wordIn(st.word(to), "since", "until", "phase", "stage", "for", "again") {
			continue
		}
		p := *s
		p.Part, p.Values, p.Lists, p.Facts = true, nil, nil, nil
		p.Near, p.Scope = slices.Clone(s.Near), slices.DeleteFunc(slices.Clone(s.Scope), func(c string) bool { return c == t[i].text })
		p.Words = []SaidWord{{Concept: x.words.concept("status"), Link: -1, At: -1, Label: true}}
		for _, w := range s.Words {
			if w.At >= 0 && w.At < k {
				p.Words = append(p.Words, w)
			}
		}
		span := schema.Span{Start: t[from].span.Start, End: t[to-1].span.End}
		p.Values = []SaidValue{{Span: span, Text: string(span.In(x.page.Source)), Class: "name", From: from, To: to, Value: schema.Value{Kind: schema.ValueName, Words: []string{word}}}}
		x.parts = append(x.parts, p)
		return
	}
}
