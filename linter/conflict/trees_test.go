package conflict

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
)

var train = flag.Bool("train", false, "learn the trees of matching again, and say what they find in sets that they were not learnt from")

// example is a meeting that is a contradiction or none.
type example struct {
	features
	fold  int     // what it comes from
	worth float64 // beside the others
	label string  // of the contradiction, empty for none
	tempt bool    // it was written to look like one
	pages string  // the two of them
}

// readSets are the labelled sets that trees are learnt from.
var readSets = []string{"../../../shared/eval/contradictions", "testdata/skerry-line", "testdata/kestrel-pay", "testdata/harrow-lab", "testdata/orchard-freight", "testdata/mill-studio", "testdata/brook-meter", "testdata/pewter-hr", "testdata/cobalt-play", "testdata/quill-db", "testdata/tarn-rail",
	"testdata/larch-drone", "testdata/elder-clinic", "testdata/moss-gate", "testdata/cove-ferry", "testdata/osprey-learn", "testdata/juniper-desk",
	"testdata/flint-bakery", "testdata/dune-solar", "testdata/sable-courier", "testdata/wren-radio", "testdata/bracken-vault", "testdata/heron-locks", "testdata/cedar-ledger", "testdata/thorn-maps", "testdata/finch-scan",
	"testdata/granite-lift", "testdata/vesper-events", "testdata/quartz-logs", "testdata/beacon-blood", "testdata/jackdaw-queue", "testdata/heath-robots", "testdata/marten-claims"}

// quietWikis are those of which it is known that they do not contradict themselves.
var quietWikis = []string{"../../wiki", "../../../shared/corpora/olas-wiki/.wiki", "../../../shared/corpora/tasks-demo-vault/docs", "../../../shared/corpora/nvk-lint-fixtures/golden-wiki", "../../../shared/corpora/codebase-wikis"}

func newMatcher(w *compiler.Wiki) *matcher {
	m := &matcher{finder: newFinder(w), seen: map[string]int{}}
	m.read(claim.English().Sayings)
	return m
}

// examples returns the meetings of a wiki.
func examples(w *compiler.Wiki, labels []Label, fold int, worth float64) (out []example) {
	line := func(x *mention) place {
		lines := x.said.page.Lines
		return place{x.said.Path, lines.Position(x.Span.Start).Line, lines.Position(max(x.Span.Start, x.Span.End-1)).Line}
	}
	all := newMatcher(w).measured()
next:
	for i := range all {
		e := example{features: all[i].at, fold: fold, worth: worth, pages: all[i].a.said.Path + " " + all[i].b.said.Path}
		for k := range labels {
			l := &labels[k]
			switch {
			case !l.states(line(all[i].a), line(all[i].b)):
			case l.Contradiction && l.Reach == "llm":
				continue next // it is there for other words
			case l.Contradiction:
				e.label = fmt.Sprint(readSets[fold], l.ID) // sets number theirs alike
			default:
				e.tempt = true
			}
		}
		out = append(out, e)
	}
	return out
}

// states reports whether two places are those of a label, to the line.
func (l *Label) states(p, q place) bool {
	in := func(x, of place) bool { return x.page == of.page && x.from <= of.to && max(x.from, x.to) >= of.from }
	for _, a := range l.side("a", 0) {
		for _, b := range l.side("b", 1) {
			if in(p, a) && in(q, b) || in(p, b) && in(q, a) {
				return true
			}
		}
	}
	return false
}

func readSet(t *testing.T, dir string) []Label {
	src, err := os.ReadFile(filepath.Join(dir, "labels.json"))
	if err != nil {
		t.Fatal(err)
	}
	labels, err := ReadLabels(src)
	if err != nil {
		t.Fatal(err)
	}
	return labels
}

// allExamples are those of the sets, of the families and of the quiet wikis, each a fold.
func allExamples(t *testing.T) (out []example) {
	for fold, dir := range readSets {
		out = append(out, examples(compilertest.Compile(t, filepath.Join(dir, "wiki")), readSet(t, dir), fold, 1)...)
	}
	files, _ := filepath.Glob("testdata/families/*.txt")
	for _, file := range files {
		for n, c := range readFamily(t, file) {
			for _, e := range examples(compilertest.Compile(t, compilertest.Write(t, c.archive())), nil, len(readSets), 1) {
				if e.tempt = c.mark == '='; !e.tempt {
					e.label = fmt.Sprint(file, n)
				}
				out = append(out, e)
			}
		}
	}
	out = append(out, pairExamples(t)...)
	for _, dir := range quietWikis {
		quiet := examples(compilertest.Compile(t, dir), nil, len(readSets)+1, quietWorth)
		quiet = slices.DeleteFunc(quiet, func(e example) bool { return e.features[featCovered]+e.features[featCoveredLess] < 0.6 })
		n := map[string]float64{}
		for i := range quiet {
			n[quiet[i].pages]++
		}
		for i := range quiet {
			quiet[i].worth *= min(1, quietEach/n[quiet[i].pages])
		}
		out = append(out, quiet...)
	}
	return out
}

const (
	// quietWorth is how much a meeting on a wiki without contradictions counts, quietEach of how many those of two pages count at
	// most: two tables of the same rows would teach hundreds of times that they differ.
	quietWorth = 0.6
	quietEach  = 2
)

// TestTrain writes trees.txt.
func TestTrain(t *testing.T) {
	if !*train {
		t.Skip("the trees are learnt again with -train")
	}
	if err := os.WriteFile("trees.txt", []byte(learn(allExamples(t), -1).String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestLeaveOneOut says what trees find in each set that were learnt from the others.
func TestLeaveOneOut(t *testing.T) {
	if !*train {
		t.Skip("it takes minutes; run it with -train -v")
	}
	all := allExamples(t)
	type one struct {
		*example
		likely float64
	}
	var judged []one
	for fold := range readSets {
		f := learn(all, fold)
		for i := range all {
			if e := &all[i]; e.fold == fold {
				judged = append(judged, one{e, f.likelihood(&e.features)})
			}
		}
	}
	slices.SortStableFunc(judged, func(a, b one) int { return cmp.Compare(b.likely, a.likely) })
	found, wrong, tempted := map[string]bool{}, 0, 0
	for _, e := range judged {
		if e.label != "" {
			found[e.label] = true
			continue
		}
		if wrong++; e.tempt {
			tempted++
		}
		if wrong <= 20 || wrong <= 100 && wrong%10 == 0 {
			t.Logf("down to %.3f: %d found, %d wrong, %d of them tempted", e.likely, len(found), wrong, tempted)
		}
	}
}

// The file of trees is what was learnt, line by line.
func TestTrees(t *testing.T) {
	t.Parallel()
	f, err := readForest(treesText)
	if err != nil || len(f.trees) == 0 {
		t.Fatalf("%d trees, %v", len(f.trees), err)
	}
	if f.String() != treesText {
		t.Error("trees.txt is not what is read from it")
	}
	for text, want := range map[string]string{
		"x":                 "line 1",
		"1\ncovered 0.5\n":  "ends within a question",
		"1\nbeauty 1\n1\n2": `no feature "beauty"`,
	} {
		if _, err := readForest(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// matchesOf returns the matches of a wiki that are reported.
func matchesOf(w *compiler.Wiki) (out []schema.Conflict) {
	for _, c := range Matches(w, claim.English().Sayings) {
		if c.Score >= Warns {
			out = append(out, c)
		}
	}
	return out
}
