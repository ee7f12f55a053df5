// Package control runs loops, from selection to pull request. Each package below has a
// [repo.Repo] and one responsibility; a [Controller] joins them:
//
//   - survey reads the inputs, checks every item against the rules of the loop's spec, and
//     selects;
//   - OpenPass turns each selected item into a run: start.go builds it, loops/run drives it,
//     its gates judge it;
//   - proposal judges plans of planners and auditors, query judges answers;
//   - publish records a person's decision on a run, and opens its pull request.
//
// A run is one plan on one branch; whatever prevents its start is an error with a hint.
package control

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/modes"
	"github.com/loopwiki/wiki/loops/control/process"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/control/survey"
	"github.com/loopwiki/wiki/loops/control/task"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/schema"
)

// UnfinishedError is a plan with a run that can be resumed.
type UnfinishedError struct{ ID, Status, WaitingFor string }

// unfinished returns the error of a run that is in the way of one for which this
// process holds the lock: nobody runs what is said to be running.
func unfinished(r schema.RunSummary) *UnfinishedError {
	if r.Status == string(loops.Running) {
		r.Status = string(loops.Interrupted)
	}
	return &UnfinishedError{r.ID, r.Status, r.WaitingFor}
}

func (e *UnfinishedError) Error() string {
	if e.Status == string(loops.Interrupted) {
		return fmt.Sprintf("run %s of this plan is not finished: it was interrupted", e.ID)
	}
	return fmt.Sprintf("run %s of this plan is not finished: %s", e.ID, e.Status)
}

// Hint returns what to do.
func (e *UnfinishedError) Hint() string {
	if e.WaitingFor == string(loops.ForPerson) {
		return fmt.Sprintf("run 'wiki loop approve %s' to continue it, or 'wiki loop reject %s' to end it", e.ID, e.ID)
	}
	return fmt.Sprintf("run 'wiki loop resume %s' to continue it, or 'wiki loop reject %s' to end it", e.ID, e.ID)
}

// shadowedTaskError is a task file that would be run in shadow.
type shadowedTaskError struct{ file string }

func (e *shadowedTaskError) Error() string {
	return e.file + " can't run in shadow mode: it records which stories pass"
}

// Hint returns what to do.
func (e *shadowedTaskError) Hint() string {
	return "run a plan in shadow mode, or the file in draft mode"
}

// Run runs a plan from its beginning. id is that of a run whose folder was
// made already, or "".
func (c *Controller) Run(ctx context.Context, w *Work, f Flags, id string, live *Live) (loops.State, error) {
	if err := repo.Supported(); err != nil {
		return loops.State{}, err
	}
	if err := c.Store.Make(); err != nil {
		return loops.State{}, err
	}
	release, note, err := process.New(c.Repo).Lock(w.Plan.Name)
	if err != nil {
		return loops.State{}, err
	}
	defer release()
	start, err := c.prepare(ctx, w, f, id, live)
	if err != nil {
		return loops.State{}, err
	}
	s, err := c.drive(ctx, w, start, f.Notify, note, live)
	return s, errors.Join(err, c.stepBack(ctx, live))
}

// prepare makes what a run is decided by, and its folder.
func (c *Controller) prepare(ctx context.Context, w *Work, f Flags, id string, live *Live) (loops.Start, error) {
	var none loops.Start
	if err := c.mayRun(ctx, w, id); err != nil {
		return none, err
	}
	if err := c.stepBack(ctx, live); err != nil {
		return none, err
	}
	start, err := c.starter().work(ctx, w, f)
	if err != nil {
		return none, err
	}
	if w.Task != nil && start.Mode == loops.Shadow {
		return none, &shadowedTaskError{w.Plan.Path}
	}
	if w.Task != nil {
		if err := w.Archive(c.lastRun(w), c.Now(), live.Say); err != nil {
			return none, err
		}
	}
	if id == "" {
		if id, err = c.Store.Create(w.Plan.Name, c.Now()); err != nil {
			return none, err
		}
	}
	start.Run, start.Wall = id, loops.Duration(f.Timeout)
	if err := files.ReplacePath(filepath.Join(c.Store.Folder(id), sealedName(w)), w.Src, 0o644); err != nil {
		return none, err
	}
	if w.Item != nil {
		err = c.keepItem(id, w.Item.text)
	}
	return start, err
}

// sealedName is the name of the work's file in the run's folder.
func sealedName(w *Work) string { return "plan" + filepath.Ext(w.File) }

// mayRun reports why a plan can't be run now. id is that of a run whose folder was made
// already, or "".
func (c *Controller) mayRun(ctx context.Context, w *Work, id string) error {
	if last, ok := c.Latest(w.Plan.Path); ok && last.ID != id && !loops.Status(last.Status).Over() {
		return unfinished(last)
	}
	if w.Task != nil {
		if _, err := w.Circuit(); err != nil {
			return err
		}
	}
	all, err := c.Summaries()
	if err != nil {
		return err
	}
	if err := c.Andon().MayStart(all); err != nil {
		return err
	}
	return c.startable(ctx, w.Plan)
}

// drive runs what was decided to its end. note says from whom the lock of the plan was.
func (c *Controller) drive(ctx context.Context, w *Work, start loops.Start, notify, note string, live *Live) (loops.State, error) {
	d := c.driver(live.note)
	if err := c.equip(ctx, d, w, &start, live); err != nil {
		return loops.State{}, err
	}
	d.Timeouts.Wall = cmp.Or(start.Wall, d.Timeouts.Wall)
	c.notifyEnd(d, notify, w)
	if note != "" {
		live.Say("note: the lock is " + note)
	}
	return d.Begin(ctx, start)
}

