package contain

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestFingerprint(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(at(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("a/b/file", "one")
	write(".git/index", "x")
	now := time.Unix(1_800_000_000, 0)
	for _, c := range []struct {
		name    string
		do      func()
		changes bool
	}{
		{"nothing", func() {}, false},
		{"other content of the same size", func() { write("a/b/file", "two"); os.Chtimes(at("a/b/file"), now, now) }, true},
		{"a longer one", func() { write("a/b/file", "three"); os.Chtimes(at("a/b/file"), now, now) }, true},
		{"a new file", func() { write("a/new", "") }, true},
		{"a new folder", func() { os.Mkdir(at("empty"), 0o755) }, true},
		{"another name", func() { os.Rename(at("a/new"), at("a/newer")) }, true},
		{"one less", func() { os.Remove(at("a/newer")) }, true},
		{"git's own", func() { write(".git/index", "yy"); write("a/.git", "z") }, false},
		{"our own records", func() { write(".loopwiki/runs/x/journal.jsonl", "{}") }, false},
		{"a link that leads out", func() { os.Symlink("/", at("out")) }, true},
		{"nothing again", func() {}, false},
	} {
		was := fingerprint(t.Context(), dir)
		c.do()
		is := fingerprint(t.Context(), dir)
		if changed := was.sum != is.sum || was.files != is.files; changed != c.changes {
			t.Errorf("%s: a change is %v", c.name, changed)
		}
	}
	if n := fingerprint(t.Context(), dir).files; n > 10 {
		t.Errorf("%d files: a link was followed", n)
	}
}

// BenchmarkFingerprint is what one look at a tree like node_modules costs.
func BenchmarkFingerprint(b *testing.B) {
	dir := b.TempDir()
	for i := range 20_000 {
		folder := filepath.Join(dir, string(rune('a'+i%26)), string(rune('a'+i/26%26)))
		if i < 26*26 {
			if err := os.MkdirAll(folder, 0o755); err != nil {
				b.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(folder, "f"+string(rune('0'+i/676))), nil, 0o644); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		if p := fingerprint(b.Context(), dir); p.files < 20_000 {
			b.Fatalf("%d files", p.files)
		}
	}
}
