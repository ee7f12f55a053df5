package scaffold

import (
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/resolve"
	"github.com/loopwiki/wiki/schema"
)

// entry is an entry of an index: a list item or a table row with a link to a page.
type entry struct {
	link  *schema.Link
	to    *schema.Page
	line  schema.Span // its ending included
	block int         // entries of one list or table share it
}

// indexEntry returns the edit that adds a page to the index of its neighbours: to the
// list or table with most of them, in alphabetical order if it is sorted, or else at the
// end. ok is false if no index page up to the root lists pages.
func indexEntry(w *compiler.Wiki, file string) (schema.Edit, bool) {
	page := pageAt(w, file)
	if page == nil || slices.ContainsFunc(w.Backlinks(page.ID), func(b schema.Backlink) bool { return w.Page(b.From).Reserved() }) {
		return schema.Edit{}, false
	}
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		for _, index := range w.Indexes(dir) {
			if list := neighbours(entries(w, index), page); len(list) > 0 {
				return insertion(w, index, page, list)
			}
		}
		if dir == "." {
			return schema.Edit{}, false
		}
	}
}

// entries returns the lines of a page that begin with a link to another page.
func entries(w *compiler.Wiki, index *schema.Page) []entry {
	var out []entry
	block, lastEnd := 0, -1
	for l, res := range w.Links(index) {
		l = l.As(res)
		to := w.Page(res.Page)
		if l.Field != "" || l.Embed || res.Kind != schema.TargetPage || to == nil || to == index || l.Dest.Len() == 0 ||
			l.Syntax != schema.SyntaxWikilink && l.Syntax != schema.SyntaxInline {
			continue
		}
		line := wholeLine(index, l.Span.Start)
		lead := strings.TrimSpace(string(index.Source[line.Start:l.Span.Start]))
		if lead != "-" && lead != "*" && lead != "+" && lead != "|" {
			continue
		}
		if lastEnd != line.Start && !continues(index, lastEnd, line.Start) {
			block++
		}
		lastEnd = line.End
		out = append(out, entry{l, to, line, block})
	}
	return out
}

// continues reports whether only lines of the same list are between two of its items.
func continues(p *schema.Page, from, to int) bool {
	if from < 0 || from > to {
		return false
	}
	for line := range strings.Lines(string(p.Source[from:to])) {
		if strings.TrimSpace(line) != "" && line[0] != ' ' && line[0] != '\t' && !strings.HasPrefix(line, "- ") && !strings.HasPrefix(line, "* ") {
			return false
		}
	}
	return true
}

func wholeLine(p *schema.Page, offset int) schema.Span {
	number := p.Lines.Position(offset).Line
	line := p.Lines.Line(number)
	if number < p.Lines.Lines() {
		line.End = p.Lines.Line(number + 1).Start
	}
	return line
}

// neighbours returns the entries of the list with most pages of page's folder, or else of
// its type; nil if there is none.
func neighbours(all []entry, page *schema.Page) []entry {
	for _, near := range []func(*schema.Page) bool{
		func(p *schema.Page) bool { return path.Dir(p.Path) == path.Dir(page.Path) },
		func(p *schema.Page) bool {
			return page.Meta.Type != "" && strings.EqualFold(p.Meta.Type, page.Meta.Type)
		},
	} {
		counts := map[int]int{}
		best := 0
		for _, e := range all {
			if near(e.to) && !e.to.Reserved() {
				counts[e.block]++
			}
		}
		for _, e := range all {
			if counts[e.block] > counts[best] {
				best = e.block
			}
		}
		if best > 0 {
			return slices.DeleteFunc(slices.Clone(all), func(e entry) bool { return e.block != best })
		}
	}
	return nil
}

// insertion puts the entry of page into a list.
func insertion(w *compiler.Wiki, index, page *schema.Page, list []entry) (schema.Edit, bool) {
	name := func(e entry) string { return resolve.Fold(e.shown()) }
	last := list[len(list)-1]
	text, shown := entryLike(w, index, page, last)
	if text == "" {
		return schema.Edit{}, false
	}
	at := itemEnd(index, last)
	if slices.IsSortedFunc(list, func(a, b entry) int { return strings.Compare(name(a), name(b)) }) {
		if i := slices.IndexFunc(list, func(e entry) bool { return name(e) > resolve.Fold(shown) }); i >= 0 {
			at = list[i].line.Start
		}
	}
	nl := "\n"
	if strings.HasSuffix(string(last.line.In(index.Source)), "\r\n") {
		nl = "\r\n"
	}
	if at > 0 && index.Source[at-1] != '\n' {
		text = nl + text // the list ends the page, without a line ending
	} else {
		text += nl
	}
	return schema.Edit{Path: index.Path, Span: schema.Span{Start: at, End: at}, Text: text}, true
}

