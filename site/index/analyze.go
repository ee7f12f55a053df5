package index

import (
	"bytes"
	"encoding/binary"
	"strings"
	"sync"
)

// Index collects the terms of documents. It may be used by any number of
// goroutines.
type Index struct {
	mu    sync.Mutex
	ids   map[string]uint32 // of every term met so far
	terms []string          // by id
	idle  []*reader
}

// New returns an empty index.
func New() *Index { return &Index{ids: map[string]uint32{}} }

// reader reads one document at a time. It remembers the terms that it met, so
// that it seldom has to ask the index.
type reader struct {
	known   map[string]uint32
	shorts  vocabulary
	weights []uint32 // by id; 0 but for those of the document
	met     []uint32 // of the document, in order
	length  float64
	packed  []byte
}

// Analyze reads a document.
func (x *Index) Analyze(d Document) *Analyzed {
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
	for _, t := range d.Tags {
		read(t, tagWeight)
	}
	var lines []string
	for _, s := range d.Sections {
		read(s.Heading, headingWeight)
		read(s.Text, bodyWeight)
		if s.Heading != "" && s.ID != "" && s.Heading != d.Title {
			lines = append(lines, headingLine(s))
		}
	}
	a := &Analyzed{
		href: d.Href, title: d.Title, folder: d.Folder, summary: summary(d), past: d.Past, headings: strings.Join(lines, "\n"),
		terms: r.pack(), length: r.length,
	}
	return a
}

// pack empties the reader of the document's terms and their weights.
func (r *reader) pack() []byte {
	b := r.packed[:0]
	for _, id := range r.met {
		b = binary.AppendUvarint(binary.AppendUvarint(b, uint64(id)), uint64(r.weights[id]))
		r.weights[id] = 0
	}
	r.packed = b
	return bytes.Clone(b)
}

// unpack yields the terms of a document by number, and their weights.
func (a *Analyzed) unpack(yield func(id, weight uint64)) {
	for b := a.terms; len(b) > 0; {
		id, n := binary.Uvarint(b)
		weight, m := binary.Uvarint(b[n:])
		b = b[n+m:]
		yield(id, weight)
	}
}

func (r *reader) count(x *Index, term string, weight uint32) {
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

// id returns the number of a term, and the term as the index keeps it.
func (x *Index) id(term string) (uint32, string) {
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

func (x *Index) reader() *reader {
	x.mu.Lock()
	defer x.mu.Unlock()
	n := len(x.idle)
	if n == 0 {
		return &reader{known: map[string]uint32{}, shorts: newVocabulary()}
	}
	r := x.idle[n-1]
	x.idle = x.idle[:n-1]
	r.met, r.length = r.met[:0], 0
	return r
}

func (x *Index) release(r *reader) {
	x.mu.Lock()
	x.idle = append(x.idle, r)
	x.mu.Unlock()
}
