package difference

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// section is the text below a heading, up to the next one of any level.
type section struct {
	key     string // its headings; with a number for all but the first of a name
	heading []string
	line    int
	blocks  []block
}

// sectionChange is a section that changed, with its blocks.
type sectionChange struct {
	section
	change, was    string
	added, removed []block
	reworded       [][2]block
}

// compareSections compares the text of two versions of a page, section by section. A
// section of which only the heading differs was renamed.
func compareSections(was, now *reading) []sectionChange {
	before, after := was.sections(), now.sections()
	old := map[string]*section{}
	for i := range before {
		old[before[i].key] = &before[i]
	}
	var out []sectionChange
	var fresh []*section
	for i := range after {
		s := &after[i]
		o, ok := old[s.key]
		if !ok {
			fresh = append(fresh, s)
			continue
		}
		delete(old, s.key)
		if added, removed := without(s.blocks, o.blocks), without(o.blocks, s.blocks); len(added)+len(removed) > 0 {
			out = append(out, sectionChange{section: *s, change: SectionChanged, added: added, removed: removed})
		}
	}
	for _, s := range fresh {
		out = append(out, newSection(s, before, old))
	}
	for i := range before {
		if o := &before[i]; old[o.key] != nil {
			out = append(out, sectionChange{section: *o, change: SectionRemoved, removed: o.blocks})
		}
	}
	out = unmoved(out)
	// Removed sections come last, since their lines are those of the old page.
	slices.SortStableFunc(out, func(a, b sectionChange) int {
		if x, y := a.change == SectionRemoved, b.change == SectionRemoved; x != y {
			return map[bool]int{true: 1, false: -1}[x]
		}
		return a.line - b.line
	})
	return out
}

// newSection is the change that brings a section, which is an old one under another
// heading if there is one with the same text; that is taken out of old.
func newSection(s *section, before []section, old map[string]*section) sectionChange {
	c := sectionChange{section: *s, change: SectionAdded, added: s.blocks}
	for i := range before {
		o := &before[i]
		if len(s.blocks) > 0 && old[o.key] != nil && slices.EqualFunc(o.blocks, s.blocks, sameBlock) {
			delete(old, o.key)
			c.change, c.was, c.added = SectionRenamed, strings.Join(o.heading, " / "), nil
			return c
		}
	}
	return c
}

// blockKey is what blocks are the same by.
type blockKey struct {
	kind blockKind
	key  string
}

func (b *block) same() blockKey { return blockKey{b.kind, b.key} }

// without returns the blocks of a that b lacks, each as often as it does.
func without(a, b []block) (out []block) {
	have := map[blockKey]int{}
	for i := range b {
		have[b[i].same()]++
	}
	for i := range a {
		if k := a[i].same(); have[k] > 0 {
			have[k]--
			continue
		}
		out = append(out, a[i])
	}
	return out
}

// unmoved leaves out what one section lost and another one of the page got, but for code,
// whose lines mean nothing elsewhere; and sections of which nothing is left then.
func unmoved(all []sectionChange) []sectionChange {
	var added, removed []block
	for i := range all {
		added, removed = append(added, all[i].added...), append(removed, all[i].removed...)
	}
	plus, minus := counted(without(added, removed)), counted(without(removed, added))
	out := all[:0]
	for _, c := range all {
		c.added, c.removed = take(c.added, plus), take(c.removed, minus)
		c.reword()
		if c.change != SectionChanged || len(c.added)+len(c.removed)+len(c.reworded) > 0 {
			out = append(out, c)
		}
	}
	return out
}

func counted(list []block) map[blockKey]int {
	count := map[blockKey]int{}
	for i := range list {
		count[list[i].same()]++
	}
	return count
}

// take returns the blocks that are counted, and all lines of code.
func take(list []block, count map[blockKey]int) (out []block) {
	for i := range list {
		k := list[i].same()
		if count[k] > 0 || k.kind == codeLine {
			count[k]--
			out = append(out, list[i])
		}
	}
	return out
}

// mostPairs bounds how many pairs of blocks of one section are compared.
const mostPairs = 250_000

// reword pairs what was removed with what was added: rows with the same first cell, then
// blocks of one kind that share most of their words.
func (c *sectionChange) reword() {
	if len(c.added)*len(c.removed) > mostPairs {
		return
	}
	c.pair(func(a, b *block) int {
		if a.kind == tableRow && firstCell(a.text) == firstCell(b.text) {
			return 1
		}
		return 0
	})
	sets := map[string]map[string]bool{}
	wordsOf := func(s string) map[string]bool {
		if sets[s] == nil {
			sets[s] = words(s)
		}
		return sets[s]
	}
	c.pair(func(a, b *block) int {
		if a.text == b.text || a.label() == b.label() { // other targets
			return len(a.text) + 1
		}
		return shared(wordsOf(a.text), wordsOf(b.text))
	})
}

// pair pairs removed with added blocks of one kind, each with the one that is the most
// alike; 0 is not at all.
func (c *sectionChange) pair(alike func(a, b *block) int) {
	taken := make([]bool, len(c.added))
	var removed []block
	for i := range c.removed {
		was, best, most := &c.removed[i], -1, 0
		for k := range c.added {
			if taken[k] || c.added[k].kind != was.kind {
				continue
			}
			if n := alike(was, &c.added[k]); n > most {
				best, most = k, n
			}
		}
		if best < 0 {
			removed = append(removed, *was)
			continue
		}
		taken[best] = true
		c.reworded = append(c.reworded, [2]block{*was, c.added[best]})
	}
	var added []block
	for k := range c.added {
		if !taken[k] {
			added = append(added, c.added[k])
		}
	}
	c.added, c.removed = added, removed
}

func firstCell(row string) string {
	cell, _, _ := strings.Cut(strings.TrimPrefix(row, "|"), "|")
	return strings.TrimSpace(cell)
}

// document is the change as it is written.
func (c *sectionChange) document() SectionChange {
	texts := func(list []block) []string {
		out := []string{}
		for i := range list {
			out = append(out, list[i].text)
		}
		return out
	}
	out := SectionChange{Heading: c.heading, Change: c.change, Was: c.was, Line: c.line, Added: texts(c.added), Removed: texts(c.removed), Changed: []Reworded{}}
	for _, p := range c.reworded {
		if p[0].text == p[1].text { // the links lead elsewhere
			p[0].text, p[1].text = p[0].key, p[1].key
		}
		out.Changed = append(out.Changed, Reworded{p[0].text, p[1].text})
	}
	return out
}

// sections cuts the body of the page at its headings.
func (r *reading) sections() []section {
	var out []section
	p, count := r.page, map[string]int{}
	add := func(at int, body schema.Span) {
		heading := append([]string{}, claim.Section(p, at)...)
		key := strings.Join(heading, "\x00")
		count[key]++
		if n := count[key]; n > 1 {
			key = fmt.Sprintf("%s\x00%d", key, n)
		}
		out = append(out, section{key, heading, p.Lines.LineOf(at), r.blocks(body)})
	}
	begin, at := p.Body, p.Body
	for _, h := range p.Headings {
		add(at, schema.Span{Start: begin, End: max(begin, h.Span.Start)})
		begin, at = h.Span.End, h.Span.End
	}
	add(at, schema.Span{Start: begin, End: len(p.Source)})
	return slices.DeleteFunc(out, func(s section) bool { return len(s.blocks) == 0 && len(s.heading) == 0 })
}
