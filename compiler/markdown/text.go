package markdown

import (
	"bytes"
	"sync"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"

	"github.com/loopwiki/wiki/schema"
)

// Section is the running text under one heading, without markup; the first
// one of a page may have no heading.
type Section struct {
	Heading string
	ID      string // the heading's anchor
	Text    string // blocks are separated by line feeds
}

// Text returns the running text of a page that Parse has filled in.
func Text(p *schema.Page, limits schema.Limits) []Section {
	root, s := parseTree(p, limits.OrDefault())
	if root == nil {
		return renderPlain(p, Options{}).Text
	}
	at := make(map[int]int, len(p.Headings))
	for i := range p.Headings {
		at[p.Headings[i].Span.Start] = i
	}
	return sections(p, s, at, root.FirstChild(), nil)
}

// texts gathers sections.
type texts struct {
	s       *state
	p       *schema.Page
	at      map[int]int // the page's headings by where they begin
	done    []Section
	current Section
	buf     []byte
}

// textBuffers are used again: every page needs one for a moment.
var textBuffers = sync.Pool{New: func() any { return new([]byte) }}

// sections returns the text of the siblings from first up to, not including,
// end. The page's headings are found in at by where they begin.
func sections(p *schema.Page, s *state, at map[int]int, first, end ast.Node) []Section {
	buf := textBuffers.Get().(*[]byte)
	defer textBuffers.Put(buf)
	t := &texts{s: s, p: p, at: at, buf: (*buf)[:0], done: make([]Section, 0, len(p.Headings)+1)}
	for n := first; n != nil && n != end; n = n.NextSibling() {
		t.node(n)
	}
	t.flush()
	*buf = t.buf
	return t.done
}

func (t *texts) flush() {
	if !utf8.Valid(t.buf) {
		t.buf = bytes.ToValidUTF8(t.buf, []byte("\uFFFD"))
	}
	t.current.Text = string(bytes.TrimSpace(t.buf))
	if t.current.Text != "" || t.current.ID != "" {
		t.done = append(t.done, t.current)
	}
	t.buf = t.buf[:0]
}

func (t *texts) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.Heading:
		t.flush()
		t.current = Section{}
		if i, ok := t.at[(&reader{state: t.s}).headingSpan(n).Start]; ok {
			t.current = Section{Heading: t.p.Headings[i].Text, ID: t.p.Headings[i].ID}
		}
	case *ast.Paragraph, *ast.TextBlock:
		t.leaf(n)
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		t.buf = append(appendCode(t.buf, t.s.src, n), '\n')
	case *ast.HTMLBlock:
		htmlParts(t.s.src, n, func(part htmlPart) {
			if part.what == formText {
				t.buf = append(append(t.buf, bytes.TrimSpace(unescape(nil, part.span.In(t.s.src)))...), ' ')
			}
		})
	case *block:
		t.ours(n)
	default:
		t.children(n)
	}
}

func (t *texts) children(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		t.node(c)
	}
}

func (t *texts) leaf(n ast.Node) {
	before := len(t.buf)
	t.buf = plainText(t.buf, t.s.src, n)
	if len(t.buf) > before {
		t.buf = append(t.buf, '\n')
	}
}

func (t *texts) ours(n *block) {
	switch n.form {
	case blockComment, blockMath:
	case blockCell:
		t.leaf(n)
	case blockCallout:
		t.leaf(n)
	default:
		t.children(n)
	}
}
