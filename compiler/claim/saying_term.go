package claim

import (
	"bytes"
	"slices"

	"github.com/loopwiki/wiki/schema"
)

// longestTerm bounds, in tokens, the term of a glossary.
const longestTerm = 4

// termed adds the names that a glossary lists at the end of what it says of a term: **Loan state** —
// how far a loan is: asked for, out or returned. Joined by or they are all that there are. It reports
// whether there are any.
func (x *sayer) termed(s *Saying, st *statement) bool {
	t := st.tokens
	if x.oneOfTerm(s, st) {
		return true
	}
	dash := slices.IndexFunc(t, func(t token) bool { return t.text == "—" || t.text == "–" })
	if dash < 1 || dash > longestTerm || !bytes.HasSuffix(x.page.Source[:t[0].span.Start], []byte("**")) || t[dash-1].kind != 'w' {
		return false
	}
	colon := slices.IndexFunc(t, func(t token) bool { return t.text == ":" })
	if colon < dash || slices.ContainsFunc(t[:colon], func(t token) bool {
		return t.is(isNegation) || wordIn(t.text, "was", "were", "had", "could", "might", "former", "formerly", "previously")
	}) {
		return false
	}
	items, to := st.namesFrom(colon + 1)
	if len(items) < 3 || to < len(t) && t[to].kind != 'p' || slices.Contains(items, "") {
		return false
	}
	set := schema.Value{Kind: schema.ValueSet}
	if slices.ContainsFunc(t[colon:to], func(t token) bool { return t.text == "or" }) {
		set.Closed, set.Words = true, []string{t[dash-1].word}
	}
	slices.Sort(items)
	set.Items = slices.Compact(items)
	before := len(s.Lists)
	x.listing(s, st, colon+1, to, set)
	return len(s.Lists) > before
}

// oneOfTerm adds the names of which a term is one, as a glossary gives nothing else: **Alarm class:** minor, major or
// critical.
func (x *sayer) oneOfTerm(s *Saying, st *statement) bool {
	t := st.tokens
	colon := slices.IndexFunc(t, func(t token) bool { return t.text == ":" })
	if colon < 1 || colon > longestTerm || !bytes.HasSuffix(x.page.Source[:t[0].span.Start], []byte("**")) || t[colon-1].kind != 'w' {
		return false
	}
	items, to := st.namesFrom(colon + 1)
	if len(items) < 3 || to < len(t) && t[to].kind != 'p' || slices.Contains(items, "") || !slices.ContainsFunc(t[colon:to], func(t token) bool { return t.text == "or" }) {
		return false
	}
	slices.Sort(items)
	before := len(s.Lists)
	x.listing(s, st, colon+1, to, schema.Value{Kind: schema.ValueSet, Items: slices.Compact(items), Closed: true, Words: []string{t[colon-1].word}})
	return len(s.Lists) > before
}

// defined is a term that a block begins with in bold and that it says more of: **Desk:** the calendar of the rooms; its
// status is beta.
type defined struct {
	words []SaidWord
	scope []string // conditions that the term is the name of: **Staging:**
	end   int      // where the term ends
}

// defined returns the term that a block of tokens defines, nil for none.
func (x *sayer) defined(tokens []token) *defined {
	colon := slices.IndexFunc(tokens, func(t token) bool { return t.text == ":" })
	if colon < 1 || colon > longestTerm || !bytes.HasSuffix(x.page.Source[:tokens[0].span.Start], []byte("**")) {
		return nil
	}
	d := &defined{end: tokens[colon].span.End}
	for i := range tokens[:colon] {
		t := &tokens[i]
		if t.word != "" && t.kind != 'p' && !t.is(isEmpty|isDeterminer) {
			d.words = append(d.words, SaidWord{Concept: t.word, Link: t.link, At: -1, Subject: true, Name: t.kind == 'c'})
		}
		if colon == 1 {
			d.scope = append(d.scope, Conditions(t.text)...)
		}
	}
	return d
}

// saidOf adds the term to a sentence behind it that begins with it, its or they, and the conditions to all of them.
func (d *defined) saidOf(s *Saying, tokens []token) {
	if d == nil || tokens[0].span.Start < d.end {
		return
	}
	s.Scope = append(s.Scope, d.scope...)
	if wordIn(tokens[0].text, "it", "its", "they", "their") {
		s.OfPage = false
		s.Words = append(slices.Clone(d.words), s.Words...)
	}
}
