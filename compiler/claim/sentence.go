package claim

import (
	"bytes"
	"unicode/utf8"

	"github.com/loopwiki/wiki/schema"
	"github.com/zeebo/xxh3"
)

const (
	// leastLetters is the minimum length of a sentence's words, in bytes, for two with
	// equal words to likely be one claim.
	leastLetters = 24
	// longestSentence is the longest sentence that is compared, in bytes.
	longestSentence = 600
)

// sentences notes the sentences with a number in them, by their other words.
func (r *reader) sentences(all []block) {
	var buffer [longestSentence]byte
	for i := range all {
		src := all[i].span.In(r.page.Source)
		for start := 0; start < len(src); {
			end := start + sentenceEnd(src[start:])
			if text := src[start:end]; len(text) <= longestSentence && bytes.ContainsAny(text, "0123456789") {
				if words, ok := maskedWords(buffer[:0], text); ok {
					at := trimmed(r.page.Source, schema.Span{Start: all[i].span.Start + start, End: all[i].span.Start + end})
					r.out.Sentences = append(r.out.Sentences, Sentence{Hash: xxh3.Hash(words), At: at})
				}
			}
			start = end
		}
	}
}

// sentenceEnd returns where the first sentence of a text ends.
func sentenceEnd(text []byte) int {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case (c == '.' || c == '!' || c == '?') && i+1 < len(text) && (text[i+1] == ' ' || text[i+1] == '\n'):
			return i + 1
		case c == 0xE3 && bytes.HasPrefix(text[i:], []byte("。")):
			return i + 3
		}
	}
	return len(text)
}

// maskedWords appends the words of a sentence in lower case, with # for each number. ok is false when they are
// too few.
func maskedWords(b, text []byte) (words []byte, ok bool) {
	letters, numbers, gap := 0, 0, true
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c >= '0' && c <= '9':
			i += NumberAt(text[i:])
			b = append(b, '#')
			numbers++
			gap = false
			continue
		case c >= 'A' && c <= 'Z':
			b = append(b, c|0x20)
			letters++
			gap = false
		case letter(c), c >= utf8.RuneSelf:
			b = append(b, c)
			letters++
			gap = false
		case c == ' ' || c == '\n' || c == '\t' || c == '\r':
			if !gap {
				b = append(b, ' ')
			}
			gap = true
		case c != '*' && c != '_' && c != '`':
			b = append(b, c)
			gap = false
		}
		i++
	}
	return bytes.TrimSpace(b), numbers > 0 && letters >= leastLetters
}

// Numbers returns the places of the numbers in a sentence, in order.
func Numbers(text []byte) []schema.Span {
	var out []schema.Span
	for i := 0; i < len(text); {
		n := NumberAt(text[i:])
		if n > 0 {
			out = append(out, schema.Span{Start: i, End: i + n})
		}
		i += max(n, 1)
	}
	return out
}
