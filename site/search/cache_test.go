package search

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
)

// opened returns the index of the wiki in dir, and whether it had to be compiled.
func opened(tb testing.TB, dir, version string) (*Index, bool) {
	tb.Helper()
	ws, err := compiler.Detect(dir, "")
	if err != nil {
		tb.Fatal(err)
	}
	made := false
	ix, err := Open(tb.Context(), ws, version, func() (*compiler.Wiki, error) {
		made = true
		return compiler.Compile(tb.Context(), ws, compiler.Options{})
	})
	if err != nil {
		tb.Fatal(err)
	}
	return ix, made
}

func TestOpenReindexesChangedPages(t *testing.T) {
	t.Parallel()
	dir := compilertest.Write(t, "-- wiki/a.md --\n# Alpha\n\nOne [link](b.md).\n-- wiki/b.md --\n# Beta\n\nTwo.\n")
	old := time.Now().Add(-time.Hour)
	write := func(name, text string, at time.Time) {
		t.Helper()
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
	}
	cache := func() string {
		t.Helper()
		names, err := filepath.Glob(filepath.Join(dir, ".loopwiki/cache/search-*"))
		if err != nil || len(names) != 1 {
			t.Fatal(names, err)
		}
		return names[0]
	}
	write("wiki/a.md", "# Alpha\n\nOne [link](b.md).\n", old)
	write("wiki/b.md", "# Beta\n\nTwo.\n", old)
	for _, step := range []struct {
		name string
		do   func()
		made bool
		find string // of the one page that has it
	}{
		{"first", func() {}, true, "two"},
		{"second", func() {}, false, "two"},
		{"touched", func() { write("wiki/b.md", "# Beta\n\nTwo.\n", old.Add(time.Minute)) }, false, "two"},
		{"same size", func() { write("wiki/b.md", "# Beta\n\nTen.\n", old.Add(2*time.Minute)) }, true, "ten"},
		{"other size", func() { write("wiki/b.md", "# Beta\n\nThree.\n", old.Add(2*time.Minute)) }, true, "three"},
		{"just now", func() { write("wiki/b.md", "# Beta\n\nSeven.\n", time.Now()) }, true, "seven"},
		{"new", func() { write("wiki/c.md", "# Gamma\n\nFour.\n", old) }, true, "four"},
		{"gone", func() { os.Remove(filepath.Join(dir, "wiki/c.md")) }, true, "one"},
		{"configuration", func() { write("wiki.yaml", "ignore: [other]\n", old) }, true, "one"},
		{"a file beside the pages", func() { write("wiki/b.png", "x", old) }, true, "one"},
		{"again", func() {}, false, "one"},
		{"deleted", func() { os.RemoveAll(filepath.Join(dir, ".loopwiki")) }, true, "one"},
		{"damaged", func() { write(strings.TrimPrefix(cache(), dir), "x", old) }, true, "one"},
	} {
		step.do()
		ix, made := opened(t, dir, "1")
		if made != step.made {
			t.Errorf("%s: compiled is %v", step.name, made)
		}
		if got := find(t, ix, step.find); len(got) != 1 {
			t.Errorf("%s: %q is found in %v", step.name, step.find, got)
		}
	}
	if _, made := opened(t, dir, "2"); !made {
		t.Error("another version of the program uses the index")
	}
}

// TestIndexFromDiskGivesSameResults compares all of an answer: snippets, places, anchors.
func TestIndexFromDiskGivesSameResults(t *testing.T) {
	t.Parallel()
	dir := wikiOf(t, library).Workspace().Dir
	fresh, _ := opened(t, dir, "1")
	kept, made := opened(t, dir, "1")
	if made {
		t.Fatal("compiled twice")
	}
	for _, q := range []string{"token refresh", "tag:auth", "type:component queue", `"is final"`, "知識", "ingest pipeline", "repilcation"} {
		want, err := fresh.Search(t.Context(), q, 20)
		if err != nil {
			t.Fatal(err)
		}
		got, err := kept.Search(t.Context(), q, 20)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q:\n%s", q, diff)
		}
	}
}

