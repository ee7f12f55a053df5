package okf_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/compiler/exchange/okf"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/schematest"
)

// TestMain has the many wikis that are written here in memory.
func TestMain(m *testing.M) { os.Exit(schematest.InMemory(m).Run()) }

func export(tb testing.TB, w *compiler.Wiki, private bool) *okf.Bundle {
	tb.Helper()
	b, err := okf.New(tb.Context(), w, okf.Options{Private: private})
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

// unpack writes a bundle to disk.
func unpack(tb testing.TB, w *compiler.Wiki, b *okf.Bundle) string {
	tb.Helper()
	dir := tb.TempDir()
	for _, f := range b.Files {
		data := f.Data
		if f.From != "" {
			var err error
			if data, err = os.ReadFile(filepath.Join(w.Workspace().Root, filepath.FromSlash(f.From))); err != nil {
				tb.Fatal(err)
			}
		}
		full := filepath.Join(dir, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(full, data, 0o644); err != nil {
			tb.Fatal(err)
		}
	}
	return dir
}

// edges are the pairs of pages of which one links to the other in its body, by their
// paths in the bundle.
func edges(w *compiler.Wiki, names map[string]string) []string {
	name := func(p string) string {
		if to := names[p]; to != "" {
			return to
		}
		return p
	}
	var out []string
	for _, p := range w.Pages() {
		for l, res := range w.Links(p) {
			if res.Kind == schema.TargetPage && res.Page != p.ID && l.Field == "" {
				out = append(out, name(p.Path)+" -> "+name(res.Path))
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// roundTrip checks what holds for the bundle of every wiki.
func roundTrip(t *testing.T, w *compiler.Wiki, private bool) *okf.Bundle {
	t.Helper()
	b := export(t, w, private)
	for _, fault := range conformance(b) {
		t.Error(fault)
	}
	again := compilertest.Compile(t, unpack(t, w, b))
	second := export(t, again, private)
	was, now := map[string]string{}, map[string]string{}
	for _, f := range b.Files {
		was[f.Path] = string(f.Data)
	}
	for _, f := range second.Files {
		now[f.Path] = string(f.Data)
	}
	if diff := cmp.Diff(was, now); diff != "" {
		t.Errorf("the bundle of the bundle differs:\n%.3000s", diff)
	}
	before, after := edges(w, b.Names), edges(again, nil)
	if !private {
		before = slices.DeleteFunc(before, func(e string) bool {
			from, to, _ := strings.Cut(e, " -> ")
			return now[from] == "" || now[to] == ""
		})
	}
	var own []string // an index that the bundle brings links to all
	for _, e := range after {
		if w.Page("index") != nil || !strings.HasPrefix(e, "index.md -> ") {
			own = append(own, e)
		}
	}
	if diff := cmp.Diff(before, own); diff != "" {
		t.Errorf("other links:\n%.3000s", diff)
	}
	return b
}

func TestRoundTripOfCorpora(t *testing.T) {
	t.Parallel()
	for _, c := range compilertest.Corpora {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			if c.Name == "codebase" {
				schematest.NeedThorough(t, "369 pages without wikilinks or front matter")
				if testing.Short() {
					t.Skip("takes minutes under the race detector, and nothing runs side by side")
				}
			}
			w := compilertest.Compile(t, schematest.Shared(t, c.Path))
			b := roundTrip(t, w, false)
			roundTrip(t, w, true)
			t.Logf("%d pages, %d files, %d notes, %d edges", len(w.Pages()), len(b.Files), len(b.Notes), len(edges(w, nil)))
			for _, n := range b.Notes {
				t.Log(n)
			}
			if !bytes.Equal(bytes.Join(data(b), nil), bytes.Join(data(export(t, w, false)), nil)) {
				t.Error("two exports differ")
			}
		})
	}
}

func data(b *okf.Bundle) (out [][]byte) {
	for _, f := range b.Files {
		out = append(out, []byte(f.Path), f.Data)
	}
	return out
}
