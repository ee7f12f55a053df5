package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// breaks are characters that allow a line to break, and are otherwise nothing.
const breaks = "\u00ad\u200b"

// fillers are characters that take no room, and are no control characters.
const fillers = "\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0"

// joins reports a character that changes how the one before it is written: a joiner, or a
// selector of a variant. In a row they spell what nobody sees.
func joins(r rune) bool {
	return r == 0x200c || r == 0x200d || unicode.Is(unicode.Variation_Selector, r)
}

// ForModel returns s for a prompt: a model reads what a person who looks at s sees. Beside
// what [Clean] escapes these are other invisible characters; those that only allow a line
// to break are left out. A joiner or selector stays where one is needed: behind a visible
// character, as in emoji and in many scripts.
func ForModel(s string) string {
	s = Clean(s)
	if !strings.ContainsFunc(s, func(r rune) bool { return joins(r) || strings.ContainsRune(breaks+fillers, r) }) {
		return s
	}
	out := make([]byte, 0, len(s))
	before, last := ' ', ' ' // the two characters that are in front
	for _, r := range s {
		switch {
		case strings.ContainsRune(breaks, r):
			continue
		case strings.ContainsRune(fillers, r), joins(r) && !mayJoin(before, last, r):
			out = visible(out, r)
		default:
			out = utf8.AppendRune(out, r)
		}
		before, last = last, r
	}
	return string(out)
}

// mayJoin reports whether a joiner or selector has its place behind two characters: behind
// a visible one, or, as in emoji of several people, a joiner behind a selector.
func mayJoin(before, last, r rune) bool {
	if joins(last) {
		return r == 0x200d && last != 0x200c && last != r && !joins(before) && !unicode.IsSpace(before)
	}
	return !unicode.IsSpace(last) && !strings.ContainsRune(fillers, last)
}
