// Package theme holds the templates, styles and scripts of the site, and lets
// a folder of the wiki replace any of them by a file of the same name.
//
// The templates are page.html, list.html, search.html, missing.html and
// redirect.html, graph.html and health.html, and for runs of loops runs.html, run.html, runtext.html,
// runcharts.html, fleet.html and loopnote.html, and for loop specifications spec.html and
// leaderboard.html, which share the parts in parts.html and the blocks
// in blocks/; each is executed with
// the value of this package that bears its name ([Page], [List] for list and
// search, [Frame] for missing, [Redirect], [File], [Graph], [Health],
// [Runs]). Beside the functions of
// text/template they have "shared", which runs a template of parts.html with a
// [Place] once for all files of a folder, "policy", which is the content security
// policy of a page, and "show", which runs the template of a [Block]. The assets are site.css, site.js,
// search.js, search-more.js, preview.js, diagrams.js, graph.js and icon.svg; early.js is in the head of every page, locate.js in
// that of missing.html, and redirect.js in redirect.html. A file custom.css, which the built-in theme does not
// have, is loaded after site.css.
package theme

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/zeebo/xxh3"
)

//go:embed templates/*.html templates/blocks/*.html assets
var builtin embed.FS

// joined are the assets that are made of several files of the theme, in the order of
// their names. A folder that overrides the theme replaces the whole.
var joined = map[string]string{StylesName: "assets/css/*.css", ScriptName: "assets/js/*.js"}

// Names of the assets as they are in the site.
const (
	StylesName = "site.css"
	CustomName = "custom.css"
	ScriptName = "site.js"
	SearchName = "search.js"
	MoreName   = "search-more.js"
	IconName   = "icon.svg"
	// PreviewName is loaded when a reader points at a link.
	PreviewName = "preview.js"
	// DiagramsName draws diagrams with MermaidName, on pages that have some.
	DiagramsName = "diagrams.js"
	MermaidName  = "mermaid.js"
	GraphName    = "graph.js"
)

// Theme is a set of templates and assets, ready to use by many goroutines.
type Theme struct {
	pages  map[string]*template.Template
	parts  *template.Template // those that are made once and used by many pages
	own    bool               // page.html and what it uses are the theme's own
	assets map[string][]byte
	early  string // the one inline script
	locate string // the inline script of missing.html
	onward string // the inline script of redirect.html: it keeps the fragment, which a refresh loses
}

var pageTemplates = []string{"page", "list", "search", "missing", "redirect", "runs", "run", "runtext", "loopnote", "runcharts", "fleet", "spec", "leaderboard", "file", "graph", "health"}

// Load reads the built-in theme and puts the files of over instead of those
// with the same name; over may be nil. The scripts speak with the given words;
// live makes them search through a server.
func Load(over fs.FS, words *Words, live bool) (*Theme, error) {
	if over != nil {
		return load(over, words, live)
	}
	// The built-in theme is the same in every generation of a preview.
	key := loadedKey{words, live}
	if t, ok := loaded.Load(key); ok {
		return t.(*Theme), nil
	}
	t, err := load(nil, words, live)
	if err == nil {
		loaded.Store(key, t)
	}
	return t, err
}

// loaded are built-in themes by their key: a theme never changes.
var loaded sync.Map

type loadedKey struct {
	words *Words
	live  bool
}

func load(over fs.FS, words *Words, live bool) (*Theme, error) {
	t := &Theme{
		pages: map[string]*template.Template{}, assets: map[string][]byte{},
		own: over == nil || !replaced(over, "page.html", "parts.html"),
	}
	parts, err := t.loadParts(over)
	if err != nil {
		return nil, err
	}
	for _, asset := range []string{StylesName, ScriptName, SearchName, MoreName, PreviewName, DiagramsName, GraphName, IconName, "early.js", "locate.js", "redirect.js"} {
		b, err := read(over, "assets/"+asset)
		if err != nil {
			return nil, err
		}
		t.assets[asset] = b
	}
	said, err := scriptWords(words, live, t.address(SearchName), t.address(MoreName), t.address(PreviewName))
	if err != nil {
		return nil, err
	}
	t.assets[ScriptName] = append(said, t.assets[ScriptName]...)
	t.assets[DiagramsName] = append(fmt.Appendf(nil, "self[\"wiki.mermaid\"]=%q;\n", MermaidName+"?v="+t.Version(MermaidName)), t.assets[DiagramsName]...)
	t.early, t.locate, t.onward = inline(t.assets["early.js"]), inline(t.assets["locate.js"]), inline(t.assets["redirect.js"])
	for _, name := range []string{"early.js", "locate.js", "redirect.js"} {
		delete(t.assets, name)
	}
	t.assets[StylesName] = append(bytes.Clone(t.assets[StylesName]), CodeCSS()...)
	if over != nil {
		switch b, err := fs.ReadFile(over, CustomName); {
		case err == nil:
			t.assets[CustomName] = b
		case !errors.Is(err, fs.ErrNotExist):
			return nil, fmt.Errorf("read the theme's %s: %w", CustomName, err)
		}
	}
	for _, name := range pageTemplates {
		src, err := read(over, "templates/"+name+".html")
		if err != nil {
			return nil, err
		}
		tpl, err := parts.Clone()
		if err != nil {
			return nil, fmt.Errorf("copy the theme's parts.html: %w", err)
		}
		if tpl, err = tpl.New(name).Parse(string(src)); err != nil {
			return nil, fmt.Errorf("parse the theme's %s.html: %w", name, err)
		}
		t.pages[name] = tpl
	}
	t.parts = parts
	return t, nil
}

