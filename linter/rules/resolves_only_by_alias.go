package rules

import (
	"fmt"
	"sort"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "resolves-only-by-alias",
	Group:    linter.Links,
	Severity: schema.Info,
	Since:    since,
	Fix:      linter.UnsafeFix,
	Summary:  "A wikilink resolves only by an alias, a title, an id or a similar spelling.",
	Doc: `Obsidian resolves wikilinks by file name only: clicking a link with an alias or title creates a new empty
page. This program follows such links, as many tools that write wikis expect.

For links that work everywhere, write ` + "`[[page|Title]]`" + `, as Obsidian does when it completes an alias. The fix
does that; it is unsafe because it changes the style of the page.

A page with a # in its file name can't be linked in Obsidian, which reads the rest as a heading: rename the
file.

In dialects whose tools all resolve titles nothing is reported. Switch it off if the wiki is never opened in
Obsidian.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d wikilinks do not name a file. First: %s", n, first.Message)
	},
	Local: true,
	Check: func(p *linter.Pass) {
		if p.Wiki.Workspace().Dialect.Profile.TitlesAlive {
			return
		}
		for s := range sites(p) {
			if s.Link.Syntax != schema.SyntaxWikilink || !s.Res.OK() {
				continue
			}
			if s.Res.By < schema.ByID {
				if s.Link.Hash && s.Link.Target != "" && s.Res.Fragment != s.Link.Fragment {
					p.ReportCause("hash", s.Page.Path, s.at(), "%q resolves to %q here, but Obsidian reads the part after the first # as a heading; rename the file", s.Link.Raw, s.Res.Path)
				}
				continue
			}
			n := nameFact.Of(p)
			name := n.wikiName(s.Res.Path, "")
			d := p.ReportCause("name", s.Page.Path, s.at(), "%q resolves to %q only by its %s; write [[%s|…]] for Obsidian",
				s.Link.Target, s.Res.Path, rung(s.Res.By), name)
			d.Fixes = labelled(n, s)
		}
	},
})

func rung(by schema.ResolvedBy) string {
	if by == schema.BySlug {
		return "spelling, with spaces equal to hyphens"
	}
	return by.String()
}

// labelled makes a wikilink name the file and keep what it shows.
func labelled(n *names, s site) []schema.Fix {
	fixes := n.rewriting(s, s.Res.Path, false)
	if len(fixes) == 0 || s.Link.Embed || s.Link.Field != "" || s.Link.LabelAt.Len() > 0 {
		return fixes
	}
	e := &fixes[0].Edits[0]
	bar := "|"
	if inTable(s) {
		bar = `\|`
	}
	e.Text += bar + s.Link.Target
	fixes[0].Title = "write [[" + e.Text + "]]"
	return fixes
}

// inTable reports whether a link is in a cell of a table, where a bar must
// be escaped.
func inTable(s site) bool {
	tables := s.Page.Tables
	i := sort.Search(len(tables), func(i int) bool { return tables[i].Span.End > s.Link.Span.Start })
	return i < len(tables) && tables[i].Span.Contains(s.Link.Span.Start)
}
