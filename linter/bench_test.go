package linter

import (
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
)

// BenchmarkSettle runs again what costs nothing to check over a wiki with four
// findings on every page, as a server does after an edit.
func BenchmarkSettle(b *testing.B) {
	dir := b.TempDir()
	compilertest.Generate(b, dir, 2000)
	w := compilertest.Compile(b, dir)
	noisy := &Rule{ID: "noisy", Group: Links, Severity: schema.Warning, CheckPage: func(p *Pass, page *schema.Page) {
		for i := range min(4, len(page.Links)) {
			p.Report(page.Path, page.Links[i].Span, "a link")
		}
	}}
	facts := NewFacts(w)
	for b.Loop() {
		res := run(b, w, Config{Rules: []*Rule{noisy}, Facts: facts})
		if len(res.Findings) < 4000 {
			b.Fatalf("%d findings", len(res.Findings))
		}
	}
}
