package conflict

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// implied returns the words that say of a value only what it is: what takes 30 minutes has a duration, what is kept in
// PostgreSQL a database. Who gives the value takes them for granted.
func (m *matcher) implied(v *claim.SaidValue) []string {
	if v.Value.Kind == schema.ValueQuantity || v.Value.Kind == schema.ValueDate || v.Value.Kind == schema.ValueVersion {
		kind, of, _ := strings.Cut(string(v.Value.Quantity.Dimension), ":")
		if kind == "" {
			kind = "count"
		}
		if kind == "rate" && of != "" {
			of, _, _ = strings.Cut(of, ":")
			return slices.Concat(m.scalesOf(kind), m.scalesOf(of))
		}
		return m.scalesOf(kind)
	}
	if class, ok := strings.CutPrefix(v.Class, "class:"); ok && !strings.HasPrefix(v.Class, claim.ClassThing) {
		return slices.Concat(m.scalesOf("of-"+class), m.lexicon.Concepts(class))
	}
	return nil
}

// scalesOf is [claim.Lexicon.Scales], kept.
func (m *matcher) scalesOf(kind string) []string {
	words, known := m.scales[kind]
	if !known {
		if words = m.lexicon.Scales(kind); m.scales == nil {
			m.scales = map[string][]string{}
		}
		m.scales[kind] = words
	}
	return words
}
