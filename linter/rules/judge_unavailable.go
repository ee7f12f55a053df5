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
	Summary:    "The judge that was asked failed.",
	Doc: `The judge did not answer, took too long, is not logged in, or answered something else than it was asked: the program or the
server under ` + "`judge:`" + ` in wiki.yaml, or the first agent CLI in PATH. All other findings are what they are without it, and verdicts that are known still count. It stands at the
likeliest pair of statements that now has no verdict.

Run the program by hand, or ask the server, and see what it says; ` + "`wiki -v lint --judge`" + ` shows what it prints. It tells of the run and not of the wiki,
so that it never is why ` + "`wiki lint`" + ` fails.`,
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