// stepBack takes the steps back that follow from earlier runs, and says them.
func (c *Controller) stepBack(ctx context.Context, live *Live) error {
	said, err := modes.New(c.Repo).StepBack(context.WithoutCancel(ctx))
	for _, line := range said {
		live.Say(line)
	}
	return err
}

// Resume resumes a run.
func (c *Controller) Resume(ctx context.Context, id string, answer *loops.Answer, notify string, live *Live) (loops.State, error) {
	if err := repo.Supported(); err != nil {
		return loops.State{}, err
	}
	s, events, err := c.Store.Read(id)
	if err != nil || c.Store.Settled(id, events) {
		return s, err
	}
	if err := c.resumable(&s, answer); err != nil {
		return s, err
	}
	release, note, err := process.New(c.Repo).Lock(s.Start.Plan.Name)
	if err != nil {
		return s, err
	}
	defer release()
	if err := c.approveSpec(&s, answer); err != nil {
		return s, err
	}
	w, err := c.workOf(id, &s)
	if err != nil {
		return s, err
	}
	d := c.driver(live.note)
	if err := c.equip(ctx, d, w, &s.Start, live); err != nil {
		return s, err
	}
	d.Timeouts.Wall = cmp.Or(s.Start.Wall, d.Timeouts.Wall)
	c.notifyEnd(d, notify, w)
	var notes []string
	if note != "" {
		notes = append(notes, "the lock is "+note)
	}
	s, err = d.Resume(ctx, id, answer, notes...)
	if of := s.Start.Control; of != nil && err == nil {
		_, _, err = survey.New(c.Repo).WriteState(of.Loop, of.Pass)
	}
	return s, errors.Join(err, c.releaseWorktree(ctx, s), c.stepBack(ctx, live))
}

// resumable refuses to continue a run whose worktree another clone has. What proposes
// needs none, and a person may reject it anywhere.
func (c *Controller) resumable(s *loops.State, answer *loops.Answer) error {
	rejected := answer != nil && !answer.Approve
	if s.Place.Path == "" || s.Phase == loops.Proposing || rejected || !c.Store.Elsewhere(s.Start.Run) {
		return nil
	}
	return &ElsewhereError{s.Start.Run}
}

// ElsewhereError is a run that can't be continued in this clone.
type ElsewhereError struct{ Run string }

func (e *ElsewhereError) Error() string {
	return fmt.Sprintf("run %s was made in another clone; its worktree is not here", e.Run)
}

// Hint returns what to do.
func (e *ElsewhereError) Hint() string {
	return "continue it there; or run 'wiki loop reject " + e.Run + "' and run the plan again"
}

// notifyEnd tells a person of the end.
func (c *Controller) notifyEnd(d *run.Driver, notify string, w *Work) {
	if notify == "" {
		notify = c.Config.Notify
	}
	if notify == "" {
		return
	}
	d.Notify = func(ctx context.Context, s *loops.State) {
		done, total := plan.Stories(s)
		// No shell sees what is put in.
		words, err := plan.NotifyArgs(notify, w.status(s), fmt.Sprint(s.Iterations), fmt.Sprintf("%d/%d", done, total))
		if err != nil || len(words) == 0 {
			return
		}
		cmd := exec.CommandContext(ctx, words[0], words[1:]...)
		cmd.Dir = c.Root
		if out, err := cmd.CombinedOutput(); err != nil {
			s.Warnings = append(s.Warnings, fmt.Sprintf("notify: %v: %s", err, strings.TrimSpace(string(out))))
		}
	}
}

// equip joins a run with what looks on, and with what its work is told and wants
// written.
func (c *Controller) equip(ctx context.Context, d *run.Driver, w *Work, s *loops.Start, live *Live) error {
	live.attach(d)
	if s.Control != nil {
		c.equipItem(d, s)
	}
	if s.Declared != nil {
		c.equipDeclared(d, s)
	}
	if w.Task == nil {
		return nil
	}
	return c.equipTask(ctx, d, w.Task, s.Run, live)
}

// workOf returns the work of a run that began earlier.
func (c *Controller) workOf(id string, s *loops.State) (*Work, error) {
	if s.Start.Plan.Format != loops.MarkdownPlan {
		t, err := task.Of(context.Background(), c.Store.Folder(id), &s.Start.Plan, c.Getenv)
		if err != nil {
			return nil, err
		}
		t.Adopt(&c.Config)
		return taskWork(t), nil
	}
	file := filepath.Join(c.Root, filepath.FromSlash(s.Start.Plan.Path))
	src, _ := files.ReadPath(file, files.Run)
	return &Work{Plan: &s.Start.Plan, Src: src, File: file}, nil
}

// status returns the word for how a run ended that its users expect.
func (w *Work) status(s *loops.State) string {
	if w.Task != nil {
		return plan.LodeloopStatus(s)
	}
	return string(s.Status)
}

// equipTask joins a run of a task file with what its users expect.
func (c *Controller) equipTask(ctx context.Context, d *run.Driver, t *task.Task, id string, live *Live) error {
	if err := t.Keep(c.Store.Folder(id)); err != nil {
		return err
	}
	_, redact := c.Environment()
	d.Prompts = &prompts{Repo: c.Repo, more: t.Sections(redact)}
	d.Subject = t.Subject
	mirrored := t.Mirror(ctx, c.Store, id, live.Say)
	d.Watch = func(e loops.Event, s *loops.State) {
		live.Watch(e, s)
		mirrored(e, s)
	}
	return nil
}
