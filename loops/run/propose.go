package run

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/loopwiki/wiki/loops"
)

// AnswerFile is where the last message of a planner, a reader or a classifier is
// kept, in the folder of its call.
const AnswerFile = "answer.md"

// Proposals are what a planner answers. The folder is that of its call: the
// answer lies in it as AnswerFile.
type Proposals interface {
	// Judge holds an answer against what was asked, and keeps what is accepted in
	// the folder.
	Judge(ctx context.Context, s *loops.State, folder string) ([]loops.GateResult, error)
	// Write writes what was accepted into the main checkout, and returns the
	// paths. It can be repeated, and overwrites nothing of anybody else.
	Write(ctx context.Context, s *loops.State, folder string) ([]string, error)
	// Withdraw removes what Write wrote, except for what became somebody's: it
	// returns the paths of that.
	Withdraw(ctx context.Context, s *loops.State, folder string) (kept []string, err error)
}

var errNoPlanner = errors.New("no check for a planner's proposal")

// answer returns the folder of the answer that the run is about.
func (d *Driver) answer() string {
	return filepath.Join(d.folder(), filepath.FromSlash(d.state.Answer))
}

// propose writes a proposal, or removes it.
func (d *Driver) propose(ctx context.Context, c loops.Command) (loops.Event, error) {
	if d.Planner == nil {
		return loops.Event{}, errNoPlanner
	}
	if c.Kind == loops.Withdraw {
		kept, err := d.Planner.Withdraw(ctx, &d.state, d.answer())
		return loops.Event{Kind: loops.Withdrawn, Files: kept}, err
	}
	files, err := d.Planner.Write(ctx, &d.state, d.answer())
	return loops.Event{Kind: loops.Proposed, Files: files}, err
}
