package linter

import (
	"math/big"
	"slices"
	"sync"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
)

// Fact is a result that several rules need and that is too costly to compute
// in each of them: an index of names, an extraction of claims. It is computed
// once per wiki, by the first rule that asks for it.
type Fact[T any] struct {
	compute func(*compiler.Wiki) T
}

// NewFact returns a fact that compute derives from a wiki. Facts are package variables:
// each call makes a separate one.
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

// PageFact is a [Fact] about one page alone, kept for as long as the page is
// not edited: the running text in it, the names it mentions.
type PageFact[T any] struct {
	compute    func(*schema.Page) T
	configured func(*Pass, *schema.Page) T // instead of compute
}

// NewPageFact returns a fact that compute derives from a page and nothing else.
func NewPageFact[T any](compute func(*schema.Page) T) *PageFact[T] {
	return &PageFact[T]{compute: compute}
}

// NewConfiguredFact returns a fact that compute derives from a page and from the
// configuration of its wiki: facts are not kept when that changes.
func NewConfiguredFact[T any](compute func(*Pass, *schema.Page) T) *PageFact[T] {
	return &PageFact[T]{configured: compute}
}

func (f *PageFact[T]) of(p *Pass, page *schema.Page) T {
	if f.configured != nil {
		return f.configured(p, page)
	}
	return f.compute(page)
}

// Of returns the fact about a page of the wiki of p. What it returns is shared
// and must not be changed.
func (f *PageFact[T]) Of(p *Pass, page *schema.Page) T {
	notes := p.facts.pages[page]
	if notes == nil { // no page of this wiki
		return f.of(p, page)
	}
	once, ok := notes.once.Load(f)
	if !ok {
		once, _ = notes.once.LoadOrStore(f, sync.OnceValue(func() T { return f.of(p, page) }))
	}
	return once.(func() T)()
}

// LastingFact is a [Fact] that survives most edits: it is kept while its key, which is
// cheap to compute, is unchanged.
type LastingFact[K comparable, T any] struct {
	key     func(*compiler.Wiki) K
	compute func(*compiler.Wiki) T
	once    *Fact[T]
}

// NewLastingFact returns a fact that compute derives only from the data behind its key.
func NewLastingFact[K comparable, T any](key func(*compiler.Wiki) K, compute func(*compiler.Wiki) T) *LastingFact[K, T] {
	return &LastingFact[K, T]{key: key, compute: compute, once: NewFact[T](nil)}
}

// lasted is a value and the key that it was computed for.
type lasted[K comparable, T any] struct {
	key   K
	value T
}

// Of returns the fact about the wiki of p, as [Fact.Of] does.
func (f *LastingFact[K, T]) Of(p *Pass) T {
	w, book := p.Wiki, p.facts.book
	once, _ := p.facts.once.LoadOrStore(f.once, sync.OnceValue(func() T {
		key := f.key(w)
		if v, ok := book.lasting.Load(f); ok && v.(lasted[K, T]).key == key {
			return v.(lasted[K, T]).value
		}
		value := f.compute(w)
		book.lasting.Store(f, lasted[K, T]{key, value})
		return value
	}))
	return once.(func() T)()
}

// RelativeFact is a [PageFact] that also depends on something about the wiki,
// such as a [LastingFact]: it is kept for as long as that is the same.
type RelativeFact[K comparable, T any] struct {
	compute func(K, *schema.Page) T
}

// NewRelativeFact returns a fact that compute derives from a page and a key,
// and nothing else.
func NewRelativeFact[K comparable, T any](compute func(K, *schema.Page) T) *RelativeFact[K, T] {
	return &RelativeFact[K, T]{compute: compute}
}

// Of returns the fact about a page of the wiki of p, relative to key.
func (f *RelativeFact[K, T]) Of(p *Pass, key K, page *schema.Page) T {
	notes := p.facts.pages[page]
	if notes == nil { // no page of this wiki
		return f.compute(key, page)
	}
	if v, ok := notes.once.Load(f); ok && v.(lasted[K, T]).key == key {
		return v.(lasted[K, T]).value
	}
	value := f.compute(key, page)
	notes.once.Store(f, lasted[K, T]{key, value})
	return value
}

// Facts caches the facts about one wiki, and the findings of page rules. [Run] makes its
// own unless [Config] has one, which lets runs over the same wiki share the work.
type Facts struct {
	wiki  *compiler.Wiki
	once  sync.Map                // *Fact[T] to func() T
	pages map[*schema.Page]*notes // of every page of the wiki
	book  *book
}

// book is shared by the facts about a wiki and about the result of it.
type book struct {
	sync.Mutex               // held while notes are written
	numbers    map[*Rule]int // of rules that look at one page alone
	today      time.Time     // the day that pages were checked on
	lasting    sync.Map      // *LastingFact to lasted
	// rules returns all rules of the wiki. Those of its configuration are made
	// once, so that what they found is known to be theirs later.
	rules func() ([]*Rule, error)
}

// number returns the number of a rule, the same for as long as the book lasts.
func (b *book) number(r *Rule) int {
	n, ok := b.numbers[r]
	if !ok {
		n = len(b.numbers)
		b.numbers[r] = n
	}
	return n
}

// notes are the cached facts and findings of one page.
type notes struct {
	once    sync.Map // *PageFact[T] to func() T
	checked big.Int  // the numbers of the rules that looked at it
	found   []pageFindings
}

// pageFindings are the findings of one rule on one page.
type pageFindings struct {
	rule  *Rule
	found []finding
}

// NewFacts returns an empty store for facts about w.
func NewFacts(w *compiler.Wiki) *Facts {
	f := &Facts{wiki: w, pages: make(map[*schema.Page]*notes, len(w.Pages())), book: &book{numbers: map[*Rule]int{},
		rules: sync.OnceValues(func() ([]*Rule, error) { return RulesOf(w.Workspace()) })}}
	for _, p := range w.Pages() {
		f.pages[p] = &notes{}
	}
	return f
}

// Next returns the facts for a recompiled wiki: those about unchanged pages are kept,
// unless the configuration or the wiki's conventions changed. The old ones stay valid.
func (f *Facts) Next(w *compiler.Wiki) *Facts {
	if w.Config() != f.wiki.Config() || !slices.Equal(schemaPages(w), schemaPages(f.wiki)) {
		return NewFacts(w)
	}
	next := &Facts{wiki: w, pages: make(map[*schema.Page]*notes, len(w.Pages())), book: f.book}
	for _, page := range w.Pages() {
		old := f.pages[page]
		if old == nil {
			old = &notes{}
		}
		next.pages[page] = old
	}
	return next
}
