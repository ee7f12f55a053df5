package serve

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
)

// plain lays out a site of bare pages, so that these tests are about serving
// alone. The whole is tested in a browser.
type plain struct {
	w        *compiler.Wiki
	findings []schema.Diagnostic
}

func layOutPlain(w *compiler.Wiki, known Known) (pages, error) {
	if w.Config() != nil && w.Config().Site.Theme == "broken" {
		return nil, fmt.Errorf("the theme is broken")
	}
	return plain{w, known.Findings}, nil
}

func (p plain) FileOf(id schema.PageID) string {
	if p.w.Page(id) == nil {
		return ""
	}
	return string(id) + ".html"
}

func (p plain) PageOf(name string) (schema.PageID, bool) {
	id, ok := strings.CutSuffix(name, ".html")
	return schema.PageID(id), ok && p.w.Page(schema.PageID(id)) != nil
}

func (p plain) ContradictionFiles() []string { return nil }
func (p plain) HealthFile() string           { return "" }
func (p plain) Attached(name string) bool    { return name == "evil.html" || name == "pic.svg" }

func (p plain) Open(string) (*os.File, error) {
	return os.Open(os.DevNull)
}

func (p plain) Render(name string) ([]byte, error) {
	if name == "404.html" {
		return []byte("<!doctype html><h1>nothing here</h1>"), nil
	}
	if name == "evil.html" || name == "pic.svg" || name == "_wiki/site.css" {
		return []byte(name), nil
	}
	if name == "fails.html" {
		return nil, fmt.Errorf("render %s: a fault of the theme", name)
	}
	id, ok := p.PageOf(name)
	if !ok {
		return nil, fmt.Errorf("render %s: %w", name, fs.ErrNotExist)
	}
	page := p.w.Page(id)
	var b strings.Builder
	fmt.Fprintf(&b, "<!doctype html><title>%s</title><pre>%s</pre>", html.EscapeString(page.Title), html.EscapeString(string(page.Source)))
	for _, d := range p.findings {
		if d.Path == page.Path {
			fmt.Fprintf(&b, "<b>%s</b>", d.Message)
		}
	}
	return []byte(b.String()), nil
}

// running is a server over real files.
type running struct {
	t    *testing.T
	s    *Server
	dir  string // of the repository; the wiki is in wiki/
	url  string
	stop func() error
}

func load(dir string) (*compiler.Wiki, error) {
	ws, err := compiler.Detect(dir, "wiki")
	if err != nil {
		return nil, err
	}
	return compiler.Compile(context.Background(), ws, compiler.Options{})
}

// start serves the files as bare pages. opt is completed.
func start(t *testing.T, files map[string]string, opt Options) *running {
	t.Helper()
	return startWith(t, files, opt, layOutPlain)
}

