// Package control does what a loop does, from selection to pull request. The rooms
// below hold a [repo.Repo] and one responsibility each; a [Controller] joins them:
//
//   - survey reads what there is to do, holds every item against the rules of the
//     loop's spec, and selects;
//   - Open makes a pass of what was selected, and each item of it is a run: decided
//     by what start.go makes, driven by loops/run, judged by its gates;
//   - proposal judges plans of planners and auditors, query judges answers;
//   - publish records what a person says of a run, and opens its pull request.
//
// A run is one plan on one branch; what keeps it from beginning is an error with a hint.
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

// unfinished is the error of a run that stands in the way of one for which this
// process holds the lock: nobody runs what is said to be running.
func unfinished(r schema.RunSummary) *UnfinishedError {
	if r.Status == string(loops.Running) {
		r.Status = string(loops.Interrupted)
	}
	return &UnfinishedError{r.ID, r.Status, r.WaitingFor}
}

func (e *UnfinishedError) Error() string {
	if e.Status == string(loops.Interrupted) {
		return fmt.Sprintf("run %s of this plan is not over: it was interrupted", e.ID)
	}
	return fmt.Sprintf("run %s of this plan is not over: %s", e.ID, e.Status)
}

// Hint says what to do.
func (e *UnfinishedError) Hint() string {
	if e.WaitingFor == string(loops.ForPerson) {
		return fmt.Sprintf("'wiki loop approve %s' lets it go on, 'wiki loop reject %s' ends it", e.ID, e.ID)
	}
	return fmt.Sprintf("'wiki loop resume %s' goes on with it, 'wiki loop reject %s' ends it", e.ID, e.ID)
}

// shadowedTaskError is a task file that would be run in shadow.
type shadowedTaskError struct{ file string }

func (e *shadowedTaskError) Error() string {
	return e.file + " can not be run in shadow: its stories are marked in it as they pass"
}

// Hint says what to do.
func (e *shadowedTaskError) Hint() string { return "run a plan in shadow, or the file in draft" }

// CarryOut runs a plan from its beginning. id is that of a run whose folder was
// made already, or "".
func (p *Controller) CarryOut(ctx context.Context, w *Work, f Flags, id string, live *Live) (loops.State, error) {
	var none loops.State
	if err := repo.Supported(); err != nil {
		return none, err
	}
	if err := p.Store.Make(); err != nil {
		return none, err
	}
	release, note, err := process.New(p.Repo).Lock(w.Plan.Name)
	if err != nil {
		return none, err
	}
	defer release()
	if last, ok := p.Latest(w.Plan.Path); ok && last.ID != id && !loops.Status(last.Status).Over() {
		return none, unfinished(last)
	}
	if w.Task != nil {
		if _, err := w.Circuit(); err != nil {
			return none, err
		}
	}
	all, err := p.Summaries()
	if err != nil {
		return none, err
	}
	if err := p.Andon().MayStart(all); err != nil {
		return none, err
	}
	if err := p.clear(ctx, w.Plan); err != nil {
		return none, err
	}
	if err := p.after(ctx, live); err != nil {
		return none, err
	}
	start, err := p.beginWork(ctx, w, f)
	if err != nil {
		return none, err
	}
	if w.Task != nil && start.Mode == loops.Shadow {
		return none, &shadowedTaskError{w.Plan.Path}
	}
	if w.Task != nil {
		if err := w.Archive(p.lastRun(w), p.Now(), live.Say); err != nil {
			return none, err
		}
	}
	if id == "" {
		if id, err = p.Store.Create(w.Plan.Name, p.Now()); err != nil {
			return none, err
		}
	}
	start.Run, start.Wall = id, loops.Duration(f.Timeout)
	if err := files.ReplacePath(filepath.Join(p.Store.Folder(id), "plan"+filepath.Ext(w.File)), w.Src, 0o644); err != nil {
		return none, err
	}
	if w.Item != nil {
		if err := p.writeTold(id, w.Item.told); err != nil {
			return none, err
		}
	}
	d := p.Driver(live.note)
	if err := p.dress(ctx, d, w, &start, live); err != nil {
		return none, err
	}
	d.Timeouts.Wall = cmp.Or(start.Wall, d.Timeouts.Wall)
	p.hook(d, f.Notify, w)
	if note != "" {
		live.Say("note: the lock is " + note)
	}
	s, err := d.Begin(ctx, start)
	return s, errors.Join(err, p.after(ctx, live))
}

