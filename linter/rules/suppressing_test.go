package rules

import (
	"path/filepath"
	"testing"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/compiler/edit"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"golang.org/x/tools/txtar"
)

// wholePage are examples in which the page is nothing but the fault, so that it is gone
// or stays whatever is written beside it.
var wholePage = map[string]bool{"agent-residue/left-over": true, "page-too-complex/beyond-a-limit": true}

// TestSuppressingHidesEveryFinding suppresses each finding of each rule's examples.
func TestSuppressingHidesEveryFinding(t *testing.T) {
	t.Parallel()
	tried := 0
	for _, r := range linter.Rules() {
		ar, err := txtar.ParseFile(filepath.Join("testdata", r.ID+".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range linter.Cases(ar) {
			dir := t.TempDir()
			compilertest.WriteTo(t, dir, string(txtar.Format(&txtar.Archive{Files: c.Files})))
			tried += suppressEach(t, r, c.Name, dir)
		}
	}
	if tried < 300 {
		t.Errorf("only %d findings were suppressed", tried)
	}
}

func suppressEach(t *testing.T, r *linter.Rule, name, dir string) (tried int) {
	t.Helper()
	ws, err := compiler.Detect(dir, "")
	if err != nil {
		t.Fatal(r.ID, name, err)
	}
	w, err := compiler.Compile(t.Context(), ws, compiler.Options{Today: today})
	if err != nil {
		t.Fatal(r.ID, name, err)
	}
	lint := func(w *compiler.Wiki) *linter.Result {
		res, _ := linter.Run(t.Context(), w, linter.Config{Only: []string{r.ID}, Today: today, Each: true})
		return res
	}
	res := lint(w)
	if res == nil || r.Notice || r.Last != nil {
		return 0
	}
	for i := range res.Findings {
		d := &res.Findings[i]
		p := w.Page(pageIDOf(w, d.Path))
		if p == nil {
			continue
		}
		tried++
		fix := linter.Suppressing(p, d, r.NeedsReason)
		src, err := edit.Apply(p.Source, fix.Edits)
		if err != nil {
			t.Fatal(err)
		}
		next, err := w.WithOverlay(t.Context(), compiler.Overlay{p.Path: src})
		if err != nil {
			t.Fatal(err)
		}
		if after := lint(next); len(after.Suppressed) == 0 && !wholePage[r.ID+"/"+name] {
			t.Errorf("%s/%s: %s:%d: %q does not hide %q:\n%s", r.ID, name, d.Path, d.From.Line, fix.Edits[0].Text, d.Message, src)
		}
	}
	return tried
}

// pageIDOf returns the id of the page at a path, "" if there is none.
func pageIDOf(w *compiler.Wiki, path string) (id schema.PageID) {
	for _, p := range w.Pages() {
		if p.Path == path {
			return p.ID
		}
	}
	return ""
}
