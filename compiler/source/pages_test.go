package source

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/schematest"
)

// TestJudgePagesEqualsJudge judges pages of the project's own wiki alone, and compares what
// readers see of them with what they see when all are judged.
func TestJudgePagesEqualsJudge(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it judges the project's own wiki twice")
	}
	schematest.NeedGit(t)
	ws, err := compiler.Detect("../..", "")
	if err != nil {
		t.Fatal(err)
	}
	w, err := compiler.Compile(t.Context(), ws, compiler.Options{History: true})
	if err != nil {
		t.Fatal(err)
	}
	lock, err := ReadLock(ws)
	if err != nil {
		t.Fatal(err)
	}
	all, err := Judge(t.Context(), w, NewCode(w), lock)
	if err != nil {
		t.Fatal(err)
	}
	want := Watched(t.Context(), w, all)
	var pages []*schema.Page
	verified := 0
	for i, p := range w.Pages() {
		if len(want[p.Path].Notes) > 0 || want[p.Path].Symbols > 0 && i%2 == 0 {
			verified++
		} else if i%20 != 0 {
			continue
		}
		pages = append(pages, p)
	}
	some, err := JudgePages(t.Context(), w, NewCode(w), lock, pages)
	if err != nil {
		t.Fatal(err)
	}
	got := Watched(t.Context(), w, some)
	for _, p := range pages {
		if diff := cmp.Diff(want[p.Path], got[p.Path]); diff != "" {
			t.Errorf("%s:\n%s", p.Path, diff)
		}
	}
	if verified == 0 {
		t.Error("no page has code that was verified")
	}
	t.Logf("%d pages of %d, %d of them verified", len(pages), len(w.Pages()), verified)
}
