package conflict

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// noteStates notes the words for the state of a thing that the tables of a page use. A table that
// uses two of them tells them apart.
func (m *matcher) noteStates(t *told) {
	if t.From != schema.OriginTable || len(t.Values) == 0 || t.Values[0].Class != "name" || !slices.ContainsFunc(t.words, func(w toldWord) bool { return w.Label && w.Concept == statusConcept() }) {
		return
	}
	if m.states == nil {
		m.states = map[string]map[string]bool{}
	}
	if m.states[t.Path] == nil {
		m.states[t.Path] = map[string]bool{}
	}
	m.states[t.Path][stateName(&t.Values[0])] = true
}

// ofStates reports whether two mentions say in which state something is, which nobody is called.
func ofStates(a, b *mention) bool {
	return a.said.has(statusConcept()) && b.said.has(statusConcept())
}

// stateName is a word for a state, or several.
func stateName(v *claim.SaidValue) string { return strings.ToLower(strings.Join(v.Value.Words, " ")) }

// statesApart reports whether the page of one of two mentions tells in a table their words for the
// state of a thing apart, so that nobody has to know them: a register with open and laid up.
func (m *matcher) statesApart(a, b *mention) bool {
	sa, sb := stateName(a.SaidValue), stateName(b.SaidValue)
	if sa == sb || !sameEntity(a.said, b.said) {
		return false
	}
	return slices.ContainsFunc([]string{a.said.Path, b.said.Path}, func(path string) bool { return m.states[path][sa] && m.states[path][sb] })
}
