package search

import (
	"math/bits"
	"math/rand/v2"
	"strings"
)

// short is a term of up to 24 ASCII bytes, padded with zeros. Most terms are short, and
// are found without following a pointer.
type short [3]uint64

const maxShort = 24

func (s *short) put(n int, c byte) { s[n>>3] |= uint64(c) << (8 * (n & 7)) }

func (s short) String() string {
	b := make([]byte, 0, maxShort)
	for _, part := range s {
		for ; part != 0; part >>= 8 {
			b = append(b, byte(part))
		}
	}
	return string(b)
}

// vocabulary numbers short terms. It is an open table that is at most half
// full; the seed keeps pages from choosing terms that meet in it.
type vocabulary struct {
	slots []slot
	count int
	seed  short
}

type slot struct {
	term short
	id   uint32 // plus one; 0 when the slot is free
}

func newVocabulary() vocabulary {
	return vocabulary{slots: make([]slot, 1<<10), seed: short{rand.Uint64(), rand.Uint64(), rand.Uint64()}}
}

// find returns the slot of a term, or the free one where it belongs.
func (v *vocabulary) find(term short) *slot {
	high, low := bits.Mul64(term[0]^v.seed[0], term[1]^v.seed[1])
	high, low = bits.Mul64(high^low^term[2], v.seed[2]|1)
	mask := uint64(len(v.slots) - 1)
	for i := high ^ low; ; i++ {
		s := &v.slots[i&mask]
		if s.id == 0 || s.term == term {
			return s
		}
	}
}

func (v *vocabulary) add(term short, id uint32) {
	if v.count++; 2*v.count > len(v.slots) {
		old := v.slots
		v.slots = make([]slot, 2*len(old))
		for _, s := range old {
			if s.id != 0 {
				*v.find(s.term) = s
			}
		}
	}
	*v.find(term) = slot{term, id + 1}
}

// lowered are the characters of ASCII that words are made of, in lower case; 0
// is in none.
var lowered = func() (set [256]byte) {
	for c := range set {
		if c < 0x80 && isWord(rune(c)) {
			set[c] = strings.ToLower(string(rune(c)))[0]
		}
	}
	return set
}()

// plain counts the terms of a text that is all ASCII, as [Terms] yields them.
func (r *reader) plain(x *Collector, text string, weight uint32) {
	for i := 0; i < len(text); i++ {
		if lowered[text[i]] == 0 {
			continue
		}
		from, whole := i, true // whole is a word that is one term
		var term short
		for ; i < len(text); i++ {
			c := lowered[text[i]]
			if c == 0 {
				break
			}
			n := i - from
			if whole = whole && n < maxShort && c != '_' && (n == 0 || c == text[i]); whole {
				term.put(n, c)
			}
		}
		for i+1 < len(text) && text[i] == '-' && lowered[text[i+1]] != 0 {
			whole = false
			for i++; i < len(text) && lowered[text[i]] != 0; i++ {
			}
		}
		at, to := from, i
		if at > 0 && text[at-1] == '.' || to < len(text) && (text[to] == '+' || text[to] == '#') {
			at, to = signs(text, at, to)
		}
		if whole && to-at == i-from {
			r.add(r.short(x, term), weight)
		} else {
			wordTerms(text[at:to], func(t string) { r.count(x, t, weight) })
		}
	}
}

// short returns the number of a short term.
func (r *reader) short(x *Collector, term short) uint32 {
	if s := r.shorts.find(term); s.id != 0 {
		return s.id - 1
	}
	id, _ := x.id(term.String())
	r.shorts.add(term, id)
	return id
}
