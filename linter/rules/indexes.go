package rules

import (
	"bytes"
	"path"
	"slices"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

// index is a page that may list others, and what it says of them.
type index struct {
	page    *schema.Page
	entries []indexEntry           // in order of the file
	links   map[*schema.Page]bool  // the pages that it leads to from anywhere
	of      map[schema.PageID]bool // the pages that it has entries of
	below   map[string][]int       // folder to the entries of pages right in it
	keeps   []keptFolder           // the folders that it lists, in order of path
}

// indexEntry is an entry of an index, a list item or a table row, for the target of its
// first link.
type indexEntry struct {
	line  schema.Span // without its ending
	cells []schema.Cell
	links []site // of the line
	head  []schema.Cell
}

// page returns the page of an entry, or nil.
func (e *indexEntry) page(w *compiler.Wiki) *schema.Page {
	if res := e.links[0].Res; res.Kind == schema.TargetPage {
		return w.Page(res.Page)
	}
	return nil
}

// keptFolder is a folder whose pages an index lists.
type keptFolder struct {
	dir     string
	entries []int          // of the index that stand for pages of the folder
	pages   int            // that the index should list
	missing []*schema.Page // those of them that it does not lead to, in order of path
	said    bool           // the dialect says that this index lists the folder
}

// indexes are the pages of a wiki that list others.
type indexes struct {
	all []*index // in order of path
	// dead holds, by their links, the entries of missing pages: no link on the line
	// resolves, and the first names a page of a folder that the index lists.
	dead map[*schema.Link]*indexEntry
}

var indexFact = linter.NewFact(func(w *compiler.Wiki) *indexes {
	l := newLayout(w)
	byPage := map[*schema.Page]*index{}
	for _, dir := range l.dirs {
		if x, kept := keeper(w, l, byPage, dir); x != nil {
			x.keeps = append(x.keeps, kept)
		}
	}
	out := &indexes{dead: map[*schema.Link]*indexEntry{}}
	for _, page := range w.Pages() {
		if x := byPage[page]; x != nil && len(x.keeps) > 0 {
			out.all = append(out.all, x)
			out.findDead(x)
		}
	}
	return out
})

func (all *indexes) findDead(x *index) {
	for i := range x.entries {
		e := &x.entries[i]
		if slices.ContainsFunc(e.links, func(s site) bool { return !s.missing() || s.image() }) || !x.wouldList(e.links[0].Link) {
			continue
		}
		for _, s := range e.links {
			all.dead[s.Link] = e
		}
	}
}

// wouldList reports whether what a link names would are in a folder that the
// index lists, if it were there.
func (x *index) wouldList(l *schema.Link) bool {
	if schema.ReservedName(l.Target) {
		return false
	}
	dir := path.Dir(l.Target)
	if l.Syntax == schema.SyntaxWikilink && dir == "." {
		return true
	}
	return slices.ContainsFunc(x.keeps, func(k keptFolder) bool {
		return k.dir == path.Join(path.Dir(x.page.Path), dir) || l.Syntax == schema.SyntaxWikilink && k.dir == dir
	})
}

// keeper returns the index that lists the pages right in a folder: one in it,
// else the nearest above it that evidently does, or nil.
func keeper(w *compiler.Wiki, l *layout, read map[*schema.Page]*index, dir string) (*index, keptFolder) {
	var pages []*schema.Page
	for _, page := range l.pages[dir] {
		if listed(w, page) {
			pages = append(pages, page)
		}
	}
	if len(pages) == 0 {
		return nil, keptFolder{}
	}
	d := w.Workspace().Dialect
	for at := dir; ; at = path.Dir(at) {
		for _, name := range indexNames {
			page := l.named(at, name)
			if page == nil {
				continue
			}
			x := read[page]
			if x == nil {
				x = newIndex(w, page)
				read[page] = x
			}
			f, known := d.Folder(dir)
			said := at == dir && known && f.Indexed && name == d.Index
			if kept, ok := x.keeping(w, dir, pages, said); ok {
				return x, kept
			}
		}
		if at == "." {
			return nil, keptFolder{}
		}
	}
}

// keeping says which of a folder's pages an index lists; ok is false when it
// does not evidently list the folder: it has no entry of half of its pages.
func (x *index) keeping(w *compiler.Wiki, dir string, pages []*schema.Page, said bool) (k keptFolder, ok bool) {
	k = keptFolder{dir: dir, pages: len(pages), said: said}
	n := 0
	for _, page := range pages {
		if x.of[page.ID] {
			n++
		}
		if !x.links[page] {
			k.missing = append(k.missing, page)
		}
	}
	if !said && (2*n < len(pages) || n < 2) {
		return k, false
	}
	k.entries = x.below[dir]
	return k, true
}

// newIndex reads the entries of a page.
func newIndex(w *compiler.Wiki, page *schema.Page) *index {
	x := &index{page: page, links: map[*schema.Page]bool{}, of: map[schema.PageID]bool{}, below: map[string][]int{}}
	rows := rowsOf(page)
	last := -1 // the line of the entry that was read last
	for l, res := range w.Links(page) {
		if to := w.Page(res.Page); res.Kind == schema.TargetPage && to != nil {
			x.links[to] = true
		}
		if l.Field != "" || l.Embed {
			continue
		}
		n := page.Lines.Position(l.Span.Start).Line
		s := site{page, l.As(res), res}
		if n == last {
			e := &x.entries[len(x.entries)-1]
			e.links = append(e.links, s)
			continue
		}
		line := page.Lines.Line(n)
		row, isRow := rows[line.Start]
		if isRow || begins(page.Source[line.Start:l.Span.Start]) {
			x.entries = append(x.entries, indexEntry{line: line, links: []site{s}, cells: row.cells, head: row.head})
			last = n
			if to := x.entries[len(x.entries)-1].page(w); to != nil {
				x.of[to.ID] = true
				x.below[path.Dir(to.Path)] = append(x.below[path.Dir(to.Path)], len(x.entries)-1)
			}
		}
	}
	return x
}

// row is a row of a table and the table's head.
type row struct{ cells, head []schema.Cell }

// rowsOf returns the rows of a page's tables by where their lines begin.
func rowsOf(page *schema.Page) map[int]row {
	rows := map[int]row{}
	for _, t := range page.Tables {
		for _, cells := range t.Rows {
			if len(cells) > 0 {
				line := page.Lines.Line(page.Lines.Position(cells[0].Span.Start).Line)
				rows[line.Start] = row{cells, t.Head}
			}
		}
	}
	return rows
}

// begins reports whether a link is the first thing in a list item: only a marker, a box
// and the signs of bold text are before it.
func begins(before []byte) bool {
	text := bytes.TrimLeft(before, " \t>")
	marker := 0
	for marker < len(text) && '0' <= text[marker] && text[marker] <= '9' {
		marker++
	}
	if marker >= len(text) || marker == 0 && !bytes.ContainsRune([]byte("-*+"), rune(text[0])) || marker > 0 && text[marker] != '.' && text[marker] != ')' {
		return false
	}
	text = text[marker+1:]
	if len(text) == 0 || text[0] != ' ' && text[0] != '\t' {
		return false
	}
	text = bytes.TrimLeft(text, " \t")
	if len(text) >= 3 && text[0] == '[' && text[2] == ']' {
		text = text[3:]
	}
	return len(bytes.Trim(text, " \t*_")) == 0
}
