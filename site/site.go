package site

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/compiler/public"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/loopwiki/wiki/site/theme"
)

// Options say how a wiki becomes a site. What is not here comes from its
// configuration.
type Options struct {
	// Live makes the site of a preview: drafts and findings are shown, and
	// every page loads /_wiki/live.js and searches through /_wiki/search.
	Live bool
	// Findings are shown on the pages they belong to, in a preview.
	Findings []schema.Diagnostic
	// Contradictions are shown on the pages of their sides, and in a list.
	Contradictions []schema.Contradiction
	// Mentions are shown on the pages that they name.
	Mentions []schema.Mention
	// Watched says, by path of the page, what of the code pages were verified
	// against and the result of it.
	Watched map[string]schema.Watched
	// Runs says that a preview shows runs of loops, which its menu leads to. They
	// are not files of the site: see [Site.RenderRuns].
	Runs bool
	// Fleet says that a preview shows the plans of many repositories: see [Site.RenderFleet].
	Fleet bool
	// Loops are shown in a build. A preview is given them when a page about them is
	// asked for: see [Site.RenderSpec].
	Loops schema.LoopSpecs
	// Facts returns the facts that a page states, for its data, and may be called by many
	// goroutines. Without it, as in a preview, no data has facts.
	Facts func(*schema.Page) []schema.Claim
	// Since is shown above the list of recent changes; nil is nothing. In a build it may
	// hold only what others may read.
	Since *schema.SinceRevision
	// Force lets Build write to a folder with other files. Those are kept, unless a file
	// of the site has their name.
	Force bool
	// Within is a folder that the output can't leave through links; empty if a person
	// chose the output.
	Within string
}

// Names of files that are not made from a page. Names below own never collide; pages and
// folders take precedence over the others.
const (
	own        = "_wiki/"
	indexDir   = own + "search/"
	liveName   = own + "live.js"
	treeName   = own + "tree/"
	searchName = "search.html"
	pagesName  = "pages.html"
	tagsName   = "tags.html"
	typesName  = "types.html"
	recentName = "recent.html"
	graphName  = "graph.html"
	healthName = "health.html"

	graphDataName      = own + "graph-data.js"
	contradictionsName = "contradictions.html"
	missingName        = "404.html"
	homeName           = "index.html"
	sitemapName        = "sitemap.xml"
	robotsName         = "robots.txt"
)

// Site is a wiki laid out as files, which are rendered on demand. It is safe for
// concurrent use.
type Site struct {
	wiki  *compiler.Wiki
	cfg   *schema.Config
	opt   Options
	theme *theme.Theme
	words *theme.Words
	url   string // of the published site with a slash at the end, or empty

	files   []string // every output file but those of the search index, sorted
	outputs map[string]output

	built        []*schema.Page // those that get a file, in order of path
	pages        []*schema.Page // of these the ones that stand in lists
	unlisted     map[schema.PageID]bool
	public       *public.Pages           // the pages that are built
	hidden       []string                // the same, below the root
	hiddenBySize map[int64][]fs.FileInfo // of their files, once it is asked for
	place        map[schema.PageID]string
	moved        map[schema.PageID]bool // whose place is not that of their path
	refused      []string               // addresses that pages ask for and don't have, in words
	raw          map[schema.PageID]string
	data         map[schema.PageID]string
	attached     map[string]string // path below the root to output file
	asSource     []string          // those of them that are shown as source
	tooLarge     []string          // files that are not published for their size, in words
	folders      map[string]*folder
	top          *branch // of the menu
	branches     map[*folder]*branch
	tags         []*tag
	tagFiles     map[string]*tag // by folded name
	types        []*tag
	typeFiles    map[string]*tag     // by name in lower case
	typesFile    string              // the list of them, empty when there are fewer than two
	lists        map[string][]string // parts of the lists that are cut in several, by the first
	recent       []change
	titles       map[schema.PageID]string

	pagesFile, tagsFile, recentFile string   // the lists of the whole wiki; empty when there is none
	graphFile, healthFile           string   // empty without links between pages, and without anything to say
	feedFile                        string   // empty without changes or site.url
	texts                           []string // files with the text of pages

	findings map[string][]schema.Diagnostic

	contradictions []schema.Contradiction  // that readers may see, what is open first
	disputed       map[schema.PageID][]int // those that a page is part of
	disputants     map[string]*schema.Page // these pages, by path
	disputesFile   string                  // the list, empty when there are none

	mentions map[schema.PageID][]mention // by the page that is named

	fresh    map[schema.PageID]schema.Freshness
	verifies bool // some page says that it was verified

	failed    failedFormulas
	cited     sync.Map                          // whether a cited file of the repository is there, by path
	places    sync.Map                          // *surroundings by placeKey
	search    func() (map[string][]byte, error) // the files of the index, by their names in its folder
	all       func() []string
	sorted    func() []section
	runsAt    func() string
	embedMost func() int
	mostUsed  func() string // language
	net       func() *net
	netOrder  func() []int32 // numbers of pages, those with most links first
}

