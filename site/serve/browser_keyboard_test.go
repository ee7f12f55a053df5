package serve

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// scriptFocus describes what has the focus: the landmark it is in, its name
// and what is wrong with it.
const scriptFocus = `(() => {
  const e = document.activeElement, s = getComputedStyle(e);
  const name = (e.getAttribute("aria-label") || e.innerText || e.textContent || e.getAttribute("alt") || e.title || "").trim();
  const region = e.closest(".top, .side, main, .near, .toc")?.className || e.closest("main")?.tagName.toLowerCase() || e.className;
  const bad = [];
  if (!name) bad.push("has no name");
  if (s.outlineStyle === "none" || parseFloat(s.outlineWidth) < 1) bad.push("has no outline");
  const box = e.getBoundingClientRect();
  if (box.bottom <= 0 || box.top >= innerHeight || box.width < 2) bad.push("is out of sight");
  return [region, name.slice(0, 40), bad.join(", "), e === document.body ? "end" : ""];
})()`

// scriptOutline returns headings that skip a level.
const scriptOutline = `(() => {
  let last = 0;
  return [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")].filter((h) => h.checkVisibility()).filter((h) => {
    const level = +h.tagName[1], skips = level > last + 1;
    last = level;
    return skips;
  }).map((h) => h.tagName + " " + h.innerText);
})()`

func browseByKeyboard(t *testing.T, browser context.Context) {
	r := serveBook(t)
	v := newView(t, browser)
	v.open(r.url + "20_SYSTEM/token-refresh.html")
	v.until("the whole page", `document.readyState === "complete" && document.querySelector(".menu").open`)
	v.keys(kb.Tab)
	v.until("the link over the menu", `document.activeElement.matches(".skip") && document.activeElement.getBoundingClientRect().top >= 0`)
	var order []string
	for range 90 {
		f := eval[[]string](v, scriptFocus)
		if f[3] != "" {
			break
		}
		if f[2] != "" {
			t.Errorf("%s in %s %s", f[1], f[0], f[2])
		}
		if n := len(order); n == 0 || order[n-1] != f[0] {
			order = append(order, f[0])
		}
		v.keys(kb.Tab)
	}
	if got, want := strings.Join(order, " "), "skip top side main toc near"; got != want {
		t.Errorf("the focus goes through %q, want %q", got, want)
	}
	v.open(r.url + "20_SYSTEM/sessions.html")
	v.until("the whole page", `document.readyState === "complete"`)
	v.keys(kb.Tab + kb.Enter)
	v.until("the focus to skip to the text", `document.activeElement.matches("main")`)
	for _, page := range []string{"", "20_SYSTEM/token-refresh.html", "20_SYSTEM/index.html", "10_DOMAIN/index.html", "pages.html", "search.html"} {
		v.open(r.url + page)
		v.until("the whole page", `document.readyState === "complete"`)
		if skips := eval[[]string](v, scriptOutline); len(skips) > 0 {
			t.Errorf("%s: headings skip a level: %q", page, skips)
		}
		if n := eval[int](v, `document.querySelectorAll("main").length * 10 + document.querySelectorAll("h1").length`); n != 11 {
			t.Errorf("%s: mains and titles: %d", page, n)
		}
		if n := eval[int](v, `document.querySelectorAll('.side [aria-current="page"]').length`); n != 1 && page != "search.html" {
			t.Errorf("%s: %d entries of the menu are the page", page, n)
		}
		if bare := eval[[]string](v, `[...document.querySelectorAll("input")].filter((e) => !e.labels.length && !e.getAttribute("aria-label")).map((e) => e.outerHTML)`); len(bare) > 0 {
			t.Errorf("%s: inputs without a name: %q", page, bare)
		}
	}
	browseCodeByKeyboard(v, r.url)
	v.quiet("by keyboard")
}

// browseCodeByKeyboard looks whether code can be scrolled where, and only
// where, it is wider than the column.
func browseCodeByKeyboard(v *view, url string) {
	v.t.Helper()
	for width, want := range map[int64]int{1280: -1, phone: 0} {
		v.size(width, 800)
		v.open(url + "20_SYSTEM/token-refresh.html")
		v.until("the whole page", `document.readyState === "complete"`)
		v.until(fmt.Sprintf("code with tabindex %d at a width of %d", want, width), fmt.Sprintf(`document.querySelector(".prose pre").tabIndex === %d`, want))
		v.until("the menu as the width wants it", fmt.Sprintf(`document.querySelector(".menu").open === %v`, width > 1000))
		v.until("a name of the search", `getComputedStyle(document.querySelector(".find span")).display !== "none"`)
	}
}
