package site

import (
	"bytes"
	"cmp"
	"strings"

	"github.com/loopwiki/wiki/compiler/public"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// maxOpening bounds how much of a page is read for its first sentence.
const maxOpening = 4 << 10

// summaryOf is a page's own summary, on one line.
func summaryOf(p *schema.Page) string { return clip(text.Collapse(p.Meta.Summary), 180) }

// leadOf is what a list says of a page: its summary, or its first sentence.
func leadOf(p *schema.Page) string { return cmp.Or(summaryOf(p), opening(p)) }

// opening is the first sentence of the first paragraph of a page, empty when it begins
// with something else than headings and text.
func opening(p *schema.Page) string {
	head := public.WithoutComments(p, schema.Span{Start: min(p.Body, len(p.Source)), End: min(len(p.Source), p.Body+maxOpening)})
	var paragraph [][]byte
	for line := range bytes.Lines(head) {
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0 && len(paragraph) > 0:
			return inOneLine(paragraph)
		case len(line) == 0, len(paragraph) == 0 && line[0] == '#':
		case len(paragraph) == 0 && !beginsText(line):
			return ""
		default:
			paragraph = append(paragraph, line)
		}
	}
	return inOneLine(paragraph)
}

// beginsText reports whether a line is text: not of a list, a table, a quotation, code,
// HTML, an image, a formula, or a line under a heading.
func beginsText(line []byte) bool {
	if bytes.IndexByte([]byte("-+|>`~<!$%=:{"), line[0]) >= 0 || bytes.HasPrefix(line, []byte("* ")) {
		return false
	}
	digits := bytes.TrimLeft(line, "0123456789")
	return len(digits) == len(line) || !bytes.HasPrefix(digits, []byte(". ")) && !bytes.HasPrefix(digits, []byte(") "))
}

func inOneLine(lines [][]byte) string {
	raw := clean(nil, bytes.Join(lines, []byte(" ")))
	return firstSentence(foldSpace([]byte(strings.TrimSpace(stripMarkup(string(raw))))))
}
