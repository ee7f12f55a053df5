package search

import (
	"encoding/binary"
	"math"
	"slices"
	"sort"
	"strings"

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
	meanings [][]meaning
}

// meanings returns the terms for a word.
func (t *table) meanings(w word) []meaning {
	var out []meaning
	at := sort.SearchStrings(t.terms, w.text)
	known := at < len(t.terms) && t.terms[at] == w.text
	if known {
		out = append(out, meaning{at, 1})
	}
	if w.exact {
		return out
	}
	out = append(out, t.forms(w)...)
	if w.open {
		if known {
			at++
		}
		for ; at < len(t.terms) && strings.HasPrefix(t.terms[at], w.text); at++ {
			if !slices.ContainsFunc(out, func(m meaning) bool { return m.term == at }) {
				share := float64(len(w.text)) / float64(len(t.terms[at]))
				out = append(out, meaning{at, weightLeast + (weightMost-weightLeast)*share})
			}
		}
	}
	if out == nil && !w.part {
		out = t.nearest(w.text)
	}
	return out
}

// forms returns the terms with the word's stem. All of them begin like it.
func (t *table) forms(w word) []meaning {
	s := stem(w.text)
	if len(s) < 3 {
		return nil
	}
	var out []meaning
	head := s[:len(s)-1]
	for at := sort.SearchStrings(t.terms, head); at < len(t.terms) && strings.HasPrefix(t.terms[at], head); at++ {
		if t.terms[at] != w.text && len(t.terms[at]) <= len(s)+8 && stem(t.terms[at]) == s {
			out = append(out, meaning{at, weightForm})
		}
	}
	return out
}

// nearest returns the terms that differ least from a word: by a letter, by two
// when it has seven letters or more.
func (t *table) nearest(word string) []meaning {
	most := edits(word)
	if most == 0 {
		return nil
	}
	var out []meaning
	letters := []rune(word)
	for i, term := range t.terms {
		d := schema.Distance(letters, []rune(term), most)
		if d < most {
			most, out = d, out[:0]
		}
		if d == most {
			out = append(out, meaning{i, weightForm})
		}
	}
	return out
}

// rank scores documents by BM25 of the whole and of the best section, treating the terms
// for one word as one.
func (t *table) rank(words []word) ranking {
	docs := len(t.starts) - 1
	r := ranking{make([]float64, docs), make([][]meaning, len(words))}
	units := make([]float64, len(t.lengths)) // scores
	found := make([]float64, len(t.lengths)) // weight of the word
	total := 0.0
	for _, n := range t.lengths {
		total += float64(n)
	}
	unitMean, docMean := max(1, total/float64(max(1, len(t.lengths)))), max(1, total/float64(max(1, docs)))
	for i, w := range words {
		r.meanings[i] = t.meanings(w)
		clear(found)
		for _, m := range r.meanings[i] {
			t.each(m.term, func(unit, weight uint32) { found[unit] += m.weight * float64(weight) })
		}
		df := 0.0
		t.eachDoc(func(_ int, from, to uint32) {
			if slices.ContainsFunc(found[from:to], func(f float64) bool { return f > 0 }) {
				df++
			}
		})
		idf := math.Log(1 + (float64(docs)-df+0.5)/(df+0.5))
		if w.part {
			idf *= weightPart
		}
		t.eachDoc(func(d int, from, to uint32) {
			sum, length := 0.0, uint32(0)
			for u := from; u < to; u++ {
				sum += found[u]
				length += t.lengths[u]
				if found[u] > 0 {
					units[u] += idf * saturated(found[u], float64(t.lengths[u])/unitMean)
				}
			}
			if sum > 0 {
				r.scores[d] += idf * saturated(sum, float64(length)/docMean)
			}
		})
	}
	t.eachDoc(func(d int, from, to uint32) {
		best := 0.0
		for _, score := range units[from:to] {
			best = max(best, score)
		}
		r.scores[d] += best
	})
	return r
}

func (t *table) eachDoc(f func(d int, from, to uint32)) {
	for d := range len(t.starts) - 1 {
		f(d, t.starts[d], t.starts[d+1])
	}
}

// saturated is BM25 without the rarity of the term; length is a share of the mean.
func saturated(weight, length float64) float64 { return weight / (weight + k1*(1-b+b*length)) }
