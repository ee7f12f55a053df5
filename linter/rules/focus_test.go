package rules

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"golang.org/x/tools/txtar"
)

// TestFocusFindsWhatAWholeRunFinds checks each page of each rule's examples by itself.
func TestFocusFindsWhatAWholeRunFinds(t *testing.T) {
	t.Parallel()
	pages, findings := 0, 0
	for _, r := range linter.Rules() {
		ar, err := txtar.ParseFile(filepath.Join("testdata", r.ID+".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range linter.Cases(ar) {
			dir := t.TempDir()
			compilertest.WriteTo(t, dir, string(txtar.Format(&txtar.Archive{Files: c.Files})))
			p, f := compareFocus(t, r.ID+"/"+c.Name, dir)
			pages, findings = pages+p, findings+f
		}
	}
	if pages < 500 || findings < 200 {
		t.Errorf("only %d pages with %d findings were compared", pages, findings)
	}
}

func compareFocus(t *testing.T, name, dir string) (pages, findings int) {
	t.Helper()
	ws, err := compiler.Detect(dir, "")
	if err != nil {
		t.Fatal(name, err)
	}
	w, err := compiler.Compile(t.Context(), ws, compiler.Options{Today: today})
	if err != nil {
		t.Fatal(name, err)
	}
	cfg := linter.Config{Today: today, Each: true, Facts: linter.NewFacts(w)}
	whole, err := linter.Run(t.Context(), w, cfg)
	if err != nil {
		return 0, 0 // a mistake in its wiki.yaml is what the example shows
	}
	cfg.Facts = linter.NewFacts(w)
	for _, page := range w.Pages() {
		cfg.Focus = []string{page.Path}
		alone, err := linter.Run(t.Context(), w, cfg)
		if err != nil {
			t.Fatal(name, err)
		}
		ran := map[string]bool{}
		for _, r := range alone.Ran {
			ran[r.ID] = r.Check == nil || r.Local // of the others only a part runs
		}
		// A rule that looks at all pages may know more of a place, and then speaks alone.
		better := map[schema.Span]bool{}
		for _, d := range whole.Findings {
			better[d.Span] = better[d.Span] || d.Path == page.Path && !ran[d.Rule]
		}
		of := func(all []schema.Diagnostic) []schema.Diagnostic {
			return slices.DeleteFunc(slices.Clone(all), func(d schema.Diagnostic) bool {
				return d.Path != page.Path || !ran[d.Rule] || better[d.Span] || strings.HasPrefix(d.Message, "no known folder for site URLs")
			})
		}
		if diff := cmp.Diff(of(whole.Findings), of(alone.Findings), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: %s checked alone (-whole +alone):\n%s", name, page.Path, diff)
		}
		pages, findings = pages+1, findings+len(of(whole.Findings))
	}
	return pages, findings
}
