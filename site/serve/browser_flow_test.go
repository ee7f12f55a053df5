package serve

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site"
	"github.com/loopwiki/wiki/site/search"
)

// book is a small wiki with all kinds of content.
var book = map[string]string{
	"wiki.yaml": "title: Lighthouse\nlanguage: en\n",
	"wiki/index.md": "# Lighthouse\n\nThe notes of a service that signs things. Start with [[Token refresh]], then read how the\n" +
		"[ingest pipeline](20_SYSTEM/ingest.md) takes documents in.\n\n- [[sessions]]\n- [[Clock skew]]\n",
	"wiki/20_SYSTEM/token-refresh.md": "---\ntitle: Token refresh\ntype: concept\ntags: [auth, security]\naliases: [Renewing tokens]\n---\n# Token refresh\n\n" +
		strings.Repeat("An access token lives for fifteen minutes, and whoever holds one asks for another before it ends. ", 6) + "\n\n" +
		"See [[sessions]] for what happens when that fails.\n\n## Details\n\n" +
		"> [!warning] Mind the clock\n> A token from a clock that runs ahead is not valid yet.\n\n" +
		"```go\n// Refresh asks for a new token.\nfunc Refresh(ctx context.Context, old Token) (Token, error) {\n\treturn client.Do(ctx, \"refresh\", old)\n}\n```\n\n" +
		"| field | meaning |\n|---|---|\n| `exp` | when it ends |\n| `nbf` | when it begins |\n\n" +
		"1. one\n2. two\n\n- [x] done\n- [ ] open\n\n" + strings.Repeat("## More\n\nText under a heading, so that the page can be scrolled.\n\n", 12),
	"wiki/20_SYSTEM/sessions.md":   "---\ntype: concept\ntags: [auth]\n---\n# Sessions\n\nA session ends when its token can not be renewed; see [[Token refresh]] for how that is done in time.\n",
	"wiki/20_SYSTEM/ingest.md":     "---\ntype: component\nstatus: draft\n---\n# Ingest pipeline\n\nA wide table:\n\n| " + strings.Repeat("a rather long heading | ", 12) + "\n|" + strings.Repeat("---|", 12) + "\n| " + strings.Repeat("value | ", 12) + "\n\nAndAWordWithoutAnEnd" + strings.Repeat("WithoutAnEnd", 30) + "\n",
	"wiki/10_DOMAIN/clock-skew.md": "# Clock skew\n\nClocks of machines differ. 東京の時計は正しい。\n",
	"wiki/10_DOMAIN/index.md":      "# Domain\n\nWords of the trade.\n",
	"wiki/10_DOMAIN/old-lantern.md": "---\nsummary: How the light was made before there was current.\nstatus: deprecated\n---\n# Old lantern\n\n" +
		strings.Repeat("Keepers trimmed it every evening and wrote that down. ", 20) + "\n\n## Fuel\n\nNobody liked the smell. It burned paraffin until the last winter.\n",
}

// indexer joins the full-text index to the server, as the command does.
type indexer struct{ search.Index }

func (x *indexer) Search(ctx context.Context, query string, n int) (int, []Hit, error) {
	found, err := x.Index.Search(ctx, query, n)
	var hits []Hit
	for _, r := range found.Results {
		hits = append(hits, Hit{Page: r.Page, Title: r.Title, Score: r.Score, Snippet: r.Snippet, Status: r.Status, Anchor: r.Anchor})
	}
	return found.Total, hits, err
}

// doubtful finds every page that says UNSURE, and takes those that say DISPUTED
// for a contradiction.
func doubtful(_ context.Context, w *compiler.Wiki) (out Known) {
	var sides []schema.Side
	for _, p := range w.Pages() {
		if i := strings.Index(string(p.Source), "UNSURE"); i >= 0 {
			at := p.Lines.Position(i)
			out.Findings = append(out.Findings, schema.Diagnostic{
				Rule: "open-question", Severity: schema.Warning, Path: p.Path, Span: schema.Span{Start: i, End: i + 4},
				From: at, To: at, Message: "something is left to do here", Count: 1,
			})
		}
		if i := strings.Index(string(p.Source), "DISPUTED"); i >= 0 {
			sides = append(sides, schema.Side{Path: p.Path, Span: schema.Span{Start: i, End: i + 8}, Text: "DISPUTED"})
		}
	}
	if len(sides) > 1 {
		out.Contradictions = []schema.Contradiction{{About: "the dispute", Sides: sides},
			{About: "an older dispute", Sides: sides, Acknowledged: &schema.Acknowledgement{Reason: "known", By: "Ana", Since: "2026-01-02"}}}
	}
	return out
}

