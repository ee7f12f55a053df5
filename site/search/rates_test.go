package search

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema/schematest"
)

// What the static search must find, as shares of what is there.
const (
	minTypos    = 0.95 // words on several pages, from a query with one edit
	minPrefixes = 0.95 // the ten best of all pages with words of a beginning
)

// TestRates searches a generated wiki, and with -long a large one.
func TestRates(t *testing.T) {
	t.Parallel()
	sizes := []int{1000}
	if schematest.Long() {
		sizes = append(sizes, 10_000)
	}
	for _, n := range sizes {
		x, docs := analyzed(generated(t, n))
		table, files := x.invert(docs), x.Parts(docs)
		t.Run(fmt.Sprint("typos on pages: ", n), func(t *testing.T) { typosAreFound(t, table, files) })
		t.Run(fmt.Sprint("prefixes on pages: ", n), func(t *testing.T) { prefixesFindTheBest(t, table, files) })
	}
}

func analyzed(w *compiler.Wiki) (*Collector, []*Analyzed) {
	x := NewCollector()
	var docs []*Analyzed
	for _, p := range w.Pages() {
		docs = append(docs, x.Analyze(DocumentOf(w, p, w.Text(p), nil)))
	}
	return x, docs
}

// typosAreFound queries words with a letter too many, too few, wrong, or swapped.
func typosAreFound(t *testing.T, table *table, files map[string][]byte) {
	r := rand.New(rand.NewPCG(3, 4))
	var meant, typed []string
	for len(typed) < 400 {
		term := r.IntN(len(table.terms))
		word := table.terms[term]
		if len(word) < 4 || strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") != "" || table.df(term) < 2 {
			continue
		}
		wrong := mistyped(word, r)
		if _, isWord := slices.BinarySearch(table.terms, wrong); isWord {
			continue
		}
		meant, typed = append(meant, word), append(typed, wrong+" ") // a space: the word is complete
	}
	var of [][]string
	got := asked(t, files, typed, `async (index, q) => { const [w] = s.parse(q).words; return [...(await s.meanings(index, w)).rows.keys()].map((r) => r.text); }`)
	if err := json.Unmarshal(got, &of); err != nil {
		t.Fatal(err)
	}
	found, lost := 0, []string(nil)
	for i, word := range meant {
		if slices.Contains(of[i], word) {
			found++
		} else {
			lost = append(lost, fmt.Sprintf("%s for %s is %q", strings.TrimSpace(typed[i]), word, of[i]))
		}
	}
	rate := float64(found) / float64(len(meant))
	t.Logf("%d of %d (%.1f %%); not found: %q", found, len(meant), 100*rate, lost[:min(12, len(lost))])
	if rate < minTypos {
		t.Errorf("at least %.0f %% wanted", 100*minTypos)
	}
}

func mistyped(word string, r *rand.Rand) string {
	at, letter := r.IntN(len(word)), string(rune('a'+r.IntN(26)))
	switch r.IntN(4) {
	case 0:
		return word[:at] + word[at+1:]
	case 1:
		return word[:at] + letter + word[at:]
	case 2:
		return word[:at] + letter + word[at+1:]
	}
	at = min(at, len(word)-2)
	return word[:at] + word[at+1:at+2] + word[at:at+1] + word[at+2:]
}

// prefixesFindTheBest compares the answers to three letters with what a query of all
// words that begin with them would find, without rounding or cutting lists.
func prefixesFindTheBest(t *testing.T, table *table, files map[string][]byte) {
	r := rand.New(rand.NewPCG(5, 6))
	var prefixes []string
	for len(prefixes) < 60 {
		word := table.terms[r.IntN(len(table.terms))]
		if len(word) > 3 && !slices.Contains(prefixes, word[:3]) && strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") == "" {
			prefixes = append(prefixes, word[:3])
		}
	}
	var of [][]int
	if err := json.Unmarshal(asked(t, files, prefixes, `async (index, q) => (await s.search(index, q, 10)).hits.map((h) => h.doc)`), &of); err != nil {
		t.Fatal(err)
	}
	found, wanted := 0, 0
	var lost []string
	for i, prefix := range prefixes {
		best := table.bestOfPrefix(prefix)
		wanted += len(best)
		here := 0
		for _, d := range best {
			if slices.Contains(of[i], d) {
				here++
			}
		}
		if found += here; here < len(best) {
			lost = append(lost, fmt.Sprintf("%s: %d of %d", prefix, here, len(best)))
		}
	}
	rate := float64(found) / float64(wanted)
	t.Logf("%d of %d (%.1f %%); %q", found, wanted, 100*rate, lost)
	if rate < minPrefixes {
		t.Errorf("at least %.0f %% wanted", 100*minPrefixes)
	}
}

// bestOfPrefix ranks by BM25 of all terms that begin with a text.
func (t *table) bestOfPrefix(text string) []int {
	docs, units := make([]float64, len(t.norms)), make([]float64, len(t.lengths))
	add := func(term int, weight float64) {
		t.each(term, func(unit, n uint32) {
			docs[t.docOf[unit]] += weight * float64(n) / t.norms[t.docOf[unit]]
			units[unit] += weight * float64(n) / t.unitNorms[unit]
		})
	}
	all, first, _ := t.meanings(word{text: text, open: true})
	for i, m := range all {
		if i < first || strings.HasPrefix(t.terms[m.term], text) {
			add(m.term, m.weight)
		}
	}
	var list []int
	t.eachDoc(func(d int, from, to uint32) {
		if docs[d] > 0 {
			docs[d] = saturated(docs[d]) + saturated(slices.Max(units[from:to]))
			list = append(list, d)
		}
	})
	slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(docs[b], docs[a]) })
	return list[:min(10, len(list))]
}
