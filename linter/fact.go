package linter

import (
	"sync"

	"github.com/loopwiki/wiki/compiler"
)

// Fact is a result that several rules need and that is too costly to compute
// in each of them: an index of names, an extraction of claims. It is computed
// once per wiki, by the first rule that asks for it.
type Fact[T any] struct {
	compute func(*compiler.Wiki) T
}

// NewFact returns a fact that compute derives from a wiki. Facts are package
// variables: each call makes a fact of its own.
func NewFact[T any](compute func(*compiler.Wiki) T) *Fact[T] {
	return &Fact[T]{compute: compute}
}

// Of returns the fact about the wiki of p. What it returns is shared by rules
// that run at the same time and must not be changed. If computing it panics,
// every rule that needs it does.
func (f *Fact[T]) Of(p *Pass) T {
	w := p.Wiki
	once, _ := p.facts.once.LoadOrStore(f, sync.OnceValue(func() T { return f.compute(w) }))
	return once.(func() T)()
}

// Facts holds the facts about one wiki. [Run] makes its own unless
// [Config] has some, which lets runs over the same wiki share the work.
type Facts struct {
	wiki *compiler.Wiki
	once sync.Map // *Fact[T] to func() T
}

// NewFacts returns an empty store for facts about w.
func NewFacts(w *compiler.Wiki) *Facts { return &Facts{wiki: w} }
