package serve

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/schematest"
	"github.com/loopwiki/wiki/site"
)

func TestRequests(t *testing.T) {
	t.Parallel()
	r := start(t, map[string]string{
		"wiki/index.md": "# Home\n", "wiki/sub/index.md": "# Sub\n", "wiki/ä b#c.md": "# Odd\n",
		"secret.md": "# outside\n",
	}, Options{})
	for _, tc := range []struct {
		name, method, path string
		header             []string
		status             int
		body               string // is contained
	}{
		{"home", "GET", "/", nil, 200, "# Home"},
		{"a file", "GET", "/index.html", nil, 200, "# Home"},
		{"a folder", "GET", "/sub/", nil, 200, "# Sub"},
		{"a folder without its slash", "GET", "/sub", nil, 307, ""},
		{"an odd name", "GET", "/%C3%A4%20b%23c.html", nil, 200, "# Odd"},
		{"a query", "GET", "/?q=1", nil, 200, "# Home"},
		{"nothing", "GET", "/nothing.html", nil, 404, "nothing here"},
		{"a fault", "GET", "/fails.html", nil, 500, "a fault of the theme"},
		{"no icon", "GET", "/favicon.ico", nil, 204, ""},
		{"HEAD", "HEAD", "/", nil, 200, ""},
		{"HEAD of nothing", "HEAD", "/nothing.html", nil, 404, ""},

		{"up", "GET", "/../secret.md", nil, 404, "nothing here"},
		{"up, encoded", "GET", "/%2e%2e/secret.md", nil, 404, "nothing here"},
		{"up, slash encoded", "GET", "/..%2fsecret.md", nil, 404, "nothing here"},
		{"up, backslash", "GET", "/..%5csecret.md", nil, 404, "nothing here"},
		{"absolute", "GET", "//etc/passwd", nil, 404, "nothing here"},
		{"a null", "GET", "/a%00.html", nil, 404, "nothing here"},

		{"POST", "POST", "/", nil, 405, "only GET and HEAD"},
		{"PUT from elsewhere", "PUT", "/index.html", []string{"Origin", "https://example.org"}, 405, ""},
		{"OPTIONS", "OPTIONS", statusURL, nil, 405, ""},

		{"localhost", "GET", "/", []string{"Host", "localhost:4321"}, 200, ""},
		{"a name below localhost", "GET", "/", []string{"Host", "wiki.localhost"}, 200, ""},
		{"loopback", "GET", "/", []string{"Host", "127.0.0.9"}, 200, ""},
		{"loopback of IPv6", "GET", "/", []string{"Host", "[::1]:80"}, 200, ""},
		{"a rebound name", "GET", "/", []string{"Host", "attacker.example:4321"}, 421, "does not answer to the name attacker.example"},
		{"a name that begins well", "GET", "/", []string{"Host", "localhost.attacker.example"}, 421, ""},
		{"a name that ends well", "GET", "/", []string{"Host", "notlocalhost"}, 421, ""},
		{"an address that is not ours", "GET", "/", []string{"Host", "192.0.2.7"}, 421, ""},

		{"status", "GET", statusURL, nil, 200, `"pages":3`},
		{"status from another site", "GET", statusURL, []string{"Sec-Fetch-Site", "cross-site"}, 403, ""},
		{"events from another site", "GET", eventsURL, []string{"Sec-Fetch-Site", "cross-site"}, 403, ""},
		{"search from another site", "GET", searchURL + "?q=x", []string{"Sec-Fetch-Site", "cross-site"}, 403, ""},
		{"a link from another site", "GET", "/", []string{"Sec-Fetch-Site", "cross-site"}, 200, "# Home"},
		{"search without an index", "GET", searchURL + "?q=x", nil, 404, ""},
		{"the script", "GET", liveURL, nil, 200, "EventSource"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			res, body := r.do(tc.method, tc.path, tc.header...)
			if res.StatusCode != tc.status || !strings.Contains(body, tc.body) {
				t.Errorf("%s %s is %d %q, want %d %q", tc.method, tc.path, res.StatusCode, body, tc.status, tc.body)
			}
			for name, want := range map[string]string{
				"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store", "Cross-Origin-Resource-Policy": "same-origin",
			} {
				if got := res.Header.Get(name); got != want {
					t.Errorf("%s is %q, want %q", name, got, want)
				}
			}
		})
	}
	if res, _ := r.do("GET", "/sub"); res.Header.Get("Location") != "./sub/" {
		t.Errorf("a folder leads to %q", res.Header.Get("Location"))
	}
}

func TestPolicies(t *testing.T) {
	t.Parallel()
	r := start(t, map[string]string{"wiki/index.md": "# Home\n", "wiki/evil.html": "<script>"}, Options{})
	for path, want := range map[string]string{
		"/": policyPage, "/evil.html": policyOther, "/pic.svg": policyOther, "/nothing": policyPage, "/fails.html": noticePolicy,
	} {
		res, _ := r.do("GET", path)
		if got := res.Header.Get("Content-Security-Policy"); got != want {
			t.Errorf("%s: policy %q, want %q", path, got, want)
		}
	}
}

