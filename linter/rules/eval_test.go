package rules

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/linter/conflict"
)

// evaluate lints a labelled set with all rules about contradictions.
func evaluate(t *testing.T, dir string) *conflict.Score {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(dir, "labels.json"))
	if err != nil {
		t.Fatal(err)
	}
	labels, err := conflict.ReadLabels(src)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, r := range linter.Rules() {
		if r.Group == linter.Contradiction {
			ids = append(ids, r.ID)
		}
	}
	return conflict.Evaluate(labels, conflict.Pairs(lint(t, compilertest.Compile(t, filepath.Join(dir, "wiki")), ids...).Findings))
}

// TestContradictionSets reports the rules' findings on five labelled sets, of which four
// are held out. The sets are mostly prose, in which a difference is a doubt, not a
// finding; so only precision is checked.
func TestContradictionSets(t *testing.T) {
	t.Parallel()
	for _, set := range []string{"skerry-line", "alder-library", "hazel-mail", "lark-fleet", "ibis-cinema"} {
		s := evaluate(t, filepath.Join("../conflict/testdata", set))
		if s.Unlabelled+s.Tempted.Found > 0 {
			t.Errorf("%s: reported although not planted: %v, hard negatives reported: %v", set, s.Strangers, s.Taken)
		}
		t.Logf("%s: found %d of %d", set, s.Found.Found, s.Found.Of)
	}
}
