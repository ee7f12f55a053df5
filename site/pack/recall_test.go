package pack

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema/schematest"
	"github.com/loopwiki/wiki/site/search"
)

// question is a query with the pages that answer it; see the package search.
type question struct {
	Kind  string   `json:"kind"`
	Wiki  string   `json:"wiki"`
	Query string   `json:"query"`
	Pages []string `json:"pages"`
}

// TestRecall asks the questions of three public wikis, and looks for a section of a page
// that answers.
func TestRecall(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("three wikis take a minute")
	}
	shared := schematest.Shared(t, "corpora")
	src, err := os.ReadFile("../search/testdata/questions.json")
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Questions []question `json:"questions"`
	}
	if err := json.Unmarshal(src, &all); err != nil {
		t.Fatal(err)
	}
	wikis := map[string][]question{}
	for _, q := range all.Questions {
		wikis[q.Wiki] = append(wikis[q.Wiki], q)
	}
	hit, first, pages, used := 0.0, 0.0, 0.0, 0
	for _, name := range slices.Sorted(maps.Keys(wikis)) {
		w := compiled(t, filepath.Join(shared, name))
		ix, err := search.Build(t.Context(), w)
		if err != nil {
			t.Fatal(err)
		}
		for _, q := range wikis[name] {
			found, err := ix.Search(t.Context(), q.Query, Pages)
			if err != nil {
				t.Fatal(err)
			}
			p := Make(Input{Wiki: w, Found: found, Budget: DefaultBudget})
			if p.Tokens > p.Budget {
				t.Errorf("%q: %d tokens", q.Query, p.Tokens)
			}
			used += p.Tokens
			held := map[string]bool{}
			for i, s := range p.Sections {
				if slices.Contains(q.Pages, s.Path) {
					held[s.Path] = true
					if i == 0 {
						first++
					}
				}
			}
			pages += float64(len(held)) / float64(len(q.Pages))
			if len(held) > 0 {
				hit++
			} else {
				t.Logf("missed: %s: %q, wanted %v", name, q.Query, q.Pages)
			}
		}
	}
	n := float64(len(all.Questions))
	t.Logf("%.0f questions: an answering page in %.3f, of all answering pages %.3f, first in %.3f; %d tokens each", n, hit/n, pages/n, first/n, used/int(n))
	if hit/n < 0.8 {
		t.Errorf("an answering page is in %.3f of the packs, want 0.8", hit/n)
	}
}

func compiled(tb testing.TB, dir string) *compiler.Wiki {
	tb.Helper()
	ws, err := compiler.Detect(dir, ".")
	if err != nil {
		tb.Fatal(err)
	}
	w, err := compiler.Compile(tb.Context(), ws, compiler.Options{})
	if err != nil {
		tb.Fatal(err)
	}
	return w
}
