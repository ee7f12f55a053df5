package yaml

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"

	"github.com/loopwiki/wiki/schema"
)

// failure is why some lines are not valid YAML.
type failure struct {
	line    int // of doc.lines
	at      int // offset in src
	message string
	sure    bool // the message says what is wrong; no better cause is looked for
}

// parseLines reads the lines [from, to) with the general parser.
func (d *doc) parseLines(from, to int) (n *schema.Node, failed *failure) {
	size := d.lines[to-1].end - d.lines[from].start
	if size > maxChunk || size > d.budget {
		return nil, &failure{line: from, at: d.lines[from].start, sure: true, message: fmt.Sprintf(
			"too much YAML that is not plain `key: value` lines: expected at most %d bytes under one key and %d in all", maxChunk, maxParsed)}
	}
	d.budget -= size
	if i := d.tooDeep(from, to); i >= 0 {
		return nil, &failure{line: i, at: d.lines[i].start, sure: true, message: fmt.Sprintf("nested too deeply: expected at most %d levels", maxDepth)}
	}
	t := &tree{doc: d, from: from, to: to, end: d.lines[to-1].end, seenLine: -1}
	defer func() {
		if r := recover(); r != nil {
			n, failed = nil, &failure{line: from, at: d.lines[from].start, message: "not valid YAML; put the value in quotes"}
		}
	}()
	file, err := t.parse()
	if err != nil {
		return nil, t.failure(err)
	}
	for i, doc := range file.Docs {
		if i > 0 && doc.Body != nil {
			at := t.offset(doc.GetToken().Position)
			return nil, &failure{line: t.line(at), at: at, sure: true, message: "a second document begins here: expected one"}
		}
		if doc.Body != nil {
			n = t.convert(doc.Body)
		}
	}
	return n, t.failed
}

// tree turns a syntax tree of the general parser into nodes. The parser is
// given the lines with \n as their ending, and its places are lines and
// columns, which count code points.
type tree struct {
	*doc
	from, to int
	end      int // offset after the last line
	masked   bool
	failed   *failure
	// the place looked up last: tokens come in order, so that a long line is
	// walked once
	seenLine, seenColumn, seenAt int
	// Of lines that were joined for the parser: the line that each of its lines begins
	// with, and which ones go on with the next. Both are nil if none were.
	rows   []int
	joined map[int]bool
}

// maskBase is the start of the private use area to which the characters of placeholders
// such as {{title}} are mapped, so that the parser reads them as text.
// Spaces stay.
const maskBase = 0xF780

