package rules

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "missing-layer",
	Group:    linter.Layout,
	Severity: schema.Warning,
	Since:    since,
	Summary:  "A folder that the wiki's dialect requires does not exist.",
	Doc: `Agents write into the folders of the dialect. If one is missing, they invent another place, and pages of one
kind end up in two folders.

Only dialects with required folders, such as nvk, are checked; optional folders are not. Folders below a
missing folder are not reported separately.

Create the folder with an index page, or set another ` + "`dialect:`" + ` in wiki.yaml.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d folders of the dialect do not exist: %s", n, first.Message)
	},
	Check: func(p *linter.Pass) {
		l, ws := layoutFact.Of(p), p.Wiki.Workspace()
		gone := ""
		for _, f := range ws.Dialect.Folders {
			if f.Optional || l.folders[f.Path] || gone != "" && strings.HasPrefix(f.Path, gone+"/") {
				continue
			}
			if info, err := os.Lstat(filepath.Join(ws.Root, filepath.FromSlash(f.Path))); err == nil && info.IsDir() {
				continue // there, and empty
			}
			gone = f.Path
			file, at := l.folderPlace(p.Wiki, f.Path)
			p.ReportCause("layer", file, schema.Span{Start: at.Start, End: at.Start}, "the folder %q does not exist (required by the dialect %s); create it, with an index of its pages", f.Path, ws.Dialect.Name)
		}
	},
})
