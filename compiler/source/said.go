package source

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/loopwiki/wiki/schema"
)

// statement is a word of a page that may state a value.
type statement struct {
	text string
	at   schema.Span // of the word, or of a number with its unit
	// amount is what the words from this one on say when they are a number;
	// figure is the number alone, and at what stands there with its unit.
	amount *amount
	figure schema.Span
	bare   bool // no unit and no noun follows the number
	spoken bool // in words, or in several parts: half a minute
}

// statements returns the words of a part of a page, code spans included. What
// stands in fences, comments, formulas and quotations is left out, and so are
// addresses: they state nothing.
func statements(page *schema.Page, span schema.Span) []statement {
	var out []statement
	skip := unsaid(page)
	src := page.Source
	for at := span.Start; at < span.End; {
		for len(skip) > 0 && skip[0].End <= at {
			skip = skip[1:]
		}
		if len(skip) > 0 && skip[0].Contains(at) {
			at = skip[0].End
			continue
		}
		r, size := utf8.DecodeRune(src[at:])
		if !wordRune(r) {
			at += size
			continue
		}
		end := wordEnd(src, at, span.End)
		out = append(out, statement{text: string(src[at:end]), at: schema.Span{Start: at, End: end}})
		at = end
	}
	(&amounts{src: src, words: out}).read()
	return out
}

// wordEnd returns where the word ends that begins at a place: one mark between
// letters or digits is part of it.
func wordEnd(src []byte, at, end int) int {
	for at < end {
		r, size := utf8.DecodeRune(src[at:])
		if !wordRune(r) {
			if !strings.ContainsRune(".,_-/:", r) || at+size >= end {
				return at
			}
			if next, _ := utf8.DecodeRune(src[at+size:]); !wordRune(next) {
				return at
			}
		}
		at += size
	}
	return end
}

// unsaid returns the parts of a page that are no statements of its own, in order.
func unsaid(page *schema.Page) []schema.Span {
	var out []schema.Span
	for i := range page.Fences {
		out = append(out, page.Fences[i].Span)
	}
	for i := range page.Links {
		out = append(out, page.Links[i].Dest)
	}
	for i := range page.Citations {
		out = append(out, page.Citations[i].Span)
	}
	for i := range page.Math {
		out = append(out, page.Math[i].Span)
	}
	for i := range page.Definitions {
		out = append(out, page.Definitions[i].Span)
	}
	for i := range page.Fields {
		if strings.EqualFold(page.Fields[i].Key, "code") {
			out = append(out, page.Fields[i].Span)
		}
	}
	out = append(append(out, page.Comments...), quoted(page)...)
	slices.SortFunc(out, func(a, b schema.Span) int { return cmp.Or(a.Start-b.Start, b.End-a.End) })
	return out
}

// quoted returns the lines of a page that quote somebody. A callout is written
// as a quotation and is none.
func quoted(page *schema.Page) []schema.Span {
	var out []schema.Span
	for n := range page.Lines.Lines() {
		line := page.Lines.Line(n + 1)
		if text := bytes.TrimLeft(line.In(page.Source), " "); len(text) == 0 || text[0] != '>' {
			continue
		}
		if !slices.ContainsFunc(page.Callouts, func(c schema.Callout) bool { return c.Span.Contains(line.Start) }) {
			out = append(out, line)
		}
	}
	return out
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }
