package site

import (
	"encoding/xml"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site/theme"
)

// The files that list pages.
type (
	homeOutput   struct{}
	pagesOutput  struct{ part int }
	tagsOutput   struct{ part int }
	recentOutput struct{}
	searchOutput struct{}
	tagOutput    struct {
		tag  *tag
		part int
	}
	folderOutput struct {
		folder *folder
		part   int
	}
)

// fewPages are seen at one look: which of them are linked most says nothing.
const fewPages = 12

// homeOutput is the first page of a wiki that has no page for it.
func (homeOutput) render(s *Site, name string) ([]byte, error) {
	l := theme.List{Frame: s.frame(name, s.siteTitle(), nil, nil), Kind: "home", Intro: s.cfg.Description}
	if len(s.pages) == 0 {
		l.Title, l.Intro = s.words.NoPages, s.words.NoPagesText
		return s.execute("list", l)
	}
	top := s.folders["."]
	add := func(title string, links []theme.Link) {
		if len(links) > 0 {
			l.Groups = append(l.Groups, theme.Group{Title: title, Links: links})
		}
	}
	add(s.words.Folders, s.folderLinks(name, top.subs[:min(len(top.subs), 60)]))
	here, title := top, s.siteTitle()
	var inside []theme.Link
	for len(here.subs) == 1 && len(here.pages) == 0 { // a folder around everything is no news
		here = here.subs[0]
		title, inside = here.name(), s.folderLinks(name, here.subs[:min(len(here.subs), 60)])
	}
	add(s.words.PagesIn+" "+title, slices.Concat(inside, s.pageLinks(name, here.pages[:min(len(here.pages), 60)], leadOf)))
	var hubs []*schema.Page
	for _, id := range s.wiki.Graph().Hubs(30) {
		if p := s.wiki.Page(id); s.place[id] != "" && !s.unlisted[id] && len(s.wiki.Graph().In(id)) > 1 && len(hubs) < 10 && len(s.pages) > fewPages {
			hubs = append(hubs, p)
		}
	}
	add(s.words.MostLinked, s.pageLinks(name, hubs, leadOf))
	var latest []theme.Link
	for _, c := range s.recent {
		if len(latest) == 10 {
			break
		}
		latest = append(latest, theme.Link{Title: s.titles[c.page.ID], Href: relative(name, s.place[c.page.ID]), Note: c.day})
	}
	add(s.words.LatestChanges, latest)
	return s.execute("list", l)
}

func (s *Site) folderLinks(from string, subs []*folder) []theme.Link {
	var out []theme.Link
	for _, f := range subs {
		out = append(out, theme.Link{Title: f.name() + "/", Href: relative(from, f.file), Note: s.words.Plural(f.count)})
	}
	return out
}

func (o folderOutput) render(s *Site, name string) ([]byte, error) {
	f := o.folder
	title := f.name()
	if f.parent == nil {
		title = s.words.Folders
	}
	l := theme.List{Frame: s.frame(name, title, f, nil), Kind: "folder", Intro: s.words.Plural(f.count), Jump: s.jump(name, f.list, o.part)}
	l.Crumbs = s.crumbs(name, f.parent)
	links := part(slices.Concat(s.folderLinks(name, f.subs), s.pageLinks(name, f.pages, leadOf)), o.part)
	if len(links) > 0 {
		l.Groups = []theme.Group{{Links: links}}
	}
	return s.execute("list", l)
}

func (o pagesOutput) render(s *Site, name string) ([]byte, error) {
	l := theme.List{Frame: s.frame(name, s.words.AllPages, nil, nil), Kind: "pages", Intro: s.words.Plural(len(s.pages)), Jump: s.letters(name)}
	l.Lead = s.disputeLink(name)
	l.Groups = s.lettered(name, o.part)
	return s.execute("list", l)
}

