package rules

import (
	"fmt"
	"path"
	"slices"

	src "github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "source-moved",
	Group:    linter.Sources,
	Severity: schema.Warning,
	Since:    since,
	Fix:      linter.SafeFix,
	Summary:  "A page names a source by an old path, name or line range.",
	Doc: `The new location is known. Until the page uses it, nothing can compare the page with its source.

A file counts as renamed if git says so. Cited lines, such as ` + "`src/a.go:12-20`" + `, are compared with what they said in
the commit that wrote the page's line, or in the one that verified it: they moved if they are elsewhere now. If they
are in several places, the fix for the nearest is unsafe, and so is one for lines that never had the symbol or the
quotation that the sentence names. Citations of lines on pages and in sections that describe a moment on purpose are
not checked; ` + "`cited-lines-changed`" + ` lists them. A symbol counts as renamed or moved if the page was verified
(` + "`wiki verify`" + `) and the same code, ignoring comments and formatting, is in exactly one other place; very short symbols
must also keep their name.

Checked are sources in front matter, links and fields that name a symbol, comments ` + "`<!-- wiki:src … -->`" + `, and
citations in text. The fix writes the new location in the same form and relative to the same folder, keeps the
rest of the anchor, and carries the verified state over.

Without git, or in a shallow clone, file renames are unknown, and ` + "`source-missing`" + ` reports the source.`,
	Check: func(p *linter.Pass) {
		var files []sourceRef
		verdicts := p.Verdicts()
		for _, m := range missingSources(p) {
			lines := func(v src.Verdict) bool {
				return v.State == src.StateMoved && v.Cite != nil && v.Page == m.page && v.At.Overlaps(m.at)
			}
			if m.moved == "" || slices.ContainsFunc(verdicts.All, lines) {
				continue
			}
			files = append(files, m.sourceRef)
			to := m.written(sourceFact.Of(p))
			d := p.Report(m.page.Path, m.at, "the source %q was moved on %s; write %q", m.name, m.gone, to)
			if string(m.at.In(m.page.Source)) == m.name {
				d.Fixes = writes(m.page, m.at, to)
			}
			lowerSeverity(d, m.page)
		}
		for i := range verdicts.All {
			v := &verdicts.All[i]
			if v.State != src.StateMoved {
				continue
			}
			said := slices.ContainsFunc(files, func(f sourceRef) bool { return f.page == v.Page && f.at.Overlaps(v.At) })
			if !said {
				reportMoved(p, v, verdicts.Code)
			}
		}
	},
})

// reportMoved reports a moved symbol or moved lines.
func reportMoved(p *linter.Pass, v *src.Verdict, code *src.Code) {
	if v.Cite != nil && v.Then.Commit != "" {
		reportLinesMoved(p, v, code)
		return
	}
	to, err := v.Respell(code)
	if err != nil {
		p.Report(v.Page.Path, v.At, "%q is now %s; update the reference", v.Anchor.Raw, v.Moved)
		return
	}
	d := p.Report(v.Page.Path, v.At, "%q is now %s; write %q", v.At.In(v.Page.Source), v.Moved, to)
	d.Fixes = writes(v.Page, v.At, to)
}

// reportLinesMoved reports cited lines that moved.
func reportLinesMoved(p *linter.Pass, v *src.Verdict, code *src.Code) {
	to, where := schema.ParseAnchor(v.Moved), v.Moved
	edits := v.Cite.Lines(v.Page.Path, to.FromLine, to.ToLine)
	if v.File == "" {
		file := v.Cite.File(v.Page, func(written string) string { return v.RespellPath(code, written) })
		if file == nil {
			edits = nil
		}
		edits = append(file, edits...)
	}
	if v.Unsure {
		d := p.Report(v.Page.Path, v.At, "the lines cited as %s (%s) are now in several places, the nearest at %s; update the citation", v.Anchor.Raw, citedIn(v), where)
		d.Fixes = []schema.Fix{{Title: fmt.Sprintf("cite %q", where), Edits: edits}}
		return
	}
	remedy := "update the citation"
	if v.Named != "" {
		remedy = fmt.Sprintf("they never had %q, so check which lines are meant", clippedCode(v.Named))
	}
	d := p.Report(v.Page.Path, v.At, "the lines cited as %s (%s) are now at %s; %s", v.Anchor.Raw, citedIn(v), where, remedy)
	if len(edits) > 0 {
		d.Fixes = []schema.Fix{{Title: fmt.Sprintf("cite %q", where), Safe: v.Named == "", Edits: edits}}
	}
}

func writes(page *schema.Page, at schema.Span, text string) []schema.Fix {
	return []schema.Fix{{Title: fmt.Sprintf("write %q", text), Safe: true, Edits: []schema.Edit{{Path: page.Path, Span: at, Text: text}}}}
}

// written returns the new path of a source as its page would give it: counted
// from where the old one counted from.
func (m *missingSource) written(s *sourceRefs) string {
	bases := s.bases(m.page, m.name)
	root, above := bases[len(bases)-2], bases[len(bases)-1]
	switch {
	case m.name[0] == '/' && m.was == root:
		return "/" + m.moved
	case m.name[0] != '/' && m.was == bases[0] && path.Dir(m.page.Path) != ".":
		return schema.RelativePath(m.page.Path, m.moved)
	case m.was == root && m.was != above:
		return m.moved
	}
	to := s.tree.Below(m.moved)
	if m.name[0] == '/' {
		to = "/" + to
	}
	return to
}
