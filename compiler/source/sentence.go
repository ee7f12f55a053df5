package source

import (
	"bytes"
	"slices"
	"strings"
	"unicode"

	"github.com/loopwiki/wiki/schema"
)

// clause returns the part of a sentence around a place that no comma or semicolon
// ends.
func clause(src []byte, in, at schema.Span) schema.Span {
	for i := in.Start; i+1 < in.End; i++ {
		if src[i] != ',' && src[i] != ';' || src[i+1] != ' ' {
			continue
		}
		if i < at.Start {
			in.Start = i + 1
		} else if i >= at.End {
			in.End = i
		}
	}
	return in
}

// sentence returns the part of the paragraph around a place that no full stop,
// no item of a list and no row of a table ends.
func sentence(src []byte, at schema.Span) schema.Span {
	in := paragraph(src, at)
	for i := in.Start; i+1 < in.End; i++ {
		if !breaks(src[i:in.End]) {
			continue
		}
		if i < at.Start {
			in.Start = i + 1
		} else if i >= at.End {
			in.End = i
		}
	}
	return in
}

// breaks reports whether a sentence ends with the first byte of a text.
func breaks(text []byte) bool {
	switch text[0] {
	case '.', '!', '?':
		return text[1] == ' ' || text[1] == '\n'
	case '\n':
		next := bytes.TrimLeft(text[1:], " \t")
		return len(next) > 0 && (bytes.IndexByte([]byte("-*+|#>"), next[0]) >= 0 || next[0] >= '0' && next[0] <= '9')
	}
	return false
}

// paragraph returns the lines around a place up to an empty one.
func paragraph(src []byte, at schema.Span) schema.Span {
	p := schema.Span{Start: bytes.LastIndex(src[:at.Start], []byte("\n\n")) + 1, End: len(src)}
	if i := bytes.Index(src[at.End:], []byte("\n\n")); i >= 0 {
		p.End = at.End + i
	}
	return p
}

// mentions reports whether text holds the name as a word of its own, however
// its parts are put together: MaxBody, max_body and "max body" are one name.
func mentions(text []byte, name string) bool { return len(occurrences(text, name)) > 0 }

// occurrences returns where text holds a name; see mentions.
func occurrences(text []byte, name string) []int {
	want, have := parts(name), parts(string(text))
	var out []int
	for i := 0; len(want) > 0 && i+len(want) <= len(have); i++ {
		if slices.EqualFunc(want, have[i:i+len(want)], func(a, b part) bool { return a.word == b.word }) {
			out = append(out, have[i].at)
		}
	}
	return out
}

// part is a word of a name or a text, in lower case.
type part struct {
	word string
	at   int
}

// parts splits a text into words, also where a capital begins one.
func parts(text string) []part {
	var out []part
	start, lower := -1, false
	end := func(at int) {
		if start >= 0 {
			out = append(out, part{strings.ToLower(text[start:at]), start})
		}
		start = -1
	}
	for i, r := range text {
		switch {
		case !wordRune(r):
			end(i)
		case lower && unicode.IsUpper(r):
			end(i)
			start = i
		case start < 0:
			start = i
		}
		lower = unicode.IsLower(r) || unicode.IsDigit(r)
	}
	end(len(text))
	return out
}
