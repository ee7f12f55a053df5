package serve

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
)

// atlas is the book with a folder too long for a page, and long contents.
func atlas() map[string]string {
	files := maps.Clone(book)
	for i := range 60 {
		files[fmt.Sprintf("wiki/30_LOG/day-%02d.md", i)] = fmt.Sprintf("# Day %d\n\nNothing happened to the Token refresh.\n", i)
	}
	files["wiki/30_LOG/deep/dive.md"] = "# Dive\n\n" + strings.Repeat("## Part\n\n### Piece\n\nText of a piece, long enough for a line or two of it on most screens.\n\n", 40)
	return files
}

// naming finds every page that says "Token refresh" in plain text.
func naming(ctx context.Context, w *compiler.Wiki) Known {
	known := doubtful(ctx, w)
	for _, p := range w.Pages() {
		if i := strings.Index(string(p.Source), "the Token refresh"); i >= 0 {
			known.Mentions = append(known.Mentions, schema.Mention{Path: p.Path, Span: schema.Span{Start: i + 4, End: i + 17}, Of: "20_SYSTEM/token-refresh.md"})
		}
	}
	return known
}

// The windows that pages are looked at in.
var windows = []struct{ width, height int64 }{{phone, phoneHigh}, {820, 1180}, {1440, 900}}

// folder is the entry of a folder in the menu.
func folder(name string) string {
	return fmt.Sprintf(`[...document.querySelectorAll(".side li[data-tree]")].find((li) => li.querySelector(":scope > a").innerText === %q)`, name)
}

func browseTree(t *testing.T, browser context.Context) {
	r := startWith(t, atlas(), Options{Lint: naming, Search: &indexer{}}, layOut)
	for _, w := range windows {
		v := newView(t, browser)
		v.size(w.width, w.height)
		browseFolders(v, r.url, w.width)
		for _, scheme := range []string{"light", "dark"} {
			v.prefers(scheme)
			for _, bad := range eval[[]string](v, scriptContrast) {
				t.Errorf("%d, %s: contrast %s", w.width, scheme, bad)
			}
		}
		if wide := eval[[]string](v, scriptSideways); len(wide) > 0 {
			t.Errorf("at %d the page scrolls sideways: %v", w.width, wide)
		}
		v.quiet(fmt.Sprintf("the tree at %d", w.width))
	}
	t.Run("built", func(t *testing.T) {
		out := builtFrom(t, atlas())
		v := newView(t, browser)
		v.size(1440, 900)
		browseFolders(v, (&url.URL{Scheme: "file", Path: filepath.ToSlash(out)}).String()+"/", 1440)
		v.quiet("the tree from a disk")
	})
}

