package site

import (
	"bytes"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema/schematest"
)

// crawled is an HTML file of a site as a crawler sees it.
type crawled struct {
	ids   map[string]int
	links []string // every href and src, resolved against its base by the caller
	base  string
	bad   []string // what no page may have
}

func crawl(tb testing.TB, content string) *crawled {
	tb.Helper()
	root, err := html.Parse(strings.NewReader(content))
	if err != nil {
		tb.Fatal(err)
	}
	c := &crawled{ids: map[string]int{}}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if n.Data == "script" && attr(n, "src") == "" && !strings.Contains(content, "sha256-") {
			c.bad = append(c.bad, "an inline script without a policy")
		}
		if n.Data == "iframe" || n.Data == "object" || n.Data == "embed" {
			c.bad = append(c.bad, "<"+n.Data+">")
		}
		for _, a := range n.Attr {
			switch {
			case a.Key == "id":
				c.ids[a.Val]++
			case n.Data == "base" && a.Key == "href":
				c.base = a.Val
			case a.Key == "href", a.Key == "src", a.Key == "action", a.Key == "data-search":
				c.links = append(c.links, a.Val)
			case a.Key == "content" && strings.HasPrefix(a.Val, "0; url="):
				c.links = append(c.links, strings.TrimPrefix(a.Val, "0; url="))
			case strings.HasPrefix(a.Key, "on"):
				c.bad = append(c.bad, "the handler "+a.Key)
			}
		}
	}
	return c
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

// crawlSite follows every link of every HTML file of a built site, as a
// browser would that opened it from a disk.
func crawlSite(t *testing.T, dir string) {
	t.Helper()
	files := tree(t, dir)
	pages := map[string]*crawled{}
	for name, content := range files {
		if strings.HasSuffix(name, ".html") {
			pages[name] = crawl(t, content)
		}
	}
	problems := 0
	report := func(format string, args ...any) {
		if problems++; problems <= 20 {
			t.Errorf(format, args...)
		}
	}
	for name, page := range pages {
		for _, b := range page.bad {
			report("%s has %s", name, b)
		}
		for id, n := range page.ids {
			if strings.HasPrefix(id, "user-content-") {
				continue // given by the author
			}
			if n > 1 || id == "" || strings.ContainsAny(id, " \t\n") {
				report("%s has the id %q %d times", name, id, n)
			}
		}
		for _, l := range page.links {
			if why := follow(files, pages, name, l); why != "" {
				report("%s links to %s: %s", name, l, why)
			}
		}
	}
	if len(pages) < 4 {
		t.Errorf("only %d pages were crawled", len(pages))
	}
}

func follow(files map[string]string, pages map[string]*crawled, from, link string) string {
	if strings.HasPrefix(link, "http://") || strings.HasPrefix(link, "https://") {
		return "" // whatever the author wrote
	}
	u, err := url.Parse(link)
	if err != nil {
		return err.Error()
	}
	if u.Scheme != "" || u.Host != "" {
		switch u.Scheme {
		case "http", "https", "mailto", "tel", "ftp", "obsidian", "data", "":
			return ""
		}
		return "scheme " + u.Scheme
	}
	if strings.HasPrefix(u.Path, "/") {
		return "begins at the root of its host"
	}
	to := from
	if u.Path != "" {
		to = path.Join(path.Dir(from), u.Path)
	}
	if _, ok := files[to]; !ok {
		return "there is no " + to
	}
	if p := pages[to]; u.Fragment != "" && p != nil && p.ids[u.Fragment] == 0 {
		return to + " has no id " + u.Fragment
	}
	return ""
}

func TestCrawlFixture(t *testing.T) {
	t.Parallel()
	w := fixture(t)
	dir := t.TempDir()
	buildTo(t, layOut(t, w, Options{}), dir)
	crawlSite(t, dir)
}

