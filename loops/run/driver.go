package run

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/loopwiki/wiki/loops"
)

// Driver carries out the commands of one run.
type Driver struct {
	// Repo is the main checkout, absolute.
	Repo  string
	Store *Store

	Container loops.Container
	Agents    func(c loops.Casting) (loops.Agent, error)
	Gates     loops.Gates
	Prompts   loops.Prompts
	// Place opens the worktree of a run, and makes it if there is none.
	Place func(ctx context.Context, s *loops.Start, folder string) (loops.Worktree, loops.PlaceResult, error)
	// Scratch makes a folder outside the repository for one call of an agent, which
	// done removes. It is removed later if this process dies before that.
	Scratch func() (dir string, done func() error, err error)
	// Scribe leaves an entry in the worktree's wiki, and returns the tree with it.
	// It is nil if the repository has no wiki.
	Scribe func(ctx context.Context, s *loops.State, w loops.Worktree) (tree string, err error)
	// Publisher opens a pull request and returns its address. It is nil if there is no way to.
	Publisher func(ctx context.Context, s *loops.State) (string, error)
	// Discard removes the worktree and the branch of a run in shadow.
	Discard func(ctx context.Context, run string) error
	// Plan renders a plan as the maker may see it: without goal, checks and rules.
	// The result takes the place of the plan's file while a maker works; nil is
	// for files that are shown as they are.
	Plan func(p *loops.Plan, src []byte) []byte
	// Ended learns how the run ends before that is written, with what the gates
	// found last: a failure leaves an incident. It may come twice for one run, and
	// may be nil.
	Ended func(ctx context.Context, s *loops.State, results []loops.GateResult) error
	// Idle says why a role has nothing to do, so that it is not called; "" if it
	// has. It may be nil.
	Idle func(ctx context.Context, s *loops.State, c loops.Command) (string, error)
	// Planner judges, writes and removes what a planner proposes. It is nil where
	// no planner is called.
	Planner Proposals
	// Answers holds a reader's answer against what it cites. The folder is that of
	// the call: the answer lies in it as AnswerFile. It is nil where no reader is called.
	Answers func(ctx context.Context, s *loops.State, folder string) ([]loops.GateResult, error)
	// Notify tells a person of the end, or of a question. It may be nil.
	Notify func(ctx context.Context, s *loops.State)
	// Subject is the first line of a chunk's commit; nil is feat(<plan>): <chunk> <title>.
	Subject func(p *loops.Plan, work loops.Chunk) string
	// Calls is told the folder that a call of an agent leaves its output in, as it
	// begins. It may be nil.
	Calls func(dir string)
	// Watch sees every event as it is written. It may be nil.
	Watch func(e loops.Event, s *loops.State)

	Timeouts     loops.Timeouts
	RoleTimeouts map[loops.Role]time.Duration
	// Env is what agents are given; Redact are values in it that must not reach a disk.
	Env    []string
	Redact []string
	// Login reads what an agent, by its name, finds in the home of a call. It is read before
	// the first call: what an agent changes of a person's settings counts for none. It
	// may be nil.
	Login func(agent string) (loops.Login, error)
	// Home is the person's home folder: no path below it is published.
	Home string
	// Tools point to tool chains below the person's home, for agents that have another.
	Tools []string
	// Hidden are paths that agents should not read.
	Hidden  []string
	Require bool // a sandbox
	// Now and Sleep are the clock.
	Now   func() time.Time
	Sleep func(ctx context.Context, d time.Duration) error

	journal *Journal
	state   loops.State
	place   loops.Worktree
	// results are what the gates found last; ignored are changes of the last role
	// that no tree has: to files that git ignores, and that were too large.
	results []loops.GateResult
	ignored []loops.Change
	// progress is what makers said about what they did, the newest last.
	progress []string
	// logins are those of the run's agents, by their names.
	logins map[string]loops.Login
}

// Begin starts a run: its folder must be new.
func (d *Driver) Begin(ctx context.Context, start loops.Start) (loops.State, error) {
	j, err := CreateJournal(d.Store.Folder(start.Run))
	if err != nil {
		return d.state, err
	}
	d.journal = j
	defer j.Close()
	return d.drive(ctx, loops.Event{Kind: loops.Started, Start: &start})
}

// Resume goes on with a run. What is left of a runner that died is ended first.
// answer is a person's, nil if there is none.
func (d *Driver) Resume(ctx context.Context, id string, answer *loops.Answer, notes ...string) (loops.State, error) {
	j, events, err := OpenJournal(d.Store.Folder(id))
	if err != nil {
		return d.state, err
	}
	d.journal = j
	defer j.Close()
	d.replay(events)
	if d.state.Status.Over() {
		return d.state, d.settle(ctx, events)
	}
	if err := d.logIn(); err != nil {
		return d.state, err
	}
	more, err := d.sweep(ctx)
	if err != nil {
		return d.state, err
	}
	for _, n := range append(notes, more...) {
		if _, err := d.feed(loops.Event{Kind: loops.Noted, Why: n}); err != nil {
			return d.state, err
		}
	}
	if err := d.reopen(ctx); err != nil {
		return d.state, err
	}
	first := loops.Event{Kind: loops.Resumed}
	if answer != nil {
		first = loops.Event{Kind: loops.Answered, Answer: answer}
	}
	return d.drive(ctx, first)
}

// sweep ends what is left of a runner that died, and says what that was.
func (d *Driver) sweep(ctx context.Context) ([]string, error) {
	strays, err := d.Container.Sweep(ctx, d.state.Start.Run)
	switch {
	case err != nil || strays == 0:
		return nil, err
	case strays == 1:
		return []string{"ended 1 process of the dead runner"}, nil
	}
	return []string{fmt.Sprintf("ended %d processes of the dead runner", strays)}, nil
}

