package record_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/loopwiki/wiki/loops/spec"
	"github.com/loopwiki/wiki/loops/spec/record"
)

func parse(t *testing.T, src string) *record.Record {
	t.Helper()
	items, err := record.Read("x.json", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	c := record.Check(items, false)
	if len(c.Errors) > 0 {
		t.Fatal(c.Errors)
	}
	return &c.Records[0]
}

func TestSelect(t *testing.T) {
	t.Parallel()
	records := record.Check(published(t), false).Records
	for _, c := range []struct {
		name   string
		choice record.Choice
		want   int
	}{
		{"id", record.Choice{ID: records[3].ID, Task: records[5].LoopName}, 3},
		{"task that is an id", record.Choice{Task: records[7].ID}, 7},
		{"name of a loop", record.Choice{Task: records[9].LoopName, Seed: 7}, 9},
		// The index is random.Random(seed).choice(range(20)) of Python.
		{"seed 0", record.Choice{}, 12},
		{"seed 1", record.Choice{Seed: 1}, 4},
		{"seed 42", record.Choice{Seed: 42}, 3},
		{"seed of two words", record.Choice{Seed: 1<<40 + 3}, 7},
		{"unknown name", record.Choice{Task: "default", Seed: 7}, 10},
	} {
		got, err := record.Select(records, c.choice)
		if err != nil {
			t.Fatal(err)
		}
		if got.ID != records[c.want].ID {
			t.Errorf("%s: chose %s, want record %d", c.name, got.ID, c.want)
		}
	}
	if _, err := record.Select(records, record.Choice{Task: "ln-0"}); err == nil {
		t.Error("a record that is not there is chosen")
	}
	if _, err := record.Select(nil, record.Choice{}); err == nil {
		t.Error("a record of none is chosen")
	}
}

func TestReplay(t *testing.T) {
	t.Parallel()
	r := parse(t, valid)
	var seen []record.Observation
	got := r.Play(record.Choice{Task: "abc", Seed: 3}, func(o record.Observation) { seen = append(seen, o) })
	les := .6348
	want := record.Result{
		TaskID: "abc", Seed: 3, EnvID: "replay", RecordID: r.ID, Steps: 2, Reward: .4 + .7, Quality: .7, Reason: "stall", Outcome: "failure", LES: &les,
		Trajectory: []record.Observation{
			{Iteration: 1, Quality: .5}, {Iteration: 2, Quality: .4, Reward: .4}, {Iteration: 3, Quality: .7, Reward: .7, Done: true},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want.Trajectory, seen); diff != "" {
		t.Errorf("seen (-want +got):\n%s", diff)
	}
	r.Metadata.Target = .7
	if !r.Play(record.Choice{}, nil).Success {
		t.Error("a failed run whose last score reaches the target is no success")
	}
}

func TestReplayOfOneIteration(t *testing.T) {
	t.Parallel()
	r := parse(t, valid)
	r.Trajectory, r.Source = r.Trajectory[:1], "case_study"
	if got := r.Play(record.Choice{}, nil); got.Steps != 1 || got.Reward != 0 || got.Reason != "stall" || !got.Captured {
		t.Errorf("got %+v", got)
	}
}

// loop is a spec of which the simulation reads the objective, the first worker, limits
// and costs.
func loop(threshold float64, limit float64) *spec.Spec {
	return &spec.Spec{
		Name: "simulated", Objective: "Say what a simulation reads of a spec",
		Workers:    []spec.Worker{{ID: "writer", Role: "writes", Outputs: spec.Output{Name: "Text"}}},
		Evaluators: []spec.Evaluator{{ID: "quality"}},
		Strategy:   spec.Strategy{MaxSteps: 3},
		Termination: spec.Termination{
			Success: []spec.Success{{Operator: "lte", Value: .1}, {Operator: "gte", Value: threshold}},
			Failure: []spec.Failure{{Type: "safety_violation"}, {Type: "max_iterations", Value: &limit}},
		},
		Cost: spec.CostLimits{PerIterationUSD: .05},
	}
}

func play(t *testing.T, s *spec.Spec, c record.Choice, disturbance, action string) (record.Result, *record.Simulation) {
	t.Helper()
	e, err := record.NewSimulation(s, c, disturbance)
	if err != nil {
		t.Fatal(err)
	}
	return e.Play(action, nil), e
}

func TestSimulationIsDeterministic(t *testing.T) {
	t.Parallel()
	c := record.Choice{Task: "a", Seed: 1}
	first, _ := play(t, loop(.9, 8), c, "", "")
	again, _ := play(t, loop(.9, 8), c, "", "")
	if diff := cmp.Diff(first, again); diff != "" {
		t.Errorf("the same episode differs (-first +again):\n%s", diff)
	}
	qualities := make(map[float64]bool)
	for seed := range uint64(20) {
		r, _ := play(t, loop(.9, 8), record.Choice{Task: "a", Seed: seed}, "", "")
		qualities[r.Trajectory[0].Quality] = true
		for _, o := range r.Trajectory {
			// The judge gives at least .45, each iteration adds .12, and .05 is always added.
			if low := .45 + .12*float64(o.Iteration) + .05; o.Quality < min(low, .99)-1e-9 || o.Quality > .99 {
				t.Errorf("seed %d, iteration %d: quality %v", seed, o.Iteration, o.Quality)
			}
		}
	}
	if len(qualities) < 10 {
		t.Errorf("20 seeds begin with %d qualities only", len(qualities))
	}
	other, _ := play(t, loop(.9, 8), c, "", "what a person wrote")
	if other.Trajectory[0].Output != "what a person wrote" {
		t.Errorf("the action is not the output: %q", other.Trajectory[0].Output)
	}
}

func TestSimulationEnds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name             string
		threshold, limit float64
		disturbance      string
		reason, outcome  string
		steps            int
	}{
		{"at once", .4, 8, "", "quality_threshold (", "success", 1},
		{"never", .995, 4, "", "max_iterations (4)", "partial", 4},
		{"rejected above the target", .4, 8, record.HumanReject, "human_rejected", "partial", 1},
		{"rejected below the target", .8, 8, record.HumanReject, "human_rejected", "failure", 1},
		{"denied", .8, 8, record.ToolDenylist, "safety_violation", "failure", 1},
	} {
		got, _ := play(t, loop(c.threshold, c.limit), record.Choice{}, c.disturbance, "")
		if got.Outcome != c.outcome || got.Steps != c.steps || got.Reason[:min(len(c.reason), len(got.Reason))] != c.reason {
			t.Errorf("%s: %s after %d steps: %s", c.name, got.Outcome, got.Steps, got.Reason)
		}
		last := got.Trajectory[len(got.Trajectory)-1]
		want := last.Quality
		if !got.Success {
			want -= .5
		}
		if last.Reward != want || !last.Done {
			t.Errorf("%s: the last step shows %+v", c.name, last)
		}
	}
	if _, err := record.NewSimulation(loop(.8, 8), record.Choice{}, "storm"); err == nil {
		t.Error("an unknown disturbance is accepted")
	}
}

