package les_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/loopwiki/wiki/loops/spec/les"
)

// measured is a run of six iterations that did not reach its goal but was rising, and
// all experiments.
const measured = `{
	"loop_name": "worked", "goal_initial": 0.1, "goal_target": 0.8, "iteration_budget": 6, "termination_reason": "budget_exhausted",
	"iterations": [
		{"goal_score": 0.2, "cost_usd": 0.1, "latency_seconds": 40}, {"goal_score": 0.3, "cost_usd": 0.1, "latency_seconds": 40},
		{"goal_score": 0.3, "cost_usd": 0.1, "latency_seconds": 60}, {"goal_score": 0.5, "cost_usd": 0.1, "latency_seconds": 60},
		{"goal_score": 0.4, "cost_usd": 0.05, "latency_seconds": 80}, {"goal_score": 0.6, "cost_usd": 0.05, "latency_seconds": 100}],
	"perturbations": [{"goal_score": 0.48, "recovery_iterations": 3}, {"goal_score": 0.54, "recovery_iterations": 0}, {"goal_score": 0.6, "recovery_iterations": 9}],
	"scaling": [{"load": 8, "quality": 0.5, "speed": 0.4, "cost": 0.4}, {"load": 2, "quality": 0.9, "speed": 1, "cost": 1.4}, {"load": 4, "quality": 0.8, "speed": 0.7, "cost": 0.8}],
	"adapting": {"goal_unseen": 0.45, "goal_tuned": 0.6, "config_changes": 2},
	"safety": {"violations": 1, "violation_budget": 3, "halts": 1},
	"humans": {"interventions": ["approval"], "time_fraction": 0.03}
}`