// What is next to the pages is never taken for one of them, whatever it is
// called and whatever it says of itself.
func TestAttachedFilesRunNothing(t *testing.T) {
	t.Parallel()
	claims := "<!doctype html><html><head><meta http-equiv=\"Content-Security-Policy\" content=\"\"><script>1</script>"
	r := startWith(t, map[string]string{
		"wiki.yaml":      "site: {raw_files: [\"*.html\"]}\n",
		"wiki/index.md":  "# Home\n\n[a](demo.html) [b](index.html) [c](search.html) [[Demo 2]]\n\n![p](pic.svg)\n",
		"wiki/demo 2.md": "# Demo 2\n",
		"wiki/demo.html": claims, "wiki/index.html": claims, "wiki/search.html": claims, "wiki/pic.svg": "<svg xmlns=\"http://www.w3.org/2000/svg\"/>",
	}, Options{}, layOut)
	pages := r.s.now.Load().pages.(*site.Site)
	attached := 0
	for _, name := range pages.Files() {
		res, body := r.do("GET", "/"+strings.ReplaceAll(name, " ", "%20"))
		got := res.Header.Get("Content-Security-Policy")
		switch {
		case body == claims || body == "<svg xmlns=\"http://www.w3.org/2000/svg\"></svg>\n":
			attached++
			if got != policyOther {
				t.Errorf("%s: policy %q", name, got)
			}
		case strings.HasSuffix(name, ".html") && got != policyPage:
			t.Errorf("%s, a page of the site: policy %q", name, got)
		}
	}
	if attached != 4 {
		t.Errorf("%d files are attached, want 4: %q", attached, pages.Files())
	}
}

func TestLiveSpeaksTheLanguageOfTheWiki(t *testing.T) {
	t.Parallel()
	for lang, want := range map[string]string{"en": "The server does not respond", "de": "Der Server antwortet nicht"} {
		r := start(t, map[string]string{"wiki.yaml": "language: " + lang + "\n"}, Options{})
		if _, body := r.do("GET", liveURL); !strings.Contains(body, want) {
			t.Errorf("%s: the script does not say %q", lang, want)
		}
		if _, body := r.do("GET", "/"); !strings.Contains(body, "<html lang=\""+lang+"\"") || strings.Contains(body, "This page updates") != (lang == "en") {
			t.Errorf("%s: the page says\n%s", lang, body)
		}
	}
}

func TestNotModified(t *testing.T) {
	t.Parallel()
	r := start(t, map[string]string{"wiki/index.md": "# Home\n"}, Options{})
	for _, path := range []string{"/", "/_wiki/site.css"} {
		res, _ := r.do("GET", path)
		etag := res.Header.Get("Etag")
		if etag == "" {
			t.Fatalf("%s has no entity tag", path)
		}
		res, body := r.do("GET", path, "If-None-Match", etag)
		if res.StatusCode != http.StatusNotModified || body != "" {
			t.Errorf("%s again is %d %q", path, res.StatusCode, body)
		}
	}
	if res, _ := r.do("GET", "/_wiki/site.css"); res.Header.Get("Cache-Control") != "no-cache" {
		t.Errorf("an asset is %q", res.Header.Get("Cache-Control"))
	}
}

// words is a search index that knows only how to find words, slowly.
type words struct {
	mu    sync.Mutex
	w     *compiler.Wiki
	gate  chan struct{}
	fails bool
}

