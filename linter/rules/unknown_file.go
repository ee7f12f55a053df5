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
	Summary:  "A file is in a folder that is meant for other kinds of files.",
	Doc: `Files that are not pages are missing from indexes and search, so a stray file in a folder of pages is
forgotten. Move it, convert it to a page, or remove it.

The wiki's dialect defines which files belong in a folder: in an nvk wiki, ` + "`wiki/` and `raw/`" + ` hold only
markdown, and papers and data have their own folders. Files that a page links to or embeds are not reported.
In dialects without such a definition nothing is reported.`,
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
		for s := range allSites(p) {
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
