package rules

import (
	"bytes"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// phrase is a sequence of words that is looked for in any letter case, with
// white space, emphasis and a few marks between the words.
type phrase struct {
	slots []phraseSlot
	opens bool // only at the beginning of a line
}

// phraseSlot is one word of a phrase, of which there may be a choice.
type phraseSlot struct {
	words    []string
	optional bool
}

// newPhrase reads a phrase: words, with | between those of a choice, a ? before
// one that may be missing. One that begins with ^ opens a line.
func newPhrase(text string) *phrase {
	p := &phrase{}
	text, p.opens = strings.CutPrefix(text, "^")
	for word := range strings.FieldsSeq(text) {
		word, optional := strings.CutPrefix(word, "?")
		p.slots = append(p.slots, phraseSlot{strings.Split(word, "|"), optional})
	}
	return p
}

// longestOpening bounds how far from the beginning of its line a phrase that
// opens it has its gram, and longestWord how long a word is, in bytes.
const (
	longestOpening = 90
	longestWord    = 30
)

// match finds the phrase around the word that the gram at offset at begins in,
// or before which it has a space.
func (p *phrase) match(src []byte, at int) (schema.Span, bool) {
	if p.opens {
		return p.matchLine(src, at)
	}
	start := max(at, 0)
	if !wordByte(src[start]) {
		start++
	}
	for from := start; start > 0 && from-start < longestWord && wordByte(src[start-1]); {
		start--
	}
	for k := range p.slots {
		next := p.slots[k].skip(src, start)
		if next == start {
			continue
		}
		if end, ok := p.forward(src, k+1, next); ok {
			if from, ok := p.backward(src, k-1, start); ok {
				return schema.Span{Start: from, End: end}, true
			}
		}
	}
	return schema.Span{}, false
}

// matchLine finds the phrase at the beginning of the line.
func (p *phrase) matchLine(src []byte, at int) (schema.Span, bool) {
	start := at + 1
	if at >= 0 && src[at] != '\n' {
		from := max(0, at-longestOpening)
		i := bytes.LastIndexByte(src[from:at], '\n')
		if i < 0 && from > 0 {
			return schema.Span{}, false
		}
		start = from + i + 1
	}
	for start < len(src) && bytes.IndexByte([]byte(" \t>*_"), src[start]) >= 0 {
		start++
	}
	end, ok := p.forward(src, 0, start)
	return schema.Span{Start: start, End: end}, ok && end > at
}

// forward returns where the phrase ends whose slots from k on begin at offset
// i, or behind the gap after it.
func (p *phrase) forward(src []byte, k, i int) (end int, ok bool) {
	end = i
	for ; k < len(p.slots); k++ {
		s := &p.slots[k]
		word := i
		if k > 0 {
			word += gapLength(src[i:])
		}
		next := s.skip(src, word)
		switch {
		case next > word && (k == 0 || word > i):
			i, end = next, next
		case !s.optional:
			return 0, false
		}
	}
	return end, true
}

// backward returns where the phrase begins whose slots up to k end before
// offset i.
func (p *phrase) backward(src []byte, k, i int) (start int, ok bool) {
	for ; k >= 0; k-- {
		s := &p.slots[k]
		gap := i
		for gap > 0 && i-gap < longestGap && between(src[gap-1]) {
			gap--
		}
		before := gap
		if gap < i {
			before = s.skipBack(src, gap)
		}
		switch {
		case before < gap:
			i = before
		case !s.optional:
			return 0, false
		}
	}
	return i, true
}

// skipBack returns the beginning of the word that ends at i if it is one of
// the slot's, else i.
func (s *phraseSlot) skipBack(src []byte, i int) int {
	start := i
	for start > 0 && i-start < longestWord && (wordByte(src[start-1]) || start > 1 && src[start-1] == '\'' && wordByte(src[start-2])) {
		start--
	}
	for _, w := range s.words {
		if n := wordLength(src[start:i], w); n == i-start && n > 0 {
			return start
		}
	}
	return i
}

// skip returns the end of the word at i if it is one of the slot's, else i. Of
// here and here's it is the longer.
func (s *phraseSlot) skip(src []byte, i int) int {
	longest := 0
	for _, w := range s.words {
		longest = max(longest, wordLength(src[i:], w))
	}
	return i + longest
}

// wordLength returns how many bytes of b the word w takes, 0 when b does not
// begin with it. An apostrophe may be a typographic one.
func wordLength(b []byte, w string) int {
	i := 0
	for k := range len(w) {
		switch {
		case i < len(b) && (b[i] == w[k] || 'A' <= b[i] && b[i] <= 'Z' && b[i]|0x20 == w[k]):
			i++
		case w[k] == '\'' && bytes.HasPrefix(b[i:], []byte("\u2019")):
			i += len("\u2019")
		default:
			return 0
		}
	}
	if i < len(b) && wordByte(b[i]) {
		return 0
	}
	return i
}

// longestGap is how much may are between two words of a phrase, in bytes.
const longestGap = 6

func between(c byte) bool {
	switch c {
	case ' ', '\t', '\r', '\n', '*', '_', ',', '!', '-':
		return true
	}
	return false
}

// gapLength returns how much of b may are between two words of a phrase.
func gapLength(b []byte) int {
	n := 0
	for n < len(b) && n < longestGap && between(b[n]) {
		n++
	}
	return n
}

// literal returns a matcher of text in any letter case, whose gram is at
// its byte offset.
func literal(text string, offset int) func(src []byte, at int) (schema.Span, bool) {
	want := []byte(text)
	return func(src []byte, at int) (schema.Span, bool) {
		start := at - offset
		if start < 0 || start+len(want) > len(src) || !bytes.EqualFold(src[start:start+len(want)], want) {
			return schema.Span{}, false
		}
		return schema.Span{Start: start, End: start + len(want)}, true
	}
}

// watchPhrases watches for phrases and literals on behalf of a rule. The n of
// a watcher is the place in the list.
func watchPhrases(rule string, list []phrasePattern) bool {
	for n, s := range list {
		if s.literal == "" {
			watch(rule, n, newPhrase(s.phrase).match, s.grams...)
			continue
		}
		offset := strings.Index(s.literal, s.grams[0])
		if offset < 0 {
			panic("rules: " + s.grams[0] + " is not in " + s.literal)
		}
		watch(rule, n, literal(s.literal, offset), s.grams[0])
	}
	return true
}

// phrasePattern is something that pages say, by phrase or to the letter, and the
// grams that it is found by.
type phrasePattern struct {
	phrase, literal string
	grams           []string
	what            string // for the message
	hidden          bool   // of interest only where readers do not see it
}

func by(grams ...string) []string { return grams }
