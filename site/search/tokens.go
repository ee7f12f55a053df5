package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

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

// isAccent reports whether r is a mark that is ignored in search: Latin, Greek and
// Cyrillic diacritics, Hebrew points, Arabic vowels.
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

// run is a word of a text, or a stretch of characters without spaces.
type run struct {
	from, to int // in the normalized text
	unspaced bool
}

// eachRun splits NFKC text into runs. An apostrophe separates words, so that elided
// articles are separate; hyphens within words and the signs of C++, C# and .NET don't.
func eachRun(text string, yield func(run)) {
	for at := 0; at < len(text); {
		r, size := rune(text[at]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[at:])
		}
		if !isWord(r) {
			at += size
			continue
		}
		from, kind := at, isUnspaced(r)
		for at = skipWord(text, at, kind); !kind && at < len(text) && text[at] == '-'; {
			next := skipWord(text, at+1, false)
			if next == at+1 {
				break
			}
			at = next
		}
		if kind {
			yield(run{from, at, true})
			continue
		}
		from, at = signs(text, from, at)
		yield(run{from: from, to: at})
	}
}

// skipWord returns where the characters of words at a place of a text end, those without
// spaces or the others.
func skipWord(text string, at int, unspaced bool) int {
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		if !isWord(r) || isUnspaced(r) != unspaced {
			break
		}
		at += size
	}
	return at
}

// signs extends the word text[from:to] by a dot before a letter, or by ++ or #
// behind it, if no other word is there.
func signs(text string, from, to int) (int, int) {
	if from > 0 && text[from-1] == '.' {
		first, _ := utf8.DecodeRuneInString(text[from:])
		before, _ := utf8.DecodeLastRuneInString(text[:from-1])
		if unicode.IsLetter(first) && before != '.' && !isWord(before) {
			from--
		}
	}
	for _, sign := range [...]string{"++", "#"} {
		if strings.HasPrefix(text[to:], sign) {
			next, _ := utf8.DecodeRuneInString(text[to+len(sign):])
			if isUnspaced(next) || !isWord(next) && next != '+' && next != '#' {
				return from, to + len(sign)
			}
		}
	}
	return from, to
}

// Terms calls yield with every term under which text is found: its words, the
// parts of identifiers (parseHTTPRequest, snake_case, Out-Default) next to the whole, and
// pairs of characters in scripts without spaces.
func Terms(text string, yield func(term string)) {
	if !isPlain(text) {
		text = norm.NFKC.String(text)
	}
	eachRun(text, func(r run) {
		if !r.unspaced {
			wordTerms(text[r.from:r.to], yield)
			return
		}
		chars := []rune(Fold(text[r.from:r.to]))
		for i := range chars {
			yield(string(chars[i:min(i+2, len(chars))]))
		}
	})
}

// wordTerms yields the terms of a word. A mark without a letter has none.
func wordTerms(word string, yield func(string)) {
	some := func(word string) {
		if t := cut(Fold(word)); t != "" {
			yield(t)
		}
	}
	whole := strings.Trim(word, "_")
	some(whole)
	if oneWord(whole) {
		return
	}
	if parts := identifier(whole); len(parts) > 1 || parts[0] != whole {
		for _, p := range parts {
			some(p)
		}
	}
}

// oneWord reports, without much ado, that a word is not an identifier of several.
func oneWord(word string) bool {
	for i := 0; i < len(word); i++ {
		if c := word[i]; c >= 0x80 || c == '_' || c < '0' || i > 0 && c >= 'A' && c <= 'Z' {
			return false
		}
	}
	return true
}

// identifier splits an identifier: at punctuation, hyphens and underscores, before a
// capital after a small letter or digit, and before the last of several capitals if a
// small letter follows. A word of signs alone is one.
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
		case r == '_' || r == '-' || r == '.' || r == '+' || r == '#':
			end(i)
			from = i + 1
		case i == 0 || !unicode.IsUpper(r):
		case unicode.IsLower(runes[i-1]) || unicode.IsNumber(runes[i-1]),
			unicode.IsUpper(runes[i-1]) && i+1 < len(runes) && unicode.IsLower(runes[i+1]):
			end(i)
		}
	}
	end(len(runes))
	if parts == nil {
		return []string{word}
	}
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

// place is a word of a text, or a pair of characters, with its span.
type place struct {
	text     string   // folded
	terms    []string // under which it is found
	from, to int      // in the text
}

// eachPlace yields the words of a text in order, those with hyphens by their parts,
// and the pairs of characters: of a stretch of one character that one.
func eachPlace(text string, yield func(place)) {
	normal, source := normalize(text)
	eachRun(normal, func(r run) {
		s := normal[r.from:r.to]
		if r.unspaced {
			eachPair(s, func(from, to int) {
				pair := Fold(s[from:to])
				yield(place{pair, []string{pair}, source(r.from + from), source(r.from + to)})
			})
			return
		}
		at, whole := r.from, cut(Fold(strings.Trim(s, "_")))
		for part := range strings.SplitSeq(s, "-") {
			p := place{text: cut(Fold(strings.Trim(part, "_"))), from: source(at), to: source(at + len(part))}
			if at += len(part) + 1; p.text == "" {
				continue
			}
			wordTerms(part, func(t string) { p.terms = append(p.terms, t) })
			if len(part) < len(s) {
				p.terms = append(p.terms, whole)
			}
			yield(p)
		}
	})
}

// eachPair yields where the pairs of characters of a stretch lie, or its only one.
func eachPair(s string, yield func(from, to int)) {
	last, before := -1, -1 // beginnings of characters
	for i := range s {
		if before >= 0 {
			yield(before, i)
		}
		before, last = last, i
	}
	yield(max(before, 0), len(s))
}

// normalize returns a text in NFKC, and where in the text a place of it lies.
func normalize(text string) (string, func(int) int) {
	if norm.NFKC.IsNormalString(text) {
		return text, func(at int) int { return at }
	}
	var b strings.Builder
	var at, from []int // where pieces that are normalized on their own begin
	var it norm.Iter
	for it.InitString(norm.NFKC, text); !it.Done(); {
		at, from = append(at, b.Len()), append(from, it.Pos())
		b.Write(it.Next())
	}
	from = append(from, len(text))
	end := b.Len()
	return b.String(), func(to int) int {
		if to >= end {
			return len(text)
		}
		i, _ := slices.BinarySearch(at, to) // within a piece: behind it
		return from[i]
	}
}
