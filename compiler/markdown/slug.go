package markdown

import (
	"bytes"
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"golang.org/x/text/unicode/norm"
)

// Slug is the anchor GitHub gives a heading: lower case, spaces as hyphens,
// letters, marks, digits and connectors of any script kept, all else dropped.
// https://github.com/gjtorikian/html-pipeline, table of contents filter.
func Slug(text string) string {
	out := make([]byte, 0, len(text))
	for _, r := range norm.NFC.String(text) {
		switch {
		case r == ' ' || r == '-':
			out = append(out, '-')
		case r < utf8.RuneSelf:
			if r >= 'A' && r <= 'Z' {
				r += 'a' - 'A'
			}
			if r == '_' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
				out = append(out, byte(r))
			}
		case unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Pc):
			out = utf8.AppendRune(out, unicode.ToLower(r))
		}
	}
	return norm.NFC.String(string(out))
}

// ids hands out anchors, each once.
type ids map[string]int

// of returns the anchor of a heading with the given text; a heading without
// letters gets the anchor "section".
func (m ids) of(text string) string {
	base := Slug(text)
	if base == "" {
		base = "section"
	}
	id := base
	for n := m[base]; ; n++ {
		if n > 0 {
			id = base + "-" + strconv.Itoa(n)
		}
		if _, taken := m[id]; !taken || n == 0 && m[base] == 0 {
			m[base] = n + 1
			if id != base {
				m[id] = 1
			}
			return id
		}
	}
}

// slugText returns what GitHub makes the slug of a heading of. It does not trim
// the space beside an image or a tag: "![logo](l.png) Project" is "-project".
func (r *reader) slugText(n *ast.Heading, text string) string {
	if text == "" || !r.unseen(n.FirstChild(), ast.Node.FirstChild) && !r.unseen(n.LastChild(), ast.Node.LastChild) {
		return text
	}
	return string(plainText(nil, r.src, n))
}

// unseen reports whether an inline node, or the one that it begins or ends with,
// is an image or a tag, which show no text. A line break shows a space.
func (r *reader) unseen(n ast.Node, next func(ast.Node) ast.Node) bool {
	for ; n != nil; n = next(n) {
		in, ok := n.(*inline)
		if ok && (in.form == formImage || in.form == formHTML && !bytes.HasPrefix(in.span.In(r.src), []byte("<br"))) {
			return true
		}
	}
	return false
}