func startWith(t *testing.T, files map[string]string, opt Options, layOut func(*compiler.Wiki, Known) (pages, error)) *running {
	t.Helper()
	r := &running{t: t, dir: t.TempDir()}
	if err := os.MkdirAll(filepath.Join(r.dir, "wiki"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		r.write(name, text)
	}
	w, err := load(r.dir)
	if err != nil {
		t.Fatal(err)
	}
	if opt.Load == nil {
		opt.Load = func(context.Context) (*compiler.Wiki, error) { return load(r.dir) }
	}
	if r.s, err = newServer(w, opt, layOut); err != nil {
		t.Fatal(err)
	}
	if r.url, err = r.s.Listen(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- r.s.Serve(ctx) }()
	var once sync.Once
	var ended error
	r.stop = func() error {
		once.Do(func() { cancel(); ended = <-done })
		return ended
	}
	t.Cleanup(func() {
		if err := r.stop(); err != nil {
			t.Error(err)
		}
	})
	return r
}

func (r *running) path(name string) string { return filepath.Join(r.dir, filepath.FromSlash(name)) }

// write replaces a file as careful editors do.
func (r *running) write(name, text string) {
	r.t.Helper()
	full := r.path(name)
	tmp := filepath.Join(filepath.Dir(full), ".tmp-"+filepath.Base(full))
	for _, err := range []error{
		os.MkdirAll(filepath.Dir(full), 0o777),
		os.WriteFile(tmp, []byte(text), 0o666),
		os.Rename(tmp, full),
	} {
		if err != nil {
			r.t.Fatal(err)
		}
	}
}

func (r *running) do(method, path string, header ...string) (*http.Response, string) {
	r.t.Helper()
	req, err := http.NewRequest(method, strings.TrimSuffix(r.url, "/")+path, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	for i := 0; i+1 < len(header); i += 2 {
		if header[i] == "Host" {
			req.Host = header[i+1]
		}
		req.Header.Set(header[i], header[i+1])
	}
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	if err != nil {
		r.t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	return res, string(body)
}

func (r *running) get(path string) string {
	r.t.Helper()
	_, body := r.do("GET", path)
	return body
}

func (r *running) status() (st Status) {
	r.t.Helper()
	if err := json.Unmarshal([]byte(r.get(statusURL)), &st); err != nil {
		r.t.Fatal(err)
	}
	return st
}

// until waits for a condition that a change of files brings about.
func (r *running) until(what string, ok func() bool) {
	r.t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if ok() {
			return
		}
	}
	r.t.Fatalf("waited in vain for: %s; status %+v", what, r.status())
}

// tab is an open stream of events.
type tab struct {
	t      *testing.T
	events chan event
	first  event
}

func (r *running) open() *tab {
	r.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	r.t.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, "GET", strings.TrimSuffix(r.url, "/")+eventsURL, nil)
	if err != nil {
		r.t.Fatal(err)
	}
	res, err := http.DefaultTransport.(*http.Transport).Clone().RoundTrip(req)
	if err != nil {
		r.t.Fatal(err)
	}
	if kind := res.Header.Get("Content-Type"); kind != "text/event-stream" {
		r.t.Fatalf("events are %q", kind)
	}
	tb := &tab{t: r.t, events: make(chan event, 64)}
	go func() {
		defer close(tb.events)
		defer res.Body.Close()
		for lines := bufio.NewScanner(res.Body); lines.Scan(); {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				var e event
				if json.Unmarshal([]byte(data), &e) == nil {
					tb.events <- e
				}
			}
		}
	}()
	tb.first = tb.next()
	return tb
}

func (tb *tab) next() event {
	tb.t.Helper()
	select {
	case e, ok := <-tb.events:
		if !ok {
			tb.t.Fatal("the stream ended")
		}
		return e
	case <-time.After(30 * time.Second):
		tb.t.Fatal("no event")
	}
	return event{}
}

func (tb *tab) silent(d time.Duration) {
	tb.t.Helper()
	select {
	case e, ok := <-tb.events:
		tb.t.Fatalf("event %+v (open: %v)", e, ok)
	case <-time.After(d):
	}
}

func TestReload(t *testing.T) {
	t.Parallel()
	r := start(t, map[string]string{"wiki/index.md": "# Home\n", "wiki/a.md": "# A\n\nfirst\n"}, Options{})
	if got := r.get("/a.html"); !strings.Contains(got, "first") {
		t.Fatalf("the page is %q", got)
	}
	one, two := r.open(), r.open()
	if one.first.Generation == "" || one.first.Problem != "" {
		t.Errorf("the first event is %+v", one.first)
	}
	r.write("wiki/a.md", "# A\n\nsecond\n")
	e := one.next()
	if e2 := two.next(); e2.Generation != e.Generation || e.Generation == one.first.Generation {
		t.Errorf("two tabs heard of %+v and %+v after %+v", e, e2, one.first)
	}
	if got := r.get("/a.html"); !strings.Contains(got, "second") {
		t.Errorf("after the event the page is %q", got)
	}
	res, _ := r.do("GET", "/a.html")
	if got := res.Header.Get("Server-Timing"); got != `wiki;desc="`+e.Generation+`"` {
		t.Errorf("the page is of %q, the event of %q", got, e.Generation)
	}
	// Saved as it was: nobody is disturbed.
	r.write("wiki/a.md", "# A\n\nsecond\n")
	one.silent(300 * time.Millisecond)

	r.write("wiki/sub/new.md", "# New\n")
	one.next()
	if got := r.get("/sub/new.html"); !strings.Contains(got, "New") {
		t.Errorf("the new page is %q", got)
	}
	if err := os.Rename(r.path("wiki/sub"), r.path("wiki/other")); err != nil {
		t.Fatal(err)
	}
	one.next()
	r.until("the folder by its new name", func() bool {
		a, _ := r.do("GET", "/other/new.html")
		b, _ := r.do("GET", "/sub/new.html")
		return a.StatusCode == 200 && b.StatusCode == 404
	})
}

