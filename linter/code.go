package linter

import (
	"sync"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/linter/conflict"
	"github.com/loopwiki/wiki/schema"
)

// namedFact are the values that a page gives to names in code.
var namedFact = NewPageFact(claim.Named)

// Named returns the values that a page gives to names in code; see
// [claim.Named]. They are kept with the page and must not be changed.
func (p *Pass) Named(page *schema.Page) []schema.Claim { return namedFact.Of(p, page) }

// CodeConflict is a name in code to which a page gives another value than the
// code does.
type CodeConflict = conflict.CodeConflict

// codeKey is the key of the conflicts with code in the facts of a wiki.
type codeKey struct{}

// CodeConflicts returns the names in code to which pages give other values than
// the code does, in order of page and place. The code is read once per wiki, by
// the first who asks, and only when a page gives a name a value. The error
// says why it was not read.
func (p *Pass) CodeConflicts() ([]CodeConflict, error) {
	once, _ := p.facts.once.LoadOrStore(codeKey{}, sync.OnceValues(func() ([]CodeConflict, error) {
		return conflict.SearchCode(p, p.Wiki, p.Named)
	}))
	return once.(func() ([]CodeConflict, error))()
}
