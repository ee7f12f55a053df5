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
	Summary:     "A page states a value that the code had when the page was verified, and has no more.",
	Doc: `Whoever reads the page believes a limit, a port or a name that is wrong.

A section that says what it is about (` + "`sources: [src/limits.go#MaxBody]`, `code:: src/limits.go#MaxBody`" + ` and the like) was
verified with ` + "`wiki verify`" + `; since then a value went from that symbol, and the section still
states it, in whatever unit or spelling: 10 MB for ` + "`10 << 20`" + `, half a minute for ` + "`30 * time.Second`" + `, one
million for ` + "`1_000_000`" + `. It is not reported when the section states the new value too, when something else
that the page is about has the value, or when somebody wrote the paragraph anew after the code changed. A value that is met by chance, such as 1 or
10, counts only beside the symbol's name. Fences, quotations and comments state nothing.

Write what the code says now. Where exactly one value took the place of another, the fix writes it, with the page's own
sign between thousands and its unit; it is unsafe because the sentence around it may have to change with it. If the
code is wrong, correct that. Values are known from the git history: without it the check is skipped.`,
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
	now, remedy := "has no such value", "write what it says now"
	if s.New != "" {
		now = fmt.Sprintf("has %q", s.New)
	}
	if s.Text != "" {
		remedy = fmt.Sprintf("write %q", s.Text)
	}
	if v.Locked == nil {
		d := p.Report(v.Page.Path, s.At, "the page states %q, which stood in the lines cited as %s (%s) and is in %s no more; correct the value", s.Old, v.Anchor.Raw, citedIn(v), schema.ParseAnchor(v.Target).Path)
		d.Related = []schema.Related{{Path: v.Page.Path, Span: v.At, Message: "cited here"}}
		return
	}
	d := p.Report(v.Page.Path, s.At, "the page states %q, and %s %s%s; %s", s.Old, v.Called(), now, sinceCommit(v.Since), remedy)
	d.Related = []schema.Related{{Path: v.Page.Path, Span: v.At, Message: "verified against it on " + verified(v)}}
	if s.Text != "" {
		d.Fixes = []schema.Fix{{Title: fmt.Sprintf("write %q", s.Text), Edits: []schema.Edit{{Path: v.Page.Path, Span: s.At, Text: s.Text}}}}
	}
}