func TestFindingsComeAfterThePage(t *testing.T) {
	t.Parallel()
	release := make(chan struct{}, 10)
	lint := func(ctx context.Context, w *compiler.Wiki) (out Known) {
		select {
		case <-release:
		case <-ctx.Done():
			return out
		}
		for _, p := range w.Pages() {
			if strings.Contains(string(p.Source), "bad") {
				out.Findings = append(out.Findings, schema.Diagnostic{Rule: "bad", Severity: schema.Warning, Path: p.Path, Message: "said bad", Count: 1})
			}
		}
		return out
	}
	r := start(t, map[string]string{"wiki/index.md": "# Home\n", "wiki/a.md": "# A\n"}, Options{Lint: lint})
	release <- struct{}{}
	r.until("the first findings", func() bool { return r.status().Linted })
	tb := r.open()
	r.write("wiki/a.md", "# A\n\nbad\n")
	page := tb.next()
	if page.Before != "" {
		t.Errorf("the event of the page is %+v", page)
	}
	if got := r.get("/a.html"); !strings.Contains(got, "bad") || strings.Contains(got, "said bad") {
		t.Errorf("before linting the page is %q", got)
	}
	if st := r.status(); st.Linted || st.Findings["warning"] != 0 {
		t.Errorf("before linting the status is %+v", st)
	}
	release <- struct{}{}
	found := tb.next()
	if found.Before != page.Generation || len(found.Files) != 1 || found.Files[0] != "a.html" {
		t.Errorf("the event of the findings is %+v after %+v", found, page)
	}
	if got := r.get("/a.html"); !strings.Contains(got, "said bad") {
		t.Errorf("after linting the page is %q", got)
	}
	if st := r.status(); !st.Linted || st.Findings["warning"] != 1 || st.Pages != 2 {
		t.Errorf("after linting the status is %+v", st)
	}
	// Findings of a page that is edited go at once, and the same ones on
	// other pages are no event.
	r.write("wiki/index.md", "# Home, again\n")
	tb.next()
	release <- struct{}{}
	tb.silent(200 * time.Millisecond)
	r.until("the last findings", func() bool { return r.status().Linted })
}

func TestServeKeepsWikiOnInvalidConfig(t *testing.T) {
	t.Parallel()
	r := start(t, map[string]string{"wiki.yaml": "title: One\n", "wiki/a.md": "# A\n\nfirst\n"}, Options{})
	tb := r.open()
	r.write("wiki.yaml", "title: [\n")
	e := tb.next()
	if e.Problem == "" || e.Generation != tb.first.Generation {
		t.Errorf("the event is %+v after %+v", e, tb.first)
	}
	if late := r.open(); late.first.Problem != e.Problem {
		t.Errorf("a tab opened later hears %+v", late.first)
	}
	if got := r.get("/a.html"); !strings.Contains(got, "first") {
		t.Errorf("the page is %q", got)
	}
	if st := r.status(); st.Problem == "" || st.Pages != 1 {
		t.Errorf("the status is %+v", st)
	}
	r.write("wiki.yaml", "title: Two\n")
	if e := tb.next(); e.Problem != "" || e.Generation == tb.first.Generation {
		t.Errorf("after the repair the event is %+v", e)
	}
	r.write("wiki.yaml", "title: Two\nsite:\n  theme: broken\n")
	if e := tb.next(); !strings.Contains(e.Problem, "theme is broken") {
		t.Errorf("the event is %+v", e)
	}
}

