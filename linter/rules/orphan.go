package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

var _ = linter.Register(linter.Rule{
	ID:       "orphan",
	Group:    linter.GraphRules,
	Severity: schema.Warning,
	Since:    since,
	Summary:  "No other page links to a page.",
	Doc: `Readers and agents find pages through links. An orphan is found only by search, so it is the first page to be
forgotten and to become stale. Link to it from a related page, or list it in an index.

Orphans that an index names in code, such as ` + "`page.md`" + `, are one finding at the index: a name in code is no link.

Indexes, logs, other special pages and raw sources are exempt. If the wiki has no links, or most of its pages
are orphans, that is one finding: such a wiki needs an index, not five hundred links.

Switch it off for folders that are read as a list, such as a journal.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d pages have no links from other pages; add an index that lists them. First: %q", n, first.Path)
	},
	Check: func(p *linter.Pass) {
		pages := orphanFact.Of(p)
		cause := func(page *schema.Page) string { return "folder:" + path.Dir(page.Path) }
		if n := countLinkable(p.Wiki); p.Wiki.Graph().Edges() == 0 || 2*len(pages) > n {
			cause = func(*schema.Page) string { return "wiki" }
		}
		listings := codeListings(p, pages)
		named := map[*schema.Page]bool{}
		for _, l := range listings {
			for _, page := range l.pages {
				named[page] = true
			}
			l.report(p)
		}
		for _, page := range pages {
			if named[page] {
				continue
			}
			d := p.ReportCause(cause(page), page.Path, titleAt(page), "no other page links to %q; link to it, or list it in an index", page.Path)
			if siteFact.Of(p) { // links of which nobody has said where they lead may lead here
				d.Severity = schema.Info
			}
		}
	},
})

// codeListing is an index that names pages in code, such as `page.md`.
type codeListing struct {
	index *schema.Page
	pages []*schema.Page // orphans, each once
	first schema.Span
	gone  []string // names of pages that are nowhere
}

// codeListings returns the indexes that name orphans in code, in order of path.
func codeListings(p *linter.Pass, orphans []*schema.Page) (out []codeListing) {
	if len(orphans) == 0 {
		return nil
	}
	n, tree := nameFact.Of(p), compiler.NewTree(p.Wiki)
	for _, index := range p.Wiki.Pages() {
		if !homeNames[strings.ToLower(stem(index.Path))] {
			continue
		}
		l := codeListing{index: index}
		for _, span := range codeSpans(index) {
			name := string(span.In(index.Source))
			if path.Ext(name) != ".md" || strings.ContainsAny(name, " *<>{}") {
				continue
			}
			page := p.Wiki.Page(schema.PageID(strings.TrimSuffix(path.Join(path.Dir(index.Path), name), ".md")))
			_, inRepository := tree.Exists(tree.Above(name))
			switch {
			case page != nil && slices.Contains(orphans, page) && !slices.Contains(l.pages, page):
				if len(l.pages) == 0 {
					l.first = span
				}
				l.pages = append(l.pages, page)
			case page == nil && !inRepository && len(n.byName[fold(stem(name))]) == 0 && !slices.Contains(l.gone, name):
				l.gone = append(l.gone, name)
			}
		}
		if len(l.pages) > 0 {
			out = append(out, l)
		}
	}
	return out
}

func (l *codeListing) report(p *linter.Pass) {
	gone := ""
	if len(l.pages) >= fewestNamed && len(l.gone) > 0 {
		gone = fmt.Sprintf("; %q is named and does not exist", l.gone[0])
		if len(l.gone) > 1 {
			gone = fmt.Sprintf("; %q and %d more are named and do not exist", l.gone[0], len(l.gone)-1)
		}
	}
	d := p.Report(l.index.Path, l.first, "%s named here in code without a link, and no other page links there; write links, such as [%s](%s)%s",
		text.Count(len(l.pages), "page"), stem(l.pages[0].Path), schema.RelativePath(l.index.Path, l.pages[0].Path), gone)
	d.Count = len(l.pages)
	d.Related = alsoHere(l.pages, "named in code only")
}

// fewestNamed is how many pages an index names in code before another name in code is
// taken for that of a page.
const fewestNamed = 3
