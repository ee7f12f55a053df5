package main

import (
	"path/filepath"
	"testing"
)

func TestShortened(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, dir, short, want string }{
		{"/w", "/w", ".", "."},
		{"/w/a.md", "/w", ".", "a.md"},
		{"open /w/a.md: no such file, and '/w/b/c.md'", "/w", ".", "open a.md: no such file, and 'b/c.md'"},
		{"there is no wiki in /w", "/w", ".", "there is no wiki in /w"},
		{"there is no wiki in /w", "/w", "../w", "there is no wiki in ../w"},
		{"open /w/a.md", "/w", "../w", "open ../w/a.md"},
		{"/w is no folder", "/w", ".", "/w is no folder"},
		{"open /w2/a.md beside /w", "/w", ".", "open /w2/a.md beside /w"},
		{"the cache is /var/tmp", "/tmp", ".", "the cache is /var/tmp"},
		{"open /var/tmp/a.md", "/tmp", ".", "open /var/tmp/a.md"},
		{"push to file:///w/remote.git", "/w", ".", "push to file:///w/remote.git"},
		{"ssh host:/w/remote.git", "/w", ".", "ssh host:/w/remote.git"},
		{"--root=/w/wiki", "/w", ".", "--root=wiki"},
	} {
		if got := shortened(filepath.FromSlash(c.text), filepath.FromSlash(c.dir), filepath.FromSlash(c.short)); got != filepath.FromSlash(c.want) {
			t.Errorf("%q in %s as %s is %q, not %q", c.text, c.dir, c.short, got, c.want)
		}
	}
}