// browseFolders opens folders by keyboard and goes to another page, where they are as
// they were.
func browseFolders(v *view, url string, width int64) {
	v.t.Helper()
	open := func(page string) {
		v.open(url + page)
		v.until("the whole page", `document.readyState === "complete" && document.querySelector(".fold")`)
		if width < 960 {
			v.follow(".menu > summary")
			v.until("the menu", `document.querySelector(".fold").checkVisibility()`)
		}
	}
	open("20_SYSTEM/sessions.html")
	if got := eval[string](v, `[...document.querySelectorAll(".side li[data-tree]")].map((li) => li.querySelector(":scope > a").innerText + " " + li.querySelector(":scope > .fold").getAttribute("aria-expanded")).join(", ")`); got != "10_DOMAIN false, 20_SYSTEM true, 30_LOG false" {
		v.t.Errorf("at %d the menu is: %s", width, got)
	}
	eval[bool](v, folder("30_LOG")+`.querySelector(".fold").focus(), true`)
	v.keys(kb.Enter)
	v.until("the folder to open", folder("30_LOG")+`.querySelectorAll(":scope > ul > li").length === 61`)
	eval[bool](v, folder("deep")+`.querySelector(".fold").focus(), true`)
	v.keys(" ")
	v.until("the folder in it to open", folder("deep")+`.querySelector(":scope > .fold").getAttribute("aria-expanded") === "true"`)
	eval[bool](v, folder("20_SYSTEM")+`.querySelector(".fold").click(), true`)
	v.until("a folder to close", `!`+folder("20_SYSTEM")+`.querySelector(":scope > ul").checkVisibility()`)
	eval[bool](v, `(() => { const a = [...document.querySelectorAll(".side a")].find((a) => a.innerText === "Day 31"); a.scrollIntoView({ block: "center" });
		self.old = true; sessionStorage.setItem("was", a.getBoundingClientRect().top); a.click(); return true; })()`)
	v.until("the page", `!self.old && document.readyState === "complete" && document.querySelector("h1")?.innerText === "Day 31" && document.querySelector(".fold")`)
	if width < 960 {
		v.follow(".menu > summary")
	}
	v.until("all of the folder, with the page in it", folder("30_LOG")+`.querySelectorAll(":scope > ul > li").length === 61 && document.querySelector(".side [aria-current=page]").innerText === "Day 31"`)
	v.until("the folder in it, still open", folder("deep")+`.querySelector("a[href$='dive.html']")?.checkVisibility()`)
	if width >= 960 {
		v.until("the place in the menu", `Math.abs(document.querySelector(".side [aria-current=page]").getBoundingClientRect().top - sessionStorage.getItem("was")) < 4`)
	}
	eval[bool](v, `sessionStorage.clear(), true`)
	// A fresh reader sees the entries around the page, and all of them when asked.
	eval[bool](v, `addEventListener("pagehide", () => sessionStorage.clear()), true`)
	open("30_LOG/day-31.html")
	v.until("a part of the folder", folder("30_LOG")+`.querySelectorAll(":scope > ul > li").length < 40`)
	eval[bool](v, `document.querySelector("a.all").focus(), true`)
	v.keys(" ")
	v.until("all of it", folder("30_LOG")+`.querySelectorAll(":scope > ul > li").length === 61 && document.activeElement.matches(".side li > a")`)
}

func browsePreviews(t *testing.T, browser context.Context) {
	r := startWith(t, atlas(), Options{Lint: naming, Search: &indexer{}}, layOut)
	r.until("the mentions", func() bool { return strings.Contains(r.get("/20_SYSTEM/token-refresh.html"), "mentions-of-page") })
	for _, w := range windows {
		v := newView(t, browser)
		v.size(w.width, w.height)
		v.open(r.url + "20_SYSTEM/sessions.html")
		v.until("the whole page", `document.readyState === "complete"`)
		a, card := `document.querySelector(".prose a[href$='token-refresh.html']")`, `document.querySelector("#wiki\\.preview")`
		point := func(kind string) {
			eval[bool](v, a+`.dispatchEvent(new PointerEvent("pointerover", { bubbles: true, pointerType: "`+kind+`" }))`)
		}
		point("touch")
		time.Sleep(500 * time.Millisecond)
		if eval[bool](v, `!!`+card) {
			t.Errorf("at %d a finger makes a preview", w.width)
		}
		point("mouse")
		v.until("the preview", card+`?.checkVisibility()`)
		if got := eval[string](v, card+`.innerText`); !strings.HasPrefix(got, "Token refresh") || !strings.Contains(got, "concept") || !strings.Contains(got, "An access token lives") {
			t.Errorf("the preview says %q", got)
		}
		if got := eval[string](v, a+`.getAttribute("aria-describedby") + " " + `+card+`.role`); got != "wiki.preview tooltip" {
			t.Errorf("the link is described by %q", got)
		}
		if eval[bool](v, `(() => { const b = `+card+`.getBoundingClientRect(); return b.left < 0 || b.right > innerWidth; })()`) {
			t.Errorf("at %d the preview is not in the window", w.width)
		}
		for _, scheme := range []string{"light", "dark"} {
			v.prefers(scheme)
			for _, bad := range eval[[]string](v, scriptContrast) {
				t.Errorf("%d, %s: contrast %s", w.width, scheme, bad)
			}
		}
		v.keys(kb.Escape)
		v.until("the preview to go", `!`+card+` && !`+a+`.hasAttribute("aria-describedby")`)
		eval[bool](v, `document.querySelector("main .crumbs a:last-of-type").focus(), true`)
		for range 12 {
			v.keys(kb.Tab)
			if eval[bool](v, `document.activeElement === `+a) {
				break
			}
		}
		v.until("the preview of the link with the focus", card+`?.checkVisibility()`)
		v.keys(kb.Tab)
		v.until("it to go with the focus", `!`+card)
		v.quiet(fmt.Sprintf("previews at %d", w.width))
	}
}

