package serve

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/loopwiki/wiki/schema"
)

// The addresses that are the server's and not the site's.
const (
	liveURL   = "/_wiki/live.js"
	eventsURL = "/_wiki/events"
	searchURL = "/_wiki/search"
	statusURL = "/_wiki/status"
)

//go:embed live.js
var liveJS []byte

// Handler serves requests, from memory except for files that pages are published with.
func (s *Server) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin") // no other site includes our files
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("X-Frame-Options", "DENY")
		h.Set("Cache-Control", "no-store")
		switch {
		case !s.ours(r.Host):
			refuse(w, http.StatusMisdirectedRequest, "this server does not answer to the name "+printable(r.Host)+
				"\nopen it as localhost, by its IP address, or start it with --host NAME")
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			h.Set("Allow", "GET, HEAD")
			refuse(w, http.StatusMethodNotAllowed, "there is nothing to change here: only GET and HEAD are answered")
		default:
			s.route(w, r)
		}
	})
}

func (s *Server) route(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case liveURL:
		s.serveLive(w, r)
	case eventsURL, searchURL, statusURL:
		// What a page of another site makes the browser ask is not answered,
		// even though its scripts could not read the answer.
		if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
			refuse(w, http.StatusForbidden, "requests from other sites are not answered")
			return
		}
		switch r.URL.Path {
		case eventsURL:
			s.serveEvents(w, r)
		case searchURL:
			s.serveSearch(w, r)
		case statusURL:
			s.serveStatus(w, r)
		}
	default:
		if !s.serveLoops(w, r) {
			s.serveFile(w, r)
		}
	}
}

// ours reports whether a request that names host may be meant for this
// server. A web site whose name is made to point here (DNS rebinding) would
// otherwise read the wiki as if it were its own.
func (s *Server) ours(host string) bool {
	name := host
	if h, _, err := net.SplitHostPort(host); err == nil {
		name = h
	}
	name = strings.TrimSuffix(strings.ToLower(strings.Trim(name, "[]")), ".")
	if ip, err := netip.ParseAddr(name); err == nil {
		// An address is not a name that anyone could point elsewhere. Only the
		// loopback's are right when that is all we listen on.
		return ip.IsLoopback() || s.listensBeyondLoopback()
	}
	return name == "localhost" || strings.HasSuffix(name, ".localhost") || slices.Contains(s.names, name)
}

func (s *Server) listensBeyondLoopback() bool {
	if s.listener == nil {
		return false
	}
	addr, ok := s.listener.Addr().(*net.TCPAddr)
	return ok && !addr.IP.IsLoopback()
}

// machineNames returns the names this machine has in its own network.
func machineNames() []string {
	name, err := os.Hostname()
	if err != nil || name == "" {
		return nil
	}
	name = strings.ToLower(name)
	return []string{name, name + ".local"}
}

// serveFile sends a file of the site. The path is only ever looked up among
// the names of files; it never becomes a path on disk.
func (s *Server) serveFile(w http.ResponseWriter, r *http.Request) {
	g := s.now.Load()
	if len(g.wiki.Pages()) == 0 {
		s.serveEmpty(w, r, g)
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" || strings.HasSuffix(name, "/") {
		name += "index.html"
	}
	if g.pages.Attached(name) {
		s.sendAttached(w, r, g, name)
		return
	}
	f, err := g.render(name)
	switch {
	case err == nil:
		s.send(w, r, g, name, f, http.StatusOK)
	case missing(err) && name == "favicon.ico":
		w.WriteHeader(http.StatusNoContent) // browsers ask unasked, and complain
	case missing(err):
		if _, err := g.render(name + "/index.html"); err == nil {
			// Relative, so that it holds below any path a proxy adds.
			w.Header().Set("Location", "./"+url.PathEscape(path.Base(name))+"/")
			w.WriteHeader(http.StatusTemporaryRedirect)
			return
		}
		s.serveMissing(w, r, g)
	default:
		s.log.Error("can not render", "file", name, "err", err)
		s.serveNotice(w, r, g, http.StatusInternalServerError, g.words().CanNotShow, err.Error())
	}
}

func (s *Server) serveMissing(w http.ResponseWriter, r *http.Request, g *generation) {
	if f, err := g.render("404.html"); err == nil {
		s.send(w, r, g, "404.html", f, http.StatusNotFound)
		return
	}
	refuse(w, http.StatusNotFound, "there is no such page")
}

// sendAttached sends a file of the wiki from the disk.
func (s *Server) sendAttached(w http.ResponseWriter, r *http.Request, g *generation, name string) {
	f, err := g.pages.Open(name)
	if err != nil { // it is gone, and the next generation knows
		s.log.Error("can not open", "file", name, "err", err)
		s.serveMissing(w, r, g)
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		s.serveNotice(w, r, g, http.StatusInternalServerError, g.words().CanNotShow, err.Error())
		return
	}
	h, kind := w.Header(), contentType(name)
	h.Set("Content-Type", kind)
	h.Set("Etag", fmt.Sprintf(`"%x-%x"`, info.ModTime().UnixNano(), info.Size()))
	h.Set("Content-Security-Policy", g.policy(name, kind))
	http.ServeContent(w, r, "", time.Time{}, f)
}

