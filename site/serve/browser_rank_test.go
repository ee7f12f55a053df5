package serve

import (
	"bufio"
	"flag"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/site"
	"github.com/loopwiki/wiki/site/search"
)

var (
	questions = flag.String("questions", "", "rank the wiki of -measure by this `file` of lines with a page's path, a tab and a query")
	pagefind  = flag.String("pagefind", "", "compare with this Pagefind `program`")
)

// rankedOf is how many results of a query count.
const rankedOf = 10

// margin is how much better than Pagefind the static search must rank.
const margin = 0.05

// TestSearchRanks compares the mean reciprocal rank of the pages that answer questions: of
// the static search in a browser, of wiki search, and of Pagefind over the titles and texts
// of the same pages.
func TestSearchRanks(t *testing.T) {
	if *questions == "" || *measured == "" {
		t.Skip("needs -questions FILE and -measure DIR; they are of a manual that isn't ours to keep")
	}
	asked := questionsOf(t, *questions)
	browser := chromium(t)
	out, w := compiledSite(t, *measured)
	s, err := site.New(w, site.Options{})
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string]string{} // by address
	for _, p := range w.Pages() {
		address := "/" + s.FileOf(p.ID)
		pages[address], pages[strings.TrimSuffix(address, "index.html")] = p.Path, p.Path // Pagefind leaves that name out
	}
	ranks := map[string][]int{"wiki search": ranksOfCommand(t, w, asked)}
	ranks["static"] = ranksInBrowser(t, newView(t, browser), out, asked, pages, `(async (text) => {
		if (!self.ranked) await new Promise((done) => { const s = document.createElement("script"); s.src = "/_wiki/search.js"; s.onload = done; document.head.append(s); });
		const search = self["wiki.search"], index = self.ranked ??= search.index((name) => new Promise((done) => {
			(self.waiting ??= new Map()).set(name, done);
			self["wiki.part"] = (name, text) => self.waiting.get(name)(text);
			const s = document.createElement("script"); s.src = "/_wiki/search/" + name + ".js"; document.head.append(s);
		}));
		return Promise.all((await search.search(index, text, 10)).hits.map(async (h) => "/" + (await index.card(h.doc)).href));
	})`)
	if *pagefind != "" {
		plain := plainSite(t, out, s, w)
		if b, err := exec.CommandContext(t.Context(), *pagefind, "--site", plain).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, b)
		}
		ranks["Pagefind"] = ranksInBrowser(t, newView(t, browser), plain, asked, pages, `(async (text) => {
			const found = await (self.ranked ??= await import("/pagefind/pagefind.js")).search(text);
			return Promise.all(found.results.slice(0, 10).map(async (r) => (await r.data()).url));
		})`)
	}
	for i, q := range asked {
		t.Logf("%-50.50s wiki search %2d, static %2d, Pagefind %v", q.query, ranks["wiki search"][i], ranks["static"][i], ranks["Pagefind"][min(i, len(ranks["Pagefind"])):min(i+1, len(ranks["Pagefind"]))])
	}
	means := map[string]float64{}
	for name, list := range ranks {
		for _, r := range list {
			if r > 0 {
				means[name] += 1 / float64(r) / float64(len(list))
			}
		}
		t.Logf("MRR@%d of %s: %.3f over %d queries", rankedOf, name, means[name], len(list))
	}
	if means["static"] < means["wiki search"] || *pagefind != "" && means["static"] < means["Pagefind"]+margin {
		t.Errorf("the static search should rank as well as wiki search, and %.2f better than Pagefind", margin)
	}
}

type asking struct{ path, query string }

func questionsOf(t *testing.T, file string) (out []asking) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		path, query, ok := strings.Cut(lines.Text(), "\t")
		if !ok {
			t.Fatalf("%s: no tab in %q", file, lines.Text())
		}
		out = append(out, asking{path, query})
	}
	return out
}

// rankOf is the place of a page in a list of results, from 1; 0 if it isn't there.
func rankOf(found []string, path string) int { return slices.Index(found, path) + 1 }

func ranksOfCommand(t *testing.T, w *compiler.Wiki, asked []asking) (out []int) {
	t.Helper()
	ix, err := search.Build(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	for _, q := range asked {
		res, err := ix.Search(t.Context(), q.query, rankedOf)
		if err != nil {
			t.Fatal(err)
		}
		var found []string
		for _, r := range res.Results {
			found = append(found, r.Path)
		}
		out = append(out, rankOf(found, q.path))
	}
	return out
}

// ranksInBrowser serves a folder and calls a script with each query.
func ranksInBrowser(t *testing.T, v *view, dir string, asked []asking, pages map[string]string, script string) (out []int) {
	t.Helper()
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer server.Close()
	v.open(server.URL)
	for _, q := range asked {
		eval[bool](v, fmt.Sprintf(`self.answer = null, %s(%q).then((a) => { self.answer = a; }, (e) => { self.answer = ["failed: " + e]; }), true`, script, q.query))
		v.until("an answer to "+q.query, `self.answer !== null`)
		var found []string
		for _, address := range eval[[]string](v, `self.answer`) {
			path := pages[address]
			if path == "" {
				t.Fatalf("%q leads to %q, which is no page", q.query, address)
			}
			found = append(found, path)
		}
		out = append(out, rankOf(found, q.path))
	}
	return out
}

// ofArticle is the text of a page of a site.
var ofArticle = regexp.MustCompile(`(?s)<article[^>]*>.*</article>`)

// plainSite writes the pages of a site with nothing but title and text, for another search.
func plainSite(t *testing.T, out string, s *site.Site, w *compiler.Wiki) string {
	t.Helper()
	dir := t.TempDir()
	write := func(name, title, text string) {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte("<!doctype html><html lang=en><title>"+title+"</title><body data-pagefind-body><h1>"+title+"</h1>"+text+"</body></html>"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range w.Pages() {
		b, err := os.ReadFile(filepath.Join(out, filepath.FromSlash(s.FileOf(p.ID))))
		if err != nil {
			t.Fatal(err)
		}
		text := ofArticle.Find(b)
		if text == nil {
			t.Fatalf("%s has no text", s.FileOf(p.ID))
		}
		write(s.FileOf(p.ID), html.EscapeString(p.Title), "<p>"+html.EscapeString(search.DocumentOf(w, p, nil, nil).Summary)+"</p>"+string(text))
	}
	return dir
}
