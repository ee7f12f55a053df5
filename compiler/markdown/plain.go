package markdown

import (
	"bytes"

	"github.com/loopwiki/wiki/schema"
)

// readPlain reads a page that is too complex: its headings and words.
func readPlain(p *schema.Page) {
	anchors := ids{}
	eachPlainLine(p, func(line schema.Span, level int) {
		text := line.In(p.Source)
		p.Words += countWords(text)
		if level == 0 {
			return
		}
		inner := trimSpan(p.Source, schema.Span{Start: line.Start + level, End: line.End})
		h := schema.Heading{Level: level, Span: line, Text: string(bytes.ToValidUTF8(inner.In(p.Source), []byte("\uFFFD")))}
		h.ID = anchors.of(h.Text)
		p.Headings = append(p.Headings, h)
		if level == 1 && p.H1.Len() == 0 {
			p.H1 = inner
		}
	})
}

// maxPlainHeading is the longest line that a plain page has as a heading, and
// maxPlainHeadings how many it has; what follows is text.
const (
	maxPlainHeading  = 300
	maxPlainHeadings = 50_000
)

// eachPlainLine yields the trimmed lines of the body and the heading level of
// each, 0 for text.
func eachPlainLine(p *schema.Page, yield func(line schema.Span, level int)) {
	headings := 0
	for start := bodyStart(p); start < len(p.Source); {
		end := len(p.Source)
		if i := bytes.IndexAny(p.Source[start:], "\r\n"); i >= 0 {
			end = start + i
		}
		line := trimSpan(p.Source, schema.Span{Start: start, End: end})
		level := 0
		if line.Start == start && line.Len() < maxPlainHeading && headings < maxPlainHeadings {
			for level < line.Len() && p.Source[line.Start+level] == '#' {
				level++
			}
			if level > 6 || level == line.Len() || level > 0 && !isSpace(p.Source[line.Start+level]) {
				level = 0
			}
		}
		if level > 0 {
			headings++
		}
		yield(line, level)
		start = end + 1
		if end+1 < len(p.Source) && p.Source[end] == '\r' && p.Source[end+1] == '\n' {
			start++
		}
	}
}
