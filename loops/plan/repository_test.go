package plan

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/loopwiki/wiki/schema"
)

func TestFind(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	outside := filepath.Join(t.TempDir(), "secret.md")
	for name, text := range map[string]string{
		filepath.Join(dir, "plans", "2026-07-a.md"): "---\ntitle: A\n---\n", filepath.Join(dir, "plans", "README.md"): "# Plans\n",
		filepath.Join(dir, "draft.md"): "---\ntitle: Draft\n---\n", outside: "---\ntitle: Secret\n---\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	linked := os.Symlink(outside, filepath.Join(dir, "linked.md")) == nil
	b, err := OpenBook(context.Background(), dir, func(string) (Runs, error) {
		return LastRuns{"plans/2026-07-a.md": {ID: "r1", Status: "waiting"}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	plans := filepath.Join(dir, "plans")
	for _, tt := range []struct{ from, typed, title string }{
		{dir, "plans/2026-07-a.md", "A"}, {plans, "2026-07-a.md", "A"}, {plans, "2026-07-a", "A"}, {plans, "plans/2026-07-a.md", "A"},
		{plans, filepath.Join("..", "draft.md"), "Draft"}, {plans, filepath.Join(dir, "draft.md"), "Draft"},
		{dir, "b", ""}, {dir, outside, ""}, {dir, filepath.Join("..", filepath.Base(filepath.Dir(outside)), "secret.md"), ""},
	} {
		if f, ok := b.Find(tt.from, tt.typed); ok != (tt.title != "") || ok && f.Plan.Title != tt.title {
			t.Errorf("%s in %s: %v, %+v", tt.typed, tt.from, ok, f.Plan)
		}
	}
	if f, ok := b.Find(dir, "linked.md"); linked && ok {
		t.Errorf("a link leads out: %+v", f.Plan)
	}
	if len(b.Files) != 1 || b.Unknown == nil {
		t.Errorf("%d plans, %v", len(b.Files), b.Unknown)
	}
	if status, why := b.Status(b.Files[0]); status != Blocked || why != "run r1 waits for a person" || len(b.Open()) != 1 {
		t.Errorf("%s, %s", status, why)
	}
	if _, ok := (LastRuns{"a": schema.RunSummary{}}).Latest("b"); ok {
		t.Error("a run of another plan")
	}
}
