package serve

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/loopwiki/wiki/schema/schematest"
	"github.com/loopwiki/wiki/site"
)

// way is how readers come to a site.
type way int

const (
	httpBare   way = iota // a host that sends no headers, and pages without their policy
	httpPolicy            // such a host, with the policy of the pages
	fileBare              // opened from a disk, without the policy
	filePolicy
	live // the server of this package
)

var ways = []way{httpBare, httpPolicy, fileBare, filePolicy, live}

func (w way) String() string {
	return [...]string{"http without policy", "http", "disk without policy", "disk", "live"}[w]
}

// host is a plain web server, below a path, like those of published sites: types by
// extension or sniffing, and no security headers.
type host struct {
	*httptest.Server
	mu  sync.Mutex
	out string
}

// kinds are the types that servers send by extension (the table of nginx and of GitHub Pages).
var kinds = map[string]string{
	".html": "text/html; charset=utf-8", ".htm": "text/html; charset=utf-8", ".shtml": "text/html; charset=utf-8", ".xhtml": "application/xhtml+xml", ".xht": "application/xhtml+xml",
	".xml": "text/xml", ".xsl": "text/xml", ".xslt": "text/xml", ".rss": "application/rss+xml", ".atom": "application/atom+xml", ".rdf": "application/rdf+xml", ".mathml": "application/mathml+xml",
	".svg": "image/svg+xml", ".svgz": "image/svg+xml", ".js": "text/javascript", ".mjs": "text/javascript", ".cjs": "text/javascript", ".css": "text/css", ".json": "application/json", ".txt": "text/plain; charset=utf-8",
	".md": "text/markdown; charset=utf-8", ".markdown": "text/markdown; charset=utf-8", ".pdf": "application/pdf", ".wasm": "application/wasm", ".png": "image/png", ".jpg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp", ".zip": "application/zip",
	".swf": "application/x-shockwave-flash", ".hta": "application/hta", ".mht": "message/rfc822", ".mhtml": "message/rfc822", ".vtt": "text/vtt", ".ico": "image/x-icon", ".webmanifest": "application/manifest+json", ".csv": "text/csv",
}

func newHost(t *testing.T) *host {
	h := &host{}
	h.Server = httptest.NewServer(h)
	t.Cleanup(h.Close)
	return h
}

var policyMeta = regexp.MustCompile(`(?i)<meta[^>]*http-equiv="Content-Security-Policy"[^>]*>`)

func (h *host) show(out string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.out = out
}

func (h *host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	out := h.out
	h.mu.Unlock()
	name, bare := strings.CutPrefix(r.URL.Path, "/bare/x/")
	if !bare {
		var ok bool
		if name, ok = strings.CutPrefix(r.URL.Path, "/x/"); !ok {
			http.NotFound(w, r)
			return
		}
	}
	if name == "" || strings.HasSuffix(name, "/") {
		name += "index.html"
	}
	status := http.StatusOK
	b, err := os.ReadFile(filepath.Join(out, filepath.FromSlash(path.Clean("/"+name))))
	if err != nil {
		name, status = "404.html", http.StatusNotFound
		b, _ = os.ReadFile(filepath.Join(out, name))
	}
	kind, ok := kinds[strings.ToLower(path.Ext(name))]
	if !ok {
		kind = http.DetectContentType(b)
	}
	if bare && strings.HasSuffix(name, ".html") {
		b = policyMeta.ReplaceAll(b, nil)
	}
	if strings.HasSuffix(strings.ToLower(name), ".svgz") {
		w.Header().Set("Content-Encoding", "gzip")
	}
	w.Header()["Content-Type"] = []string{kind}
	w.WriteHeader(status)
	_, _ = w.Write(b)
}

// hosted is a wiki in all the ways in which it is read.
type hosted struct {
	t      *testing.T
	host   *host
	dir    string // of the repository
	out    string // the built site
	bare   string // a copy without policies
	built  *site.Site
	server *running // nothing until it is needed
	files  map[string]string
}

