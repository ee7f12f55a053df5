package search

import (
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/compiler"
)

func documents() (*Collector, []*Analyzed) {
	section := func(heading, id, text string) compiler.Section {
		return compiler.Section{Heading: heading, ID: id, Text: text}
	}
	docs := []Document{
		{Href: "cache.html", Title: "Cache", Folder: "system", Summary: "How results are kept.", Sections: []compiler.Section{
			section("", "", "The cache keeps rendered results in memory."), section("Eviction policy", "eviction-policy", "The least recently used entry goes first.")}},
		{Href: "server.html", Title: "Server", Folder: "system", Sections: []compiler.Section{
			section("", "", "The server asks the cache before it renders. Cache misses are slow."), section("Ports", "ports-1", "The next free port is taken.")}},
		{Href: "a%20b/knowledge.html", Title: "知識コンパイラ", Tags: []string{"日本語"}, Sections: []compiler.Section{section("", "", "文書を知識に変える。")}},
		{Href: "code.html", Title: "parseHTTPRequest", Names: []string{"request parser"}, Sections: []compiler.Section{section("", "", "Reads one request at a time.")}},
		{Href: "cafe.html", Title: "Café", Sections: []compiler.Section{section("", "", "Crème brûlée & \"quotes\" \u2028 </script>")}},
	}
	x := NewCollector()
	var out []*Analyzed
	for _, d := range docs {
		out = append(out, x.Analyze(d))
	}
	return x, out
}

func build(x *Collector, docs []*Analyzed) map[string][]byte { return x.Parts(docs) }

func TestSearch(t *testing.T) {
	t.Parallel()
	script := build(documents())
	type result struct {
		Hrefs   []string
		Heading string
		Any     bool
	}
	queries := []struct {
		query string
		want  result
	}{
		{"cache ", result{Hrefs: []string{"cache.html", "server.html"}}},
		{"cach", result{Hrefs: []string{"cache.html", "server.html"}}},
		{"eviction policy", result{Hrefs: []string{"cache.html"}, Heading: "eviction-policy"}},
		{"next free port", result{Hrefs: []string{"server.html"}, Heading: "ports-1"}},
		{"cahce ", result{Hrefs: []string{"cache.html", "server.html"}}}, // a typing mistake
		{"CAFE", result{Hrefs: []string{"cafe.html"}}},
		{"crème", result{Hrefs: []string{"cafe.html"}}},
		{"知識", result{Hrefs: []string{"a%20b/knowledge.html"}}},
		{"知", result{Hrefs: []string{"a%20b/knowledge.html"}}},
		{"http request", result{Hrefs: []string{"code.html"}}},
		{"HTTPRequest", result{Hrefs: []string{"code.html"}, Any: true}},                   // in its parts
		{"brûlée server ", result{Hrefs: []string{"server.html", "cafe.html"}, Any: true}}, // no page has both
		{"zzzzzz", result{Any: true}},
		{"", result{}},
	}
	var input []string
	for _, q := range queries {
		input = append(input, q.query)
	}
	out := asked(t, script, input, `async (index, q) => {
		const r = await s.search(index, q, 10), cards = await Promise.all(r.hits.map((h) => index.card(h.doc)));
		return { Hrefs: cards.map((c) => c.href), Any: r.any, Heading: (r.hits.length && s.heading(cards[0], r.hits[0].units[0][0])?.id) || "" } }`)
	var got []result
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	for i, q := range queries {
		if len(got[i].Hrefs) == 0 {
			got[i].Hrefs = nil
		}
		if diff := cmp.Diff(q.want, got[i]); diff != "" {
			t.Errorf("search for %q (-want +got):\n%s", q.query, diff)
		}
	}
}

// asked runs a function of the script with an index and each of the queries.
func asked(t *testing.T, files map[string][]byte, queries []string, f string) []byte {
	t.Helper()
	texts := map[string]string{}
	for name, b := range files {
		texts[name] = string(b)
	}
	in, err := json.Marshal(map[string]any{"files": texts, "queries": queries})
	if err != nil {
		t.Fatal(err)
	}
	return node(t, `const i = JSON.parse(input), f = `+f+`;
		const load = (name) => new Promise((done, failed) => {
			self["wiki.part"] = (said, text) => (said === name ? done(text) : failed(new Error(said + " is in " + name)));
			require("vm").runInThisContext(i.files[name + ".js"]);
		});
		(async () => {
			const index = s.index(load), out = [];
			for (const q of i.queries) out.push(await f(index, q));
			console.log(JSON.stringify(out));
		})();`, in)
}

func TestPartsAreDeterministic(t *testing.T) {
	t.Parallel()
	first := build(documents())
	for range 5 {
		if diff := cmp.Diff(first, build(documents())); diff != "" {
			t.Fatalf("two builds differ:\n%s", diff)
		}
	}
	if found := asked(t, NewCollector().Parts(nil), []string{"a", `"a b"`, "tag:a", "mistyped"}, `async (index, q) => (await s.search(index, q, 10)).total`); string(found) != "[0,0,0,0]\n" {
		t.Errorf("searching no documents gives %s", found)
	}
}

