package report

import (
	"bytes"
	"sort"
	"unicode/utf8"

	"github.com/loopwiki/wiki/schema"
)

// place is an offset of a page as formats want it.
type place struct {
	line   int // from 1
	column int // from 1, in code points, without a byte order mark
	byte   int // from 1, in bytes of the line as it is on disk
	chars  int // code points before it in the page, without a byte order mark
}

// locator finds places in pages. It remembers the last one of each page and
// counts from there, so that many places on one long line take as long as
// reading it once.
type locator struct {
	report *Report
	known  map[string]*located
}

// located is one page, with two counters of its characters.
type located struct {
	page      *schema.Page
	mark      int // bytes of the byte order mark
	at, start counter
}

// counter knows how many code points come before an offset.
type counter struct{ offset, chars int }

func newLocator(r *Report) *locator { return &locator{report: r, known: map[string]*located{}} }

// find returns the place of an offset; ok is false in a file that is not a page
// of the wiki, whose text is not known.
func (l *locator) find(path string, offset int) (at place, ok bool) {
	k := l.known[path]
	if k == nil {
		k = &located{page: l.report.page(path)}
		if k.page != nil && bytes.HasPrefix(k.page.Source, []byte("\xef\xbb\xbf")) {
			k.mark = 3
		}
		k.at.offset, k.start.offset = k.mark, k.mark
		l.known[path] = k
	}
	if k.page == nil || k.page.Lines == nil {
		return place{}, false
	}
	return k.find(offset), true
}

func (k *located) find(offset int) place {
	lines := k.page.Lines
	offset = max(0, min(offset, len(k.page.Source)))
	after := sort.Search(lines.Lines(), func(i int) bool { return lines.Line(i+1).Start > offset })
	line := max(after, 1)
	start := lines.Line(line).Start
	if line == 1 {
		start = k.mark
	}
	at := place{line: line, byte: offset - start + 1, chars: k.at.move(k.page.Source, max(offset, k.mark))}
	at.column = at.chars - k.start.move(k.page.Source, start) + 1
	if line == 1 {
		at.byte = offset + 1
	}
	return at
}

// move advances to offset and returns the number of code points before it.
func (c *counter) move(src []byte, offset int) int {
	n := c.chars
	if offset >= c.offset {
		n += utf8.RuneCount(src[c.offset:offset])
	} else {
		n -= utf8.RuneCount(src[offset:c.offset])
	}
	if offset == len(src) || utf8.RuneStart(src[offset]) {
		c.offset, c.chars = offset, n
	}
	return n
}
