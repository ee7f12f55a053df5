package search

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"
	"sync"
)

// What a term adds to a page is rounded to one of a few levels, so that the site needs
// four bits for it. This process rounds in the same way, and both rank alike.

// levels are the values of saturation's argument, the weight of a term by the length of the
// page: steps of the cube root of two.
var levels = [...]float64{
	0.125, 0.157, 0.198, 0.25, 0.315, 0.397, 0.5, 0.63, 0.794, 1, 1.26,
	1.587, 2, 2.52, 3.175, 4, 5.04, 6.35, 8, 10.079, 12.699,
}

// unitLevels are the same for sections: steps of the square root of two.
var unitLevels = [...]float64{0.125, 0.177, 0.25, 0.354, 0.5, 0.707, 1, 1.414, 2, 2.828, 4, 5.657, 8, 11.314, 16, 22.627}

const (
	// mostDocs is how many pages of a term are ranked by their sections too: the ones
	// where it weighs most.
	mostDocs = 512
	// wide is the number of postings of the terms with one beginning from which it has a
	// list of its own, of at most mostBegun pages.
	wide      = 4000
	mostBegun = 64
)

// rounding gives the level of a value: by its exponent and the first bits of its mantissa,
// from the value of the lowest level on.
type rounding [128]uint8

// roundedBits are those of the mantissa of a float32 that are dropped.
const roundedBits = 23 - 4

// roundings are those of documents and of sections.
var roundings = sync.OnceValue(func() *[2]rounding {
	var r [2]rounding
	for i := range r[0] {
		x := float64(math.Float32frombits((lowest+uint32(i))<<roundedBits + 1<<(roundedBits-1)))
		r[0][i] = uint8(min(math.Round(3*math.Log2(x/levels[0])), float64(len(levels)-1)))
		r[1][i] = uint8(min(math.Round(2*math.Log2(x/unitLevels[0])), float64(len(unitLevels)-1)))
	}
	return &r
})

var lowest = math.Float32bits(float32(levels[0])) >> roundedBits

func (r *rounding) level(x float64) uint8 {
	at := int(math.Float32bits(float32(x))>>roundedBits) - int(lowest)
	return r[max(0, min(at, len(r)-1))]
}

// entry is a page in the list of a term.
type entry struct {
	doc   uint32
	level uint8
	past  bool   // beyond the best pages: its sections don't count
	parts []part // sections with the term, in order
}

type part struct {
	unit  uint32 // from the first of the page
	level uint8
}

// prepare computes what lists need: the page of every unit, and what the weights of terms
// on a page and in a section are divided by.
func (t *table) prepare() {
	docs := len(t.starts) - 1
	total := 0.0
	for _, n := range t.lengths {
		total += float64(n)
	}
	docMean, unitMean := max(1, total/float64(max(1, docs))), max(1, total/float64(max(1, len(t.lengths))))
	t.docOf, t.norms, t.unitNorms = make([]uint32, len(t.lengths)), make([]float64, docs), make([]float64, len(t.lengths))
	t.eachDoc(func(d int, from, to uint32) {
		length := 0.0
		for u := from; u < to; u++ {
			t.docOf[u] = uint32(d)
			t.unitNorms[u] = k1 * (1 - b + b*float64(t.lengths[u])/unitMean)
			length += float64(t.lengths[u])
		}
		t.norms[d] = k1 * (1 - b + b*length/docMean)
	})
}

// room is the memory of a list, to be used again for the next one.
type room struct {
	entries []entry
	parts   []part
}

// list returns the pages of a term in order. They hold until the room is used again.
func (t *table) list(term int, in *room) []entry {
	rounded := roundings()
	out, parts := in.entries[:0], in.parts[:0]
	sum, from := 0.0, 0
	end := func() {
		if n := len(out); n > 0 {
			out[n-1].level, out[n-1].parts = rounded[0].level(sum/t.norms[out[n-1].doc]), parts[from:len(parts):len(parts)]
		}
		sum, from = 0, len(parts)
	}
	t.each(term, func(unit, weight uint32) {
		d := t.docOf[unit]
		if n := len(out); n == 0 || out[n-1].doc != d {
			end()
			out = append(out, entry{doc: d})
		}
		sum += float64(weight)
		parts = append(parts, part{unit - t.starts[d], rounded[1].level(float64(weight) / t.unitNorms[unit])})
	})
	end()
	in.entries, in.parts = out, parts
	keepBest(out, mostDocs)
	return out
}

