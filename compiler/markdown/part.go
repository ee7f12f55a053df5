package markdown

import (
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	"golang.org/x/text/unicode/norm"
)

// part returns the siblings that a fragment stands for, from first up to, not
// including, end; first is nil when there is no such part.
func (r *renderer) part(root ast.Node, fragment string) (first, end ast.Node) {
	fragment = strings.TrimPrefix(fragment, "#")
	if name, ok := strings.CutPrefix(fragment, "^"); ok {
		return r.namedPart(root, name)
	}
	next := root.FirstChild()
	for want := range strings.SplitSeq(fragment, "#") {
		key := HeadingKey(want)
		for first = next; first != end && first != nil && !r.isHeading(first, want, key); {
			first = first.NextSibling()
		}
		if first == nil || first == end || key == "" {
			return nil, nil
		}
		end = sectionEnd(first.(*ast.Heading), end)
		next = first.NextSibling()
	}
	return first, end
}

func (r *renderer) isHeading(n ast.Node, want, key string) bool {
	h, ok := n.(*ast.Heading)
	if !ok {
		return false
	}
	id := r.headings[(&reader{state: r.state}).headingSpan(h).Start]
	return id == want || HeadingKey(string(plainText(nil, r.src, h))) == key
}

// sectionEnd is the next heading of the same or a higher level.
func sectionEnd(h *ast.Heading, end ast.Node) ast.Node {
	for n := h.NextSibling(); n != nil && n != end; n = n.NextSibling() {
		if next, ok := n.(*ast.Heading); ok && next.Level <= h.Level {
			return n
		}
	}
	return end
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

// HeadingKey is what Obsidian compares headings by: letters, digits and marks
// without case; all else counts as space.
func HeadingKey(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(norm.NFC.String(text)), func(c rune) bool {
		return !unicode.In(c, unicode.L, unicode.M, unicode.N, unicode.So)
	}), " ")
}
