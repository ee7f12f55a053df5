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

// stateOf reports whether a saying ends with an opposite as the state that a thing is in: the valve is normally closed.
func stateOf(t *told, v *claim.SaidValue) bool {
	if v.Class != "pole:open" || t.From != schema.OriginSentence && t.From != schema.OriginList || v.Span.Start <= t.Span.Start {
		return false
	}
	before := strings.Fields(strings.ToLower(string(t.page.Source[t.Span.Start:v.Span.Start])))
	if n := len(before); n > 0 && (lasting[before[n-1]] || strings.HasSuffix(before[n-1], "ly")) {
		before = before[:n-1]
	}
	rest := strings.TrimLeft(string(t.page.Source[v.Span.End:t.Span.End]), "*_` ")
	return len(before) > 1 && states[before[len(before)-1]] && (rest == "" || strings.ContainsRune(".,;)", rune(rest[0])))
}

// states are verbs behind which the state of a thing stands, lasting the words between both.
var (
	states  = map[string]bool{"is": true, "are": true, "stays": true, "stay": true, "remains": true, "remain": true}
	lasting = map[string]bool{"always": true, "never": true, "kept": true, "left": true}
)
