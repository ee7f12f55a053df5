package rules

import (
	"cmp"
	"fmt"

	src "github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

var _ = linter.Register(linter.Rule{
	ID:       "cited-lines-changed",
	Group:    linter.Sources,
	Severity: schema.Warning,
	Since:    since,
	Summary:  "Cited lines changed since the citation was written.",
	Doc: `What the page says about the lines may no longer hold.

All usual forms of a citation are checked: ` + "`src/a.go:12`, `src/a.go:12-20`, `src/a.go#L12-L20`, `src/a.go (lines 12-20)`" + `, a bare
` + "`a.go:12`" + ` if only one file has that name, and addresses of this repository's files on GitHub, GitLab and Gitea. The lines are
compared with those of the commit that last changed the page's line, or with wiki.lock if the page was verified. Changes
of white space, comments and lines of brackets alone don't count. Moved lines are reported by ` + "`source-moved`" + `, with a fix.

Pages and sections that describe a moment on purpose are not checked, unless they were verified, and are counted in the
output. Such pages are decisions, by their type, folder or ADR title; plans, proposals, roadmaps, RFCs and PRDs, by their
path; what has a day in its path or title, or a month in its path; reviews, audits, reports, surveys and the like with a
date or a reviewer at their head, if the page doesn't say that it is kept up to date; and what says that it is a snapshot,
deprecated or superseded before its first section. Such sections have a day in their heading or in a field at their head,
or say what was found at audit time, which a line may say, too. Under "Audited against COMMIT" or "Captured at COMMIT", and in a section also under
"Verified at COMMIT" or "Generated from COMMIT", lines are compared with that commit alone.

Read what changed, then correct the text or the lines. If the page is right, run ` + "`wiki verify PAGE`" + `.

The check needs the git history; it's skipped in a shallow clone.`,
	Check: func(p *linter.Pass) {
		needsCommits(p)
		countRecords(p)
		said := map[string]*schema.Diagnostic{}
		for i := range p.Verdicts().All {
			v := &p.Verdicts().All[i]
			if v.State != src.StateLinesChanged {
				continue
			}
			key := v.Page.Path + "#" + v.Section.Heading + "\n" + v.Target
			if d := said[key]; d != nil {
				d.Related = append(d.Related, schema.Related{Path: v.Page.Path, Span: v.At, Message: "cited again here"})
				continue
			}
			said[key] = reportLinesChanged(p, v)
		}
	},
})

// needsCommits names the check as skipped when pages cite lines and the clone does not
// know when.
func needsCommits(p *linter.Pass) {
	n := 0
	for i := range p.Verdicts().All {
		if citesLines(&p.Verdicts().All[i]) {
			n++
		}
	}
	if n == 0 || !p.Wiki.Workspace().Git || knowsPast(p) {
		return
	}
	p.Skip("%s can't be compared without the whole git history", text.Count(n, "cited line range"))
}

// citesLines reports whether a reference is a citation of lines of a file that is here, and
// nobody verified it.
func citesLines(v *src.Verdict) bool { return v.Anchor.FromLine > 0 && v.File != "" && v.Locked == nil }

// knowsPast reports whether git has the whole history of the wiki.
func knowsPast(p *linter.Pass) bool {
	h := p.Wiki.History()
	return p.Wiki.Workspace().Git && h != nil && !h.Shallow
}

// countRecords names the citations as skipped that describe a moment, with one of their pages
// and why it is one.
func countRecords(p *linter.Pass) {
	if !knowsPast(p) {
		return
	}
	n, pages, first := 0, map[*schema.Page]bool{}, ""
	for i := range p.Verdicts().All {
		v := &p.Verdicts().All[i]
		if why := recordFact.Of(p, v.Page).Reason(v.At.Start); citesLines(v) && why != "" {
			first = cmp.Or(first, v.Page.Path+": "+why)
			n, pages[v.Page] = n+1, true
		}
	}
	if n > 0 {
		p.Skip("did not check %s on %s describing a moment (%s); run 'wiki verify PAGE' if one is current",
			text.Count(n, "citation"), text.Count(len(pages), "page"), first)
	}
}

func reportLinesChanged(p *linter.Pass, v *src.Verdict) *schema.Diagnostic {
	if v.Then.Commit == "" {
		return p.Report(v.Page.Path, v.At, "%s changed since the page was verified on %s; read it, then correct the text or run wiki verify", v.Target, verified(v))
	}
	was := ""
	if v.Was != "" {
		was = fmt.Sprintf(": it was %q", clippedCode(v.Was))
	}
	if v.Now != "" && clippedCode(v.Now) != clippedCode(v.Was) {
		was += fmt.Sprintf(", now %q", clippedCode(v.Now))
	}
	since := "it was cited"
	if v.Locked != nil {
		since = "the page was verified"
	}
	d := p.Report(v.Page.Path, v.At, "%s changed since %s (%s)%s; correct the text or the lines", v.Anchor.Raw, since, citedIn(v), was)
	if v.Moved != "" && v.Cite != nil {
		now := schema.ParseAnchor(v.Moved)
		if now.FromLine != v.Anchor.FromLine || now.ToLine != v.Anchor.ToLine {
			d.Fixes = []schema.Fix{{Title: fmt.Sprintf("cite %q", v.Moved), Edits: v.Cite.Lines(v.Page.Path, now.FromLine, now.ToLine)}}
		}
	}
	return d
}

// citedIn names the commit in which a citation was written.
func citedIn(v *src.Verdict) string { return inCommit(v.Then) }

// inCommit names a commit that is known.
func inCommit(m schema.Moment) string {
	id := m.Commit[:min(len(m.Commit), shortCommit)]
	if m.Time.IsZero() {
		return "in " + id
	}
	return fmt.Sprintf("in %s of %s", id, m.Time.Format(day))
}

// clippedCode shortens a line of code for a message.
func clippedCode(line string) string {
	const most = 80
	if r := []rune(line); len(r) > most {
		return string(r[:most]) + "…"
	}
	return line
}
