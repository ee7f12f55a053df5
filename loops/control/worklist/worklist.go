// Package worklist builds the work list of a loop that maintains the wiki: a range of commits
// goes in, the pages to review come out, with reasons. It reads the commit, and ignores
// uncommitted changes in the checkout.
package worklist

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/docs"
)

// Lister makes work lists of the wiki of a repository.
type Lister struct{ *repo.Repo }

// New returns the lister of a repository.
func New(r *repo.Repo) *Lister { return &Lister{r} }

// pagesOf makes pages of a work list.
func pagesOf(items []docs.Item) []loops.DocumentationPage {
	out := []loops.DocumentationPage{}
	for _, it := range items {
		var why []string
		for _, r := range it.Reasons {
			if len(why) < 3 && !slices.Contains(why, r.Text) {
				why = append(why, r.Text)
			}
		}
		out = append(out, loops.DocumentationPage{
			Path: it.Page, Reason: repo.OneLine(strings.Join(why, "; ")), Targets: it.Sources[:min(len(it.Sources), 12)], Wrong: it.Wrong,
		})
	}
	return out
}