// after takes the steps back that follow from earlier runs, and says them.
func (p *Controller) after(ctx context.Context, live *Live) error {
	said, err := modes.New(p.Repo).StepBack(context.WithoutCancel(ctx))
	for _, line := range said {
		live.Say(line)
	}
	return err
}

// GoOn resumes a run.
func (p *Controller) GoOn(ctx context.Context, id string, answer *loops.Answer, notify string, live *Live) (loops.State, error) {
	if err := repo.Supported(); err != nil {
		return loops.State{}, err
	}
	s, events, err := p.Store.Read(id)
	if err != nil || p.Store.Settled(id, events) {
		return s, err
	}
	release, note, err := process.New(p.Repo).Lock(s.Start.Plan.Name)
	if err != nil {
		return s, err
	}
	defer release()
	w, err := p.workOf(id, &s)
	if err != nil {
		return s, err
	}
	d := p.Driver(live.note)
	if err := p.dress(ctx, d, w, &s.Start, live); err != nil {
		return s, err
	}
	d.Timeouts.Wall = cmp.Or(s.Start.Wall, d.Timeouts.Wall)
	p.hook(d, notify, w)
	var notes []string
	if note != "" {
		notes = append(notes, "the lock is "+note)
	}
	s, err = d.Resume(ctx, id, answer, notes...)
	if c := s.Start.Control; c != nil && err == nil {
		_, _, err = survey.New(p.Repo).WriteState(c.Loop, c.Pass)
	}
	return s, errors.Join(err, p.leave(ctx, s), p.after(ctx, live))
}

// hook tells a person of the end.
func (p *Controller) hook(d *run.Driver, notify string, w *Work) {
	if notify == "" {
		notify = p.Config.Notify
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
		c := exec.CommandContext(ctx, words[0], words[1:]...)
		c.Dir = p.Root
		if out, err := c.CombinedOutput(); err != nil {
			s.Warnings = append(s.Warnings, fmt.Sprintf("notify: %v: %s", err, strings.TrimSpace(string(out))))
		}
	}
}

// dress joins a run with what looks on, and with what its work is told and wants
// written.
func (p *Controller) dress(ctx context.Context, d *run.Driver, w *Work, s *loops.Start, live *Live) error {
	live.attach(d)
	if s.Control != nil {
		p.dressItem(d, s)
	}
	if w.Task == nil {
		return nil
	}
	return p.dressTask(ctx, d, w.Task, s.Run, live)
}

// workOf is the work of a run that began earlier.
func (p *Controller) workOf(id string, s *loops.State) (*Work, error) {
	if s.Start.Plan.Format != loops.MarkdownPlan {
		t, err := task.Of(context.Background(), p.Store.Folder(id), &s.Start.Plan, p.Getenv)
		if err != nil {
			return nil, err
		}
		t.Adopt(&p.Config)
		return taskWork(t), nil
	}
	file := filepath.Join(p.Root, filepath.FromSlash(s.Start.Plan.Path))
	src, _ := files.ReadPath(file, files.Run)
	return &Work{Plan: &s.Start.Plan, Src: src, File: file}, nil
}

// status is the word for how a run ended that its users expect.
func (w *Work) status(s *loops.State) string {
	if w.Task != nil {
		return plan.LodeloopStatus(s)
	}
	return string(s.Status)
}

// dressTask joins a run of a task file with what its users expect.
func (p *Controller) dressTask(ctx context.Context, d *run.Driver, t *task.Task, id string, live *Live) error {
	if err := t.Keep(p.Store.Folder(id)); err != nil {
		return err
	}
	_, redact := p.Environment()
	d.Prompts = &lazyPrompts{place: p, more: t.Sections(redact)}
	d.Subject = t.Subject
	mirrored := t.Mirror(ctx, p.Store, id, live.Say)
	d.Watch = func(e loops.Event, s *loops.State) {
		live.Watch(e, s)
		mirrored(e, s)
	}
	return nil
}
