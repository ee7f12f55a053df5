package rules

import (
	"fmt"
	"path"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "link-escapes-root",
	Group:    linter.Links,
	Severity: schema.Error,
	Since:    since,
	Summary:  "A link leads out of the repository.",
	Doc: `What lies outside the repository is not there for anyone who clones it, and a published page would
point into the file system of the machine that built it. Usually one ` + "`../`" + ` is too many.

A path to a page that GitHub has of the repository, such as ../../issues, is none of these.

Such a link is never followed, whether or not the file exists. Copy what is needed into the
repository, or link to its address in the web.

Raw sources are kept as they were collected, so there it is information only.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d links lead to one folder outside the repository: %s", n, first.Message)
	},
	Check: func(p *linter.Pass) {
		for s := range sites(p) {
			if s.Res.Kind == schema.TargetNone && s.Res.Broken == schema.BrokenEscapes {
				folder := path.Dir(path.Join(path.Dir(s.Page.Path), s.Link.Target))
				mild(p.ReportCause("folder:"+folder, s.Page.Path, s.at(),
					"the link %q leads out of the repository; keep it below, or link to an address in the web", s.Link.Raw), s.Page)
			}
		}
	},
})
