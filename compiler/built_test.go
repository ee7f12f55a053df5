package compiler_test

import (
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
)

// A site that was built below the root holds copies of the pages; they are no
// pages of the wiki, or every build would double it.
func TestBuiltSitesAreNoPages(t *testing.T) {
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
