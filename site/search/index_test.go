package search

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
)

func find(tb testing.TB, ix *Index, query string) []string {
	tb.Helper()
	res, err := ix.Search(tb.Context(), query, 50)
	if err != nil {
		tb.Fatal(err)
	}
	if res.Total != len(res.Results) {
		tb.Errorf("%q: total %d, results %d", query, res.Total, len(res.Results))
	}
	out := paths(res)
	slices.Sort(out)
	return out
}

func TestUpdate(t *testing.T) {
	t.Parallel()
	files := maps.Clone(library)
	ix := buildLibrary(t)
	update := func(changed ...schema.PageID) {
		t.Helper()
		if err := ix.Update(t.Context(), wikiOf(t, files), changed); err != nil {
			t.Fatal(err)
		}
	}
	expect := func(query string, want ...string) {
		t.Helper()
		if diff := cmp.Diff(append([]string{}, want...), find(t, ix, query)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", query, diff)
		}
	}

	expect("zanzibar", "cron")
	files["20_SYSTEM/cron.md"] = "# Cron\n\nNightly jobs. Madagascar.\n"
	update("20_SYSTEM/cron")
	expect("zanzibar")
	expect("madagascar", "cron")

	delete(files, "20_SYSTEM/cron.md")
	update("20_SYSTEM/cron")
	expect("madagascar")
	expect("type:component", "ingest", "old-ingest")

	files["new.md"] = "---\ntags: fresh\n---\n# New\n\nMadagascar again.\n"
	update("new")
	expect("madagascar", "new")
	expect("tag:fresh", "new")

	// A change without a notification is found too.
	files["new.md"] = "# New\n\nSomewhere else.\n"
	update()
	expect("madagascar")
	expect("tag:fresh")

	delete(files, "10_DOMAIN/consensus.md")
	update()
	expect("quorum")
}

func TestUpdateOfUnchangedPages(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"a.md": "# Alpha beta\n\nGamma.\n",
		"b.md": "# Alpha delta\n\nGamma gamma gamma gamma gamma gamma.\n",
	}
	ix, err := Build(t.Context(), wikiOf(t, files))
	if err != nil {
		t.Fatal(err)
	}
	first := func() Result {
		t.Helper()
		res, err := ix.Search(t.Context(), "alpha", 5)
		if err != nil || len(res.Results) != 2 {
			t.Fatal(res, err)
		}
		return res.Results[0]
	}
	if r := first(); r.Path != "a.md" || r.Status != "" {
		t.Errorf("first is %+v", r)
	}
	files["a.md"] = "---\nstatus: superseded\n---\n" + files["a.md"]
	w := wikiOf(t, files)
	if err := ix.Update(t.Context(), w, nil); err != nil {
		t.Fatal(err)
	}
	if r := first(); r.Path != "b.md" {
		t.Errorf("first is %+v, want b.md", r)
	}
}

func TestUpdateStopsWithItsContext(t *testing.T) {
	t.Parallel()
	ix := buildLibrary(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	files := maps.Clone(library)
	files["new.md"] = "# New\n\nMadagascar.\n"
	if err := ix.Update(ctx, wikiOf(t, files), nil); err == nil {
		t.Error("no error")
	}
	if got := find(t, ix, "quorum"); !slices.Equal(got, []string{"consensus"}) {
		t.Errorf("after an update that was given up: %v", got)
	}
	if err := ix.Update(t.Context(), wikiOf(t, files), nil); err != nil {
		t.Fatal(err)
	}
	if got := find(t, ix, "madagascar"); !slices.Equal(got, []string{"new"}) {
		t.Errorf("after the next update: %v", got)
	}
}

func TestSearchDuringUpdates(t *testing.T) {
	t.Parallel()
	ix := buildLibrary(t)
	var group sync.WaitGroup
	stop := make(chan struct{})
	for range 3 {
		group.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				res, err := ix.Search(t.Context(), "edition token", 10)
				if err != nil {
					t.Error(err)
					return
				}
				for _, r := range res.Results {
					checkSnippet(t, r.Snippet, r.Matches)
				}
			}
		})
	}
	files := maps.Clone(library)
	for i := range 30 {
		files["index.md"] = fmt.Sprintf("# Handbook\n\nEdition %d of the token.\n", i)
		if i%3 == 0 {
			files["extra.md"] = "# Extra\n\nEdition of tokens.\n"
		} else {
			delete(files, "extra.md")
		}
		if err := ix.Update(t.Context(), wikiOf(t, files), nil); err != nil {
			t.Fatal(err)
		}
	}
	close(stop)
	group.Wait()
}

