package exchange

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/exchange/llms"
	"github.com/loopwiki/wiki/compiler/exchange/okf"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// maxListed is how many pages one llms.txt lists; the folders of a larger wiki have
// lists of their own.
const maxListed = 1000

// writeLLMs writes the lists and texts of pages, and the pages beside them.
func writeLLMs(ctx context.Context, x *exporter) error {
	for _, p := range x.pages {
		if err := ctx.Err(); err != nil {
			return err
		}
		x.add(p.Path, x.source(p, schema.Span{End: len(p.Source)}))
	}
	x.lists(".", x.pages)
	slices.SortFunc(x.out.Files, func(a, b okf.File) int { return strings.Compare(a.Path, b.Path) })
	return nil
}

// lists writes the list and the text of the pages below a folder, or, when these are too
// many, those of its own pages and of each folder in it.
func (x *exporter) lists(dir string, pages []*schema.Page) {
	size := 0
	for _, p := range pages {
		size += len(p.Source)
	}
	own, below, names := split(dir, pages)
	if len(pages) <= maxListed && size <= llms.MaxFull || len(names) == 0 {
		x.list(dir, pages, nil)
		return
	}
	x.list(dir, own, names)
	for _, name := range names {
		x.lists(name, below[name])
	}
}

// split sorts the pages below a folder into its own and those of each folder in it.
func split(dir string, pages []*schema.Page) (own []*schema.Page, below map[string][]*schema.Page, names []string) {
	below = map[string][]*schema.Page{}
	for _, p := range pages {
		first, _, nested := strings.Cut(strings.TrimPrefix(p.Path, dir+"/"), "/") // dir may be "."
		if !nested {
			own = append(own, p)
			continue
		}
		name := path.Join(dir, first)
		if below[name] == nil {
			names = append(names, name)
		}
		below[name] = append(below[name], p)
	}
	return own, below, names
}

// list writes llms.txt and llms-full.txt of a folder, which link to those of others.
func (x *exporter) list(dir string, pages []*schema.Page, folders []string) {
	href := func(name string) string {
		if dir == "." {
			return name
		}
		return strings.TrimPrefix(name, dir+"/")
	}
	title := text.Collapse(x.wiki.Config().Title)
	if title == "" {
		title = "Wiki"
	}
	if dir != "." {
		title += ": " + dir
	}
	full, lists, optional := llms.Section{Title: "Full text"}, llms.Section{Title: "Folders"}, llms.Section{Title: llms.Optional}
	var texts []llms.Text
	var groups []llms.Section
	for _, p := range pages {
		entry := llms.Entry{Title: text.Collapse(p.Title), Href: href(p.Path)}
		if !x.public.Names(p, p.Meta.Summary) {
			entry.Note = text.Collapse(p.Meta.Summary)
		}
		if p.Layer == schema.LayerSource {
			optional.Entries = append(optional.Entries, entry)
			continue
		}
		texts = append(texts, llms.Text{Href: href(p.Path), Source: x.source(p, schema.Span{End: len(p.Source)})})
		name := path.Dir(p.Path)
		if name == "." {
			name = "Pages"
		}
		i := slices.IndexFunc(groups, func(g llms.Section) bool { return g.Title == name })
		if i < 0 {
			i = len(groups)
			groups = append(groups, llms.Section{Title: name})
		}
		groups[i].Entries = append(groups[i].Entries, entry)
	}
	if len(texts) > 0 {
		full.Entries = []llms.Entry{{Title: llms.FullName, Href: llms.FullName}}
		x.add(path.Join(dir, llms.FullName), llms.Full(title, texts))
	}
	for _, name := range folders {
		lists.Entries = append(lists.Entries, llms.Entry{Title: name, Href: href(path.Join(name, llms.IndexName))})
	}
	sections := append([]llms.Section{full, lists}, groups...)
	x.add(path.Join(dir, llms.IndexName), llms.Index(title, x.wiki.Config().Description, append(sections, optional)))
}
