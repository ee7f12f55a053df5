package search

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/loopwiki/wiki/compiler"
)

// question is a query and the pages that answer it, written by somebody who saw
// the text of pages and no results.
type question struct {
	Kind  string   `json:"kind"`
	Wiki  string   `json:"wiki"` // below ../shared/corpora
	Query string   `json:"query"`
	Pages []string `json:"pages"`
}

// ranked answers a query with paths of pages, best first.
type ranked func(query string) []string

// plainBM25 is what any library of search does: words in lower case, Han and kana
// by pairs, title and text as one field, k1 1.2, b 0.75.
func plainBM25(w *compiler.Wiki) ranked {
	counts, lengths, mean := make([]map[string]float64, len(w.Pages())), make([]float64, len(w.Pages())), 0.0
	df := map[string]float64{}
	for i, p := range w.Pages() {
		counts[i] = map[string]float64{}
		text := p.Title
		for _, s := range w.Text(p) {
			text += "\n" + s.Heading + "\n" + s.Text
		}
		for _, t := range plainTerms(text) {
			counts[i][t]++
			lengths[i]++
			mean++
		}
		for t := range counts[i] {
			df[t]++
		}
	}
	n := float64(len(counts))
	mean /= n
	return func(query string) []string {
		scores := make([]float64, len(counts))
		var found []int
		for i := range counts {
			for _, t := range plainTerms(query) {
				tf := counts[i][t]
				scores[i] += math.Log(1+(n-df[t]+0.5)/(df[t]+0.5)) * tf * 2.2 / (tf + 1.2*(0.25+0.75*lengths[i]/mean))
			}
			if scores[i] > 0 {
				found = append(found, i)
			}
		}
		slices.SortStableFunc(found, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
		var out []string
		for _, i := range found[:min(5, len(found))] {
			out = append(out, w.Pages()[i].Path)
		}
		return out
	}
}

func plainTerms(text string) []string {
	var out []string
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '_' }) {
		runes := []rune(w)
		for from := 0; from < len(runes); {
			to := from + 1
			for to < len(runes) && isUnspaced(runes[to]) == isUnspaced(runes[from]) {
				to++
			}
			if !isUnspaced(runes[from]) || to == from+1 {
				out = append(out, string(runes[from:to]))
			} else {
				for i := from; i+1 < to; i++ {
					out = append(out, string(runes[i:i+2]))
				}
			}
			from = to
		}
	}
	return out
}

// recall is the share of pages that are among the first five.
func recall(q question, got []string) float64 {
	found := 0
	for _, p := range got[:min(5, len(got))] {
		if slices.Contains(q.Pages, p) {
			found++
		}
	}
	return float64(found) / float64(len(q.Pages))
}

// TestRecall asks the questions of three wikis that nobody here wrote.
func TestRecall(t *testing.T) {
	shared, err := filepath.Abs("../../../shared/corpora")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(shared); err != nil {
		t.Skip("the wikis to search are not here: ../shared/corpora")
	}
	text, err := os.ReadFile("testdata/questions.json")
	if err != nil {
		t.Fatal(err)
	}
	var all struct {
		Questions []question `json:"questions"`
	}
	if err := json.Unmarshal(text, &all); err != nil {
		t.Fatal(err)
	}
	const plain, own = 0, 1
	sums, counts, first := map[string]*[3]float64{}, map[string]float64{}, map[string]float64{}
	var ways [3]ranked
	last := ""
	for _, q := range all.Questions {
		if q.Wiki != last {
			last = q.Wiki
			w := compiled(t, filepath.Join(shared, q.Wiki))
			ix, err := Build(t.Context(), w)
			if err != nil {
				t.Fatal(err)
			}
			ways[plain] = plainBM25(w)
			ways[own] = func(query string) []string {
				res, err := ix.Search(t.Context(), query, 5)
				if err != nil {
					t.Fatal(err)
				}
				var out []string
				for _, r := range res.Results {
					out = append(out, r.Path)
				}
				return out
			}
		}
		var line [3]float64
		for i, f := range ways[:2] {
			line[i] = recall(q, f(q.Query))
		}
		if line[own] < 1 {
			t.Logf("%.2f %.2f %s %q %v", line[plain], line[own], q.Kind, q.Query, ways[own](q.Query))
		}
		_ = first
		for _, key := range []string{"all", "kind " + q.Kind, "wiki " + q.Wiki} {
			if sums[key] == nil {
				sums[key] = &[3]float64{}
			}
			counts[key]++
			for i := range line {
				sums[key][i] += line[i]
			}
		}
	}
	var keys []string
	for k := range sums {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		t.Logf("%-28s %3.0f  plain %.3f  own %.3f", k, counts[k], sums[k][0]/counts[k], sums[k][1]/counts[k])
	}
	_ = fmt.Sprint
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
