package rules

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
)

// TestPathsFromAbove lints a wiki whose links are relative to the folder around it: two
// causes, each reported once, and both fixed.
func TestPathsFromAbove(t *testing.T) {
	t.Parallel()
	var files strings.Builder
	files.WriteString("-- pages/index.md --\n# Index\n\nStart.\n")
	const n = 40
	for i := range n {
		fmt.Fprintf(&files, "- [Part %d](pages/part-%d.md)\n", i, i)
	}
	for i := range n {
		fmt.Fprintf(&files, "-- pages/part-%d.md --\n# Part number %d\n\nSee [[pages/part-%d]] and [another](pages/part-%d.md).\n", i, i, (i+1)%n, (i+2)%n)
	}
	dir := compilertest.Write(t, files.String())
	ws, err := compiler.Detect(filepath.Join(dir, "pages"), ".")
	if err != nil {
		t.Fatal(err)
	}
	w, err := compiler.Compile(t.Context(), ws, compiler.Options{})
	if err != nil {
		t.Fatal(err)
	}
	found := lint(t, w, "broken-link", "broken-wikilink").Findings
	if len(found) != 2 || found[0].Count != 2*n || found[1].Count != n {
		t.Fatalf("got %d findings: %+v", len(found), found)
	}
	for _, d := range found {
		if !strings.Contains(d.Message, "is relative to the folder above the wiki root") || len(d.Fixes) != 1 || !d.Fixes[0].Safe || len(d.Fixes[0].Edits) != d.Count {
			t.Errorf("%q offers %d fixes", d.Message, len(d.Fixes))
		}
	}
}
