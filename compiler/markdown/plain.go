package markdown

import (
	"bytes"

	"github.com/loopwiki/wiki/schema"
)

// readPlain reads a page that is too complex: its comments, headings and words.
func readPlain(p *schema.Page) {
	anchors := ids{}
	p.Comments = plainComments(p.Source, bodyStart(p))
	q := withoutComments(p)
	eachPlainLine(q, func(line schema.Span, level int) {
		text := line.In(q.Source)
		p.Words += countWords(text)
		if level == 0 {
			return
		}
		inner := trimSpan(q.Source, schema.Span{Start: line.Start + level, End: line.End})
		h := schema.Heading{Level: level, Span: line, Text: string(bytes.ToValidUTF8(inner.In(q.Source), []byte("\uFFFD")))}
		h.ID = anchors.of(h.Text)
		p.Headings = append(p.Headings, h)
		if level == 1 && p.H1.Len() == 0 {
			p.H1 = inner
		}
	})
}

// plainComments finds the comments of an unparsed page: HTML comments, and %%…%% at the
// beginning of a line.
func plainComments(src []byte, at int) (out []schema.Span) {
	never := map[string]bool{} // marks that no longer follow
	for at < len(src) {
		i := bytes.IndexAny(src[at:], "<%")
		if i < 0 {
			break
		}
		at += i
		open, close := "<!--", "-->"
		if src[at] == '%' {
			open, close = "%%", "%%"
		}
		begins := bytes.HasPrefix(src[at:], []byte(open)) && (open != "%%" || at == 0 || src[at-1] == '\n' || src[at-1] == '\r')
		if !begins || never[close] {
			at++
			continue
		}
		end := bytes.Index(src[at+2:], []byte(close))
		if never[close] = end < 0; end < 0 && open == "%%" {
			continue
		}
		c := schema.Span{Start: at, End: len(src)}
		if end >= 0 {
			c.End = at + 2 + end + len(close)
		}
		out, at = append(out, c), c.End
	}
	return out
}

// withoutComments returns a plain page with blanks instead of its comments.
func withoutComments(p *schema.Page) *schema.Page {
	if len(p.Comments) == 0 {
		return p
	}
	q := *p
	q.Source = bytes.Clone(p.Source)
	for _, c := range p.Comments {
		for i, b := range c.In(q.Source) {
			if b != '\n' && b != '\r' {
				q.Source[c.Start+i] = ' '
			}
		}
	}
	return &q
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
