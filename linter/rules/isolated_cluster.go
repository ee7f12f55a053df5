package rules

import (
	"fmt"
	"path"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

var _ = linter.Register(linter.Rule{
	ID:       "isolated-cluster",
	Group:    linter.GraphRules,
	Severity: schema.Warning,
	Since:    since,
	Summary:  "A group of pages has no links to or from the rest of the wiki.",
	Doc: `No page in the group is an orphan, but readers of the rest of the wiki never get there. Link to one of the
pages from a related page, and back.

This rule applies only if the wiki has no start page, or if ` + "`unreachable`" + ` is off; otherwise ` + "`unreachable`" + `
reports the group. A group that begins with an orphan is left to ` + "`orphan`" + `. A group with its own index, readme
or folder note is separate on purpose. If no group holds more than half of the pages, as with several versions
side by side, nothing is reported.

Switch it off for collections of unrelated notes.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d pages are in groups without links to or from the rest of the wiki; add an index that links to each group. First: %q", n, first.Path)
	},
	Check: isolatedCluster,
})

func isolatedCluster(p *linter.Pass) {
	if len(homes(p.Wiki)) > 0 && on(p, "unreachable") {
		return
	}
	orphans := map[*schema.Page]bool{}
	if on(p, "orphan") {
		for _, page := range orphanFact.Of(p) {
			orphans[page] = true
		}
	}
	clusters, largest := clustersOf(p)
	n := countLinkable(p.Wiki)
	if largest < 0 || 2*len(clusters[largest].pages) <= n {
		return
	}
	for i, c := range clusters {
		if i == largest || len(c.pages) < 2 || c.indexed || c.holds(orphans) {
			continue
		}
		first := c.pages[0]
		d := p.ReportCause("clusters", first.Path, titleAt(first), "this page and %s linked with it have no links to or from the other %s; link them to a related page",
			text.Count(len(c.pages)-1, "page"), text.Count(n-len(c.pages), "page"))
		d.Count = len(c.pages)
		d.Related = alsoHere(c.pages[1:], "in the same group")
	}
}

// on reports whether wiki.yaml leaves a rule on.
func on(p *linter.Pass, rule string) bool {
	s, given := p.Wiki.Config().Lint.Rules[rule]
	return !given || s != schema.Off
}

// cluster is a weakly connected component of the link graph.
type cluster struct {
	pages   []*schema.Page // that should be reached by links, in order of path
	indexed bool           // one of its pages leads through the others
}

func (c cluster) holds(set map[*schema.Page]bool) bool {
	for _, page := range c.pages {
		if set[page] {
			return true
		}
	}
	return false
}

// clustersOf returns the wiki's components, and the index of the one with the most
// linkable pages, or -1.
func clustersOf(p *linter.Pass) (out []cluster, largest int) {
	largest = -1
	for _, ids := range p.Wiki.Graph().Components() {
		var c cluster
		for _, id := range ids {
			page := p.Wiki.Page(id)
			if linkable(page) {
				c.pages = append(c.pages, page)
			}
			c.indexed = c.indexed || leadsThrough(page)
		}
		out = append(out, c)
		if largest < 0 || len(c.pages) > len(out[largest].pages) {
			largest = len(out) - 1
		}
	}
	return out, largest
}

// leadsThrough reports whether a page is the index of its folder: by its name,
// or because it has that of the folder.
func leadsThrough(page *schema.Page) bool {
	name := stem(page.Path)
	return homeNames[strings.ToLower(name)] || fold(name) == fold(path.Base(path.Dir(page.Path)))
}