func TestCrawlCorpora(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("builds and crawls five sites")
	}
	for _, c := range compilertest.Corpora {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			src := schematest.Shared(t, c.Path)
			root := filepath.Join(t.TempDir(), "wiki")
			if err := os.CopyFS(root, os.DirFS(src)); err != nil {
				t.Fatal(err)
			}
			w := compilertest.Compile(t, root)
			s := layOut(t, w, Options{})
			dir := t.TempDir()
			report := buildTo(t, s, dir)
			if report.Files != len(s.Files()) || report.Written != report.Files {
				t.Errorf("report %+v of %d files", report, len(s.Files()))
			}
			crawlSite(t, dir)
		})
	}
}

// TestPagesStaySmall checks that no file but the lists grows with the
// number of pages.
func TestPagesStaySmall(t *testing.T) {
	t.Parallel()
	size := func(n int) (int, int) {
		dir := t.TempDir()
		compilertest.Generate(t, dir, n)
		s := layOut(t, compilertest.Compile(t, dir), Options{})
		largest := 0
		for _, name := range s.Files() {
			if !strings.HasSuffix(name, ".html") || name == "index.html" { // the index is the author's
				continue
			}
			b, err := s.Render(name)
			if err != nil {
				t.Fatal(err)
			}
			largest = max(largest, len(b))
		}
		page, err := s.Render("area-03/topic-00003.html")
		if err != nil {
			t.Fatal(err)
		}
		return largest, len(page)
	}
	_, few := size(150)
	largest, many := size(600)
	if many > few+8<<10 {
		t.Errorf("a page has %d bytes in a wiki of 150 pages and %d in one of 600", few, many)
	}
	if largest > 120<<10 {
		t.Errorf("the largest page has %d bytes", largest)
	}
}

// TestBytesOfPages holds what the site writes per page: its frame, which is everything but
// its own text and the sentences of pages that link to it, and all files. A thousand pages
// are enough for a part of a page that grows with the wiki to be seen.
func TestBytesOfPages(t *testing.T) {
	t.Parallel()
	const pages = 1000
	dir := t.TempDir()
	compilertest.Generate(t, dir, pages)
	s := layOut(t, compilertest.Compile(t, dir), Options{})
	without := func(b []byte, from, to string) []byte {
		before, rest, found := bytes.Cut(b, []byte(from))
		_, after, ends := bytes.Cut(rest, []byte(to))
		if !found || !ends {
			return b
		}
		return slices.Concat(before, after)
	}
	bytesOf := map[string]int{}
	for _, name := range s.Files() {
		b, err := s.Render(name)
		if err != nil {
			t.Fatal(err)
		}
		kind := map[string]string{".html": "list", ".js": "script", ".json": "data"}[path.Ext(name)]
		if strings.HasPrefix(name, indexDir) {
			kind = "index"
		} else if _, is := s.PageOf(name); is {
			kind = "page"
			frame := without(without(b, "<article class=\"prose\">", "</article>"), "<ul class=\"backlinks\">", "</ul>")
			bytesOf["frame of a page"] += len(frame)
		}
		bytesOf[kind] += len(b)
	}
	for kind, most := range map[string]int{"frame of a page": 3300, "page": 12500, "list": 800, "script": 250, "data": 1400} {
		if per := bytesOf[kind] / pages; per > most {
			t.Errorf("%s: %d bytes for each page of the wiki, at most %d wanted", kind, per, most)
		} else {
			t.Logf("%s: %d bytes for each page of the wiki", kind, per)
		}
	}
}

func TestReadingNeedsNoScript(t *testing.T) {
	t.Parallel()
	s := layOut(t, fixture(t), Options{})
	for _, name := range s.Files() {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		b := []byte(render(t, s, name))
		for _, tag := range []string{"<script>", "<script "} {
			if n := bytes.Count(b, []byte(tag)); n > 3 { // of all pages, of the menu, and for diagrams or the graph
				t.Errorf("%s has %d scripts", name, n)
			}
		}
		if bytes.Contains(b, []byte("javascript:")) || bytes.Contains(b, []byte("alert(1)</script>")) {
			t.Errorf("%s can run a script of the wiki", name)
		}
	}
	search := render(t, s, "search.html")
	for _, id := range s.pages {
		if !strings.Contains(search, `href="`+escapePath(s.place[id.ID])+`"`) {
			t.Errorf("without a script the page for searching does not lead to %s", id.Path)
		}
	}
}
