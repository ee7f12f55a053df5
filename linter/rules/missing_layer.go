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
	Summary:  "A folder that wikis of this dialect have is not there.",
	Doc: `Agents that keep the wiki write into the folders that its dialect gives them. Where one is missing they
make up another place, and pages of one kind end up in two.

Only a dialect that says which folders a whole wiki has is held to it, as nvk does; folders that it may
do without are not asked for. What is missing below a folder that is missing is not said again.

Make the folder, with an index in it, or name another dialect by ` + "`dialect:`" + ` in wiki.yaml.`,
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