// loadParts reads parts.html and the blocks. The parts.html of over need not have all
// parts.
func (t *Theme) loadParts(over fs.FS) (*template.Template, error) {
	parts := template.New("theme").Funcs(t.functions())
	names, err := fs.Glob(builtin, "templates/blocks/*.html")
	if err != nil {
		return nil, fmt.Errorf("list the theme's blocks: %w", err)
	}
	type file struct {
		from           fs.FS
		name, template string
	}
	all := []file{{nil, "templates/parts.html", "parts"}}
	for _, name := range names {
		all = append(all, file{over, name, strings.TrimSuffix(path.Base(name), ".html")})
	}
	for _, f := range append(all, file{over, "templates/parts.html", "parts"}) {
		src, err := read(f.from, f.name)
		if err != nil {
			return nil, err
		}
		if _, err := parts.New(f.template).Parse(strings.TrimSuffix(string(src), "\n")); err != nil {
			return nil, fmt.Errorf("parse the theme's %s: %w", path.Base(f.name), err)
		}
	}
	return parts, nil
}

// scriptWords sets self["wiki.words"], the strings of the scripts. They are part of
// site.js rather than of every page, with the addresses of scripts that are loaded later.
func scriptWords(w *Words, live bool, search, more, preview string) ([]byte, error) {
	b, err := json.Marshal(map[string]any{
		"hint": w.SearchHint, "empty": w.SearchEmpty, "none": w.SearchNone, "one": w.SearchOne, "many": w.SearchMany, "any": w.SearchAny,
		"failed": w.SearchFailed, "keys": w.SearchKeys, "close": w.Close, "loading": w.LoadingIndex, "copy": w.Copy, "copied": w.Copied, "live": live, "search": search, "more": more, "preview": preview,
		"superseded": w.Superseded, "deprecated": w.Deprecated, "diagram": w.Reading.Diagram, "diagramFailed": w.Reading.DiagramFailed, "shortcuts": w.Finding.shortcuts(),
		"menu": w.Menu, "all": w.More, "onThisPage": w.OnThisPage, "section": w.Reading.Section,
		"near": w.Graph.Near, "nearMore": w.Graph.NearMore, "nearIn": w.Graph.NearIn, "graph": w.Graph.Whole,
		"moreResults": w.Find.MoreResults, "moreSections": w.Find.MoreSections, "moreThan": w.Find.MoreThan, "indexing": w.Find.Indexing,
	})
	if err != nil {
		return nil, fmt.Errorf("encode the words of the scripts: %w", err)
	}
	return fmt.Appendf(nil, "self[\"wiki.words\"]=%s;\n", b), nil
}

// read reads a file of the theme. In the folder that overrides it may lie
// without its templates/ or assets/ folder.
func read(over fs.FS, name string) ([]byte, error) {
	if over != nil {
		base := name[strings.IndexByte(name, '/')+1:]
		for _, n := range []string{name, base} {
			b, err := fs.ReadFile(over, n)
			if err == nil {
				return b, nil
			}
			if !errors.Is(err, fs.ErrNotExist) {
				return nil, fmt.Errorf("read the theme's %s: %w", n, err)
			}
		}
	}
	if pattern := joined[path.Base(name)]; pattern != "" {
		return join(pattern)
	}
	b, err := builtin.ReadFile(name)
	if base := path.Base(name); base == SearchName || base == MoreName || base == PreviewName {
		b = lean(b)
	}
	return b, err
}

