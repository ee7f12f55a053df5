package edit_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/compiler/edit"
	"github.com/loopwiki/wiki/schema"
)

func TestRelock(t *testing.T) {
	t.Parallel()
	const lock = `# wiki.lock v1
a.md | src/a.go#F | tok=0000000000000001 sig=0000000000000002 lit=0000000000000003 | reviewed=0000000000000004 | 2026-01-02
a.md#how | wiki/raw/b.md:3-4 | tok=0000000000000001 sig=0000000000000002 lit=0000000000000003 | reviewed=0000000000000004 | 2026-01-02
c.md | src/a.go | tok=0000000000000001 sig=0000000000000002 lit=0000000000000003 | reviewed=0000000000000004 | 2026-01-02
`
	const want = `# wiki.lock v1
c.md | src/a.go | tok=0000000000000001 sig=0000000000000002 lit=0000000000000003 | reviewed=0000000000000004 | 2026-01-02
x/a.md | src/a.go#F | tok=0000000000000001 sig=0000000000000002 lit=0000000000000003 | reviewed=0000000000000004 | 2026-01-02
x/a.md#how | wiki/raw/d.md:3-4 | tok=0000000000000001 sig=0000000000000002 lit=0000000000000003 | reviewed=0000000000000004 | 2026-01-02
`
	dir := compilertest.Write(t, "-- wiki/wiki.yaml --\ntitle: T\n-- wiki/a.md --\n# A\n-- wiki/wiki.lock --\n"+lock)
	ws := compilertest.Compile(t, filepath.Join(dir, "wiki")).Workspace()
	moves := []schema.Move{{From: "a.md", To: "x/a.md"}, {From: "raw/b.md", To: "raw/d.md"}}
	for _, again := range []bool{false, true} {
		if changed, err := edit.Relock(ws, moves); err != nil || changed == again {
			t.Fatalf("changed %v, %v", changed, err)
		}
		got, err := os.ReadFile(filepath.Join(dir, "wiki", "wiki.lock"))
		check(t, err)
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	check(t, os.WriteFile(filepath.Join(dir, "wiki", "wiki.lock"), []byte("nonsense"), 0o666))
	if _, err := edit.Relock(ws, moves); err == nil {
		t.Error("a lock that can not be read was taken")
	}
	check(t, os.Remove(filepath.Join(dir, "wiki", "wiki.lock")))
	if changed, err := edit.Relock(ws, moves); changed || err != nil {
		t.Errorf("without a lock: %v, %v", changed, err)
	}
}
