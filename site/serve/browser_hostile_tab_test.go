package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/debugger"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// mediaHost is the only host that images of hostile pages may be loaded from: all others
// in payloads are in places that must not load.
const mediaHost = "media.test"

// witness is a tab that remembers what the documents in it did.
type witness struct {
	*view
	outside *proxy

	mu       sync.Mutex
	ran      []string // markers that a payload printed, and dialogs
	scripts  []*debugger.EventScriptParsed
	requests []*network.EventRequestWillBeSent
	sockets  []string
}

// proxy answers for all other machines, and records the requests.
type proxy struct {
	server *httptest.Server
	mu     sync.Mutex
	asked  []string
}

func newProxy(t *testing.T) *proxy {
	p := &proxy{}
	p.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Hosts outside .test are requests of the browser itself.
		if host := r.URL.Hostname(); strings.HasSuffix(host, ".test") && host != mediaHost {
			p.mu.Lock()
			p.asked = append(p.asked, r.Method+" "+r.URL.String())
			p.mu.Unlock()
		}
		w.WriteHeader(http.StatusNotFound)
	}))
	t.Cleanup(p.server.Close)
	return p
}

// take returns the requests to other hosts since the last call.
func (p *proxy) take() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	asked := p.asked
	p.asked = nil
	return asked
}

// newWitness opens a tab that reaches other hosts through a proxy of the test only.
func newWitness(t *testing.T, in context.Context) *witness {
	t.Helper()
	outside := newProxy(t)
	tab, cancel := chromedp.NewContext(in, chromedp.WithNewBrowserContext(func(p *target.CreateBrowserContextParams) {
		p.ProxyServer = outside.server.URL
	}))
	t.Cleanup(cancel)
	w := &witness{
		view:    &view{t: t, ctx: tab, bytes: make(map[network.RequestID]float64), urls: make(map[network.RequestID]string)},
		outside: outside,
	}
	if err := chromedp.Listen(tab, w.hear); err != nil {
		t.Fatal(err)
	}
	w.run(
		command(network.Enable, network.EnableParams{}), command(runtime.Enable, cdp.Empty{}), command(log.Enable, cdp.Empty{}),
		command(emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}),
		chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
			_, err := cdp.Call(ctx, target, debugger.Enable, debugger.EnableParams{})
			return err
		}),
		chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
			_, err := chromedp.CallBrowser(ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
				Behavior: browser.SetDownloadBehaviorBehaviorDeny, BrowserContextID: chromedp.FromContext(ctx).BrowserContextID,
			})
			return err
		}),
	)
	w.size(desktop, desktopHigh)
	w.prefers("light")
	return w
}

// payloadMark is the output of payloads: see [payloads].
var payloadMark = regexp.MustCompile(`\b666\d{4}\b`)

func (w *witness) hear(e any) {
	w.view.hear(e)
	w.mu.Lock()
	defer w.mu.Unlock()
	switch e := e.(type) {
	case *runtime.EventConsoleAPICalled:
		for _, a := range e.Args {
			if m := payloadMark.FindString(string(a.Value) + " " + a.Description); m != "" {
				w.ran = append(w.ran, m)
			}
		}
	case *page.EventJavascriptDialogOpening:
		w.ran = append(w.ran, "dialog: "+e.Message)
		go func() {
			_, _ = chromedp.Call(w.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{})
		}()
	case *debugger.EventScriptParsed:
		w.scripts = append(w.scripts, e)
	case *network.EventRequestWillBeSent:
		w.requests = append(w.requests, e)
	case *network.EventWebSocketCreated:
		w.sockets = append(w.sockets, e.URL)
	}
}

// oneWait is the longest wait for one event, on a busy machine.
const oneWait = 20 * time.Second

// forget begins anew.
func (w *witness) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ran, w.scripts, w.requests, w.sockets = nil, nil, nil, nil
	w.view.mu.Lock()
	defer w.view.mu.Unlock()
	w.messages = nil
	clear(w.bytes)
	clear(w.urls)
}

