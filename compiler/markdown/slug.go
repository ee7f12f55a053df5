package markdown

import (
	"bytes"
	"html"
	"strconv"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"golang.org/x/text/unicode/norm"

	"github.com/loopwiki/wiki/schema"
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

// rawHeading notes the anchor that GitHub gives <h1>…</h1>: that of its text,
// numbered with the others.
func (r *reader) rawHeading(t *tag, span schema.Span) {
	if len(t.name) != 2 || t.name[0] != 'h' || t.name[1] < '1' || t.name[1] > '6' {
		return
	}
	if !t.closing {
		r.rawHead = span.End
		return
	}
	if r.rawHead == 0 {
		return
	}
	var text []byte
	cutHTML(r.src, schema.Span{Start: r.rawHead, End: span.Start}, false, func(part htmlPart) {
		if part.what == formText {
			text = append(text, part.span.In(r.src)...)
		}
	})
	if len(bytes.TrimSpace(text)) > 0 {
		r.p.Anchors = append(r.p.Anchors, r.anchors.of(html.UnescapeString(string(text))))
	}
	r.rawHead = 0
}
