package rules

import (
	"fmt"
	"path"
	"slices"
	"strings"

	src "github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "unknown-file",
	Group:    linter.Layout,
	Severity: schema.Info,
	Since:    since,
	Summary:  "A file lies in a folder that is meant for other files.",
	Doc: `What is no page is in no index and in no search, so a stray file in a folder of pages is forgotten
there. Move it to where its like is kept, make it a page, or remove it.

The wiki's dialect says which files a folder is for: the folders ` + "`wiki/`" + ` and ` + "`raw/`" + ` of an nvk wiki hold markdown
alone, while papers and data lie in folders of their own. A file that a page links to or shows is none of
these. Dialects that do not say so are never reported.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d files share one cause: %s", n, first.Message)
	},
	Check: func(p *linter.Pass) {
		d := p.Wiki.Workspace().Dialect
		var strays []string
		for _, file := range p.Wiki.Files() {
			f, ok := d.Folder(path.Dir(file))
			if file != src.RegisterPath() && ok && len(f.Only) > 0 && !slices.Contains(f.Only, strings.ToLower(path.Ext(file))) {
				strays = append(strays, file)
			}
		}
		if len(strays) == 0 {
			return
		}
		used := map[string]bool{}
		for s := range sites(p) {
			if s.Res.Kind == schema.TargetFile {
				used[s.Res.Path] = true
			}
		}
		for _, file := range strays {
			dir := path.Dir(file)
			if f, _ := d.Folder(dir); !used[file] {
				p.ReportCause("folder:"+dir, file, schema.Span{}, "%q is not a %s file, the only kind that belongs in %q (dialect %s); move it, convert it to a page, or remove it",
					file, strings.Join(f.Only, " or "), dir, d.Name)
			}
		}
	},
})
