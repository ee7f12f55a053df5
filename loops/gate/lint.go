package gate

import (
	"context"

	"github.com/loopwiki/wiki/loops"
)

var _ = register(Gate{
	ID:     "lint",
	Stages: []loops.Stage{loops.StageChunk},
	Doc:    "The repository's linters and type checks succeed on a sealed export of the tree.",
	phase:  phaseCommand,
	judge: func(ctx context.Context, j *judge) ([]loops.GateResult, error) {
		return j.each(ctx, "lint", j.commands.Lint)
	},
})
