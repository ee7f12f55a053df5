// Package ready checks whether a loop may run unattended: its spec and the repository go in,
// the criteria come out, each met or not. It also generates the schedule that starts the
// loop.
package ready

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/contain"
	"github.com/loopwiki/wiki/loops/control/cast"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/control/survey"
	"github.com/loopwiki/wiki/loops/plan"
)

// Judge judges the loops of a repository.
type Judge struct{ *repo.Repo }

// New returns the judge of a repository.
func New(r *repo.Repo) *Judge { return &Judge{r} }

// Ready judges whether a loop may be automated, criterion by criterion.
func (j *Judge) Ready(ctx context.Context, l *repo.Loop) ([]plan.Criterion, error) {
	w, err := repo.Wiki(ctx, j.Root)
	if err != nil {
		return nil, err
	}
	in := plan.ReadyIn{Faults: l.Faults, Tracked: l.Builtin}
	gates, missing := l.Spec.Commands(j.Commands(), w != nil)
	in.Missing = missing
	in.Bare = len(gates.Build)+len(gates.Test)+len(gates.Lint) == 0 && w == nil
	for _, err := range survey.New(j.Repo).Unreadable(ctx, l, w) {
		in.Absent = append(in.Absent, err.Error())
	}
	files, err := j.Git(ctx, "ls-files", "-z")
	if err != nil {
		return nil, err
	}
	tracked := strings.Split(strings.Trim(files, "\x00"), "\x00")
	for _, g := range l.Spec.Within() {
		of := []plan.WorkItem{{Files: []string{g}, Count: -1}}
		if plan.CountFiles(of, tracked); of[0].Count == 0 {
			in.Empty = append(in.Empty, g+" has no files")
		}
	}
	if !l.Builtin && slices.Contains(tracked, l.Spec.Path) {
		changed, err := j.Git(ctx, "status", "--porcelain", "--", ":(literal)"+l.Spec.Path)
		if err != nil {
			return nil, err
		}
		in.Tracked = changed == ""
	}
	j.roles(l.Spec, &in)
	if err := j.undecided(ctx, l, &in); err != nil {
		return nil, err
	}
	if err := j.open(&in); err != nil {
		return nil, err
	}
	return l.Spec.Ready(in), nil
}

// roles finds out who plays the roles of a spec.
func (j *Judge) roles(s *plan.LoopSpec, in *plan.ReadyIn) {
	roles, err := cast.Roles(j.Config.Roles).Loop(s, cast.Given{})
	var nobody *cast.NobodyError
	switch {
	case errors.As(err, &nobody):
		in.Uncast = []string{string(nobody.Role)}
	case err != nil:
		in.Uncast = []string{err.Error()}
	}
	_, in.Checker = roles[loops.Checker]
}

// undecided finds out whether a plan that is open requires a page that nobody writes.
func (j *Judge) undecided(ctx context.Context, l *repo.Loop, in *plan.ReadyIn) error {
	roles, err := cast.Roles(j.Config.Roles).Loop(l.Spec, cast.Given{})
	if _, ok := roles[loops.Writer]; ok || err != nil || l.Spec.Name != repo.ExecutionLoop {
		return nil // a role that nobody plays is said already
	}
	b, err := j.Book(ctx)
	if err != nil {
		return err
	}
	defer b.Close()
	for _, f := range b.Open() {
		if f.Plan.Decision {
			in.Undecided = append(in.Undecided, f.Path)
		}
	}
	return nil
}

// open finds out whether anything may start.
func (j *Judge) open(in *plan.ReadyIn) error {
	all, err := j.Summaries()
	if err != nil {
		return err
	}
	if err := j.Andon().MayStart(all); err != nil {
		in.Stopped = err.Error()
	}
	return nil
}

// Schedule writes the triggers of a loop in a form. action is the version of this
// project's action in workflows.
func (j *Judge) Schedule(ctx context.Context, l *repo.Loop, format, action string) ([]plan.ScheduleFile, []string, error) {
	if err := l.Err(); err != nil {
		return nil, nil, err
	}
	in := plan.ScheduleIn{Dir: j.Root, Wiki: j.Self[0], Branch: "main", Action: action}
	if def, err := contain.DefaultBranch(ctx, j.Checkout()); err == nil && def != "" {
		in.Branch = def
	}
	if strings.ContainsAny(in.Dir+in.Wiki, "\n\r") {
		return nil, nil, fmt.Errorf("the repository path %q can't be used in a schedule", j.Root)
	}
	return l.Spec.Schedule(format, in)
}
