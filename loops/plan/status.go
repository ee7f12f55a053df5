package plan

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

// Status is how a plan stands. Nobody writes it: it follows from the plan, from
// the commits that reached the default branch, and from the runs.
type Status string

// The statuses.
const (
	Pending  Status = "pending"
	Running  Status = "running"
	Done     Status = "done"
	Blocked  Status = "blocked"
	Rejected Status = "rejected"
)

// Runs tell what became of plans.
type Runs interface {
	// Latest returns the last run of a plan by the plan's path; false if there
	// is none.
	Latest(path string) (schema.RunSummary, bool)
}

// Merged is what of a plan is in the default branch.
type Merged struct {
	// Chunks are the ids of the chunks that commits of the runner name.
	Chunks map[string]bool
	// Whole is set if a commit of anybody else names the plan: the work arrived
	// squashed into one.
	Whole bool
}

// Commit is a commit of the default branch that names a plan.
type Commit struct {
	Subject string
	Plan    string // the value of its trailer Loop-Plan: the plan's path
}

// ReadMerged sorts commits by the plans that they name. The runner's say
// feat(<plan>): <chunk> <title> for a chunk, and docs(<plan>): … for pages.
func ReadMerged(commits []Commit) map[string]*Merged {
	out := map[string]*Merged{}
	for _, c := range commits {
		name := NameOf(strings.TrimSpace(c.Plan))
		m := out[name]
		if m == nil {
			m = &Merged{Chunks: map[string]bool{}}
			out[name] = m
		}
		if chunk, ok := strings.CutPrefix(c.Subject, "feat("+name+"): "); ok {
			id, _, _ := strings.Cut(chunk, " ")
			m.Chunks[id] = true
		} else if !strings.HasPrefix(c.Subject, "docs("+name+"): ") {
			m.Whole = true
		}
	}
	return out
}

// StatusOf derives how a plan stands, and why in a few words. merged is nil if
// nothing of the plan is in the default branch; runs may be nil.
func StatusOf(p *loops.Plan, merged *Merged, runs Runs) (Status, string) {
	if p.Rejected != "" {
		return Rejected, p.Rejected
	}
	if merged != nil && merged.covers(p) {
		return Done, "in the default branch"
	}
	part := merged.part(p)
	if runs == nil {
		return Pending, part
	}
	run, ok := runs.Latest(p.Path)
	if !ok {
		return Pending, part
	}
	switch loops.Status(run.Status) {
	case loops.Running:
		return Running, "run " + run.ID
	case loops.NoGround:
		return Pending, "run " + run.ID + " failed (environment)"
	case loops.Waiting:
		return Blocked, "run " + run.ID + " waits for a " + cmp.Or(run.WaitingFor, "person")
	case loops.GoalMet:
		if run.Mode == string(loops.Shadow) {
			return Blocked, "run " + run.ID + " met the goal in shadow; nothing of it is published"
		}
		return Blocked, "run " + run.ID + " met the goal; its branch " + run.Branch + " is not merged"
	}
	return Blocked, "run " + run.ID + " ended: " + run.Status
}

// covers reports whether every chunk of the plan is there.
func (m *Merged) covers(p *loops.Plan) bool {
	return m.Whole || len(p.Chunks) > 0 && !slices.ContainsFunc(p.Chunks, func(c loops.Chunk) bool { return !m.Chunks[c.ID] })
}

// part returns how many chunks of an unfinished plan are there, "" if none is.
func (m *Merged) part(p *loops.Plan) string {
	if m == nil {
		return ""
	}
	n := 0
	for _, c := range p.Chunks {
		if m.Chunks[c.ID] {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d chunks are in the default branch", n, len(p.Chunks))
}

// Order sorts plans as they are taken: by priority, then what others depend on
// first, then by name.
func Order(plans []Known) {
	slices.SortFunc(plans, func(a, b Known) int {
		return cmp.Or(cmp.Compare(a.Plan.Priority, b.Plan.Priority), cmp.Compare(a.Plan.Name, b.Plan.Name))
	})
	at := map[string]int{}
	for i, k := range plans {
		at[k.Plan.Name] = i
	}
	placed := make([]bool, len(plans))
	out := make([]Known, 0, len(plans))
	var place func(i int)
	place = func(i int) {
		if placed[i] {
			return
		}
		placed[i] = true
		for _, on := range plans[i].Plan.DependsOn {
			if j, ok := at[on]; ok {
				place(j)
			}
		}
		out = append(out, plans[i])
	}
	for i := range plans {
		place(i)
	}
	copy(plans, out)
}