// browseBeside looks where the contents and the links to a page are, and whether the
// contents follow.
func browseBeside(t *testing.T, browser context.Context) {
	r := startWith(t, atlas(), Options{Lint: naming, Search: &indexer{}}, layOut)
	r.until("the mentions", func() bool { return strings.Contains(r.get("/20_SYSTEM/token-refresh.html"), "mentions-of-page") })
	for _, w := range windows {
		v := newView(t, browser)
		v.size(w.width, w.height)
		v.open(r.url + "20_SYSTEM/token-refresh.html")
		v.until("the whole page", `document.readyState === "complete"`)
		side := `document.querySelector(".near").getBoundingClientRect().left >= document.querySelector("main").getBoundingClientRect().right`
		if got, want := eval[bool](v, side), w.width >= 1440; got != want {
			t.Errorf("at %d the links to the page are beside it: %v", w.width, got)
		}
		if got := eval[string](v, `[...document.querySelectorAll(".near h2")].map((h) => h.innerText).join(", ")`); got != "Linked pages, Linked from 2, Mentioned in 60" {
			t.Errorf("at %d there are %q", w.width, got)
		}
		v.open(r.url + "30_LOG/deep/dive.html")
		v.until("the whole page", `document.readyState === "complete"`)
		if got := eval[int](v, `document.querySelectorAll(".toc > ul > li > ul > li").length`); got != 40 {
			t.Errorf("%d entries of the contents are below others", got)
		}
		if w.width >= 1440 {
			eval[bool](v, `document.querySelector("#piece-35").scrollIntoView({ behavior: "instant" }), true`)
			v.until("the contents to follow", `(() => { const a = document.querySelector(".toc .here"), b = a?.getBoundingClientRect(), box = document.querySelector(".toc").getBoundingClientRect();
				return /^#(part|piece)-3[56]$/.test(a?.hash) && b.top >= box.top && b.bottom <= box.bottom; })()`)
		}
		v.keys("?")
		v.until("the list of keys", `document.querySelector("dialog.shortcuts[open]")?.innerText.includes("Search")`)
		v.keys(kb.Escape)
		v.until("it to close", `!document.querySelector("dialog[open]")`)
		v.quiet(fmt.Sprintf("beside the text at %d", w.width))
	}
}

// browseMissing goes to a wrong address at some depth, in a preview and in a site that
// does not know where it is.
func browseMissing(t *testing.T, browser context.Context) {
	r := startWith(t, book, Options{Lint: doubtful, Search: &indexer{}}, layOut)
	out := builtFrom(t, book)
	below := httptest.NewServer(http.StripPrefix("/x/", http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if _, err := os.Stat(filepath.Join(out, filepath.FromSlash(req.URL.Path))); err != nil {
			page, _ := os.ReadFile(filepath.Join(out, "404.html"))
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			w.WriteHeader(http.StatusNotFound)
			_, _ = w.Write(page)
			return
		}
		http.FileServer(http.Dir(out)).ServeHTTP(w, req)
	})))
	defer below.Close()
	for _, root := range []string{r.url, below.URL + "/x/"} {
		v := newView(t, browser)
		v.open(root + "20_SYSTEM/old/token-refrsh.html")
		v.until("the nearest pages", `document.querySelector(".hits a b")?.innerText.startsWith("Token refresh")`)
		if got := eval[string](v, `document.querySelector(".ask input").value`); got != "token refrsh" {
			t.Errorf("%s: searched for %q", root, got)
		}
		v.follow(".hits a")
		v.until("the page", `document.title.startsWith("Token refresh")`)
	}
}