func TestSimulationWithoutSources(t *testing.T) {
	t.Parallel()
	whole, _ := play(t, loop(.99, 3), record.Choice{Seed: 2}, "", "")
	without, _ := play(t, loop(.99, 3), record.Choice{Seed: 2}, record.StaleSource, "")
	if whole.Trajectory[0].Quality != without.Trajectory[0].Quality {
		t.Error("the first iteration is disturbed")
	}
	if a, b := whole.Trajectory[1].Quality, without.Trajectory[1].Quality; b >= a || a-b > .08+1e-9 {
		t.Errorf("the second iteration has %v, disturbed %v", a, b)
	}
}

func TestSimulationWithoutConditionsTakesTheStandardsDefaults(t *testing.T) {
	t.Parallel()
	s := loop(0, 0)
	s.Termination = spec.Termination{}
	got, _ := play(t, s, record.Choice{}, record.ToolDenylist, "")
	if got.Outcome != "failure" {
		t.Errorf("quality %v of .8: %s", got.Quality, got.Outcome)
	}
	s.Termination.Success = []spec.Success{{Operator: "gte", Value: 1}}
	if got, _ := play(t, s, record.Choice{}, "", ""); got.Reason != "max_iterations (3)" {
		t.Errorf("ended by %s, want the strategy's three steps", got.Reason)
	}
}

func TestSimulationTraceIsValid(t *testing.T) {
	t.Parallel()
	c := record.Choice{Task: "a", Seed: 1}
	got, e := play(t, loop(.995, 3), c, "", "")
	start := time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)
	trace := e.Trace(start, "loop.yaml")
	checkMarshalled(t, trace)
	if len(trace.Iterations) != got.Steps || trace.USD != .15 || !trace.EndedAt.After(start) {
		t.Errorf("%d iterations, $%v, from %v to %v", len(trace.Iterations), trace.USD, start, trace.EndedAt)
	}
}