func serveBook(t *testing.T) *running {
	t.Helper()
	return startWith(t, book, Options{Lint: doubtful, Search: &indexer{}}, layOut)
}

func TestBrowser(t *testing.T) {
	browser := chromium(t)
	t.Run("search and read", func(t *testing.T) { browseSearch(t, browser) })
	t.Run("edit", func(t *testing.T) { browseEdit(t, browser) })
	t.Run("by keyboard", func(t *testing.T) { browseByKeyboard(t, browser) })
	t.Run("runs", func(t *testing.T) { browseRuns(t, browser) })
	t.Run("tree", func(t *testing.T) { browseTree(t, browser) })
	t.Run("previews", func(t *testing.T) { browsePreviews(t, browser) })
	t.Run("beside the text", func(t *testing.T) { browseBeside(t, browser) })
	t.Run("missing", func(t *testing.T) { browseMissing(t, browser) })
	t.Run("no pages", func(t *testing.T) { browseNoPages(t, browser) })
	t.Run("theme", func(t *testing.T) { browseTheme(t, browser) })
	t.Run("built", func(t *testing.T) { browseBuilt(t, browser) })
	t.Run("measures", func(t *testing.T) { browseMeasures(t, browser) })
	t.Run("graph", func(t *testing.T) { browseGraph(t, browser) })
	t.Run("large graph", func(t *testing.T) { browseLargeGraph(t, browser) })
	t.Run("measures of a bad page", func(t *testing.T) { browseMeasuresOfABadPage(t, browser) })
}

// find searches by keyboard alone and opens the first result.
func (v *view) find(query, first, lands string) {
	v.t.Helper()
	v.until("the page's script", `document.querySelector(".find") && document.readyState === "complete"`)
	v.keys("/")
	v.until("the search box", `document.activeElement?.type === "search"`)
	v.keys(query)
	v.until("the result "+first, fmt.Sprintf(`document.querySelector(".hits [role=option][aria-selected=true]")?.innerText.includes(%q)`, first))
	v.keys(kb.Enter)
	v.until("the page "+lands, fmt.Sprintf(`decodeURIComponent(location.pathname).endsWith(%q) && document.readyState === "complete"`, lands))
}

func browseSearch(t *testing.T, browser context.Context) {
	r := serveBook(t)
	v := newView(t, browser)
	v.open(r.url)
	v.find("token ref", "Token refresh", "20_SYSTEM/token-refresh.html")
	v.follow(`.prose a[href$="sessions.html"]`)
	v.until("the page behind a wikilink", `document.title.startsWith("Sessions")`)
	v.until("its backlink", `[...document.querySelectorAll(".backlinks a")].some((a) => a.innerText.includes("Token refresh"))`)
	v.follow(`.backlinks a[href$="token-refresh.html"]`)
	v.until("the page behind the backlink", `document.title.startsWith("Token refresh")`)
	v.find("tokne", "Token refresh", "token-refresh.html") // a typo
	v.find("時計", "Clock skew", "clock-skew.html")
	v.keys("/")
	v.until("the search box", `document.activeElement?.type === "search"`)
	v.keys("xyzzyplugh")
	v.until("that nothing is found", `document.querySelector("dialog .said")?.innerText && !document.querySelector("dialog [role=option]")`)
	v.keys(kb.Escape)
	v.until("the box to close", `!document.querySelector("dialog[open]")`)
	v.keys("/")
	v.until("the search box again", `document.querySelector("dialog[open]")`)
	v.keys("paraffin")
	v.until("what is wrong with the result", `document.querySelector(".hits [role=option] .chip.deprecated")?.innerText === "Deprecated"`)
	v.keys(kb.Escape)
	v.quiet("searching and reading")
}

// comesBack goes back from a result, to the box with the query, and closes that.
func (v *view) comesBack(query, first string) {
	v.t.Helper()
	eval[bool](v, `history.back(), true`)
	v.until("the box with the query", fmt.Sprintf(`document.querySelector("dialog[open] input")?.value.endsWith(%q)`, query)) // the key that opened it may be in it too
	v.until("the result "+first, fmt.Sprintf(`document.querySelector("dialog .hits [role=option]")?.innerText.includes(%q)`, first))
	v.keys(kb.Escape)
	v.until("the box to close", `!document.querySelector("dialog[open]")`)
}

