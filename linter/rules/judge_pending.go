package rules

import (
	"fmt"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:         "judge-pending",
	Group:      linter.Judged,
	Severity:   schema.Info,
	Since:      since,
	NeedsJudge: true,
	Notice:     true,
	Summary:    "Some pairs of claims have no verdict from the judge yet.",
	Doc: `With ` + "`--judge=cached`" + ` no model is called: findings come from .loopwiki/verdicts.jsonl. Pages changed since
then have claims without a verdict, and so does a wiki with more pairs than the budget of calls allows. This
finding gives the number of pairs, once, at the likeliest contradiction.

Run ` + "`wiki lint --judge`" + ` and commit the file. This is about the run and not about the wiki, so it never makes
` + "`wiki lint`" + ` fail.`,
	Check: judgePending,
})

func judgePending(p *linter.Pass) {
	d := p.Docket()
	if d == nil {
		p.Skip("no judge ran; use --judge, or --judge=cached to report stored verdicts")
		return
	}
	n := d.Pending()
	if n == 0 {
		return
	}
	for i, v := range d.Verdicts {
		if v.Ruling != linter.Unjudged {
			continue
		}
		a, b := &d.Doubts[i].A, &d.Doubts[i].B
		pairs := "1 pair of claims was"
		if n > 1 {
			pairs = fmt.Sprintf("%d pairs of claims were", n)
		}
		f := p.Report(a.Path, a.Span, "%s not judged; the likeliest contradiction is this one with %s; run 'wiki lint --judge' and commit %s",
			pairs, b.Path, schema.VerdictsFile)
		f.Related = []schema.Related{{Path: b.Path, Span: b.Span, Message: "with this one"}}
		return
	}
}