// TestOfSharesTheCacheWithOpen takes the index of a compiled wiki from disk if that is of
// the same pages, and leaves one there that Open takes.
func TestOfSharesTheCacheWithOpen(t *testing.T) {
	t.Parallel()
	w := wikiOf(t, library)
	dir := w.Workspace().Dir
	of := func(w *compiler.Wiki) *Index {
		t.Helper()
		ix, err := Of(t.Context(), w, "1")
		if err != nil {
			t.Fatal(err)
		}
		want, err := Build(t.Context(), w)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range []string{"token refresh", "quorum", "zebra"} {
			a, _ := want.Search(t.Context(), q, 20)
			b, err := ix.Search(t.Context(), q, 20)
			if diff := cmp.Diff(a, b); diff != "" || err != nil {
				t.Errorf("%q: %v\n%s", q, err, diff)
			}
		}
		return ix
	}
	of(w)
	if _, made := opened(t, dir, "1"); made {
		t.Error("the index that Of left was not taken")
	}
	if ix := of(w); ix.collector != nil {
		t.Error("the index on disk was not taken")
	}
	kept := of(w)
	page := filepath.Join(w.Workspace().Root, filepath.FromSlash(w.Pages()[0].Path))
	if err := os.WriteFile(page, []byte("# A zebra\n\nQuorum.\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	next, err := w.Recompile(t.Context(), []string{w.Pages()[0].Path})
	if err != nil {
		t.Fatal(err)
	}
	of(w) // which is not what is on disk any more
	if ix, made := opened(t, dir, "1"); !made || len(find(t, ix, "zebra")) != 1 {
		t.Error("the index of an older wiki was taken for that of the pages on disk")
	}
	of(next)
	if err := kept.Update(t.Context(), next, nil); err != nil { // one that came from disk
		t.Fatal(err)
	}
	if got := find(t, kept, "zebra"); len(got) != 1 {
		t.Errorf("after an edit: %v", got)
	}
	hidden, err := next.WithOverlay(t.Context(), compiler.Overlay{w.Pages()[0].Path: nil})
	if err != nil {
		t.Fatal(err)
	}
	if got := find(t, of(hidden), "zebra"); len(got) != 0 {
		t.Errorf("an overlay hides a page, and it is found: %v", got)
	}
	if ix, _ := opened(t, dir, "1"); len(find(t, ix, "zebra")) != 1 {
		t.Error("an overlay reached the cache")
	}
}

func TestOpenAtTheSameTime(t *testing.T) {
	t.Parallel()
	dir := wikiOf(t, library).Workspace().Dir
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			ix, _ := opened(t, dir, "1")
			if got := find(t, ix, "quorum"); len(got) != 1 {
				t.Errorf("found %v", got)
			}
		})
	}
	group.Wait()
	if entries, err := os.ReadDir(filepath.Join(dir, ".loopwiki", "cache")); err != nil || len(entries) != 2 { // the index, and what tells git to leave it alone
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

// TestOpenWithoutACache searches where none can be written: its folder leads out of the
// wiki, or is a file.
func TestOpenWithoutACache(t *testing.T) {
	t.Parallel()
	for name, make := range map[string]func(string) error{
		"a file": func(at string) error { return os.WriteFile(at, nil, 0o666) },
		"a link": func(at string) error { return os.Symlink(t.TempDir(), at) },
	} {
		dir := wikiOf(t, library).Workspace().Dir
		if err := make(filepath.Join(dir, ".loopwiki")); err != nil {
			t.Fatal(err)
		}
		for range 2 {
			ix, made := opened(t, dir, "1")
			if got := find(t, ix, "quorum"); len(got) != 1 || !made {
				t.Errorf("%s: found %v, compiled is %v", name, got, made)
			}
		}
	}
}

// FuzzDecoder checks that no data on disk crashes the program.
func FuzzDecoder(f *testing.F) {
	x := NewCollector()
	e := encoder{}
	e.page(&page{ID: "a", Path: "a.md", Title: "A", Names: [][]string{{"a"}}, Sections: []compiler.Section{{Heading: "H", ID: "h", Text: "Some text."}}})
	e.table(x.invert([]*Analyzed{x.Analyze(Document{Title: "A", Sections: []compiler.Section{{Heading: "H", Text: "Some text of it."}}})}))
	f.Add(e.b)
	f.Fuzz(func(t *testing.T, b []byte) {
		d := decoder{string(b), 10_000}
		p := &page{}
		d.page(p)
		if kept := d.table(1); kept != nil {
			s := &snapshot{pages: []*page{p}, table: func() *table { return kept }}
			ix := &Index{}
			ix.now.Store(s)
			if _, err := ix.Search(t.Context(), `text "some text" tag:a h`, 5); err != nil {
				t.Fatal(err)
			}
		}
	})
}