// findInPassing searches a built site for a word far from the beginning of a page. From a server the result shows the sentence with it, and nothing
// moves for that; from a disk it shows the summary.
func (v *view) findInPassing(served bool) {
	v.t.Helper()
	v.until("the page's script", `document.querySelector(".find") && document.readyState === "complete"`)
	v.keys("/")
	v.until("the search box", `document.activeElement?.type === "search"`)
	v.keys("paraffin")
	first := `document.querySelector(".hits [role=option]")`
	v.until("the page", first+`?.innerText.includes("Old lantern") && `+first+`.querySelector(".chip.deprecated")`)
	height := eval[float64](v, first+`.getBoundingClientRect().height`)
	want := "How the light was made"
	v.until("its summary", fmt.Sprintf(`%s.querySelector("p").innerText.includes(%q)`, first, want))
	v.keys(kb.ArrowDown + kb.ArrowUp) // it is chosen, and read
	if served {
		want = "Nobody liked the smell. It burned paraffin"
	}
	v.until("the text of the result", fmt.Sprintf(`%s.querySelector("p").innerText.includes(%q)`, first, want))
	if served {
		v.until("the mark", first+`.querySelector("p mark")?.innerText === "paraffin" && `+first+`.hash === "#fuel"`)
	}
	if now := eval[float64](v, first+`.getBoundingClientRect().height`); now != height {
		v.t.Errorf("the result was %v high and is %v", height, now)
	}
	v.keys(kb.Escape)
	if !served {
		return // no page may be read, which alone says in which order words stand
	}
	for phrase, found := range map[string]bool{"burned paraffin until": true, "until paraffin burned": false} {
		v.keys("/")
		v.until("the search box", `document.activeElement?.type === "search"`)
		v.keys(`"` + phrase + `"`)
		v.until("the answer to "+phrase, fmt.Sprintf(`document.querySelector("dialog .said")?.innerText.includes(%q) && !!%s?.innerText.includes("Old lantern") === %v`, map[bool]string{true: "1 result", false: "Nothing found"}[found], first, found))
		v.keys(kb.Escape)
	}
}

func browseEdit(t *testing.T, browser context.Context) {
	r := serveBook(t)
	one, two := newView(t, browser), newView(t, browser)
	one.open(r.url + "20_SYSTEM/token-refresh.html")
	two.open(r.url + "20_SYSTEM/sessions.html")
	r.until("the first findings", func() bool { return r.status().Linted })
	one.until("the whole page", `document.readyState === "complete" && document.documentElement.scrollHeight > innerHeight + 500`)
	two.until("the whole page", `document.readyState === "complete"`)
	eval[bool](one, `scrollTo({top: 400, behavior: "instant"}), self.old = true`)
	eval[bool](two, `self.old = true`)
	time.Sleep(200 * time.Millisecond) // both listen
	where := `document.querySelector("#details").getBoundingClientRect().top`
	left := eval[float64](one, where)

	changed := strings.Replace(book["wiki/20_SYSTEM/token-refresh.md"], "# Token refresh\n\n", "# Token refresh\n\nUNSURE say more.\n\n", 1)
	began := time.Now()
	r.write("wiki/20_SYSTEM/token-refresh.md", changed)
	one.until("the new text", `document.querySelector(".prose")?.innerText.includes("UNSURE say more.")`)
	t.Logf("from save to screen: %v", time.Since(began).Round(time.Millisecond))
	one.until("the place where it was left", fmt.Sprintf(`Math.abs(%s - %v) < 5`, where, left))
	two.until("the other tab to follow", `document.readyState === "complete" && !self.old`)
	one.until("the finding", `document.querySelector(".findings")?.innerText.includes("something is left to do here")`)
	r.write("wiki/20_SYSTEM/token-refresh.md", book["wiki/20_SYSTEM/token-refresh.md"])
	one.until("the finding to go", `document.querySelector(".prose") && !document.querySelector(".findings")`)
	one.until("the place where it was left, still", fmt.Sprintf(`Math.abs(%s - %v) < 5`, where, left))

	// A configuration in the middle of an edit.
	r.write("wiki.yaml", "title: [\n")
	one.until("the problem", `document.querySelector("#wiki\\.live")?.shadowRoot.querySelector("p.problem")`)
	r.write("wiki.yaml", "title: Lamp\n")
	one.until("the new title", `document.querySelector(".brand")?.innerText.includes("Lamp") && !document.querySelector("#wiki\\.live")`)
	one.quiet("editing")
	two.quiet("another tab")

	// The server ends while no tab is loading another page: such a tab has no script yet
	// that could report it.
	r.until("the last findings", func() bool { return r.status().Linted })
	one.settle()
	if err := r.stop(); err != nil {
		t.Error(err)
	}
	one.until("that the server is gone", `document.querySelector("#wiki\\.live")?.shadowRoot.querySelector("p.gone")?.innerText.startsWith("The server does not respond")`)
}

