package gate

import (
	"context"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
)

var _ = register(Gate{
	ID:     "goal",
	Stages: []loops.Stage{loops.StageGoal},
	Doc:    "The plan's checks and its goal succeed when all chunks are done; the maker never sees them.",
	phase:  phaseCommand,
	judge:  judgeGoal,
})

func judgeGoal(ctx context.Context, j *judge) ([]loops.GateResult, error) {
	commands := slices.Clone(j.c.Start.Plan.Checks)
	if goal := strings.TrimSpace(j.c.Start.Plan.Goal); goal != "" {
		commands = append(commands, goal)
	}
	out, err := j.each(ctx, "goal", commands)
	for i := range out {
		out[i].Hidden = true
	}
	return out, err
}