func (x *words) Update(ctx context.Context, w *compiler.Wiki, _ []schema.PageID) error {
	select {
	case <-x.gate:
	case <-ctx.Done():
		return ctx.Err()
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	x.w = w
	return nil
}

func (x *words) Search(_ context.Context, query string, n int) (int, []Hit, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.fails {
		return 0, nil, errors.New("out of order")
	}
	var hits []Hit
	for _, p := range x.w.Pages() {
		if strings.Contains(string(p.Source), query) {
			hits = append(hits, Hit{Page: p.ID, Title: p.Title, Score: 1, Anchor: "über uns"})
		}
	}
	return len(hits), hits[:min(n, len(hits))], nil
}

func TestSearch(t *testing.T) {
	t.Parallel()
	x := &words{gate: make(chan struct{}, 10)}
	r := start(t, map[string]string{"wiki/a b.md": "needle\n", "wiki/c.md": "needle\n", "wiki/d.md": "hay\n"}, Options{Search: x})
	// Until the index is there, names are all that is looked at.
	if body := r.get(searchURL + "?q=A+B&n=1"); !strings.Contains(body, `"indexing":true`) || !strings.Contains(body, `"total":1`) || !strings.Contains(body, `"a%20b.html"`) {
		t.Errorf("before the index was built the answer is %s", body)
	}
	if body := r.get(searchURL + "?q=needle"); !strings.Contains(body, `"total":0`) {
		t.Errorf("before the index was built the answer is %s", body)
	}
	x.gate <- struct{}{}
	r.until("the index", func() bool { return r.status().Searchable })
	var a answer
	if err := json.Unmarshal([]byte(r.get(searchURL+"?q=needle&n=1")), &a); err != nil {
		t.Fatal(err)
	}
	if a.Total != 2 || len(a.Results) != 1 || a.Results[0].Href != "a%20b.html#%C3%BCber%20uns" || a.Results[0].Path != "a b.md" {
		t.Errorf("the answer is %+v", a)
	}
	if body := r.get(searchURL + "?q=nowhere&n=-7"); body != `{"query":"nowhere","total":0,"results":[]}`+"\n" {
		t.Errorf("nothing is %s", body)
	}
	// A page that is gone before the index knows is not a result.
	tb := r.open()
	r.write("wiki/c.md", "hay\n")
	tb.next()
	x.gate <- struct{}{}
	r.until("the index to follow", func() bool {
		var a answer
		return json.Unmarshal([]byte(r.get(searchURL+"?q=needle")), &a) == nil && a.Total == 1
	})
	x.mu.Lock()
	x.fails = true
	x.mu.Unlock()
	if res, _ := r.do("GET", searchURL+"?q=needle"); res.StatusCode != 500 {
		t.Errorf("a failing index is %d", res.StatusCode)
	}
}

func TestHref(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ file, anchor, want string }{
		{"a.html", "", "a.html"},
		{"x/ä b#?.html", "s-1", "x/%C3%A4%20b%23%3F.html#s-1"},
		{"http:x.html", "", "./http:x.html"},
	} {
		if got := hrefOf(tc.file, tc.anchor); got != tc.want {
			t.Errorf("hrefOf(%q, %q) = %q, want %q", tc.file, tc.anchor, got, tc.want)
		}
	}
}

func TestHostNames(t *testing.T) {
	t.Parallel()
	names := hostNames("Wiki.Example", net.ParseIP("192.0.2.1"))
	if !slices.Equal(names, []string{"wiki.example"}) {
		t.Errorf("a name is answered to as %v", names)
	}
	if names := hostNames("127.0.0.1", net.ParseIP("127.0.0.1")); names != nil {
		t.Errorf("the loopback is answered to as %v", names)
	}
	if names := hostNames("0.0.0.0", net.IPv4zero); len(names) == 0 {
		t.Error("a machine has no name")
	}
}

// FuzzRequest checks that no path and no host makes the server fail or send
// what is not of the site.
func FuzzRequest(f *testing.F) {
	for _, p := range schematest.Vary(200, "/", "/../x", "/a.html", "//", "/%2e%2e%2f", "/\x00", "/_wiki/", "/_wiki/status", "/sub/../..", "/index.html/") {
		f.Add(p, "localhost")
	}
	for _, host := range schematest.Vary(100, "[::1", "a:b:c", "localhost:80", "127.0.0.1") {
		f.Add("/", host)
	}
	dir := f.TempDir()
	ws := &compiler.Workspace{Dir: dir, Root: dir, RootPath: ".", Config: &schema.Config{}}
	w, err := compiler.Compile(f.Context(), ws, compiler.Options{})
	if err != nil {
		f.Fatal(err)
	}
	s, err := newServer(w, Options{}, layOutPlain)
	if err != nil {
		f.Fatal(err)
	}
	h := s.Handler()
	f.Fuzz(func(t *testing.T, path, host string) {
		if path == eventsURL {
			return // it does not end
		}
		r := httptest.NewRequest("GET", "/", nil)
		r.URL.Path, r.Host = path, host
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, r)
		if rec.Code == http.StatusInternalServerError {
			body, _ := io.ReadAll(rec.Body)
			if path != "/fails.html" {
				t.Errorf("%q at %q: %s", path, host, body)
			}
		}
	})
}

func TestCacheRendersOnce(t *testing.T) {
	t.Parallel()
	c := newCache()
	var mu sync.Mutex
	n := 0
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			f, err := c.get("a", func() ([]byte, error) {
				mu.Lock()
				defer mu.Unlock()
				n++
				return []byte("body"), nil
			})
			if err != nil || string(f.body) != "body" {
				t.Error(f, err)
			}
		})
	}
	group.Wait()
	if n != 1 {
		t.Errorf("rendered %d times", n)
	}
	// What failed is tried again; what is too large is not kept.
	if _, err := c.get("b", func() ([]byte, error) { return nil, errors.New("no") }); err == nil {
		t.Error("no error")
	}
	if _, err := c.get("b", func() ([]byte, error) { return make([]byte, maxCache), nil }); err != nil {
		t.Error(err)
	}
	if len(c.files) != 1 {
		t.Errorf("%d files are kept", len(c.files))
	}
}
