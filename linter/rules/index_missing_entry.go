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
	Summary:  "An index of a folder does not list all of its pages.",
	Doc: `Readers assume that the index is complete: an agent that doesn't find a page there writes it a second time.
Add an entry for every new page.

A page (` + "`index`, `_index`, `README`, `home` or `MOC`" + `, in the folder or above it) is the index of a folder if
its list items or table rows cover at least two pages of the folder and half of them; in an nvk wiki
` + "`_index.md`" + ` always is. If it covers fewer than four in five pages, or is a README, the selection may be
intended, and the finding is a warning. A link anywhere in the index is enough. Drafts, templates, inactive
pages and pages that misplaced-page reports need no entry.

All missing pages of one folder are one finding. The safe fix adds entries in the style and order of the
existing ones: same bullet, link syntax and columns, with the page's summary if other entries have one. If
entries are numbered or have a custom form, there is no fix.`,
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
