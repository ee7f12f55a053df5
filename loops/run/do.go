package run

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/loops"
)

// do carries out a command and returns the event that answers it.
func (d *Driver) do(ctx context.Context, c loops.Command) loops.Event {
	e, err := d.try(ctx, c)
	if err != nil {
		return broken(c, err)
	}
	e.Key = c.Key
	return e
}

// placeless are the commands that need no worktree.
var placeless = map[loops.CommandKind]bool{
	loops.EnsureWorktree: true, loops.WriteReport: true, loops.Propose: true, loops.Withdraw: true, loops.AskHuman: true,
}

func (d *Driver) try(ctx context.Context, c loops.Command) (loops.Event, error) {
	if d.place == nil && !placeless[c.Kind] {
		return loops.Event{}, errors.New("the run has no worktree")
	}
	switch c.Kind {
	case loops.EnsureWorktree:
		if err := d.logIn(); err != nil {
			return loops.Event{}, err
		}
		probes, err := d.probes(ctx)
		if err != nil {
			return loops.Event{}, err
		}
		w, at, err := d.Place(ctx, &d.state.Start, d.folder())
		if err != nil {
			return loops.Event{}, err
		}
		d.place, at.Probes = w, probes
		return loops.Event{Kind: loops.WorktreeReady, Worktree: &at}, nil
	case loops.TakeSnapshot:
		s, err := d.place.Snapshot(ctx, fileName(c.Key))
		return loops.Event{Kind: loops.SnapshotTaken, Snapshot: &s}, err
	case loops.RunRole:
		r, err := d.role(ctx, c)
		return loops.Event{Kind: loops.RoleEnded, Role: r}, err
	case loops.Propose, loops.Withdraw:
		return d.propose(ctx, c)
	case loops.RunGates:
		results, err := d.judge(ctx, c)
		return loops.Event{Kind: loops.GatesEnded, Gates: results}, err
	case loops.Rollback:
		patch, err := d.place.Restore(ctx, c.Tree, filepath.Join(d.folder(), "patches", fileName(c.Key)+".patch"))
		if patch != "" {
			patch = d.relative(patch)
		}
		return loops.Event{Kind: loops.RolledBack, Patch: patch}, err
	case loops.SetAside:
		return d.setAside(ctx, c)
	case loops.Commit:
		return d.commit(ctx, c)
	case loops.AskHuman:
		return loops.Event{Kind: loops.Asked, Why: c.Why}, nil
	case loops.WaitUntil:
		return loops.Event{Kind: loops.WaitOver}, d.Sleep(ctx, c.Until.Sub(d.Now()))
	case loops.Publish:
		if d.Publisher == nil {
			return loops.Event{}, &MissingError{"can't open a pull request from here", "push " + d.state.Place.Branch + " and open it by hand"}
		}
		url, err := d.Publisher(ctx, &d.state)
		return loops.Event{Kind: loops.Published, PullRequest: url}, err
	case loops.WriteReport:
		commit, err := d.report(ctx)
		return loops.Event{Kind: loops.Reported, Commit: commit}, err
	case loops.Discard:
		patch, err := d.discard(ctx)
		return loops.Event{Kind: loops.Discarded, Patch: patch}, err
	}
	return loops.Event{}, fmt.Errorf("unknown command %q", c.Kind)
}

// judge lets the gates judge a tree.
func (d *Driver) judge(ctx context.Context, c loops.Command) ([]loops.GateResult, error) {
	s := &d.state
	if c.Stage == loops.StagePlan {
		if d.Planner == nil {
			return nil, errNoPlanner
		}
		return d.Planner.Judge(ctx, s, d.answer())
	}
	if c.Stage == loops.StageAnswer {
		if d.Answers == nil {
			return nil, errors.New("no check for a reader's answer")
		}
		return d.Answers(ctx, s, d.answer())
	}
	last := s.Tree
	if c.Stage == loops.StageBaseline {
		last = c.Tree
	}
	cand := loops.Candidate{
		Start: s.Work(), Stage: c.Stage, Chunk: c.Chunk, Part: c.Part, Attempt: c.Attempt,
		Tree: c.Tree, Base: s.Start.Base, Last: last, Failures: s.Failures, Worktree: d.place,
		Dir: filepath.Join(d.folder(), "gates", fileName(c.Key)),
	}
	if err := os.MkdirAll(cand.Dir, 0o755); err != nil {
		return nil, err
	}
	if c.Tree != last {
		changes, err := d.place.Diff(ctx, last, c.Tree)
		if err != nil {
			return nil, err
		}
		cand.Changes = changes
	}
	cand.Changes = append(cand.Changes, d.ignored...)
	return d.Gates.Judge(ctx, cand)
}

