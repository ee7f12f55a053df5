package site

import (
	"bytes"
	"html"
	"slices"
	"strings"
)

// stripMarkup takes the markup out of a piece of a paragraph: what a reader
// would see, near enough for an excerpt.
func stripMarkup(s string) string { return string(appendStripped(nil, []byte(s))) }

// appendStripped appends s without its markup. It reads every character a
// bounded number of times.
func appendStripped(dst, s []byte) []byte {
	dst = slices.Grow(dst, len(s))
	from := len(dst)
	for i := 0; i < len(s); {
		start := i
		for i < len(s) && !mayBeMarkup(s, i) {
			i++
		}
		if dst = append(dst, s[start:i]...); i == len(s) {
			break
		}
		n := 0
		if dst, n = markupAt(dst, s, i); n == 0 {
			dst, n = append(dst, s[i]), 1
		}
		i += n
	}
	if bytes.IndexByte(dst[from:], '&') >= 0 {
		dst = append(dst[:from], html.UnescapeString(string(dst[from:]))...)
	}
	return dst
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
func mayBeMarkup(s []byte, i int) bool {
	return inText[s[i]] || inLine[s[i]] && (i == 0 || s[i-1] == '\n')
}

// maxMarkup bounds how far the end of a piece of markup is looked for.
const maxMarkup = 400

// markupAt handles the markup at i, appends its text and returns its length; 0 if there
// is none.
func markupAt(dst, s []byte, i int) ([]byte, int) {
	rest := s[i:]
	window := rest[:min(len(rest), maxMarkup)]
	lineStart := i == 0 || s[i-1] == '\n'
	switch c := s[i]; {
	case c == '\\' && len(rest) > 1 && strings.IndexByte("\\`*_{}[]()#+-.!|>~=<", rest[1]) >= 0:
		return append(dst, rest[1]), 2
	case c == '`' || c == '*' || c == '~' && begins(rest, "~~") || begins(rest, "=="):
		return dst, run(rest, c)
	case c == '_' && (i == 0 || !isWordByte(s[i-1]) || len(rest) == 1 || !isWordByte(rest[1])):
		return dst, run(rest, c)
	case begins(rest, "[["), begins(rest, "![["):
		open := bytes.Index(rest, []byte("[[")) + 2
		if end := bytes.Index(window, []byte("]]")); end > open && bytes.IndexByte(window[open:end], '\n') < 0 {
			target := window[open:end]
			if _, label, ok := bytes.Cut(target, []byte{'|'}); ok {
				target = label
			}
			return append(dst, bytes.TrimSuffix(target, []byte{'\\'})...), end + 2
		}
	case begins(rest, "[^"):
		if end := bytes.IndexByte(window, ']'); end > 0 {
			return dst, end + 1
		}
	case begins(rest, "!["):
		return dst, 1
	case c == '[':
		return inlineLink(dst, window)
	case c == '<' && len(rest) > 1 && (isWordByte(rest[1]) || rest[1] == '/' || rest[1] == '!'):
		if end := bytes.IndexByte(window, '>'); end > 0 {
			if bytes.Contains(window[:end], []byte("://")) { // an autolink
				dst = append(dst, window[1:end]...)
			}
			return dst, end + 1
		}
	case lineStart && strings.IndexByte(" >#-+|", c) >= 0:
		return append(dst, ' '), len(rest) - len(bytes.TrimLeft(rest, " >#-+|"))
	case c == '|':
		return append(dst, ' '), 1
	}
	return dst, 0
}

func begins(s []byte, prefix string) bool {
	return len(s) >= len(prefix) && string(s[:len(prefix)]) == prefix
}

// inlineLink appends the label of [label](target), [label][ref] or a checkbox.
func inlineLink(dst, s []byte) ([]byte, int) {
	for _, box := range []string{"[ ] ", "[x] ", "[X] "} {
		if begins(s, box) {
			return dst, len(box)
		}
	}
	mid := bytes.Index(s, []byte("]("))
	if mid < 0 || bytes.ContainsAny(s[1:mid], "[]") {
		return dst, 0
	}
	end := bytes.IndexByte(s[mid:], ')')
	if end < 0 {
		return dst, 0
	}
	return append(dst, bytes.Trim(s[1:mid], "`*_")...), mid + end + 1
}

// run returns how often c is repeated at the beginning of s.
func run(s []byte, c byte) int {
	n := 1
	for n < len(s) && s[n] == c {
		n++
	}
	return n
}

func isWordByte(c byte) bool {
	return c >= 0x80 || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}
