package bench_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/loopwiki/wiki/loops/spec"
	"github.com/loopwiki/wiki/loops/spec/bench"
)

func TestSimulatedSubmissionVerifiesAndIsDeterministic(t *testing.T) {
	t.Parallel()
	loop := &spec.Spec{
		Name: "simulated", Objective: "Say what a simulation reads of a spec", Strategy: spec.Strategy{MaxSteps: 6},
		Workers:    []spec.Worker{{ID: "writer", Role: "writes", Outputs: spec.Output{Name: "Text"}}},
		Evaluators: []spec.Evaluator{{ID: "quality"}}, Cost: spec.CostLimits{PerIterationUSD: .05},
	}
	var tasks []bench.Task
	for _, id := range bench.TaskIDs() {
		task, _ := bench.FindTask(id)
		tasks = append(tasks, task)
	}
	run := func(tasks []bench.Task) bench.Submission {
		s, err := bench.Simulate(loop, "loop.yaml", []byte("a spec"), tasks, []uint64{0, 1})
		if err != nil {
			t.Fatal(err)
		}
		s.Submitter = "ada"
		return s
	}
	s := run(tasks)
	if diff := cmp.Diff(s, run(tasks)); diff != "" {
		t.Errorf("the same submission differs (-first +again):\n%s", diff)
	}
	if got := verify(t, marshal(t, s), here); !got.OK() || len(got.Unchecked) > 0 {
		t.Errorf("%+v", got)
	}
	if n := len(s.Results[0].Runs); n != 6 || s.Partial || s.Results[0].Aggregate.Seeds != 2 {
		t.Errorf("%d runs, partial %v", n, s.Partial)
	}
	if other := run(tasks[:1]); other.ID == s.ID || !other.Partial {
		t.Errorf("one task: id %s, partial %v", other.ID, other.Partial)
	}
}
