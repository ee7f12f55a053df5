package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestReadme runs the commands of the README's transcript on the wiki in
// testdata/readme.txtar, and holds the README to what they print.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(readme), "```console\n")
	block, _, _ = strings.Cut(block, "```\n")
	dir := t.TempDir()
	archive, err := txtar.ParseFile(filepath.Join("testdata", "readme.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		full := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	commands := strings.Split(block, "$ wiki ")[1:]
	if len(commands) != 2 {
		t.Fatalf("the README shows %d commands, want 2", len(commands))
	}
	for _, c := range commands {
		args, want, _ := strings.Cut(c, "\n")
		want = strings.TrimSpace(want)
		var out, errw bytes.Buffer
		run(t.Context(), strings.Fields(args), strings.NewReader(""), &out, &errw, func(string) string { return "" })
		got := strings.TrimSpace(out.String())
		if start, cut := strings.CutSuffix(want, "\n…"); cut && strings.HasPrefix(got, start+"\n") {
			continue
		}
		if got != want {
			t.Errorf("wiki %s prints\n%s\nand not what the README shows\n%s\n%s", args, got, want, errw.String())
		}
	}
}
