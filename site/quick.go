package site

import (
	"regexp/syntax"
	"strings"
	"unicode"

	"github.com/alecthomas/chroma/v2"
)

// quick matches a pattern at a place, without going back: it returns where the
// match ends, [noMatch], or [notKnown] when only the expression can tell, which
// it is then asked. Engines differ in what they make of characters beyond
// ASCII, so that these are never known. It reads every character a number of
// times that the pattern bounds.
type quick func(text []rune, at int) int

const (
	noMatch  = -1
	notKnown = -2
)

// newQuick returns nil for a pattern that needs more than literals, classes,
// greedy repetitions of one character, alternatives and ends of words.
func newQuick(pattern string, c *chroma.Config) quick {
	// With the former names begin in many lexers. chroma's engine takes digits too.
	pattern = strings.ReplaceAll(pattern, `[^\W\d]`, `\w`)
	re, ok := parse(pattern, c)
	if !ok {
		return nil
	}
	return quickly(re, func(_ []rune, at int) int { return at })
}

// quickly matches re and then what comes next.
func quickly(re *syntax.Regexp, next quick) quick {
	switch re.Op {
	case syntax.OpEmptyMatch:
		return next
	case syntax.OpLiteral:
		for i := len(re.Rune) - 1; i >= 0 && next != nil; i-- {
			next = one(&syntax.Regexp{Op: syntax.OpLiteral, Flags: re.Flags, Rune: re.Rune[i : i+1]}, next)
		}
		return next
	case syntax.OpCharClass, syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return one(re, next)
	case syntax.OpCapture:
		return quickly(re.Sub[0], next)
	case syntax.OpConcat:
		for i := len(re.Sub) - 1; i >= 0 && next != nil; i-- {
			next = quickly(re.Sub[i], next)
		}
		return next
	case syntax.OpAlternate:
		return anyOf(re.Sub, next)
	case syntax.OpStar, syntax.OpPlus:
		return many(re, next)
	case syntax.OpWordBoundary:
		return wordEnd(next)
	}
	return nil
}

// class is the set of ASCII characters that re matches, nil if it matches more than one
// character.
func class(re *syntax.Regexp) *[128]bool {
	var can [128]bool
	switch {
	case re.Op == syntax.OpLiteral && len(re.Rune) == 1, re.Op == syntax.OpCharClass, re.Op == syntax.OpAnyChar:
		first(re, &can)
	case re.Op == syntax.OpAnyCharNotNL:
		first(re, &can)
		can['\n'] = false
	case re.Op == syntax.OpCapture:
		return class(re.Sub[0])
	default:
		return nil
	}
	return &can
}

func one(re *syntax.Regexp, next quick) quick {
	can := class(re)
	return func(text []rune, at int) int {
		switch {
		case at >= len(text):
			return noMatch
		case !certain(text[at]):
			return notKnown
		case !can[text[at]]:
			return noMatch
		}
		return next(text, at+1)
	}
}

// many takes as much as it can get; when the rest does not fit then, less may.
func many(re *syntax.Regexp, next quick) quick {
	can := class(re.Sub[0])
	if can == nil || re.Flags&syntax.NonGreedy != 0 {
		return nil
	}
	return func(text []rune, at int) int {
		end := at
		for end < len(text) && certain(text[end]) && can[text[end]] {
			end++
		}
		switch {
		case end < len(text) && !certain(text[end]):
			return notKnown
		case end == at && re.Op == syntax.OpPlus:
			return noMatch
		}
		if out := next(text, end); out >= 0 || end == at {
			return out
		}
		return notKnown
	}
}

// anyOf matches the first alternative that matches together with next.
func anyOf(subs []*syntax.Regexp, next quick) quick {
	var list []quick
	for _, sub := range subs {
		q := quickly(sub, next)
		if q == nil {
			return nil
		}
		list = append(list, q)
	}
	return func(text []rune, at int) int {
		for _, q := range list {
			if out := q(text, at); out != noMatch {
				return out
			}
		}
		return noMatch
	}
}

func wordEnd(next quick) quick {
	return func(text []rune, at int) int {
		before, after := false, false
		if at > 0 {
			if !certain(text[at-1]) {
				return notKnown
			}
			before = isWordRune(text[at-1])
		}
		if at < len(text) {
			if !certain(text[at]) {
				return notKnown
			}
			after = isWordRune(text[at])
		}
		if before == after {
			return noMatch
		}
		return next(text, at)
	}
}

// certain reports whether engines agree on a character.
func certain(r rune) bool {
	return r < unicode.MaxASCII && (r >= ' ' || r == '\n' || r == '\t' || r == '\r')
}

func isWordRune(r rune) bool { return r == '_' || isWordByte(byte(r)) }
