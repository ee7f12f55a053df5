package linter

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// Suppression hides findings of a rule on a page: a comment such as <!--
// wiki-lint-disable-next-line RULE -- reason -->, or an entry of lint.disable in front
// matter. It must not be changed.
type Suppression struct {
	Path string
	By   SuppressedBy
	Span schema.Span // the comment or the entry, as written
	// Twin is the comment that ends only this block, empty if there is none. It has no
	// effect without the block.
	Twin   schema.Span
	Rules  []SuppressedRule // none stands for every rule
	Reason string           // white space folded; empty when none is given
	// Fault says why it can't be understood; it suppresses nothing then.
	Fault string
	// Stray is set on a comment that enables what nothing disables.
	Stray bool

	scope scope
	entry entry
}

// SuppressedRule is a rule that a [Suppression] names.
type SuppressedRule struct {
	ID   string
	Span schema.Span
}

// scope is how far a suppression reaches.
type scope uint8

const (
	scopeNone scope = iota
	scopeNextLine
	scopeLine
	scopeBlock
	scopeFile
	scopeEnable // ends a block
)

// verbs are the directives by their name after wiki-lint-.
var verbs = map[string]scope{
	"disable-next-line": scopeNextLine,
	"disable-line":      scopeLine,
	"disable":           scopeBlock,
	"disable-file":      scopeFile,
	"enable":            scopeEnable,
}

var verbNames = []string{"disable-next-line", "disable-line", "disable", "disable-file", "enable"}

// directivePrefix begins every directive; letter case does not matter.
const directivePrefix = "wiki-lint"

// parseComment reads a comment, <!-- … --> or %% … %%. ok is false for one that
// is not a directive.
func parseComment(page *schema.Page, span schema.Span) (s Suppression, ok bool) {
	inner := trim(page.Source, commentBody(page.Source, span))
	text := inner.In(page.Source)
	if len(text) < len(directivePrefix) || !strings.EqualFold(string(text[:len(directivePrefix)]), directivePrefix) {
		return s, false
	}
	s = Suppression{Path: page.Path, By: ByComment, Span: span}
	rest := text[len(directivePrefix):]
	word := rest[min(1, len(rest)):]
	if i := bytes.IndexFunc(word, unicode.IsSpace); i >= 0 {
		word = word[:i]
	}
	verb := strings.ToLower(string(word))
	if len(rest) == 0 || rest[0] != '-' {
		if !strings.Contains(verb, "able") { // prose that begins with the name
			return s, false
		}
		s.Fault = fmt.Sprintf("unknown directive %q; write it with hyphens, as in wiki-lint-disable-next-line", clipped(text))
		return s, true
	}
	if s.scope = verbs[verb]; s.scope == scopeNone {
		s.Fault = fmt.Sprintf("unknown directive %q; expected wiki-lint-disable-next-line, -disable-line, -disable, -disable-file or -enable", clipped(text))
		if near, ok := schema.Nearest(verb, verbNames); ok {
			s.Fault = fmt.Sprintf("unknown directive %q; did you mean %q?", directivePrefix+"-"+verb, directivePrefix+"-"+near)
		}
		return s, true
	}
	s.read(page.Source, schema.Span{Start: inner.Start + len(directivePrefix) + 1 + len(word), End: inner.End})
	return s, true
}

// clipped returns the first words of a text, for a message.
func clipped(directive []byte) string {
	const most = 40
	s := text.Collapse(string(bytes.ToValidUTF8(directive[:min(len(directive), 4*most)], []byte("\uFFFD"))))
	if r := []rune(s); len(r) > most {
		s = string(r[:most]) + "…"
	}
	return s
}

// commentBody returns the content of a comment without its delimiters.
func commentBody(src []byte, span schema.Span) schema.Span {
	text := span.In(src)
	for _, mark := range [][2]string{{"<!--", "-->"}, {"%%", "%%"}} {
		if bytes.HasPrefix(text, []byte(mark[0])) && len(text) >= len(mark[0])+len(mark[1]) {
			body := schema.Span{Start: span.Start + len(mark[0]), End: span.End}
			if trimmed := bytes.TrimRightFunc(text, unicode.IsSpace); bytes.HasSuffix(trimmed, []byte(mark[1])) {
				body.End = span.Start + len(trimmed) - len(mark[1])
			}
			return body
		}
	}
	return schema.Span{Start: span.Start, End: span.Start}
}

// trim leaves the white space at both ends of a span out.
func trim(src []byte, span schema.Span) schema.Span {
	text := span.In(src)
	left := bytes.TrimLeftFunc(text, unicode.IsSpace)
	return schema.Span{Start: span.End - len(left), End: span.End - len(left) + len(bytes.TrimRightFunc(left, unicode.IsSpace))}
}

// read reads RULE, RULE -- reason.
func (s *Suppression) read(src []byte, at schema.Span) {
	names, reason := cutReason(src, at)
	s.Reason = text.Collapse(string(reason.In(src)))
	names = trim(src, names)
	for names.Len() > 0 {
		name := names
		if i := bytes.IndexByte(names.In(src), ','); i >= 0 {
			name.End = names.Start + i
		}
		names.Start = min(name.End+1, names.End)
		name = trim(src, name)
		text := name.In(src)
		if bytes.IndexFunc(text, unicode.IsSpace) >= 0 {
			s.Fault = fmt.Sprintf("%q is not a rule; separate rules with commas, and put -- before the reason", clipped(text))
			return
		}
		if len(text) > 0 {
			s.Rules = append(s.Rules, SuppressedRule{ID: string(text), Span: name})
		}
	}
}

// cutReason splits at the first -- between spaces, which an editor may have
// made a dash of.
func cutReason(src []byte, at schema.Span) (names, reason schema.Span) {
	text := at.In(src)
	for i := 0; i < len(text); {
		mark := 0
		switch {
		case text[i] == '-' && bytes.HasPrefix(text[i:], []byte("--")):
			mark = 2
		case text[i] >= utf8.RuneSelf && (bytes.HasPrefix(text[i:], []byte("—")) || bytes.HasPrefix(text[i:], []byte("–"))):
			mark = len("—")
		default:
			i++
			continue
		}
		before := i == 0 || isSpace(text[i-1])
		if before && (i+mark == len(text) || isSpace(text[i+mark])) {
			return schema.Span{Start: at.Start, End: at.Start + i}, schema.Span{Start: at.Start + i + mark, End: at.End}
		}
		i += mark
	}
	return at, schema.Span{Start: at.End, End: at.End}
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// Ends reports whether it ends a block and suppresses nothing itself.
func (s *Suppression) Ends() bool { return s.scope == scopeEnable }
