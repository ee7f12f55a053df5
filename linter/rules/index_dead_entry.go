package rules

import (
	"bytes"
	"slices"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "index-dead-entry",
	Group:    linter.IndexAndLog,
	Severity: schema.Error,
	Since:    since,
	Fix:      linter.SafeFix,
	Summary:  "An index lists a page that is gone.",
	Doc: `The page was removed and its line in the index was not: whoever follows it finds nothing, and whoever
trusts the line believes that the wiki says more than it does.

An entry is an item of a list or a row of a table, in a page that lists its folder (see
index-missing-entry), of which no link leads anywhere. When a page of that name lies elsewhere, was renamed, or
is spelled almost the same, the link is to be corrected, which broken-link or broken-wikilink says alone; else they
say that the link is dead, and this rule that its line can go.

The safe fix removes the line. An entry with text indented below it is left for you to look at.`,
	Check: func(p *linter.Pass) {
		indexes := indexFact.Of(p)
		if len(indexes.dead) == 0 {
			return
		}
		for _, x := range indexes.all {
			for i := range x.entries {
				if e := &x.entries[i]; indexes.dead[e.links[0].Link] == e && !meantOther(p, e) {
					deadEntry(p, x, e)
				}
			}
		}
	},
})

func deadEntry(p *linter.Pass, x *index, e *indexEntry) {
	s := e.links[0]
	d := p.Report(x.page.Path, s.at(), "this index lists %q, which does not exist; remove the entry, or create the page", s.Link.Target)
	line := lineOf(x.page, e.line.Start)
	next := lineOf(x.page, min(line.End, len(x.page.Source)))
	below := bytes.TrimRight(next.In(x.page.Source), " \t\r\n")
	if e.cells == nil && line.End < len(x.page.Source) && len(below) > 0 && (below[0] == ' ' || below[0] == '\t') {
		indent := func(text []byte) int { return len(text) - len(bytes.TrimLeft(text, " \t")) }
		if indent(below) > indent(line.In(x.page.Source)) {
			return
		}
	}
	d.Fixes = []schema.Fix{{Title: "remove the entry", Safe: true, Edits: []schema.Edit{{Path: x.page.Path, Span: line}}}}
}

// meantOther reports whether a link of the entry probably means a page that is
// there.
func meantOther(p *linter.Pass, e *indexEntry) bool {
	n := nameFact.Of(p)
	return slices.ContainsFunc(e.links, func(s site) bool {
		return n.meant(s.Page, s.Link.Target, s.Link.Markdown()).Path != ""
	})
}
