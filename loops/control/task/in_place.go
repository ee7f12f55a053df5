package task

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/contain"
	"github.com/loopwiki/wiki/loops/control/repo"
)

// InPlaceError is a checkout that a run can't work in place in.
type InPlaceError struct{ Why, How string }

func (e *InPlaceError) Error() string { return "--in-place: " + e.Why }

// Hint returns what to do.
func (e *InPlaceError) Hint() string { return e.How }

// WorkInPlace lets the branch that the workdir's checkout is on take every commit of
// the run as it is made. Agents work in a worktree all the same: where they
// could write to the checkout, they could write to its .git, which no sandbox
// for paths holds them off.
func (t *Task) WorkInPlace(ctx context.Context, main contain.Repo) error {
	branch, err := repo.Command(ctx, t.checkout, "symbolic-ref", "--quiet", "--short", "HEAD").Output()
	if err != nil {
		return &InPlaceError{"the checkout " + t.checkout + " is not on a branch", "run git switch -c NAME"}
	}
	name := strings.TrimSpace(string(branch))
	def, err := contain.DefaultBranch(ctx, main)
	if err != nil {
		return err
	}
	if name == def || def == "" {
		return &InPlaceError{fmt.Sprintf("the checkout is on the default branch, %s, which loops never change", name), "run git switch -c NAME, or omit --in-place"}
	}
	changed, err := t.changed(ctx)
	if err != nil {
		return err
	}
	if len(changed) > 0 {
		return &InPlaceError{"uncommitted changes, which agents would not see: " + strings.Join(changed, ", "), "commit or stash it"}
	}
	t.InPlace = name
	return nil
}

// changed returns the tracked files of the checkout that are not as they were
// committed, except for those that the runner writes.
func (t *Task) changed(ctx context.Context) ([]string, error) {
	out, err := repo.Command(ctx, t.checkout, "status", "--porcelain=v1", "-z", "--untracked-files=no", "--no-renames").Output()
	if err != nil {
		return nil, err
	}
	own := []string{t.Plan.Path, t.prefix + ".lodeloop/", t.prefix + ".loop/progress.md", t.prefix + "progress.txt"}
	var all []string
	for f := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if len(f) > 3 && !slices.ContainsFunc(own, func(o string) bool { return f[3:] == o || strings.HasSuffix(o, "/") && strings.HasPrefix(f[3:], o) }) {
			all = append(all, f[3:])
		}
	}
	return all, nil
}

// advance moves the branch of the checkout, and its files, to what the run
// committed: forward, or not at all.
func (m *mirror) advance(s *loops.State) error {
	t := m.task
	branch, err := repo.Command(m.ctx, t.checkout, "symbolic-ref", "--quiet", "--short", "HEAD").Output()
	if name := strings.TrimSpace(string(branch)); err != nil || name != t.InPlace {
		return fmt.Errorf("the checkout is no longer on %s: run git merge --ff-only %s there", t.InPlace, s.Place.Branch)
	}
	if s.Place.Branch == "" {
		return nil
	}
	c := repo.Command(m.ctx, t.checkout, "-c", "core.hooksPath=/dev/null", "merge", "--ff-only", "--quiet", "refs/heads/"+s.Place.Branch)
	if out, err := c.CombinedOutput(); err != nil {
		why, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
		return fmt.Errorf("can't fast-forward %s to %s: %s", t.InPlace, s.Place.Branch, why)
	}
	return nil
}
