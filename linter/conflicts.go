package linter

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/linter/conflict"
	"github.com/loopwiki/wiki/schema"
)

// lexiconFact are the words by which the pages of a wiki are understood.
var lexiconFact = NewFact(func(w *compiler.Wiki) *claim.Lexicon { return claim.English().Extended(&w.Config().Claims) })

// claimFact are the claims of a page.
var claimFact = NewConfiguredFact(func(p *Pass, page *schema.Page) []schema.Claim { return lexiconFact.Of(p).Claims(page) })

// Claims returns what a page states. They are kept with the page and must not
// be changed.
func (p *Pass) Claims(page *schema.Page) []schema.Claim { return claimFact.Of(p, page) }

// sayingFact are the statements of a page by their words.
var sayingFact = NewConfiguredFact(func(p *Pass, page *schema.Page) []claim.Saying { return lexiconFact.Of(p).Sayings(page) })

// Sayings returns what a page says by its words; nothing in a wiki so large that it is not
// compared by them. They are kept with the page and must not be changed.
func (p *Pass) Sayings(page *schema.Page) []claim.Saying {
	if !conflict.Matchable(p.Wiki) {
		return nil
	}
	return sayingFact.Of(p, page)
}

// conflictKey is what the conflicts of a wiki are kept under among its facts.
type conflictKey struct{}

// found are the conflicts that are sure enough to be reported, and the others.
type found struct{ reported, doubtful []schema.Conflict }

// CertainConflict is the score from which a conflict is reported with the severity
// of its rule; below it is a warning.
const CertainConflict = conflict.Errs

// Conflicts returns the contradictions among what the pages state, in order of
// their first side. They are computed once per wiki, from claims that are kept with
// their pages, and must not be changed.
func (p *Pass) Conflicts() []schema.Conflict { return p.conflicts().reported }

// DoubtfulConflicts returns what may contradict each other and is not sure
// enough to be reported; a judge may decide it.
func (p *Pass) DoubtfulConflicts() []schema.Conflict { return p.conflicts().doubtful }

func (p *Pass) conflicts() found {
	once, _ := p.facts.once.LoadOrStore(conflictKey{}, sync.OnceValue(func() (f found) {
		for _, c := range conflict.All(p.Wiki, p.Claims, p.Sayings) {
			f.add(c)
		}
		slices.SortStableFunc(f.reported, func(a, b schema.Conflict) int {
			return cmp.Or(strings.Compare(a.Sides[0].Path, b.Sides[0].Path), a.Sides[0].Span.Start-b.Sides[0].Span.Start)
		})
		return f
	}))
	return once.(func() found)()
}

// add keeps a conflict.
func (f *found) add(c schema.Conflict) {
	if c.Score < conflict.Warns {
		f.doubtful = append(f.doubtful, c)
	} else {
		f.reported = append(f.reported, c)
	}
}
