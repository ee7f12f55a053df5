package rules

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	src "github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

var _ = linter.Register(linter.Rule{
	ID:       "body-changed",
	Group:    linter.Sources,
	Severity: schema.Info,
	Since:    since,
	Summary:  "The code that a page describes changed since the page was verified.",
	Doc: `The declaration is unchanged and every value on the page is still there, so the page is probably still right.
But nobody has checked: this is a work list, like ` + "`wiki stale`" + `.

It covers pages that name their sources (for example ` + "`sources: [src/server.go#Listen]`" + `) and were verified with
` + "`wiki verify`" + `. Comments, formatting and changes elsewhere in the file are ignored.

For a page that names whole files as sources, the symbols in backticks decide: a changed declaration, an outdated
value or a missing symbol is reported by ` + "`signature-changed`, `stale-value`" + ` and
` + "`symbol-missing`" + `. If at least three files and a third of the page's files changed, that is one warning.

Read the change, then run ` + "`wiki verify PAGE`" + `. Switch it off if pages describe only the purpose of code, never
how it works.`,
	Check: func(p *linter.Pass) {
		changed := inState(p, src.StateBodyChanged)
		said := manyFiles(p, changed)
		for _, v := range changed {
			if !said[v.Page] || v.Kind() != src.KindFile {
				p.Report(v.Page.Path, v.At, "%s changed%s, after the page was verified on %s; read the change, then run wiki verify",
					v.Called(), sinceCommit(v.Since), verified(v))
			}
		}
	},
})

// A page of which a third of the files changed, and no fewer than three, is reported
// once, as a warning.
const (
	changedShare = 3
	fewestFiles  = 3
)

// manyFiles reports the pages with many changed files, and returns them.
func manyFiles(p *linter.Pass, changed []*src.Verdict) map[*schema.Page]bool {
	files := map[*schema.Page]int{}
	for i := range p.Verdicts().All {
		if v := &p.Verdicts().All[i]; v.Locked != nil && !v.Narrowed && v.Kind() == src.KindFile {
			files[v.Page]++
		}
	}
	of := map[*schema.Page][]*src.Verdict{}
	for _, v := range changed {
		if v.Kind() == src.KindFile {
			of[v.Page] = append(of[v.Page], v)
		}
	}
	said := map[*schema.Page]bool{}
	for _, page := range p.Wiki.Pages() {
		n := len(of[page])
		if n < fewestFiles || n*changedShare < files[page] {
			continue
		}
		said[page] = true
		d := p.Report(page.Path, of[page][0].At, "%d of the %d files that the page was verified against changed since%s; review the page and run wiki verify",
			n, files[page], mostlyBy(of[page]))
		d.Severity, d.Count = schema.Warning, n
		for _, v := range of[page][1:min(n, 10)] {
			d.Related = append(d.Related, schema.Related{Path: page.Path, Span: v.At, Message: "changed too"})
		}
	}
	return said
}

// mostlyBy names the three commits that changed most of some files last.
func mostlyBy(changed []*src.Verdict) string {
	type commit struct {
		at schema.Moment
		n  int
	}
	by := map[string]*commit{}
	for _, v := range changed {
		if id := v.Since.Commit; id != "" {
			if by[id] == nil {
				by[id] = &commit{at: v.Since}
			}
			by[id].n++
		}
	}
	all := slices.SortedFunc(maps.Values(by), func(a, b *commit) int {
		return cmp.Or(b.n-a.n, b.at.Time.Compare(a.at.Time), strings.Compare(a.at.Commit, b.at.Commit))
	})
	var out []string
	for _, c := range all[:min(len(all), 3)] {
		out = append(out, fmt.Sprintf("%s of %s (%s)", c.at.Commit[:min(len(c.at.Commit), shortCommit)], c.at.Time.Format(day), text.Count(c.n, "file")))
	}
	if len(out) == 0 {
		return ""
	}
	return ", mostly by " + strings.Join(out, ", ")
}
