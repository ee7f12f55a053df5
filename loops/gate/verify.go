package gate

import (
	"context"

	"github.com/loopwiki/wiki/loops"
)

var _ = register(Gate{
	ID:     "verify",
	Stages: []loops.Stage{loops.StageChunk},
	Doc:    "The chunk's \"verify\" commands, which the maker sees, succeed on a sealed export of the tree.",
	phase:  phaseCommand,
	judge: func(ctx context.Context, j *judge) ([]loops.GateResult, error) {
		return j.each(ctx, "verify", j.chunk.Verify)
	},
})
