package conflict

import "github.com/loopwiki/wiki/schema"

// bothConfigured reports whether two mentions stand in blocks of configuration. Two programs are
// set up each in its own way: nothing but the page says whose a key is.
func bothConfigured(a, b *mention) bool {
	return a.said.From == schema.OriginCode && b.said.From == schema.OriginCode
}

// conditioned notes the conditions that a word of a saying stands for as scopes have them: who says
// production knows of that condition.
func (m *matcher) conditioned(t *told, concept string) {
	for _, c := range m.lexicon.ConditionsOf(concept) {
		t.at[c] = t.at[concept]
	}
}