func browseNoPages(t *testing.T, browser context.Context) {
	r := startWith(t, nil, Options{}, layOut)
	v := newView(t, browser)
	v.open(r.url)
	v.until("what to do", `document.body.innerText.includes("No pages yet")`)
	time.Sleep(150 * time.Millisecond)
	r.write("wiki/index.md", "# First page\n\nHello.\n")
	v.until("the first page", `document.querySelector("h1")?.innerText.includes("First page")`)
	v.quiet("a wiki without pages")
}

func browseTheme(t *testing.T, browser context.Context) {
	r := serveBook(t)
	v := newView(t, browser, scriptShifts)
	v.prefers("light")
	v.open(r.url)
	background := `getComputedStyle(document.documentElement).backgroundColor`
	v.until("the button", `document.querySelector(".mode") && !document.querySelector(".mode").hidden`)
	light := eval[string](v, background)
	v.follow(".mode")
	v.until("another background", background+` !== `+fmt.Sprintf("%q", light))
	dark := eval[string](v, background)
	for range 3 {
		v.open(r.url + "20_SYSTEM/sessions.html")
		v.until("ten frames", `self.painted.length >= 10`)
		for i, p := range eval[[]string](v, `self.painted`) {
			if !strings.HasSuffix(p, dark) {
				t.Errorf("frame %d is painted %s, want %s", i, p, dark)
			}
		}
	}
	v.follow(".mode")
	v.until("the light background", background+` === `+fmt.Sprintf("%q", light))
	v.prefers("dark")
	v.until("what the system prefers", background+` === `+fmt.Sprintf("%q", dark))
	v.quiet("light and dark")
}

// built renders the book to a folder.
func built(t *testing.T) string {
	t.Helper()
	return builtFrom(t, book)
}

// builtFrom renders the files of a wiki to a folder.
func builtFrom(t *testing.T, files map[string]string) string {
	t.Helper()
	r := &running{t: t, dir: t.TempDir()}
	for name, text := range files {
		r.write(name, text)
	}
	w, err := load(r.dir)
	if err != nil {
		t.Fatal(err)
	}
	s, err := site.New(w, site.Options{})
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(r.dir, "_site")
	if _, err := s.Build(t.Context(), out, nil); err != nil {
		t.Fatal(err)
	}
	return out
}

func browseBuilt(t *testing.T, browser context.Context) {
	out := built(t)
	below := httptest.NewUnstartedServer(http.StripPrefix("/x/", http.FileServer(http.Dir(out))))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	below.Listener = l
	below.Start()
	defer below.Close()
	file := (&url.URL{Scheme: "file", Path: filepath.ToSlash(out)}).String()
	for _, home := range []string{below.URL + "/x/index.html", file + "/index.html"} {
		v := newView(t, browser)
		v.open(home)
		v.find("token ref", "Token refresh", "20_SYSTEM/token-refresh.html")
		v.find("tokne", "Token refresh", "token-refresh.html")
		v.comesBack("tokne", "Token refresh")
		v.find("時計", "Clock skew", "clock-skew.html")
		v.find("sessions", "Sessions", "sessions.html")
		v.follow(`.backlinks a[href$="token-refresh.html"]`)
		v.until("the page behind the backlink", `document.title.startsWith("Token refresh")`)
		v.findInPassing(strings.HasPrefix(home, "http"))
		for _, other := range []string{"404.html", "20_SYSTEM/Renewing%20tokens.html"} {
			v.open(strings.TrimSuffix(home, "index.html") + other)
		}
		v.quiet(home)
		for _, asked := range v.urls {
			if strings.HasSuffix(asked, "/favicon.ico") {
				t.Errorf("%s: the browser asks for %s", home, asked)
			}
		}
	}
}