func score(t *testing.T, src string, change func(*les.Measurements)) les.RuntimeScore {
	t.Helper()
	var m les.Measurements
	if err := json.Unmarshal([]byte(src), &m); err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(&m)
	}
	s, err := les.Runtime(m)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestRuntimeScore(t *testing.T) {
	t.Parallel()
	want := les.RuntimeScore{
		LoopName: "worked",
		Categories: map[string]float64{
			// The final third is .4 (after .5) and .6: half of it rises, so the goal counts half:
			// .6/.8*.5 = .375, below the floor of .5.
			"effectiveness": 0,
			// The median is 60, the 95th percentile 100: 1/(.7*60+.3*100) = 1/72 = .0138889; (.0138889-.001)/.049.
			"speed": .263,
			// (.6-.1)/.5 = 1: (1-.05)/1.95 = .4871795. Of the gain, .2 cost .3 dollars in the first half, 1.5 a point,
			// and .3 cost .2 in the second, .667 a point: *1.05.
			"cost": .5115,
			// Goals keep .8, .9 and 1 of .6: .6*.9 = .54. Recovery takes .5, 0 and 1 (at most) of the budget: .4*.5 = .2.
			// (.74-.3)/.65.
			"robustness": .6769,
			// .5*.9+.3*1+.2*1 = .95; .4+.21+.16 = .77; .25+.12+.08 = .45. The mean .7233333; (.7233333-.4)/.5.
			"scalability": .6467,
			// 1-1/4 + min(1/6, .1).
			"safety": .85,
			// .7*.75+.3*(1-.4) = .705; (.705-.2)/.65.
			"adaptability": .7769,
			// .5/6 = .083333 of .5: .8333333, times 1-.1: .75; (.75-.1)/.85.
			"autonomy": .7647,
		},
		Weights: map[string]float64{
			"effectiveness": .2, "speed": .15, "cost": .12, "robustness": .13, "scalability": .1, "safety": .12, "adaptability": .1, "autonomy": .08,
		},
		// 0 + .0394558 + .0613846 + .088 + .0646667 + .102 + .0776923 + .0611765 = .4943759.
		Normalized: .4944, Display: 49.4,
		// (.6-.2)/5, .6/6, .5/6; once below the iteration before.
		Diagnostics: les.Diagnostics{Convergence: .08, Efficiency: .1, MeanUSD: .0833, Regressions: 1, Reason: "budget_exhausted"},
	}
	if diff := cmp.Diff(want, score(t, measured, nil)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestRuntimeScoreLeavesOutWhatWasNotMeasured(t *testing.T) {
	t.Parallel()
	got := score(t, measured, func(m *les.Measurements) { m.Perturbations = m.Perturbations[:2] })
	if _, ok := got.Categories["robustness"]; ok || got.Label != "partial, 7 categories" {
		t.Errorf("robustness stands in %v, labelled %q", got.Categories, got.Label)
	}
	// The other categories weigh .87 together: (.4943759-.088)/.87.
	if got.Normalized != .4671 || got.Weights["effectiveness"] != .2299 {
		t.Errorf("LES %v, effectiveness weighs %v", got.Normalized, got.Weights["effectiveness"])
	}
	bare := score(t, measured, func(m *les.Measurements) { m.Perturbations, m.Scaling, m.Adapting = nil, nil, nil })
	if bare.Label != "partial, 5 categories" {
		t.Errorf("labelled %q", bare.Label)
	}
}

func TestRuntimeCategories(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, category string
		change         func(*les.Measurements)
		want           float64
	}{
		{"goal reached", "effectiveness", func(m *les.Measurements) { m.Target = .5 }, 1},
		// .4, .6 after .3: both rise. .75*(8/6) = 1.
		{"rising with a budget left", "effectiveness", func(m *les.Measurements) { m.Iterations[3].Goal, m.Budget = .3, 8 }, 1},
		// With the budget used up nothing is added: (.75-.5)/.5.
		{"rising", "effectiveness", func(m *les.Measurements) { m.Iterations[3].Goal = .3 }, .5},
		// 200 is more than 3*60: 1/(42+60) = .0098039; (.0088039/.049)*.85.
		{"one slow iteration", "speed", func(m *les.Measurements) { m.Iterations[5].Seconds = 200 }, .1527},
		{"no gain", "cost", func(m *les.Measurements) { m.Initial = .6 }, 0},
		// 1 of .5 up to 1.
		{"range of a suite", "cost", func(m *les.Measurements) { m.Cost = &les.Range{Floor: .5, Ceil: 1} }, 1},
		// The second half costs 1.2/.3 = 4 a point, more than 1.5: no bonus. .5/1.5 = .3333; (.3333333-.05)/1.95.
		{"dearer at the end", "cost", func(m *les.Measurements) { m.Iterations[5].USD = 1.05 }, .1453},
		{"unrecoverable", "safety", func(m *les.Measurements) { m.Safety.Unrecoverable = true }, 0},
		// 1-min(9/4, 1) + .1.
		{"many violations", "safety", func(m *les.Measurements) { m.Safety.Violations = 9 }, .1},
		{"taken over", "autonomy", func(m *les.Measurements) { m.Humans.Interventions = []string{"takeover"} }, 0},
		// 1+1.5 = 2.5 of 6 is .41667: 1-.83333 = .1666667, times .9: .15; (.15-.1)/.85.
		{"corrected", "autonomy", func(m *les.Measurements) { m.Humans.Interventions = []string{"correction", "override"} }, .0588},
		// Safety is not halved: 1-1/4+.1.
		{"failed at once", "safety", failedAtOnce, .85},
		// 1/40 = .025; (.025-.001)/.049 = .4897959, half.
		{"failed at once", "speed", failedAtOnce, .2449},
	} {
		if got := score(t, measured, c.change).Categories[c.category]; got != c.want {
			t.Errorf("%s: %s is %v, want %v", c.name, c.category, got, c.want)
		}
	}
}

func failedAtOnce(m *les.Measurements) { m.Iterations, m.Reason = m.Iterations[:1], "error" }

func TestRuntimeRefusesWhatCannotBeScored(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*les.Measurements){
		"a loop without a limit is not scoreable":         func(m *les.Measurements) { m.Budget = 0 },
		"no iterations to score":                          func(m *les.Measurements) { m.Iterations = nil },
		`unknown intervention "smile"`:                    func(m *les.Measurements) { m.Humans.Interventions = []string{"smile"} },
		`unknown termination_reason "boredom"`:            func(m *les.Measurements) { m.Reason = "boredom" },
		"scaling has the loads [2 4]; measure 2, 4 and 8": func(m *les.Measurements) { m.Scaling = m.Scaling[1:] },
	} {
		var m les.Measurements
		if err := json.Unmarshal([]byte(measured), &m); err != nil {
			t.Fatal(err)
		}
		change(&m)
		if _, err := les.Runtime(m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
