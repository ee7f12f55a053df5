package rebuild

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/loopwiki/wiki/compiler"
)

// TestTrustsNoFileThatWasJustChanged has a file whose next change could leave it with the
// same size and time.
func TestTrustsNoFileThatWasJustChanged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	page := filepath.Join(dir, "index.md")
	if err := os.WriteFile(page, []byte("# A\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(dir, "_site")
	for _, c := range []struct {
		changed time.Duration
		known   bool
	}{{0, false}, {time.Hour, true}, {-time.Hour, false}} {
		at := time.Now().Add(-c.changed)
		if err := os.Chtimes(page, at, at); err != nil {
			t.Fatal(err)
		}
		ws, err := compiler.Detect(dir, "")
		if err != nil {
			t.Fatal(err)
		}
		check := Observe(t.Context(), ws, out)
		check.Keep(nil, []string{"done"})
		if _, same := Observe(t.Context(), ws, out).Unchanged(nil); same != c.known {
			t.Errorf("changed %v ago: unchanged is %v", c.changed, same)
		}
		if err := os.RemoveAll(filepath.Join(dir, ".loopwiki")); err != nil {
			t.Fatal(err)
		}
	}
}
