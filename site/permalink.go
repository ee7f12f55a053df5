package site

import (
	"fmt"
	"path"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// address is a file of the site that the front matter of a page asks for.
type address struct{ key, value, file string }

// fileOfPath is the file that a page has by its path.
func (s *Site) fileOfPath(p *schema.Page, index bool) string {
	want := strings.TrimSuffix(p.Path, path.Ext(p.Path)) + ".html"
	if index {
		want = path.Join(path.Dir(p.Path), homeName)
	}
	return s.notOwn(safePath(want))
}

// addressOf returns the file that a page asks for, and false if it asks for none or for
// the one that it has by its path. Raw sources are copies, whose addresses are those of
// the original.
func (s *Site) addressOf(p *schema.Page, index bool) (address, bool) {
	if p.Layer == schema.LayerSource {
		return address{}, false
	}
	for _, key := range []string{"permalink", "slug"} {
		n := p.Front.Get(key)
		if n == nil || n.Kind != schema.KindString || strings.TrimSpace(n.Text) == "" {
			continue // permalink: false of Eleventy is no address
		}
		a := address{key: key, value: clip(oneLine(n.Text), 80)}
		name := strings.TrimSpace(n.Text)
		if s.url != "" {
			name = strings.TrimPrefix(name, strings.TrimSuffix(s.url, "/"))
		}
		if strings.Contains(name, "//") {
			continue // of another site
		}
		if len(name) <= maxName && !strings.ContainsAny(name, "?#:{}") {
			a.file = s.addressFile(key, name, path.Dir(p.Path))
		}
		own := s.fileOfPath(p, index)
		if a.file == own || index && a.file == strings.TrimSuffix(own, "/"+homeName)+".html" {
			return address{}, false
		}
		return a, true
	}
	return address{}, false
}

// addressFile is the file at an address. One that ends in / is a folder's, and a slug
// without a slash is the last name of a page's address.
func (s *Site) addressFile(key, name, dir string) string {
	if key == "slug" && !strings.Contains(name, "/") {
		name = path.Join(dir, name)
	}
	name = path.Clean("/" + formerName(name))[1:]
	if name == "" {
		return homeName
	}
	return s.notOwn(safePath(name + ".html"))
}

// placePages names the files of pages: first those that have theirs by their path, index
// pages before others, since nothing else may be called index.html in their folder; then
// those that ask for an address.
func (s *Site) placePages(n *names) {
	indexes := s.indexPages()
	asked := map[schema.PageID]address{}
	for _, p := range s.built {
		if a, ok := s.addressOf(p, indexes[p.ID]); ok {
			asked[p.ID] = a
		}
	}
	for _, first := range []bool{true, false} {
		for _, p := range s.built {
			if _, ok := asked[p.ID]; !ok && indexes[p.ID] == first {
				s.place[p.ID] = s.put(n, s.fileOfPath(p, first), pageOutput{p})
			}
		}
	}
	for _, p := range s.built {
		a, ok := asked[p.ID]
		switch {
		case !ok:
		case a.file != "" && n.take(a.file):
			s.place[p.ID], s.outputs[a.file] = a.file, pageOutput{p}
			s.moved[p.ID] = true
		default:
			s.place[p.ID] = s.put(n, s.fileOfPath(p, indexes[p.ID]), pageOutput{p})
			s.refused = append(s.refused, s.refusal(p, a))
		}
	}
}

// refusal says why a page doesn't have the address that it asks for.
func (s *Site) refusal(p *schema.Page, a address) string {
	why := "is no path"
	if a.file != "" {
		why = "is the address of another file of the site"
	}
	if other, ok := s.outputs[a.file].(pageOutput); ok {
		why = fmt.Sprintf("is the address of %s", other.page.Path)
	}
	return fmt.Sprintf("%s: %s %q %s; the page is at %s", p.Path, a.key, a.value, why, s.place[p.ID])
}
