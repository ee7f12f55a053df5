package rules

import (
	"bytes"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema/schematest"
)

// TestCorpora checks that findings on public wikis are well-formed;
// TestErrorPrecisionOnRealWikis checks whether they are right.
func TestCorpora(t *testing.T) {
	t.Parallel()
	for _, c := range compilertest.Corpora {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			if testing.Short() && c.Name == "codebase" {
				t.Skip("it takes a minute under the race detector, and the others do the same")
			}
			w, res := corpus(t, c.Path)
			checkFindings(t, w, res)
		})
	}
}

// lintedCorpus is a shared wiki that is compiled and linted once.
type lintedCorpus struct {
	sync.Mutex
	w   *compiler.Wiki
	res *linter.Result
}

var lintedCorpora sync.Map // of *lintedCorpus, by path

// corpus is a shared wiki, and what all rules at default settings say of it. Tests look at
// the same one: the largest takes seconds.
func corpus(t *testing.T, path string) (*compiler.Wiki, *linter.Result) {
	t.Helper()
	dir := schematest.Shared(t, path)
	entry, _ := lintedCorpora.LoadOrStore(path, new(lintedCorpus))
	kept := entry.(*lintedCorpus)
	kept.Lock()
	defer kept.Unlock()
	if kept.res == nil {
		kept.w = compilertest.Compile(t, dir)
		kept.res = lint(t, kept.w)
	}
	return kept.w, kept.res
}

// BenchmarkLint compiles a generated wiki and runs every rule that is on;
// next to it goldmark reads and parses the same pages.
func BenchmarkLint(b *testing.B) {
	dir := b.TempDir()
	compilertest.Generate(b, dir, 2000)
	b.Run("goldmark", func(b *testing.B) {
		for b.Loop() {
			compilertest.Goldmark(b, dir, "")
		}
	})
	b.Run("wiki", func(b *testing.B) {
		for b.Loop() {
			if _, err := linter.Run(b.Context(), compilertest.Compile(b, dir), linter.Config{Today: today}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkAllRules runs every rule that is on over a generated wiki.
func BenchmarkAllRules(b *testing.B) {
	dir := b.TempDir()
	compilertest.Generate(b, dir, 2000)
	w := compilertest.Compile(b, dir)
	for b.Loop() {
		if _, err := linter.Run(b.Context(), w, linter.Config{Today: today}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(w.Pages()))*float64(b.N)/b.Elapsed().Seconds(), "pages/s")
}

// BenchmarkRelint runs every rule again after one page was edited, as a server
// does while someone writes.
func BenchmarkRelint(b *testing.B) {
	dir := b.TempDir()
	compilertest.Generate(b, dir, 2000)
	w := compilertest.Compile(b, dir)
	facts := linter.NewFacts(w)
	if _, err := linter.Run(b.Context(), w, linter.Config{Today: today, Facts: facts}); err != nil {
		b.Fatal(err)
	}
	page := w.Pages()[7]
	edited := append(bytes.Clone(page.Source), "\nOne more sentence.\n"...)
	for b.Loop() {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(page.Path)), edited, 0o644); err != nil {
			b.Fatal(err)
		}
		next, err := w.Recompile(b.Context(), []string{page.Path})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := linter.Run(b.Context(), next, linter.Config{Today: today, Facts: facts.Next(next)}); err != nil {
			b.Fatal(err)
		}
	}
}
