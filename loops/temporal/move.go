package temporal

import (
	"fmt"

	"github.com/loopwiki/wiki/loops"
	"go.temporal.io/sdk/workflow"
)

// move lets another host take the run, and feeds the kernel where that works.
func (l *loop) move() ([]loops.Command, error) {
	gone := l.host
	l.moves++
	key := fmt.Sprintf("%s/plan/0/move-%d", l.state.Start.Run, l.moves)
	l.host = ""
	done, err := l.activity("", loops.Command{Kind: loops.EnsureWorktree, Key: key, Chunk: -1})
	if err != nil {
		return nil, err
	}
	e := done.Outcome.Event
	if e.Worktree == nil {
		why := "it has no worktree"
		if e.Fault != nil {
			why = e.Fault.Message
		}
		return nil, failed(fmt.Errorf("host %s can't go on: %s", l.host, why))
	}
	workflow.GetLogger(l.ctx).Info("moved", "run", l.state.Start.Run, "from", gone, "to", l.host)
	return l.feed(loops.Event{Kind: loops.Moved, Worktree: e.Worktree, Why: fmt.Sprintf("%s does not answer, %s goes on", gone, l.host)}), nil
}
