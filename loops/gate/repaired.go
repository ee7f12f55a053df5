package gate

import (
	"context"
	"fmt"

	"github.com/loopwiki/wiki/loops"
)

var _ = register(Gate{
	ID:     "repair",
	Stages: []loops.Stage{loops.StageChunk},
	Doc:    "In a repair, the tests that failed on the base and that the chunk names pass five times of five.",
	phase:  phaseProof,
	judge:  judgeRepair,
})

var _ = register(Gate{
	ID:     "repaired",
	Stages: []loops.Stage{loops.StageGoal},
	Doc:    "At the end of a repair every test that failed on the base is as it was and passes five times of five, a flaky one once in three, and nothing else fails, except for what a person allowed in the plan.",
	phase:  phaseCommand,
	judge:  judgeRepaired,
})

// proofRuns is how often a repaired test must pass in a row.
const proofRuns = 5

func judgeRepair(ctx context.Context, j *judge) ([]loops.GateResult, error) {
	var out []loops.Reason
	for _, command := range j.commands.Test {
		var must []loops.BaseFailure
		for _, f := range j.c.Failures {
			if f.Command != command || !named(&j.chunk, &f) {
				continue
			}
			if f.Outcome == loops.BaseFlaky { // named, it is to become steady
				f.Outcome = loops.BaseFailed
			}
			must = append(must, f)
		}
		if len(must) == 0 {
			continue
		}
		why, err := j.proved(ctx, command, must, nil)
		if err != nil {
			return nil, err
		}
		out = append(out, why...)
	}
	if len(out) == 0 && len(j.c.Failures) == 0 {
		return nil, nil
	}
	return because(loops.Red, loops.ClassAssertion, out), nil
}

// proved runs a test command until it has run five times, and returns which recorded tests
// did not pass as often as they must. first is a run that was made already, or nil.
func (j *judge) proved(ctx context.Context, command string, must []loops.BaseFailure, first *testRun) ([]loops.Reason, error) {
	passes := make([]int, len(must))
	last := make([]string, len(must))
	for n := range proofRuns {
		run := first
		if n > 0 || first == nil {
			var err error
			if run, err = j.runTests(ctx, "repair", command, j.now); err != nil {
				return nil, err
			}
		}
		for i := range must {
			why := j.stands(&must[i], run)
			if why == "" && (must[i].Outcome != loops.BaseFlaky || n < baseRuns) {
				passes[i]++
			} else if why != "" {
				last[i] = why
			}
		}
	}
	var out []loops.Reason
	for i, f := range must {
		switch {
		case f.Outcome == loops.BaseFlaky && passes[i] == 0:
			out = append(out, loops.Reason{Path: f.File, Message: fmt.Sprintf("%s is flaky on the base, and did not pass once in %d runs: it %s", f.Name(), baseRuns, last[i])})
		case f.Outcome != loops.BaseFlaky && passes[i] < proofRuns:
			out = append(out, loops.Reason{Path: f.File, Message: fmt.Sprintf("%s passed in %d of %d runs: it %s", f.Name(), passes[i], proofRuns, last[i])})
		}
	}
	return out, nil
}

// stands returns why a recorded test has not passed in a run, "" if it has. One that was not
// run has failed.
func (j *judge) stands(f *loops.BaseFailure, run *testRun) string {
	has := func(set map[string]bool) bool {
		for name := range set {
			if j.same(f, name) || f.Outcome == loops.BaseNotRun && name == f.File {
				return true
			}
		}
		return false
	}
	names := run.passed != nil || namesTests(f.Command)
	switch {
	case f.Test == "" || f.Outcome == loops.BaseNotRun && !names:
		if !run.outcome.green() {
			return "fails"
		}
		return ""
	case has(run.failed):
		return "fails"
	case has(run.skipped):
		return "is skipped"
	case !has(run.passed):
		return "did not run"
	}
	return ""
}

func judgeRepaired(ctx context.Context, j *judge) ([]loops.GateResult, error) {
	if len(j.c.Failures) == 0 {
		return nil, nil
	}
	var out []loops.GateResult
	for _, kind := range j.checks() {
		found, err := j.each(ctx, kind.gate, kind.commands)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	if loops.Worst(out) >= loops.Red {
		return out, nil
	}
	red := j.altered()
	for _, command := range j.commands.Test {
		why, note, err := j.finished(ctx, command)
		if err != nil {
			return nil, err
		}
		red = append(red, why...)
		out = append(out, note...)
	}
	return append(out, because(loops.Red, loops.ClassAssertion, red)...), nil
}

// finished returns what of a test command's failures is left at the end, and what a person
// allows to be left.
func (j *judge) finished(ctx context.Context, command string) (red []loops.Reason, notes []loops.GateResult, err error) {
	run, err := j.runTests(ctx, "repaired", command, j.now)
	if err != nil {
		return nil, nil, err
	}
	if !run.outcome.green() {
		note, blame, err := j.excuse(ctx, run, j.isExcepted)
		switch {
		case err != nil:
			return nil, nil, err
		case note == "" && len(blame) == 0:
			return j.result(run.outcome).Reason, nil, nil
		}
		red = append(red, blame...)
	}
	var must []loops.BaseFailure
	for _, f := range j.c.Failures {
		if f.Gate != "test" || f.Command != command {
			continue
		}
		if s := j.excepted(f.Name()); s != nil {
			notes = append(notes, loops.GateResult{Effect: loops.Note, Reason: []loops.Reason{{Path: f.File, Message: fmt.Sprintf("%s may fail, as %s allows: %s", f.Name(), s.By, s.Reason)}}})
			continue
		}
		must = append(must, f)
	}
	if len(must) == 0 || len(red) > 0 {
		return red, notes, nil
	}
	red, err = j.proved(ctx, command, must, run)
	return red, notes, err
}

// altered returns which recorded tests are not as they were: they are found in no file of
// tests by name and body.
func (j *judge) altered() []loops.Reason {
	where := map[string]bool{}
	for _, p := range j.now.paths() {
		if src := j.now.read(p); mayHoldTests(p, src) {
			for _, u := range takeApart(p, src).tests() {
				where[lastName(u.name)+"\x00"+bodyHash(&u)] = true
			}
		}
	}
	var out []loops.Reason
	for _, f := range j.c.Failures {
		if f.Body == "" || matchAny(j.unlocked, f.File) || where[lastName(f.Test)+"\x00"+f.Body] {
			continue
		}
		out = append(out, loops.Reason{Path: f.File, Message: f.Test + " is not as it was on the base"})
	}
	return out
}
