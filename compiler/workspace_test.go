package compiler_test

import (
	"path/filepath"
	"testing"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
)

// Without a repository a wiki above is the one meant only by who is in it.
func TestDetectAboveWithoutGit(t *testing.T) {
	t.Parallel()
	dir := compilertest.Write(t, `
-- vault/.obsidian/app.json --
{}
-- vault/Home.md --
[[Deep]]
-- vault/notes/deep/Deep.md --
[[Home]]
-- project/wiki.yaml --
root: pages
-- project/pages/index.md --
[[a]]
-- project/pages/sub/a.md --
A
-- project/notes/n.md --
Not of the wiki.
-- plain/wiki/index.md --
[[a]]
-- plain/wiki/sub/a.md --
A
-- plain/journal/day.md --
Not of the wiki.
-- plain/wiki/own/wiki.yaml --
title: Its own
-- plain/wiki/own/b.md --
B
`)
	for _, c := range []struct{ from, root string }{
		{"vault/notes/deep", "vault"},
		{"vault/notes", "vault"},
		{"project", "project/pages"},
		{"project/pages/sub", "project/pages"},
		{"project/notes", "project/notes"},
		{"plain/wiki/sub", "plain/wiki"},
		{"plain/journal", "plain/journal"},
		{"plain/wiki/own", "plain/wiki/own"},
	} {
		ws, err := compiler.Detect(filepath.Join(dir, filepath.FromSlash(c.from)), "")
		if err != nil {
			t.Fatal(err)
		}
		if want := filepath.Join(dir, filepath.FromSlash(c.root)); ws.Root != want {
			t.Errorf("from %s the root is %s, want %s", c.from, ws.Root, want)
		}
	}
}
