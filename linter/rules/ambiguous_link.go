package rules

import (
	"fmt"
	"path"
	"strings"

	"github.com/loopwiki/wiki/compiler/identity"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "ambiguous-link",
	Group:    linter.Links,
	Severity: schema.Warning,
	Since:    since,
	Fix:      linter.UnsafeFix,
	Summary:  "Several pages match a link equally well.",
	Doc: `If several pages have the same name, Obsidian picks the one in the linking page's folder, then the one with
the shortest path. If that decides, nothing is reported. If two candidates remain, the choice depends on the
alphabetical order of their paths: renaming a folder silently changes the link, and other tools may choose
differently.

Write enough of the path to identify the page. The fix writes the path of the page the link resolves to now;
it is unsafe because you may have meant the other one.

Translations and versions of one page don't compete with each other.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d links share one ambiguous name: %s", n, first.Message)
	},
	Local: true,
	Check: func(p *linter.Pass) {
		for s := range sites(p) {
			near := equallyNear(p.Wiki.Identity(), s)
			if len(near) < 2 {
				continue
			}
			n := nameFact.Of(p)
			d := p.ReportCause("name:"+fold(s.Link.Target), s.Page.Path, s.at(),
				"%q is ambiguous: it matches %s, and the first is used; write the path of the intended page", s.Link.Target, list(near, 4))
			d.Fixes = n.pathFix(s)
			for _, c := range near[:min(len(near), 10)] {
				d.Related = append(d.Related, schema.Related{Path: c, Message: "matches " + s.Link.Target})
			}
			lowerSeverity(d, s.Page)
		}
	},
})

// equallyNear returns the candidates of a link that are as near as the chosen one, by
// folder and by depth of the path; the chosen one is first.
func equallyNear(ids *identity.Set, s site) []string {
	if len(s.Res.Candidates) < 2 || !s.Res.OK() || path.Dir(s.Res.Path) == path.Dir(s.Page.Path) {
		return nil
	}
	depth := strings.Count(s.Res.Path, "/")
	near := []string{s.Res.Path}
	for _, other := range s.Res.Candidates {
		if other != s.Res.Path && strings.Count(other, "/") == depth && !ids.Editions(s.Res.Path, other) {
			near = append(near, other)
		}
	}
	return near
}

// list writes up to n names, quoted, and how many more there are.
func list(names []string, n int) string {
	var b strings.Builder
	for i, name := range names {
		switch {
		case i == n:
			fmt.Fprintf(&b, " and %d more", len(names)-n)
			return b.String()
		case i > 0 && i == len(names)-1:
			b.WriteString(" or ")
		case i > 0:
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%q", name)
	}
	return b.String()
}

// pathFix writes the whole path of the page that a wikilink is resolved to.
func (n *names) pathFix(s site) []schema.Fix {
	if s.Link.Syntax != schema.SyntaxWikilink {
		return n.rewriting(s, s.Res.Path, false)
	}
	full := s
	l := *s.Link
	l.Target = "x/" + l.Target // a path, so that the whole path is written
	full.Link = &l
	return n.rewriting(full, s.Res.Path, false)
}
