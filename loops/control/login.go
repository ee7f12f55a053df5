package control

import (
	"context"
	"errors"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/agent"
	"github.com/loopwiki/wiki/loops/run"
)

// login reads what an agent needs of the person's settings to reach its vendor.
func (c *Controller) login(id string) (loops.Login, error) {
	l, err := agent.Login(id, c.Settings())
	var state *agent.StateError
	if errors.As(err, &state) {
		return l, &run.MissingError{What: state.Error(), Hint: "set the variable that names it to a folder of the program's own"}
	}
	return l, err
}

// Probe calls an agent once, within the sandbox that it has in a run, to see whether it
// answers and its commands run.
func (c *Controller) Probe(ctx context.Context, cast loops.Casting) (run.Probe, error) {
	return c.driver(nil).Probe(ctx, cast)
}
