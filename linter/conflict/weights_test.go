package conflict

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
)

var train = flag.Bool("train", false, "learn the weights of matching again, and say what they find in sets that they were not learnt from")

// featureNames are how weights.txt calls the features.
var featureNames = strings.Fields(`bias covered covered-less shared shared-words left-most left-least replaced same-entity topic both-name
	other-entity other-own siblings shared-apart same-folder linked beside beside-one counted counted-apart label labels-apart role-one-sided
	bool-covered exact denied distinct names modifiers when many other-values ratio verb verb-apart subject tables rank elsewhere`)

// example is a meeting that is a contradiction or none.
type example struct {
	features
	fold  int     // what it comes from
	worth float64 // beside the others
	label string  // of the contradiction, empty for none
	tempt bool    // it was written to look like one
}

// readSets are the labelled sets that weights are learnt from.
var readSets = []string{"../../../shared/eval/contradictions", "testdata/skerry-line", "testdata/kestrel-pay", "testdata/harrow-lab", "testdata/orchard-freight", "testdata/mill-studio"}

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
		e := example{features: all[i].at, fold: fold, worth: worth}
		for k := range labels {
			l := &labels[k]
			switch {
			case !l.states(line(all[i].a), line(all[i].b)):
			case l.Contradiction && l.Reach == "llm":
				continue next // it is there for other words
			case l.Contradiction:
				e.label = l.ID
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
			for _, e := range examples(compilertest.Compile(t, compilertest.Write(t, c.archive())), nil, len(readSets), 0.3) {
				if e.tempt = c.mark == '='; !e.tempt {
					e.label = fmt.Sprint(file, n)
				}
				out = append(out, e)
			}
		}
	}
	for _, dir := range quietWikis {
		for _, e := range examples(compilertest.Compile(t, dir), nil, len(readSets)+1, 0.3) {
			if e.features[featCovered]+e.features[featCoveredLess] >= 1 {
				out = append(out, e)
			}
		}
	}
	return out
}

func dot(w, x *features) (z float64) {
	for i := range x {
		z += w[i] * x[i]
	}
	return z
}

// learn fits a logistic regression to all examples but those of a fold, by gradient descent
// with momentum. Of the meetings of one contradiction those count that look most like it.
func learn(all []example, without int) (w features) {
	const (
		rounds, again  = 1800, 300
		rate, momentum = 0.05, 0.9
		ridge          = 0.02
	)
	share := map[string]float64{}
	worth := make([]float64, len(all))
	var speed features
	for round := range rounds {
		if round%again == 0 {
			clear(share)
			for i := range all {
				if e := &all[i]; e.label != "" && e.fold != without {
					share[e.label] += math.Exp(2 * dot(&w, &e.features))
				}
			}
			for i := range all {
				switch e := &all[i]; {
				case e.fold == without:
					worth[i] = 0
				case e.label != "":
					worth[i] = 3 * e.worth * math.Exp(2*dot(&w, &e.features)) / share[e.label]
				case e.tempt:
					worth[i] = 2 * e.worth
				default:
					worth[i] = e.worth
				}
			}
		}
		var slope features
		for i := range all {
			e := &all[i]
			if worth[i] == 0 {
				continue
			}
			off := 1 / (1 + math.Exp(-dot(&w, &e.features)))
			if e.label != "" {
				off--
			}
			for k, v := range e.features {
				slope[k] += off * worth[i] * v
			}
		}
		for k := range w {
			s := slope[k] / float64(len(share))
			if k != featBias {
				s += ridge * w[k]
			}
			speed[k] = momentum*speed[k] - rate*s
			w[k] += speed[k]
		}
	}
	return w
}

// TestTrain writes weights.txt, and says how weights do on each set when they were learnt
// from the others.
func TestTrain(t *testing.T) {
	if !*train {
		t.Skip("the weights are learnt again with -train")
	}
	all := allExamples(t)
	for fold := range len(readSets) + 2 {
		w := learn(all, fold)
		for _, least := range []float64{0.9, 0.8, matched, 0.7, 0.6, doubted} {
			found, wrong, tempted := map[string]bool{}, 0, 0
			for i := range all {
				if e := &all[i]; e.fold == fold && 1/(1+math.Exp(-dot(&w, &e.features))) >= least {
					if e.label != "" {
						found[e.label] = true
						continue
					}
					wrong++
					if e.tempt {
						tempted++
					}
				}
			}
			t.Logf("fold %d from %.2f: %d found, %d wrong, %d of them tempted", fold, least, len(found), wrong, tempted)
		}
	}
	w := learn(all, -1)
	var b strings.Builder
	for i, v := range w {
		fmt.Fprintf(&b, "%s %.3f\n", nameOfFeature(i), v)
	}
	if err := os.WriteFile("weights.txt", []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}

func nameOfFeature(i int) string {
	if i >= featClass {
		return "kind-" + valueKinds[i-featClass]
	}
	return featureNames[i]
}

// The file of weights has one for each feature, by its name and in order.
func TestWeights(t *testing.T) {
	t.Parallel()
	if len(featureNames) != featClass || len(valueKinds) != featureCount-featClass {
		t.Fatalf("%d names and %d kinds for %d features", len(featureNames), len(valueKinds), featureCount)
	}
	lines := strings.Split(strings.TrimSpace(weightsText), "\n")
	if len(lines) != featureCount {
		t.Fatalf("%d weights for %d features", len(lines), featureCount)
	}
	for i, line := range lines {
		if name, value, _ := strings.Cut(line, " "); name != nameOfFeature(i) || value == "" {
			t.Errorf("weights.txt:%d: %q is not that of %s", i+1, line, nameOfFeature(i))
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
