package control

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/process"
	"github.com/loopwiki/wiki/loops/control/proposal"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/schema"
)

// PlanFrom has a planner turn a specification into plans. The run that does
// waits for a person when they are written.
func (c *Controller) PlanFrom(ctx context.Context, r plan.Request, f Flags, live *Live) (loops.State, error) {
	var none loops.State
	if err := repo.Supported(); err != nil {
		return none, err
	}
	start, err := c.starter().planning(ctx, r, f)
	if err != nil {
		return none, err
	}
	return c.runAdviser(ctx, start, f, "", live, func(folder string) error {
		return files.ReplacePath(filepath.Join(folder, proposal.SpecFile), r.Spec, 0o644)
	})
}

// runAdviser begins a run that makes plans. id is that of a run whose folder was made
// already, or ""; keep leaves in the folder what the run needs.
func (c *Controller) runAdviser(ctx context.Context, start loops.Start, f Flags, id string, live *Live, keep func(folder string) error) (loops.State, error) {
	var none loops.State
	if err := c.Store.Make(); err != nil {
		return none, err
	}
	release, note, err := process.New(c.Repo).Lock(start.Plan.Name)
	if err != nil {
		return none, err
	}
	defer release()
	if last, ok := c.Latest(start.Plan.Path); ok && last.ID != id && !loops.Status(last.Status).Over() {
		return none, unfinished(last)
	}
	if start.Run = id; id == "" {
		name := start.Plan.Name
		if start.Audit != nil {
			name = start.Loop // by which a person finds it; the day is in the id
		}
		if start.Run, err = c.Store.Create(name, c.Now()); err != nil {
			return none, err
		}
	}
	if err := keep(c.Store.Folder(start.Run)); err != nil {
		return none, err
	}
	start.Wall = loops.Duration(f.Timeout)
	d := c.driver(nil)
	live.attach(d)
	d.Timeouts.Wall = cmp.Or(start.Wall, d.Timeouts.Wall)
	c.notifyEnd(d, f.Notify, &Work{Plan: &start.Plan})
	if note != "" {
		live.Say("note: the lock is " + note)
	}
	s, err := d.Begin(ctx, start)
	return s, errors.Join(err, c.releaseWorktree(ctx, s))
}

var notSlug = schema.Expression(`[^a-z0-9]+`)

// slugOf makes a name of a file's.
func slugOf(path string) string {
	base := strings.ToLower(filepath.Base(path))
	base = strings.Trim(notSlug().ReplaceAllString(strings.TrimSuffix(base, filepath.Ext(base)), "-"), "-")
	return cmp.Or(base[:min(len(base), 60)], "spec")
}

// releaseWorktree removes the worktree of a run that plans, answers or reports, once it has
// read what it needed. What an audit committed there stays, as that of other runs.
func (c *Controller) releaseWorktree(ctx context.Context, s loops.State) error {
	waits := s.Status == loops.Waiting && s.WaitingFor == loops.ForPerson
	if !s.Planning() && !s.Querying() && !s.Reading() || s.Place.Path == "" || !waits && !s.Status.Over() {
		return nil
	}
	return process.New(c.Repo).Discard(context.WithoutCancel(ctx), s.Start.Run)
}

// Approved returns the work that a person has approved with a run that plans, in its
// order, and what has to wait until a plan before it is merged.
func (c *Controller) Approved(ctx context.Context, s *loops.State) (work []*Work, later []string, err error) {
	b, err := c.Book(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer b.Close()
	if s.Start.Spec != nil && s.Start.Spec.As == string(plan.AsPRD) {
		for _, path := range s.Proposed {
			if filepath.Ext(path) == ".json" {
				_, w, err := OpenTask(ctx, b.Path(path), "", c.Getenv)
				return []*Work{w}, nil, err
			}
		}
	}
	known := b.Around(c.Getenv("PATH")).Plans
	plan.Order(known)
	done := make(map[string]bool)
	for _, k := range known {
		done[k.Plan.Name] = k.Status == plan.Done
	}
	for _, k := range known {
		if !slices.Contains(s.Proposed, k.Plan.Path) || k.Plan.Rejected != "" {
			continue
		}
		if slices.ContainsFunc(k.Plan.DependsOn, func(d string) bool { return !done[plan.NameOf(d)] }) {
			later = append(later, k.Plan.Path)
			continue
		}
		f, _ := b.Find(c.Root, k.Plan.Path)
		w, err := c.read(b, f)
		if err != nil {
			return nil, nil, err
		}
		work = append(work, w)
	}
	return work, later, nil
}
