package gate

import (
	"context"

	"github.com/loopwiki/wiki/loops"
)

var _ = register(Gate{
	ID:     "build",
	Stages: []loops.Stage{loops.StageChunk},
	Doc:    "The repository's build commands succeed on a sealed export of the tree.",
	phase:  phaseCommand,
	judge: func(ctx context.Context, j *judge) ([]loops.GateResult, error) {
		return j.each(ctx, "build", j.commands.Build)
	},
})

// each runs commands one after the other, up to the first that is not green.
func (j *judge) each(ctx context.Context, name string, commands []string) ([]loops.GateResult, error) {
	if len(commands) == 0 {
		return nil, nil
	}
	var out []loops.GateResult
	var took loops.Duration
	for _, command := range commands {
		run, err := j.tell(ctx, name, command)
		if err != nil {
			return nil, err
		}
		if r := j.result(run.outcome); r.Effect != loops.Passed {
			if r, err = j.pardon(ctx, name, run, r); err != nil {
				return nil, err
			}
			if out = append(out, r); r.Effect > loops.Note {
				return []loops.GateResult{r}, nil
			}
		}
		took += run.outcome.exit.Took
	}
	return append(out, loops.GateResult{Effect: loops.Passed, Duration: took}), nil
}
