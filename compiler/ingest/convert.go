package ingest

import (
	"fmt"
	"github.com/loopwiki/wiki/schema"
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// converter converts elements to markdown.
type converter struct {
	out    *Readable
	base   *url.URL // nil if nobody knows where the page is from
	rename func(string) string
	depth  int // of the lists and quotes around what is converted
}

// maxNesting is the deepest nesting of lists and quotes in converted text. Each level is
// repeated before every line, so deep nesting could multiply the size of a page by a
// hundred.
const maxNesting = 10

// nested are the blocks of an element that is a list or a quote.
func (c *converter) nested(n *html.Node, first, rest string) []string {
	if c.depth >= maxNesting {
		return c.blocks(n)
	}
	c.depth++
	defer func() { c.depth-- }()
	return prefixed(c.blocks(n), first, rest)
}

// inlines are elements within a line.
var inlines = map[atom.Atom]bool{
	atom.A: true, atom.Abbr: true, atom.B: true, atom.Bdi: true, atom.Bdo: true, atom.Br: true, atom.Cite: true, atom.Code: true, atom.Data: true, atom.Del: true,
	atom.Dfn: true, atom.Em: true, atom.Font: true, atom.I: true, atom.Img: true, atom.Ins: true, atom.Kbd: true, atom.Label: true, atom.Mark: true, atom.Picture: true,
	atom.Q: true, atom.S: true, atom.Samp: true, atom.Small: true, atom.Source: true, atom.Span: true, atom.Strong: true, atom.Sub: true, atom.Sup: true,
	atom.Time: true, atom.Tt: true, atom.U: true, atom.Var: true, atom.Wbr: true,
}

// inline reports whether a node belongs in a line; a link with a heading or paragraph
// does not.
func inline(n *html.Node) bool {
	if n.Type == html.TextNode {
		return true
	}
	if !inlines[n.DataAtom] {
		return false
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && !inline(c) {
			return false
		}
	}
	return true
}

// blocks are the blocks of markdown that the children of an element make.
func (c *converter) blocks(n *html.Node) []string {
	if n == nil {
		return nil
	}
	var out []string
	var run strings.Builder
	flush := func() {
		if p := paragraph(run.String()); p != "" {
			out = append(out, p)
		}
		run.Reset()
	}
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		switch {
		case hidden(child):
		case inline(child):
			run.WriteString(c.inline(child))
		default:
			flush()
			out = append(out, c.block(child)...)
		}
	}
	flush()
	return out
}

// block converts a block element.
func (c *converter) block(n *html.Node) []string {
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		if text := oneLine(strings.ReplaceAll(c.inlines(n), lineBreak, " ")); text != "" {
			return []string{strings.Repeat("#", int(n.Data[1]-'0')) + " " + text}
		}
		return nil
	case atom.Ul, atom.Ol:
		return c.list(n)
	case atom.Pre:
		return preformatted(n)
	case atom.Blockquote:
		return c.nested(n, "> ", "> ")
	case atom.Table:
		return c.table(n)
	case atom.Hr:
		return []string{"***"} // and never what begins a front matter
	case atom.Dt:
		if text := paragraph(c.inlines(n)); text != "" {
			return []string{"**" + text + "**"}
		}
		return nil
	}
	return c.blocks(n)
}

