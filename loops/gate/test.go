package gate

import (
	"context"

	"github.com/loopwiki/wiki/loops"
)

var _ = register(Gate{
	ID:     "test",
	Stages: []loops.Stage{loops.StageChunk},
	Doc:    "The repository's tests succeed on a sealed export of the tree; tests that are flaky on the base must pass once in three runs, and those that a repair found failing may still fail.",
	phase:  phaseCommand,
	judge:  judgeTest,
})

func judgeTest(ctx context.Context, j *judge) ([]loops.GateResult, error) {
	if len(j.commands.Test) == 0 {
		return []loops.GateResult{{Effect: loops.Note, Reason: []loops.Reason{{Message: "no test command: nothing was tested; set gates.test in wiki.yaml"}}}}, nil
	}
	out := []loops.GateResult{{}}
	for _, command := range j.commands.Test {
		run, err := j.runTests(ctx, "test", command, j.now)
		if err != nil {
			return nil, err
		}
		out[0].Duration += run.outcome.exit.Took
		j.ran = append(j.ran, *run)
		if run.outcome.green() {
			continue
		}
		r := j.result(run.outcome)
		if r.Effect == loops.Red {
			if r, err = j.excused(ctx, run, r); err != nil {
				return nil, err
			}
		}
		if r.Effect >= loops.Red {
			return []loops.GateResult{r}, nil
		}
		out = append(out, r)
	}
	if len(out) > 1 { // a red run does not count for the tests that it left out
		missing, err := j.missing(ctx)
		if err != nil || len(missing) > 0 {
			return because(loops.Red, loops.ClassAssertion, missing), err
		}
	}
	j.green = true
	return out, nil
}

// excused makes a red result a note if it does not blame the tree, and else says which
// tests do.
func (j *judge) excused(ctx context.Context, run *testRun, r loops.GateResult) (loops.GateResult, error) {
	may, err := j.mayFail(ctx)
	if err != nil {
		return r, err
	}
	note, blame, err := j.excuse(ctx, run, may)
	switch {
	case len(blame) > 0 && len(j.c.Failures) > 0:
		r.Reason = blame
	case note != "":
		r = loops.GateResult{Effect: loops.Note, Reason: []loops.Reason{{Message: note}}, Output: r.Output}
	}
	return r, err
}

// missing returns the tests that passed before and that no run names now.
func (j *judge) missing(ctx context.Context) ([]loops.Reason, error) {
	known, err := j.recall(ctx)
	if err != nil || len(j.c.Failures) == 0 {
		return nil, err
	}
	ran, _, skipped := j.outcomes()
	return j.notRun(known, ran, skipped), nil
}

// outcomes returns the tests that the commands named: those that were run, those that
// passed, and those that were skipped.
func (j *judge) outcomes() (ran, passed, skipped map[string]bool) {
	ran, passed, skipped = map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, run := range j.ran {
		mergeInto(ran, run.passed)
		mergeInto(ran, run.failed)
		mergeInto(passed, run.passed)
		mergeInto(skipped, run.skipped)
	}
	return ran, passed, skipped
}
