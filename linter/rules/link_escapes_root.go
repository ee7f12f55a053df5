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
	Summary:  "A link leads outside the repository.",
	Doc: `The target is missing for everyone who clones the repository, and a published page would point into the file
system of the build machine. Usually there is one ` + "`../`" + ` too many.

A path to one of GitHub's pages of the repository, such as ../../issues, is fine.

Such links are never followed, whether or not the file exists. Copy the file into the repository, or link to
its URL. In raw sources, which are kept as collected, it is info.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d links lead to one folder outside the repository: %s", n, first.Message)
	},
	Local: true,
	Check: func(p *linter.Pass) {
		for s := range sites(p) {
			if s.Res.Kind == schema.TargetNone && s.Res.Broken == schema.BrokenEscapes {
				folder := path.Dir(path.Join(path.Dir(s.Page.Path), s.Link.Target))
				lowerSeverity(p.ReportCause("folder:"+folder, s.Page.Path, s.at(),
					"the link %q leads outside the repository; link to a file in the repository, or to a URL", s.Link.Raw), s.Page)
			}
		}
	},
})
