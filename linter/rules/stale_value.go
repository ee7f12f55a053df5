package rules

import (
	"fmt"

	src "github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:          "stale-value",
	Group:       linter.Sources,
	Severity:    schema.Error,
	Since:       since,
	Fix:         linter.UnsafeFix,
	NeedsReason: true,
	Summary:     "A page states a value that the code had when the page was verified, but no longer has.",
	Doc: `Readers rely on a wrong limit, port or name.

A section that names its source (for example ` + "`sources: [src/limits.go#MaxBody]`" + ` or
` + "`code:: src/limits.go#MaxBody`" + `) was verified with ` + "`wiki verify`" + `; since then a value disappeared from that
symbol, and the section still states it, in any unit or spelling: 10 MB for ` + "`10 << 20`" + `, half a minute for
` + "`30 * time.Second`" + `, one million for ` + "`1_000_000`" + `. It is not reported if the section states the new value too,
if another source of the page has the value, or if the paragraph was rewritten after the code changed. A
common value such as 1 or 10 counts only next to the symbol's name. Code blocks, quotations and comments are
not checked.

Without ` + "`wiki verify`" + `, a number in the sentence of a line citation is checked: it is reported if the lines had it when
the citation was written, and have another number now.

Write the current value, or correct the code. If exactly one value replaced another, the fix writes it with
the page's thousands separator and unit; it is unsafe because the sentence around it may have to change too.
Values are read from git history: without it, the check is skipped.`,
	Check: func(p *linter.Pass) {
		needsPast(p, "whether pages state values that the code has no more")
		seen := map[string]map[schema.Span]bool{}
		for _, v := range inState(p, src.StateStaleValue) {
			for _, s := range v.Values {
				if seen[v.Page.Path] == nil {
					seen[v.Page.Path] = map[schema.Span]bool{}
				}
				if !seen[v.Page.Path][s.At] {
					seen[v.Page.Path][s.At] = true
					reportStaleValue(p, v, s)
				}
			}
		}
	},
})

func reportStaleValue(p *linter.Pass, v *src.Verdict, s src.StaleValue) {
	now, remedy := "has no such value", "write the current value"
	if s.New != "" {
		now = fmt.Sprintf("has %q", s.New)
	}
	if s.Text != "" {
		remedy = fmt.Sprintf("write %q", s.Text)
	}
	if v.Then.Commit != "" {
		d := p.Report(v.Page.Path, s.At, "the page states %q, which was in the lines cited as %s (%s) but is no longer in %s; correct the value", s.Old, v.Anchor.Raw, citedIn(v), schema.ParseAnchor(v.Target).Path)
		d.Related = []schema.Related{{Path: v.Page.Path, Span: v.At, Message: "cited here"}}
		return
	}
	d := p.Report(v.Page.Path, s.At, "the page states %q, but %s %s%s; %s", s.Old, v.Called(), now, sinceCommit(v.Since), remedy)
	d.Related = []schema.Related{{Path: v.Page.Path, Span: v.At, Message: "verified against it on " + verified(v)}}
	if s.Text != "" {
		d.Fixes = []schema.Fix{{Title: fmt.Sprintf("write %q", s.Text), Edits: []schema.Edit{{Path: v.Page.Path, Span: s.At, Text: s.Text}}}}
	}
}