// reopen opens the worktree that the run has, where what follows needs one: plans that
// wait for a person's word need none, except for the log that an audit leaves. That one
// can't be written keeps nobody from deciding.
func (d *Driver) reopen(ctx context.Context) error {
	s := &d.state
	proposed := s.Phase == loops.Proposing || s.Phase == loops.Withdrawing
	if s.Place.Path == "" || proposed && !s.Auditing() {
		return nil
	}
	if d.Store.Elsewhere(s.Start.Run) && (!proposed || s.Head != s.Start.Base) {
		return nil // its commits are not here: nothing can be added to them
	}
	err := d.open(ctx)
	if err != nil && proposed {
		_, err = d.feed(loops.Event{Kind: loops.Noted, Why: "can't write the log of the audit: " + err.Error()})
	}
	return err
}

// open opens the worktree that the run has already.
func (d *Driver) open(ctx context.Context) (err error) {
	d.place, _, err = d.Place(ctx, &d.state.Start, d.folder())
	return err
}

// drive feeds an event to the kernel, carries out what follows, feeds what comes
// of it, and so on until nothing follows.
func (d *Driver) drive(ctx context.Context, first loops.Event) (loops.State, error) {
	queue, err := d.feed(first)
	for err == nil && len(queue) > 0 {
		c := queue[0]
		if ctx.Err() != nil {
			break
		}
		if _, err = d.feed(loops.Event{Kind: loops.Began, Key: c.Key, Command: &c}); err != nil {
			break
		}
		e, ok := d.carryOut(ctx, c)
		if !ok {
			break
		}
		var more []loops.Command
		if more, err = d.feed(e); err == nil {
			queue = append(queue[1:], more...)
			if c.Kind == loops.Publish {
				err = d.writeReport(ctx) // which says now where it is published, or why it is not
			}
		}
	}
	if err != nil {
		return d.state, err
	}
	return d.state, d.end(ctx)
}

// settle writes what a runner did not that died when its run was over already.
func (d *Driver) settle(ctx context.Context, events []loops.Event) error {
	if events[len(events)-1].Kind != loops.Finished {
		return d.end(ctx)
	}
	return d.Store.Finish(d.state)
}

// end writes why the runner ends.
func (d *Driver) end(ctx context.Context) error {
	if cause := context.Cause(ctx); cause != nil && !d.state.Status.Over() {
		if _, err := d.feed(loops.Event{Kind: loops.StopAsked, Why: cause.Error()}); err != nil {
			return err
		}
	}
	kind := loops.Parked
	if d.state.Status.Over() {
		kind = loops.Finished
	}
	exit := d.state.Status.Exit()
	e := loops.Event{Kind: kind, Status: d.state.Status, Exit: &exit, Why: d.state.End.Why}
	if kind == loops.Parked {
		e.Why = d.state.Question
	}
	if _, err := d.feed(e); err != nil {
		return err
	}
	if kind == loops.Finished {
		if err := d.Store.Finish(d.state); err != nil {
			return err
		}
	}
	if d.Notify != nil {
		d.Notify(context.WithoutCancel(ctx), &d.state)
	}
	return nil
}

// feed writes an event to the journal, and only then lets the kernel see it.
func (d *Driver) feed(e loops.Event) ([]loops.Command, error) {
	if e.At.IsZero() {
		e.At = d.Now().UTC()
	}
	if err := d.journal.Append(e); err != nil {
		return nil, err
	}
	commands := d.take(e)
	if d.Watch != nil {
		d.Watch(e, &d.state)
	}
	return commands, nil
}

// replay makes what a run has come to of its events.
func (d *Driver) replay(events []loops.Event) {
	for _, e := range events {
		d.take(e)
	}
}

// take lets the kernel see an event.
func (d *Driver) take(e loops.Event) []loops.Command {
	d.remember(e)
	next, commands := loops.Step(d.state, e)
	d.state = next
	return commands
}

// remember keeps of an event what later prompts and gates are told. The state is the one
// before it.
func (d *Driver) remember(e loops.Event) {
	if e.Role != nil && e.Role.Evidence != "" {
		if !d.state.Partial { // else they add to those of the call before it
			d.ignored = nil
		}
		for _, c := range e.Role.Changes {
			if c.Ignored || c.Size > 0 {
				d.ignored = append(d.ignored, c)
			}
		}
	}
	switch {
	case e.Kind == loops.GatesEnded:
		d.results = e.Gates
	case e.Role != nil && e.Role.Report.Summary != "" && e.Role.Report.Verdict == nil:
		d.progress = append(d.progress, fmt.Sprintf("%s: %s", fileName(e.Key), e.Role.Report.Summary))
	case e.Kind == loops.Committed && e.Commit != "":
		d.progress = append(d.progress, fmt.Sprintf("%s: committed as %.12s", fileName(e.Key), e.Commit))
	}
}

// folder returns the run's.
func (d *Driver) folder() string { return d.Store.Folder(d.state.Start.Run) }

// relative shortens a path of the run's folder for the journal.
func (d *Driver) relative(path string) string {
	if r, err := filepath.Rel(d.folder(), path); err == nil {
		return filepath.ToSlash(r)
	}
	return path
}

// MissingError is something that is not here and that the run can't fix.
type MissingError struct{ What, Hint string }

func (e *MissingError) Error() string {
	if e.Hint == "" {
		return e.What
	}
	return e.What + "; " + e.Hint
}

// broken returns the event of a command that could not be carried out.
func broken(c loops.Command, err error) loops.Event {
	var missing *MissingError
	return loops.Event{Kind: loops.Broken, Key: c.Key, Fault: &loops.Fault{Message: err.Error(), Environment: errors.As(err, &missing)}}
}
