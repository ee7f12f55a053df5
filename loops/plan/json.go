package plan

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/loopwiki/wiki/schema"
)

// The bounds of a task file.
const (
	maxTask  = 4 << 20 // bytes
	maxDepth = 100     // nesting
)

// reader reads JSON (RFC 8259) with the place of every value.
type reader struct {
	src   []byte
	at    int
	fault string // what is wrong at offset at
}

// ReadJSON reads one JSON document of at most 4 MB, strictly, with the place of
// every value. It is nil if the document is malformed; a key that an object has
// twice is a fault of a document that is read.
func ReadJSON(src []byte) (*schema.Node, []Fault) {
	r := &taskReader{collector: newCollector(src)}
	if len(src) > maxTask {
		r.err("too-large", schema.Span{}, "", "the document has %d bytes, more than %d", len(src), maxTask)
		return nil, r.faults
	}
	root, off, fault := readJSON(src)
	if root == nil {
		r.err("json", schema.Span{Start: off, End: min(off+1, len(src))}, "", "malformed JSON: %s", fault)
		return nil, r.faults
	}
	r.twice(root)
	return root, r.sorted()
}

// readJSON reads one JSON document. It is nil, with the offset and what is
// wrong there, if the document is malformed.
func readJSON(src []byte) (n *schema.Node, at int, fault string) {
	if !utf8.Valid(src) {
		return nil, invalidAt(src), "the file is not UTF-8"
	}
	r := &reader{src: src}
	if strings.HasPrefix(string(src[:min(3, len(src))]), "\xef\xbb\xbf") {
		r.at = 3
	}
	n = r.value(0)
	if r.space(); n != nil && r.at < len(src) {
		return nil, r.at, "content after the end of the document"
	}
	return n, r.at, r.fault
}

func (r *reader) fail(at int, format string, args ...any) *schema.Node {
	if r.fault == "" {
		r.at, r.fault = at, fmt.Sprintf(format, args...)
	}
	return nil
}

func (r *reader) space() {
	for r.fault == "" && r.at < len(r.src) && strings.IndexByte(" \t\r\n", r.src[r.at]) >= 0 {
		r.at++
	}
}

// next returns the next byte that is not white space, 0 at the end.
func (r *reader) next() byte {
	r.space()
	if r.fault != "" || r.at >= len(r.src) {
		return 0
	}
	return r.src[r.at]
}

// found returns what is at the place of a fault.
func (r *reader) found() string {
	if r.at >= len(r.src) {
		return "the end of the file"
	}
	c, _ := utf8.DecodeRune(r.src[r.at:])
	return fmt.Sprintf("%q", string(c))
}

func (r *reader) value(depth int) *schema.Node {
	c := r.next()
	start := r.at
	switch {
	case depth > maxDepth:
		return r.fail(r.at, "values are nested more than %d deep", maxDepth)
	case c == '{':
		return r.object(depth)
	case c == '[':
		return r.array(depth)
	case c == '"':
		text, ok := r.text()
		if !ok {
			return nil
		}
		return &schema.Node{Kind: schema.KindString, Text: text, Quoted: true, Span: schema.Span{Start: start, End: r.at}}
	case c == '-' || c >= '0' && c <= '9':
		return r.number()
	}
	for word, kind := range map[string]schema.NodeKind{"true": schema.KindBool, "false": schema.KindBool, "null": schema.KindNull} {
		if strings.HasPrefix(string(r.src[r.at:min(r.at+len(word), len(r.src))]), word) {
			r.at += len(word)
			return &schema.Node{Kind: kind, Text: word, Span: schema.Span{Start: start, End: r.at}}
		}
	}
	return r.fail(r.at, "expected a value, got %s", r.found())
}

func (r *reader) number() *schema.Node {
	start := r.at
	for r.at < len(r.src) && strings.IndexByte("+-.eE0123456789", r.src[r.at]) >= 0 {
		r.at++
	}
	text := string(r.src[start:r.at])
	if !json.Valid([]byte(text)) {
		return r.fail(start, "%q is not a number", text)
	}
	kind := schema.KindInt
	if strings.ContainsAny(text, ".eE") {
		kind = schema.KindFloat
	}
	return &schema.Node{Kind: kind, Text: text, Span: schema.Span{Start: start, End: r.at}}
}

// text reads a string.
func (r *reader) text() (string, bool) {
	start := r.at
	for r.at++; r.at < len(r.src); r.at++ {
		switch c := r.src[r.at]; {
		case c == '\\':
			r.at++
		case c == '"':
			r.at++
			var s string
			if err := json.Unmarshal(r.src[start:r.at], &s); err != nil {
				r.fail(start, "invalid escape in a string")
				return "", false
			}
			return s, true
		case c == '\n' || c == '\r':
			r.fail(start, "string not closed on its line")
			return "", false
		case c < 0x20:
			r.fail(r.at, "control character in a string: write it as \\u%04x", c)
			return "", false
		}
	}
	r.fail(start, "string not closed")
	return "", false
}

func (r *reader) array(depth int) *schema.Node {
	n := &schema.Node{Kind: schema.KindList, Span: schema.Span{Start: r.at}}
	r.at++
	if r.next() == ']' {
		return r.closed(n)
	}
	for {
		it := r.value(depth + 1)
		if it == nil {
			return nil
		}
		n.Items = append(n.Items, it)
		switch r.next() {
		case ',':
			comma := r.at
			if r.at++; r.next() == ']' {
				return r.fail(comma, "a comma before the ]")
			}
		case ']':
			return r.closed(n)
		default:
			return r.fail(r.at, "expected a comma or ], got %s", r.found())
		}
	}
}

func (r *reader) object(depth int) *schema.Node {
	n := &schema.Node{Kind: schema.KindMap, Span: schema.Span{Start: r.at}}
	r.at++
	if r.next() == '}' {
		return r.closed(n)
	}
	for {
		if r.next() != '"' {
			return r.fail(r.at, "expected a key in double quotes, got %s", r.found())
		}
		p := schema.Pair{KeySpan: schema.Span{Start: r.at}}
		key, ok := r.text()
		if !ok {
			return nil
		}
		p.Key, p.KeySpan.End = key, r.at
		if r.next() != ':' {
			return r.fail(r.at, "expected a colon, got %s", r.found())
		}
		r.at++
		if p.Value = r.value(depth + 1); p.Value == nil {
			return nil
		}
		n.Pairs = append(n.Pairs, p)
		switch r.next() {
		case ',':
			comma := r.at
			if r.at++; r.next() == '}' {
				return r.fail(comma, "a comma before the }")
			}
		case '}':
			return r.closed(n)
		default:
			return r.fail(r.at, "expected a comma or }, got %s", r.found())
		}
	}
}

func (r *reader) closed(n *schema.Node) *schema.Node {
	r.at++
	n.Span.End = r.at
	return n
}
