package claim

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// emptyWords tell no attribute from another.
var emptyWords = wordSet(`a an and are as at be by for from in is it its of on or our per that the this to was with`)

func wordSet(list string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		m[w] = true
	}
	return m
}

// Words returns the words that tell one name from another: in lower case, in the singular, without
// those that say nothing, each once, sorted. snake_case and camelCase are words.
func Words(name string) []string {
	var out []string
	for _, w := range split(name) {
		if !emptyWords[w] {
			out = append(out, singular(w))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// split returns the words of a name in lower case.
func split(name string) []string {
	var out []string
	for w := range wordsOf(name) {
		out = append(out, strings.ToLower(w))
	}
	return out
}

// wordsOf yields the words of a name as written.
func wordsOf(name string) iter.Seq[string] {
	return func(yield func(string) bool) {
		start, lower := -1, false
		for i, r := range name {
			switch {
			case !unicode.IsLetter(r) && !unicode.IsNumber(r):
				if start >= 0 && !yield(name[start:i]) {
					return
				}
				start, lower = -1, false
				continue
			case start < 0:
				start = i
			case unicode.IsUpper(r) && lower:
				if !yield(name[start:i]) {
					return
				}
				start = i
			}
			lower = unicode.IsLower(r)
		}
		if start >= 0 {
			yield(name[start:])
		}
	}
}

// appendLower appends a text in lower case.
func appendLower(b []byte, text string) []byte {
	for i := range len(text) {
		c := text[i]
		if c >= utf8.RuneSelf {
			return append(b, strings.ToLower(text[i:])...)
		}
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		b = append(b, c)
	}
	return b
}

// longestWord bounds, in bytes, the words that are looked for in a list.
const longestWord = 40

// oneOf reports whether a set contains a word, ignoring case.
func oneOf(word string, among map[string]bool) bool {
	var b [longestWord]byte
	return among[string(appendLower(b[:0], word))]
}

// singular folds the plural of an English noun; other words don't change.
func singular(w string) string {
	switch n := len(w); {
	case n < 4 || w[n-1] != 's' || w[n-2] == 's' || w[n-2] == 'u' || w[n-2] == 'i':
		return w
	case strings.HasSuffix(w, "ies"):
		return w[:n-3] + "y"
	case strings.HasSuffix(w, "sses"), strings.HasSuffix(w, "xes"), strings.HasSuffix(w, "ches"), strings.HasSuffix(w, "shes"):
		return w[:n-2]
	}
	return w[:len(w)-1]
}

// Fold returns the form in which names of rows, columns and fields are compared: letter case and accents
// folded, markup and the marks around words left out, words in the singular. What can tell two names
// apart stays: C, C++ and C#, B/16 and B/32, < 5 and > 5.
func Fold(text string) string {
	text = foldCase(text)
	var b strings.Builder
	b.Grow(len(text))
	start, gap := 0, false
	word := func() {
		if w := singular(b.String()[start:]); start+len(w) < b.Len() {
			kept := b.String()[:start] + w
			b.Reset()
			b.WriteString(kept)
		}
		start = b.Len()
	}
	for _, r := range text {
		if unicode.IsSpace(r) || strings.ContainsRune("*_`~[](){}\"'“”‘’«»:;,.!?-–—\\|", r) {
			if !gap && b.Len() > start {
				word()
			}
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte(' ')
			start = b.Len()
		}
		gap = false
		b.WriteRune(r)
	}
	word()
	return b.String()
}

// foldCase folds letter case and accents.
func foldCase(text string) string {
	ascii := true
	for i := 0; i < len(text) && ascii; i++ {
		ascii = text[i] < utf8.RuneSelf
	}
	if ascii {
		return strings.ToLower(text)
	}
	decomposed := norm.NFKD.String(strings.ToLower(text))
	return norm.NFC.String(strings.Map(func(r rune) rune {
		if r >= 0x0300 && r <= 0x036f { // combining accents of Latin, Greek and Cyrillic letters
			return -1
		}
		return r
	}, decomposed))
}
