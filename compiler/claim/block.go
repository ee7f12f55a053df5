package claim

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"github.com/loopwiki/wiki/schema"
)

// block is a run of text: a paragraph, an item of a list, or what defines a term.
type block struct {
	span schema.Span
	item bool
	// intro is the line that ends with a colon before a list, the same for all
	// items of it; empty for other blocks.
	intro schema.Span
	term  schema.Span // that a definition list defines here
}

// blocks returns the running text of a page's body in one pass over its lines.
// Code, tables, headings, comments, formulas, quotations and raw HTML are left out.
// They are appended to out.
func blocks(page *schema.Page, out []block) []block {
	b := &blockReader{page: page, hidden: unread(page), out: out, callouts: page.Callouts}
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
	return slices.DeleteFunc(b.out, func(k block) bool { return turnedDown(k.span.In(src)) })
}

// refusedLead are words by which what a paragraph begins with in bold says of what stands behind it that it is not so.
var refusedLead = wordSet(`rejected refused declined discarded dismissed dropped abandoned`)

// turnedDown reports whether a paragraph or an item begins in bold with what was decided against: **Option B (turned
// down).**
func turnedDown(text []byte) bool {
	rest, bold := bytes.CutPrefix(text, []byte("**"))
	if !bold {
		return false
	}
	end := bytes.Index(rest, []byte("**"))
	if end < 1 || end > longestLead {
		return false
	}
	lead := split(string(rest[:end]))
	if len(lead) == 1 && refusedLead[lead[0]] && rest[end-1] == '.' {
		return true // a section of its own, and no term
	}
	for i, w := range lead {
		next := ""
		if i+1 < len(lead) {
			next = lead[i+1]
		}
		if refusedLead[w] && i > 0 || wordIn(w, "turned", "voted") && next == "down" || w == "ruled" && next == "out" || w == "not" && wordIn(next, "chosen", "taken", "adopted", "accepted", "selected", "pursued") {
			return true
		}
	}
	return false
}

// longestLead bounds, in bytes, what a paragraph begins with in bold.
const longestLead = 80

// unread returns the spans of a page that hold no running text, in order.
func unread(page *schema.Page) []schema.Span {
	s := make([]schema.Span, 0, len(page.Fences)+len(page.Tables)+len(page.Headings)+len(page.Math)+len(page.Definitions)+len(page.Callouts)+len(page.Comments))
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
	for i := range page.Callouts {
		if !told(&page.Callouts[i]) {
			s = append(s, page.Callouts[i].Span)
		}
	}
	s = append(s, page.Comments...)
	slices.SortFunc(s, func(a, b schema.Span) int { return a.Start - b.Start })
	return s
}

// toldCallouts are the types of callouts that say how things are. Others quote somebody, show what could be, or, with a name
// of the wiki's own, may say anything: since which version something is there.
var toldCallouts = wordSet(`note info tip hint important warning caution attention danger abstract summary tldr`)

// told reports whether what stands in a callout is said as in a paragraph.
func told(c *schema.Callout) bool { return toldCallouts[c.Type] }

// inCallout reports whether a line is one of a callout that is read.
func (b *blockReader) inCallout(at int) bool {
	for len(b.callouts) > 0 && b.callouts[0].Span.End <= at {
		b.callouts = b.callouts[1:]
	}
	return len(b.callouts) > 0 && b.callouts[0].Span.Start <= at && told(&b.callouts[0])
}

// inNote reports whether a quoted line is one of a quotation that begins with the type of a callout, as notes were written
// before there were callouts: > **Note:** it is closed.
func (b *blockReader) inNote(line []byte) bool {
	b.note = b.note || !b.quoted && noteLead(bytes.TrimLeft(line, "> \t")) > 0
	return b.note
}

// noteLead returns how long the type of a callout is that a text begins with, written bold or before a colon: **Note**, Note:.
func noteLead(text []byte) int {
	rest := bytes.TrimLeft(text, "*_")
	marked := len(rest) < len(text)
	end := bytes.IndexFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) })
	if end <= 0 || !toldCallouts[strings.ToLower(string(rest[:end]))] {
		return 0
	}
	behind := bytes.TrimLeft(rest[end:], "*_:")
	if mark := rest[end : len(rest)-len(behind)]; len(mark) == 0 || !marked && mark[0] != ':' {
		return 0
	}
	return len(text) - len(bytes.TrimLeft(behind, " \t"))
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

// blockReader collects lines into blocks.
type blockReader struct {
	page   *schema.Page
	hidden []schema.Span
	open   block
	begun  bool
	intro  schema.Span // of the list being read

	callouts []schema.Callout // that are still to come
	quoted   bool             // the line before was one of a quotation
	note     bool             // in a quotation that begins as a note does
	last     block            // the paragraph that ended last
	out      []block
}

func (b *blockReader) line(l schema.Span) {
	text := bytes.TrimSpace(l.In(b.page.Source))
	start := l.Start + bytes.Index(l.In(b.page.Source), text)
	for len(b.hidden) > 0 && b.hidden[0].End <= start {
		b.hidden = b.hidden[1:]
	}
	quoted := len(text) > 0 && text[0] == '>'
	if quoted && (b.inCallout(start) || b.inNote(text)) {
		text = bytes.TrimSpace(bytes.TrimLeft(text, "> \t"))
		if bytes.HasPrefix(text, []byte("[!")) {
			text = nil // what follows is a paragraph of its own
		}
		if n := noteLead(text); n > 0 {
			text = text[n:]
		}
		start = l.Start + bytes.LastIndex(l.In(b.page.Source), text)
	} else {
		b.note = false
	}
	b.quoted = quoted
	switch {
	case len(text) == 0:
		b.flush()
		return
	case len(b.hidden) > 0 && b.hidden[0].Start <= start, text[0] == '>', text[0] == '<', text[0] == '|', inlineField(text):
		b.flush()
		b.intro = schema.Span{}
		return
	}
	if n := marker(text); n > 0 {
		b.list(start + n)
	} else if text[0] == ':' && len(text) > 2 && text[1] == ' ' {
		b.define(start + 2)
	} else if key, _ := keyEnd(text); !b.begun || key > 0 && !b.open.item {
		b.flush() // fields stand below each other
		b.open = block{span: schema.Span{Start: start}}
		b.intro = schema.Span{}
		b.begun = true
	}
	b.open.span.End = start + len(text)
}

// list begins an item. The items of a list share the line before them.
func (b *blockReader) list(start int) {
	first := b.begun && !b.open.item
	b.flush()
	if intro := b.last.span; first || intro.Len() > 0 && !b.last.item && len(bytes.TrimSpace(b.page.Source[intro.End:start])) <= 4 {
		b.intro = schema.Span{}
		if src := b.page.Source; intro.Len() > 0 && src[intro.End-1] == ':' {
			b.intro = intro
			if n := len(b.out); b.out[n-1].span == intro {
				b.out = b.out[:n-1]
			}
		}
	}
	b.open, b.begun = block{span: schema.Span{Start: start}, item: true, intro: b.intro}, true
}

// define begins the definition of the term that the line before names.
func (b *blockReader) define(start int) {
	term := b.open
	if b.begun && term.term.Len() == 0 && !term.item {
		b.begun = false
	} else {
		b.flush()
		term = block{span: b.last.term}
	}
	b.open, b.begun = block{span: schema.Span{Start: start}, term: term.span}, true
}

func (b *blockReader) flush() {
	if b.begun {
		b.out = append(b.out, b.open)
		b.last = b.open
		b.begun = false
	}
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
