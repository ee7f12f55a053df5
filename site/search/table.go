package search

import (
	"cmp"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/loopwiki/wiki/schema"
)

// BM25 (Robertson and Zaragoza, 2009): k1 limits the effect of repetition, b the effect
// of length.
const (
	k1 = 1.2
	b  = 0.9
)

// What a term counts for that is not the word of the query itself.
const (
	weightForm  = 0.7 // another form of the word, or what was meant when it is mistyped
	weightLeast = 0.5 // the word begins it; rises with the share of it that is typed
	weightMost  = 0.8
	weightPart  = 0.5 // a part of an identifier
	weightTitle = 1.5 // what the score of a page is multiplied with when the query is its name
)

// posting is a unit's number, and the weight of a term in it in the lowest
// four bits.
type posting uint32

// table is an inverted index. The site's script has the same data and ranks the same
// way; keep [table.rank] and its search in step.
type table struct {
	starts  []uint32 // the first unit of every document, and behind the last their number
	lengths []uint32 // of units, in terms
	terms   []string // sorted
	lists   []string // postings of every term: the differences to the one before, as varints

	docOf            []uint32  // of units
	norms, unitNorms []float64 // what weights of documents and units are divided by
}

// each yields the postings of a term.
func (t *table) each(term int, yield func(unit, weight uint32)) {
	unit := uint32(0)
	for list := t.lists[term]; list != ""; {
		v, n := uvarint(list)
		if list = list[n:]; n == 0 {
			return
		}
		if unit += uint32(v >> 4); int(unit) >= len(t.lengths) {
			return // what was read from disk may be anything
		}
		yield(unit, uint32(v&15))
	}
}

// uvarint is [binary.Uvarint] of a string: a number and its length in bytes, 0 if there
// is none.
func uvarint(s string) (v uint64, n int) {
	for i := 0; i < len(s) && i < binary.MaxVarintLen64; i++ {
		v |= uint64(s[i]&0x7f) << (7 * i)
		if s[i] < 0x80 {
			return v, i + 1
		}
	}
	return 0, 0
}

// invert turns documents with terms into terms, in order, with documents.
func (x *Collector) invert(docs []*Analyzed) *table {
	x.mu.Lock()
	defer x.mu.Unlock()
	t := &table{starts: make([]uint32, 1, len(docs)+1)}
	counts, total := make([]int, len(x.terms)), 0
	for _, d := range docs {
		for _, u := range d.units {
			t.lengths = append(t.lengths, u.length)
		}
		t.starts = append(t.starts, uint32(len(t.lengths)))
		d.unpack(func(_ int, id, _ uint32) {
			counts[id]++
			total++
		})
	}
	byID := make([][]posting, len(x.terms))
	room := make([]posting, total)
	for id, n := range counts {
		byID[id], room = room[:0:n], room[n:]
	}
	for i, d := range docs {
		d.unpack(func(unit int, id, weight uint32) {
			byID[id] = append(byID[id], posting(t.starts[i]+uint32(unit))<<4|posting(weight))
		})
	}
	ids := make([]uint32, 0, len(x.terms))
	for id, n := range counts {
		if n > 0 {
			ids = append(ids, uint32(id))
		}
	}
	slices.SortFunc(ids, func(a, b uint32) int { return strings.Compare(x.terms[a], x.terms[b]) })
	var packed []byte
	ends := make([]int, len(ids))
	for i, id := range ids {
		last := posting(0)
		for _, p := range byID[id] {
			packed = binary.AppendUvarint(packed, uint64(p>>4-last)<<4|uint64(p&15))
			last = p >> 4
		}
		t.terms, ends[i] = append(t.terms, x.terms[id]), len(packed)
	}
	from, all := 0, string(packed)
	for _, to := range ends {
		t.lists, from = append(t.lists, all[from:to]), to
	}
	t.prepare()
	return t
}

// meaning is a term for a word of a query, with its weight.
type meaning struct {
	term   int // in table.terms
	weight float64
}

// ranking is the result of a query.
type ranking struct {
	scores   []float64 // of documents, 0 for those that have nothing of it
	units    []float64 // of units, likewise
	meanings [][]meaning
	rarities []float64 // of words
}

// meanings returns the terms for a word. If own is not nil, it stands for those behind the
// first so many.
func (t *table) meanings(w word) (all []meaning, first int, own *begun) {
	at, known := slices.BinarySearch(t.terms, w.text)
	if known {
		all = append(all, meaning{at, 1})
	}
	if w.exact {
		return all, len(all), nil
	}
	all = append(all, t.forms(w)...)
	first = len(all)
	if w.open {
		var from, to int
		from, to, own = t.beginning(w.text)
		for at := from; at < to; at++ {
			if !slices.ContainsFunc(all[:first], func(m meaning) bool { return m.term == at }) {
				all = append(all, meaning{at, shareWeight(w.text, t.terms[at])})
			}
		}
	}
	if all == nil && !w.part {
		all = t.nearest(w.text)
		first = len(all)
	}
	return all, first, own
}

