package rules

import (
	"bytes"

	"github.com/loopwiki/wiki/schema"
)

// outline returns the headings that divide a page, without those in quotes and lists.
func outline(page *schema.Page) []*schema.Heading {
	out := make([]*schema.Heading, 0, len(page.Headings))
	for i := range page.Headings {
		h := &page.Headings[i]
		if start := lineStart(page.Source, h.Span.Start); len(bytes.TrimLeft(page.Source[start:h.Span.Start], " \xef\xbb\xbf")) == 0 {
			out = append(out, h)
		}
	}
	return out
}

// longestIndent is the deepest indentation of such a heading (CommonMark 0.31, 4.2),
// with a byte order mark.
const longestIndent = 6

// lineStart returns where the line begins that offset is in, or a place
// further from it than a heading is indented.
func lineStart(src []byte, offset int) int {
	from := max(0, offset-longestIndent-1)
	return from + bytes.LastIndexByte(src[from:offset], '\n') + 1
}

// shown is a heading as a message names it.
func shown(h *schema.Heading) string {
	if h.Text == "" {
		return "(without text)"
	}
	return short(h.Text)
}
