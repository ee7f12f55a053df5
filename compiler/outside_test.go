package compiler_test

import (
	"path/filepath"
	"testing"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
)

func TestReadOutside(t *testing.T) {
	t.Parallel()
	dir := compilertest.Write(t, "-- wiki.yaml --\nroot: docs/wiki\nlimits: {page_bytes: 100}\n-- docs/wiki/a.md --\n# A\n-- agents/B.md --\n---\ntype: x\n---\n# B\n\n- [[a]]\n"+
		"-- agents/long.md --\n"+string(make([]byte, 200))+"\n-- agents/C.md/x.md --\nx\n")
	ws, err := compiler.Detect(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	w, err := compiler.Compile(t.Context(), ws, compiler.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b := w.ReadOutside("agents/B.md")
	if b == nil || b.Path != "../../agents/B.md" || b.Title != "B" || b.Meta.Type != "x" || len(b.Links) != 1 {
		t.Errorf("read %+v", b)
	}
	for _, p := range []string{"agents/b.md", "agents/none.md", "agents/long.md", "agents/C.md", "docs/wiki/a.md", "../" + filepath.Base(dir) + "/agents/B.md"} {
		if got := w.ReadOutside(p); got != nil {
			t.Errorf("%s was read: %s", p, got.Path)
		}
	}
}
