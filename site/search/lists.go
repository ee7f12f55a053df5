package search

import "math/bits"

// Contexts of the numbers of lists; see [coder]. Numbers that depend on others have one for
// each value of these.
const (
	ofCount     = 0
	ofMore      = 1
	ofNamed     = 2
	ofSizes     = 3
	ofBegun     = 4   // the fine level of a page, its best section, and the fine level of that
	ofDistance  = 8   // the width of the number of pages
	ofLevel     = 40  // the level of the page before, and 1
	ofParts     = 62  // the level of the page
	ofPartLevel = 83  // the same four times, whether the page has several, and whether this is its head
	ofPart      = 167 // the same three times, and whether it is the only one of its page, the first, or a later one
	contexts    = ofPart + 3*len(levels)
)

// Widths of levels.
const (
	levelWidth     = 5
	unitLevelWidth = 4
)

// lists are what a row of a shard has: how many pages are listed, how many more there are,
// and those listed. What is not listed and needed goes to the file of the rest.
type lists interface {
	write(c, rest *coder, in *room)
}

// termLists are those of a term.
type termLists struct {
	table *table
	term  int
	named []namedDoc
}

func (l termLists) write(c, rest *coder, in *room) {
	list := l.table.list(l.term, in)
	listed := min(len(list), mostDocs)
	c.pages(list, listed, len(list)-listed, l.named)
	if listed < len(list) {
		rest.others(list, len(list)-listed)
	}
}

func (b *begun) write(c, _ *coder, _ *room) {
	d := c.distances(len(b.list), b.docs-len(b.list))
	for _, e := range b.list {
		d.next(e.doc)
		for i, v := range [...]uint32{e.level, e.unit, e.unitLevel} {
			c.number(ofBegun+i, v)
		}
	}
}

// filterLists are all pages that pass a filter.
type filterLists []uint32

func (l filterLists) write(c, _ *coder, _ *room) {
	d := c.distances(len(l), 0)
	for _, doc := range l {
		d.next(doc)
	}
}

// distances writes documents in order, each as its distance from the one before.
type distances struct {
	*coder
	context int
	last    uint32 // and 1
}

// distances begins a list of so many documents, of which more are elsewhere.
func (c *coder) distances(listed, more int) *distances {
	c.number(ofCount, uint32(listed))
	c.number(ofMore, uint32(more))
	return &distances{c, ofDistance + bits.Len(uint(listed)), 0}
}

func (d *distances) next(doc uint32) {
	d.number(d.context, doc-d.last)
	d.last = doc + 1
}

// pages writes the best documents of a list: their levels, the sizes of names that have the
// word, and the sections.
func (c *coder) pages(list []entry, listed, more int, named []namedDoc) {
	d, before := c.distances(listed, more), 0
	for _, e := range list {
		for len(named) > 0 && named[0].doc < e.doc {
			named = named[1:]
		}
		if e.past {
			continue
		}
		d.next(e.doc)
		c.tree(ofLevel+before, levelWidth, uint32(e.level))
		level := int(e.level)
		before = level + 1
		isNamed := len(named) > 0 && named[0].doc == e.doc
		if c.bit(ofNamed*contextSize+level, isNamed); isNamed {
			c.number(ofSizes, named[0].sizes)
		}
		c.number(ofParts+level, uint32(len(e.parts)))
		several := min(1, len(e.parts)-1)
		unit, place := uint32(0), several
		for _, p := range e.parts {
			c.number(ofPart+3*level+place, p.unit-unit)
			c.tree(ofPartLevel+4*level+2*several+min(1, int(p.unit)), unitLevelWidth, uint32(p.level))
			unit, place = p.unit+1, 2
		}
	}
}

// others writes the documents of a list that are not among the best, and their levels.
func (c *coder) others(list []entry, n int) {
	d, before := c.distances(n, 0), 0
	for _, e := range list {
		if e.past {
			d.next(e.doc)
			c.tree(ofLevel+before, levelWidth, uint32(e.level))
			before = int(e.level) + 1
		}
	}
}
