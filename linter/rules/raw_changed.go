package rules

import (
	"fmt"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "raw-changed",
	Group:    linter.Sources,
	Severity: schema.Error,
	Since:    since,
	Summary:  "A raw source was changed after it was added.",
	Doc: `Raw sources are the ground that the pages stand on: whoever doubts a page looks there. One that was changed
since may say what the page says because somebody made it so.

Looked at is what lies in ` + "`raw/`" + `, and what ` + "`sources:`" + ` of wiki.yaml names, by git: a file that a later commit changed. To be
moved is no change, nor is anything within a day of having been added. Indexes are no sources. In
` + "`sources/` and `references/`" + ` many wikis keep summaries, which are written to be improved, so these are left alone
unless wiki.yaml names them.

Put the file back as it was, and add what is new as a source of its own. Switch it off where
sources are fetched again in place.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d raw sources were changed by one commit after they were added; restore them, or add what is new as sources of their own", n)
	},
	Check: func(p *linter.Pass) {
		var raw []string
		for _, page := range p.Wiki.Pages() {
			if !page.Reserved() && rawSource(p, page.Path) {
				raw = append(raw, page.Path)
			}
		}
		for _, f := range p.Wiki.Files() {
			if rawSource(p, f) {
				raw = append(raw, f)
			}
		}
		if len(raw) == 0 {
			return
		}
		h := p.Wiki.History()
		if h == nil || h.Shallow {
			_, err := p.Wiki.Repository(p)
			p.Skip("whether raw sources were changed is not known: %v", err)
			return
		}
		for _, file := range raw {
			f := h.Files[file]
			if f == nil || f.Edited.ID == "" || f.Edited.Time.Sub(f.Created.Time) < recorded {
				continue
			}
			p.ReportCause("commit:"+f.Edited.ID, file, schema.Span{}, "the raw source was added on %s and changed on %s by commit %s; restore it, or add what is new as a source of its own",
				f.Created.Time.Format(day), f.Edited.Time.Format(day), f.Edited.ID[:10])
		}
	},
})

// rawSource reports whether a file is kept as it was found.
func rawSource(p *linter.Pass, file string) bool {
	if top, _, ok := strings.Cut(file, "/"); ok && strings.EqualFold(strings.TrimLeft(top, "_"), "raw") {
		return true
	}
	for _, glob := range p.Wiki.Config().Sources {
		if ok, _ := doublestar.Match(strings.TrimPrefix(glob, "/"), file); ok {
			return true
		}
	}
	return false
}
