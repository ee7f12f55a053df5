package linter

import (
	"bytes"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// Prose returns the parts of a page's body that are running text: no code, no
// heading, link, comment, formula, tag, citation or raw HTML.
func Prose(page *schema.Page) []schema.Span {
	out, _ := visible(page, hidden(page, false, false))
	return out
}

// Text is [Prose] with the labels of links, which are read as text too.
func Text(page *schema.Page) []schema.Span {
	out, _ := visible(page, hidden(page, true, false))
	return out
}

// Words is [Text] with the text of headings: all that a page says in words.
func Words(page *schema.Page) []schema.Span {
	out, _ := visible(page, hidden(page, true, true))
	return out
}

// Code returns the spans of a page's code blocks and code spans, in order.
func Code(page *schema.Page) []schema.Span {
	_, out := visible(page, hidden(page, true, true))
	for i := range page.Fences {
		if f := page.Fences[i].Content; f.Len() > 0 {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b schema.Span) int { return a.Start - b.Start })
	return out
}

// HeadingText returns the text of a heading as written, without the hashes
// before and behind it and without an underline.
func HeadingText(page *schema.Page, h *schema.Heading) schema.Span {
	s := h.Span
	src := page.Source
	if i := bytes.IndexByte(s.In(src), '\n'); i >= 0 && src[s.Start] != '#' {
		s.End = s.Start + bytes.LastIndexByte(s.In(src), '\n')
	}
	for s.Start < s.End && src[s.Start] == '#' {
		s.Start++
	}
	closed := s.End
	for closed > s.Start && src[closed-1] == '#' {
		closed--
	}
	if closed == s.Start || closed < s.End && (src[closed-1] == ' ' || src[closed-1] == '\t') {
		s.End = closed
	}
	text := s.In(src)
	s.Start += len(text) - len(bytes.TrimLeft(text, " \t\r\n"))
	s.End = max(s.Start, s.Start+len(bytes.TrimSpace(text)))
	return s
}

// visible returns what of a page's body is not hidden: the text, and the code
// spans in it.
func visible(page *schema.Page, hidden []schema.Span) (text, code []schema.Span) {
	at := page.Body
	for _, s := range hidden {
		if s.Start > at {
			text, code = appendProse(text, code, page.Source, schema.Span{Start: at, End: s.Start})
		}
		at = max(at, s.End)
	}
	if at < len(page.Source) {
		text, code = appendProse(text, code, page.Source, schema.Span{Start: at, End: len(page.Source)})
	}
	return text, code
}

// hidden returns the spans of a page that are not running text, in order; labels of
// links and headings are included only if requested.
func hidden(page *schema.Page, labels, headings bool) []schema.Span {
	var s []schema.Span
	for i := range page.Fences {
		s = append(s, page.Fences[i].Span)
	}
	for i := range page.Headings {
		h := &page.Headings[i]
		if !headings {
			s = append(s, h.Span)
			continue
		}
		text := HeadingText(page, h)
		s = append(s, schema.Span{Start: h.Span.Start, End: text.Start}, schema.Span{Start: text.End, End: h.Span.End})
	}
	for i := range page.Links {
		l := &page.Links[i]
		switch {
		case l.Field != "":
		case labels && !l.Embed && l.LabelAt.Len() > 0 && l.Wiki == nil:
			s = append(s, schema.Span{Start: l.Span.Start, End: l.LabelAt.Start}, schema.Span{Start: l.LabelAt.End, End: l.Span.End})
		default:
			s = append(s, l.Span)
		}
	}
	for i := range page.Math {
		s = append(s, page.Math[i].Span)
	}
	for i := range page.Tags {
		if page.Tags[i].Field == "" {
			s = append(s, page.Tags[i].Span)
		}
	}
	for i := range page.Citations {
		if page.Citations[i].Code {
			continue
		}
		at := page.Citations[i].Span
		if 0 < at.Start && at.End < len(page.Source) && page.Source[at.Start-1] == '`' && page.Source[at.End] == '`' {
			at = schema.Span{Start: at.Start - 1, End: at.End + 1} // half of a code span would make one of what follows
		}
		s = append(s, at)
	}
	for i := range page.Footnotes {
		if !page.Footnotes[i].Definition {
			s = append(s, page.Footnotes[i].Span)
		}
	}
	for i := range page.Definitions {
		s = append(s, page.Definitions[i].Span)
	}
	for i := range page.Blocks {
		s = append(s, page.Blocks[i].Span)
	}
	s = append(s, page.Comments...)
	s = slices.DeleteFunc(s, func(x schema.Span) bool { return x.Len() <= 0 || x.End <= page.Body })
	slices.SortFunc(s, func(a, b schema.Span) int { return a.Start - b.Start })
	return s
}

// appendProse appends the parts of span outside code spans and HTML tags to text, and
// the content of code spans to code. Both end, at the latest, with their paragraph.
func appendProse(text, code []schema.Span, src []byte, span schema.Span) ([]schema.Span, []schema.Span) {
	for span.Len() > 0 {
		end := span.End
		if i := bytes.Index(src[span.Start:span.End], []byte("\n\n")); i >= 0 {
			end = span.Start + i + 2
		}
		text, code = appendParagraph(text, code, src[:end], span.Start)
		span.Start = end
	}
	return text, code
}

func appendParagraph(text, code []schema.Span, src []byte, at int) ([]schema.Span, []schema.Span) {
	closers := backtickRuns(src, at)
	start := at
	cut := func(from, to int) {
		if from > start {
			text = append(text, schema.Span{Start: start, End: from})
		}
		start = to
	}
	for i := at; i < len(src); {
		switch src[i] {
		case '\\':
			i += 2
			continue
		case '`':
			n := backticks(src, i)
			end := i + n
			if later := after(closers[n], i); later >= 0 {
				end = later + n
				code = append(code, schema.Span{Start: i + n, End: later})
			}
			cut(i, end)
			i = end
			continue
		case '<':
			if n := tagLength(src[i:]); n > 0 {
				cut(i, i+n)
				i += n
				continue
			}
		}
		i++
	}
	cut(len(src), len(src))
	return text, code
}

// backticks returns how many backticks stand at i.
func backticks(src []byte, i int) int {
	n := 0
	for i+n < len(src) && src[i+n] == '`' {
		n++
	}
	return n
}

// backtickRuns returns where the runs of backticks of each length begin.
func backtickRuns(src []byte, at int) map[int][]int {
	var m map[int][]int
	for i := at; i < len(src); {
		j := bytes.IndexByte(src[i:], '`')
		if j < 0 {
			break
		}
		i += j
		n := backticks(src, i)
		if m == nil {
			m = map[int][]int{}
		}
		m[n] = append(m[n], i)
		i += n
	}
	return m
}

// after returns the first of places, which are in order, that is greater than
// at, or -1.
func after(places []int, at int) int {
	i, found := slices.BinarySearch(places, at)
	if found {
		i++
	}
	if i == len(places) {
		return -1
	}
	return places[i]
}

// longestTag bounds how far the end of an HTML tag is looked for.
const longestTag = 1000

// tagLength returns the length of the HTML tag that b begins with, 0 when it
// begins with none.
func tagLength(b []byte) int {
	if len(b) < 3 || !(b[1] == '/' || b[1]|0x20 >= 'a' && b[1]|0x20 <= 'z') {
		return 0
	}
	end := bytes.IndexByte(b[:min(len(b), longestTag)], '>')
	if end < 0 || strings.ContainsRune(string(b[1:end]), '<') {
		return 0
	}
	return end + 1
}
