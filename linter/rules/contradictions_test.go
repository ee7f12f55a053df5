package rules

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

// TestContradictionsAloneEqualThoseOfALint compares the rules about contradictions, run
// without the others, with a full run over public wikis.
func TestContradictionsAloneEqualThoseOfALint(t *testing.T) {
	t.Parallel()
	roots := []string{"corpora/real/metidos", "corpora/real/praxis", "corpora/real/vamsee-all", "corpora/real/kit-starters"}
	for _, c := range compilertest.Corpora {
		roots = append(roots, c.Path)
	}
	if testing.Short() {
		roots = roots[:2]
	}
	found := 0
	for _, root := range roots {
		w, res := corpus(t, root)
		want := res.Contradictions()
		sameContradictions(t, root, w, want)
		found += len(want)
	}
	t.Logf("%d contradictions", found)
	if found == 0 && !testing.Short() {
		t.Error("no contradictions to compare")
	}
}

// TestContradictionsAloneEqualThoseOfCases compares the cases of the rules that find
// contradictions, and of those that hide them or take their places.
func TestContradictionsAloneEqualThoseOfCases(t *testing.T) {
	t.Parallel()
	for _, r := range linter.Rules() {
		if r.Group != linter.Contradiction && r.Group != linter.Judged && r.ID != "stale-value" && r.ID != "unused-suppression" {
			continue
		}
		t.Run(r.ID, func(t *testing.T) {
			t.Parallel()
			ar, err := txtar.ParseFile(filepath.Join("testdata", r.ID+".txtar"))
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range linter.Cases(ar) {
				w := unchangedCase(t, r.ID, c)
				sameContradictions(t, c.Name, w, lint(t, w).Contradictions())
			}
		})
	}
}

func sameContradictions(t *testing.T, name string, w *compiler.Wiki, want []schema.Contradiction) {
	t.Helper()
	got, err := linter.Contradictions(t.Context(), w, linter.Config{Today: today, HTTP: webServer(t), Acknowledged: acknowledgedIn(t, w), Judge: judgeIn(t, w)})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s:\n%s", name, diff)
	}
}
