package serve

import (
	"cmp"
	"compress/gzip"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp/kb"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema/schematest"
	"github.com/loopwiki/wiki/site"
)

var measured = flag.String("measure", "", "measure the search of the site of the wiki in this `folder` too")

// What a search of a built site may transfer, in bytes, until ten results are drawn.
const (
	maxFirst     = 35 << 10 // the first, with the scripts
	maxLaterMean = 20 << 10 // each later one
	maxLater     = 30 << 10
	laterQueries = 20
)

// TestSearchTransfers searches built sites in a browser, over HTTP with gzip, for words of
// their running text.
func TestSearchTransfers(t *testing.T) {
	browser := chromium(t)
	dirs := []string{filepath.Join(schematest.Shared(t, "corpora"), "codebase-wikis")}
	if *measured != "" {
		dirs = append(dirs, *measured)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			out, w := compiledSite(t, dir)
			files, raw, zipped := indexSize(t, out)
			t.Logf("%d pages; the index has %d files, %d bytes, %d compressed", len(w.Pages()), files, raw, zipped)
			server := httptest.NewServer(compressed(http.FileServer(http.Dir(out))))
			defer server.Close()
			v := newView(t, browser)
			v.run(command(network.ClearBrowserCache, cdp.Empty{}))
			v.open(server.URL + "/pages.html")
			v.until("the page's script", `document.querySelector(".find") && document.readyState === "complete"`)
			v.loaded()
			sum, most := 0.0, 0.0
			var worst []string
			for i, query := range sampled(w, laterQueries+1) {
				v.keys("/")
				v.until("the search box", `document.activeElement?.type === "search" && (document.activeElement.value = "") === ""`)
				// All at once: what is typed slowly is looked for on the way.
				eval[bool](v, fmt.Sprintf(`document.activeElement.value = %q, document.activeElement.dispatchEvent(new Event("input"))`, query))
				v.until("the answer to "+query, fmt.Sprintf(`document.activeElement?.dataset.answered === %q`, query))
				n, of := v.loaded()
				v.keys(kb.Escape)
				if i == 0 {
					t.Logf("first query, %q: %.0f bytes", query, n)
					if n > maxFirst {
						t.Errorf("at most %d wanted: %q", maxFirst, of)
					}
					continue
				}
				if sum += n; n > most {
					most, worst = n, append(of, query)
				}
			}
			t.Logf("later queries: mean %.0f, most %.0f bytes", sum/laterQueries, most)
			if sum/laterQueries > maxLaterMean || most > maxLater {
				t.Errorf("at most %d and %d wanted: %q", maxLaterMean, maxLater, worst)
			}
			v.quiet("searching")
		})
	}
}

func compiledSite(t *testing.T, dir string) (string, *compiler.Wiki) {
	t.Helper()
	ws, err := compiler.Detect(dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	w, err := compiler.Compile(t.Context(), ws, compiler.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := site.New(w, site.Options{})
	if err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	if _, err := s.Build(t.Context(), out, nil); err != nil {
		t.Fatal(err)
	}
	return out, w
}

// indexSize returns how many files the search index has, and their bytes.
func indexSize(t *testing.T, out string) (files int, raw, zipped int64) {
	t.Helper()
	dir := filepath.Join(out, "_wiki", "search")
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		var n counter
		z := gzip.NewWriter(&n)
		z.Write(b)
		z.Close()
		files, raw, zipped = files+1, raw+int64(len(b)), zipped+int64(n)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files, raw, zipped
}

type counter int64

func (c *counter) Write(b []byte) (int, error) { *c += counter(len(b)); return len(b), nil }

// compressed compresses what a handler answers.
func compressed(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Del("Range")
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		defer z.Close()
		h.ServeHTTP(zipping{w, z}, r)
	})
}

type zipping struct {
	http.ResponseWriter
	z *gzip.Writer
}

func (z zipping) Write(b []byte) (int, error) { return z.z.Write(b) }

func (z zipping) WriteHeader(status int) {
	z.Header().Del("Content-Length")
	z.ResponseWriter.WriteHeader(status)
}

// sampled returns different words of the running text of a wiki, without the hundred that
// are on the most pages.
func sampled(w *compiler.Wiki, n int) []string {
	on := map[string]int{}
	var text []string
	for _, p := range w.Pages() {
		here := map[string]bool{}
		for _, s := range w.Text(p) {
			for _, word := range searchable.FindAllString(s.Text, -1) {
				word = strings.ToLower(word)
				text, here[word] = append(text, word), true
			}
		}
		for word := range here {
			on[word]++
		}
	}
	common := slices.SortedFunc(maps.Keys(on), func(a, b string) int { return cmp.Or(cmp.Compare(on[b], on[a]), cmp.Compare(a, b)) })
	common = common[:min(100, len(common)/2)]
	r := rand.New(rand.NewPCG(1, 2))
	var out []string
	for len(out) < n {
		if word := text[r.IntN(len(text))]; !slices.Contains(common, word) && !slices.Contains(out, word) {
			out = append(out, word)
		}
	}
	return out
}

var searchable = regexp.MustCompile(`[a-zA-Z]{3,}|\p{Han}{2,4}`)