// lettered is one part of all pages, by letter.
func (s *Site) lettered(from string, n int) []theme.Group {
	var out []theme.Group
	at := 0
	for _, sec := range s.sorted() {
		lo, hi := max(at, n*perPart), min(at+len(sec.pages), (n+1)*perPart)
		if lo < hi {
			g := theme.Group{Title: sec.letter, Links: s.pageLinks(from, sec.pages[lo-at:hi-at], folderOf)}
			if lo == at {
				g.ID = letterID(sec.letter)
			}
			out = append(out, g)
		}
		at += len(sec.pages)
	}
	return out
}

func (o tagsOutput) render(s *Site, name string) ([]byte, error) {
	l := theme.List{Frame: s.frame(name, s.words.Tags, nil, nil), Kind: "tags", Cloud: true, Jump: s.jump(name, s.tagsFile, o.part)}
	var links []theme.Link
	for _, t := range part(s.tags, o.part) {
		links = append(links, theme.Link{Title: t.name, Href: s.tagHref(name, t), Note: strconv.Itoa(len(t.pages))})
	}
	l.Groups = []theme.Group{{Links: links}}
	return s.execute("list", l)
}

func (o tagOutput) render(s *Site, name string) ([]byte, error) {
	t := o.tag
	l := theme.List{Frame: s.frame(name, "#"+t.name, nil, nil), Kind: "tag", Intro: s.words.Plural(len(t.pages)), Jump: s.jump(name, t.file, o.part)}
	l.Crumbs = []theme.Link{{Title: s.words.Home, Href: relative(name, homeName)}, {Title: s.words.Tags, Href: relative(name, s.tagsFile)}}
	for up := t.parent; up != nil; up = up.parent {
		l.Crumbs = slices.Insert(l.Crumbs, 2, theme.Link{Title: "#" + up.name, Href: s.tagHref(name, up)})
	}
	if o.part == 0 && len(t.subs) > 0 {
		l.Groups = append(l.Groups, theme.Group{Title: s.words.Finding.SubTags, Links: s.subTags(name, t)})
	}
	l.Groups = append(l.Groups, theme.Group{Links: s.pageLinks(name, part(t.pages, o.part), folderOf)})
	return s.execute("list", l)
}

// subTags leads to the tags right below one, in order of name.
func (s *Site) subTags(from string, t *tag) (out []theme.Link) {
	subs := slices.SortedFunc(slices.Values(t.subs), func(a, b *tag) int { return strings.Compare(strings.ToLower(a.name), strings.ToLower(b.name)) })
	for _, sub := range subs[:min(len(subs), perPart)] {
		out = append(out, theme.Link{Title: "#" + sub.name, Href: s.tagHref(from, sub), Note: strconv.Itoa(len(sub.pages))})
	}
	return out
}

func (recentOutput) render(s *Site, name string) ([]byte, error) {
	l := theme.List{Frame: s.frame(name, s.words.Recent, nil, nil), Kind: "recent", Since: s.since(name)}
	if s.feedFile != "" {
		l.Lead = []theme.Link{{Title: s.words.Publish.Subscribe, Href: relative(name, s.feedFile)}}
	}
	for _, c := range s.recent {
		if n := len(l.Groups); n == 0 || l.Groups[n-1].Title != c.day {
			l.Groups = append(l.Groups, theme.Group{Title: c.day})
		}
		g := &l.Groups[len(l.Groups)-1]
		g.Links = append(g.Links, theme.Link{Title: s.titles[c.page.ID], Href: relative(name, s.place[c.page.ID]), Note: folderOf(c.page)})
	}
	return s.execute("list", l)
}

// searchOutput searches with a script, and without one leads to the pages
// from A to Z.
func (searchOutput) render(s *Site, name string) ([]byte, error) {
	l := theme.List{Frame: s.frame(name, s.words.Search, nil, nil), Kind: "search", Jump: s.letters(name)}
	if len(s.pages) <= perPart {
		l.Groups = s.lettered(name, 0)
	}
	return s.execute("search", l)
}

// Files for machines and for readers who are lost.
type (
	missingOutput  struct{}
	sitemapOutput  struct{ part int }
	sitemapsOutput struct{ parts []string }
	robotsOutput   struct{}
	redirectOutput struct{ page *schema.Page }
)

