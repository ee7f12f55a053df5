package yaml

import (
	"unicode"
	"unicode/utf8"

	"github.com/loopwiki/wiki/schema"
)

// fastReader reads the plain subset: nested block maps and lists of scalars
// on one line, quotes without escapes, flow lists of scalars on one line,
// comments. It gives up on everything else; what it does read is exactly what
// the general parser reads.
type fastReader struct {
	*doc
	to    int // the line after the last
	depth int
}

// fastPair reads one key of a map that is at the given indentation.
func (d *doc) fastPair(c chunk, indent int) (schema.Pair, bool) {
	f := &fastReader{doc: d, to: c.to}
	ln := d.lines[c.from]
	n, next, ok := f.blockMap(c.from, ln.start+indent, indent)
	if !ok || next != c.to || len(n.Pairs) != 1 {
		return schema.Pair{}, false
	}
	return n.Pairs[0], true
}

// block reads the list or map that begins in line i.
func (f *fastReader) block(i int) (*schema.Node, int, bool) {
	if f.depth++; f.depth > maxDepth {
		return nil, 0, false
	}
	defer func() { f.depth-- }()
	ln := f.lines[i]
	if f.dash(ln) {
		return f.blockList(i, ln.indent)
	}
	return f.blockMap(i, ln.start+ln.indent, ln.indent)
}

// blockMap reads a map whose first key is at offset at of line i, in the
// given column; next is the line after it.
func (f *fastReader) blockMap(i, at, column int) (n *schema.Node, next int, ok bool) {
	var pairs []schema.Pair
	for {
		end := f.lines[i].end
		keyEnd, ok := f.exactKey(at, end)
		if !ok {
			return nil, 0, false
		}
		p := schema.Pair{Key: string(f.src[at:keyEnd]), KeySpan: f.span(at, keyEnd)}
		next = f.nextContent(i+1, f.to)
		v := skipSpaces(f.src, keyEnd+1, end)
		switch {
		case v < end && (f.src[v] != '#' || v == keyEnd+1):
			p.Value, ok = f.inline(v, end)
			if !ok || next < f.to && f.lines[next].indent > column {
				return nil, 0, false
			}
		case next < f.to && (f.lines[next].indent > column || f.lines[next].indent == column && f.dash(f.lines[next])):
			if p.Value, next, ok = f.block(next); !ok {
				return nil, 0, false
			}
		default:
			p.Value = &schema.Node{Span: f.span(keyEnd+1, keyEnd+1)}
		}
		pairs = append(pairs, p)
		if next >= f.to || f.lines[next].indent < column {
			return mapOf(pairs), next, true
		}
		i = next
		if ln := f.lines[i]; ln.indent > column || f.dash(ln) {
			return nil, 0, false
		}
		at = f.lines[i].start + column
	}
}

// blockList reads a list whose items are in the given column.
func (f *fastReader) blockList(i, column int) (n *schema.Node, next int, ok bool) {
	start := f.lines[i].start + column
	n = &schema.Node{Kind: schema.KindList}
	for {
		at, end := f.lines[i].start+column+1, f.lines[i].end
		v := skipSpaces(f.src, at, end)
		next = f.nextContent(i+1, f.to)
		var item *schema.Node
		switch {
		case v == end || f.src[v] == '#' && v > at:
			item = &schema.Node{Span: f.span(at, at)}
			if next < f.to && f.lines[next].indent > column {
				if item, next, ok = f.block(next); !ok {
					return nil, 0, false
				}
			}
		case f.src[v] == '-' && (v+1 == end || isBlank(f.src[v+1])):
			return nil, 0, false
		default:
			if _, isKey := f.exactKey(v, end); isKey {
				if f.depth++; f.depth > maxDepth {
					return nil, 0, false
				}
				item, next, ok = f.blockMap(i, v, v-f.lines[i].start)
				f.depth--
			} else if item, ok = f.inline(v, end); ok {
				ok = next == f.to || f.lines[next].indent <= column
			}
			if !ok {
				return nil, 0, false
			}
		}
		n.Items = append(n.Items, item)
		if next >= f.to || f.lines[next].indent < column || f.lines[next].indent == column && !f.dash(f.lines[next]) {
			n.Span = schema.Span{Start: f.base + start, End: max(item.Span.End, f.base+at)}
			return n, next, true
		}
		if f.lines[next].indent > column {
			return nil, 0, false
		}
		i = next
	}
}

// exactKey returns the end of the plain key at offset at that is followed by a
// colon.
func (f *fastReader) exactKey(at, end int) (int, bool) {
	if r, _ := utf8.DecodeRune(f.src[at:end]); r == utf8.RuneError || r != '_' && !unicode.IsLetter(r) {
		return 0, false
	}
	for i := at; i < end && i-at < 512; i++ {
		switch c := f.src[i]; c {
		case ':':
			if i+1 == end || f.src[i+1] == ' ' {
				return i, f.src[i-1] != ' ' && clean(f.src[at:i])
			}
		case '"', '\'', '[', ']', '{', '}', ',', '#', '&', '*', '!', '|', '>', '%', '@', '`', '?', '\t':
			return 0, false
		}
	}
	return 0, false
}