// output renders one file.
type output interface {
	render(s *Site, name string) ([]byte, error)
}

// New lays out the site of a wiki. It fails when the theme can't be read.
func New(w *compiler.Wiki, opt Options) (*Site, error) {
	cfg := w.Config()
	over, done, err := themeFolder(w.Workspace())
	if err != nil {
		return nil, err
	}
	defer done()
	words := theme.WordsFor(cfg.Language)
	th, err := theme.Load(over, words, opt.Live)
	if err != nil {
		return nil, err
	}
	s := &Site{
		wiki: w, cfg: cfg, opt: opt, theme: th, words: words, url: publicURL(cfg.Site.URL),
		unlisted: map[schema.PageID]bool{},
		place:    map[schema.PageID]string{}, moved: map[schema.PageID]bool{}, raw: map[schema.PageID]string{}, data: map[schema.PageID]string{},
		attached: map[string]string{}, tagFiles: map[string]*tag{}, lists: map[string][]string{}, titles: map[schema.PageID]string{},
		findings: map[string][]schema.Diagnostic{}, disputed: map[schema.PageID][]int{}, disputants: map[string]*schema.Page{}, mentions: map[schema.PageID][]mention{}, fresh: map[schema.PageID]schema.Freshness{},
	}
	if opt.Live {
		for _, d := range opt.Findings {
			s.findings[d.Path] = append(s.findings[d.Path], d)
		}
	}
	s.search = sync.OnceValues(s.buildIndex)
	s.all = sync.OnceValue(s.allFiles)
	s.sorted = sync.OnceValue(s.sections)
	s.embedMost = sync.OnceValue(s.findEmbedMost)
	s.mostUsed = sync.OnceValue(s.findMostUsed)
	s.runsAt = sync.OnceValue(s.findRunsAt)
	s.net = sync.OnceValue(s.newNet)
	s.netOrder = sync.OnceValue(func() []int32 { return s.net().ordered() })
	s.layOut()
	return s, nil
}

// themeFolder opens the folder that overrides the theme, if there is one.
func themeFolder(ws *compiler.Workspace) (over fs.FS, done func(), err error) {
	if ws.Config.Site.Theme == "" {
		return nil, func() {}, nil
	}
	dir := filepath.FromSlash(ws.Config.Site.Theme)
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(filepath.Dir(ws.ConfigPath), dir)
	}
	in, err := ws.Open(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("open the theme's folder (site.theme in wiki.yaml): %w", err)
	}
	return in.FS(files.Theme), func() { in.Close() }, nil
}

func publicURL(u string) string {
	if u == "" {
		return ""
	}
	return strings.TrimRight(u, "/") + "/"
}

// Files returns the path of every file of the site, sorted. It reads all pages, whose words
// name the files of the search index.
func (s *Site) Files() []string { return s.all() }

// Render returns one file of the site. The error is fs.ErrNotExist when there
// is no such file.
func (s *Site) Render(name string) ([]byte, error) {
	out, ok := s.outputs[name]
	if !ok && strings.HasPrefix(name, indexDir) {
		out, ok = indexOutput{}, true
	}
	if !ok {
		return nil, fmt.Errorf("render %s: %w", name, fs.ErrNotExist)
	}
	b, err := out.render(s, name)
	if err != nil {
		return nil, fmt.Errorf("render %s: %w", name, err)
	}
	return b, nil
}

// PageOf returns the page that the file of a site shows.
func (s *Site) PageOf(name string) (schema.PageID, bool) {
	p, ok := s.outputs[name].(pageOutput)
	if !ok {
		return "", false
	}
	return p.page.ID, true
}

