package gate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
)

var _ = register(Gate{
	ID:     "test",
	Stages: []loops.Stage{loops.StageChunk},
	Doc:    "The repository's tests succeed on a sealed export of the tree; tests that are flaky on the base don't count.",
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
		if why, err := j.unsteady(ctx, run); err != nil {
			return nil, err
		} else if r.Effect == loops.Red && why != "" {
			r = loops.GateResult{Effect: loops.Note, Reason: []loops.Reason{{Message: why}}, Output: r.Output}
		}
		if r.Effect >= loops.Red {
			return []loops.GateResult{r}, nil
		}
		out = append(out, r)
	}
	j.green = true
	return out, nil
}

// unsteady reports why a red run does not blame the tree: what failed fails on the
// base too, now and then.
func (j *judge) unsteady(ctx context.Context, run *testRun) (string, error) {
	known, err := j.recall(ctx)
	if err != nil || !slices.Contains(known.FlakyCommands, run.outcome.command) {
		return "", err
	}
	if run.outcome.exit.Why != loops.Exited || run.outcome.exit.Code == 127 {
		return "", nil
	}
	if len(known.FlakyTests) == 0 {
		return fmt.Sprintf("%s is red, but flaky on the base", run.outcome.command), nil
	}
	failed := keysOf(run.failed, nil)
	if len(failed) == 0 || slices.ContainsFunc(failed, func(name string) bool { return !slices.Contains(known.FlakyTests, name) }) {
		return "", nil
	}
	return "red, but flaky on the base: " + strings.Join(failed, ", "), nil
}
