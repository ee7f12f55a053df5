package compiler_test

import (
	"slices"
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
)

// A site that was built below the root holds copies of the pages; they are no
// pages of the wiki, or every build would double it.
func TestBuiltSitesAreNotPages(t *testing.T) {
	t.Parallel()
	dir := compilertest.Write(t, `
-- Home.md --
[[a]]
-- a.md --
A
-- _site/.wiki-build.json --
{}
-- _site/a.md --
A
-- _site/sub/b.md --
B
-- other/a2.md --
Not built.
`)
	w := compilertest.Compile(t, dir)
	if got := len(w.Pages()); got != 3 {
		t.Errorf("%d pages, want Home, a and other/a2", got)
	}
	if got := w.Files(); len(got) != 0 {
		t.Errorf("files: %q", got)
	}
}

// Templates are not pages, but vaults have pages that link to them.
func TestTemplatesAreLinkedTo(t *testing.T) {
	t.Parallel()
	dir := compilertest.Write(t, `
-- Home.md --
[[Meeting]] [[Daily]] [[Templates/Daily]] [m](Templates/Meeting.md) [[gone]]
-- notes/Meeting.md --
A page of a template's name.
-- Templates/Meeting.md --
{{date}}
-- Templates/Daily.md --
{{date}} [[nowhere]]
`)
	w := compilertest.Compile(t, dir)
	if got := len(w.Pages()); got != 2 {
		t.Errorf("%d pages, want Home and notes/Meeting", got)
	}
	want := []string{"notes/Meeting.md", "Templates/Daily.md", "Templates/Daily.md", "Templates/Meeting.md", ""}
	var got []string
	for _, r := range w.Links(w.Page("Home")) {
		if len(r.Candidates) > 0 {
			t.Errorf("%s is one of several: %q", r.Path, r.Candidates)
		}
		got = append(got, r.Path)
	}
	if !slices.Equal(got, want) {
		t.Errorf("links lead to %q, want %q", got, want)
	}
}
