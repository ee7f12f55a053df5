package markdown

import (
	"strings"

	"github.com/yuin/goldmark/ast"
)

// part returns the siblings for an anchor, from first up to but not including end; first
// is nil if there is no such part.
func (r *renderer) part(root ast.Node, anchor string) (first, end ast.Node) {
	if name, ok := strings.CutPrefix(anchor, "^"); ok {
		return r.namedPart(root, name)
	}
	if anchor == "" {
		return nil, nil
	}
	for first = root.FirstChild(); first != nil; first = first.NextSibling() {
		if h, ok := first.(*ast.Heading); ok && r.headingAt((&reader{state: r.state}).headingSpan(h).Start) == anchor {
			return first, sectionEnd(h)
		}
	}
	return nil, nil
}

// sectionEnd is the next heading of the same or a higher level.
func sectionEnd(h *ast.Heading) ast.Node {
	for n := h.NextSibling(); n != nil; n = n.NextSibling() {
		if next, ok := n.(*ast.Heading); ok && next.Level <= h.Level {
			return n
		}
	}
	return nil
}

func (r *renderer) namedPart(root ast.Node, name string) (first, end ast.Node) {
	var find func(n ast.Node) ast.Node
	find = func(n ast.Node) ast.Node {
		for c := n.FirstChild(); c != nil && c.Type() == ast.TypeBlock; c = c.NextSibling() {
			if r.named[c] == name {
				return c
			}
			if hit := find(c); hit != nil {
				return hit
			}
		}
		return nil
	}
	if n := find(root); n != nil {
		return n, n.NextSibling()
	}
	return nil, nil
}
