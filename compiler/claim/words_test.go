package claim

import (
	"slices"
	"strings"
	"testing"
	"unicode"
)

// wordRunes is what [split] does, a letter at a time.
func wordRunes(name string) (out []string) {
	var b strings.Builder
	flush := func() {
		if b.Len() > 0 {
			out = append(out, strings.ToLower(b.String()))
			b.Reset()
		}
	}
	lower := false
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsNumber(r) {
			flush()
			lower = false
			continue
		}
		if unicode.IsUpper(r) && lower {
			flush()
		}
		lower = unicode.IsLower(r)
		b.WriteRune(r)
	}
	flush()
	return out
}

// FuzzWords compares the words of a name, and what is remembered of them, with looking
// each up anew.
func FuzzWords(f *testing.F) {
	for _, name := range []string{"", "maxBodySize", "MAX_BODY_SIZE", "Größe der Pumpe", "x\xffY1z", "the stations' Limits", "ÄÖÜ aÄb", strings.Repeat("long", 20) + "Word", "2.5 GB"} {
		f.Add(name)
	}
	l := English()
	f.Fuzz(func(t *testing.T, name string) {
		if got := string(appendLower(nil, name)); got != strings.ToLower(name) {
			t.Fatalf("%q in lower case: %q", name, got)
		}
		words := wordRunes(name)
		if got := split(name); !slices.Equal(got, words) {
			t.Fatalf("%q: %q, want %q", name, got, words)
		}
		var concepts []string
		for _, w := range words {
			if !emptyWords[w] {
				concepts = append(concepts, l.concept(w))
			}
		}
		for range 2 { // looked up, and remembered
			if got := l.Concepts(name); !slices.Equal(got, concepts) {
				t.Fatalf("%q: %q, want %q", name, got, concepts)
			}
		}
	})
}

// Words with digits are in lists, too; numbers and identifiers are in none.
func TestWordsWithDigits(t *testing.T) {
	t.Parallel()
	l := English()
	for word, want := range map[string]classes{"q3": isMoment, "arm64": isScope, "p12345": 0, "2026": 0, "14,000": 0} {
		if got := l.classOf(word); got != want {
			t.Errorf("%s: %b, want %b", word, got, want)
		}
	}
}
