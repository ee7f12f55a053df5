package importer_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/compiler/exchange/importer"
	"github.com/loopwiki/wiki/compiler/exchange/okf"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/schematest"
)

// TestMain has the many wikis that are written here in memory.
func TestMain(m *testing.M) { os.Exit(schematest.InMemory(m).Run()) }

// take imports a folder into a new wiki and returns its root.
func take(tb testing.TB, format, src string) (string, *importer.Import) {
	tb.Helper()
	root := filepath.Join(tb.TempDir(), "wiki")
	im, err := importer.Plan(tb.Context(), importer.Options{Format: format, Source: src, Root: root, Into: "."})
	if err != nil {
		tb.Fatal(err)
	}
	if err := im.Write(); err != nil {
		tb.Fatal(err)
	}
	return root, im
}

// again imports the same folder once more, which changes nothing.
func again(t *testing.T, format, src, root string) {
	t.Helper()
	ws, err := compiler.Detect(root, ".")
	if err != nil {
		t.Fatal(err)
	}
	im, err := importer.Plan(t.Context(), importer.Options{Format: format, Source: src, Target: ws, Root: root, Into: "."})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range im.Files {
		if f.State != importer.Same {
			t.Errorf("imported again, %s is %s", f.Path, f.State)
		}
	}
}

// bundle writes the OKF bundle of a wiki to a new folder.
func bundle(tb testing.TB, w *compiler.Wiki) (string, *okf.Bundle) {
	tb.Helper()
	b, err := okf.New(tb.Context(), w, okf.Options{Private: true})
	if err != nil {
		tb.Fatal(err)
	}
	dir := tb.TempDir()
	for _, f := range b.Files {
		data := f.Data
		if f.From != "" {
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
	return dir, b
}

// tree returns the files below a folder.
func tree(tb testing.TB, dir string) map[string]string {
	tb.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		out[filepath.ToSlash(rel)] = string(b)
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return out
}

// edges are the links between pages, in bodies, by paths that name maps.
func edges(w *compiler.Wiki, name func(string) string) []string {
	out := map[string]bool{}
	for _, p := range w.Pages() {
		for l, res := range w.Links(p) {
			if res.Kind == schema.TargetPage && res.Page != p.ID && l.Field == "" {
				out[name(p.Path)+" -> "+name(res.Path)] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(out))
}

func same(p string) string { return p }

// roundTrip exports a wiki as OKF, imports and exports it again.
func roundTrip(t *testing.T, w *compiler.Wiki) {
	t.Helper()
	first, b := bundle(t, w)
	root, _ := take(t, "okf", first)
	again(t, "okf", first, root)
	imported := compilertest.Compile(t, root)
	second, _ := bundle(t, imported)
	if diff := cmp.Diff(tree(t, first), tree(t, second)); diff != "" {
		t.Errorf("export, import, export:\n%.2000s", diff)
	}
	name := func(p string) string {
		if to := b.Names[p]; to != "" {
			return to
		}
		return p
	}
	after := slices.DeleteFunc(edges(imported, same), func(e string) bool { // of an index that the bundle brings
		return (w.Page("index") == nil || b.Names["index.md"] != "") && (strings.HasPrefix(e, "index.md -> ") || strings.HasSuffix(e, " -> index.md"))
	})
	if diff := cmp.Diff(edges(w, name), after); diff != "" {
		t.Errorf("other links:\n%.2000s", diff)
	}
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
			roundTrip(t, compilertest.Compile(t, schematest.Shared(t, c.Path)))
		})
	}
}

// names are hard to link to in one syntax or another.
var names = []string{"index", "log", "a", "b", "A note", "x/index", "x/a", "x/y/a", "x/log", "y/ünï", "y/a (b)", "y/50%", "日本/語", "y/it's", "c#d", "raw/source"}

// generated writes a random wiki: pages in folders, with links of all kinds to each other.
func generated(tb testing.TB, seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 1))
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	var archive strings.Builder
	for _, name := range names {
		if r.IntN(5) == 0 {
			continue
		}
		fmt.Fprintf(&archive, "-- %s.md --\n", name)
		if r.IntN(2) == 0 {
			archive.WriteString("---\n")
			for _, line := range []string{"title: \"T: 1\"", "status: wip", "status: reviewed", "tags: one, two", "expires: 2027-01-02", "verified: 2026-01-02", "verified: {by: human:x, at: 2026-01-02}",
				"sources: [raw/source.md, https://example.org/a]", "sources:\n  - \"[[raw/source]]\"\n  - {title: Talk}", "summary: Short", "generated: yes", "related: \"[[a]]\"", "type: [x]", "kind: concept", "description: |\n  Two\n  lines"} {
				if key, _, _ := strings.Cut(line, ":"); r.IntN(4) == 0 && !strings.Contains(archive.String()[strings.LastIndex(archive.String(), "---\n"):], key+":") {
					archive.WriteString(line + "\n")
				}
			}
			archive.WriteString("---\n")
		}
		archive.WriteString(pick("# Head\n\n", "", "Text\n\n## [2026-01-02] ingest | Things\n\n## [2026-02-02] lint\n\n- one\n\n"))
		for range r.IntN(8) {
			to := pick(names...)
			link := pick("[[TO]] ", "- [[TO|label]]\n", "![[TO]]\n\n", "[text](<TO.md>) ", "[[BASE]] ", "[[TO#Head]] ", "[ref][rN]\n\n[rN]: </TO.md>\n\n",
				"| a |\n|---|\n| [[TO\\|x]] |\n\n", "[[missing page]] ", "%% [[TO]] %%\n", "`[[TO]]` ", "> [!note] [[TO]]\n\n")
			archive.WriteString(strings.NewReplacer("TO", to, "BASE", to[strings.LastIndexByte(to, '/')+1:], "N", fmt.Sprint(r.IntN(1000))).Replace(link))
		}
		archive.WriteString("\n")
	}
	return compilertest.Write(tb, archive.String())
}

// TestRoundTripOfGeneratedWikis found what no corpus has: links to an index that only the
// bundle brings, and definitions from the root.
func TestRoundTripOfGeneratedWikis(t *testing.T) {
	t.Parallel()
	for seed := uint64(0); seed < 60; seed += uint64(schematest.Every(1, 5)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			roundTrip(t, compilertest.Compile(t, generated(t, seed)))
		})
	}
}
