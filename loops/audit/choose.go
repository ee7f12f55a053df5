package audit

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
)

// MostPlans is how many plans are kept of one audit: as many as a person reads.
const MostPlans = 5

// Proposal is a plan that an auditor wrote, and the findings that it is to fix,
// the best first.
type Proposal struct {
	Plan     string // its path
	Findings []Finding
}

// Notes returns the lines that say in the plan what it is about.
func (p *Proposal) Notes() string {
	var b strings.Builder
	for i := range p.Findings {
		b.WriteString(Note(&p.Findings[i]))
	}
	return b.String()
}

// Chooser decides which of an auditor's plans a person is shown.
type Chooser struct {
	Tree *Tree
	// Most is how many plans are kept.
	Most int
	// Plans are the files of the answer that may be plans.
	Plans []string
	// Rejected and Planned are findings that do not come back.
	Rejected, Planned []Known
	// Leave says why a plan is not for this audit, and LeaveFinding why a finding is
	// not, "" if it is; they may be nil.
	Leave        func(plan string) string
	LeaveFinding func(*Finding) string
	// Ask is set if an answer may be refused, to be given once more. Otherwise a plan
	// that is refused is dropped.
	Ask bool
	// Judge says what is wrong with plans that are beside each other, by their
	// path; of one that is right it says nothing.
	Judge func([]Proposal) map[string][]loops.Reason
}

// Outcome is what became of an answer.
type Outcome struct {
	// Refused is what the auditor is to fix. If there is any, nothing is kept.
	Refused []loops.Reason
	Kept    []Proposal
	Dropped []loops.Reason
}

// drop takes note of what is not kept.
func (o *Outcome) drop(r loops.Reason) { o.Dropped = append(o.Dropped, r) }

// Choose looks up what findings cite, leaves out those that are known, and keeps
// the best plans.
func (c *Chooser) Choose(ctx context.Context, findings []Finding) *Outcome {
	o := &Outcome{}
	all := c.mine(o, c.group(o, c.standing(ctx, o, findings)))
	refused := c.refusals(all)
	var good []Proposal
	asked := 0
	for _, p := range all {
		why := refused[p.Plan]
		switch {
		case len(why) == 0:
			good = append(good, p)
		case c.Ask && len(good)+asked < c.Most:
			asked++
			o.Refused = append(o.Refused, why...)
		case c.Ask: // it comes after enough others: nobody needs to fix it
			o.drop(p.Findings[0].Reason("is not among the best %d", c.Most))
		default:
			o.drop(p.dropped(why))
		}
	}
	if len(o.Refused) > 0 {
		return o
	}
	c.keep(o, good)
	return o
}

// standing returns the findings that are true to the tree, and new, in their order.
func (c *Chooser) standing(ctx context.Context, o *Outcome, findings []Finding) []Finding {
	findings = slices.Clone(findings)
	Rank(findings)
	var out []Finding
	for _, f := range findings {
		if why := c.Tree.Verify(ctx, &f); why != "" {
			o.drop(f.Reason("%s", why))
		} else if k := find(c.Rejected, &f); k != nil {
			o.drop(f.Reason("was %s", k.Why))
		} else if k := find(c.Planned, &f); k != nil {
			o.drop(f.Reason("is already planned: %s", k.Why))
		} else if why := c.foreign(&f); why != "" {
			o.drop(f.Reason("%s", why))
		} else {
			out = append(out, f)
		}
	}
	return out
}

func (c *Chooser) foreign(f *Finding) string {
	if c.LeaveFinding == nil {
		return ""
	}
	return c.LeaveFinding(f)
}

// mine returns the plans that are for this audit. Of the others nobody is asked to fix
// anything.
func (c *Chooser) mine(o *Outcome, all []Proposal) []Proposal {
	if c.Leave == nil {
		return all
	}
	var out []Proposal
	for _, p := range all {
		if why := c.Leave(p.Plan); why != "" {
			o.drop(p.dropped([]loops.Reason{{Message: why}}))
			continue
		}
		out = append(out, p)
	}
	return out
}

func find(known []Known, f *Finding) *Known {
	if i := slices.IndexFunc(known, func(k Known) bool { return k.Same(f) }); i >= 0 {
		return &known[i]
	}
	return nil
}

// group lays findings to the plans that fix them, in the order of their best.
func (c *Chooser) group(o *Outcome, findings []Finding) []Proposal {
	var out []Proposal
	used := make(map[string]bool)
	for _, f := range findings {
		if f.Plan == "" {
			o.drop(f.Reason("has no plan"))
			continue
		}
		used[f.Plan] = true
		i := slices.IndexFunc(out, func(p Proposal) bool { return p.Plan == f.Plan })
		if i < 0 {
			out = append(out, Proposal{Plan: f.Plan, Findings: []Finding{f}})
			continue
		}
		out[i].Findings = append(out[i].Findings, f)
	}
	for _, p := range c.Plans {
		if !used[p] {
			o.drop(loops.Reason{Path: p, Message: "no remaining finding refers to this plan"})
		}
	}
	return out
}

// refusals judges plans, and those that are none.
func (c *Chooser) refusals(all []Proposal) map[string][]loops.Reason {
	var there []Proposal
	missing := make(map[string][]loops.Reason)
	for _, p := range all {
		if slices.Contains(c.Plans, p.Plan) {
			there = append(there, p)
			continue
		}
		missing[p.Plan] = []loops.Reason{{Path: FindingsFile, Line: p.Findings[0].Line, Message: fmt.Sprintf("the plan %q is not in the answer, or not allowed; name a file plans/YYYY-MM-slug.md of the answer", p.Plan)}}
	}
	out := c.Judge(there)
	if len(missing) == 0 {
		return out
	}
	for p, why := range out {
		missing[p] = why
	}
	return missing
}

// dropped reports why a plan is dropped.
func (p *Proposal) dropped(why []loops.Reason) loops.Reason {
	text := why[0].Message
	if len(why) > 1 {
		text += fmt.Sprintf(", and %d more", len(why)-1)
	}
	return p.Findings[0].Reason("lost its plan %s: %s", p.Plan, text)
}

// keep takes the best plans that are right beside each other: one that depends on
// a plan which is not kept gives its place to the next.
func (c *Chooser) keep(o *Outcome, good []Proposal) {
	for {
		kept := good[:min(c.Most, len(good))]
		refused := c.Judge(kept)
		var left []Proposal
		for i := range good {
			if why := refused[good[i].Plan]; i < len(kept) && len(why) > 0 {
				o.drop(good[i].dropped(why))
			} else {
				left = append(left, good[i])
			}
		}
		if len(left) == len(good) {
			break
		}
		good = left
	}
	o.Kept = good[:min(c.Most, len(good))]
	for _, p := range good[len(o.Kept):] {
		o.drop(p.Findings[0].Reason("is not among the best %d: impact %d, effort %s, confidence %.2f", c.Most, p.Findings[0].Impact, p.Findings[0].Effort, p.Findings[0].Confidence))
	}
}