// lean removes the comments of a script, its indentation, and
// from lines without templates and expressions the spaces around signs outside of texts.
func lean(script []byte) []byte {
	var out []byte
	for line := range strings.Lines(string(script)) {
		if line = strings.TrimLeft(line, " "); strings.HasPrefix(line, "//") {
			continue
		}
		if behind := strings.LastIndex(line, " // "); behind > 0 && !strings.ContainsAny(line[behind:], "\"'`") {
			line = line[:behind] + "\n"
		}
		if !strings.ContainsAny(line, "'`/\\") {
			code := strings.Split(line, `"`)
			for i := 0; i < len(code); i += 2 {
				for _, sign := range "=,;{}()<>?:&|*" {
					code[i] = strings.ReplaceAll(strings.ReplaceAll(code[i], " "+string(sign), string(sign)), string(sign)+" ", string(sign))
				}
				code[i] = strings.ReplaceAll(code[i], ";}", "}")
			}
			line = strings.Join(code, `"`)
		}
		out = append(out, line...)
	}
	return out
}

// join returns the built-in files of a pattern, one after another, without lines of
// comment: every reader loads them.
func join(pattern string) ([]byte, error) {
	names, err := fs.Glob(builtin, pattern)
	if err != nil {
		return nil, fmt.Errorf("list the theme's %s: %w", pattern, err)
	}
	var out []byte
	for _, name := range names {
		b, err := builtin.ReadFile(name)
		if err != nil {
			return nil, err
		}
		if path.Ext(name) == ".js" {
			out = append(out, lean(b)...)
			continue
		}
		out = append(out, leanStyles(b)...)
	}
	return out, nil
}

// leanStyles removes the comments that have lines of their own from a style sheet, its
// indentation, and from lines without texts the spaces that mean nothing.
func leanStyles(styles []byte) []byte {
	spaces := strings.NewReplacer("; }", "}", ": ", ":", "; ", ";", " { ", "{", " {\n", "{\n", " }", "}", ", ", ",")
	var out []byte
	for line := range strings.Lines(string(styles)) {
		if line = strings.TrimLeft(line, " "); strings.HasPrefix(line, "/*") && strings.HasSuffix(line, "*/\n") {
			continue
		}
		if !strings.ContainsAny(line, "\"'") {
			line = spaces.Replace(line)
		}
		out = append(out, line...)
	}
	return out
}

// inline is a script as it appears between its tags: html/template keeps it byte for
// byte, so its hash is known.
func inline(b []byte) string { return strings.TrimSpace(string(b)) }

// iconURL is the icon as a data URL, for the page that doesn't know where the site is.
func (t *Theme) iconURL() string {
	return "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(t.assets[IconName])
}

// Execute writes the page of a template.
func (t *Theme) Execute(w io.Writer, name string, data any) error {
	if err := t.pages[name].Execute(w, data); err != nil {
		return fmt.Errorf("run the theme's %s.html: %w", name, err)
	}
	return nil
}

// Assets returns the names of the files that all pages refer to.
func (t *Theme) Assets() []string {
	names := []string{StylesName, ScriptName, SearchName, MoreName, PreviewName, GraphName, IconName}
	if t.assets[CustomName] != nil {
		names = append(names, CustomName)
	}
	return names
}

// Asset returns the content of an asset.
func (t *Theme) Asset(name string) []byte {
	if name == MermaidName {
		return mermaid()
	}
	return t.assets[name]
}

// Version names the content of an asset, for addresses that may be kept by
// browsers as long as they like.
func (t *Theme) Version(name string) string {
	content := t.assets[name]
	if name == MermaidName {
		content = packedMermaid
	}
	return fmt.Sprintf("%08x", uint32(xxh3.Hash(content)))
}

// address is where scripts find an asset, from the folder of all of them.
func (t *Theme) address(name string) string { return name + "?v=" + t.Version(name) }

// CSP returns the content security policy of a page. No script runs but the
// files of the site and the inline ones, which are named by their hash
// (Content Security Policy Level 3, section 2.3.1).
// Images and recordings come from other hosts only where remote is set. A page with
// diagrams has the styles that are in them.
func (t *Theme) CSP(missing, remote, diagrams bool) string {
	scripts := "'self' " + hashSource(t.early)
	styles := "'self'"
	if missing {
		scripts += " " + hashSource(t.locate)
		styles += " " + hashSource(string(t.assets[StylesName]))
	}
	if diagrams {
		styles += " 'unsafe-inline'"
	}
	hosts := ""
	if remote {
		hosts = " https: http:"
	}
	return "default-src 'self'; script-src " + scripts + "; style-src " + styles +
		"; img-src 'self'" + hosts + " data:; media-src 'self'" + hosts + "; object-src 'none'; frame-src 'none'; base-uri 'self'; form-action 'self'"
}

// RedirectCSP returns the policy of a page that leads on to another.
func (t *Theme) RedirectCSP() string {
	return "default-src 'none'; script-src " + hashSource(t.onward) + "; img-src 'self'; base-uri 'none'; form-action 'none'"
}

func hashSource(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
