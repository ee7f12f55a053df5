package markdown

import (
	"bytes"
	"strconv"

	"github.com/yuin/goldmark/ast"

	"github.com/loopwiki/wiki/schema"
)

func (r *renderer) ours(n *block) {
	switch n.form {
	case blockMath:
		r.displayMath(n, n.span.Start, mathText(r.src, n))
	case blockTable:
		r.table(n)
	case blockCallout:
		r.element("p", "", n, r.inlines)
	}
}

func (r *renderer) displayMath(n ast.Node, at int, tex []byte) {
	r.str("<div")
	r.id(n)
	r.formula(at, bytes.TrimSpace(tex), true)
	r.str("</div>\n")
}

// formula ends the opening tag of a formula and writes what is in it.
func (r *renderer) formula(at int, tex []byte, display bool) {
	r.math = true
	class, html, problem := "math", "", ""
	if display {
		class += " display"
	}
	if r.opt.Math != nil && !r.drawing() {
		html, problem = r.opt.Math(at, string(tex), display)
	}
	if problem != "" {
		class += " failed"
	}
	r.attr("class", class)
	if problem != "" {
		r.attr("title", problem)
	}
	r.str(">")
	if html != "" {
		r.str(html)
	} else {
		r.text(tex)
	}
}

// mathText is the formula of a block without the quote marks before its lines.
func mathText(src []byte, n *block) []byte {
	var out []byte
	for i := range n.Lines().Len() {
		seg := n.Lines().At(i)
		out = append(out, seg.Value(src)...)
	}
	return out
}

func (r *renderer) table(n *block) {
	label := "Table"
	if head := n.FirstChild(); head != nil {
		if cell := head.FirstChild(); cell != nil {
			if text := bytes.TrimSpace(plainText(nil, r.src, cell)); len(text) > 0 {
				label += ": " + string(text)
			}
		}
	}
	r.str(`<div class="table" tabindex="0" role="region"`)
	r.attr("aria-label", label)
	r.id(n)
	r.str("><table>\n")
	r.inCell++
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		r.row(n, row.(*block))
	}
	r.inCell--
	if n.ChildCount() > 1 {
		r.str("</tbody>")
	}
	r.str("</table></div>\n")
}

func (r *renderer) row(table, row *block) {
	name := "td"
	if row.head {
		name = "th"
		r.str("<thead>")
	}
	r.str("<tr>")
	cell := row.FirstChild()
	for _, align := range table.align {
		r.str("<" + name)
		switch align {
		case 'l':
			r.str(` class="left"`)
		case 'c':
			r.str(` class="center"`)
		case 'r':
			r.str(` class="right"`)
		}
		if row.head {
			r.str(` scope="col"`)
		}
		r.str(">")
		if cell != nil {
			r.within(cell, r.inlines)
			cell = cell.NextSibling()
		}
		r.str("</" + name + ">")
	}
	r.str("</tr>\n")
	if row.head {
		r.str("</thead>")
		if row.NextSibling() != nil {
			r.str("<tbody>\n")
		}
	}
}

// codeLines is the content of a code block, line ends as line feeds.
func codeLines(src []byte, n ast.Node) []byte { return appendCode(nil, src, n) }

func appendCode(dst, src []byte, n ast.Node) []byte {
	for i := range n.Lines().Len() {
		seg := n.Lines().At(i)
		line := seg.Value(src)
		if bytes.HasSuffix(line, []byte("\r\n")) {
			dst = append(append(dst, line[:len(line)-2]...), '\n')
			continue
		}
		dst = append(dst, line...)
	}
	return dst
}

func (r *renderer) html(n *ast.HTMLBlock) {
	htmlParts(r.src, n, func(part htmlPart) {
		switch part.what {
		case formText:
			r.htmlText(part.span)
		case formHTML:
			r.tag(part.span.Start, part.span.In(r.src))
		}
	})
	r.str("\n")
}

// footnotes writes the notes referred to, each with links back. A note may
// refer to others.
func (r *renderer) footnotes() {
	if len(r.order) == 0 {
		return
	}
	r.str(`<section class="footnotes" role="doc-endnotes"><ol>` + "\n")
	for i := 0; i < len(r.order); i++ {
		key := r.order[i]
		number := strconv.Itoa(i + 1)
		r.str("<li")
		r.attr("id", r.opt.IDPrefix+"fn:"+number)
		r.str(">")
		if n := r.inplace[key]; n != nil {
			r.within(n, r.inlines)
		} else {
			r.within(r.defined[key], r.children)
		}
		for use := 1; use <= r.uses[key]; use++ {
			r.str(` <a class="backref" role="doc-backlink"`)
			r.attr("href", "#"+r.opt.IDPrefix+noteRefID(number, use))
			r.attr("aria-label", "Back to reference "+number)
			r.str(">↩\uFE0E</a>")
		}
		r.str("</li>\n")
	}
	r.str("</ol></section>\n")
}

func noteRefID(number string, use int) string {
	if use > 1 {
		return "fnref:" + number + ":" + strconv.Itoa(use)
	}
	return "fnref:" + number
}

// reference writes the number that refers to a footnote.
func (r *renderer) reference(key string, note *inline) {
	if r.numbers == nil {
		r.numbers, r.uses, r.inplace = map[string]int{}, map[string]int{}, map[string]*inline{}
	}
	if r.numbers[key] == 0 {
		r.order = append(r.order, key)
		r.numbers[key] = len(r.order)
		r.inplace[key] = note
	}
	r.uses[key]++
	number := strconv.Itoa(r.numbers[key])
	r.str("<sup")
	r.attr("id", r.opt.IDPrefix+noteRefID(number, r.uses[key]))
	r.str(`><a class="footnote" role="doc-noteref"`)
	r.attr("href", "#"+r.opt.IDPrefix+"fn:"+number)
	r.str(">" + number + "</a></sup>")
}

func renderPlain(p *schema.Page, opt Options) *Output {
	p = withoutComments(p)
	r := &renderer{p: p, opt: opt}
	para, heading := false, 0
	var text []Section
	current := Section{}
	var words []byte
	flush := func() {
		current.Text = string(bytes.TrimSpace(bytes.ToValidUTF8(words, []byte("\uFFFD"))))
		if current.Text != "" || current.ID != "" {
			text = append(text, current)
		}
		words = nil
	}
	eachPlainLine(p, func(line schema.Span, level int) {
		if para && (line.Len() == 0 || level > 0) {
			r.str("</p>\n")
			para = false
		}
		switch b := line.In(p.Source); {
		case level > 0:
			h := p.Headings[heading]
			heading++
			flush()
			current = Section{Heading: h.Text, ID: h.ID}
			name := "h" + strconv.Itoa(level)
			r.str("<" + name)
			r.attr("id", opt.IDPrefix+h.ID)
			r.str(">")
			r.textOf(h.Text)
			r.str("</" + name + ">\n")
		case line.Len() > 0:
			if !para {
				r.str("<p>")
				para = true
			} else {
				r.str("<br>\n")
			}
			r.text(b)
			words = append(append(words, b...), '\n')
		}
	})
	if para {
		r.str("</p>\n")
	}
	flush()
	return &Output{HTML: r.out, Text: text}
}
