package compiler_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
)

// compiled is a wiki of some files with limits.
func compiled(t *testing.T, limits schema.Limits, files map[string]string) *compiler.Wiki {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	ws, err := compiler.Detect(dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	ws.Config.Limits = limits
	w, err := compiler.Compile(t.Context(), ws, compiler.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func paths(w *compiler.Wiki) string {
	var out []string
	for _, p := range w.Pages() {
		out = append(out, p.Path)
	}
	return strings.Join(out, " ")
}

func TestFoldersBelowTheDepthLimitAreNotRead(t *testing.T) {
	t.Parallel()
	w := compiled(t, schema.Limits{Depth: 2}, map[string]string{"a.md": "", "b/c/d.md": "", "b/c/e/f.md": "", "b/c/e/g/h.md": "", "b/c/i/j.md": ""})
	if got := paths(w); got != "a.md b/c/d.md" {
		t.Errorf("pages: %s", got)
	}
	if u := w.Unread(); len(u) != 2 || u[0].Path != "b/c/e" || u[1].Path != "b/c/i" || u[0].Limit != "limits.depth" || !strings.Contains(u[0].Why, "limits.depth (2)") {
		t.Errorf("unread: %+v", u)
	}
	next, err := w.WithOverlay(context.Background(), compiler.Overlay{"b/c/k/l.md": []byte("# New\n"), "b/m.md": []byte("# New\n")})
	if err != nil {
		t.Fatal(err)
	}
	if got := paths(next); got != "a.md b/c/d.md b/m.md" || len(next.Unread()) != 2 {
		t.Errorf("with an overlay: %s; unread: %+v", got, next.Unread())
	}
}

// TestPagesBeyondTheSizeOfTheWikiAreNotRead shows that it is the last ones in
// order of path, however many are read at once, and that each says so.
func TestPagesBeyondTheSizeOfTheWikiAreNotRead(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 30 {
		files[fmt.Sprintf("p%02d.md", i)] = strings.Repeat("x", 100)
	}
	w := compiled(t, schema.Limits{WikiBytes: 1050}, files)
	read := 0
	for i, p := range w.Pages() {
		beyond := len(p.Faults) == 1 && p.Faults[0].Kind == schema.FaultUnreadable && strings.Contains(p.Faults[0].Message, "limits.wiki_bytes (1050)")
		if beyond != (i >= 10) || beyond && len(p.Source) > 0 {
			t.Errorf("%s: %d bytes, %+v", p.Path, len(p.Source), p.Faults)
		}
		if !beyond {
			read++
		}
	}
	if len(w.Pages()) != 30 || read != 10 {
		t.Errorf("%d of %d pages were read", read, len(w.Pages()))
	}
	if w := compiled(t, schema.Limits{WikiBytes: 3000}, files); len(w.Pages()[29].Faults) > 0 {
		t.Errorf("a wiki at its limit: %+v", w.Pages()[29].Faults)
	}
}

func TestPagesBeyondTheLinksOfTheWikiAreNotRead(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 30 {
		files[fmt.Sprintf("p%02d.md", i)] = strings.Repeat("[[a]] ", 7)
	}
	w := compiled(t, schema.Limits{WikiLinks: 70}, files)
	for i, p := range w.Pages() {
		beyond := len(p.Faults) == 1 && strings.Contains(p.Faults[0].Message, "limits.wiki_links (70)")
		if beyond != (i >= 10) || beyond && len(p.Links) > 0 {
			t.Errorf("%s: %d links, %+v", p.Path, len(p.Links), p.Faults)
		}
	}
}

func TestAPageOfMoreThanTheHardLimitIsNotRead(t *testing.T) {
	t.Parallel()
	w := compiled(t, schema.Limits{}, map[string]string{"big.md": "x"})
	if err := os.Truncate(filepath.Join(w.Workspace().Root, "big.md"), schema.MaxPageFile+1); err != nil {
		t.Fatal(err)
	}
	w, err := w.Recompile(t.Context(), []string{"big.md"})
	if err != nil {
		t.Fatal(err)
	}
	if p := w.Pages()[0]; len(p.Source) > 0 || len(p.Faults) != 1 || !strings.Contains(p.Faults[0].Message, fmt.Sprint(schema.MaxPageFile)) {
		t.Errorf("%d bytes, %+v", len(p.Source), p.Faults)
	}
}
