package site

import (
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/loopwiki/wiki/site/theme"
)

// Pages by the type that their front matter gives them.
type (
	typesOutput struct{ part int }
	typeOutput  struct {
		of   *tag
		part int
	}
)

// makeTypes puts a list for every type, and one of all types, when there are several.
func (s *Site) makeTypes(n *names) {
	of := map[string]*tag{}
	for _, p := range s.pages {
		if t := typeOf(p); t != "" {
			key := strings.ToLower(t)
			if of[key] == nil {
				of[key] = &tag{name: t}
			}
			of[key].pages = append(of[key].pages, p)
		}
	}
	if len(of) < 2 {
		return
	}
	s.typeFiles = of
	for _, key := range sortedKeys(of) {
		s.types = append(s.types, of[key])
	}
	for _, t := range mostUsed(s.types) {
		t.file = s.putParts(n, "types/"+safePath(strings.ReplaceAll(t.name, "/", "-"))+".html", len(t.pages), func(part int) output { return typeOutput{t, part} })
	}
	s.typesFile = s.putParts(n, typesName, len(s.types), func(part int) output { return typesOutput{part} })
}

// typeOf is a page's type as it is shown.
func typeOf(p *schema.Page) string { return clip(text.Collapse(p.Meta.Type), 60) }

// typeHref leads to the pages of a type, empty when it has no list.
func (s *Site) typeHref(from string, p *schema.Page) string {
	if t := s.typeFiles[strings.ToLower(typeOf(p))]; t != nil && t.file != "" {
		return relative(from, t.file)
	}
	return ""
}

func (o typesOutput) render(s *Site, name string) ([]byte, error) {
	l := theme.List{Frame: s.frame(name, s.words.Finding.Types, nil, nil), Kind: "types", Cloud: true, Jump: s.jump(name, s.typesFile, o.part)}
	var links []theme.Link
	for _, t := range part(s.types, o.part) {
		links = append(links, theme.Link{Title: t.name, Href: s.tagHref(name, t), Note: strconv.Itoa(len(t.pages))})
	}
	l.Groups = []theme.Group{{Links: links}}
	return s.execute("list", l)
}

func (o typeOutput) render(s *Site, name string) ([]byte, error) {
	l := theme.List{Frame: s.frame(name, o.of.name, nil, nil), Kind: "type", Intro: s.words.Plural(len(o.of.pages)), Jump: s.jump(name, o.of.file, o.part)}
	l.Crumbs = []theme.Link{{Title: s.words.Home, Href: relative(name, homeName)}, {Title: s.words.Finding.Types, Href: relative(name, s.typesFile)}}
	l.Groups = []theme.Group{{Links: s.pageLinks(name, part(o.of.pages, o.part), leadOf)}}
	return s.execute("list", l)
}
