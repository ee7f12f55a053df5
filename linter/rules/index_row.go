package rules

import (
	"strings"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// writeRow returns the row of a page in the form of another one.
func (a *adder) writeRow(like *indexEntry, page *schema.Page) (string, bool) {
	at := -1 // the column of the link
	link := like.links[0].Link
	for i, c := range like.cells {
		if c.Span.Start <= link.Span.Start && link.Span.End <= c.Span.End {
			at = i
		}
	}
	src := a.x.page.Source
	text := string(src[like.line.Start:like.line.End])
	if at < 0 || !strings.HasPrefix(strings.TrimSpace(text), "|") {
		return "", false
	}
	linkText, end, ok := a.links(like, page)
	cell := like.cells[at].Span
	before, after := string(src[cell.Start:link.Span.Start]), string(src[end:max(end, cell.End)])
	if !ok || strings.Trim(before+after, "*_ ") != "" || end > cell.End {
		return "", false
	}
	return a.row(like.head, at, before+linkText+after, page), true
}

// firstRow returns a page's row for an index with one empty table.
func (a *adder) firstRow(page *schema.Page) (at int, line string, ok bool) {
	tables := a.x.page.Tables
	if len(tables) != 1 || len(tables[0].Rows) > 0 {
		return 0, "", false
	}
	column := -1
	for i, c := range tables[0].Head {
		switch fold(c.Text) {
		case "page", "file", "article", "title", "document", "name", "output", "source", "dataset", "note":
			if column < 0 {
				column = i
			}
		}
	}
	src := a.x.page.Source
	if column < 0 || tables[0].Span.Len() == 0 || src[tables[0].Span.Start] != '|' || strings.ContainsAny(page.Title, "[]|\n") {
		return 0, "", false
	}
	to := schema.RelativePath(a.x.page.Path, page.Path)
	label := page.Title
	if fold(tables[0].Head[column].Text) == "file" {
		label = to
	}
	line = a.row(tables[0].Head, column, "["+label+"]("+schema.EscapeDestination(to, "")+")", page)
	return lineOf(a.x.page, max(tables[0].Span.Start, tables[0].Span.End-1)).End, line, true
}

// row writes a table row: the link in its column, and in the others the page's front
// matter for the column.
func (a *adder) row(head []schema.Cell, link int, text string, page *schema.Page) string {
	var b strings.Builder
	b.WriteString("|")
	for i := range max(len(head), link+1) {
		cell := text
		if i != link {
			cell = ""
			if i < len(head) {
				cell = columnValue(page, head[i].Text)
			}
		}
		if cell != "" {
			cell = " " + cell
		}
		b.WriteString(cell + " |")
	}
	return b.String() + newline(a.x.page)
}

// columnValue returns the value in a page's front matter for a column, or "".
func columnValue(page *schema.Page, column string) string {
	key := strings.ReplaceAll(fold(strings.TrimSpace(column)), " ", "_")
	var pair *schema.Pair
	switch field := schema.FieldOf(key); field {
	case "":
		pair = page.Front.Pair(key)
	case schema.FieldCreated: // "Date" is any of the dates that a page has
		pair = page.Front.Lookup(field)
		if pair == nil {
			pair = page.Front.Lookup(schema.FieldUpdated)
		}
	case schema.FieldSummary:
		return cellText(page.Meta.Summary)
	default:
		pair = page.Front.Lookup(field)
	}
	if pair == nil || pair.Value == nil {
		return ""
	}
	var parts []string
	for _, v := range pair.Value.Scalars() {
		parts = append(parts, v.Text)
	}
	return cellText(strings.Join(parts, ", "))
}

// cellText escapes text for a cell.
func cellText(s string) string {
	return strings.ReplaceAll(text.Collapse(s), "|", `\|`)
}
