package yaml

import (
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// recover reads the valid parts of an invalid block from line first, and reports every
// invalid key. failed is the fault of the whole block.
func (d *doc) recover(first int, failed *failure) *schema.Node {
	indent := d.lines[first].indent
	for i := first; i < len(d.lines); i++ { // a block without any key at its first line's depth
		if d.keyLine(d.lines[i]) {
			indent = d.lines[i].indent
			break
		}
	}
	before := len(d.faults)
	n := d.recoverMap(first, len(d.lines), indent, 0)
	if len(d.faults) == before {
		d.report(first, len(d.lines), failed)
	}
	return n
}

// recoverMap reads the map of the lines [from, to) key by key.
func (d *doc) recoverMap(from, to, indent, depth int) *schema.Node {
	chunks, _ := d.chunks(from, to, indent)
	var pairs []schema.Pair
	if len(chunks) == 0 {
		return nil
	}
	if chunks[0].from > from {
		if i := d.nextContent(from, chunks[0].from); i < chunks[0].from {
			d.report(i, chunks[0].from, &failure{line: i, at: d.lines[i].start + d.lines[i].indent, message: "expected `key: value`"})
		}
	}
	for _, c := range chunks {
		got, failed := d.readChunk(c, indent)
		if failed != nil {
			got = []schema.Pair{d.recoverPair(c, indent, depth, failed)}
		}
		pairs = append(pairs, got...)
	}
	return mapOf(pairs)
}

// recoverPair reads one key whose value is not valid.
func (d *doc) recoverPair(c chunk, indent, depth int, failed *failure) schema.Pair {
	ln := d.lines[c.from]
	at := ln.start + indent
	keyEnd, after, _ := d.looseKey(at, ln.end)
	p := schema.Pair{Key: unquote(string(d.src[at:keyEnd])), KeySpan: d.span(at, keyEnd)}
	v := skipBlank(d.src, after, ln.end)
	below := d.nextContent(c.from+1, c.to)
	switch {
	case v < ln.end && d.src[v] != '#':
		d.report(c.from, c.to, failed)
		p.Value = d.asText(v, ln.end)
		if below < c.to { // the line may be whole, and what follows it not
			if n, ok := d.firstLine(c.from, indent); ok {
				p.Value = n
			}
		}
	case below == c.to:
		d.report(c.from, c.to, failed)
		p.Value = &schema.Node{Span: d.span(after, after)}
	case d.keyLine(d.lines[below]) && d.lines[below].indent > indent && depth < 4:
		before := len(d.faults)
		p.Value = d.recoverMap(below, c.to, d.lines[below].indent, depth+1)
		if len(d.faults) == before {
			d.report(c.from, c.to, failed)
		}
	default:
		d.report(c.from, c.to, failed)
		p.Value = d.recoverList(below, c.to)
	}
	return p
}

// firstLine reads a key whose value is on its own line, lines below it left out.
func (d *doc) firstLine(i, indent int) (*schema.Node, bool) {
	if p, ok := d.fastPair(chunk{i, i + 1}, indent); ok {
		return p.Value, true
	}
	return nil, false
}

// recoverList reads the items of a list line by line.
func (d *doc) recoverList(from, to int) *schema.Node {
	n := &schema.Node{Kind: schema.KindList, Span: d.span(d.lines[from].start+d.lines[from].indent, d.lines[from].end)}
	for i := from; i < to; i++ {
		ln := d.lines[i]
		if !d.dash(ln) {
			continue
		}
		v := skipBlank(d.src, ln.start+ln.indent+1, ln.end)
		if v == ln.end {
			continue
		}
		f := &fastReader{doc: d, to: i + 1}
		item, ok := f.inline(v, ln.end)
		if !ok {
			item = d.asText(v, ln.end)
		}
		n.Items = append(n.Items, item)
		n.Span.End = max(n.Span.End, item.Span.End)
	}
	if len(n.Items) > 0 {
		return n
	}
	ln := d.lines[from]
	return d.asText(skipBlank(d.src, ln.start, ln.end), ln.end)
}

// asText reads the rest of a line as text.
func (d *doc) asText(at, end int) *schema.Node {
	for end > at && isBlank(d.src[end-1]) {
		end--
	}
	return &schema.Node{Kind: schema.KindString, Span: d.span(at, end),
		Text: strings.ToValidUTF8(string(d.src[at:end]), "\uFFFD")}
}

func unquote(key string) string {
	if len(key) > 1 && (key[0] == '"' || key[0] == '\'') && key[len(key)-1] == key[0] {
		return key[1 : len(key)-1]
	}
	return key
}

// report makes a fault of a failure in the lines [from, to), worded by its
// cause when that is one of the usual ones.
func (d *doc) report(from, to int, f *failure) {
	if !f.sure {
		if f.line >= from && f.line < to && d.cause(f.line, true) {
			return
		}
		for i := from; i < to; i++ {
			if i != f.line && d.cause(i, false) {
				return
			}
		}
	}
	end := max(f.at, d.lines[f.line].end)
	d.fault(f.at, end, f.message)
}

// cause reports the fault of one line. Possibly valid text, such as a quote that is
// closed on a later line, is reported only for the line that the parser names.
func (d *doc) cause(i int, blamed bool) bool {
	ln := d.lines[i]
	if ln.blank || d.src[ln.start+ln.indent] == '#' {
		return false
	}
	if at := ln.start + ln.indent; d.src[at] == '\t' {
		d.fault(at, skipBlank(d.src, at, ln.end), "the line is indented with a tab: expected spaces")
		return true
	}
	_, at := d.valueAt(ln)
	if at >= ln.end {
		return false
	}
	value := d.asText(at, ln.end)
	start, end := at, value.Span.End-d.base
	say := func(at int, message string) bool {
		d.fault(at, end, message)
		return true
	}
	switch c := d.src[start]; c {
	case '@', '`', '%':
		return say(start, fmt.Sprintf("a value can't begin with %c: put it in quotes", c))
	case '*', '&', '!':
		return blamed && say(start, fmt.Sprintf("a value can't begin with %c, which marks an anchor, alias or tag: put it in quotes", c))
	case '"', '\'':
		close := d.closingQuote(start, end)
		switch {
		case close < 0:
			return blamed && say(start, fmt.Sprintf("quoted text is not closed on its line: expected %c at its end", c))
		case !d.ends(close+1, end):
			return say(close+1, "text after the closing quote: put the whole value in quotes of the other kind")
		}
		return false
	case '[', '{':
		close := d.closingBracket(start, end)
		switch {
		case close < 0:
			return blamed && say(start, fmt.Sprintf("%c is not closed: expected %c, or put the whole value in quotes", c, c+2))
		case !d.ends(close+1, end):
			return say(start, fmt.Sprintf("text after the closing %c: put the whole value in quotes", c+2))
		}
		return blamed && say(start, fmt.Sprintf("what is between %c and %c is not valid: put the parts, or the whole value, in quotes", c, c+2))
	case '|', '>':
		return false
	}
	for i := start; i < end; i++ {
		if d.src[i] == ':' && (i+1 == end || isBlank(d.src[i+1])) && start != ln.start+ln.indent {
			return say(start, "the value contains \": \"; put it in quotes")
		}
	}
	if d.src[start] == '-' && start+1 < end && isBlank(d.src[start+1]) {
		return say(start, "a list can't begin on the line of its key; put it below, or put the value in quotes")
	}
	return false
}

// ends reports whether nothing but blanks and a comment is left.
func (d *doc) ends(at, end int) bool {
	i := skipBlank(d.src, at, end)
	return i >= end || d.src[i] == '#' && i > at
}

// closingBracket returns the offset of the bracket that closes the one at
// offset at, or -1.
func (d *doc) closingBracket(at, end int) int {
	depth := 0
	for i := at; i < end; i++ {
		switch c := d.src[i]; c {
		case '[', '{':
			depth++
		case ']', '}':
			if depth--; depth == 0 {
				return i
			}
		case '"', '\'':
			if prev := d.src[i-1]; i > at && (isBlank(prev) || strings.IndexByte("[{,:", prev) >= 0) {
				if close := d.closingQuote(i, end); close > 0 {
					i = close
				}
			}
		}
	}
	return -1
}
