package claim

import (
	"bytes"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// block is a run of text: a paragraph, a line that begins with a key in bold, an item of a list, or what
// defines a term.
type block struct {
	span schema.Span
	item bool
	term schema.Span // that a definition list defines here
}

// blocks returns the running text of a page's body in one pass over its lines.
// Code, tables, headings, comments, formulas, quotations and raw HTML are left out.
func blocks(page *schema.Page) []block {
	b := &blockReader{page: page, hidden: nonProse(page)}
	src := page.Source
	for at := page.Body; at < len(src); {
		end := len(src)
		if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		b.line(schema.Span{Start: at, End: end})
		at = end
	}
	b.flush()
	return b.out
}

// nonProse returns the spans of a page that hold no running text, in order.
func nonProse(page *schema.Page) []schema.Span {
	var s []schema.Span
	for i := range page.Fences {
		s = append(s, page.Fences[i].Span)
	}
	for i := range page.Tables {
		s = append(s, page.Tables[i].Span)
	}
	for i := range page.Headings {
		s = append(s, page.Headings[i].Span)
	}
	for i := range page.Math {
		if page.Math[i].Display {
			s = append(s, page.Math[i].Span)
		}
	}
	for i := range page.Definitions {
		s = append(s, page.Definitions[i].Span)
	}
	s = append(s, page.Comments...)
	slices.SortFunc(s, func(a, b schema.Span) int { return a.Start - b.Start })
	return s
}

// blockReader collects lines into blocks.
type blockReader struct {
	page   *schema.Page
	hidden []schema.Span
	open   block
	begun  bool
	out    []block
}

func (b *blockReader) line(l schema.Span) {
	text := bytes.TrimSpace(l.In(b.page.Source))
	start := l.Start + bytes.Index(l.In(b.page.Source), text)
	for len(b.hidden) > 0 && b.hidden[0].End <= start {
		b.hidden = b.hidden[1:]
	}
	if len(text) == 0 || len(b.hidden) > 0 && b.hidden[0].Start <= start || strings.IndexByte("><|", text[0]) >= 0 || inlineField(text) {
		b.flush()
		return
	}
	switch n := marker(text); {
	case n > 0:
		b.flush()
		b.open, b.begun = block{span: schema.Span{Start: start + n}, item: true}, true
	case text[0] == ':' && len(text) > 2 && text[1] == ' ':
		b.define(start + 2)
	case !b.begun || keyed(text) && !b.open.item:
		b.flush() // fields are below each other
		b.open, b.begun = block{span: schema.Span{Start: start}}, true
	}
	b.open.span.End = start + len(text)
}

// define begins the definition of the term that the line before names.
func (b *blockReader) define(start int) {
	term := b.open.span
	if !b.begun || b.open.item || b.open.term.Len() > 0 {
		b.flush()
		term = schema.Span{}
	}
	b.open, b.begun = block{span: schema.Span{Start: start}, term: term}, true
}

func (b *blockReader) flush() {
	if b.begun {
		b.out = append(b.out, b.open)
		b.begun = false
	}
}

// inlineField reports whether a line holds a field of Dataview, as key:: value, which is read where fields are.
func inlineField(text []byte) bool {
	code := false
	for i := 0; i+1 < len(text); i++ {
		switch {
		case text[i] == '`':
			code = !code
		case !code && text[i] == ':' && text[i+1] == ':':
			return true
		}
	}
	return false
}

// longestKey bounds, in bytes, the key of an item or of a line.
const longestKey = 60

// keyed reports whether a line begins with a key in bold.
func keyed(line []byte) bool {
	key, _ := keyOf(line)
	return key.Start > 0
}

// keyOf returns where the key of a text and its value stand: **Port:** 80, **Port**: 80, Port: 80. key is
// empty when there is none.
func keyOf(text []byte) (key, value schema.Span) {
	if len(text) > 4 && text[0] == text[1] && (text[0] == '*' || text[0] == '_') {
		end := bytes.Index(text[2:min(len(text), longestKey+4)], text[:2])
		if end < 1 {
			return key, value
		}
		key = schema.Span{Start: 2, End: 2 + end}
		value = schema.Span{Start: 4 + end, End: len(text)}
		rest := bytes.TrimLeft(value.In(text), " ")
		for _, mark := range []string{":", "：", "—", "–"} {
			if bytes.HasPrefix(rest, []byte(mark)) {
				value.Start = len(text) - len(rest) + len(mark)
				return key, value
			}
		}
		if in := key.In(text); bytes.HasSuffix(in, []byte(":")) || bytes.HasSuffix(in, []byte("：")) {
			return key, value
		}
		return schema.Span{}, schema.Span{}
	}
	line := text[:min(len(text), longestKey)]
	for _, mark := range []string{": ", "："} {
		if i := bytes.Index(line, []byte(mark)); i > 0 && !bytes.ContainsAny(line[:i], ".;!?\n[") {
			return schema.Span{Start: 0, End: i}, schema.Span{Start: i + len(mark), End: len(text)}
		}
	}
	return key, value
}

// marker returns how long the marker of a list item is that a line begins with,
// with a checkbox; 0 when there is none.
func marker(text []byte) int {
	n := 0
	switch {
	case len(text) > 1 && strings.IndexByte("-*+", text[0]) >= 0:
		n = 1
	default:
		for n < len(text) && n < 9 && text[n] >= '0' && text[n] <= '9' {
			n++
		}
		if n == 0 || n >= len(text) || text[n] != '.' && text[n] != ')' {
			return 0
		}
		n++
	}
	if n >= len(text) || text[n] != ' ' && text[n] != '\t' {
		return 0
	}
	for n < len(text) && (text[n] == ' ' || text[n] == '\t') {
		n++
	}
	if len(text) > n+3 && text[n] == '[' && text[n+2] == ']' && text[n+3] == ' ' {
		n += 4
	}
	return n
}
