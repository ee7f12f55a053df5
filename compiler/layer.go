package compiler

import (
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// layer returns what the file at a path is for, as far as its path and the
// configuration say.
func layer(p string, config *schema.Config) schema.Layer {
	if sourceFolder(p) != "" || matchAny(config.Sources, p) {
		return schema.LayerSource
	}
	return schema.LayerWiki
}

// sourceFolder returns the folder at the top of the wiki that a path is in, when
// it may hold raw sources; it is "" for others.
func sourceFolder(p string) string {
	top, _, ok := strings.Cut(p, "/")
	if !ok || !schema.SourceFolder(top) {
		return ""
	}
	return top
}

// settleLayers decides what sources/, references/ and the like hold. They are raw,
// unless most of their pages hold wikilinks that lead to pages of this wiki, or the
// schema page lists the folder as one of pages: then they are about the sources.
func (w *Wiki) settleLayers() {
	type count struct{ pages, linking int }
	folders := map[string]*count{}
	for i, p := range w.pages {
		top := sourceFolder(p.Path)
		if top == "" || strings.EqualFold(top, "raw") {
			continue // raw says by its name that all in it is kept as it was collected
		}
		if folders[top] == nil {
			folders[top] = &count{}
		}
		folders[top].pages++
		for j := range p.Links {
			if w.targets[i][j] >= 0 && p.Links[j].As(&w.links[i][j]).Syntax == schema.SyntaxWikilink {
				folders[top].linking++
				break
			}
		}
	}
	for i, p := range w.pages {
		want := layer(p.Path, w.Config())
		if c := folders[sourceFolder(p.Path)]; c != nil && !matchAny(w.Config().Sources, p.Path) &&
			(2*c.linking > c.pages || w.listsPages(sourceFolder(p.Path))) {
			want = schema.LayerWiki
		}
		if p.Layer != want {
			settled := *p
			settled.Layer = want
			w.pages[i] = &settled
		}
	}
}

// listsPages reports whether the wiki's schema page has a folder in a table of page
// types, or in a list below a heading about pages.
func (w *Wiki) listsPages(folder string) bool {
	for _, p := range w.pages {
		if name := strings.ToLower(stem(p.Path)); strings.Contains(p.Path, "/") || name != "schema" && name != "00_schema" {
			continue
		}
		for i := range p.Tables {
			if typesTable(&p.Tables[i]) && rowNames(&p.Tables[i], folder) {
				return true
			}
		}
		about := false
		for line := range strings.Lines(string(p.Source[p.Body:])) {
			if strings.HasPrefix(line, "#") {
				about = strings.Contains(strings.ToLower(line), "page")
			}
			if item, ok := strings.CutPrefix(strings.TrimSpace(line), "- "); ok && about && namesFolder(item, folder) {
				return true
			}
		}
	}
	return false
}

func typesTable(t *schema.Table) bool {
	for _, c := range t.Head {
		if strings.Contains(strings.ToLower(c.Text), "type") {
			return true
		}
	}
	return false
}

func rowNames(t *schema.Table, folder string) bool {
	for _, row := range t.Rows {
		for _, c := range row {
			if namesFolder(c.Text, folder) {
				return true
			}
		}
	}
	return false
}

// namesFolder reports whether a text begins with the name of a folder and a slash.
func namesFolder(text, folder string) bool {
	text = strings.TrimLeft(text, "`* ./")
	text = strings.TrimPrefix(text, "wiki/")
	return len(text) > len(folder) && strings.EqualFold(text[:len(folder)], folder) && text[len(folder)] == '/'
}
