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
	var took loops.Duration
	for _, command := range commands {
		o, err := j.run(ctx, name, command, j.now.dir)
		if err != nil {
			return nil, err
		}
		if r := j.result(o); r.Effect != loops.Passed {
			return []loops.GateResult{r}, nil
		}
		took += o.exit.Took
	}
	return []loops.GateResult{{Effect: loops.Passed, Duration: took}}, nil
}