// TestListsAreRead holds the script's decoder to the coder, with numbers of all sizes.
func TestListsAreRead(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	c, want := newCoder(), [][]any{}
	for n := range 120 {
		list, named, rows, doc := []entry(nil), []namedDoc(nil), []any{}, uint32(0)
		for range n * n / 40 {
			doc += 1 + r.Uint32N(1<<r.IntN(20))
			e, units, unit := entry{doc: doc, level: uint8(r.IntN(len(levels)))}, []any{}, uint32(0)
			for range r.IntN(4) {
				unit += r.Uint32N(1 << r.IntN(12))
				level := uint8(r.IntN(len(unitLevels)))
				e.parts, units, unit = append(e.parts, part{unit, level}), append(units, []any{unit, unitLevels[level]}), unit+1
			}
			sizes := r.Uint32N(1<<31) >> r.IntN(31) * uint32(r.IntN(2))
			if sizes > 0 {
				named = append(named, namedDoc{doc, sizes})
			}
			list, rows = append(list, e), append(rows, []any{doc, levels[e.level], units, sizes})
		}
		c.pages(list, len(list), n, named)
		want = append(want, rows)
	}
	wanted, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	got := asked(t, nil, []string{c.String()}, `async (_, text) => { const next = s.lists(text), out = []; for (let i = 0; i < 120; i++) out.push(next().list); return out; }`)
	if diff := cmp.Diff("["+string(wanted)+"]\n", string(got)); diff != "" {
		t.Error(diff)
	}
}

func TestSummaryIsShort(t *testing.T) {
	t.Parallel()
	for _, text := range []string{strings.Repeat("word ", 500), strings.Repeat("知識", 500), "short", "", "a\n\n b"} {
		d := Document{Sections: []compiler.Section{{Text: text}}}
		if s := summary(d); len(s) > summaryLength+len("…") || strings.Contains(s, "\n") {
			t.Errorf("summary of %.20q is %q", text, s)
		}
	}
}

func BenchmarkAnalyze(b *testing.B) {
	var text strings.Builder
	for i := range 500 {
		text.WriteString("word" + strconv.Itoa(i%120) + " and more of it ")
	}
	d := Document{Title: "A page", Sections: []compiler.Section{{Text: text.String()}}}
	x := NewCollector()
	for b.Loop() {
		x.Analyze(d)
	}
}

// TestScriptRanksLikeTheCommand checks that the site finds the same pages in the same order.
func TestScriptRanksLikeTheCommand(t *testing.T) {
	t.Parallel()
	queries := []string{
		"token refresh", "refreshing tokens", "tok", "qu", "ingest pipeline", "RenderOptions", "render options", "WriteBatch", "ERR-2041",
		"ubersicht koln cafe", "tken", "repilcation", "admimistrater", "what does the quorum decide about lunch", "コンパイラ", "知", "京都",
		"Cron", "Token refresh", "the", "", "xyzzyplugh", "session token token.", "cron queue job",
		"tag:auth token", "tag:#auth/", "type:concept", "type:Component queue", "path:10_DOMAIN replication", "path:20_system/", "tag:nothing token",
	}
	ranksAlike(t, wikiOf(t, library), queries)
}

// TestScriptRanksLikeTheCommandOnManyPages has terms on more pages than a list keeps, and
// beginnings of many.
func TestScriptRanksLikeTheCommandOnManyPages(t *testing.T) {
	t.Parallel()
	w := generated(t, 1500)
	x := NewCollector()
	var docs []*Analyzed
	for _, p := range w.Pages() {
		docs = append(docs, x.Analyze(DocumentOf(w, p, w.Text(p), nil)))
	}
	table := x.invert(docs)
	if _, _, own := table.beginning("b"); own == nil {
		t.Fatal("no beginning has many terms")
	}
	if most := slices.Max(table.counts()); most <= mostDocs {
		t.Fatalf("no term is on more than %d pages", most)
	}
	ranksAlike(t, w, []string{"boda", "bo", "b", "g", "fad", "boda fada", "boda g", "page", "page b", "bdoa", "gdaa", "path:07 boda", "path:07"})
}

// ranksAlike compares the best results of both.
func ranksAlike(t *testing.T, w *compiler.Wiki, queries []string) {
	t.Helper()
	ix, err := Build(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	got := scripted(t, w, queries, 20)
	for i, q := range queries {
		res, err := ix.Search(t.Context(), q, 20)
		if err != nil {
			t.Fatal(err)
		}
		want := []string{}
		for _, r := range res.Results {
			want = append(want, r.Path)
		}
		if diff := cmp.Diff(want, got[i]); diff != "" {
			t.Errorf("%q (-command +script):\n%s", q, diff)
		}
	}
}

// TestKeepBest keeps the pages of the highest levels, the first of those that are equal, and
// no sections of the others.
func TestKeepBest(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		levels []uint8
		most   int
		want   string
	}{
		{[]uint8{3, 1, 2}, 3, "312"},
		{[]uint8{3, 1, 2}, 2, "3-2"},
		{[]uint8{2, 1, 2, 2}, 2, "2-2-"},
		{[]uint8{1, 5, 1, 5, 1}, 3, "15-5-"},
		{[]uint8{1, 5, 1, 5, 1}, 4, "1515-"},
	} {
		var list []entry
		for i, l := range c.levels {
			list = append(list, entry{doc: uint32(i), level: l, parts: []part{{}}})
		}
		keepBest(list, c.most)
		got := ""
		for _, e := range list {
			switch {
			case e.past != (e.parts == nil):
				t.Errorf("%v: page %d is past: %v, with %d sections", c.levels, e.doc, e.past, len(e.parts))
			case e.past:
				got += "-"
			default:
				got += strconv.Itoa(int(e.level))
			}
		}
		if got != c.want {
			t.Errorf("of %v the best %d are %s, want %s", c.levels, c.most, got, c.want)
		}
	}
}
