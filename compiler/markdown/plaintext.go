package markdown

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"

	"github.com/loopwiki/wiki/schema"
)

// plainText appends what a reader sees of the inline nodes below n.
func plainText(dst, src []byte, n ast.Node) []byte {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			dst = appendText(dst, src, c)
		case *inline:
			dst = c.plainText(dst, src)
		}
	}
	return dst
}

// appendText appends running text; the end of a line is a space.
func appendText(dst, src []byte, t *ast.Text) []byte {
	dst = unescape(dst, t.Segment.Value(src))
	if t.SoftLineBreak() || t.HardLineBreak() {
		dst = append(dst, ' ')
	}
	return dst
}

func (n *inline) plainText(dst, src []byte) []byte {
	switch n.form {
	case formText:
		return append(dst, n.span.In(src)...)
	case formCode:
		return append(dst, codeText(n.text(src, n.inner))...)
	case formMath, formDisplay, formAutolink:
		return append(dst, n.text(src, n.inner)...)
	case formTag:
		return append(dst, n.span.In(src)...)
	case formHTML:
		if bytes.HasPrefix(n.span.In(src), []byte("<br")) {
			dst = append(dst, ' ')
		}
		return dst
	case formWikilink:
		if n.link.Embed {
			return dst
		}
		return append(dst, wikiLabel(&n.link.Link)...)
	case formComment, formBlockID, formCitation, formNoteRef, formInlineNote, formTask, formImage:
		return dst
	}
	return plainText(dst, src, n)
}

// wikiLabel is the visible text of a wikilink: its label, or its target followed by the
// subpath, as in Obsidian.
func wikiLabel(l *schema.Link) string {
	if l.Label != "" {
		return l.Label
	}
	raw := strings.TrimPrefix(l.Raw, "#")
	return strings.ReplaceAll(raw, "#", " > ")
}

// codeText is the content of a code span: line ends are spaces, and one space
// on either side belongs to the markup (CommonMark 0.31, 6.1).
func codeText(b []byte) []byte {
	if bytes.IndexByte(b, '\n') >= 0 {
		b = bytes.ReplaceAll(bytes.ReplaceAll(b, []byte("\r\n"), []byte(" ")), []byte("\n"), []byte(" "))
	}
	if len(b) > 2 && b[0] == ' ' && b[len(b)-1] == ' ' && len(bytes.TrimSpace(b)) > 0 {
		b = b[1 : len(b)-1]
	}
	return b
}

// countWords counts runs of letters and digits; in scripts written without
// spaces every character counts.
func countWords(b []byte) int {
	n, in := 0, false
	for i := 0; i < len(b); {
		c := b[i]
		if c < utf8.RuneSelf {
			i++
			word := isAlnum(c) || in && (c == '\'' || c == '_' || c == '-')
			if word && !in {
				n++
			}
			in = word
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		i += size
		switch {
		case r >= 0x2E80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			n++
			in = false
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r):
			if !in {
				n++
			}
			in = true
		default:
			in = in && r == '\u2019'
		}
	}
	return n
}
