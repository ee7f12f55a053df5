package search

import (
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
)

// pages is a wiki in memory: markdown by path, with frontmatter of one line
// per field and headings that begin with #.
type pages struct {
	list []*schema.Page
	text map[schema.PageID][]compiler.Section
}

func wikiOf(tb testing.TB, files map[string]string) *pages {
	tb.Helper()
	w := &pages{text: make(map[schema.PageID][]compiler.Section)}
	for name, source := range files {
		p := &schema.Page{
			ID: schema.PageID(strings.TrimSuffix(name, ".md")), Path: name,
			Source: []byte(source), Hash: xxh3.HashString(source),
			Title: strings.TrimSuffix(path.Base(name), ".md"),
		}
		sections := []compiler.Section{{}}
		front := strings.HasPrefix(source, "---\n")
		for i, line := range strings.Split(source, "\n") {
			switch {
			case i == 0 && front:
			case front && line == "---":
				front = false
			case front:
				key, value, _ := strings.Cut(line, ": ")
				setField(p, key, value)
			case strings.HasPrefix(line, "#") && strings.Contains(line, "# "):
				_, heading, _ := strings.Cut(line, "# ")
				if strings.HasPrefix(line, "# ") {
					p.Title = heading
				}
				sections = append(sections, compiler.Section{Heading: heading, ID: strings.ToLower(strings.ReplaceAll(heading, " ", "-"))})
			default:
				s := &sections[len(sections)-1]
				s.Text = strings.TrimSpace(s.Text + "\n" + line)
			}
		}
		w.list = append(w.list, p)
		w.text[p.ID] = sections
	}
	slices.SortFunc(w.list, func(a, b *schema.Page) int { return strings.Compare(a.Path, b.Path) })
	return w
}

func setField(p *schema.Page, key, value string) {
	switch key {
	case "title":
		p.Title = value
	case "type":
		p.Meta.Type = value
	case "summary":
		p.Meta.Summary = value
	case "status":
		p.Meta.Status = schema.Status{Word: value, Class: schema.StatusClass(value)}
	case "aliases":
		for _, a := range strings.Split(value, ", ") {
			p.Meta.Aliases = append(p.Meta.Aliases, schema.Alias{Name: a})
		}
	case "tags":
		for _, t := range strings.Split(value, ", ") {
			p.Tags = append(p.Tags, schema.Tag{Name: t, Field: "tags"})
		}
	}
}

func (w *pages) Pages() []*schema.Page { return w.list }

func (w *pages) Page(id schema.PageID) *schema.Page {
	for _, p := range w.list {
		if p.ID == id {
			return p
		}
	}
	return nil
}

func (w *pages) Text(p *schema.Page) []compiler.Section { return w.text[p.ID] }

func (w *pages) Freshness(p *schema.Page) schema.Freshness {
	if p.Meta.Status.Word == "superseded" {
		return schema.Freshness{State: schema.FreshSuperseded}
	}
	return schema.Freshness{State: schema.FreshUnverified}
}