func TestServeKeepsPagesWhileFolderIsMissing(t *testing.T) {
	t.Parallel()
	r := start(t, map[string]string{"wiki/a.md": "# A\n\nfirst\n"}, Options{})
	tb := r.open()
	if err := os.Rename(r.path("wiki"), r.path("away")); err != nil {
		t.Fatal(err)
	}
	if e := tb.next(); !strings.Contains(e.Problem, "gone") {
		t.Errorf("the event is %+v", e)
	}
	if got := r.get("/a.html"); !strings.Contains(got, "first") {
		t.Errorf("the page is %q", got)
	}
	r.write("away/a.md", "# A\n\nsecond\n")
	if err := os.Rename(r.path("away"), r.path("wiki")); err != nil {
		t.Fatal(err)
	}
	if e := tb.next(); e.Problem != "" {
		t.Errorf("after it came back the event is %+v", e)
	}
	if got := r.get("/a.html"); !strings.Contains(got, "second") {
		t.Errorf("the page is %q", got)
	}
	r.write("wiki/a.md", "# A\n\nthird\n")
	tb.next()
	if got := r.get("/a.html"); !strings.Contains(got, "third") {
		t.Errorf("the page is %q", got)
	}
}

// A compiler that was told of files reads none of them when the folder goes at
// that moment.
func TestServeKeepsPagesIfFolderGoesDuringRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	root := filepath.Join(dir, "wiki")
	if err := errors.Join(os.Mkdir(root, 0o777), os.WriteFile(filepath.Join(root, "a.md"), []byte("# A\n"), 0o666)); err != nil {
		t.Fatal(err)
	}
	w, err := load(dir)
	if err != nil {
		t.Fatal(err)
	}
	s, err := newServer(w, Options{}, layOutPlain)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(root, filepath.Join(dir, "away")); err != nil {
		t.Fatal(err)
	}
	s.take(t.Context(), change{paths: []string{"a.md"}, first: true})
	if g := s.now.Load(); !strings.Contains(g.problem, "gone") || g.wiki != w {
		t.Errorf("the problem is %q, and the wiki of before is shown: %t", g.problem, g.wiki == w)
	}
}

func TestNoPages(t *testing.T) {
	t.Parallel()
	r := start(t, nil, Options{})
	res, body := r.do("GET", "/")
	if res.StatusCode != 200 || !strings.Contains(body, "No pages yet") || !strings.Contains(body, liveURL) {
		t.Errorf("%d %s", res.StatusCode, body)
	}
	if res, _ := r.do("GET", "/a.html"); res.StatusCode != 404 {
		t.Errorf("a page of none is %d", res.StatusCode)
	}
	tb := r.open()
	r.write("wiki/a.md", "# A\n")
	tb.next()
	if got := r.get("/a.html"); !strings.Contains(got, "# A") {
		t.Errorf("the page is %q", got)
	}
}

// A linter that waits forever does not keep the server from ending.
func TestShutdown(t *testing.T) {
	t.Parallel()
	r := start(t, map[string]string{"wiki/a.md": "# A\n"}, Options{
		Lint: func(ctx context.Context, _ *compiler.Wiki) Known { <-ctx.Done(); return Known{} },
	})
	tabs := []*tab{r.open(), r.open(), r.open()}
	if err := r.stop(); err != nil {
		t.Error(err)
	}
	for _, tb := range tabs {
		select {
		case _, open := <-tb.events:
			if open {
				t.Error("an event at the end")
			}
		case <-time.After(10 * time.Second):
			t.Error("a stream stays open")
		}
	}
}

func TestBusyPort(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	busy := l.Addr().(*net.TCPAddr).Port
	r := start(t, map[string]string{"wiki/a.md": "# A\n"}, Options{Port: busy})
	if strings.Contains(r.url, fmt.Sprintf(":%d/", busy)) || !strings.HasPrefix(r.url, "http://127.0.0.1:") {
		t.Errorf("serving at %s while %d is busy", r.url, busy)
	}
	if got := r.get("/a.html"); !strings.Contains(got, "# A") {
		t.Errorf("the page is %q", got)
	}
}

func TestServeUnknownHost(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte("# A\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	ws, err := compiler.Detect(dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	w, err := compiler.Compile(t.Context(), ws, compiler.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := newServer(w, Options{Host: "192.0.2.1", Port: 4000}, layOutPlain)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Listen(); err == nil || !strings.Contains(err.Error(), "192.0.2.1:4000") {
		t.Errorf("listening on an address of nobody: %v", err)
	}
}
