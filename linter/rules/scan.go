package rules

import (
	"encoding/binary"
	"slices"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

// watcher checks the places of a page with one of its grams: four bytes that are rare in
// text and part of everything that it looks for. The grams of all watchers are searched
// in one pass, whatever their number.
type watcher struct {
	rule string
	n    int // tells the watchers of one rule apart
	// match reports what is found around the gram at offset at. It is called
	// for places that only look alike too, and must look at a bounded number of
	// bytes before at, so that a page of nothing but grams is read in time
	// proportional to its length. At is -1 for a gram that begins with the line
	// feed that is imagined before the page.
	match func(src []byte, at int) (schema.Span, bool)
}

// hit is a match of a watcher.
type hit struct {
	schema.Span
	by *watcher
}

// gram is four bytes, with ASCII letters in lower case.
type gram uint32

const foldGram = 0x20202020

func gramOf(s string) gram {
	return gram(binary.LittleEndian.Uint32([]byte(s)) | foldGram)
}

// watched holds the watchers of every rule by their grams, and a table that
// says of almost every place of a text that no gram is there.
var watched = struct {
	slots [1 << slotBits]byte // 1 where there is a gram
	by    map[gram][]*watcher
}{by: map[gram][]*watcher{}}

// slotBits is the size of the table as a power of two: small enough to stay in
// the nearest cache, large enough that few places share a slot by chance.
const slotBits = 15

// slot is the slot of a gram in the hash table: the upper bits of its product with the
// golden ratio (Knuth, The Art of Computer Programming, 6.4).
func slot(g uint32) uint32 { return g * 0x9E3779B1 >> (32 - slotBits) }

// watch adds a watcher for places with any of grams, of four ASCII bytes each.
// It is called while variables are initialised, never later.
func watch(rule string, n int, match func(src []byte, at int) (schema.Span, bool), grams ...string) bool {
	w := &watcher{rule: rule, n: n, match: match}
	for _, s := range grams {
		if len(s) != 4 {
			panic("rules: " + s + " is no gram of four bytes")
		}
		g := gramOf(s)
		watched.slots[slot(uint32(g))] = 1
		if !slices.Contains(watched.by[g], w) {
			watched.by[g] = append(watched.by[g], w)
		}
	}
	return true
}

// scan is the result of one pass over a page.
type scan struct {
	hits []hit // in order of rule and place, each place once for each watcher
	// odd are the offsets of characters that may be invisible or mean something
	// else than they seem; see odd.
	odd []int
	// accents reports whether there are letters that may be decomposed.
	accents bool
}

// scanFact is the scan of a page, with front matter and code. Rules check the few places
// that it finds instead of the page.
var scanFact = linter.NewPageFact(scanPage)

// emptyScan is the scan of most pages.
var emptyScan = &scan{}

func scanPage(page *schema.Page) *scan {
	src := page.Source
	if len(src) < 4 {
		return emptyScan
	}
	s := &scan{}
	s.grams(src, -1, binary.LittleEndian.Uint32([]byte{'\n', src[0], src[1], src[2]}))
	i := 0
	for {
		if i = skipPlain(src, i); i+8 > len(src) {
			break
		}
		s.four(src, i)
		i += 4
	}
	for ; i < len(src); i += 4 {
		s.four(src, i)
	}
	if len(s.hits) == 0 && len(s.odd) == 0 && !s.accents {
		return emptyScan
	}
	slices.SortFunc(s.hits, compareHits)
	s.hits = slices.Compact(s.hits)
	return s
}

// skipPlain returns the first offset from i on, in steps of four, such that the
// four places from there may have a gram or the first byte of an odd character,
// or that is less than eight bytes from the end.
func skipPlain(src []byte, i int) int {
	slots := &watched.slots
	for ; i+8 <= len(src); i += 4 {
		x := binary.LittleEndian.Uint64(src[i:])
		if x&0x80808080 != 0 && leads[byte(x)]|leads[byte(x>>8)]|leads[byte(x>>16)]|leads[byte(x>>24)] != 0 {
			break
		}
		x |= foldGram<<32 | foldGram
		if slots[slot(uint32(x))]|slots[slot(uint32(x>>8))]|slots[slot(uint32(x>>16))]|slots[slot(uint32(x>>24))] != 0 {
			break
		}
	}
	return i
}

// four looks at the four places from i.
func (s *scan) four(src []byte, i int) {
	s.beyondASCII(src, i)
	for k := i; k < i+4 && k+4 <= len(src); k++ {
		s.grams(src, k, binary.LittleEndian.Uint32(src[k:]))
	}
}

func compareHits(a, b hit) int {
	switch {
	case a.by.rule != b.by.rule:
		if a.by.rule < b.by.rule {
			return -1
		}
		return 1
	case a.Start != b.Start:
		return a.Start - b.Start
	case a.End != b.End:
		return b.End - a.End // the longer first
	}
	return a.by.n - b.by.n
}

// grams asks the watchers of a gram.
func (s *scan) grams(src []byte, at int, g uint32) {
	g |= foldGram
	if watched.slots[slot(g)] == 0 {
		return
	}
	for _, w := range watched.by[gram(g)] {
		if span, ok := w.match(src, at); ok {
			s.hits = append(s.hits, hit{span, w})
		}
	}
}

// of returns what the watchers of a rule found, in order, without what lies
// within another.
func (s *scan) of(rule string) []hit {
	var out []hit
	for _, h := range s.hits {
		if h.by.rule == rule && (len(out) == 0 || h.Start >= out[len(out)-1].End) {
			out = append(out, h)
		}
	}
	return out
}

// beyondASCII notes the odd characters that begin in the four bytes from i.
func (s *scan) beyondASCII(src []byte, i int) {
	for end := min(i+4, len(src)); i < end; i++ {
		if leads[src[i]] != 0 {
			s.lead(src, i)
		}
	}
}

// leads is 1 for the first bytes of odd characters and of accents.
var leads = [256]byte{0xC2: 1, 0xCC: 1, 0xCD: 1, 0xD8: 1, 0xE1: 1, 0xE2: 1, 0xE3: 1, 0xEE: 1, 0xEF: 1, 0xF3: 1}

// lead looks at the character whose first byte, one of leads, is at i.
func (s *scan) lead(src []byte, i int) {
	b := src[i+1:]
	if len(b) == 0 {
		return
	}
	var next byte
	if len(b) > 1 {
		next = b[1]
	}
	odd := false
	switch src[i] {
	case 0xC2: // U+00AD
		odd = b[0] == 0xAD
	case 0xCC: // U+0300-033F
		s.accents = true
	case 0xCD: // U+0340-036F, and U+034F
		s.accents = s.accents || b[0] < 0xB0
		odd = b[0] == 0x8F
	case 0xD8: // U+061C
		odd = b[0] == 0x9C
	case 0xE1: // U+115F, U+1160, U+180E; Hangul that is written in letters
		odd = b[0] == 0x85 && (next == 0x9F || next == 0xA0) || b[0] == 0xA0 && next == 0x8E
		s.accents = s.accents || 0x84 <= b[0] && b[0] <= 0x87
	case 0xE2: // U+200B-200F, U+2020, U+202A-202E, U+2060-206F
		odd = b[0] == 0x80 && (0x8B <= next && next <= 0x8F || next == 0xA0 || 0xAA <= next && next <= 0xAE) ||
			b[0] == 0x81 && 0xA0 <= next && next <= 0xAF
	case 0xE3: // U+3164; the voicing marks of kana
		odd = b[0] == 0x85 && next == 0xA4
		s.accents = s.accents || b[0] == 0x82 && (next == 0x99 || next == 0x9A)
	case 0xEE: // U+E200-E23F
		odd = b[0] == 0x88
	case 0xEF: // U+FE00-FE0F, U+FEFF, U+FFA0, U+FFF9-FFFB
		odd = b[0] == 0xB8 && next < 0x90 || b[0] == 0xBB && next == 0xBF && i > 0 || b[0] == 0xBE && next == 0xA0 ||
			b[0] == 0xBF && 0xB9 <= next && next <= 0xBB
	case 0xF3: // U+E0000-E01FF
		odd = b[0] == 0xA0 && next < 0x88
	}
	if odd {
		s.odd = append(s.odd, i)
	}
}
