package rules

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/linter/conflict"
	"github.com/loopwiki/wiki/schema/schematest"
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

// TestContradictionSets holds the rules to what they find on the labelled sets: so many of the
// contradictions, of those that need no model, and no more that are none.
func TestContradictionSets(t *testing.T) {
	t.Parallel()
	for i, set := range []struct {
		dir    string
		found  int    // of all contradictions, at least
		plain  int    // of those that need no model
		wrong  int    // pairs that are none, at most
		missed string // "" is not looked at
	}{
		{schematest.Shared(t, "eval/contradictions"), 15, 12, 0, "DC08 DC17 DC18"},
		{"../conflict/testdata/skerry-line", 25, 24, 2, "FC19 FC23 FC24 FC25 FC29 FC31"},
		{"../conflict/testdata/kestrel-pay", 26, 22, 1, ""},
		{"../conflict/testdata/harrow-lab", 28, 22, 0, ""},
		{"../conflict/testdata/orchard-freight", 24, 21, 2, ""},
		{"../conflict/testdata/mill-studio", 20, 19, 1, ""},
		{"../conflict/testdata/brook-meter", 18, 17, 1, ""},
		{"../conflict/testdata/pewter-hr", 20, 18, 2, ""},
		{"../conflict/testdata/cobalt-play", 20, 17, 1, ""},
		{"../conflict/testdata/quill-db", 13, 13, 1, ""},
		{"../conflict/testdata/tarn-rail", 22, 20, 1, ""},
		{"../conflict/testdata/larch-drone", 19, 18, 1, ""},
		{"../conflict/testdata/elder-clinic", 18, 17, 0, ""},
		{"../conflict/testdata/moss-gate", 11, 11, 1, ""},
		{"../conflict/testdata/cove-ferry", 29, 26, 1, ""},
		{"../conflict/testdata/osprey-learn", 29, 24, 1, ""},
		{"../conflict/testdata/juniper-desk", 25, 25, 1, ""},
		{"../conflict/testdata/flint-bakery", 25, 24, 1, ""},
		{"../conflict/testdata/dune-solar", 29, 26, 2, ""},
		{"../conflict/testdata/sable-courier", 27, 26, 0, ""},
		{"../conflict/testdata/bracken-vault", 27, 26, 1, ""},
		{"../conflict/testdata/wren-radio", 26, 25, 2, ""},
		{"../conflict/testdata/thorn-maps", 27, 25, 2, ""},
		{"../conflict/testdata/heron-locks", 25, 24, 1, ""},
		{"../conflict/testdata/cedar-ledger", 27, 25, 0, ""},
		{"../conflict/testdata/finch-scan", 26, 24, 3, ""},
		{"../conflict/testdata/granite-lift", 29, 26, 3, ""},
		{"../conflict/testdata/vesper-events", 26, 26, 1, ""},
		{"../conflict/testdata/quartz-logs", 27, 25, 0, ""},
		{"../conflict/testdata/beacon-blood", 26, 25, 0, ""},
		{"../conflict/testdata/jackdaw-queue", 26, 25, 0, ""},
		{"../conflict/testdata/heath-robots", 30, 25, 2, ""},
		{"../conflict/testdata/marten-claims", 25, 23, 0, ""},
		{"../conflict/testdata/fathom-ml", 24, 22, 0, ""},
		{"../conflict/testdata/rowan-lab", 27, 24, 1, ""},
		{"../conflict/testdata/cinder-build", 26, 25, 1, ""},
		{"../conflict/testdata/basalt-platform", 24, 23, 2, ""},
		// Nobody who works on the engine reads these.
		{"../conflict/testdata/alder-library", 24, 23, 0, ""},
		{"../conflict/testdata/hazel-mail", 23, 22, 2, ""},
		{"../conflict/testdata/lark-fleet", 23, 21, 2, ""},
		{"../conflict/testdata/ibis-cinema", 21, 20, 1, ""},
		{"../conflict/testdata/plover-lockers", 24, 23, 2, ""},
		{"../conflict/testdata/kelp-registry", 25, 25, 1, ""},
		{"../conflict/testdata/tern-pools", 22, 21, 2, ""},
		{"../conflict/testdata/sorrel-ground", 25, 24, 2, ""},
		{"../conflict/testdata/opal-mesh", 26, 23, 0, ""},
		{"../conflict/testdata/willow-blades", 25, 22, 2, ""},
		{"../conflict/testdata/linnet-chat", 26, 23, 2, ""},
		{"../conflict/testdata/saffron-kitchen", 29, 26, 0, ""},
		{"../conflict/testdata/slate-ci", 7, 7, 2, ""},
	} {
		if testing.Short() && strings.Contains(set.dir, "testdata") && !strings.HasSuffix(set.dir, "cove-ferry") {
			continue // they take a minute under the race detector, one after the other
		}
		if i%schematest.Every(1, 4) > 0 {
			continue // the first, which nobody here wrote, and a sample of the others
		}
		s := evaluate(t, set.dir)
		if s.Unlabelled+s.Tempted.Found > set.wrong {
			t.Errorf("%s: reported although not planted: %v, temptations taken: %v", set.dir, s.Strangers, s.Taken)
		}
		if s.Found.Found < set.found || s.Reach["deterministic"].Found < set.plain {
			t.Errorf("%s: found %d, %d of them without a model, want %d and %d", set.dir, s.Found.Found, s.Reach["deterministic"].Found, set.found, set.plain)
		}
		if got := strings.Join(s.Missed, " "); set.missed != "" && got != set.missed {
			t.Errorf("%s: missed %s, want %s", set.dir, got, set.missed)
		}
	}
}
