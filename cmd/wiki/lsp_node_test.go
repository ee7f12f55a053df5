//go:build agents

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema/schematest"
)

// TestNodeClient drives every feature of wiki lsp with the client library of VS Code, as
// npm has it, on a page with 40 inbound links and on a wiki of others.
func TestNodeClient(t *testing.T) {
	for _, name := range []string{"npm", "node"} {
		_, err := exec.LookPath(name)
		schematest.Need(t, name, err == nil, name+" is not installed")
	}
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("internal", "lsp", "testdata", "node"))); err != nil {
		t.Fatal(err)
	}
	install := exec.CommandContext(t.Context(), "npm", "install", "--ignore-scripts", "--no-audit", "--no-fund")
	install.Dir = dir
	out, err := install.CombinedOutput()
	schematest.Need(t, "npm", err == nil, "npm can't install the client: "+string(out))
	var pages strings.Builder
	pages.WriteString("-- hub.md --\n# Hub\n\nText of the hub.\n\n## Part\n\nMore.\n-- page.md --\n# Page\n\nText.\n")
	for i := range 40 {
		fmt.Fprintf(&pages, "-- p%d.md --\n# P%d\n\nSee [[hub]], here.\n", i, i)
	}
	wiki := buildWiki(t)
	for _, c := range []struct {
		name, root, page, hub string
		edits                 int
	}{
		{"generated", compilertest.Write(t, pages.String()), "page.md", "hub.md", 41},
		{"tasks", schematest.Shared(t, "corpora/tasks-demo-vault/docs"), "Queries/Filters.md", "Getting Started/Dates.md", 30},
	} {
		t.Run(c.name, func(t *testing.T) {
			client := exec.CommandContext(t.Context(), "node", "client.mjs", wiki, c.root, c.page, c.hub)
			client.Dir = dir
			client.Stderr = os.Stderr
			out, err := client.Output()
			if err != nil {
				t.Fatal(err)
			}
			checkNodeClient(t, out, c.edits)
		})
	}
}

func checkNodeClient(t *testing.T, out []byte, edits int) {
	t.Helper()
	var got struct {
		Encoding, Hover, Placeholder string
		Latencies                    []float64
		Codes, Actions, Registered   []string
		Progress                     []string
		Definition                   bool
		References, WillRename       int
		Symbols, WorkspaceSymbols    int
		Links, Folds                 int
		Completion, Headings         int
		Exit                         int
		Rename                       struct{ Files, Edits, Moves int }
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("findings after a keystroke: median %.0f ms, p95 %.0f ms", got.Latencies[len(got.Latencies)/2], got.Latencies[len(got.Latencies)*95/100])
	for what, ok := range map[string]bool{
		"encoding":          got.Encoding == "utf-16",
		"findings":          slices.Contains(got.Codes, "broken-wikilink"),
		"definition":        got.Definition,
		"references":        got.References >= edits,
		"hover":             strings.Contains(got.Hover, "backlinks"),
		"prepareRename":     got.Placeholder != "",
		"rename":            got.Rename.Edits >= edits && got.Rename.Moves == 1,
		"willRenameFiles":   got.WillRename > 0,
		"code actions":      slices.ContainsFunc(got.Actions, func(a string) bool { return strings.HasPrefix(a, "suppress ") }),
		"document symbols":  got.Symbols > 0,
		"workspace symbols": got.WorkspaceSymbols > 0,
		"links":             got.Links > 0,
		"folding":           got.Folds > 0,
		"completion":        got.Completion > 0,
		"headings":          got.Headings > 0,
		"progress":          slices.Equal(got.Progress, []string{"begin", "end"}) || slices.Contains(got.Progress, "report"),
		"watched files":     slices.Contains(got.Registered, "workspace/didChangeWatchedFiles"),
		"exit":              got.Exit == 0,
	} {
		if !ok {
			t.Errorf("%s failed", what)
		}
	}
	if t.Failed() {
		t.Logf("%s", out)
	}
}
