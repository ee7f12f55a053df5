package site

import (
	"html"
	"strings"
)

// stripMarkup takes the markup out of a piece of a paragraph: what a reader
// would see, near enough for an excerpt. It reads every character a bounded
// number of times.
func stripMarkup(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		if from := i; !mayBeMarkup(s, i) {
			for i++; i < len(s) && !mayBeMarkup(s, i); i++ {
			}
			b.WriteString(s[from:i])
			continue
		}
		n := markupAt(s, i, &b)
		if n == 0 {
			b.WriteByte(s[i])
			n = 1
		}
		i += n
	}
	return html.UnescapeString(b.String())
}

// Characters with which markup can begin, anywhere and at the start of a line.
var inText, inLine = charSet("\\`*~=_![<|"), charSet("\\`*~=_![<| >#-+|")

func charSet(chars string) (set [256]bool) {
	for i := range len(chars) {
		set[chars[i]] = true
	}
	return set
}

// mayBeMarkup reports whether markup can begin at i, cheaply.
func mayBeMarkup(s string, i int) bool {
	return inText[s[i]] || inLine[s[i]] && (i == 0 || s[i-1] == '\n')
}

// maxMarkup bounds how far the end of a piece of markup is looked for.
const maxMarkup = 400

// markupAt handles the markup that begins at i, writes what is left of it and
// returns its length; 0 when there is none.
func markupAt(s string, i int, b *strings.Builder) int {
	rest := s[i:]
	window := rest[:min(len(rest), maxMarkup)]
	lineStart := i == 0 || s[i-1] == '\n'
	switch c := s[i]; {
	case c == '\\' && len(rest) > 1 && strings.IndexByte("\\`*_{}[]()#+-.!|>~=<", rest[1]) >= 0:
		b.WriteByte(rest[1])
		return 2
	case c == '`' || c == '*' || c == '~' && strings.HasPrefix(rest, "~~") || strings.HasPrefix(rest, "=="):
		return run(rest, c)
	case c == '_' && (i == 0 || !isWordByte(s[i-1]) || len(rest) == 1 || !isWordByte(rest[1])):
		return run(rest, c)
	case strings.HasPrefix(rest, "[["), strings.HasPrefix(rest, "![["):
		open := strings.Index(rest, "[[") + 2
		if end := strings.Index(window, "]]"); end > open && !strings.Contains(window[open:end], "\n") {
			target := window[open:end]
			if _, label, ok := strings.Cut(target, "|"); ok {
				target = label
			}
			b.WriteString(strings.TrimSuffix(target, `\`))
			return end + 2
		}
	case strings.HasPrefix(rest, "[^"):
		if end := strings.IndexByte(window, ']'); end > 0 {
			return end + 1
		}
	case strings.HasPrefix(rest, "!["):
		return 1
	case c == '[':
		return inlineLink(window, b)
	case c == '<' && len(rest) > 1 && (isWordByte(rest[1]) || rest[1] == '/' || rest[1] == '!'):
		if end := strings.IndexByte(window, '>'); end > 0 {
			if strings.Contains(window[:end], "://") { // an autolink
				b.WriteString(window[1:end])
			}
			return end + 1
		}
	case lineStart && strings.IndexByte(" >#-+|", c) >= 0:
		n := len(rest) - len(strings.TrimLeft(rest, " >#-+|"))
		b.WriteByte(' ')
		return n
	case c == '|':
		b.WriteString(" ")
		return 1
	}
	return 0
}

// inlineLink writes the label of [label](target), [label][ref] or a checkbox.
func inlineLink(s string, b *strings.Builder) int {
	for _, box := range []string{"[ ] ", "[x] ", "[X] "} {
		if strings.HasPrefix(s, box) {
			return len(box)
		}
	}
	mid := strings.Index(s, "](")
	if mid < 0 || strings.ContainsAny(s[1:mid], "[]") {
		return 0
	}
	end := strings.IndexByte(s[mid:], ')')
	if end < 0 {
		return 0
	}
	b.WriteString(strings.Trim(s[1:mid], "`*_"))
	return mid + end + 1
}

// run returns how often c is repeated at the beginning of s.
func run(s string, c byte) int {
	n := 1
	for n < len(s) && s[n] == c {
		n++
	}
	return n
}

func isWordByte(c byte) bool {
	return c >= 0x80 || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}
