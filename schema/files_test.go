package schema_test

import (
	"go/ast"
	"testing"
)

// opening are functions that open or change a path without a root, and wait for it.
var opening = map[string]bool{
	"os.Open": true, "os.OpenFile": true, "os.Create": true, "os.CreateTemp": true, "os.ReadFile": true, "os.WriteFile": true,
	"os.ReadDir": true, "os.DirFS": true, "os.MkdirAll": true, "os.Mkdir": true, "os.Rename": true, "os.OpenInRoot": true,
}

// allowedOpening are the rooms and files that may, with the reason.
var allowedOpening = map[string]string{
	"compiler/files":              "the one place that opens files",
	"compiler/history/replay.go":  "a bare repository in a temporary folder that the program made",
	"compiler/around.go":          "names of folders are compared in their letter case; nothing is read",
	"site/serve/tree.go":          "names and times are watched; nothing is read",
	"loops/contain":               "worktrees, git's own files and /proc, below folders that the supervisor made and checks for links",
	"loops/gate/setup.go":         "exports of git trees in the judge's temporary folder",
	"loops/gate/seal.go":          "exports of git trees in the judge's temporary folder",
	"loops/gate/empty.go":         "exports of git trees in the judge's temporary folder",
	"loops/gate/tree.go":          "exports of git trees in the judge's temporary folder",
	"loops/gate/caches.go":        "caches in the person's folder for them and in the judge's temporary folder",
	"loops/gate/fill.go":          "caches in the person's folder for them and in the judge's temporary folder",
	"loops/gate/command.go":       "folders in the judge's temporary folder",
	"loops/gate/report.go":        "reporters in the judge's temporary folder",
	"loops/gate/judge.go":         "folders in the judge's temporary folder",
	"compiler/history/merge.go":   "a temporary folder, and the attributes in git's own folder",
	"loops/gate/baseline.go":      "a folder of the cache, outside of the repository",
	"loops/run/do.go":             "folders below that of a run, whose parents Store.Make checks for links",
	"loops/run/execute.go":        "folders below that of a run, whose parents Store.Make checks for links",
	"loops/temporal/clone.go":     "clones in the worker's own folder",
	"loops/run/aside.go":          "folders below that of a run, whose parents Store.Make checks for links",
	"loops/run/store.go":          "makes .loopwiki/runs and checks each folder for links",
	"loops/run/journal.go":        "syncs the folder of a run",
	"loops/andon/home.go":         "git's own files name the main checkout",
	"loops/control/diagnose":      "a folder below that of a run",
	"loops/control/task/reset.go": "folders beside task files that the person names",
	"cmd/wiki/lint_reports.go":    "the report and the step's summary, at paths that the person and GitHub give",
	"cmd/wiki/internal/replay":    "a temporary folder that the program made",
	"cmd/wiki/internal/selftest":  "a laboratory in a temporary folder, and /proc",
}

// Files of a wiki and its repository are opened by compiler/files: below a root
// that no link leaves, regular, and bounded.
func TestFilesAreOpenedBelowARoot(t *testing.T) {
	t.Parallel()
	used := map[string]bool{}
	for _, s := range sources(t) {
		if s.test {
			continue
		}
		ast.Inspect(s.syntax, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			pkg, ok := sel.X.(*ast.Ident)
			if !ok || !opening[pkg.Name+"."+sel.Sel.Name] {
				return true
			}
			switch {
			case allowedOpening[s.path] != "":
				used[s.path] = true
			case allowedOpening[s.room] != "":
				used[s.room] = true
			default:
				t.Errorf("%s: uses %s.%s; open it with compiler/files", s.set.Position(n.Pos()), pkg.Name, sel.Sel.Name)
			}
			return true
		})
	}
	for place := range allowedOpening {
		if !used[place] {
			t.Errorf("%s needs no exception any more; remove it", place)
		}
	}
}
