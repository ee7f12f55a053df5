package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

var _ = register(Format{Name: "markdown", Summary: "a page for the wiki's log", Write: writeMarkdown})

// What one page shows of a report: it is there to be read.
const (
	markdownPerRule = 50
	markdownLines   = 500
)

// writeMarkdown writes a page that may be kept in the wiki it is about. What
// pages say is in code blocks only, so that nothing of it becomes a link,
// a mention, a heading or markup, and the page itself has nothing to report.
func writeMarkdown(w io.Writer, r *Report) error {
	p, done := text.Open(w)
	st := r.Stats
	counts := fmt.Sprintf("%s, %s and %s info on %s with %s.", count(st.Errors, "error"), count(st.Warnings, "warning"), text.Thousands(st.Infos),
		count(st.Pages, "page"), count(st.Links, "link"))
	if len(r.Findings) == 0 {
		counts = fmt.Sprintf("No findings on %s with %s.", count(st.Pages, "page"), count(st.Links, "link"))
	}
	p.Printf("---\ntitle: Lint report\ntype: log\nsummary: %s\n---\n# Lint report\n\n%s", counts, counts)
	if left := hiddenCounts(r); len(left) > 0 {
		p.Printf(" Not shown: %s.", strings.Join(left, ", "))
	}
	p.Printf("\n")
	markdownCauses(p, r)
	markdownFindings(p, r)
	if len(r.Skipped) > 0 {
		p.Printf("\n## Skipped checks\n\n")
		lines := make([]string, len(r.Skipped))
		for i, s := range r.Skipped {
			lines[i] = text.Line(s.Check + ": " + s.Reason)
		}
		codeBlock(p, lines)
	}
	return done()
}

func markdownCauses(p *text.Writer, r *Report) {
	all := causes(r.Findings, schema.Info)
	if len(all) == 0 {
		return
	}
	p.Printf("\n| rule | worst | findings |\n|---|---|---:|\n")
	for _, t := range all {
		p.Printf("| `%s` | %s | %s |\n", t.rule, t.worst, text.Thousands(t.places))
	}
}

// markdownFindings lists the findings of each rule, worst rules first.
func markdownFindings(p *text.Writer, r *Report) {
	by := map[string][]*schema.Diagnostic{}
	for i := range r.Findings {
		d := &r.Findings[i]
		by[d.Rule] = append(by[d.Rule], d)
	}
	left := markdownLines
	for _, t := range causes(r.Findings, schema.Info) {
		list := by[t.rule]
		n := min(len(list), markdownPerRule, left)
		if left -= n; n == 0 {
			continue // the table has it
		}
		p.Printf("\n## %s\n\n", t.rule)
		lines := make([]string, 0, n+1)
		for _, d := range list[:n] {
			e := newExtent(d.Path, d.From, d.To)
			lines = append(lines, text.Sprintf("%s:%d:%d: %s: %s", r.inRepository(d.Path), e.Line, e.Column, d.Severity, clip(text.Line(d.Message), messageRunes)))
		}
		if more := len(list) - n; more > 0 {
			lines = append(lines, "and "+text.Thousands(more)+" more")
		}
		codeBlock(p, lines)
	}
}

// codeBlock writes lines between fences longer than any run of backticks in
// them.
func codeBlock(p *text.Writer, lines []string) {
	fence := "```"
	for _, l := range lines {
		for strings.Contains(l, fence) {
			fence += "`"
		}
	}
	p.Printf("%stext\n%s\n%s\n", fence, text.Block(strings.Join(lines, "\n")), fence)
}
