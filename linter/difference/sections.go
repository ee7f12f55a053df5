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
	key        string // its headings; with a number for all but the first of a name
	prev, next string // the keys of its neighbours
	heading    []string
	line       int
	blocks     []block
	words      map[string]bool // of its text
}

// sectionChange is a section that changed, with its blocks.
type sectionChange struct {
	section
	change, was    string
	added, removed []block
	reworded       [][2]block
}

// compareSections compares the text of two versions of a page, section by section.
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
		c := sectionChange{section: *s, change: SectionChanged}
		c.compare(o)
		out = append(out, c)
	}
	parents := map[string]string{}
	for _, s := range fresh {
		out = append(out, newSection(s, before, old, parents))
	}
	for i := range out {
		out[i].renameEmpty(old, parents)
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
// heading or elsewhere if there is one; that is taken out of old. parents gets the headings
// above the two.
func newSection(s *section, before []section, old map[string]*section, parents map[string]string) sectionChange {
	c := sectionChange{section: *s, change: SectionAdded, added: s.blocks}
	for _, fits := range []func(o, s *section) bool{
		func(o, s *section) bool { return o.name() == s.name() && o.equal(s) },
		func(o, s *section) bool { return o.equal(s) },
		func(o, s *section) bool { return o.name() == s.name() && shared(o.words, s.words) > 0 },
		func(o, s *section) bool {
			return (o.prev == s.prev || o.next == s.next) && shared(o.words, s.words) > 0
		},
	} {
		for i := range before {
			o := &before[i]
			if len(s.blocks) == 0 || old[o.key] == nil || !fits(o, s) {
				continue
			}
			delete(old, o.key)
			parents[above(s.heading)] = above(o.heading)
			c.compare(o)
			c.change = SectionChanged
			if o.name() != s.name() {
				c.change, c.was = SectionRenamed, strings.Join(o.heading, " / ")
			}
			return c
		}
	}
	return c
}

// renameEmpty makes a section without text, whose subsections are those of an old one, that
// one renamed.
func (c *sectionChange) renameEmpty(old map[string]*section, parents map[string]string) {
	was, ok := parents[strings.Join(c.heading, "\x00")]
	if !ok || c.change != SectionAdded || len(c.blocks) > 0 || old[was] == nil || len(old[was].blocks) > 0 {
		return
	}
	c.change, c.was = SectionRenamed, strings.Join(old[was].heading, " / ")
	delete(old, was)
}

// above is the key of the section around one.
func above(heading []string) string { return strings.Join(heading[:max(0, len(heading)-1)], "\x00") }

// name is the heading of a section without those above.
func (s *section) name() string {
	if len(s.heading) == 0 {
		return ""
	}
	return s.heading[len(s.heading)-1]
}

func (s *section) equal(o *section) bool { return slices.EqualFunc(s.blocks, o.blocks, sameBlock) }

// blockKey is what blocks are the same by.
type blockKey struct {
	kind blockKind
	key  string
}

func (b *block) same() blockKey { return blockKey{b.kind, b.folded} }

// compare finds what differs from the old section.
func (c *sectionChange) compare(o *section) {
	code, text := split(c.blocks)
	oldCode, oldText := split(o.blocks)
	c.added, c.removed = without(text, oldText), without(oldText, text)
	c.compareCode(oldCode, code)
}

// split returns the lines of code and the other blocks.
func split(list []block) (code, text []block) {
	for i := range list {
		if list[i].kind == codeLine {
			code = append(code, list[i])
		} else {
			text = append(text, list[i])
		}
	}
	return code, text
}

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
		blocks := r.blocks(body)
		out = append(out, section{key: key, heading: heading, line: p.Lines.LineOf(at), blocks: blocks, words: words(joined(blocks))})
	}
	begin, at := p.Body, p.Body
	for _, h := range p.Headings {
		add(at, schema.Span{Start: begin, End: max(begin, h.Span.Start)})
		begin, at = h.Span.End, h.Span.End
	}
	add(at, schema.Span{Start: begin, End: len(p.Source)})
	out = slices.DeleteFunc(out, func(s section) bool { return len(s.blocks) == 0 && len(s.heading) == 0 })
	for i := 1; i < len(out); i++ {
		out[i].prev, out[i-1].next = out[i-1].key, out[i].key
	}
	return out
}

// joined is the text of blocks.
func joined(list []block) string {
	var b strings.Builder
	for i := range list {
		b.WriteString(list[i].text + "\n")
	}
	return b.String()
}
