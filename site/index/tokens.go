package index

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// maxTerm bounds a term in code points; longer words are cut.
const maxTerm = 40

// unspaced are the scripts that are written without spaces between words, and
// Hangul, whose words carry their particles: they are indexed as pairs of
// characters.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
	unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

func isUnspaced(r rune) bool { return r == 'ー' || r >= 0xe00 && unicode.In(r, unspaced...) }

func isWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// letters are the folds that Unicode's decompositions do not give.
var letters = map[rune]string{
	'ß': "ss", 'æ': "ae", 'œ': "oe", 'ø': "o", 'đ': "d", 'ð': "d", 'þ': "th", 'ł': "l", 'ħ': "h", 'ı': "i", 'ς': "σ",
}

// isAccent reports whether r is a mark that readers leave out when they
// search: Latin, Greek and Cyrillic diacritics, Hebrew points, Arabic vowels.
func isAccent(r rune) bool {
	return r >= 0x300 && r <= 0x36f || r >= 0x591 && r <= 0x5c7 || r >= 0x64b && r <= 0x65f || r == 0x670
}

// Fold returns s in the form in which words are compared: compatibility
// composed, lower case, without diacritics.
func Fold(s string) string {
	if isPlain(s) {
		return strings.ToLower(s)
	}
	s = norm.NFD.String(strings.ToLower(norm.NFKC.String(s)))
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		if isAccent(r) {
			continue
		}
		if sub, ok := letters[r]; ok {
			b.WriteString(sub)
			continue
		}
		b.WriteRune(r)
	}
	return norm.NFC.String(b.String())
}

func isPlain(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// Terms calls yield with every term under which text is found: its words, the
// parts of identifiers (parseHTTPRequest, snake_case) beside the whole, and
// pairs of characters in scripts without spaces.
func Terms(text string, yield func(term string)) {
	split(text, func(word string) { wordTerms(word, yield) }, func(run []rune) {
		pairs(run, yield)
		if len(run) > 1 {
			yield(string(run[len(run)-1:]))
		}
	})
}

// wordTerms yields the terms of a word in a script with spaces.
func wordTerms(word string, yield func(term string)) {
	some := func(word string) {
		if t := cut(Fold(word)); t != "" { // a mark without its letter folds to nothing
			yield(t)
		}
	}
	whole := strings.Trim(word, "_")
	some(whole)
	if oneWord(whole) {
		return
	}
	if parts := identifier(whole); len(parts) > 1 {
		for _, p := range parts {
			some(p)
		}
	}
}

// Query returns the terms of a query: whole words, and pairs of characters.
// The script of the site does the same; they share their test vectors.
func Query(text string) []string {
	var out []string
	split(text, func(word string) {
		if t := cut(Fold(strings.Trim(word, "_"))); t != "" {
			out = append(out, t)
		}
	}, func(run []rune) {
		pairs(run, func(t string) { out = append(out, t) })
	})
	return out
}

// split cuts text into words and runs of unspaced characters; the latter are
// folded.
func split(text string, word func(string), run func([]rune)) {
	if isPlain(text) {
		plainWords(text, word)
		return
	}
	text = norm.NFKC.String(text)
	for _, w := range strings.FieldsFunc(text, func(r rune) bool { return !isWord(r) }) {
		if isPlain(w) {
			word(w)
			continue
		}
		runes := []rune(w)
		for from := 0; from < len(runes); {
			to := from + 1
			for to < len(runes) && isUnspaced(runes[to]) == isUnspaced(runes[from]) {
				to++
			}
			if isUnspaced(runes[from]) {
				run([]rune(Fold(string(runes[from:to]))))
			} else {
				word(string(runes[from:to]))
			}
			from = to
		}
	}
}

// plainWords cuts text that is all ASCII into words.
func plainWords(text string, word func(string)) {
	from := -1
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '_':
			if from < 0 {
				from = i
			}
		case from >= 0:
			word(text[from:i])
			from = -1
		}
	}
	if from >= 0 {
		word(text[from:])
	}
}

func pairs(run []rune, yield func(string)) {
	if len(run) == 1 {
		yield(string(run))
	}
	for i := 0; i+1 < len(run); i++ {
		yield(string(run[i : i+2]))
	}
}

// oneWord reports, without much ado, that a word is no identifier of several.
func oneWord(word string) bool {
	for i := 0; i < len(word); i++ {
		if c := word[i]; c >= 0x80 || c == '_' || i > 0 && c >= 'A' && c <= 'Z' {
			return false
		}
	}
	return true
}

// identifier cuts a word where its author did: at underscores, before a
// capital that follows a small letter or a digit, and before the last of
// several capitals when a small letter follows it.
func identifier(word string) []string {
	var parts []string
	runes := []rune(word)
	from := 0
	end := func(to int) {
		if to > from {
			parts = append(parts, string(runes[from:to]))
		}
		from = to
	}
	for i, r := range runes {
		switch {
		case r == '_':
			end(i)
			from = i + 1
		case i == 0 || !unicode.IsUpper(r):
		case unicode.IsLower(runes[i-1]) || unicode.IsNumber(runes[i-1]),
			unicode.IsUpper(runes[i-1]) && i+1 < len(runes) && unicode.IsLower(runes[i+1]):
			end(i)
		}
	}
	end(len(runes))
	return parts
}

func cut(s string) string {
	if len(s) <= maxTerm {
		return s
	}
	n := 0
	for i := range s {
		if n == maxTerm {
			return s[:i]
		}
		n++
	}
	return s
}
