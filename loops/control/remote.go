package control

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/contain"
	"github.com/loopwiki/wiki/loops/control/process"
	"github.com/loopwiki/wiki/loops/control/publish"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/run"
)

// stepGrace is how long an agent has to end when another driver stops its command: a
// person at another machine waits for it.
const stepGrace = 2 * time.Second

// stepPatience is how long a command waits for the runner before it, which lost its
// driver, to end what it does.
const stepPatience = time.Minute

// Submit prepares a run of a plan for workers of another engine: its folder is made here,
// and the commit that it starts from is on loop/<plan> of the remote afterwards. Without
// a remote workers clone this repository.
func (c *Controller) Submit(ctx context.Context, w *Work, f Flags, e run.Engine, live *Live) (sub run.Submission, err error) {
	if w.Task != nil || w.Item != nil {
		return sub, errors.New("only plans can be carried out by another engine")
	}
	if err := errors.Join(repo.Supported(), c.Store.Make()); err != nil {
		return sub, err
	}
	release, _, err := process.New(c.Repo).Lock(w.Plan.Name)
	if err != nil {
		return sub, err
	}
	defer release()
	// What another run left of the branch is known before this run's folder is there.
	last, ran := c.Latest(w.Plan.Path)
	failed := ran && loops.Status(last.Status).Over() && last.Status != string(loops.GoalMet)
	start, err := c.prepare(ctx, w, f, "", live)
	if err != nil {
		return sub, err
	}
	sub = run.Submission{
		Version: run.StepVersion, Start: start, Files: map[string][]byte{sealedName(w): w.Src}, Repository: c.Root, Name: filepath.Base(c.Root), Engine: e,
	}
	remote, err := c.Remote(ctx)
	if err == nil && remote != "" {
		sub.Repository, err = c.Git(ctx, "remote", "get-url", remote)
	}
	if err == nil {
		sub.Repository = c.public(sub.Repository)
		err = publish.New(c.Repo).PushBase(ctx, remote, start.Base, "loop/"+placeName(&start), failed)
	}
	if err == nil {
		err = c.Store.SetEngine(start.Run, e)
	}
	if err != nil {
		err = errors.Join(err, os.RemoveAll(c.Store.Folder(start.Run))) // it never was
	}
	return sub, err
}

// public returns the address of a remote as others may see it: a folder is absolute, and
// a login is left out, as workers have their own.
func (c *Controller) public(address string) string {
	if u, err := url.Parse(address); err == nil && u.Host != "" {
		if _, secret := u.User.Password(); secret {
			u.User = nil
		}
		return u.String()
	}
	if strings.Contains(address, ":") || filepath.IsAbs(address) {
		return address
	}
	return filepath.Join(c.Root, address)
}

// Step carries out one command of a run whose journal another driver writes. calls is told
// the folder in which the output of an agent grows.
func (c *Controller) Step(ctx context.Context, q run.StepRequest, calls func(folder string, s *loops.State)) (run.Outcome, error) {
	var none run.Outcome
	if q.Run == "" || q.Run != filepath.Base(q.Run) || q.Plan == "" {
		return none, errors.New("no run or plan given")
	}
	if err := errors.Join(repo.Supported(), c.Store.Make()); err != nil {
		return none, err
	}
	release, err := c.await(ctx, q.Plan)
	if err != nil {
		return none, err
	}
	defer release()
	events, err := c.Store.Extend(q.Run, q.First, q.Events)
	if err != nil {
		return none, err
	}
	if err := c.seal(q); err != nil {
		return none, err
	}
	s := loops.Fold(events)
	w, err := c.workOf(q.Run, &s)
	if err != nil {
		return none, err
	}
	live := &Live{Say: func(string) {}}
	d := c.driver(live.note)
	if err := c.equip(ctx, d, w, &s.Start, live); err != nil {
		return none, err
	}
	c.notifyEnd(d, "", w)
	if q.Command == nil {
		return none, d.Settle(ctx, q.Run)
	}
	d.Timeouts.Wall = cmp.Or(s.Start.Wall, d.Timeouts.Wall)
	d.Timeouts.Grace = min(d.Timeouts.Grace, loops.Duration(stepGrace))
	d.Calls = func(folder string) { calls(folder, &s) }
	if _, err := os.Lstat(filepath.Join(c.Store.Folder(q.Run), contain.OwnershipFile)); errors.Is(err, fs.ErrNotExist) {
		d.Place = c.place(s.Head, live.note) // another host had the worktree: this one starts from its last commit
	}
	return d.Execute(ctx, q.Run, *q.Command)
}

// await takes the lock of a plan. The runner of a command that lost its driver holds it
// until its agent has ended.
func (c *Controller) await(ctx context.Context, plan string) (release func(), err error) {
	for end := time.Now().Add(stepPatience); ; {
		release, _, err := process.New(c.Repo).Lock(plan)
		var busy *process.BusyError
		if !errors.As(err, &busy) || time.Now().After(end) {
			return release, err
		}
		if err := repo.Sleep(ctx, 100*time.Millisecond); err != nil {
			return nil, run.ErrInterrupted
		}
	}
}

// seal keeps the files that a run is decided by. What is there stays.
func (c *Controller) seal(q run.StepRequest) error {
	for name, text := range q.Files {
		if !filepath.IsLocal(name) || name != filepath.Base(name) {
			return errors.New("bad file name " + name)
		}
		path := filepath.Join(c.Store.Folder(q.Run), name)
		if _, err := os.Lstat(path); err == nil {
			continue
		}
		if err := files.ReplacePath(path, text, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// Arrived brings the branch of a run that is over, and that another engine carried out,
// into this repository, where it is as if it had been made here.
func (c *Controller) Arrived(ctx context.Context, s *loops.State) error {
	if !s.Status.Over() || s.Place.Branch == "" || s.Head == "" || s.Head == s.Start.Base {
		return nil
	}
	remote, err := c.Remote(ctx)
	if err != nil || remote == "" {
		return err // workers pushed it here
	}
	ref := "refs/heads/" + s.Place.Branch
	if have, err := c.Git(ctx, "rev-parse", "--verify", "--quiet", ref); err == nil && have == s.Head {
		return nil
	}
	// Forward only: a branch of that name with other commits stays.
	_, err = c.Git(ctx, "fetch", "--quiet", "--no-tags", remote, ref+":"+ref)
	return err
}
