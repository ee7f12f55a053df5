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
	Summary:  "An index lists a page that does not exist.",
	Doc: `The page was deleted and its index entry was not. Readers who follow it find nothing, and those who trust it
think that the wiki covers the topic.

An entry is a list item or table row, on a page that lists its folder (see index-missing-entry), without a
working link. If a page with that name exists elsewhere, was renamed or has a similar name, only broken-link
or broken-wikilink is reported, because the link needs correcting. Otherwise those rules report the broken
link and this rule reports that the entry can be removed.

The safe fix removes the line. An entry with indented text below it has no fix.`,
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