// forms returns the terms with the word's stem. All of them begin like it.
func (t *table) forms(w word) []meaning {
	s := stem(w.text)
	if len(s) < leastStem {
		return nil
	}
	var out []meaning
	head := s[:len(s)-1]
	for at := sort.SearchStrings(t.terms, head); at < len(t.terms) && strings.HasPrefix(t.terms[at], head); at++ {
		if t.terms[at] != w.text && stem(t.terms[at]) == s {
			out = append(out, meaning{at, weightForm})
		}
	}
	return out
}

// nearest returns the most frequent of the terms that differ least from a word: by a
// letter, by two when it has seven letters or more. Their first letters, or their last,
// are those of the word.
func (t *table) nearest(word string) []meaning {
	letters := []rune(word)
	most := edits(word)
	if most == 0 || len(letters) > mostCorrected {
		return nil
	}
	same := keptLetters(len(letters))
	head, tail := string(letters[:same]), string(letters[len(letters)-same:])
	var near []int
	for i, term := range t.terms {
		if !strings.HasPrefix(term, head) && !strings.HasSuffix(term, tail) || !corrects(term) {
			continue
		}
		d := schema.Distance(letters, []rune(term), most)
		if d < most {
			most, near = d, near[:0]
		}
		if d == most {
			near = append(near, i)
		}
	}
	slices.SortStableFunc(near, func(a, b int) int { return cmp.Compare(bits.Len(uint(t.df(b))), bits.Len(uint(t.df(a)))) })
	var out []meaning
	for _, term := range near[:min(len(near), mostNearest)] {
		out = append(out, meaning{term, weightForm})
	}
	return out
}

// Bounds of corrections.
const (
	leastCorrected = 3  // letters of a term
	mostCorrected  = 24 // letters of a word or term
	mostNearest    = 5  // terms for one word
)

// corrects reports whether a mistyped word may stand for the term.
func corrects(term string) bool {
	n := utf8.RuneCountInString(term)
	return n >= leastCorrected && n <= mostCorrected
}

// keptLetters is how many letters a mistyped word of so many begins or ends with that are
// right.
func keptLetters(letters int) int {
	if letters < 7 {
		return 2
	}
	return 3
}

// rank scores documents by BM25 of the whole and of the best section, treating the terms
// for one word as one.
func (t *table) rank(words []word) ranking {
	docs := len(t.starts) - 1
	r := ranking{make([]float64, docs), make([]float64, len(t.lengths)), make([][]meaning, len(words)), make([]float64, len(words))}
	found, foundIn := make([]float64, docs), make([]float64, len(t.lengths))
	var in room
	for i, w := range words {
		all, first, own := t.meanings(w)
		r.meanings[i] = all
		if own == nil {
			first = len(all)
		}
		clear(found)
		clear(foundIn)
		df := 0
		add := func(list []entry, weight float64) {
			for _, e := range list {
				if own.has(e.doc) {
					continue
				}
				if found[e.doc] == 0 {
					df++
				}
				found[e.doc] += weight * levels[e.level]
				for _, p := range e.parts {
					foundIn[t.starts[e.doc]+p.unit] += weight * unitLevels[p.level]
				}
			}
		}
		for _, m := range all[:first] {
			add(t.list(m.term, &in), m.weight)
		}
		if own != nil {
			for _, e := range own.list {
				found[e.doc] = worth(e.level)
				foundIn[t.starts[e.doc]+e.unit] = worth(e.unitLevel)
			}
			df += len(own.list)
			df = max(df, own.docs)
		}
		idf := rarity(df, docs)
		if w.part {
			idf *= weightPart
		}
		r.rarities[i] = idf
		for d, x := range found {
			if x > 0 {
				r.scores[d] += idf * saturated(x)
			}
		}
		for u, x := range foundIn {
			if x > 0 {
				r.units[u] += idf * saturated(x)
			}
		}
	}
	t.eachDoc(func(d int, from, to uint32) {
		best := 0.0
		for _, score := range r.units[from:to] {
			best = max(best, score)
		}
		r.scores[d] += best
	})
	return r
}

// rarity is the weight of a word that so many of all documents have, rounded so that the
// script computes the same.
func rarity(df, docs int) float64 {
	return max(1, math.Round(65536*math.Log(1+(float64(docs-df)+0.5)/(float64(df)+0.5)))) / 65536
}

func (t *table) eachDoc(f func(d int, from, to uint32)) {
	for d := range len(t.starts) - 1 {
		f(d, t.starts[d], t.starts[d+1])
	}
}

// saturated is BM25 without the rarity of the term.
func saturated(x float64) float64 { return x / (1 + x) }
