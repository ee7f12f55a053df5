package markdown

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"go.abhg.dev/goldmark/wikilink"

	"github.com/loopwiki/wiki/schema"
)

var wikilinks = &wikilink.Parser{}

// wikilink reads [[…]] whose brackets begin at open, one byte after the cursor for an
// embed. Text that only looks like a wikilink is reported.
func (s *state) wikilink(c cursor, open int, embed bool, r text.Reader) ast.Node {
	from := c.pos
	end, how := wikilinkEnd(s.src[open+2 : c.stop])
	switch how {
	case wikiNone:
		return nil
	case wikiUnclosed:
		why := "is not closed on its line: expected ]]"
		if rest := bytes.TrimLeft(s.src[c.stop:], " \t"); len(rest) > 0 && rest[0] == '|' {
			why = `ends with its table cell, at the |: expected [[page\|label]]`
		}
		s.malformed(schema.Span{Start: from, End: open + 2 + end}, why)
		return nil
	}
	span := schema.Span{Start: from, End: open + 2 + end + 2}
	inner := schema.Span{Start: open + 2, End: span.End - 2}
	l := wikilinkOf(s.src, span, inner, embed)
	if l.Raw == "" || !s.isWikilink(span, inner) {
		why := "has no target: expected [[page]]"
		if l.Raw != "" {
			why = "has an empty label: expected [[page|label]] or [[page]]"
		}
		s.malformed(span, why)
		c.pos = span.End
		return take(formText, from, &c, r)
	}
	c.pos = span.End
	node := &inline{form: formWikilink, span: span, inner: inner, link: l}
	if c.pos < c.stop && s.src[c.pos] == '(' {
		after := c
		if t, ok := s.target(&after); ok && t.dest.Len() > 0 {
			node.link = either(l, t, schema.Span{Start: from, End: after.pos}, s.src)
			node.span = node.link.Span
			c = after
		}
	}
	s.deactivate()
	c.apply(r)
	return node
}

// isWikilink reports whether the text between the brackets is a wikilink. A target alone
// always is; one with a label is parsed by the library.
func (s *state) isWikilink(span, inner schema.Span) bool {
	if inner.Len() > 0 && bytes.IndexByte(inner.In(s.src), '|') < 0 {
		return true
	}
	n, ok := wikilinks.Parse(nil, text.NewReader(span.In(s.src)), nil).(*wikilink.Node)
	return ok && n != nil
}

func (s *state) malformed(span schema.Span, why string) {
	shown := span.In(s.src)
	if len(shown) > 60 {
		shown = append(bytes.ToValidUTF8(shown[:60], nil), "…"...)
	}
	s.fault(schema.FaultMalformedWikilink, span, "wikilink "+string(shown)+" "+why)
}

type wikiEnding uint8

const (
	wikiNone     wikiEnding = iota // text that is not an attempt at a wikilink
	wikiClosed                     // ]] at the offset returned
	wikiUnclosed                   // the text up to the offset returned has no ]]
)

// wikilinkEnd finds the end of a wikilink on its line, after [[. It stops at the next
// [[, so that a line is read once.
func wikilinkEnd(b []byte) (int, wikiEnding) {
	if len(b) == 0 {
		return 0, wikiNone
	}
	nested, open := false, 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case ']':
			if i+1 >= len(b) {
				continue
			}
			if b[i+1] == ']' {
				if nested {
					return 0, wikiNone
				}
				return i, wikiClosed
			}
			nested = nested || b[i+1] == '(' || b[i+1] == '['
			open--
		case '[':
			if i+1 < len(b) && b[i+1] == '[' {
				return unclosed(b[:i], nested)
			}
			nested = nested || open < 0 // [[2|3], [5|7]] is a list of lists
			open++
		case '\n':
			return unclosed(b[:i], nested)
		}
	}
	return unclosed(b, nested)
}

func unclosed(b []byte, nested bool) (int, wikiEnding) {
	b = bytes.TrimRight(b, " \t\r")
	// [[no] shutdown] is a synopsis; [[page] lacks a bracket.
	nested = nested || bytes.Count(b, []byte("]")) >= bytes.Count(b, []byte("["))+2
	if nested || len(b) == 0 || b[0] == '^' || b[0] == ' ' || (b[0] < 0x80 && !isAlnum(b[0]) && b[0] != '#') {
		return 0, wikiNone
	}
	return len(b), wikiUnclosed
}

// wikilinkOf reads target, fragment and label of the text between [[ and ]].
func wikilinkOf(src []byte, span, inner schema.Span, embed bool) *link {
	l := &link{}
	l.Syntax, l.Embed, l.Span = schema.SyntaxWikilink, embed, span
	dest := inner
	if i := bytes.IndexByte(inner.In(src), '|'); i >= 0 {
		dest.End = inner.Start + i
		l.LabelAt = trimSpan(src, schema.Span{Start: dest.End + 1, End: inner.End})
		l.Label = strings.ToValidUTF8(string(l.LabelAt.In(src)), "\uFFFD")
		if dest.End > dest.Start && src[dest.End-1] == '\\' {
			dest.End-- // the pipe is escaped, as it must be in a table
		}
	}
	l.Dest = trimSpan(src, dest)
	l.Raw = string(l.Dest.In(src))
	target, fragment, hash := strings.Cut(l.Raw, "#")
	l.Target, l.Fragment, l.Hash = strings.TrimSpace(target), strings.TrimSpace(fragment), hash
	i := strings.Index(l.Raw, "://")
	l.External = i > 0 && hasScheme(l.Raw[:i+1])
	return l
}

// either is [[a]](b): a markdown link labelled [a], or the wikilink a with a
// note behind it. Only the whole wiki knows which.
func either(wiki *link, t inlineTarget, span schema.Span, src []byte) *link {
	l := &link{title: t.title, wikiEnd: wiki.Span.End}
	l.Syntax, l.Embed, l.Span, l.Dest = schema.SyntaxInline, wiki.Embed, span, t.dest
	l.LabelAt = wiki.Span
	l.Label = wiki.Label
	if l.Label == "" {
		l.Label = wiki.Raw
	}
	setTarget(&l.Link, plainDest(t.dest.In(src)))
	if !l.External {
		l.Wiki = &wiki.Link
	}
	return l
}

// trimSpan takes white space off both ends.
func trimSpan(src []byte, s schema.Span) schema.Span {
	for s.Start < s.End && isSpace(src[s.Start]) {
		s.Start++
	}
	for s.End > s.Start && isSpace(src[s.End-1]) {
		s.End--
	}
	return s
}