// commit commits the tree that was judged, if the worktree is still that tree.
func (d *Driver) commit(ctx context.Context, c loops.Command) (loops.Event, error) {
	s := &d.state
	now, err := d.place.Snapshot(ctx, fileName(c.Key))
	if err != nil {
		return loops.Event{}, err
	}
	if now.Tree != c.Tree {
		late, err := d.place.Diff(ctx, c.Tree, now.Tree)
		if err != nil {
			return loops.Event{}, err
		}
		e := loops.Event{Kind: loops.Committed}
		for _, l := range late {
			e.Breaches = append(e.Breaches, loops.Breach{What: l.Path, Is: "changed after it was judged"})
		}
		return e, nil
	}
	work := s.Start.Plan.Work(c.Chunk)
	spec := loops.CommitSpec{
		Tree: c.Tree, Key: c.Key, Run: s.Start.Run, Plan: s.Start.Plan.Path,
		Subject: fmt.Sprintf("feat(%s): %s %s", s.Start.Plan.Name, work.ID, work.Title),
	}
	if d.Subject != nil {
		spec.Subject = d.Subject(&s.Start.Plan, work)
	}
	switch {
	case s.Declares():
		spec.Subject = fmt.Sprintf("feat(%s): %s", s.Start.Plan.Name, work.Title)
	case s.Documenting():
		spec.Base = lookedAt(s)
		spec.Subject, spec.Body = fmt.Sprintf("docs(%s): follow the code", s.Start.Plan.Name), pageList(s.Start.Documentation, "- %s: %s\n")
	case s.Ingesting():
		spec.Subject = fmt.Sprintf("docs(%s): pages of what was taken in", s.Start.Plan.Name)
	case s.Page() != nil:
		spec.Subject = fmt.Sprintf("docs(%s): add %s", s.Start.Plan.Name, s.Page().Path)
	case s.GoalIsMet:
		spec.Subject = fmt.Sprintf("docs(%s): what changed", s.Start.Plan.Name)
	}
	commit, err := d.place.Commit(ctx, spec)
	return loops.Event{Kind: loops.Committed, Commit: commit}, err
}

// lookedAt returns what a run that documents says of its base, for the next one of its loop.
func lookedAt(s *loops.State) string {
	if s.Start.Loop == loops.DocumentationLoop {
		return s.Start.Base
	}
	return s.Start.Base + " " + s.Start.Loop
}

// fileName makes a name for a file of a command's key.
func fileName(key string) string {
	_, rest, _ := strings.Cut(key, "/") // the run's id is in the folder's name
	return strings.Map(func(r rune) rune {
		if r == '/' || r == '\\' || r == ':' {
			return '-'
		}
		return r
	}, rest)
}

// evidence makes the folder of a call. A call has its own folder: what an
// earlier one left there, even one of the same name that a crash cut short, stays.
func (d *Driver) evidence(c loops.Command) (string, error) {
	chunk := "plan"
	if c.Chunk >= 0 {
		chunk = "chunk-" + d.state.Start.Plan.Chunks[c.Chunk].ID
	}
	parent := filepath.Join(d.folder(), filepath.FromSlash(attemptFolder(chunk, c.Attempt)))
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return "", err
	}
	name := string(c.Role)
	if c.Part != "" {
		name += "-" + c.Part
	}
	for n, base := 2, name; ; n++ {
		dir := filepath.Join(parent, name)
		err := os.Mkdir(dir, 0o755)
		if err == nil || !errors.Is(err, os.ErrExist) {
			return dir, err
		}
		name = fmt.Sprintf("%s-%d", base, n)
	}
}

// attemptFolder returns where the evidence of an attempt lies in the run's folder.
func attemptFolder(chunk string, attempt int) string {
	return safe(chunk) + "/attempt-" + strconv.Itoa(attempt)
}

// safe makes one path element of what a task file calls a story.
func safe(name string) string {
	out := strings.Map(func(r rune) rune {
		if r == '/' || r == '\\' || r == ':' || r < ' ' {
			return '-'
		}
		return r
	}, name)
	if strings.HasPrefix(out, ".") {
		out = "-" + out[1:]
	}
	return out[:min(len(out), 100)]
}
