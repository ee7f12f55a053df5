package gendocs

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// Write makes what is missing, fixes what differs, removes what is no longer
// generated, and touches nothing else.
func TestWrite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	put("index.md", "by hand")
	put("commands/lint.md", "old")
	put("commands/gone.md", "of a command that is gone")
	pages := Pages{"commands/lint.md": "new", "rules/orphan.md": "rule"}

	want := []string{"commands/gone.md", "commands/lint.md", "rules/orphan.md"}
	if stale, err := pages.Stale(os.DirFS(dir)); err != nil || !slices.Equal(stale, want) {
		t.Fatalf("stale: %q, %v; want %q", stale, err, want)
	}
	if err := pages.Write(dir); err != nil {
		t.Fatal(err)
	}
	if stale, err := pages.Stale(os.DirFS(dir)); err != nil || len(stale) > 0 {
		t.Errorf("stale after writing: %q, %v", stale, err)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "index.md")); err != nil || string(b) != "by hand" {
		t.Errorf("index.md: %q, %v", b, err)
	}
}

func TestParagraphs(t *testing.T) {
	t.Parallel()
	in := "Words.\n\n  code one\n  code two\n\nMore words."
	want := "Words.\n\n```text\ncode one\ncode two\n```\n\nMore words.\n"
	if got := paragraphs(in); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
