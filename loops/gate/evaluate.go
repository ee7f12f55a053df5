package gate

import (
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
)

var _ = register(Gate{
	ID:     "evaluate",
	Stages: []loops.Stage{loops.StageEvaluate},
	Doc:    "A command or a gate that a declared loop names scores a sealed export of the tree: 1 if it succeeds and 0 if not, or the number that it prints last, as {\"score\": 0.8}.",
	phase:  phaseCommand,
	judge:  judgeEvaluate,
})

func judgeEvaluate(ctx context.Context, j *judge) ([]loops.GateResult, error) {
	e := j.evaluator()
	if e == nil {
		return nil, nil
	}
	if e.Gate == "wiki" {
		return judgeWiki(ctx, j)
	}
	var out []loops.GateResult
	for _, command := range j.commandsOf(e) {
		run, err := j.evaluate(ctx, e, command)
		if err != nil {
			return nil, err
		}
		r := j.result(run.outcome)
		doubted, err := j.doubted(ctx, run)
		if err != nil {
			return nil, err
		}
		if doubted {
			r.Effect, r.Class, r.Reason = loops.Red, loops.ClassUnknown, []loops.Reason{{Message: command + ": " + run.doubt}}
		}
		if e.Gate == "" {
			r.Score = scoreOf(run.outcome.output)
		}
		if out = append(out, r); r.Effect >= loops.Red {
			break
		}
	}
	return out, nil
}

// evaluator returns who judges, nil in another loop.
func (j *judge) evaluator() *loops.Evaluation {
	d := j.c.Start.Declared
	if d == nil {
		return nil
	}
	return d.Evaluator(j.c.Part)
}

// commandsOf returns what an evaluator runs.
func (j *judge) commandsOf(e *loops.Evaluation) []string {
	switch e.Gate {
	case "test":
		return j.commands.Test
	case "build":
		return j.commands.Build
	case "lint":
		return j.commands.Lint
	}
	return []string{e.Command}
}

// evaluate runs a command of an evaluator. Nothing excuses one that fails: what a repair
// found failing is what it is to repair.
func (j *judge) evaluate(ctx context.Context, e *loops.Evaluation, command string) (*testRun, error) {
	if e.Gate == "test" {
		return j.runTests(ctx, "evaluate", command, j.now)
	}
	o, err := j.run(ctx, "evaluate", command, j.now.dir)
	return &testRun{outcome: o}, err
}

// scoreOf returns the score that an output ends with, nil if it prints none. Lines after it
// are of what ended the command.
func scoreOf(output string) *float64 {
	for _, line := range slices.Backward(strings.Split(output, "\n")) {
		var printed struct {
			Score *float64 `json:"score"`
		}
		if strings.Contains(line, `"score"`) && json.Unmarshal([]byte(line), &printed) == nil && printed.Score != nil && !math.IsInf(*printed.Score, 0) {
			return printed.Score
		}
	}
	return nil
}

// evaluations are the commands of a declared loop's evaluators: what they run is protected
// as what gates run.
func (j *judge) evaluations() []string {
	var out []string
	if all := j.c.Start.Declared; all != nil {
		all.Walk(func(_ string, d *loops.Declared) {
			for _, e := range d.Evaluators {
				if e.Command != "" {
					out = append(out, e.Command)
				}
			}
		})
	}
	return out
}

// declares reports whether a file declares a loop that runs.
func (j *judge) declares(p string) (found bool) {
	if all := j.c.Start.Declared; all != nil {
		all.Walk(func(_ string, d *loops.Declared) { found = found || d.Path == p })
	}
	return found
}
