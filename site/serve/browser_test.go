package serve

import (
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/loopwiki/wiki/schema/schematest"
)

// chromium starts a browser without a past, or skips the test.
func chromium(t *testing.T) context.Context {
	t.Helper()
	var program string
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil && program == "" {
			program = p
		}
	}
	schematest.Need(t, "chromium", program != "", "chromium is not installed")
	if testing.Short() {
		t.Skip("a browser takes long to start")
	}
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(program), chromedp.UserDataDir(t.TempDir()),
		chromedp.Env("TMPDIR=" + t.TempDir()), // its sockets are left there when it is killed
		chromedp.NoSandbox, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck, chromedp.DisableGPU, chromedp.Headless,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		chromedp.Flag("disable-extensions", true), chromedp.Flag("disable-dev-shm-usage", true),
		chromedp.Flag("hide-scrollbars", false), chromedp.Flag("allow-file-access-from-files", false),
		chromedp.WindowSize(1280, 900),
	}
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx, chromedp.WithErrorf(func(string, ...any) {}))
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("start %s: %v", program, err)
	}
	return ctx
}

// view is a tab of the browser, and what it said and loaded.
type view struct {
	t   *testing.T
	ctx context.Context

	mu       sync.Mutex
	messages []string // errors and warnings of the console, and exceptions
	bytes    map[network.RequestID]float64
	urls     map[network.RequestID]string
}

// viewTimeout bounds what one tab does in a test, on a machine that does much
// else.
const viewTimeout = 90 * time.Second

// newView opens a tab. scripts run in every page before its own.
func newView(t *testing.T, browser context.Context, scripts ...string) *view {
	t.Helper()
	tab, cancel := chromedp.NewContext(browser)
	t.Cleanup(cancel)
	ctx, stop := context.WithTimeout(tab, viewTimeout)
	t.Cleanup(stop)
	v := &view{t: t, ctx: ctx, bytes: make(map[network.RequestID]float64), urls: make(map[network.RequestID]string)}
	// The tab lives as long as the context of the first action, which has no end.
	if err := chromedp.Listen(tab, v.hear); err != nil {
		t.Fatal(err)
	}
	v.run(
		command(network.Enable, network.EnableParams{}), command(runtime.Enable, cdp.Empty{}), command(log.Enable, cdp.Empty{}),
	)
	v.prefers("light")
	for _, s := range scripts {
		v.run(command(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: s}))
	}
	return v
}

// command is an action of one command of the protocol.
func command[P, R any](c cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, c, params)
		return err
	})
}

func (v *view) hear(e any) {
	v.mu.Lock()
	defer v.mu.Unlock()
	switch e := e.(type) {
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
			var text []string
			for _, a := range e.Args {
				text = append(text, string(a.Value)+a.Description)
			}
			v.messages = append(v.messages, strings.Join(text, " "))
		}
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if x := e.ExceptionDetails.Exception; x != nil {
			text += " " + x.Description
		}
		v.messages = append(v.messages, text)
	case *log.EventEntryAdded:
		if l := e.Entry.Level; (l == log.EntryLevelError || l == log.EntryLevelWarning) && !strings.Contains(e.Entry.URL, eventsURL) {
			v.messages = append(v.messages, e.Entry.Text+" "+e.Entry.URL)
		}
	case *network.EventRequestWillBeSent:
		v.urls[e.RequestID] = e.Request.URL
	case *network.EventLoadingFinished:
		v.bytes[e.RequestID] = e.EncodedDataLength
	}
}

// quiet reports what the console said, and forgets it.
func (v *view) quiet(what string) {
	v.t.Helper()
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, m := range v.messages {
		v.t.Errorf("%s: the console says: %s", what, m)
	}
	v.messages = nil
}

// loaded returns the bytes that were transferred since the last call, and of what.
func (v *view) loaded() (float64, []string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	sum := 0.0
	var of []string
	for id, n := range v.bytes {
		sum += n
		of = append(of, fmt.Sprintf("%6.0f %s", n, v.urls[id]))
	}
	slices.Sort(of)
	clear(v.bytes)
	return sum, of
}

func (v *view) run(actions ...chromedp.Action[chromedp.Void]) {
	v.t.Helper()
	if err := chromedp.Do(v.ctx, actions...); err != nil {
		v.t.Fatal(err)
	}
}

func (v *view) open(url string) { v.t.Helper(); v.run(chromedp.Navigate(url)) }

// eval runs a script and returns what it gives.
func eval[T any](v *view, script string) T {
	v.t.Helper()
	out, err := chromedp.Run(v.ctx, chromedp.Evaluate[T](script))
	if err != nil {
		v.t.Fatalf("%s: %v", script, err)
	}
	return out
}

// until waits for a script to give true, through navigations.
func (v *view) until(what, script string) {
	v.t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		// In the middle of a navigation there is nothing to ask.
		if ok, err := chromedp.Run(v.ctx, chromedp.Evaluate[bool]("!!("+script+")")); err == nil && ok {
			return
		}
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.t.Fatalf("waited in vain for %s; at %s the page is %q, the console %q", what, v.where(), v.text(), v.messages)
}

