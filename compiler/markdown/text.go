package markdown

import (
	"bytes"

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
	return sections(p, s, root.FirstChild(), nil)
}

// texts gathers sections.
type texts struct {
	s       *state
	ids     map[int]schema.Heading
	done    []Section
	current Section
	buf     []byte
}

// sections returns the text of the siblings from first up to, not including, end.
func sections(p *schema.Page, s *state, first, end ast.Node) []Section {
	t := &texts{s: s, ids: make(map[int]schema.Heading, len(p.Headings))}
	for _, h := range p.Headings {
		t.ids[h.Span.Start] = h
	}
	for n := first; n != nil && n != end; n = n.NextSibling() {
		t.node(n)
	}
	t.flush()
	return t.done
}

func (t *texts) flush() {
	t.current.Text = string(bytes.TrimSpace(bytes.ToValidUTF8(t.buf, []byte("\uFFFD"))))
	if t.current.Text != "" || t.current.ID != "" {
		t.done = append(t.done, t.current)
	}
	t.buf = t.buf[:0]
}

func (t *texts) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.Heading:
		h := t.ids[(&reader{state: t.s}).headingSpan(n).Start]
		t.flush()
		t.current = Section{Heading: h.Text, ID: h.ID}
	case *ast.Paragraph, *ast.TextBlock:
		t.leaf(n)
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		t.buf = append(append(t.buf, codeLines(t.s.src, n)...), '\n')
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