// missingOutput is the page that servers show for a missing file, at any depth: it must
// be told, or find out, where the site is.
func (missingOutput) render(s *Site, name string) ([]byte, error) {
	f := s.frame(name, s.words.NotFound, nil, nil)
	f.Place = s.newPlace(name, s.top) // not that of other files
	f.CSP = s.csp(true, false)
	switch {
	case s.opt.Live:
		f.Base = "/"
	case s.url != "":
		f.Base = s.url
	}
	return s.execute("missing", f)
}

func (o redirectOutput) render(s *Site, name string) ([]byte, error) {
	to := s.place[o.page.ID]
	r := theme.Redirect{Frame: s.frame(name, s.titles[o.page.ID], nil, nil), Target: relative(name, to), CSP: s.theme.RedirectCSP()}
	r.Canonical = s.absolute(to)
	return s.execute("redirect", r)
}

// maxSitemap is how many addresses the protocol allows in one file.
const maxSitemap = 50_000

// sitemapOutput follows https://www.sitemaps.org/protocol.html.
func (o sitemapOutput) render(s *Site, _ string) ([]byte, error) {
	type entry struct {
		Loc     string `xml:"loc"`
		LastMod string `xml:"lastmod,omitempty"`
	}
	set := struct {
		XMLName xml.Name `xml:"urlset"`
		NS      string   `xml:"xmlns,attr"`
		URLs    []entry  `xml:"url"`
	}{NS: "http://www.sitemaps.org/schemas/sitemap/0.9"}
	for _, p := range s.pages[min(len(s.pages), o.part*maxSitemap):min(len(s.pages), (o.part+1)*maxSitemap)] {
		e := entry{Loc: s.absolute(s.place[p.ID])}
		if t := s.fresh[p.ID].Updated.Time; !t.IsZero() {
			e.LastMod = t.Format("2006-01-02")
		}
		set.URLs = append(set.URLs, e)
	}
	return encodeXML(set)
}

// render lists the sitemaps of a site that has several.
func (o sitemapsOutput) render(s *Site, _ string) ([]byte, error) {
	type entry struct {
		Loc string `xml:"loc"`
	}
	index := struct {
		XMLName xml.Name `xml:"sitemapindex"`
		NS      string   `xml:"xmlns,attr"`
		Maps    []entry  `xml:"sitemap"`
	}{NS: "http://www.sitemaps.org/schemas/sitemap/0.9"}
	for _, part := range o.parts {
		index.Maps = append(index.Maps, entry{s.absolute(part)})
	}
	return encodeXML(index)
}

// splitSitemap puts several sitemaps, and a list of them, for a site with too many pages
// for one.
func (s *Site) splitSitemap(n *names) {
	if s.url == "" || len(s.pages) <= maxSitemap {
		return
	}
	var parts []string
	for i := 0; i*maxSitemap < len(s.pages); i++ {
		parts = append(parts, s.put(n, fmt.Sprintf("sitemap-%d.xml", i+1), sitemapOutput{i}))
	}
	s.outputs[sitemapName] = sitemapsOutput{parts}
}

func encodeXML(v any) ([]byte, error) {
	b, err := xml.MarshalIndent(v, "", " ")
	if err != nil {
		return nil, fmt.Errorf("encode XML: %w", err)
	}
	return slices.Concat([]byte(xml.Header), b, []byte("\n")), nil
}

func (robotsOutput) render(s *Site, _ string) ([]byte, error) {
	text := "User-agent: *\nAllow: /\n"
	if s.url != "" {
		text += "Sitemap: " + s.url + sitemapName + "\n"
	}
	return []byte(text), nil
}

// absolute is the public address of a file, "" if the site has none.
func (s *Site) absolute(name string) string {
	if s.url == "" {
		return ""
	}
	if path.Base(name) == homeName {
		name = strings.TrimSuffix(name, homeName)
	}
	return s.url + escapePath(name)
}