// ask runs a script of the test, which may give a promise, and returns what it gives.
func ask[T any](w *witness, script string) (T, error) {
	ctx, cancel := context.WithTimeout(w.ctx, oneWait)
	defer cancel()
	out, err := chromedp.Run(ctx, chromedp.Evaluate[T](script+"\n//# sourceURL=test:ask", chromedp.EvalAwaitPromise))
	return out, err
}

// await waits for a script to give true, through navigations.
func (w *witness) await(what, script string) error { return w.awaitFor(oneWait, what, script) }

func (w *witness) awaitFor(d time.Duration, what, script string) error {
	for end := time.Now().Add(d); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if ok, err := ask[bool](w, "((x) => x?.then ? x.then(Boolean) : !!x)("+script+")"); err == nil && ok {
			return nil
		}
	}
	where := w.where() // not under the lock that what the tab says waits for
	w.view.mu.Lock()
	defer w.view.mu.Unlock()
	return fmt.Errorf("waited in vain for %s at %s; the console says %q", what, where, w.messages)
}

// visit opens a document and waits until it is whole. It returns false when the browser
// shows nothing, because it would save the file.
func (w *witness) visit(url string) (shown bool, err error) {
	// The document before may still speak to its server, which may be gone by now.
	if _, err := chromedp.Call(w.ctx, page.Navigate, page.NavigateParams{URL: "about:blank"}); err != nil {
		return false, fmt.Errorf("leave the page before %s: %w", url, err)
	}
	_, _ = ask[bool](w, `self.wikiTestLeft = true`) // by which the document before is distinguished from the next
	w.forget()
	res, err := chromedp.Call(w.ctx, page.Navigate, page.NavigateParams{URL: url})
	if err != nil {
		return false, fmt.Errorf("open %s: %w", url, err)
	}
	if res.ErrorText != "" {
		return false, nil
	}
	return true, w.whole()
}

// whole waits until the document, or the one it leads on to, is whole and was painted. Where
// a policy forbids all scripts, nothing calls back, and nothing has to be waited for.
func (w *witness) whole() error {
	if err := w.await("the whole document", `document.readyState === "complete" && !self.wikiTestLeft &&
  !/^\s*0/.test(document.querySelector("head > meta[http-equiv=refresh i]")?.content)`); err != nil {
		return err
	}
	return w.frames()
}