// settle waits until the page is whole and was not loaded again for a second.
func (v *view) settle() {
	v.t.Helper()
	for range 20 {
		v.until("a page", `self.settled = true`)
		time.Sleep(time.Second)
		// In the middle of a navigation there is nothing to ask.
		if ok, err := chromedp.Run(v.ctx, chromedp.Evaluate[bool](`document.readyState === "complete" && self.settled === true`)); err == nil && ok {
			return
		}
	}
	v.t.Fatal("the page is loaded again and again")
}

func (v *view) where() string {
	url, _ := chromedp.Run(v.ctx, chromedp.Location())
	return url
}

func (v *view) text() string {
	text, _ := chromedp.Run(v.ctx, chromedp.Evaluate[string]("document.body.innerText.slice(0, 600)"))
	return text
}

// keys presses keys as a person would, in whatever has the focus.
func (v *view) keys(text string) { v.t.Helper(); v.run(chromedp.KeyEvent(text)) }

// follow clicks the first element that a selector names.
func (v *view) follow(selector string) {
	v.t.Helper()
	v.run(chromedp.Click(chromedp.CSS(selector), chromedp.NodeVisible))
}

// size makes the window as large as a device.
func (v *view) size(width, height int64) {
	v.t.Helper()
	v.run(chromedp.EmulateViewport(width, height))
}

// prefers sets what the system prefers, light or dark.
func (v *view) prefers(scheme string) {
	v.t.Helper()
	v.run(command(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: scheme},
			{Name: "prefers-reduced-motion", Value: "reduce"}, // nothing to wait for
		},
	}))
}

// scriptShifts adds up layout shifts, and remembers the first background that
// was painted.
const scriptShifts = `
self.shifted = 0; self.shiftedBy = [];
new PerformanceObserver((list) => { for (const e of list.getEntries()) if (!e.hadRecentInput) {
  self.shifted += e.value;
  for (const s of e.sources ?? []) self.shiftedBy.push(s.node?.nodeName + "." + s.node?.className);
} }).observe({ type: "layout-shift", buffered: true });
self.painted = [];
const look = () => { if (document.body) self.painted.push(getComputedStyle(document.documentElement).colorScheme + " " +
  document.documentElement.dataset.mode + " " + getComputedStyle(document.documentElement).backgroundColor); if (self.painted.length < 30) requestAnimationFrame(look); };
requestAnimationFrame(look);`

// scriptContrast returns the visible text whose contrast with what is behind it
// is below 4.5, or 3 when it is large (WCAG 2.2, 1.4.3), with the ratio.
const scriptContrast = `(() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (css) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = "#000"; canvas.fillStyle = css; canvas.fillRect(0, 0, 1, 1);
    const d = canvas.getImageData(0, 0, 1, 1).data; return [d[0], d[1], d[2], d[3] / 255]; };
  const over = (a, b) => [0, 1, 2].map((i) => a[i] * a[3] + b[i] * (1 - a[3])).concat(1);
  const light = (c) => { const [r, g, b] = c.map((x) => (x /= 255) <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const behind = (e) => { const stack = []; let seen = 1;
    for (let n = e; n; n = n.parentElement) { const c = rgba(getComputedStyle(n).backgroundColor); if (c[3] > 0) stack.push(c); if (c[3] === 1) break; }
    let base = rgba(getComputedStyle(document.documentElement).colorScheme.includes("dark") && matchMedia("(prefers-color-scheme: dark)").matches ? "#121212" : "#fff");
    return stack.reverse().reduce((b, c) => over(c, b), base); };
  const bad = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const n = walk.currentNode, e = n.parentElement, s = getComputedStyle(e);
    if (!n.data.trim() || !e.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true })) continue;
    const range = document.createRange(); range.selectNodeContents(n);
    const box = range.getBoundingClientRect();
    if (box.width < 2 || box.height < 2 || s.clipPath !== "none" || box.bottom < 0) continue;
    const back = behind(e), front = over(rgba(s.color), back);
    const [a, b] = [light(front), light(back)].sort((x, y) => y - x), ratio = (a + 0.05) / (b + 0.05);
    const px = parseFloat(s.fontSize), large = px >= 24 || px >= 18.66 && +s.fontWeight >= 700;
    if (ratio < (large ? 3 : 4.5)) bad.push(ratio.toFixed(2) + " " + e.tagName.toLowerCase() + "." + e.className + " " + s.color + " on " + back.slice(0, 3).map(Math.round) + ": " + n.data.trim().slice(0, 40));
  }
  return bad;
})()`

// scriptLines returns the number of characters of every full line of running text.
const scriptLines = `[...document.querySelectorAll(".prose > p")].flatMap((p) => {
  const lines = []; let top = null, n = 0;
  const walk = document.createTreeWalker(p, NodeFilter.SHOW_TEXT), range = document.createRange();
  while (walk.nextNode()) for (let i = 0; i < walk.currentNode.data.length; i++) {
    range.setStart(walk.currentNode, i); range.setEnd(walk.currentNode, i + 1);
    const r = range.getClientRects()[0]; if (!r) continue;
    if (top !== null && r.top > top + r.height * 0.7) { lines.push(n); n = 0; top = r.top; }
    top ??= r.top; if (r.width > 0) n++;
  }
  return lines; })`
