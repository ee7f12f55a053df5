package serve

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/loopwiki/wiki/schema/schematest"
)

// What moving a large graph may take, in milliseconds; the bounds are for a machine that
// does much else. On one that doesn't they are 50 and 300.
const (
	maxFrame   = 200.0
	maxSettled = 2000.0
	maxReady   = 10_000.0
)

// scriptFrames keeps how long frames take, and when the graph was last drawn whole.
const scriptFrames = `
self.times = []; let last = 0, drawn;
const tick = (now) => {
  if (last) self.times.push(now - last);
  last = now;
  const at = document.querySelector(".graph")?.dataset.drawn;
  if (at !== drawn) { drawn = at; self.drawnAt = performance.now(); }
  requestAnimationFrame(tick);
};
requestAnimationFrame(tick);
self.ink = () => { const c = document.querySelector(".graph canvas"), d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data;
  let n = 0; for (let i = 3; i < d.length; i += 4) if (d[i]) n++; return n; };`

func (v *view) mouse(kind input.DispatchMouseEventType, x, y float64, held bool) {
	v.t.Helper()
	v.run(chromedp.MouseEvent(kind, x, y, func(p *input.DispatchMouseEventParams) {
		if held || kind != input.DispatchMouseEventTypeMouseMoved {
			p.Button, p.ClickCount = input.MouseButtonLeft, 1
		}
		if held {
			p.Buttons = 1
		}
	}))
}

// drag moves the pointer while it holds what is below it.
func (v *view) drag(x, y, byX, byY float64, steps int) {
	v.t.Helper()
	v.mouse(input.DispatchMouseEventTypeMouseMoved, x, y, false)
	v.mouse(input.DispatchMouseEventTypeMousePressed, x, y, true)
	for i := 1; i <= steps; i++ {
		v.mouse(input.DispatchMouseEventTypeMouseMoved, x+byX*float64(i)/float64(steps), y+byY*float64(i)/float64(steps), true)
	}
	v.mouse(input.DispatchMouseEventTypeMouseReleased, x+byX, y+byY, false)
}

func (v *view) wheel(x, y, by float64) {
	v.t.Helper()
	v.run(command(input.DispatchMouseEvent, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseWheel, X: x, Y: y, DeltaX: 1e-9, DeltaY: by}))
}

// center is the middle of the graph, in the window.
func (v *view) center() (x, y float64) {
	v.t.Helper()
	at := eval[[]float64](v, `(() => { const c = document.querySelector(".graph canvas"); c.scrollIntoView({ block: "center", behavior: "instant" });
		const b = c.getBoundingClientRect(); return [b.left + b.width / 2, b.top + b.height / 2]; })()`)
	return at[0], at[1]
}

// rests waits until the graph is drawn whole.
func (v *view) rests() {
	v.t.Helper()
	v.until("the graph", `document.querySelector(".graph")?.dataset.drawn`)
	v.until("the graph to rest", `performance.now() - self.drawnAt > 400`)
}

