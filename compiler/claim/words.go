package claim

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
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

// Words returns the words that tell one name from another: folded, without
// those that say nothing, reduced to their stems, each once, sorted.
// snake_case and camelCase are words.
func Words(name string) []string { return English().Words(name) }

// Words is [Words] by the words of a lexicon.
func (l *Lexicon) Words(name string) []string {
	out := l.Concepts(name)
	if strings.HasSuffix(name, " A") || strings.HasSuffix(name, "-a") || strings.HasSuffix(name, "_a") {
		out = append(out, "a") // which of several
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Concepts returns what the words of a name say, in their order, without those that say
// nothing.
func (l *Lexicon) Concepts(name string) []string {
	var out []string
	for w := range wordsOf(name) {
		if m := l.meetName(w); !m.is(isEmpty) {
			out = append(out, m.word)
		}
	}
	return out
}

// split returns the words of a name in lower case.
func split(name string) []string {
	var out []string
	for w := range wordsOf(name) {
		out = append(out, strings.ToLower(w))
	}
	return out
}

// wordsOf are the words of a name as they are written.
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

// oneOf reports whether a word, in whatever case, is among others.
func oneOf(word string, among map[string]bool) bool {
	var b [longestWord]byte
	return among[string(appendLower(b[:0], word))]
}

// endings are taken off a word, the first that fits, if enough is left. This is
// far less than a stemmer does: what it misses is not compared.
var endings = []struct {
	text string
	left int // how many bytes are left at least
}{{"ations", 4}, {"ation", 4}, {"ating", 4}, {"ated", 4}, {"ates", 4}, {"ate", 4}, {"ings", 4}, {"ing", 3}, {"ions", 4}, {"ion", 4}, {"ies", 3}, {"ied", 3},
	{"ed", 3}, {"es", 4}, {"s", 3}, {"y", 4}, {"e", 4}}

// stem reduces an English word to what its inflections have in common.
func stem(w string) string {
	if w == "station" || w == "stations" { // is no state
		return "station"
	}
	if strings.HasSuffix(w, "ss") || strings.HasSuffix(w, "us") || strings.HasSuffix(w, "is") || strings.HasSuffix(w, "eed") {
		return w
	}
	for _, e := range endings {
		rest, ok := strings.CutSuffix(w, e.text)
		if !ok || len(rest) < e.left || e.text == "y" && strings.HasSuffix(rest, "ll") || e.text == "y" && strings.IndexByte("aeiou", rest[len(rest)-1]) >= 0 {
			continue
		}
		if len(rest) == 3 && (e.text == "ies" || e.text == "ied") {
			return rest + "y" // bodies, copied: what ends in y keeps it behind three letters
		}
		if n := len(rest); (e.text == "ing" || e.text == "ed") && n > 3 && rest[n-1] == rest[n-2] && rest[n-1] != 'l' && rest[n-1] != 's' {
			rest = rest[:n-1]
		} else if (e.text == "ing" || e.text == "ed") && n == 3 && short(rest) {
			return rest + "e" // taking, baked: a verb of three letters would have doubled its last
		}
		return rest
	}
	return w
}

// short reports whether three letters are a consonant, a vowel, and a consonant that is
// doubled before an ending.
func short(w string) bool {
	vowel := func(c byte) bool { return strings.IndexByte("aeiou", c) >= 0 }
	return !vowel(w[0]) && vowel(w[1]) && !vowel(w[2]) && strings.IndexByte("wxy", w[2]) < 0
}
