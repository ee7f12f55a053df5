package search

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/schematest"
)

// question is a query with the pages that answer it, written by people who saw the
// pages, not the results.
type question struct {
	Kind  string   `json:"kind"`
	Wiki  string   `json:"wiki"` // below ../shared/corpora
	Query string   `json:"query"`
	Pages []string `json:"pages"`
}

// plainBM25 is the baseline of a plain search library: lower-case words, Han and kana by
// pairs, title and text as one field, k1 1.2, b 0.75.
func plainBM25(w *compiler.Wiki, questions []question) (out [][]string) {
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
	for _, q := range questions {
		scores := make([]float64, len(counts))
		for i := range counts {
			for _, t := range plainTerms(q.Query) {
				tf := counts[i][t]
				scores[i] += math.Log(1+(n-df[t]+0.5)/(df[t]+0.5)) * tf * 2.2 / (tf + 1.2*(0.25+0.75*lengths[i]/mean))
			}
		}
		best := make([]int, len(counts))
		for i := range best {
			best[i] = i
		}
		slices.SortStableFunc(best, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
		var paths []string
		for _, i := range best[:min(5, len(best))] {
			paths = append(paths, w.Pages()[i].Path)
		}
		out = append(out, paths)
	}
	return out
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

// The ways to search that are compared.
const (
	plain = iota
	command
	static
	ways
)

// tally sums the recall of each way over questions.
type tally struct {
	questions float64
	found     [ways]float64
}

func (t *tally) mean(way int) float64 { return t.found[way] / t.questions }

// TestRecall asks questions of three public wikis, in each of the ways.
func TestRecall(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("three wikis take a minute")
	}
	shared := schematest.Shared(t, "corpora")
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
	byWiki := map[string][]question{}
	for _, q := range all.Questions {
		byWiki[q.Wiki] = append(byWiki[q.Wiki], q)
	}
	sums := map[string]*tally{}
	for _, name := range slices.Sorted(maps.Keys(byWiki)) {
		questions := byWiki[name]
		w := compiled(t, filepath.Join(shared, name))
		answers := [ways][][]string{plain: plainBM25(w, questions), command: byCommand(t, w, questions), static: byScript(t, w, questions)}
		for i, q := range questions {
			for _, key := range []string{"all", "kind " + q.Kind, "wiki " + q.Wiki} {
				if sums[key] == nil {
					sums[key] = &tally{}
				}
				sums[key].questions++
				for way := range ways {
					sums[key].found[way] += recall(q, answers[way][i])
				}
			}
		}
	}
	t.Logf("%-26s plain BM25  wiki search  static index", "recall@5")
	for _, key := range slices.Sorted(maps.Keys(sums)) {
		sum := sums[key]
		t.Logf("%-26s      %.3f        %.3f         %.3f", key, sum.mean(plain), sum.mean(command), sum.mean(static))
		for way, least := range map[int]float64{command: 0.08, static: 0.06} {
			if key != "all" {
				least = 0
			}
			if got := sum.mean(way); got < min(0.95, sum.mean(plain)+least) {
				t.Errorf("%s: recall %.3f, want %.2f more than %.3f", key, got, least, sum.mean(plain))
			}
		}
	}
}

func byCommand(t *testing.T, w *compiler.Wiki, questions []question) (out [][]string) {
	ix, err := Build(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range questions {
		res, err := ix.Search(t.Context(), q.Query, 5)
		if err != nil {
			t.Fatal(err)
		}
		var paths []string
		for _, r := range res.Results {
			paths = append(paths, r.Path)
		}
		out = append(out, paths)
	}
	return out
}

func byScript(t *testing.T, w *compiler.Wiki, questions []question) [][]string {
	var queries []string
	for _, q := range questions {
		queries = append(queries, q.Query)
	}
	return scripted(t, w, queries, 5)
}

// scripted returns what the site's script finds, as paths.
func scripted(t *testing.T, w *compiler.Wiki, queries []string, n int) (out [][]string) {
	t.Helper()
	x := NewCollector()
	var docs []*Analyzed
	shown := func(schema.PageID) bool { return true }
	for _, i := range Order(w, w.Pages(), shown) {
		p := w.Pages()[i]
		d := DocumentOf(w, p, w.Text(p), Labels(w, p, shown))
		d.Href = p.Path
		docs = append(docs, x.Analyze(d))
	}
	found := asked(t, x.Parts(docs), queries, fmt.Sprintf(`async (index, q) =>
		Promise.all((await s.search(index, q, %d)).hits.map(async (h) => (await index.card(h.doc)).href))`, n))
	if err := json.Unmarshal(found, &out); err != nil {
		t.Fatal(err)
	}
	return out
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
