package resolve

import (
	"path"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/loopwiki/wiki/schema"
)

// Site is a folder of pages that a generator publishes below an address. Its folders
// are paths below the repository.
type Site struct {
	Home   string   // the folder of the generator's configuration
	Folder string   // the folder of the pages
	Route  string   // the address that Folder has, or NoRoute
	Static []string // folders whose files, or programs, stand at the top of the site
	IDs    bool     // front matter gives addresses, and .md links count from Folder too: Docusaurus
	Lists  string   // the text of what lists pages in the navigation
	All    bool     // the navigation lists every page
}

// NoRoute is the route of a site whose pages no link names by their addresses.
const NoRoute = "-"

// number begins a name, and Docusaurus leaves it out of addresses.
var number = schema.Expression(`(^|/)\d+\s*[-_.]+\s*([^-_.\s\d/])`)

// Addresses returns what the front matter of a page says of its address on a site.
func Addresses(p *schema.Page) (id, slug string) {
	if n := p.Front.Get("id"); n.IsScalar() {
		id = n.Text
	}
	if n := p.Front.Get("slug"); n.IsScalar() {
		slug = n.Text
	}
	return id, slug
}

// address joins what an address is made of into the form in which they are compared.
func address(parts ...string) string { return strings.Trim(path.Join(parts...), "/") }

// addSites notes the addresses that the pages of sites have, and may have.
func (x *Index) addSites() {
	x.urls, x.listed = map[string]int32{}, map[string]int32{}
	for s := range x.place.Sites {
		site := &x.place.Sites[s]
		for i := range x.targets {
			x.addSite(site, int32(i))
		}
	}
}

func (x *Index) addSite(s *Site, i int32) {
	t := &x.targets[i]
	rel, ok := below(s.Folder, path.Join(x.place.RootPath, t.path))
	stem := strings.TrimSuffix(strings.TrimSuffix(rel, PageExtension(rel)), ".mdx")
	if !ok || stem == rel {
		return
	}
	stems := []string{stem}
	if s.IDs {
		stems = append(stems, number().ReplaceAllString(stem, "$1$2"))
		if t.page != nil {
			id, slug := Addresses(t.page)
			for _, dir := range []string{path.Dir(stem), path.Dir(stems[1])} {
				if id != "" {
					stems = append(stems, path.Join(dir, id))
				}
				if strings.HasPrefix(slug, "/") {
					dir = ""
				}
				if slug != "" {
					x.smallest(x.urls, address(s.Route, dir, slug), i)
				}
			}
		}
	}
	for _, name := range stems {
		x.smallest(x.listed, name, i)
		x.smallest(x.urls, address(s.Route, name), i)
		switch base := path.Base(name); {
		case strings.EqualFold(base, "index"), s.IDs && (strings.EqualFold(base, "readme") || base == path.Base(path.Dir(name))):
			x.smallest(x.urls, address(s.Route, path.Dir(name)), i)
		}
	}
}

// below returns a path relative to a folder that it is in.
func below(folder, p string) (string, bool) {
	if folder == "." {
		return p, !strings.HasPrefix(p, "../")
	}
	return strings.CutPrefix(p, folder+"/")
}

// siteOf returns the site that a page is published on, or nil.
func (x *Index) siteOf(p *schema.Page) *Site {
	for s := range x.place.Sites {
		if _, ok := below(x.place.Sites[s].Folder, path.Join(x.place.RootPath, p.Path)); ok {
			return &x.place.Sites[s]
		}
	}
	return nil
}

// Published reports whether a page is one of a site that gives pages addresses.
func (x *Index) Published(p *schema.Page) bool {
	s := x.siteOf(p)
	return s != nil && s.Route != NoRoute
}

