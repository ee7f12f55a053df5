package serve

import (
	"encoding/base64"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/loopwiki/wiki/schema/schematest"
)

// png is an image of one pixel.
var png = func() string {
	b, err := base64.StdEncoding.DecodeString("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
	if err != nil {
		panic(err)
	}
	return string(b)
}()

// Wikis that were written to do harm do none in the browser of who reads them: from a host that
// sends no headers and from a disk, with the policy that pages have and without it, and from the
// server of this package. No script of theirs runs, nothing is asked of others but images that a
// page names, and nothing of a page is or looks like a part of the site around it.
func TestHostileWiki(t *testing.T) {
	g := startSiege(t, chromium(t))
	t.Run("what runs is noticed", g.noticed)
	t.Run("a harmless wiki", func(t *testing.T) { g.besiege(t, harmless, schematest.Every(2, 2), schematest.Every(5, 6)) })
	t.Run("known", func(t *testing.T) { g.besiege(t, armAll(known), 1, 1) })
	for _, group := range []struct {
		name  string
		files func() map[string]string
	}{
		{"texts", textWiki},
		{"schemes", func() map[string]string {
			files := map[string]string{"wiki/pic.png": png, "wiki/index.md": "# Start\n\nText of the start.\n"}
			schemePages(files)
			return files
		}},
		{"raw HTML", func() map[string]string { return grouped("raw", 12, rawHTML) }},
		{"markup that moves", func() map[string]string {
			files := map[string]string{"wiki/pic.png": png}
			swallowerPages(files)
			return files
		}},
		{"names of files and folders", nameWiki},
		{"attached files", attachmentWiki},
		{"own: drawings", drawingWiki},
		{"own: files named like the site's", outputWiki},
		{"own: overlays", func() map[string]string { return overlays }},
		{"own: leading away", func() map[string]string { return departures }},
		{"own: markup read twice", func() map[string]string { return grouped("twice", 6, mutations) }},
		{"own: other names and redirects", redirectWiki},
		{"own: paths of the network", func() map[string]string { return networkPaths }},
		{"own: sources of pages", sourceWiki},
	} {
		t.Run(group.name, func(t *testing.T) { g.sampled(t, armAll(group.files())) })
	}
	t.Run("names of the shell", func(t *testing.T) {
		g.besiege(t, armAll(shellNameWiki(g.shell)), schematest.Every(2, 2), schematest.Every(20, 25))
	})
	t.Run("random markup", func(t *testing.T) {
		g.besiege(t, armAll(randomWiki(randomPages())), schematest.Every(2, 2), schematest.Every(35, 40))
	})
	t.Run("own: searching", func(t *testing.T) { g.searching(t, armAll(searchWiki())) })
	t.Run("own: searching beside names of the shell", g.searchingBesideNames)
	t.Run("own: addresses that are not there", g.missing)
	t.Run("following links to files", g.following)
}

// known are the attacks by which this test began, one to a page.
var known = map[string]string{
	"wiki/index.md":  "# Search results\n\n[u](undefined) and MARKsearch.\n",
	"wiki/files.md":  "# Files\n\n[a](e.html) [b](f.xml) [c](g.svg) ![c](g.svg)\n",
	"wiki/tables.md": "# Tables\n\n<table><table><table><table></table></table></table></table>\n\nMARKend\n",
	"wiki/undefined": asJS, "wiki/e.html": asHTML, "wiki/f.xml": asXML, "wiki/g.svg": asSVG,
}

func randomPages() int {
	switch {
	case schematest.Long():
		return 500
	case schematest.Thorough():
		return 50
	}
	return 25
}

func textWiki() map[string]string {
	files := map[string]string{
		"wiki.yaml":    "title: \"T</title><script>JS!</script>\"\nlanguage: en\nsite: {url: \"https://wiki.example/x\", repo: \"https://code.example/r\", edit_url: \"https://code.example/e/{path}\"}\n",
		"wiki/pic.png": png, "wiki/x": asHTML, "wiki/index.md": "# Start\n\nText of the start.\n",
	}
	for i, v := range vectors {
		files[fmt.Sprintf("wiki/page%d.md", i)] = surfaces(i, v)
	}
	return files
}

// noticed checks that this test can fail: each of these changes is found.
func (g *siege) noticed(t *testing.T) {
	x := newHosted(t, g.host, harmless)
	docs := x.documents(httpBare)
	home := docs[slices.IndexFunc(docs, func(d document) bool { return d.name == "index.html" })]
	changes := map[string][2]string{
		"a script":                {"</article>", payloads.arm("noticed", "<script>JS!</script></article>")},
		"a handler":               {"</article>", payloads.arm("noticed", "<img src=x onerror=JS!></article>")},
		"an address":              {"</article>", payloads.arm("noticed", "<a href=' javascript:JS!'>x</a></article>")},
		"a file as a script":      {"</article>", "<script src=a.js></script></article>"},
		"a frame":                 {"</article>", "<iframe src=a.html></iframe></article>"},
		"a request":               {"</article>", "<link rel=stylesheet href=https://evil.test/a.css></article>"},
		"a socket":                {"</article>", "<script>new WebSocket('ws://evil.test/')</script></article>"},
		"a paragraph outside":     {"</article>", "</article><p>x</p>"},
		"a part of the shell":     {"</article>", "</article></main></div><div class=frame><main>"},
		"a name":                  {"</article>", "<i id=search-results></i><img name=querySelector></article>"},
		"a cover":                 {"</article>", "<b style='position:fixed;inset:0'>x</b></article>"},
		"a dialog":                {"</article>", "<script>alert(1)</script></article>"},
		"a page that leads away":  {"<head>", "<head><meta http-equiv=refresh content='0;url=https://evil.test/'>"},
		"a header out of sight":   {"</article>", "<style>header{display:none}</style></article>"},
		"a window that is opened": {"</article>", "<script>open('a.html')</script></article>"},
	}
	for i, name := range slices.Sorted(maps.Keys(changes)) {
		if i%schematest.Every(2, 3) != 0 {
			continue
		}
		change := changes[name]
		x.change(home.name, change[0], change[1])
		if len(g.open(x, httpBare, home)) == 0 {
			t.Errorf("%s is not noticed", name)
		}
		x.change(home.name, change[1], change[0])
	}
}

// searching looks for words that hostile pages have, by keyboard, and opens what it finds.
func (g *siege) searching(t *testing.T, files map[string]string) {
	g.sampled(t, files)
	x := newHosted(t, g.host, files)
	for _, how := range []way{httpBare, fileBare, live} {
		t.Run("results, "+how.String(), func(t *testing.T) {
			b := x.around(how, g.shell)
			words := []string{"zebra", "lion", "onerror", "script"}
			if schematest.Thorough() {
				words = append(words, "javascript", "proto", "constructor", "tostring", "img src=x")
			}
			for _, word := range words {
				if _, err := g.w.visit(x.root(how) + "index.html"); err != nil {
					t.Fatal(err)
				}
				if err := g.w.search(word); err != nil {
					t.Error(err)
					continue
				}
				g.results(t, word)
				for _, bad := range g.w.wrong(b, x.root(how)+"index.html") {
					t.Errorf("results of %s: %s", word, bad)
				}
				if err := g.w.press(kb.ArrowDown + kb.ArrowDown + kb.Enter); err != nil {
					t.Fatal(err)
				}
				if err := g.w.await("the page of a result", `!location.pathname.endsWith("/index.html")`); err != nil {
					t.Error(err)
					continue
				}
				if err := g.w.whole(); err != nil {
					t.Error(err)
				}
				if seen, err := g.w.look(g.shell, "page", nil, ""); err != nil || len(seen) > 0 {
					t.Errorf("the page of a result of %s: %q %v", word, seen, err)
				}
			}
			for i, q := range vectors {
				if i%schematest.Every(8, 12) != 0 {
					continue
				}
				q = payloads.arm("a query", q)
				address := x.root(how) + "search.html?q=" + url.QueryEscape("zebra "+q) + "#" + url.PathEscape(q)
				if _, err := g.w.visit(address); err != nil {
					t.Fatal(err)
				}
				if err := g.w.await("results", `document.querySelector("[role=option], .said")`); err != nil {
					t.Error(err)
				}
				g.results(t, q)
				for _, bad := range g.w.wrong(b, address) {
					t.Errorf("search.html?q=%s: %s", q, bad)
				}
			}
			if _, err := g.w.visit(x.root(how) + "index.html"); err != nil { // what the search still loads is of this way
				t.Fatal(err)
			}
		})
	}
}

// results checks that results are text, and lead to pages.
func (g *siege) results(t *testing.T, word string) {
	t.Helper()
	bad, err := ask[[]string](g.w, `(() => {
  const bad = [];
  for (const e of document.querySelectorAll("[role=listbox] *")) {
    if (!/^(li|a|i|b|p|mark|span|small|em|q|code)$/.test(e.localName)) bad.push("element " + e.outerHTML.slice(0, 120));
    for (const a of e.attributes) if (/^on|style|src/i.test(a.name)) bad.push("attribute " + a.name);
    if (e.localName === "a" && !(e.protocol === location.protocol && e.host === location.host)) bad.push("address " + e.href);
    for (const c of e.classList) if (/["'<>(]/.test(c)) bad.push("class " + c);
  }
  return bad;
})()`)
	if err != nil || len(bad) > 0 {
		t.Errorf("results of %s: %q %v", word, bad, err)
	}
}

// searchingBesideNames checks that the search works on pages with its names.
func (g *siege) searchingBesideNames(t *testing.T) {
	x := newHosted(t, g.host, armAll(shellNameWiki(g.shell)))
	for i, how := range []way{httpBare, fileBare, live} {
		for n, d := range x.documents(how) {
			if d.kind != "page" || (n+i)%schematest.Every(4, 8) != 0 {
				continue
			}
			if _, err := g.w.visit(d.url); err != nil {
				t.Fatal(err)
			}
			// The button must lead to the search, and the search to the page.
			if err := g.w.search("start"); err != nil {
				t.Errorf("%s: %s: %v", how, d.name, err)
			} else if err := g.w.press(kb.Enter); err != nil {
				t.Fatal(err)
			} else if err := g.w.await("the page that was found", `document.readyState === "complete" && !document.querySelector("dialog[open]")`); err != nil {
				t.Errorf("%s: %s: %v", how, d.name, err)
			}
			for _, bad := range g.w.wrong(x.around(how, g.shell), d.url) {
				t.Errorf("%s: %s: %s", how, d.name, bad)
			}
		}
	}
}

// missing asks for addresses that no file has: the page that is shown instead says nothing
// that it was asked for, and loads nothing from elsewhere.
func (g *siege) missing(t *testing.T) {
	x := newHosted(t, g.host, harmless)
	for i, v := range vectors {
		if i%schematest.Every(4, 8) != 0 {
			continue
		}
		v = payloads.arm("an address", v)
		for _, how := range []way{httpBare, httpPolicy, live} {
			at := x.root(how) + url.PathEscape(v) + "/b/" + strings.ReplaceAll(url.PathEscape(v), "%2F", "/") + "?" + url.QueryEscape(v) + "#" + url.PathEscape(v)
			if _, err := g.w.visit(at); err != nil {
				t.Errorf("%q: %v", v, err)
				continue
			}
			g.w.mu.Lock()
			for _, m := range g.w.ran {
				t.Errorf("%s: %q: ran %s", how, v, payloads.name(m))
			}
			g.w.mu.Unlock()
			if bad, err := g.w.look(g.shell, "file", nil, ""); err != nil || len(bad) > 0 {
				t.Errorf("%s: %q: %q %v", how, v, bad, err)
			}
			for _, asked := range g.w.outside.take() {
				t.Errorf("%s: %q: asked %s", how, v, asked)
			}
		}
	}
}

// following clicks the links of a page to attached files, as a reader does.
func (g *siege) following(t *testing.T) {
	x := newHosted(t, g.host, armAll(attachmentWiki()))
	for _, how := range []way{httpBare, fileBare} {
		b, home := x.around(how, g.shell), x.root(how)+"index.html"
		if _, err := g.w.visit(home); err != nil {
			t.Fatal(err)
		}
		n, err := ask[int](g.w, `document.querySelectorAll("article li a:first-of-type").length`)
		if err != nil {
			t.Fatal(err)
		}
		said := 0
		for i := 0; i < n; i += schematest.Every(10, 15) {
			if _, err := g.w.visit(home); err != nil {
				t.Fatal(err)
			}
			to, err := ask[string](g.w, fmt.Sprintf(`(() => { const a = document.querySelectorAll("article li a:first-of-type")[%d]; a.click(); return a.href; })()`, i))
			if err != nil {
				continue // on its way
			}
			if err := g.w.frames(); err != nil {
				t.Error(err)
			}
			if err := g.w.whole(); err != nil && !strings.Contains(err.Error(), "navigated") {
				t.Logf("%s: %v", to, err) // saved, and the page stays
			}
			for _, bad := range g.w.wrong(b, to) {
				if strings.Contains(bad, "requested "+home) {
					continue
				}
				if said++; said <= maxReported {
					t.Errorf("%s: following the link to %s: %s", how, to, bad)
				}
			}
		}
		if said > maxReported {
			t.Errorf("and %d more", said-maxReported)
		}
	}
}
