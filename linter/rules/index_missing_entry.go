package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "index-missing-entry",
	Group:    linter.IndexAndLog,
	Severity: schema.Error,
	Since:    since,
	Fix:      linter.SafeFix,
	Summary:  "An index lists its folder and leaves pages out.",
	Doc: `Who reads an index takes it for the whole: an agent that looks for a page there and does not find it
writes it a second time. Every page that is added needs its line.

A page is held to be the index of a folder (` + "`index`, `_index`, `README`, `home`, `MOC`" + `, in the folder or above it) when
it has entries, items of a list or rows of a table, of at least two pages of the folder and of half of them; in
an nvk wiki ` + "`_index.md`" + ` always is. Where it has less than four in five, or is a README, the choice may be meant, and
the finding is a warning. A link anywhere in the index will do. Drafts, templates, pages that are no longer in force,
and those that misplaced-page sends to another folder need no entry.

All pages of a folder that an index leaves out are one finding. The safe fix writes their entries as the
others are written, in their order: the same bullet and kind of link, the same columns, and the page's
summary where the others have one. Where entries have numbers, or a form of their own, there is no fix.`,
	Check: func(p *linter.Pass) {
		moving := map[*schema.Page]bool{}
		for _, m := range misplacedFact.Of(p) {
			moving[m.page] = p.Runs("misplaced-page", m.page.Path)
		}
		for _, x := range indexFact.Of(p).all {
			for i := range x.keeps {
				k := x.keeps[i]
				if k.missing = inPlace(k.missing, moving); len(k.missing) > 0 {
					missingEntry(p, x, &k)
				}
			}
		}
	},
})

const (
	evidentEntries = 4 // entries of a folder, from which on nearly all means all
	manyMissing    = 5 // names that one message gives
)

// inPlace returns those of pages that are not sent elsewhere.
func inPlace(pages []*schema.Page, moving map[*schema.Page]bool) []*schema.Page {
	if len(moving) == 0 {
		return pages
	}
	return slices.DeleteFunc(slices.Clone(pages), func(page *schema.Page) bool { return moving[page] })
}

func missingEntry(p *linter.Pass, x *index, k *keptFolder) {
	edits := additions(p, x, k)
	at := titleAt(x.page).Start
	switch {
	case len(edits) > 0:
		at = edits[0].Span.Start
	case len(k.entries) > 0:
		at = x.entries[k.entries[len(k.entries)-1]].line.End
	}
	what := "this index does not list"
	if k.dir != path.Dir(x.page.Path) {
		what = fmt.Sprintf("this index of %q does not list", k.dir)
	}
	entry := "an entry for it"
	if len(k.missing) > 1 {
		entry = "an entry for each"
	}
	d := p.Report(x.page.Path, schema.Span{Start: at, End: at}, "%s %s; add %s", what, firstPaths(k.missing), entry)
	d.Count = len(k.missing)
	d.Related = alsoHere(k.missing, "has no entry")
	if len(edits) > 0 {
		d.Fixes = []schema.Fix{{Title: "add " + entry, Safe: true, Edits: edits}}
	}
	has := k.pages - len(k.missing)
	name := strings.ToLower(stem(x.page.Path))
	if !k.said && (has < evidentEntries || 5*has < 4*k.pages || name == "readme" || name == "home") {
		d.Severity = schema.Warning
	}
}

// firstPaths names the first of pages by their paths.
func firstPaths(pages []*schema.Page) string {
	var names []string
	for _, page := range pages[:min(len(pages), manyMissing)] {
		names = append(names, fmt.Sprintf("%q", page.Path))
	}
	text := strings.Join(names, ", ")
	if n := len(pages) - len(names); n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}