// text returns the lines for the parser: without trailing blanks, which confuse it,
// except in block scalars.
func (t *tree) text() string {
	var b strings.Builder
	block := -1 // the column of the key or dash of the block scalar
	for i := t.from; i < t.to; i++ {
		ln := t.lines[i]
		if block >= 0 && (ln.blank || ln.indent > block) {
			b.Write(t.src[ln.start:ln.end])
			b.WriteByte('\n')
			continue
		}
		column, at := t.valueAt(ln)
		end := ln.end
		for end > ln.start && isBlank(t.src[end-1]) {
			end--
		}
		if block = -1; at < end && (t.src[at] == '|' || t.src[at] == '>') {
			block = column
		}
		if stop := template(t.src, at, end); t.emptyItem(i, ln.start+column) {
			// The parser takes the key after an empty item for the item's value.
			b.Write(t.src[ln.start : ln.start+column])
			b.WriteString("- ~")
		} else if stop < 0 {
			b.Write(t.src[ln.start:end])
		} else {
			t.masked = true
			b.Write(t.src[ln.start:at])
			for _, r := range string(t.src[at:stop]) {
				if r < utf8.RuneSelf && r != ' ' {
					r += maskBase
				}
				b.WriteRune(r)
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// emptyItem reports whether the dash at offset at of line i has no value.
func (t *tree) emptyItem(i, at int) bool {
	ln := t.lines[i]
	if ln.blank || t.src[at] != '-' {
		return false
	}
	v := skipBlank(t.src, at+1, ln.end)
	if v < ln.end && (t.src[v] != '#' || v == at+1) {
		return false
	}
	next := t.nextContent(i+1, t.to)
	return next == t.to || t.lines[next].indent <= at-ln.start
}

// unmask undoes what text did to placeholders.
func (t *tree) unmask(s string) string {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	if !t.masked {
		return s
	}
	s = foldedBreak().ReplaceAllString(s, " ")
	return strings.Map(func(r rune) rune {
		if r >= maskBase && r < maskBase+utf8.RuneSelf {
			return r - maskBase
		}
		return r
	}, s)
}

// valueAt returns the offset of the value that a line of the form "- value",
// "key: value" or "- key: value" holds, or the line's end, and the column of
// the dash or key it belongs to.
func (d *doc) valueAt(ln line) (column, at int) {
	at = skipBlank(d.src, ln.start, ln.end)
	column = at - ln.start
	for at < ln.end && d.src[at] == '-' && (at+1 == ln.end || isBlank(d.src[at+1])) {
		column = at - ln.start
		at = skipBlank(d.src, at+1, ln.end)
	}
	if at < ln.end {
		if _, after, ok := d.looseKey(at, ln.end); ok {
			column = at - ln.start
			at = skipBlank(d.src, after, ln.end)
		}
	}
	return column, at
}

func (t *tree) failure(err error) *failure {
	f := &failure{line: t.from, at: t.lines[t.from].start, message: "not valid YAML"}
	if e, ok := err.(interface {
		GetToken() *token.Token
		GetMessage() string
	}); ok {
		if tok := e.GetToken(); tok != nil {
			f.at = t.offset(tok.Position)
			f.line = t.line(f.at)
		}
		f.message += ": " + t.unmask(e.GetMessage())
	}
	return f
}

// fail records the first fault of the tree.
func (t *tree) fail(at int, message string) *schema.Node {
	if t.failed == nil {
		t.failed = &failure{line: t.line(at), at: at, message: message}
	}
	return &schema.Node{Span: t.span(at, at)}
}

func (t *tree) convert(n ast.Node) *schema.Node {
	switch n := n.(type) {
	case *ast.MappingNode:
		return t.mapping(n.Values, n.Start, n.End, n.IsFlowStyle)
	case *ast.MappingValueNode:
		return t.mapping([]*ast.MappingValueNode{n}, nil, nil, false)
	case *ast.SequenceNode:
		return t.sequence(n)
	case *ast.LiteralNode:
		return t.literal(n)
	case *ast.AnchorNode:
		v := t.convert(n.Value)
		if n.Value == nil {
			at := t.offset(n.Start.Position)
			v = &schema.Node{Span: t.span(at, at)}
		}
		if t.anchors == nil {
			t.anchors = map[string]*schema.Node{}
		}
		t.anchors[n.Name.GetToken().Value] = v
		return v
	case *ast.AliasNode:
		return t.alias(n)
	case *ast.TagNode:
		return t.tagged(n)
	case *ast.MappingKeyNode:
		return t.convert(n.Value)
	case ast.ScalarNode:
		return t.scalar(n)
	case nil:
		return &schema.Node{Span: t.span(t.end, t.end)}
	}
	return t.fail(t.offset(n.GetToken().Position), "not valid YAML here: expected a value")
}

func (t *tree) mapping(values []*ast.MappingValueNode, start, end *token.Token, flow bool) *schema.Node {
	out := &schema.Node{Kind: schema.KindMap, Pairs: make([]schema.Pair, 0, len(values))}
	open := 0
	if flow {
		open = t.offset(start.Position)
	}
	for _, v := range values {
		key := t.convert(v.Key)
		p := schema.Pair{Key: key.Text, KeySpan: key.Span}
		if key.Kind >= schema.KindList {
			p.Key = string(t.src[key.Span.Start-t.base : key.Span.End-t.base])
		}
		if v.Key.IsMergeKey() {
			p.Key, t.merges = mergeKey, true
		}
		p.Value = t.value(v.Value, t.afterColon(v, key))
		out.Pairs = append(out.Pairs, p)
	}
	if !flow {
		if len(out.Pairs) == 0 {
			return &schema.Node{Kind: schema.KindMap}
		}
		return mapOf(out.Pairs)
	}
	out.Span = t.span(open, t.closing(open, end))
	return out
}

// afterColon returns the offset at which a pair's value is when it is empty.
func (t *tree) afterColon(v *ast.MappingValueNode, key *schema.Node) int {
	at := t.mark(t.offset(v.GetToken().Position), ':')
	if at < len(t.src) && t.src[at] == ':' && at+t.base >= key.Span.End {
		return at + 1
	}
	return key.Span.End - t.base
}

// value converts a value that may be missing, in which case it is an empty
// null at offset at.
func (t *tree) value(n ast.Node, at int) *schema.Node {
	if null, ok := n.(*ast.NullNode); n == nil || ok && !t.writtenNull(null) {
		return &schema.Node{Span: t.span(at, at)}
	}
	return t.convert(n)
}

// writtenNull reports whether a null is written out, not merely implied.
func (t *tree) writtenNull(n *ast.NullNode) bool {
	if n.GetToken().Type == token.ImplicitNullType {
		return false
	}
	at := t.offset(n.GetToken().Position)
	v := n.GetToken().Value
	return v != "" && strings.HasPrefix(string(t.src[at:min(len(t.src), at+len(v))]), v)
}

func (t *tree) sequence(n *ast.SequenceNode) *schema.Node {
	out := &schema.Node{Kind: schema.KindList}
	start := t.offset(n.Start.Position)
	if !n.IsFlowStyle {
		start = t.mark(start, '-')
	} else {
		for _, v := range n.Values {
			out.Items = append(out.Items, t.convert(v))
		}
		out.Span = t.span(start, t.closing(start, n.End))
		return out
	}
	end := start + 1
	for i, v := range n.Values {
		at := start
		if i < len(n.Entries) && n.Entries[i].Start != nil {
			at = t.mark(t.offset(n.Entries[i].Start.Position), '-')
		}
		item := t.value(v, at+1)
		out.Items = append(out.Items, item)
		end = max(end, at+1, item.Span.End-t.base)
	}
	out.Span = t.span(start, end)
	return out
}

// closing returns the offset after the bracket that closes a flow collection.
func (t *tree) closing(start int, end *token.Token) int {
	if end == nil {
		return start + 1
	}
	return min(t.offset(end.Position)+1, t.end)
}

// tagged reads a value with a tag. Only !!str has a meaning here; a tag of
// another program's is left to it.
func (t *tree) tagged(n *ast.TagNode) *schema.Node {
	at := t.offset(n.Start.Position)
	v := t.value(n.Value, min(at+len(n.Start.Value), t.end))
	if n.Start.Value == "!!str" && v.Kind < schema.KindList {
		v.Kind = schema.KindString
	}
	return v
}

func (t *tree) literal(n *ast.LiteralNode) *schema.Node {
	at := t.offset(n.Start.Position)
	row := t.line(at)
	end := at
	for end < t.lines[row].end && strings.IndexByte("|>+-0123456789", t.src[end]) >= 0 {
		end++
	}
	if _, e, ok := t.match(t.lines[row].end, n.Value.Value); ok && e > end {
		end = e
	}
	return &schema.Node{Kind: schema.KindString, Quoted: true, Text: t.unmask(n.Value.Value), Span: t.span(at, end)}
}

func (t *tree) scalar(n ast.ScalarNode) *schema.Node {
	tok := n.GetToken()
	at := t.offset(tok.Position)
	text := t.unmask(tok.Value)
	if tok.Type == token.DoubleQuoteType || tok.Type == token.SingleQuoteType {
		if end := t.closingQuote(at, t.end); at < t.end && end >= 0 {
			return &schema.Node{Kind: schema.KindString, Quoted: true, Text: text, Span: t.span(at, end+1)}
		}
		return t.fail(at, "quoted text without an end: expected the closing quote")
	}
	start, end, ok := t.locate(at, tok.Value)
	if !ok {
		return t.fail(at, "not valid YAML here: put the value in quotes")
	}
	kind := resolve(text)
	if t.masked && text != tok.Value {
		kind = schema.KindString
	}
	return &schema.Node{Kind: kind, Text: text, Span: t.span(start, end)}
}

// tooDeep returns a line of [from, to) at which lists and maps nest deeper
// than maxDepth, or -1. It errs on the side of too deep: brackets in quotes
// count too.
func (d *doc) tooDeep(from, to int) int {
	brackets := 0
	var indents []int
	for i := from; i < to; i++ {
		ln := d.lines[i]
		if ln.blank {
			continue
		}
		for len(indents) > 0 && indents[len(indents)-1] >= ln.indent {
			indents = indents[:len(indents)-1]
		}
		indents = append(indents, ln.indent)
		marks := 0
		for at := ln.start + ln.indent; at < ln.end; at++ {
			switch c := d.src[at]; c {
			case '[', '{':
				brackets++
			case ']', '}':
				brackets = max(0, brackets-1)
			case '-', '?', ':':
				if at+1 == ln.end || isBlank(d.src[at+1]) {
					marks++
				}
			case '&', '!', '*':
				marks++
			}
			if brackets+len(indents) > maxDepth {
				return i
			}
		}
		// Marks of lists and keys nest only at the beginning of a line, but a
		// line of prose rarely has so many of them.
		if marks > 10*maxDepth {
			return i
		}
	}
	return -1
}
