package source_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/source"
)

// TestOutcomesAreKept holds that git is not asked twice.
func TestOutcomesAreKept(t *testing.T) {
	t.Parallel()
	r := newRepository(t, citedCode)
	r.edit("src/limits.go", "retries = 3", "retries = 5")
	want := r.cited()
	files, _ := filepath.Glob(filepath.Join(r.dir, ".loopwiki", "cache", "lines-*.json"))
	if len(files) != 1 || want == "" {
		t.Fatalf("caches %q, and %q", files, want)
	}
	data, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(files[0], []byte(strings.Replace(string(data), "const retries = 3", "it was kept", 1)), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := r.cited(); got != strings.Replace(want, "const retries = 3", "it was kept", 1) {
		t.Errorf("got %s", got)
	}
}

// TestForgedCache holds that places which no page has, in a cache that somebody else
// wrote, are found out again.
func TestForgedCache(t *testing.T) {
	t.Parallel()
	r := newRepository(t, citedCode+"-- wiki/quote.md --\n# Quote\n\nIn src/limits.go:\n\n```go\nfunc listen(port int) error {\n```\n")
	r.edit("src/limits.go", "maxBody = 4096", "maxBody = 8192")
	r.edit("src/limits.go", "func listen(port int)", "func listen(port, tries int)")
	quotes := func() int {
		w := r.compile()
		found, err := source.StaleQuotes(t.Context(), w, source.NewCode(w))
		if err != nil {
			t.Fatal(err)
		}
		return len(found)
	}
	want, n := r.cited(), quotes()
	if want == "" || n != 1 {
		t.Fatalf("%q, %d quotes", want, n)
	}
	files, _ := filepath.Glob(filepath.Join(r.dir, ".loopwiki", "cache", "*.json"))
	if len(files) != 2 {
		t.Fatalf("caches: %q", files)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		forged := regexp.MustCompile(`(?i)("(?:start|end|line|from|to)":)\d+`).ReplaceAll(data, []byte("${1}99999999"))
		if string(forged) == string(data) {
			t.Errorf("%s holds no place:\n%s", file, data)
		}
		if err := os.WriteFile(file, forged, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if n := quotes(); n != 1 {
		t.Errorf("%d quotes from a forged cache", n)
	}
	_ = r.cited() // which may say other lines, and does not fail
	if out, err := os.ReadFile(filepath.Join(r.dir, ".loopwiki", "cache", ".gitignore")); err != nil || string(out) != "*\n" {
		t.Errorf("git would see the cache: %q, %v", out, err)
	}
}
