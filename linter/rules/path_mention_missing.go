package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "path-mention-missing",
	Group:    linter.Sources,
	Severity: schema.Warning,
	Since:    since,
	Fix:      linter.SafeFix,
	Summary:  "A page mentions a repository file that no longer exists.",
	Doc: `Readers look for the file in vain, and agents may create it again.

Checked are paths in backticks, such as ` + "`src/server.go` or `src/server.go:120`" + `, that git knows from the past
and that don't exist now. If git knows exactly one rename, the fix writes the new path. A path unknown to git
is an example, a plan or from another project, and is ignored. So is a file that git ignores now, and one below
.claude, .vscode or .idea: readers have their own. Logs, plans, changelogs, superseded pages, and pages and sections
that describe a moment on purpose, as ` + "`cited-lines-changed`" + ` lists them, are not checked.

Write the current path, or say that the file was deleted. Without git, or in a shallow clone, the check is
skipped.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d places share one cause: %s", n, first.Message)
	},
	CheckPage: readCode,
	Check: func(p *linter.Pass) {
		refs := sourceFact.Of(p)
		var repository *compiler.Repository
		var gone []missingSource
		var paths []string
		for _, page := range p.Wiki.Pages() {
			if p.Err() != nil {
				return
			}
			if historical(page) {
				continue
			}
			for _, m := range codeFact.Of(p, page).paths {
				if found, _ := refs.find(page, m.name); found != "" || recordFact.Of(p, page).At(m.at.Start) {
					continue
				}
				if repository == nil {
					var err error
					if repository, err = p.Wiki.Repository(p); err != nil {
						p.Skip("could not look up the mentioned files in git: %v", err)
						return
					}
				}
				m := refs.missing(sourceRef{page: page, name: m.name, at: m.at}, repository)
				if !m.gone.IsZero() && strings.Contains(path.Clean(m.name), "/") && !ownSettings(m.was) {
					gone, paths = append(gone, m), append(paths, m.was)
				}
			}
		}
		ignored := p.Wiki.WouldIgnore(p, paths)
		for _, m := range gone {
			if !ignored[m.was] {
				reportMention(p, &m)
			}
		}
	},
})

// namedPath is a path in running text.
type namedPath struct {
	name string
	at   schema.Span // of the path alone
}

// namedPaths returns the code spans of a page that are paths.
func namedPaths(page *schema.Page, spans []schema.Span) []namedPath {
	var out []namedPath
	for _, span := range spans {
		text := string(span.In(page.Source))
		if !strings.Contains(text, "/") || strings.ContainsAny(text, " =()&") {
			continue
		}
		a := schema.ParseAnchor(text)
		if a.Rev != "" || a.URL != "" || !filePath(a.Path) || a.Path[0] == '/' || strings.HasSuffix(a.Path, "/") || !strings.HasPrefix(text, a.Path) {
			continue
		}
		out = append(out, namedPath{a.Path, schema.Span{Start: span.Start, End: span.Start + len(a.Path)}})
	}
	return out
}

// ownSettings reports whether a file lies in a folder of settings that each reader of a page
// has in a project of their own.
func ownSettings(file string) bool {
	return slices.ContainsFunc(strings.Split(file, "/"), func(part string) bool {
		return part == ".claude" || part == ".vscode" || part == ".idea"
	})
}

func reportMention(p *linter.Pass, m *missingSource) {
	cause := "file:" + m.was
	switch {
	case m.moved != "":
		to := m.written(sourceFact.Of(p))
		d := p.ReportCause(cause, m.page.Path, m.at, "%q was moved on %s; write %q", m.name, m.gone, to)
		d.Fixes = []schema.Fix{{Title: fmt.Sprintf("write %q", to), Safe: true, Edits: []schema.Edit{{Path: m.page.Path, Span: m.at, Text: to}}}}
	case m.split:
		p.ReportCause(cause, m.page.Path, m.at, "%q is now the folder %q; name the file that is meant", m.name, stemOf(m.name))
	default:
		p.ReportCause(cause, m.page.Path, m.at, "%q was deleted on %s; name its replacement, or say that it was deleted", m.name, m.gone)
	}
}
