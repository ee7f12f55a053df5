package serve

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
)

// What a page must keep to.
const (
	maxTransfer            = 120 << 10 // bytes per page view, nothing cached
	minLine, maxLine       = 60, 80    // characters, the median of full lines
	maxShift               = 0.001     // what is less is less than a pixel
	desktop, phone         = 1280, 390
	desktopHigh, phoneHigh = 900, 844
)

// scriptSideways returns what reaches beyond the right edge of the window
// though nothing around it scrolls.
const scriptSideways = `document.documentElement.scrollWidth > innerWidth ? [...document.querySelectorAll("body *")]
  .filter((e) => e.getBoundingClientRect().right > innerWidth + 1 && !e.closest("[hidden]"))
  .map((e) => e.tagName + "." + e.className).slice(0, 8).concat(String(document.documentElement.scrollWidth)) : []`

func browseMeasures(t *testing.T, browser context.Context) {
	r := serveBook(t)
	r.write("wiki/20_SYSTEM/sessions.md", book["wiki/20_SYSTEM/sessions.md"]+"\nUNSURE when, and DISPUTED.\n")
	r.write("wiki/10_DOMAIN/clock-skew.md", book["wiki/10_DOMAIN/clock-skew.md"]+"\n## Far\n\n| Clock | Skew |\n|---|---|\n| "+strings.Repeat("long", 40)+" | DISPUTED |\n")
	r.until("a finding", func() bool { return r.status().Findings["warning"] == 1 })
	v := newView(t, browser, scriptShifts)
	r.until("the contradictions", func() bool { return strings.Contains(r.get("/contradictions.html"), "an older dispute") })
	for _, path := range []string{
		"", "20_SYSTEM/token-refresh.html", "20_SYSTEM/sessions.html", "20_SYSTEM/ingest.html", "10_DOMAIN/clock-skew.html", "10_DOMAIN/",
		"pages.html", "contradictions.html", "tags.html", "search.html?q=token", "no-such-page.html",
	} {
		name := path
		if name == "" {
			name = "home"
		}
		t.Run(name, func(t *testing.T) {
			v.t = t
			v.size(desktop, desktopHigh)
			v.run(command(network.ClearBrowserCache, cdp.Empty{}))
			v.loaded()
			v.prefers("light")
			v.open(r.url + path)
			v.until("the whole page", `document.readyState === "complete" && self.painted.length > 10`)
			if n, of := v.loaded(); n > maxTransfer {
				t.Errorf("%.0f bytes were transferred, at most %d wanted: %q", n, maxTransfer, of)
			}
			measureShift(t, v, "on a desk")
			for _, scheme := range []string{"light", "dark"} {
				v.prefers(scheme)
				for _, bad := range eval[[]string](v, scriptContrast) {
					t.Errorf("%s: contrast %s", scheme, bad)
				}
			}
			if path == "20_SYSTEM/token-refresh.html" {
				lines := eval[[]int](v, scriptLines)
				slices.Sort(lines)
				if len(lines) < 3 {
					t.Fatalf("lines of %v characters", lines)
				}
				if median := lines[len(lines)/2]; median < minLine || median > maxLine {
					t.Errorf("a line has %d characters (%v), %d to %d wanted", median, lines, minLine, maxLine)
				}
			}
			v.size(phone, phoneHigh)
			v.prefers("light")
			v.open(r.url + path)
			v.until("the whole page", `document.readyState === "complete" && self.painted.length > 10`)
			if wide := eval[[]string](v, scriptSideways); len(wide) > 0 {
				t.Errorf("on a phone the page scrolls sideways: %v", wide)
			}
			measureShift(t, v, "on a phone")
			if path == "no-such-page.html" {
				v.messages = nil // the console tells of the 404 itself
			}
			v.quiet(name)
		})
	}
}

// The measures must be able to fail: a page made worse is found to be.
func browseMeasuresOfABadPage(t *testing.T, browser context.Context) {
	r := serveBook(t)
	v := newView(t, browser, scriptShifts)
	v.size(phone, phoneHigh)
	v.open(r.url + "20_SYSTEM/sessions.html")
	v.until("the whole page", `document.readyState === "complete" && self.painted.length > 10`)
	eval[bool](v, `(() => { const p = document.querySelector(".prose p");
		p.style.color = "#999"; p.style.background = "#fff"; p.style.width = "600px"; p.style.marginTop = "200px"; return true; })()`)
	v.until("the shift", `self.shifted > 0`)
	if len(eval[[]string](v, scriptContrast)) == 0 {
		t.Error("grey on white is contrast enough")
	}
	if len(eval[[]string](v, scriptSideways)) == 0 {
		t.Error("600 pixels fit into 390")
	}
	eval[bool](v, `console.error("a fault"), true`)
	v.until("the console to speak", `true`)
	v.mu.Lock()
	defer v.mu.Unlock()
	if len(v.messages) != 1 {
		t.Errorf("the console said %q", v.messages)
	}
}

func measureShift(t *testing.T, v *view, where string) {
	t.Helper()
	if shifted := eval[float64](v, `self.shifted`); shifted > maxShift {
		t.Errorf("%s the layout shifts by %v: %v", where, shifted, eval[[]string](v, `self.shiftedBy`))
	}
}