// FuzzSearch checks that no query is an error and no answer malformed.
func FuzzSearch(f *testing.F) {
	for _, q := range []string{
		"token", `"`, `"a`, `tag:`, `tag:"two words"`, `type:"`, "a*b?c~2^3", "+x -y", "field:value", `\`, "((", "/re[/",
		"\x00", "\xff\xfe", "知", "知識", "ｺﾝﾊﾟ", "tag:#", "tag:/", "::", "a:b:c", strings.Repeat("a", 3000),
		strings.Repeat("ab ", 1000), strings.Repeat(`"`, 99), strings.Repeat("é", 41), "İ ǅ ß ﬁ", "_", "__ .. ::", "'s", "…",
		`“curly”`, "「知識」", "tag:auth token", "- token",
	} {
		f.Add(q, 5)
	}
	f.Add("token", -1)
	f.Add("token", 1<<40)
	ix := buildLibrary(f)
	f.Fuzz(func(t *testing.T, query string, n int) {
		res, err := ix.Search(t.Context(), query, n)
		if err != nil {
			t.Fatal(err)
		}
		if res.Results == nil || res.Total < len(res.Results) {
			t.Fatalf("total %d, results %v", res.Total, res.Results)
		}
		last := 1.0
		for _, r := range res.Results {
			if r.Score > last || r.Score < 0 || r.Path == "" {
				t.Fatalf("%+v after %v", r, last)
			}
			last = r.Score
			checkSnippet(t, r.Snippet, r.Matches)
		}
	})
}

// generated is a wiki of n pages of about 3 KB, its words spread as in
// running text.
func generated(tb testing.TB, n int) *compiler.Wiki {
	tb.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(r, 1.1, 4, 40000)
	word := func() string {
		var b strings.Builder
		for v := zipf.Uint64() + 30; v > 0; v /= 20 {
			b.WriteByte("bcdfghjklmnpqrstvwxz"[v%20])
			b.WriteByte("aeiou"[v%5])
		}
		return b.String()
	}
	files := make(map[string]string, n)
	for i := range n {
		var b strings.Builder
		fmt.Fprintf(&b, "# %s %s %s\n", word(), word(), word())
		for range 6 {
			fmt.Fprintf(&b, "\n## %s %s\n\n", word(), word())
			for range 80 {
				b.WriteString(word())
				b.WriteByte(' ')
			}
		}
		files[fmt.Sprintf("%02d/page-%05d.md", i%100, i)] = b.String()
	}
	return wikiOf(tb, files)
}

func BenchmarkBuild10k(b *testing.B) {
	w := generated(b, 10_000)
	for b.Loop() {
		ix, err := Build(context.Background(), w)
		if err != nil {
			b.Fatal(err)
		}
		ix.Close()
	}
}

func BenchmarkSearch10k(b *testing.B) {
	w := generated(b, 10_000)
	ix, err := Build(context.Background(), w)
	if err != nil {
		b.Fatal(err)
	}
	for _, q := range []string{"boda", "bo", "b", "boda fada", "bdoa", `"boda boda"`, "qqqqqqqqqq xxxxxxxxx", "boda fada gada hada jada kada lada mada"} {
		b.Run(q, func(b *testing.B) {
			for b.Loop() {
				if _, err := ix.Search(context.Background(), q, 10); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("update", func(b *testing.B) {
		for b.Loop() {
			if err := ix.Update(context.Background(), w, []schema.PageID{w.Pages()[7].ID}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// TestLargePagesAreSearchedUpToALimit shows which bytes of which pages are left out.
func TestLargePagesAreSearchedUpToALimit(t *testing.T) {
	t.Parallel()
	var archive strings.Builder
	archive.WriteString("-- small.md --\n# Small\n\nneedle\n")
	large := strings.Repeat("many words ", 500_000) // 5.5 MB
	for i := range 4 {
		fmt.Fprintf(&archive, "-- large%d.md --\nbeginning%d %s ending%d\n", i, i, large, i)
	}
	w := compilertest.Compile(t, compilertest.Write(t, archive.String()))
	ix, err := Build(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	if pages, bytes := ix.Cut(); pages != 4 || bytes < 4_000_000 || bytes > schema.MaxSearched/4 {
		t.Errorf("%d pages are cut at %d bytes", pages, bytes)
	}
	for query, want := range map[string]string{"needle": "small", "beginning2": "large2", `"ending2"`: ""} {
		if got := strings.Join(find(t, ix, query), " "); got != want {
			t.Errorf("%s: %s", query, got)
		}
	}
}

// TestTagsOfManyLevels truncates tags beyond the supported levels.
func TestTagsOfManyLevels(t *testing.T) {
	t.Parallel()
	tag := strings.TrimSuffix(strings.Repeat("a/", 100_000), "/")
	p := &schema.Page{Tags: []schema.Tag{{Name: tag}, {Name: "b/c"}}}
	if tags := tagsOf(p); len(tags) != schema.MaxTagLevels+2 {
		t.Errorf("%d tags", len(tags))
	}
}
