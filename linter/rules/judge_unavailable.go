package rules

import (
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:         "judge-unavailable",
	Group:      linter.Judged,
	Severity:   schema.Info,
	Since:      since,
	NeedsJudge: true,
	Notice:     true,
	Summary:    "The judge failed.",
	Doc: `The judge did not answer, timed out, is not logged in, or returned an invalid answer. The judge is the program
or server under ` + "`judge:`" + ` in wiki.yaml, or else the first agent CLI in PATH. All other findings are unaffected,
and stored verdicts still count. The finding is at the likeliest contradiction that now has no verdict.

Run the program by hand, or query the server, to see the error; ` + "`wiki -v lint --judge`" + ` shows its output. This
is about the run and not about the wiki, so it never makes ` + "`wiki lint`" + ` fail.`,
	Check: judgeUnavailable,
})

func judgeUnavailable(p *linter.Pass) {
	d := p.Docket()
	if d == nil {
		p.Skip("no judge ran; use --judge, or --judge=cached to report stored verdicts")
		return
	}
	if d.Failure == "" {
		return
	}
	for i, v := range d.Verdicts {
		if v.Ruling == linter.Unjudged {
			a := &d.Doubts[i].A
			p.Report(a.Path, a.Span, "the judge failed on this pair of claims and others: %s; check that it works, or run without --judge", d.Failure)
			return
		}
	}
}
