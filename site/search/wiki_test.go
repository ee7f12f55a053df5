package search

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/loopwiki/wiki/compiler"
)

// wikiOf compiles files, given by their path.
func wikiOf(tb testing.TB, files map[string]string) *compiler.Wiki {
	tb.Helper()
	dir := tb.TempDir()
	for name, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o666); err != nil {
			tb.Fatal(err)
		}
	}
	ws, err := compiler.Detect(dir, ".")
	if err != nil {
		tb.Fatal(err)
	}
	w, err := compiler.Compile(context.Background(), ws, compiler.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return w
}