// frames waits until what scripts did to the document is painted.
func (w *witness) frames() error {
	return w.await("two frames", `self.origin === "null" && location.protocol !== "file:" || document.contentType === "multipart/related" ||
  new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
}

// below says which addresses a document may load things from.
type below struct {
	root   string          // of the built site, with a slash at the end
	pages  map[string]bool // those that are pages or lists of the site, by path
	inline map[string]bool // hashes of the inline scripts of the theme
}

// path returns the path of a file of the site at an address.
func (b *below) path(address string) (string, bool) {
	address, _, _ = strings.Cut(address, "#")
	address, _, _ = strings.Cut(address, "?")
	rest, ok := strings.CutPrefix(address, b.root)
	if !ok {
		return "", false
	}
	name, err := unescapePath(rest)
	if err != nil || strings.Contains("/"+name+"/", "/../") {
		return "", false
	}
	if name == "" || strings.HasSuffix(name, "/") {
		name += "index.html"
	}
	return name, true
}

// wrong reports what the document that is open did beyond what it may. doc is its address.
func (w *witness) wrong(b *below, doc string) (out []string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, m := range w.ran {
		out = append(out, "ran "+payloads.name(m))
	}
	for _, s := range w.scripts {
		if why := b.foreignScript(s); why != "" {
			out = append(out, why)
		}
	}
	for _, r := range w.requests {
		if why := b.foreignRequest(r, doc); why != "" {
			out = append(out, why)
		}
	}
	for _, s := range w.sockets {
		out = append(out, "opened the socket "+s)
	}
	for _, asked := range w.outside.take() {
		out = append(out, "asked another host: "+asked)
	}
	slices.SortFunc(out, func(a, b string) int { // what ran comes first
		if ran := strings.HasPrefix(a, "ran "); ran != strings.HasPrefix(b, "ran ") {
			return map[bool]int{true: -1, false: 1}[ran]
		}
		return strings.Compare(a, b)
	})
	return slices.Compact(out)
}

func (b *below) foreignScript(s *debugger.EventScriptParsed) string {
	switch {
	case s.URL == "", strings.HasPrefix(s.URL, "test:"), strings.HasPrefix(s.URL, "chrome-extension:"), strings.HasPrefix(s.URL, "chrome:"), strings.HasPrefix(s.URL, "pptr:"):
		return "" // of the browser, of the test
	case b.inline[s.Hash]:
		return ""
	}
	if name, ok := b.path(s.URL); ok && strings.HasPrefix(name, "_wiki/") {
		return ""
	}
	return fmt.Sprintf("compiled a script of %s, line %d, %d long", cutLong(s.URL), s.StartLine+1, s.Length)
}

func (b *below) foreignRequest(r *network.EventRequestWillBeSent, doc string) string {
	address := r.Request.URL
	name, inside := b.path(address)
	own := inside && strings.HasPrefix(name, "_wiki/")
	switch r.Type {
	case network.ResourceTypeDocument:
		if address == doc || strings.TrimSuffix(address, "/") == strings.TrimSuffix(doc, "/") || inside && b.pages[name] {
			return ""
		}
	case network.ResourceTypeImage, network.ResourceTypeMedia:
		switch {
		case strings.HasPrefix(address, "data:"), inside && !strings.Contains(address, "/../"):
			return ""
		case strings.HasPrefix(address, "https://"+mediaHost+"/"), strings.HasPrefix(address, "http://"+mediaHost+"/"):
			return ""
		}
	case network.ResourceTypeFetch, network.ResourceTypeXHR:
		if own || inside && b.pages[name] { // the words around a result
			return ""
		}
	case network.ResourceTypeOther:
		if own || strings.HasSuffix(address, "/favicon.ico") {
			return ""
		}
	default:
		if own {
			return ""
		}
	}
	if strings.HasPrefix(address, "chrome") {
		return "" // the viewer of PDF files
	}
	return fmt.Sprintf("requested %s as %s", cutLong(address), r.Type)
}

func cutLong(s string) string {
	if len(s) > 160 {
		s = s[:160] + "…"
	}
	return s
}

// popups returns the tabs next to the witness's own that are open in its context.
func (w *witness) popups() (out []string) {
	infos, err := chromedp.Targets(w.ctx)
	if err != nil {
		return nil
	}
	own := chromedp.FromContext(w.ctx)
	for _, i := range infos {
		if i.Type == "page" && i.BrowserContextID == own.BrowserContextID && i.TargetID != own.Target.TargetID {
			out = append(out, "opened a window at "+cutLong(i.URL))
			_, _ = chromedp.CallBrowser(w.ctx, target.CloseTarget, target.CloseTargetParams{TargetID: i.TargetID})
		}
	}
	return out
}

// look returns the problems of the open page: see [scriptLook].
func (w *witness) look(shell *shell, kind string, marks []string, need string) ([]string, error) {
	known, err := json.Marshal(map[string]any{
		"paths": shell.paths, "ids": shell.ids, "classes": shell.classes, "kind": kind, "marks": append([]string{}, marks...), "need": need,
	})
	if err != nil {
		return nil, err
	}
	return ask[[]string](w, "("+scriptLook+")("+string(known)+")")
}

// press presses keys in the focused element.
func (w *witness) press(text string) error { return chromedp.Do(w.ctx, chromedp.KeyEvent(text)) }