// onSite looks a destination up as the generator of the page's site does.
func (x *Index) onSite(from *schema.Page, dest string) (schema.Resolution, bool) {
	s := x.siteOf(from)
	if s == nil || s.Route == NoRoute {
		return schema.Resolution{}, false
	}
	if strings.HasPrefix(dest, "/") {
		file := address(dest)
		dest = strings.TrimSuffix(dest, ".html")
		if i, ok := x.urls[address(dest)]; ok {
			return x.hit(i, schema.BySite, ""), true
		}
		return x.static(s, file)
	}
	if !s.IDs {
		return schema.Resolution{}, false
	}
	if ext := path.Ext(dest); (ext == ".md" || ext == ".mdx") && !strings.HasPrefix(dest, ".") {
		for _, dir := range []string{s.Folder, s.Home} {
			if r, ok := x.file(path.Join(dir, dest)); ok {
				return r, true
			}
		}
		return schema.Resolution{}, false
	}
	rel, _ := below(s.Folder, path.Join(x.place.RootPath, norm.NFC.String(from.Path)))
	dir := path.Dir(rel)
	for _, dir := range []string{dir, number().ReplaceAllString(dir, "$1$2")} {
		if i, ok := x.urls[address(s.Route, dir, dest)]; ok {
			return x.hit(i, schema.BySite, ""), true
		}
	}
	return schema.Resolution{}, false
}

// rawHTML resolves a relative destination in HTML as MkDocs does: relative to the page's
// address, which is a folder.
func (x *Index) rawHTML(from *schema.Page, dest string) (schema.Resolution, bool) {
	s := x.siteOf(from)
	if s == nil || s.Route != NoRoute || strings.HasPrefix(dest, "/") {
		return schema.Resolution{}, false
	}
	p := norm.NFC.String(from.Path)
	own := strings.TrimSuffix(p, PageExtension(p))
	if path.Base(own) == "index" {
		return schema.Resolution{}, false
	}
	return x.file(path.Join(x.place.RootPath, own, dest))
}

// static looks up an address that a file gives which is copied to the site, or a
// program that makes a page.
func (x *Index) static(s *Site, dest string) (schema.Resolution, bool) {
	for _, dir := range s.Static {
		for _, end := range []string{"", ".js", ".jsx", ".ts", ".tsx", ".mdx", "/index.js", "/index.jsx", "/index.ts", "/index.tsx", "/index.mdx", "/index.html"} {
			if r, ok := x.file(path.Join(dir, dest) + end); ok && r.Kind != schema.TargetFolder {
				return r, true
			}
		}
	}
	return schema.Resolution{}, false
}

// file looks up a path below the repository.
func (x *Index) file(p string) (schema.Resolution, bool) {
	if inside, ok := below(x.place.RootPath, p); ok {
		r, ok := x.precise(inside, schema.BySite)
		r.GitHub = false
		return r, ok
	}
	return schema.Resolution{Kind: schema.TargetOutside, By: schema.BySite, Path: x.above(p)}, x.outside(p)
}

// word matches the name of a page in the settings of a navigation.
var word = schema.Expression(`[\pL\pN_./@~-]+`)

// Listed returns the pages that the navigation of their site lists.
func (x *Index) Listed() map[schema.PageID]bool {
	out := map[schema.PageID]bool{}
	for s := range x.place.Sites {
		site := &x.place.Sites[s]
		if site.All {
			for i := range x.targets {
				if p := x.targets[i].page; p != nil && x.siteOf(p) == site {
					out[p.ID] = true
				}
			}
		}
		for _, name := range word().FindAllString(site.Lists, -1) {
			if i, ok := x.navigated(name); ok && x.targets[i].page != nil {
				out[x.targets[i].page.ID] = true
			}
		}
	}
	return out
}

// navigated looks up what a navigation may call a page by: its path, its id, its address.
func (x *Index) navigated(name string) (int32, bool) {
	stem := strings.TrimSuffix(strings.Trim(name, "/"), PageExtension(name))
	if i, ok := x.listed[stem]; ok {
		return i, true
	}
	i, ok := x.urls[address(name)]
	return i, ok && strings.Contains(name, "/")
}
