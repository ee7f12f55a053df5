package rules

import (
	"bytes"
	"slices"
	"sort"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

// verbatimFact are the parts of a page that are code, in blocks and text, or formulas:
// shown, not stated.
var verbatimFact = linter.NewPageFact(func(page *schema.Page) []schema.Span {
	var blocks []schema.Span
	for i := range page.Fences {
		blocks = append(blocks, page.Fences[i].Span)
	}
	for i := range page.Math {
		blocks = append(blocks, page.Math[i].Span)
	}
	blocks = merged(blocks)
	out := slices.Clone(blocks)
	at := page.Body
	for _, b := range append(blocks, schema.Span{Start: len(page.Source), End: len(page.Source)}) {
		if b.Start > at {
			out = appendCodeSpans(out, page.Source, schema.Span{Start: at, End: b.Start})
		}
		at = max(at, b.End)
	}
	return merged(out)
})

// merged returns spans in order, those that overlap or touch as one.
func merged(spans []schema.Span) []schema.Span {
	slices.SortFunc(spans, func(a, b schema.Span) int { return a.Start - b.Start })
	out := spans[:0]
	for _, s := range spans {
		if k := len(out) - 1; k >= 0 && s.Start <= out[k].End {
			out[k].End = max(out[k].End, s.End)
			continue
		}
		out = append(out, s)
	}
	return out
}

// appendCodeSpans appends the code spans in a part of the text. None continues in the
// next paragraph.
func appendCodeSpans(out []schema.Span, src []byte, span schema.Span) []schema.Span {
	blank := blankLine(span.In(src))
	for span.Len() > 0 {
		end := span.End
		if i := bytes.Index(src[span.Start:span.End], blank); i >= 0 {
			end = span.Start + i + len(blank)
		}
		out = appendCodeOf(out, src, schema.Span{Start: span.Start, End: end})
		span.Start = end
	}
	return out
}

// appendCodeOf appends the `code` in a paragraph: from each run of backticks
// to the next of the same length (CommonMark 0.31, 6.1).
func appendCodeOf(out []schema.Span, src []byte, paragraph schema.Span) []schema.Span {
	var runs []schema.Span
	for i := paragraph.Start; i < paragraph.End; i++ {
		k := bytes.IndexByte(src[i:paragraph.End], '`')
		if k < 0 {
			break
		}
		r := schema.Span{Start: i + k, End: i + k}
		for r.End < paragraph.End && src[r.End] == '`' {
			r.End++
		}
		i = r.End
		runs = append(runs, r)
	}
	next := make([]int, len(runs)) // the run that closes the one of the same place
	last := map[int]int{}
	for i := len(runs) - 1; i >= 0; i-- {
		next[i] = last[runs[i].Len()]
		last[runs[i].Len()] = i
	}
	for i := 0; i < len(runs); i++ {
		escaped := runs[i].Len() == 1 && runs[i].Start > paragraph.Start && src[runs[i].Start-1] == '\\'
		if k := next[i]; k > i && !escaped {
			out = append(out, schema.Span{Start: runs[i].Start, End: runs[k].End})
			i = k
		}
	}
	return out
}

// blankLine returns the end of a line and the blank line after it as text has
// them.
func blankLine(text []byte) []byte {
	if bytes.Contains(text, []byte("\r\n")) {
		return []byte("\n\r\n")
	}
	return []byte("\n\n")
}

// within reports whether an offset is in one of spans, which are in order and
// do not overlap.
func within(spans []schema.Span, offset int) bool {
	i := sort.Search(len(spans), func(i int) bool { return spans[i].Start > offset })
	return i > 0 && offset < spans[i-1].End
}

// inCode reports whether the text at offset is code.
func inCode(p *linter.Pass, page *schema.Page, offset int) bool {
	return within(verbatimFact.Of(p, page), offset)
}

// nearby bounds how far around a place its context is looked for, in bytes.
const nearby = 400

// before returns the text of the same paragraph before an offset, at most
// nearby bytes of it.
func before(src []byte, offset int) []byte {
	b := src[max(0, offset-nearby):offset]
	if blank := blankLine(b); bytes.Contains(b, blank) {
		b = b[bytes.LastIndex(b, blank)+len(blank):]
	}
	return b
}

// quoted reports whether the text at span is quoted: in quotation marks, or emphasised
// as a whole.
func quoted(src []byte, span schema.Span) bool {
	b := before(src, span.Start)
	trimmed := strings.TrimRight(string(b), "([ .\u2026")
	for _, mark := range []string{`'`, "\u2018", "\u201a", "\u00ab", "\u2039", "\u300c", "\u300e", "`", `\"`} {
		if strings.HasSuffix(trimmed, mark) {
			return true
		}
	}
	if bytes.Count(b, []byte(`"`))%2 == 1 {
		return true
	}
	if bytes.LastIndex(b, []byte("\u201c")) > bytes.LastIndex(b, []byte("\u201d")) {
		return true
	}
	if n := len(b); n > 0 && (b[n-1] == '*' || b[n-1] == '_') {
		rest := src[span.End:min(len(src), span.End+nearby)]
		if i := bytes.IndexByte(rest, b[n-1]); i >= 0 && bytes.IndexByte(rest[:i], '\n') < 0 {
			return true
		}
	}
	return false
}

// commented reports whether what stands at offset is in a comment of the page.
func commented(page *schema.Page, offset int) bool {
	if within(page.Comments, offset) {
		return true
	}
	defs := page.Definitions
	i := sort.Search(len(defs), func(i int) bool { return defs[i].Span.Start > offset })
	return i > 0 && offset < defs[i-1].Span.End && commentLabel(defs[i-1])
}

// lineOfText returns the line that offset is in, of at most nearby bytes on
// each side, and where it begins.
func lineOfText(src []byte, offset int) (line []byte, start int) {
	start = max(0, offset-nearby)
	start += bytes.LastIndexByte(src[start:offset], '\n') + 1
	end := min(len(src), offset+nearby)
	if i := bytes.IndexByte(src[offset:end], '\n'); i >= 0 {
		end = offset + i
	}
	return src[start:end], start
}
