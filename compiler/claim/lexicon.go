package claim

import (
	_ "embed"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/loopwiki/wiki/schema"
)

// Lexicon holds the units of measurement, and the words that a wiki's configuration declares to mean the
// same.
type Lexicon struct {
	units map[string]schema.Unit
	same  map[string]string // folded word to the word that stands for it
}

// builtin is the lexicon of a wiki that configures nothing, read when it is first needed.
var builtin = sync.OnceValue(func() *Lexicon {
	l := &Lexicon{units: map[string]schema.Unit{}}
	for line := range strings.Lines(unitTable) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		head, items, ok := strings.Cut(line, ": ")
		kind, name, _ := strings.Cut(head, " ")
		if !ok || kind != "unit" || !l.unit(strings.TrimSpace(name), strings.Split(items, ",")) {
			panic("claim: units.txt: " + line)
		}
	}
	return l
})

// NewLexicon returns the built-in lexicon with the units and the synonyms that a wiki configures.
func NewLexicon(c *schema.ClaimsConfig) *Lexicon {
	if len(c.Same)+len(c.Units) == 0 {
		return builtin()
	}
	l := &Lexicon{units: maps.Clone(builtin().units), same: map[string]string{}}
	for _, amount := range slices.Sorted(maps.Keys(c.Units)) {
		l.amount(amount, c.Units[amount])
	}
	for _, word := range slices.Sorted(maps.Keys(c.Same)) {
		for _, synonym := range c.Same[word] {
			l.same[Fold(synonym)] = Fold(word)
		}
	}
	return l
}

// key folds the name of an attribute; synonyms become one word.
func (l *Lexicon) key(name string) string {
	folded := Fold(name)
	if len(l.same) == 0 {
		return folded
	}
	words := strings.Split(folded, " ")
	for i, w := range words {
		if same, ok := l.same[w]; ok {
			words[i] = same
		}
	}
	return strings.Join(words, " ")
}
