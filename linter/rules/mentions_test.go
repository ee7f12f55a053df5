package rules

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

// Mentions are listed for the pages that are named: one per page, and none that a page
// suppresses or that it links beside.
func TestResultListsEachMention(t *testing.T) {
	t.Parallel()
	w := compilertest.Compile(t, compilertest.Write(t, `-- write-cache.md --
# Write cache

Text.
-- a.md --
# Aaa

The write cache is full. The write cache is empty.
-- b.md --
# Bbb

Ask the Write cache.
-- c.md --
# Ccc

<!-- wiki-lint-disable unlinked-mention -- it is another one -->
Ask the Write cache.
-- d.md --
# Ddd

Ask the [[Write cache]], or the Write cache.
`))
	res, err := linter.Run(t.Context(), w, linter.Config{Only: []string{"unlinked-mention"}})
	if err != nil {
		t.Fatal(err)
	}
	want := []schema.Mention{
		{Path: "a.md", Span: schema.Span{Start: 11, End: 22}, Of: "write-cache.md"},
		{Path: "b.md", Span: schema.Span{Start: 15, End: 26}, Of: "write-cache.md"},
	}
	if diff := cmp.Diff(want, res.Mentions); diff != "" {
		t.Errorf("mentions (-want +got):\n%s", diff)
	}
}
