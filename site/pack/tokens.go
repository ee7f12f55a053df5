package pack

import (
	"math"
	"unicode"
	"unicode/utf8"
)

// Tokens estimates how many tokens a text has for a model, from above. The weights were
// fitted to the encoding o200k on pages and code; texts of 2,500 tokens were estimated at
// 1.0 to 1.25 times their tokens. See tokens_test.go.
func Tokens(s string) int {
	var e estimate
	kind, from := none, 0
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		if k := kindOf(r); k != kind {
			e.add(kind, s[from:i], k)
			kind, from = k, i
		}
		i += size
	}
	e.add(kind, s[from:], none)
	return int(math.Ceil(margin * e.tokens))
}

// margin is what is added to the fitted weights, so that no kind of text is too low.
const margin = 1.03

// kind is a class of characters. Tokens don't cross classes, but for a space before a
// word, which costs nothing.
type kind uint8

const (
	none   kind = iota
	latin       // letters of words with spaces between them
	letter      // letters of other alphabets
	han
	kana // and Hangul
	digit
	punctuation // ASCII
	symbol      // what else is visible
	space
	newline
)

func kindOf(r rune) kind {
	switch {
	case r == '\n' || r == '\r':
		return newline
	case r < utf8.RuneSelf:
		switch {
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z':
			return latin
		case r >= '0' && r <= '9':
			return digit
		case r <= ' ':
			return space
		}
		return punctuation
	case unicode.Is(unicode.Han, r):
		return han
	case unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Hangul):
		return kana
	case unicode.IsLetter(r) || unicode.IsMark(r):
		if r < 0x250 {
			return latin
		}
		return letter
	case unicode.IsSpace(r):
		return space
	case unicode.IsDigit(r):
		return digit
	}
	return symbol
}

type estimate struct{ tokens float64 }

// add counts a run of characters of one kind; next is the kind behind it.
func (e *estimate) add(k kind, run string, next kind) {
	n := float64(utf8.RuneCountInString(run))
	switch k {
	case latin:
		e.words(run)
	case letter:
		e.tokens += 0.5 * n
	case han:
		e.tokens += 0.53 + 0.741*n
	case kana:
		e.tokens += 0.7 * n
	case digit:
		e.tokens += 1.348 * math.Ceil(n/3)
	case punctuation:
		e.signs(run, 0.856, 0.489, 2.569)
	case symbol:
		e.signs(run, 1.264, 1.264, 3)
	case space:
		if n > 1 || next == newline || next == digit {
			e.tokens += 0.938 * max(1, n/80)
		}
	case newline:
		e.tokens += 0.51 + 0.02*(n-1)
	}
}

// words counts the words of an identifier: parseHTTPRequest has three.
func (e *estimate) words(run string) {
	length, upper, accents := 0, 0, 0
	end := func() {
		l := float64(length)
		switch {
		case length == 0:
		case upper == length && length > 1:
			e.tokens += 1.377 + 0.171*(l-2)
		default:
			e.tokens += 0.992 + 0.08*max(0, l-5) + 0.058*max(0, l-7) + 0.145*max(0, l-10)
		}
		e.tokens += 1.438 * float64(accents)
		length, upper, accents = 0, 0, 0
	}
	for _, r := range run {
		if up := unicode.IsUpper(r); up {
			if upper < length { // a small letter is before it
				end()
			}
			upper++
		} else if upper == length && upper > 1 { // the last capital begins a word
			length, upper = length-1, upper-1
			end()
			length, upper = 1, 1
		}
		if r >= utf8.RuneSelf {
			accents++
		}
		length++
	}
	end()
}

// signs counts punctuation: long runs of one sign are cheap, as in the rule of a table.
func (e *estimate) signs(run string, first, more, rule float64) {
	begun := false
	for len(run) > 0 {
		r, size := utf8.DecodeRuneInString(run)
		n := 1
		rest := run[size:]
		for len(rest) > 0 {
			if next, size := utf8.DecodeRuneInString(rest); next == r && size > 0 {
				n, rest = n+1, rest[size:]
				continue
			}
			break
		}
		run = rest
		switch {
		case n >= 4:
			e.tokens += rule + 1.509*float64(n)/16
		case begun:
			e.tokens += more * float64(n)
		default:
			e.tokens += first + more*float64(n-1)
		}
		begun = true
	}
}
