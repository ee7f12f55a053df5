package rules

import (
	"fmt"
	"time"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:         "judged-contradiction",
	Group:      linter.Judged,
	Severity:   schema.Warning,
	Since:      since,
	NeedsJudge: true,
	Summary:    "A model found that two pages contradict each other.",
	Doc: `The rules report only contradictions they are sure of. A model can judge the rest, such as two sentences about
the same thing in different words. It is the program or server under ` + "`judge:`" + ` in wiki.yaml, or else the first
agent CLI in PATH, and is called only with ` + "`wiki lint --judge`" + `. Verdicts are stored in
.loopwiki/verdicts.jsonl; commit that file, and ` + "`wiki lint --judge=cached`" + ` reports them without calling a
model.

Models make mistakes, so this is a warning that names the model. It is reported only if the quoted words are
on both pages and the verdict is the same with the two sides swapped. Read both pages: correct the wrong one,
or state the condition under which each holds; either changes the text, so the old verdict no longer applies.
If both are right as they are, suppress the finding with a reason, or acknowledge it.`,
	Check: judgedContradictions,
})

func judgedContradictions(p *linter.Pass) {
	d := p.Docket()
	if d == nil {
		p.Skip("no judge ran; use --judge, or --judge=cached to report stored verdicts")
		return
	}
	for i, v := range d.Verdicts {
		if v.Ruling == linter.Contradictory {
			reportJudged(p, &d.Doubts[i], &v)
		}
	}
}

// reportJudged reports a contradiction at the side whose page is likely out of
// date: the one that was changed before the other.
func reportJudged(p *linter.Pass, d *schema.Doubt, v *linter.Verdict) {
	here, there, said := &d.A, &d.B, v.Quotes
	if a, b := changed(p, there), changed(p, here); !a.IsZero() && a.Before(b) {
		here, there = there, here
		said[0], said[1] = said[1], said[0]
	}
	reason := ""
	if v.Reason != "" {
		reason = fmt.Sprintf(" (%s)", v.Reason)
	}
	f := p.Report(here.Path, here.Span, "%s reports that %q contradicts %q in %s%s; check it, and correct the wrong side",
		accuser(v), short(said[0]), short(said[1]), there.Path, reason)
	f.About = d.About
	f.Related = []schema.Related{{Path: there.Path, Span: there.Span, Message: fmt.Sprintf("here it says %q", short(said[1]))}}
	for _, c := range []*schema.Claim{here, there} {
		f.Sides = append(f.Sides, claimSide(c))
	}
}

// accuser names who gave a verdict.
func accuser(v *linter.Verdict) string {
	if v.By == "" {
		return "a model"
	}
	return "the model " + v.By
}

// changed is when the page of a statement was last changed, zero when that is
// not known.
func changed(p *linter.Pass, c *schema.Claim) time.Time {
	if page := p.Wiki.Page(c.Page); page != nil {
		return p.Wiki.Freshness(page).Updated.Time
	}
	return time.Time{}
}
