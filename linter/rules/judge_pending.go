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
	Summary:    "Pairs of statements wait for a judge.",
	Doc: `With ` + "`--judge=cached`" + ` nobody is asked: what is reported comes from .loopwiki/verdicts.jsonl. Pages that changed
since it was written have statements that nobody judged yet, and so has a wiki whose queue is longer than the budget of
calls. This says how many pairs that are, once, at the likeliest of them.

Run ` + "`wiki lint --judge`" + ` and commit the file. It tells of the run and not of the wiki, so that it never is why
` + "`wiki lint`" + ` fails.`,
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
