package search

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"
	"sync"

	"github.com/loopwiki/wiki/compiler"
)

// Document is a page as the index sees it.
type Document struct {
	Href     string // below the root of the site
	Title    string
	Folder   string // as shown above the title
	Summary  string
	Names    []string // other names of the page; they weigh as much as the title
	Tags     []string // and the path
	File     string   // name of the file; the page is named by it too, but it adds nothing to the words of the path
	Filters  []string // see [filters]
	Labels   []string // of the links that lead to the page
	Sections []compiler.Section
	Past     string // "superseded" or "deprecated", why the page is not to be relied on; else empty
}

// How many words in a field count for. The heading counts in its section.
const (
	titleWeight   = 3
	headingWeight = 2
	bodyWeight    = 1
	maxWeight     = 15 // of a term in a unit: what more of it adds is little
)

// A document is split into units: its head, which is its names, tags, summary and the
// labels of links to it, and its sections.

// Analyzed is a document's share of an index. It holds no running text.
type Analyzed struct {
	href, title, folder, summary string
	headings, past               string
	units                        []unit
	terms                        []byte // of all units, numbers and weights; see pack
	named                        []nameWord
	filters                      []string
}

// nameWord is a word of a name of the document: its number, and a bit for each number of
// words that such a name has.
type nameWord struct{ id, sizes uint32 }

// unit is how many terms a unit has, and how many different ones.
type unit struct{ length, terms uint32 }

// Collector collects the terms of documents. It may be used by any number of
// goroutines.
type Collector struct {
	mu    sync.Mutex
	ids   map[string]uint32 // of every term met so far
	terms []string          // by id
	idle  []*reader
}

// NewCollector returns an empty collector.
func NewCollector() *Collector { return &Collector{ids: map[string]uint32{}} }

// reader reads one document at a time. It remembers the terms that it met, so
// that it seldom has to ask the collector.
type reader struct {
	known   map[string]uint32
	shorts  vocabulary
	weights []uint32 // by id; 0 but for those of the unit
	met     []uint32 // of the unit, in order
	length  uint32   // of the unit
	units   []unit
	packed  []byte
}

// Analyze reads a document.
func (x *Collector) Analyze(d Document) *Analyzed {
	r := x.reader()
	defer x.release(r)
	read := func(text string, weight uint32) {
		if isPlain(text) {
			r.plain(x, text, weight)
		} else {
			Terms(text, func(t string) { r.count(x, t, weight) })
		}
	}
	read(d.Title, titleWeight)
	for _, n := range d.Names {
		read(n, titleWeight)
	}
	for _, list := range [][]string{d.Tags, d.Labels, {d.Summary}} {
		for _, text := range list {
			read(text, bodyWeight)
		}
	}
	r.pack()
	lines := make([]string, len(d.Sections))
	for i, s := range d.Sections {
		if s.Heading != d.Title {
			read(s.Heading, headingWeight)
			if s.ID != "" {
				lines[i] = headingLine(s)
			}
		}
		read(s.Text, bodyWeight)
		r.pack()
	}
	a := &Analyzed{
		href: d.Href, title: d.Title, folder: d.Folder, summary: summary(d), past: d.Past, headings: strings.Join(lines, "\n"),
		units: append([]unit(nil), r.units...), terms: bytes.Clone(r.packed), filters: d.Filters,
	}
	for _, name := range append([]string{d.Title, d.File}, d.Names...) {
		x.name(a, name)
	}
	return a
}

// name notes a name of a document.
func (x *Collector) name(a *Analyzed, name string) {
	list := nameWords(name)
	for _, text := range list {
		id, _ := x.id(text)
		i := slices.IndexFunc(a.named, func(w nameWord) bool { return w.id == id })
		if i < 0 {
			i = len(a.named)
			a.named = append(a.named, nameWord{id: id})
		}
		a.named[i].sizes |= 1 << len(list)
	}
}

// pack ends a unit: it empties the reader of its terms and their weights.
func (r *reader) pack() {
	for _, id := range r.met {
		r.packed = binary.AppendUvarint(r.packed, uint64(id)<<4|uint64(min(r.weights[id], maxWeight)))
		r.weights[id] = 0
	}
	r.units = append(r.units, unit{r.length, uint32(len(r.met))})
	r.met, r.length = r.met[:0], 0
}

// unpack yields the terms of a document: its unit, the number of the term, and its weight.
func (a *Analyzed) unpack(yield func(unit int, id, weight uint32)) {
	b := a.terms
	for i, u := range a.units {
		for range u.terms {
			v, n := binary.Uvarint(b)
			b = b[n:]
			yield(i, uint32(v>>4), uint32(v&15))
		}
	}
}

func (r *reader) count(x *Collector, term string, weight uint32) {
	id, ok := r.known[term]
	if !ok {
		id, term = x.id(term)
		r.known[term] = id
	}
	r.add(id, weight)
}

func (r *reader) add(id uint32, weight uint32) {
	if int(id) >= len(r.weights) {
		r.weights = append(r.weights, make([]uint32, int(id)+1-len(r.weights)+len(r.weights)/4)...)
	}
	if r.weights[id] == 0 {
		r.met = append(r.met, id)
	}
	r.weights[id] += weight
	r.length++
}

// id returns the number of a term, and the term as the collector keeps it.
func (x *Collector) id(term string) (uint32, string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	id, ok := x.ids[term]
	if !ok {
		id, term = uint32(len(x.terms)), strings.Clone(term) // a key must not keep the page's text alive
		x.ids[term] = id
		x.terms = append(x.terms, term)
	}
	return id, x.terms[id]
}

func (x *Collector) reader() *reader {
	x.mu.Lock()
	defer x.mu.Unlock()
	n := len(x.idle)
	if n == 0 {
		return &reader{known: map[string]uint32{}, shorts: newVocabulary()}
	}
	r := x.idle[n-1]
	x.idle = x.idle[:n-1]
	r.units, r.packed = r.units[:0], r.packed[:0]
	return r
}

func (x *Collector) release(r *reader) {
	x.mu.Lock()
	x.idle = append(x.idle, r)
	x.mu.Unlock()
}
