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
	blocks  []string // sentences, items, rows and lines of code
}

// compareSections compares the text of two versions of a page, section by section. A
// section of which only the heading differs was renamed.
func compareSections(was, now *schema.Page) []SectionChange {
	before, after := sections(was), sections(now)
	old := map[string]*section{}
	for i := range before {
		old[before[i].key] = &before[i]
	}
	out := []SectionChange{}
	var added []*section
	for i := range after {
		s := &after[i]
		o, ok := old[s.key]
		if !ok {
			added = append(added, s)
			continue
		}
		delete(old, s.key)
		if plus, minus := without(s.blocks, o.blocks), without(o.blocks, s.blocks); len(plus)+len(minus) > 0 {
			out = append(out, SectionChange{Heading: s.heading, Change: SectionChanged, Line: s.line, Added: plus, Removed: minus})
		}
	}
	for _, s := range added {
		out = append(out, newSection(s, before, old))
	}
	for i := range before {
		if o := &before[i]; old[o.key] != nil {
			out = append(out, SectionChange{Heading: o.heading, Change: SectionRemoved, Line: o.line, Added: []string{}, Removed: o.blocks})
		}
	}
	out = unmoved(out)
	// Removed sections come last, since their lines are those of the old page.
	slices.SortStableFunc(out, func(a, b SectionChange) int {
		if x, y := a.Change == SectionRemoved, b.Change == SectionRemoved; x != y {
			return map[bool]int{true: 1, false: -1}[x]
		}
		return a.Line - b.Line
	})
	return out
}

// unmoved leaves out what one section lost and another one of the page got, and sections
// of which nothing is left then.
func unmoved(all []SectionChange) []SectionChange {
	var added, removed []string
	for _, c := range all {
		added, removed = append(added, c.Added...), append(removed, c.Removed...)
	}
	still := func(list, elsewhere []string) map[string]int {
		count := map[string]int{}
		for _, s := range without(list, elsewhere) {
			count[s]++
		}
		return count
	}
	plus, minus := still(added, removed), still(removed, added)
	take := func(list []string, from map[string]int) []string {
		out := []string{}
		for _, s := range list {
			if from[s] > 0 {
				from[s]--
				out = append(out, s)
			}
		}
		return out
	}
	out := all[:0]
	for _, c := range all {
		c.Added, c.Removed = take(c.Added, plus), take(c.Removed, minus)
		c.reword()
		if c.Change != SectionChanged || len(c.Added)+len(c.Removed)+len(c.Changed) > 0 {
			out = append(out, c)
		}
	}
	return out
}

// newSection is the change that brings a section, which is an old one under another
// heading if there is one with the same text; that is taken out of old.
func newSection(s *section, before []section, old map[string]*section) SectionChange {
	c := SectionChange{Heading: s.heading, Change: SectionAdded, Line: s.line, Added: s.blocks, Removed: []string{}}
	if len(s.blocks) == 0 {
		return c
	}
	for i := range before {
		o := &before[i]
		if old[o.key] != nil && slices.Equal(o.blocks, s.blocks) {
			delete(old, o.key)
			c.Change, c.Was, c.Added = SectionRenamed, strings.Join(o.heading, " / "), []string{}
			return c
		}
	}
	return c
}

// without returns the blocks of a that b lacks, each as often as it does.
func without(a, b []string) []string {
	have := map[string]int{}
	for _, s := range b {
		have[s]++
	}
	out := []string{}
	for _, s := range a {
		if have[s] > 0 {
			have[s]--
			continue
		}
		out = append(out, s)
	}
	return out
}

// sections cuts the body of a page at its headings.
func sections(p *schema.Page) []section {
	var out []section
	count := map[string]int{}
	add := func(at int, body schema.Span) {
		heading := append([]string{}, claim.Section(p, at)...)
		key := strings.Join(heading, "\x00")
		if n := count[key]; n > 0 {
			key = fmt.Sprintf("%s\x00%d", key, n)
		}
		count[strings.Join(heading, "\x00")]++
		out = append(out, section{key, heading, p.Lines.LineOf(at), blocks(p, body)})
	}
	begin, at := p.Body, p.Body
	for _, h := range p.Headings {
		add(at, schema.Span{Start: begin, End: max(begin, h.Span.Start)})
		begin, at = h.Span.End, h.Span.End
	}
	add(at, schema.Span{Start: begin, End: len(p.Source)})
	return slices.DeleteFunc(out, func(s section) bool { return len(s.blocks) == 0 && len(s.heading) == 0 })
}

// mostPairs bounds how many pairs of texts of one section are compared.
const mostPairs = 250_000

// reword pairs what was removed with what was added and shares most of its words.
func (c *SectionChange) reword() {
	c.Changed = []Reworded{}
	if len(c.Added)*len(c.Removed) > mostPairs {
		return
	}
	now := make([]map[string]bool, len(c.Added))
	for i, s := range c.Added {
		now[i] = words(s)
	}
	taken := make([]bool, len(c.Added))
	removed := []string{}
	for _, was := range c.Removed {
		set, best, most := words(was), -1, 0
		for i := range now {
			if n := shared(set, now[i]); !taken[i] && n > most {
				best, most = i, n
			}
		}
		if best < 0 {
			removed = append(removed, was)
			continue
		}
		taken[best] = true
		c.Changed = append(c.Changed, Reworded{was, c.Added[best]})
	}
	added := []string{}
	for i, s := range c.Added {
		if !taken[i] {
			added = append(added, s)
		}
	}
	c.Added, c.Removed = added, removed
}
