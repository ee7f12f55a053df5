package conflict_test

import (
	"testing"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/linter/conflict"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/schematest"
)

// BenchmarkFacts reads the facts of 1,300 public pages of 14 MB.
func BenchmarkFacts(b *testing.B) {
	w := compilertest.Compile(b, schematest.Shared(b, "corpora/real/vamsee-all/wikis"))
	l := claim.NewLexicon(&schema.ClaimsConfig{})
	b.ReportAllocs()
	for b.Loop() {
		for _, p := range w.Pages() {
			l.Facts(p)
		}
	}
}

// BenchmarkFind compares their facts.
func BenchmarkFind(b *testing.B) {
	w := compilertest.Compile(b, schematest.Shared(b, "corpora/real/vamsee-all/wikis"))
	l := claim.NewLexicon(&schema.ClaimsConfig{})
	facts := map[*schema.Page]*claim.Facts{}
	for _, p := range w.Pages() {
		facts[p] = l.Facts(p)
	}
	b.ReportAllocs()
	for b.Loop() {
		conflict.Find(&conflict.Input{Wiki: w, Lexicon: l, Facts: func(p *schema.Page) *claim.Facts { return facts[p] }})
	}
}
