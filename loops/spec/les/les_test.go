package les_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/loopwiki/wiki/loops/spec/les"
	"github.com/loopwiki/wiki/schema/schematest"
)

func read(t *testing.T, into any, elem ...string) {
	t.Helper()
	src, err := os.ReadFile(filepath.Join(elem...))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(src, into); err != nil {
		t.Fatal(err)
	}
}

func decode(t *testing.T, src string) (v any) {
	t.Helper()
	if err := json.Unmarshal([]byte(src), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestWeightsSumToOne(t *testing.T) {
	t.Parallel()
	for name, w := range map[string]les.Categories{"LES 1.0": les.Weights, "captured": les.CapturedWeights} {
		v := w.Values()
		if sum := les.Sum(v[:]...); sum != 1 {
			t.Errorf("%s: the weights sum to %v", name, sum)
		}
	}
}

func TestSumCompensates(t *testing.T) {
	t.Parallel()
	// A plain sum loses both ones: 1 + 1e100 is 1e100.
	if got := les.Sum(1, 1e100, 1, -1e100); got != 2 {
		t.Errorf("got %v, want 2", got)
	}
}

func TestRoundIsExact(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		x      float64
		digits int
		want   float64
	}{
		{2.675, 2, 2.67},     // the binary value is 2.67499999999999982236431605997495353221893310546875
		{0.00005, 4, 0.0001}, // 0.000050000000000000002...
		{0.125, 2, 0.12},     // a tie: to even
		{0.375, 2, 0.38},     // a tie: to even
		{1.005, 2, 1},        // 1.00499999999999989...
		{77.68, 1, 77.7},
	} {
		if got := les.Round(c.x, c.digits); got != c.want {
			t.Errorf("Round(%v, %d) = %v, want %v", c.x, c.digits, got, c.want)
		}
	}
	if !math.IsNaN(les.Round(math.NaN(), 1)) {
		t.Error("NaN is rounded to a number")
	}
}

func TestBands(t *testing.T) {
	t.Parallel()
	for display, want := range map[float64]string{
		90: "production-grade", 89.9: "strong", 75: "strong", 74.9: "functional", 60: "functional",
		59.9: "fragile", 40: "fragile", 39.9: "non-viable", 0: "non-viable",
	} {
		if got := les.Band(display); got != want {
			t.Errorf("%v: %s, want %s", display, got, want)
		}
	}
}

func TestObservedScoreOfTheStandardsTrace(t *testing.T) {
	t.Parallel()
	dir := schematest.Shared(t, "corpora/loop-standards")
	var trace any
	read(t, &trace, dir, "minimal-trace.json")
	var expected map[string]struct {
		Categories les.Categories
		LES        float64 `json:"observed_les"`
	}
	read(t, &expected, dir, "EXPECTED.json")
	got, want := les.Observed(trace), expected["minimal-trace.json"]
	if diff := cmp.Diff(want.Categories, got.Categories); diff != "" {
		t.Errorf("categories (-want +got):\n%s", diff)
	}
	if les.Display(got.Total) != want.LES {
		t.Errorf("LES %v, want %v", les.Display(got.Total), want.LES)
	}
	if got.LoopName != "reflection-example" || got.LoopID != "demo-reflection-001" {
		t.Errorf("the loop is %q, the trace %q", got.LoopName, got.LoopID)
	}
}

func TestObservedScores(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, trace string
		want        les.Categories
	}{
		// Nothing recorded: one iteration counts, and no cost is the lowest cost.
		{"empty", `{}`, les.Categories{.4, .9, .9, .45, .6, .5, .55, .45}},
		{"success without scores", `{"success": true, "iterations": [{}]}`, les.Categories{.85, .9, .9, .45, .6, .65, .55, .7}},
		// Iterations score (.2+.4)/2 = .3 and .9; the range .6 is not below .15, so robustness is .7+.05.
		{"unsteady", `{"success": true, "total_cost_usd": 0.5, "iterations": [
			{"evaluator_scores": {"a": 0.2, "b": 0.4}}, {"evaluator_scores": {}}, {"evaluator_scores": {"a": 0.9}}]}`,
			les.Categories{.9, .75, .75, .75, .6, .65, .65, .7}},
		// Scores of a failed run count for effectiveness only.
		{"failed", `{"success": false, "total_cost_usd": 2.01, "iterations": [{"evaluator_scores": {"a": 7}}]}`,
			les.Categories{1, .9, .35, .45, .6, .5, .55, .45}},
		{"long", `{"total_cost_usd": 2, "iterations": [{},{},{},{},{},{},{},{},{},{},{}]}`,
			les.Categories{.4, .35, .55, .45, .6, .5, 1, .45}},
	} {
		got := les.Observed(decode(t, c.trace)).Categories
		for i, want := range c.want.Values() {
			if math.Abs(got.Values()[i]-want) > 1e-12 {
				t.Errorf("%s: %s is %v, want %v", c.name, les.Names[i], got.Values()[i], want)
			}
		}
	}
}