// Attached reports whether a file of the site is one of the wiki's own that is
// no page, such as an image or a document, and so nothing we wrote.
func (s *Site) Attached(name string) bool {
	_, ok := s.outputs[name].(fileOutput)
	return ok
}

// FileOf returns the file that shows a page, empty when it is not published.
func (s *Site) FileOf(id schema.PageID) string { return s.place[id] }

// builtFolders returns a filter for folders that an earlier build wrote. If the output
// is among the pages, the published sources in it are not pages of the wiki: they would
// be built again, and more of them each time.
func (s *Site) builtFolders() func(dir string) bool {
	root, err := os.OpenRoot(s.wiki.Workspace().Root)
	if err != nil {
		return func(string) bool { return false }
	}
	known := map[string]bool{".": false}
	var built func(dir string) bool
	built = func(dir string) bool {
		is, ok := known[dir]
		if !ok {
			_, err := root.Stat(path.Join(dir, manifestName))
			is = err == nil || built(path.Dir(dir))
			known[dir] = is
		}
		return is
	}
	for _, p := range s.wiki.Pages() {
		built(path.Dir(p.Path))
	}
	root.Close()
	return func(dir string) bool { return known[dir] }
}

// layOut gives every file of the site its name: first the files that others
// know by name, then pages, then what belongs to them, then lists.
func (s *Site) layOut() {
	expected := 4 * len(s.wiki.Pages()) // its page, source and data, and what belongs to them
	n := newNames(expected)
	s.outputs = make(map[string]output, expected)
	n.take(strings.TrimSuffix(own, "/") + "/.") // the folder is ours
	s.fixed(n)
	built := s.builtFolders()
	for _, p := range s.wiki.Pages() {
		if !built(path.Dir(p.Path)) && s.admit(p) {
			s.fresh[p.ID] = s.wiki.Freshness(p).Watch(s.opt.Watched[p.Path])
			s.verifies = s.verifies || len(p.Meta.Verified) > 0 || s.fresh[p.ID].Watched.Symbols > 0
			s.titles[p.ID] = pageTitle(p)
		}
	}
	s.takeContradictions(s.opt.Contradictions)
	s.takeMentions(s.opt.Mentions)
	s.placePages(n)
	s.public = public.New(s.wiki, func(p *schema.Page) bool { return s.place[p.ID] != "" })
	if s.outputs[homeName] == nil {
		s.put(n, homeName, homeOutput{})
	}
	s.makeFolders(n)
	for _, p := range s.built {
		s.raw[p.ID] = s.put(n, s.notOwn(safePath(p.Path)), rawOutput{p})
	}
	s.putDiagrams(n)
	s.attach(n)
	s.makeTags(n)
	s.makeLists(n)
	s.putData(n)
	s.putLLMs(n)
	s.splitSitemap(n)
	if s.url != "" && len(s.recent) > 0 {
		s.feedFile = s.put(n, feedName, feedOutput{})
	}
	s.makeBranches(n)
	s.redirects(n)
	s.files = make([]string, 0, len(s.outputs))
	for name := range s.outputs {
		s.files = append(s.files, name)
	}
	s.putLoops(n)
	slices.Sort(s.files)
}

// fixed puts the files whose names are part of the site's interface.
func (s *Site) fixed(n *names) {
	for _, a := range s.theme.Assets() {
		s.put(n, own+a, assetOutput{a})
	}
	s.put(n, searchName, searchOutput{})
	s.put(n, missingName, missingOutput{})
	s.put(n, robotsName, robotsOutput{})
	s.put(n, ".nojekyll", emptyOutput{})
	if s.url != "" {
		s.put(n, sitemapName, sitemapOutput{})
	}
}

// put claims a name for an output and returns the name it got.
func (s *Site) put(n *names, want string, out output) string {
	name := n.claim(want)
	s.outputs[name] = out
	return name
}

// notOwn keeps files of the wiki out of the site's own folder.
func (s *Site) notOwn(name string) string {
	if strings.HasPrefix(foldPath(name), own) {
		return "wiki_" + name[len(own)-1:]
	}
	return name
}

// indexNames are the names of index pages, best first.
var indexNames = []string{"index", "_index", "readme", "home"}

