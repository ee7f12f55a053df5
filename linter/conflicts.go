package linter

import (
	"sync"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/linter/conflict"
	"github.com/loopwiki/wiki/schema"
)

// lexiconFact holds the units and synonyms of a wiki.
var lexiconFact = NewFact(func(w *compiler.Wiki) *claim.Lexicon { return claim.NewLexicon(&w.Config().Claims) })

// factsFact holds what a page states.
var factsFact = NewConfiguredFact(func(p *Pass, page *schema.Page) *claim.Facts { return lexiconFact.Of(p).Facts(page) })

// Facts returns what a page states. It is kept with the page and must not be
// changed.
func (p *Pass) Facts(page *schema.Page) *claim.Facts { return factsFact.Of(p, page) }

// conflictKey is the key of the contradictions in the facts of a wiki.
type conflictKey struct{}

// CertainConflict is the score from which a conflict is reported with the severity
// of its rule; below it is a warning.
const CertainConflict = conflict.Errs

// Conflicts returns what pages state differently, in order of the first place, and the
// doubts that a judge may decide. It is computed once per wiki, from facts that are
// kept with their pages, and must not be changed.
func (p *Pass) Conflicts() *conflict.Found {
	once, _ := p.facts.once.LoadOrStore(conflictKey{}, sync.OnceValue(func() *conflict.Found {
		return conflict.Find(&conflict.Input{Wiki: p.Wiki, Lexicon: lexiconFact.Of(p), Facts: p.Facts})
	}))
	return once.(func() *conflict.Found)()
}