// inline reads the scalar or flow list at offset at, which the rest of its
// line must hold.
func (f *fastReader) inline(at, end int) (*schema.Node, bool) {
	if !clean(f.src[at:end]) {
		return nil, false
	}
	var n *schema.Node
	next, ok := 0, false
	switch f.src[at] {
	case '"', '\'':
		n, next, ok = f.quoted(at, end)
	case '[':
		n, next, ok = f.flowList(at, end, 1)
	case '{':
		stop := template(f.src, at, end)
		if stop < 0 {
			return nil, false
		}
		return &schema.Node{Kind: schema.KindString, Text: string(f.src[at:stop]), Span: f.span(at, stop)}, true
	default:
		return f.plain(at, end)
	}
	if !ok {
		return nil, false
	}
	rest := skipSpaces(f.src, next, end)
	return n, rest == end || f.src[rest] == '#' && rest > next
}

// quoted reads quoted text without escapes; next is the offset after it.
func (f *fastReader) quoted(at, end int) (n *schema.Node, next int, ok bool) {
	q := f.src[at]
	for i := at + 1; i < end; i++ {
		switch f.src[i] {
		case '\\':
			if q == '"' {
				return nil, 0, false
			}
		case q:
			if i+1 < end && f.src[i+1] == q {
				return nil, 0, false
			}
			return &schema.Node{Kind: schema.KindString, Quoted: true, Text: string(f.src[at+1 : i]), Span: f.span(at, i+1)}, i + 1, true
		}
	}
	return nil, 0, false
}

// plain reads an unquoted scalar that ends with its line or at a comment.
func (f *fastReader) plain(at, end int) (*schema.Node, bool) {
	if !plainStart(f.src, at, end) {
		return nil, false
	}
	stop := end
scan:
	for i := at; i < end; i++ {
		switch f.src[i] {
		case ':':
			if i+1 == end || f.src[i+1] == ' ' {
				return nil, false
			}
		case '#':
			if f.src[i-1] == ' ' {
				stop = i
				break scan
			}
		}
	}
	return f.scalar(at, stop), true
}

func (f *fastReader) scalar(at, stop int) *schema.Node {
	for f.src[stop-1] == ' ' {
		stop--
	}
	text := string(f.src[at:stop])
	return &schema.Node{Kind: resolve(text), Text: text, Span: f.span(at, stop)}
}

// flowList reads [a, "b", [c]]; next is the offset after the bracket.
func (f *fastReader) flowList(at, end, depth int) (n *schema.Node, next int, ok bool) {
	n = &schema.Node{Kind: schema.KindList}
	i := skipSpaces(f.src, at+1, end)
	if i < end && f.src[i] == ']' {
		n.Span = f.span(at, i+1)
		return n, i + 1, true
	}
	for i < end && depth < 10 {
		var item *schema.Node
		switch f.src[i] {
		case '"', '\'':
			item, i, ok = f.quoted(i, end)
		case '[':
			item, i, ok = f.flowList(i, end, depth+1)
		default:
			item, i, ok = f.flowPlain(i, end)
		}
		if !ok {
			return nil, 0, false
		}
		n.Items = append(n.Items, item)
		i = skipSpaces(f.src, i, end)
		if i == end || f.src[i] != ',' && f.src[i] != ']' {
			return nil, 0, false
		}
		i++
		if f.src[i-1] == ']' {
			n.Span = f.span(at, i)
			return n, i, true
		}
		i = skipSpaces(f.src, i, end)
	}
	return nil, 0, false
}

// flowPlain reads an unquoted scalar of a flow list.
func (f *fastReader) flowPlain(at, end int) (n *schema.Node, next int, ok bool) {
	if !plainStart(f.src, at, end) {
		return nil, 0, false
	}
	for i := at; i < end; i++ {
		switch f.src[i] {
		case ',', ']':
			return f.scalar(at, i), i, true
		case '[', '{', '}', '"', '\'', '#', '?', ':':
			return nil, 0, false
		}
	}
	return nil, 0, false
}

// plainStart reports whether a plain scalar may begin with the byte at offset
// at; a few that may are left to the general parser.
func plainStart(src []byte, at, end int) bool {
	switch c := src[at]; {
	case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= utf8.RuneSelf:
		return true
	case c == '/' || c == '.' || c == '_' || c == '(' || c == '~' || c == '$' || c == '^':
		// A lone "." and "..." are left out too.
		return c != '.' || at+1 < end && src[at+1] >= '0' && src[at+1] <= '9' || at+2 < end && src[at+1] == '.' && src[at+2] == '/'
	case c == '-' || c == '+':
		return at+1 < end && (src[at+1] >= '0' && src[at+1] <= '9')
	}
	return false
}

// clean reports whether text holds neither control characters nor invalid
// UTF-8, nor one of the characters some take for a line break.
func clean(text []byte) bool {
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			if c < ' ' || c == 0x7f {
				return false
			}
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		if r == utf8.RuneError || r == 0x85 || r == 0x2028 || r == 0x2029 || r == 0xfeff || r >= maskBase && r < maskBase+128 {
			return false
		}
		i += n
	}
	return true
}

func skipSpaces(src []byte, i, end int) int {
	for i < end && src[i] == ' ' {
		i++
	}
	return i
}