// shown returns the visible text of an entry's link.
func (e entry) shown() string {
	if e.link.Label != "" {
		return e.link.Label
	}
	return e.link.Target
}

// itemEnd returns where an item ends, with the lines that are indented below it.
func itemEnd(p *schema.Page, e entry) int {
	end := e.line.End
	for end < len(p.Source) && (p.Source[end] == ' ' || p.Source[end] == '\t') {
		next := wholeLine(p, end)
		if strings.TrimSpace(string(next.In(p.Source))) == "" {
			break
		}
		end = next.End
	}
	return end
}

// entryLike returns the line for page in the form of another entry, and what a
// reader sees of its link.
func entryLike(w *compiler.Wiki, index, page *schema.Page, like entry) (text, shown string) {
	lead := string(index.Source[like.line.Start:like.link.Span.Start])
	table := strings.TrimSpace(lead) == "|"
	link, shown := linkLike(w, index, page, like.link, table)
	if link == "" {
		return "", ""
	}
	rest := strings.TrimRight(string(index.Source[like.link.Span.End:like.line.End]), "\r\n")
	if !table {
		return lead + link + described(rest, page), shown
	}
	row := lead + link + " |"
	for i, head := range headsOf(index, like.line) {
		if i > 0 {
			row += " " + cell(head, page) + " |"
		}
	}
	return strings.ReplaceAll(row, "|  |", "| |"), shown
}

// described returns the text after the link of an entry: the summary, after the separator
// that another entry uses.
func described(rest string, page *schema.Page) string {
	for _, mark := range []string{": ", " — ", " – ", " - "} {
		if strings.HasPrefix(rest, mark) && summary(page) != "" {
			return mark + summary(page)
		}
	}
	return ""
}

// summary is that of a page, empty while it says no more than the title.
func summary(page *schema.Page) string {
	if page.Meta.Summary == page.Title {
		return ""
	}
	return page.Meta.Summary
}

// headsOf returns the heads of the columns of the table that a line is in.
func headsOf(index *schema.Page, line schema.Span) []string {
	for _, t := range index.Tables {
		if t.Span.Contains(line.Start) {
			var out []string
			for _, c := range t.Head {
				out = append(out, c.Text)
			}
			return out
		}
	}
	return nil
}

// cell returns the content for a page in a column.
func cell(head string, page *schema.Page) string {
	text := ""
	switch schema.FieldOf(strings.ToLower(head)) {
	case schema.FieldSummary:
		text = summary(page)
	case schema.FieldTypeName:
		text = page.Meta.Type
	case schema.FieldStatus:
		text = page.Meta.Status.Word
	case schema.FieldCreated, schema.FieldUpdated:
		text = page.Meta.Created.String()
	}
	return strings.ReplaceAll(text, "|", `\|`)
}

// linkLike returns a link to page in the syntax of another, and what a reader
// sees of it. It is empty when none leads there.
func linkLike(w *compiler.Wiki, index, page *schema.Page, like *schema.Link, table bool) (text, shown string) {
	stem := strings.TrimSuffix(page.Path, path.Ext(page.Path))
	if like.Syntax == schema.SyntaxInline {
		target := relativeTo(index.Path, page.Path)
		title := strings.NewReplacer("[", `\[`, "]", `\]`).Replace(page.Title)
		if table {
			title = strings.ReplaceAll(title, "|", `\|`)
		}
		return "[" + title + "](" + strings.NewReplacer(" ", "%20", "(", "%28", ")", "%29").Replace(target) + ")", page.Title
	}
	names := []string{path.Base(stem), stem, "/" + stem}
	if strings.Contains(like.Target, "/") {
		names = names[1:]
	}
	for _, name := range names {
		res := w.Resolve(index, &schema.Link{Syntax: schema.SyntaxWikilink, Raw: name, Target: name})
		if res.Page != page.ID || len(res.Candidates) > 0 {
			continue
		}
		if like.Label == "" {
			return "[[" + name + "]]", name
		}
		pipe := "|"
		if table {
			pipe = `\|`
		}
		title := strings.NewReplacer("|", " ", "[", " ", "]", " ").Replace(page.Title)
		return "[[" + name + pipe + title + "]]", title
	}
	return "", ""
}

// relativeTo returns the path of a file relative to the folder of a page at or above it.
func relativeTo(page, file string) string {
	if dir := path.Dir(page); dir != "." {
		return strings.TrimPrefix(file, dir+"/")
	}
	return file
}
