package linter

import (
	"context"
	"sync"

	"github.com/loopwiki/wiki/compiler/source"
)

// verdictKey is the key of the verdicts in the facts of a wiki.
type verdictKey struct{}

// Verdicts are the result of the code that pages refer to.
type Verdicts struct {
	Code *source.Code
	Lock *source.Lock // nil when there is none
	All  []source.Verdict
}

// Verdicts returns the result of the code that pages refer to, in order of page
// and place. It is found out once per wiki, and must not be changed.
func (p *Pass) Verdicts() *Verdicts {
	return p.facts.Verdicts(p, p.lock)
}

// Verdicts returns what [Pass.Verdicts] does to the rules that ran with these
// facts; lock is the one they ran with.
func (f *Facts) Verdicts(ctx context.Context, lock *source.Lock) *Verdicts {
	once, _ := f.once.LoadOrStore(verdictKey{}, sync.OnceValue(func() *Verdicts {
		v := &Verdicts{Code: source.NewCode(f.wiki), Lock: lock}
		v.All, _ = source.Judge(ctx, f.wiki, v.Code, lock) // it fails with the context only, and so does the run
		return v
	}))
	return once.(func() *Verdicts)()
}