// send writes one file of the site.
func (s *Server) send(w http.ResponseWriter, r *http.Request, g *generation, name string, f *file, status int) {
	h := w.Header()
	kind := contentType(name)
	h.Set("Content-Type", kind)
	h.Set("Etag", f.etag)
	// Which generation a page is of, for its script to read (Server Timing,
	// the one part of an answer that scripts of the page can see).
	h.Add("Server-Timing", `wiki;desc="`+s.name(g)+`"`)
	if strings.HasPrefix(name, "_wiki/") {
		h.Set("Cache-Control", "no-cache") // kept, but asked for again each time
	}
	h.Set("Content-Security-Policy", g.policy(name, kind))
	if status != http.StatusOK {
		w.WriteHeader(status)
		if r.Method != http.MethodHead {
			_, _ = w.Write(f.body)
		}
		return
	}
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.body))
}

// The policies in headers. Pages of the site list their scripts in their head; the
// header adds what is not allowed there.
const (
	policyPage  = "frame-ancestors 'none'; base-uri 'self'; object-src 'none'; form-action 'self'"
	policyOther = "default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"
)

// policy returns the content security policy of a file. A file of the wiki
// that is not a page, such as an HTML or SVG file someone links to, runs nothing.
func (g *generation) policy(name, kind string) string {
	switch {
	case strings.HasPrefix(kind, "text/html"):
		if g.pages.Attached(name) {
			return policyOther
		}
		return policyPage
	case strings.HasPrefix(kind, "image/svg"), strings.Contains(kind, "xml"):
		return policyOther
	}
	return "frame-ancestors 'none'"
}

// contentType depends on the name only, by our table, because machines differ in their
// types for extensions.
func contentType(name string) string {
	if t, ok := contentTypes[strings.ToLower(path.Ext(name))]; ok {
		return t
	}
	return "application/octet-stream"
}

var contentTypes = map[string]string{
	".html": "text/html; charset=utf-8", ".htm": "text/html; charset=utf-8",
	".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".mjs": "text/javascript; charset=utf-8",
	".json": "application/json", ".canvas": "application/json", ".webmanifest": "application/manifest+json",
	".xml": "application/xml; charset=utf-8", ".atom": "application/atom+xml; charset=utf-8",
	".md": "text/plain; charset=utf-8", ".markdown": "text/plain; charset=utf-8", ".txt": "text/plain; charset=utf-8",
	".yaml": "text/plain; charset=utf-8", ".yml": "text/plain; charset=utf-8", ".toml": "text/plain; charset=utf-8",
	".csv": "text/plain; charset=utf-8", ".log": "text/plain; charset=utf-8",
	".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif",
	".webp": "image/webp", ".avif": "image/avif", ".bmp": "image/bmp", ".ico": "image/x-icon",
	".mp3": "audio/mpeg", ".ogg": "audio/ogg", ".wav": "audio/wav", ".flac": "audio/flac", ".m4a": "audio/mp4",
	".mp4": "video/mp4", ".webm": "video/webm", ".mov": "video/quicktime", ".ogv": "video/ogg",
	".pdf": "application/pdf", ".zip": "application/zip", ".wasm": "application/wasm",
	".woff2": "font/woff2", ".woff": "font/woff", ".ttf": "font/ttf", ".otf": "font/otf",
}

// serveLive sends the script that follows changes, which speaks the language
// of the wiki.
func (s *Server) serveLive(w http.ResponseWriter, r *http.Request) {
	words, err := json.Marshal(map[string]string{"gone": s.now.Load().words().ServerGone})
	if err != nil {
		refuse(w, http.StatusInternalServerError, err.Error())
		return
	}
	w.Header().Set("Content-Type", "text/javascript; charset=utf-8")
	script := fmt.Appendf(nil, "self[\"wiki.live\"]=%s;\n%s", words, liveJS)
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(script))
}

// Status is the answer of /_wiki/status.
type Status struct {
	Version    string         `json:"version"`
	Generation uint64         `json:"generation"` // counts from 1
	Pages      int            `json:"pages"`
	Linted     bool           `json:"linted"` // the findings are those of this generation
	Findings   map[string]int `json:"findings"`
	Searchable bool           `json:"searchable"`
	Problem    string         `json:"problem,omitempty"` // why the files on disk can't be shown, or not with all that is known of them
}

// Status returns what is served now.
func (s *Server) Status() Status {
	g := s.now.Load()
	st := Status{
		Version: s.opt.Version, Generation: g.number, Pages: len(g.wiki.Pages()), Linted: g.linted, Problem: g.said(),
		Findings: map[string]int{schema.Error.String(): 0, schema.Warning.String(): 0, schema.Info.String(): 0},
	}
	for _, d := range g.known.Findings {
		st.Findings[d.Severity.String()] += max(1, d.Count)
	}
	select {
	case <-s.indexed:
		st.Searchable = true
	default:
	}
	return st
}

func (s *Server) serveStatus(w http.ResponseWriter, _ *http.Request) { writeJSON(w, s.Status()) }

func writeJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v) // a reader who is gone is not a fault
}

// refuse answers with a few words.
func refuse(w http.ResponseWriter, status int, why string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(why + "\n"))
}

// printable keeps what a request says of itself from being more than text.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return -1
		}
		return r
	}, s[:min(len(s), 100)])
}
