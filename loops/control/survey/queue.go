package survey

import (
	"errors"
	"slices"

	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/plan"
)

// Queued is a plan in the order in which execution takes plans, and what keeps it from being
// taken.
type Queued struct {
	plan.File
	Status plan.Status
	// Proposed is the run that wrote the plan, which no person has approved yet; "" if there
	// is none.
	Proposed string
	// Unmerged are the names of plans that it depends on and that are not done.
	Unmerged []string
	// LeftOut is the rule of the spec that excludes it, nil if none does.
	LeftOut *LeftOutError
}

// Pending reports whether the plan waits for nothing: it may start as soon as the loop's rules
// let it.
func (q *Queued) Pending() bool {
	return q.Status == plan.Pending && q.Proposed == "" && len(q.Unmerged) == 0
}

// Queue returns all plans in the order in which execution takes them.
func (v *Surveyor) Queue(b *plan.Book) ([]Queued, error) {
	known := b.Around(v.Getenv("PATH")).Plans
	plan.Order(known)
	proposed, err := v.Proposed()
	if err != nil {
		return nil, err
	}
	l, err := v.Builtin(repo.ExecutionLoop)
	if err != nil {
		return nil, err
	}
	gates, _ := l.Spec.Commands(v.Commands(), true)
	done := make(map[string]bool)
	for _, k := range known {
		done[k.Plan.Name] = k.Status == plan.Done
	}
	var out []Queued
	for _, k := range known {
		i := slices.IndexFunc(b.Files, func(f plan.File) bool { return f.Plan == k.Plan })
		q := Queued{File: b.Files[i], Status: k.Status, Proposed: proposed[k.Plan.Path]}
		for _, d := range k.Plan.DependsOn {
			if name := plan.NameOf(d); !done[name] {
				q.Unmerged = append(q.Unmerged, name)
			}
		}
		if q.Pending() {
			if err := v.LeftOut(l, k.Plan, gates); err != nil && !errors.As(err, &q.LeftOut) {
				return nil, err
			}
		}
		out = append(out, q)
	}
	return out, nil
}