// keepBest marks all but the most pages of the highest level, the first of equals.
func keepBest(list []entry, most int) {
	if len(list) <= most {
		return
	}
	var counts [len(levels)]int
	for _, e := range list {
		counts[e.level]++
	}
	least := len(levels) - 1
	for ; counts[least] < most; least-- {
		most -= counts[least]
	}
	for i := range list {
		e := &list[i]
		switch {
		case int(e.level) > least:
		case int(e.level) == least && most > 0:
			most--
		default:
			e.past, e.parts = true, nil
		}
	}
}

// begun is the list of all terms with one beginning, and of that itself. It replaces what
// these terms say of the pages that it has.
type begun struct {
	list []begunEntry // of the best pages
	docs int          // how many have any
}

// begunEntry is a page, and its best section from the first on. Their levels are finer than
// those of terms: a query of three letters has hardly anything else to rank by.
type begunEntry struct{ doc, level, unit, unitLevel uint32 }

func (b *begun) has(doc uint32) bool {
	if b == nil {
		return false
	}
	_, ok := slices.BinarySearchFunc(b.list, doc, func(e begunEntry, doc uint32) int { return cmp.Compare(e.doc, doc) })
	return ok
}

// fineSteps are those of a level that double it.
const fineSteps = 24

func fine(x float64) uint32 { return uint32(max(0, math.Round(fineSteps*math.Log2(x/levels[0])))) }

// worth is the value of a fine level, rounded so that the script computes the same.
func worth(level uint32) float64 {
	return math.Round(1000*levels[0]*math.Exp2(float64(level)/fineSteps)) / 1000
}

// beginning returns the terms that begin with a text and are longer, and their own list
// if there are many.
func (t *table) beginning(text string) (from, to int, own *begun) {
	from = sort.SearchStrings(t.terms, text)
	if from < len(t.terms) && t.terms[from] == text {
		from++
	}
	listed := 0
	for to = from; to < len(t.terms) && strings.HasPrefix(t.terms[to], text); to++ {
		listed += min(t.df(to), mostDocs)
	}
	if listed > wide {
		own = t.merge(text, from, to, &sums{})
	}
	return from, to, own
}

// df returns on how many pages a term is.
func (t *table) df(term int) int {
	n, last := 0, -1
	t.each(term, func(unit, _ uint32) {
		if d := int(t.docOf[unit]); d != last {
			n, last = n+1, d
		}
	})
	return n
}

// units returns in how many units a term is.
func (t *table) units(term int) int {
	n := 0
	t.each(term, func(_, _ uint32) { n++ })
	return n
}

// sums are scores of pages and units, to be used again.
type sums struct {
	docs, units []float64
	list        []begunEntry
}

// merge makes the list of the terms that begin with a text, which is not itself one of them.
func (t *table) merge(text string, from, to int, s *sums) *begun {
	if s.docs == nil {
		s.docs, s.units = make([]float64, len(t.norms)), make([]float64, len(t.lengths))
	}
	out, list := &begun{}, s.list[:0]
	if from > 0 && t.terms[from-1] == text {
		from--
	}
	for term := from; term < to; term++ {
		weight := 1.0
		if t.terms[term] != text {
			weight = shareWeight(text, t.terms[term])
		}
		t.each(term, func(unit, n uint32) {
			d := t.docOf[unit]
			if s.docs[d] == 0 {
				list = append(list, begunEntry{doc: d})
			}
			s.docs[d] += weight * float64(n) / t.norms[d]
			s.units[unit] += weight * float64(n) / t.unitNorms[unit]
		})
	}
	for i := range list {
		e := &list[i]
		best := 0.0
		for u := t.starts[e.doc]; u < t.starts[e.doc+1]; u++ {
			if s.units[u] > best {
				best, e.unit = s.units[u], u-t.starts[e.doc]
			}
			s.units[u] = 0
		}
		e.level, e.unitLevel = fine(s.docs[e.doc]), fine(best)
		s.docs[e.doc] = saturated(s.docs[e.doc]) + saturated(best)
	}
	slices.SortFunc(list, func(a, b begunEntry) int {
		return cmp.Or(cmp.Compare(s.docs[b.doc], s.docs[a.doc]), cmp.Compare(a.doc, b.doc))
	})
	for _, e := range list {
		s.docs[e.doc] = 0
	}
	out.docs, s.list = len(list), list
	out.list = slices.Clone(list[:min(len(list), mostBegun)])
	slices.SortFunc(out.list, func(a, b begunEntry) int { return cmp.Compare(a.doc, b.doc) })
	return out
}

// shareWeight is the weight of a term that begins with what was typed.
func shareWeight(typed, term string) float64 {
	return weightLeast + (weightMost-weightLeast)*float64(len(typed))/float64(len(term))
}
