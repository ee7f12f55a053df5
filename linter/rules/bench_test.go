package rules

import (
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/linter"
)

// BenchmarkEachRule says how long each rule takes on a generated wiki, one
// after the other. The pass over every page that rules of hygiene share is
// counted with the first of them.
func BenchmarkEachRule(b *testing.B) {
	dir := b.TempDir()
	compilertest.Generate(b, dir, 2000)
	w := compilertest.Compile(b, dir)
	took := map[string]float64{}
	for b.Loop() {
		res, err := linter.Run(b.Context(), w, linter.Config{Today: today, Timing: true, Workers: 1})
		if err != nil {
			b.Fatal(err)
		}
		for _, r := range res.Stats.Timing {
			took[r.Rule] += float64(r.Took.Microseconds()) / 1000
		}
	}
	for rule, ms := range took {
		b.ReportMetric(ms/float64(b.N), rule+"-ms")
	}
}