func browseGraph(t *testing.T, browser context.Context) {
	r := serveBook(t)
	v := newView(t, browser, scriptFrames)
	for _, window := range [][2]int64{{390, 844}, {820, 1180}, {1440, 900}} {
		v.size(window[0], window[1])
		for _, scheme := range []string{"light", "dark"} {
			v.prefers(scheme)
			v.open(r.url + "graph.html")
			v.rests()
			if ink := eval[int](v, `self.ink()`); ink < 100 {
				t.Errorf("%d, %s: %d pixels are drawn", window[0], scheme, ink)
			}
			for _, bad := range eval[[]string](v, scriptContrast) {
				t.Errorf("%d, %s: contrast %s", window[0], scheme, bad)
			}
			if wide := eval[[]string](v, scriptSideways); len(wide) > 0 {
				t.Errorf("%d: the page scrolls sideways: %v", window[0], wide)
			}
		}
	}
	v.prefers("light")
	v.open(r.url + "graph.html?at=20_SYSTEM/token-refresh.html")
	v.rests()
	// The page that is asked for is in the middle: a click there opens it.
	x, y := v.center()
	v.mouse(input.DispatchMouseEventTypeMouseMoved, x, y, false)
	v.until("its name", `document.querySelector(".graph-name").innerText === "Token refresh" && document.querySelector(".graph canvas.on")`)
	// It can be put elsewhere, and the rest dragged.
	v.drag(x, y, 60, 40, 6)
	v.mouse(input.DispatchMouseEventTypeMouseMoved, x+60, y+40, false)
	v.until("the node where it was put", `document.querySelector(".graph-name").innerText === "Token refresh" && !document.querySelector(".graph-name").hidden`)
	v.drag(x-100, y-150, 50, 20, 5)
	v.mouse(input.DispatchMouseEventTypeMouseMoved, x+110, y+60, false)
	v.until("the node moved with the graph", `document.querySelector(".graph canvas.on") && document.querySelector(".graph-name").innerText === "Token refresh"`)
	v.mouse(input.DispatchMouseEventTypeMousePressed, x+110, y+60, true)
	v.mouse(input.DispatchMouseEventTypeMouseReleased, x+110, y+60, false)
	v.until("the page of the node", `location.pathname.endsWith("/20_SYSTEM/token-refresh.html")`)

	// By keyboard: pages by name, and the list of all.
	v.open(r.url + "graph.html")
	v.rests()
	v.follow(".graph input")
	v.keys("SESS")
	v.until("the page with this name", `document.querySelector(".graph-bar p").innerText === "1 page" && document.querySelector(".graph-found a").innerText === "Sessions"`)
	v.keys(kb.Enter)
	v.until("the page found", `location.pathname.endsWith("/20_SYSTEM/sessions.html")`)
	v.follow(`.fan svg a[href="token-refresh.html"]`)
	v.until("the page in the drawing", `location.pathname.endsWith("/20_SYSTEM/token-refresh.html")`)
	v.open(r.url + "graph.html")
	v.rests()
	before := eval[string](v, `document.querySelector(".graph").dataset.drawn`)
	eval[bool](v, `document.querySelector(".graph canvas").focus(), true`)
	v.keys(kb.ArrowLeft)
	v.keys("+")
	v.until("the graph to move", fmt.Sprintf(`document.querySelector(".graph").dataset.drawn !== %q`, before))
	if list := eval[[]string](v, `[...document.querySelectorAll("main .entries li")].map((li) => li.innerText.replace("\n", " "))`); len(list) != 7 || !strings.HasPrefix(list[0], "Lighthouse 4 links") {
		t.Errorf("the list has %q", list)
	}
	v.quiet("the graph")
}

// browseLargeGraph measures a graph of 10,000 pages and 80,000 links. With -v it prints
// the figures.
func browseLargeGraph(t *testing.T, browser context.Context) {
	schematest.NeedThorough(t, "a graph of 10,000 pages")
	const pages, links = 10_000, 8
	random := rand.New(rand.NewPCG(1, 2))
	files := make(map[string]string, pages)
	for i := range pages {
		var b strings.Builder
		fmt.Fprintf(&b, "# Page %d\n\n", i)
		for range links {
			to := random.IntN(pages)
			if random.IntN(10) < 7 { // most links stay in the folder
				to = (i + 25*random.IntN(pages/25)) % pages
			}
			fmt.Fprintf(&b, "[%d](../f%d/p%d.md) ", to, to%25, to)
		}
		files[fmt.Sprintf("wiki/f%d/p%d.md", i%25, i)] = b.String()
	}
	r := startWith(t, files, Options{}, layOut)
	v := newView(t, browser, scriptFrames)
	v.size(1440, 900)
	began := time.Now()
	r.get("/_wiki/graph-data.js")
	t.Logf("laid out in %v", time.Since(began).Round(time.Millisecond))
	v.open(r.url + "graph.html")
	v.until("the graph", `self.drawnAt`)
	ready := eval[float64](v, `self.drawnAt`)
	t.Logf("drawn after %.0f ms", ready)
	if ready > maxReady {
		t.Errorf("drawn after %.0f ms, at most %v wanted", ready, maxReady)
	}
	v.rests()
	x, y := v.center()
	measure := func(what string, act func()) {
		eval[bool](v, `(self.times = []).length === 0`)
		act()
		eval[float64](v, `self.acted = performance.now()`)
		v.until("the whole graph", `self.drawnAt > self.acted`)
		rest := eval[float64](v, `self.drawnAt - self.acted`)
		times := eval[[]float64](v, `self.times`)
		slices.Sort(times)
		p95 := times[len(times)*95/100]
		t.Logf("%s: %d frames, p50 %.0f ms, p95 %.0f ms, worst %.0f ms; whole again after %.0f ms", what, len(times), times[len(times)/2], p95, times[len(times)-1], rest)
		if p95 > maxFrame || rest > maxSettled {
			t.Errorf("%s: p95 of frames is %.0f ms and it takes %.0f ms until all is drawn, at most %v and %v wanted", what, p95, rest, maxFrame, maxSettled)
		}
	}
	measure("pan", func() { v.drag(x-200, y-310, 150, 100, 60) })
	measure("zoom", func() {
		for i := range 40 {
			v.wheel(x, y, float64(map[bool]int{true: -40, false: 40}[i < 20]))
		}
	})
	v.open(r.url + "graph.html?at=f0/p0.html")
	v.rests()
	x, y = v.center()
	measure("drag of a node", func() { v.drag(x, y, 120, 80, 60) })
	v.quiet("a large graph")
}