// inlines is the text of an element's children as one line.
func (c *converter) inlines(n *html.Node) string {
	var b strings.Builder
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		if hidden(child) {
			continue
		}
		b.WriteString(c.inline(child))
		if child.Type == html.ElementNode && !inlines[child.DataAtom] {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// inline converts an inline element.
func (c *converter) inline(n *html.Node) string {
	if n.Type == html.TextNode {
		return escape(n.Data)
	}
	switch n.DataAtom {
	case atom.Br:
		return lineBreak
	case atom.Img:
		return c.image(n)
	case atom.Code, atom.Kbd, atom.Samp, atom.Tt:
		return code(oneLine(textOf(n)))
	case atom.Em, atom.I:
		return around("*", c.inlines(n))
	case atom.Strong, atom.B:
		return around("**", c.inlines(n))
	case atom.A:
		text := c.inlines(n)
		if oneLine(text) == "" {
			return text
		}
		return link(strings.ReplaceAll(text, lineBreak, " "), c.address(attribute(n, "href")))
	}
	return c.inlines(n)
}

// around puts marks around a text, inside of the white space at its ends.
func around(mark, text string) string {
	inner := strings.TrimSpace(text)
	if inner == "" || strings.Contains(inner, lineBreak) {
		return text
	}
	at := strings.Index(text, inner)
	return text[:at] + mark + inner + mark + text[at+len(inner):]
}

func code(text string) string {
	if text == "" {
		return ""
	}
	mark := fence(text, 1)
	if len(mark) > 1 {
		return mark + " " + text + " " + mark
	}
	return mark + text + mark
}

// address returns the target of a link, "" if a reader of the wiki can't follow it.
func (c *converter) address(href string) string {
	u, err := url.Parse(href)
	if err != nil || href == "" || strings.HasPrefix(href, "#") {
		return ""
	}
	if c.base != nil && c.base.Host != "" {
		u = c.base.ResolveReference(u)
	}
	if u.Scheme == "mailto" && len(href) < 200 || webAddress(u.String()) {
		return u.String()
	}
	return ""
}

// image shows an image that is next to the page, and names one that does not: a
// page of the wiki fetches nothing.
func (c *converter) image(n *html.Node) string {
	src, alt := attribute(n, "src"), escape(oneLine(attribute(n, "alt")))
	if u, err := url.Parse(src); err == nil && src != "" && u.Scheme == "" && u.Host == "" && u.Path != "" {
		c.out.Images = append(c.out.Images, u.Path)
		if c.rename != nil {
			if to := c.rename(u.Path); to != "" {
				return "!" + link(alt, to)
			}
		}
	}
	if alt == "" {
		return ""
	}
	return link("image: "+alt, c.address(src))
}

// list converts a list to one block; its items may contain blocks.
func (c *converter) list(n *html.Node) []string {
	var items []string
	number := 1
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		if hidden(child) || child.Type != html.ElementNode {
			continue
		}
		mark := "- "
		if n.DataAtom == atom.Ol {
			mark = fmt.Sprintf("%d. ", number)
		}
		if item := c.nested(child, mark, strings.Repeat(" ", len(mark))); len(item) > 0 {
			items = append(items, strings.Join(item, "\n\n"))
			number++
		}
	}
	if len(items) == 0 {
		return nil
	}
	return []string{strings.Join(items, "\n")}
}

// prefixed makes one block of several, the lines behind a prefix.
func prefixed(blocks []string, first, rest string) []string {
	if len(blocks) == 0 {
		return nil
	}
	var b strings.Builder
	for i, line := range strings.Split(strings.Join(blocks, "\n\n"), "\n") {
		lead := rest
		if i == 0 {
			lead = first
		}
		b.WriteString(strings.TrimRight(lead+line, " ") + "\n")
	}
	return []string{strings.TrimSuffix(b.String(), "\n")}
}

var languageClass = schema.Expression(`(?:^|\s)(?:language|lang|highlight-source)-([A-Za-z0-9+#-]{1,20})(?:\s|$)`)

// preformatted is a block of code.
func preformatted(n *html.Node) []string {
	text := strings.ToValidUTF8(strings.ReplaceAll(strings.Trim(textOf(n), "\r\n"), "\x00", ""), "\ufffd")
	if strings.TrimSpace(text) == "" {
		return nil
	}
	language := ""
	for e := n; e != nil; e = e.FirstChild {
		if m := languageClass().FindStringSubmatch(attribute(e, "class")); m != nil {
			language = m[1]
		}
	}
	mark := fence(text, 3)
	return []string{mark + language + "\n" + text + "\n" + mark}
}

// table converts a table; its first row is the head. Layout tables have one column, and
// are replaced by their content.
func (c *converter) table(n *html.Node) []string {
	var rows [][]*html.Node
	columns := 0
	var visit func(n *html.Node)
	visit = func(n *html.Node) {
		for child := n.FirstChild; child != nil; child = child.NextSibling {
			switch {
			case hidden(child):
			case child.DataAtom == atom.Tr:
				var row []*html.Node
				for cell := child.FirstChild; cell != nil; cell = cell.NextSibling {
					if cell.DataAtom == atom.Td || cell.DataAtom == atom.Th {
						row = append(row, cell)
					}
				}
				rows, columns = append(rows, row), max(columns, len(row))
			case child.DataAtom == atom.Thead, child.DataAtom == atom.Tbody, child.DataAtom == atom.Tfoot:
				visit(child)
			}
		}
	}
	visit(n)
	if columns < 2 || columns > 100 || len(rows) < 2 {
		var out []string
		for _, row := range rows {
			for _, cell := range row {
				out = append(out, c.blocks(cell)...)
			}
		}
		return out
	}
	var b strings.Builder
	for i, row := range rows {
		b.WriteByte('|')
		for col := range columns {
			text := ""
			if col < len(row) {
				text = oneLine(strings.ReplaceAll(c.inlines(row[col]), lineBreak, " "))
			}
			b.WriteString(" " + text + " |")
		}
		b.WriteByte('\n')
		if i == 0 {
			b.WriteString("|" + strings.Repeat("---|", columns) + "\n")
		}
	}
	return []string{strings.TrimSuffix(b.String(), "\n")}
}