func newHosted(t *testing.T, h *host, files map[string]string) *hosted {
	t.Helper()
	dir := t.TempDir()
	r := &running{t: t, dir: dir}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		r.write(name, files[name])
	}
	w, err := load(dir)
	if err != nil {
		t.Fatal(err)
	}
	known := doubtful(t.Context(), w)
	s, err := site.New(w, site.Options{Contradictions: known.Contradictions})
	if err != nil {
		t.Fatal(err)
	}
	x := &hosted{t: t, host: h, dir: dir, out: filepath.Join(dir, "out", "x"), bare: filepath.Join(dir, "bare", "x"), built: s, files: files}
	if _, err := s.Build(t.Context(), x.out, nil); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(x.bare, os.DirFS(x.out)); err != nil {
		t.Fatal(err)
	}
	for _, name := range s.Files() {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		full := filepath.Join(x.bare, filepath.FromSlash(name))
		b, err := os.ReadFile(full)
		if err == nil {
			err = os.WriteFile(full, policyMeta.ReplaceAll(b, nil), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	h.show(x.out)
	return x
}

// serve starts the server of this package.
func (x *hosted) serve() *running {
	if x.server == nil {
		x.server = startWith(x.t, x.files, Options{Lint: doubtful, Search: &indexer{}}, layOut)
		x.server.until("findings and the index", func() bool { s := x.server.status(); return s.Linted && s.Searchable })
	}
	return x.server
}

// document is one that a browser opens.
type document struct {
	name, url string
	kind      string   // page, list, redirect, file: one that is not a page of the site
	marks     []string // words that only the text of the page has
	need      string   // the word at the end of its text
}

// root is the address that a site has in a way.
func (x *hosted) root(how way) string {
	switch how {
	case httpBare:
		return x.host.URL + "/bare/x/"
	case httpPolicy:
		return x.host.URL + "/x/"
	case fileBare:
		return (&url.URL{Scheme: "file", Path: filepath.ToSlash(x.bare) + "/"}).String()
	case filePolicy:
		return (&url.URL{Scheme: "file", Path: filepath.ToSlash(x.out) + "/"}).String()
	}
	return x.serve().url
}

func (x *hosted) site(how way) *site.Site {
	if how == live {
		return x.serve().s.now.Load().pages.(*site.Site)
	}
	return x.built
}

var textMark = regexp.MustCompile(`\bMARK\w+\b`)

// documents are all that a way shows but the site's own assets.
func (x *hosted) documents(how way) (out []document) {
	s, root := x.site(how), x.root(how)
	for _, name := range s.Files() {
		d := document{name: name, url: root + escapeName(name), kind: x.kindOf(s, name)}
		if strings.HasPrefix(name, "_wiki/") && !s.Attached(name) || name == ".nojekyll" {
			continue
		}
		if id, ok := s.PageOf(name); ok {
			text := x.files["wiki/"+x.sourceOf(string(id))]
			d.marks = textMark.FindAllString(text, -1)
			if i := slices.IndexFunc(d.marks, func(m string) bool { return strings.HasPrefix(m, "MARKend") }); i >= 0 {
				d.need = d.marks[i]
			}
		}
		out = append(out, d)
	}
	return out
}

// sourceOf is the file of a page.
func (x *hosted) sourceOf(id string) string {
	for _, ext := range []string{".md", ".MD", ".markdown", ""} {
		if _, ok := x.files["wiki/"+id+ext]; ok {
			return id + ext
		}
	}
	return id
}

func (x *hosted) kindOf(s *site.Site, name string) string {
	if _, ok := s.PageOf(name); ok {
		return "page"
	}
	if !rendered(s, name) {
		return "file"
	}
	if b, err := s.Render(name); err == nil && strings.Contains(string(b), `http-equiv="refresh"`) {
		return "redirect"
	}
	return "list"
}

// rendered reports whether a document is the site's own, and no file of the wiki.
func rendered(s *site.Site, name string) bool {
	_, page := s.PageOf(name)
	return page || !s.Attached(name) && strings.HasSuffix(name, ".html")
}

func escapeName(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = url.PathEscape(p)
	}
	return strings.Join(parts, "/")
}

// around says what documents of a way may load.
func (x *hosted) around(how way, known *shell) *below {
	b := &below{root: x.root(how), pages: map[string]bool{}, inline: map[string]bool{}}
	if known != nil {
		b.inline = known.inline
	}
	s := x.site(how)
	for _, name := range s.Files() {
		b.pages[name] = rendered(s, name)
	}
	return b
}

// siege is the setup of a group of attacks.
type siege struct {
	w     *witness
	host  *host
	shell *shell
}

// What one subtest says, and of one document.
const maxReported, maxOfDocument = 20, 3

// sampled opens documents of a hostile wiki in the ways that readers have, and reports what
// went wrong. With -long, which a machine runs once a week, all of them are seen in all ways; else it
// is samples, more of the way that protects least.
func (g *siege) sampled(t *testing.T, files map[string]string) {
	t.Helper()
	g.besiege(t, files, schematest.Every(10, 12), schematest.Every(50, 60))
}

// besiege opens each so-manieth document: in the way that protects least, and in the others.
func (g *siege) besiege(t *testing.T, files map[string]string, least, others int) {
	t.Helper()
	x := newHosted(t, g.host, files)
	for i, how := range ways {
		t.Run(how.String(), func(t *testing.T) {
			said, each := 0, others
			if how == httpBare {
				each = least
			}
			docs := x.documents(how)
			each = max(1, min(each, len(docs)/schematest.Every(4, 3))) // some of a small wiki, too
			for n, d := range docs {
				if (n+3*i)%each != 0 {
					continue
				}
				for _, bad := range g.open(x, how, d) {
					if said++; said <= maxReported {
						t.Errorf("%s: %s", d.name, bad)
					}
				}
			}
			if said > maxReported {
				t.Errorf("and %d more", said-maxReported)
			}
			if how == live { // it would ask for events of its server beside the next document
				if _, err := g.w.visit("about:blank"); err != nil {
					t.Error(err)
				}
			}
		})
	}
}

// open opens one document and returns its problems.
func (g *siege) open(x *hosted, how way, d document) (bad []string) {
	shown, err := g.w.visit(d.url)
	if err != nil {
		return []string{err.Error()}
	}
	b := x.around(how, g.shell)
	var seen []string
	if shown {
		kind := d.kind
		if kind == "redirect" {
			kind = "page"
		}
		if _, err := ask[bool](g.w, scriptStir); err != nil {
			bad = append(bad, "to stir the page: "+err.Error())
		}
		if err := g.w.frames(); err != nil {
			bad = append(bad, err.Error())
		}
		if seen, err = g.w.look(g.shell, kind, d.marks, d.need); err != nil {
			bad = append(bad, "to look at the page: "+err.Error())
		}
	}
	did := g.w.wrong(b, d.url)
	if how == live && d.kind == "file" {
		// The server sends such files with a policy that lets nothing run: only what ran
		// counts.
		seen = nil
		did = slices.DeleteFunc(did, func(s string) bool { return strings.HasPrefix(s, "requested "+b.root) })
	}
	bad = append(append(append(bad, did...), g.w.popups()...), seen...)
	if len(bad) > maxOfDocument {
		bad = append(bad[:maxOfDocument], fmt.Sprintf("and %d more", len(bad)-maxOfDocument))
	}
	return bad
}

// scriptStir does what a reader might: opens what folds, points at things, gives them the
// focus, and follows what looks like a link but would run.
const scriptStir = `(() => {
  for (const e of document.querySelectorAll("details")) e.open = true;
  let n = 0;
  for (const e of document.querySelectorAll("article *, main > h1 *, svg *, body > *")) {
    if (++n > 400) break;
    for (const kind of ["pointerover", "mouseover", "mousemove", "mouseenter", "mousedown", "focus", "focusin", "toggle", "wheel", "contextmenu"]) e.dispatchEvent(new MouseEvent(kind, { bubbles: true }));
    e.focus?.({ preventScroll: true });
    if (/^(a|area)$/.test(e.localName)) {
      const to = e.href?.baseVal ?? e.href ?? "";
      if (/^\s*(javascript|data|blob|vbscript):/i.test(to)) e.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
    }
  }
  document.activeElement?.blur?.();
  return true;
})()`

// startSiege starts a browser and learns the shell of a harmless site.
func startSiege(t *testing.T, in context.Context) *siege {
	t.Helper()
	g := &siege{w: newWitness(t, in), host: newHost(t)}
	g.shell = g.learn(t)
	return g
}

// payload numbers the scripts in hostile texts, so that one that ran says which it was.
type payload struct {
	mu   sync.Mutex
	from []string
}

var payloads payload

// arm replaces every JS! of a text by a script, each of which prints a number.
func (p *payload) arm(where, text string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	parts := strings.Split(text, "JS!")
	var b strings.Builder
	for i, part := range parts {
		b.WriteString(part)
		if i+1 == len(parts) {
			break
		}
		around := part[max(0, len(part)-70):] + "…" + parts[i+1][:min(len(parts[i+1]), 20)]
		p.from = append(p.from, fmt.Sprintf("%s: %q", where, around))
		fmt.Fprintf(&b, "console.error(666%04d)", len(p.from))
	}
	return b.String()
}

// armAll arms files, and adds words at the beginning and end of every page by which its
// text can be found.
func armAll(files map[string]string) map[string]string {
	out := map[string]string{}
	for i, name := range slices.Sorted(maps.Keys(files)) {
		text := payloads.arm(name, files[name])
		if strings.HasSuffix(name, ".md") && !strings.Contains(text, "MARK") {
			text = strings.TrimRight(text, "\n") + fmt.Sprintf("\n\nMARKend%d\n", i)
		}
		out[payloads.arm("the name of a file", name)] = text
	}
	return out
}

func (p *payload) name(mark string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var n int
	if _, err := fmt.Sscanf(mark, "666%d", &n); err != nil || n < 1 || n > len(p.from) {
		return mark
	}
	return "the script of " + p.from[n-1]
}

// change replaces text in a built file, to check that this is noticed.
func (x *hosted) change(name, old, with string) {
	x.t.Helper()
	full := filepath.Join(x.out, filepath.FromSlash(name))
	b, err := os.ReadFile(full)
	if err == nil && !strings.Contains(string(b), old) {
		err = fmt.Errorf("%s has no %s", name, old)
	}
	if err == nil {
		err = os.WriteFile(full, []byte(strings.Replace(string(b), old, with, 1)), 0o666)
	}
	if err != nil {
		x.t.Fatal(err)
	}
}