// indexPages chooses the index page of every folder. home counts only at the top.
func (s *Site) indexPages() map[schema.PageID]bool {
	best := map[string]*schema.Page{}
	rank := func(p *schema.Page) int {
		base := path.Base(p.Path)
		return slices.Index(indexNames, strings.ToLower(strings.TrimSuffix(base, path.Ext(base))))
	}
	for _, p := range s.built {
		dir := path.Dir(p.Path)
		r := rank(p)
		if r < 0 || indexNames[r] == "home" && dir != "." {
			continue
		}
		if b := best[dir]; b == nil || r < rank(b) {
			best[dir] = p
		}
	}
	out := map[schema.PageID]bool{}
	for _, p := range best {
		out[p.ID] = true
	}
	return out
}

// shown reports whether a reader of the page sees the link: it is in the
// text, or it is one of the sources listed below it.
func shown(p *schema.Page, l *schema.Link) bool {
	return l.Field == "" || slices.ContainsFunc(p.Meta.Sources, func(r schema.SourceRef) bool { return r.Span.Overlaps(l.Span) })
}

// visible reports whether no part of a path is hidden.
func visible(name string) bool {
	return name != "" && !strings.HasPrefix(name, ".") && !strings.Contains(name, "/.")
}

// maxName bounds the names that pages give and that become paths: aliases,
// tags.
const maxName = 500

// maxRedirects bounds the other names of one page that get a file.
const maxRedirects = schema.MaxRedirects

// redirects maps former and additional addresses of pages. Addresses declared as former
// by a page come before inferred ones.
func (s *Site) redirects(n *names) {
	for _, p := range s.built {
		var from []string
		if s.moved[p.ID] {
			from = append(from, strings.TrimSuffix(p.Path, path.Ext(p.Path)))
		}
		for _, old := range p.Meta.Redirects {
			from = append(from, formerName(old.Name))
		}
		s.redirect(n, p, from)
	}
	for _, p := range s.built {
		var from []string
		if old := s.fresh[p.ID].Renamed; old != "" && !strings.HasPrefix(old, "../") {
			from = append(from, strings.TrimSuffix(old, path.Ext(old)))
		}
		for _, a := range p.Meta.Aliases {
			name := strings.Trim(strings.TrimSuffix(a.Name, ".md"), "/ ")
			if !strings.Contains(name, "/") {
				name = path.Join(path.Dir(p.Path), name)
			}
			from = append(from, name)
		}
		s.redirect(n, p, from)
	}
}

// redirect leads from some names to a page.
func (s *Site) redirect(n *names, p *schema.Page, from []string) {
	for _, name := range from[:min(len(from), maxRedirects)] {
		if name == "" || len(name) > maxName {
			continue
		}
		name = s.notOwn(safePath(path.Clean("/" + name)[1:] + ".html"))
		if n.take(name) { // a page, or an earlier alias, comes first
			s.outputs[name] = redirectOutput{p}
		}
	}
}

// formerName is the name, without extension, of the file at an address that a
// page had: /a/b, /a/b.html, and /a/ for the page of a folder.
func formerName(address string) string {
	if strings.HasSuffix(address, "/") {
		address += strings.TrimSuffix(homeName, ".html")
	}
	switch ext := path.Ext(address); ext {
	case ".html", ".htm", ".md":
		address = strings.TrimSuffix(address, ext)
	}
	return strings.TrimPrefix(address, "/")
}

// pageTitle is a page's title on one line, never empty.
func pageTitle(p *schema.Page) string {
	if t := text.Collapse(p.Title); t != "" {
		return clip(t, 200)
	}
	return path.Base(string(p.ID))
}

// clip cuts s at a rune boundary when it is longer than max bytes.
func clip(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + "…"
}

// Plain outputs.
type (
	assetOutput struct{ name string }
	rawOutput   struct{ page *schema.Page }
	emptyOutput struct{}
)

func (o assetOutput) render(s *Site, _ string) ([]byte, error) { return s.theme.Asset(o.name), nil }
func (emptyOutput) render(*Site, string) ([]byte, error)       { return nil, nil }

// buffers are used again: every page needs a large one for a moment.
var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// execute runs a template of the theme.
func (s *Site) execute(name string, data any) ([]byte, error) {
	b := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(b)
	b.Reset()
	err := s.theme.Execute(b, name, data)
	return bytes.Clone(b.Bytes()), err
}
