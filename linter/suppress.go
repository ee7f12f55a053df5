package linter

import (
	"slices"
	"sort"

	"github.com/loopwiki/wiki/schema"
)

// pageSuppressions are those of one page, and where each rule is suppressed.
type pageSuppressions struct {
	list   []Suppression     // those of the front matter, then the comments in order
	byRule map[string]*cover // "" is every rule
}

// cover is where one rule is suppressed. Within a list the stretches are in
// order and do not overlap: a block within a block of the same rule adds nothing.
type cover struct {
	lines, blocks []stretch
	file          []int
}

// stretch is a half-open range of a page, and the suppression that it is of.
type stretch struct {
	start, end int
	by         int // index into list
}

// suppressionsOf are the suppressions of a page, or nil.
var suppressionsOf = NewPageFact(readSuppressions)

func readSuppressions(page *schema.Page) *pageSuppressions {
	ps := &pageSuppressions{list: parseFront(page)}
	for _, span := range page.Comments {
		if s, ok := parseComment(page, span); ok {
			ps.list = append(ps.list, s)
		}
	}
	if len(ps.list) == 0 {
		return nil
	}
	slices.SortStableFunc(ps.list, func(a, b Suppression) int { return a.Span.Start - b.Span.Start })
	ps.byRule = map[string]*cover{}
	ps.coverFiles()
	ps.coverLines(page)
	ps.coverBlocks(len(page.Source) + 1) // a finding may stand at the very end
	return ps
}

// of returns the covers that the suppression is for.
func (ps *pageSuppressions) of(s *Suppression) []*cover {
	if s.Fault != "" {
		return nil
	}
	if len(s.Rules) == 0 {
		return []*cover{ps.cover("")}
	}
	out := make([]*cover, len(s.Rules))
	for i, r := range s.Rules {
		out[i] = ps.cover(r.ID)
	}
	return out
}

func (ps *pageSuppressions) cover(rule string) *cover {
	c := ps.byRule[rule]
	if c == nil {
		c = &cover{}
		ps.byRule[rule] = c
	}
	return c
}

// coverFiles records suppressions for the whole page: of each rule the first one, and if
// that has no reason, also the first that has.
func (ps *pageSuppressions) coverFiles() {
	for i := range ps.list {
		s := &ps.list[i]
		if s.scope != scopeFile {
			continue
		}
		for _, c := range ps.of(s) {
			if n := len(c.file); n == 0 || s.Reason != "" && ps.list[c.file[n-1]].Reason == "" {
				c.file = append(c.file, i)
			}
		}
	}
}

// coverLines finds the lines that the directives of one line are for.
func (ps *pageSuppressions) coverLines(page *schema.Page) {
	lines := newNextLines(page, ps.list)
	targets := make([]stretch, len(ps.list))
	for i := len(ps.list) - 1; i >= 0; i-- {
		s := &ps.list[i]
		last := page.Lines.LineOf(max(s.Span.Start, s.Span.End-1))
		switch s.scope {
		case scopeLine:
			targets[i] = lines.stretch(last)
		case scopeNextLine:
			targets[i] = lines.stretch(lines.after(last))
		default:
			continue
		}
		targets[i].by = i
	}
	for i := range ps.list {
		if s := &ps.list[i]; s.scope == scopeLine || s.scope == scopeNextLine {
			for _, c := range ps.of(s) {
				c.lines = append(c.lines, targets[i])
			}
		}
	}
	for _, c := range ps.byRule {
		slices.SortStableFunc(c.lines, func(a, b stretch) int { return a.start - b.start })
		c.lines = slices.CompactFunc(c.lines, func(a, b stretch) bool { return a.start == b.start })
	}
}

// nextLines finds the line to which a directive applies: the next one that is neither
// empty nor such a directive itself. Some formatters put empty lines around comments,
// and several directives may follow each other.
type nextLines struct {
	page  *schema.Page
	alone map[int]int // line that holds nothing but such a directive, to where that ends
	known map[int]int
}

func newNextLines(page *schema.Page, list []Suppression) *nextLines {
	n := &nextLines{page, map[int]int{}, map[int]int{}}
	for i := range list {
		s := &list[i]
		if s.scope != scopeNextLine || s.Span.Len() == 0 {
			continue
		}
		from, to := page.Lines.LineOf(s.Span.Start), page.Lines.LineOf(s.Span.End-1)
		before := schema.Span{Start: page.Lines.Line(from).Start, End: s.Span.Start}
		after := schema.Span{Start: s.Span.End, End: page.Lines.Line(to).End}
		if trim(page.Source, before).Len() == 0 && trim(page.Source, after).Len() == 0 {
			n.alone[from] = to
		}
	}
	return n
}

// after returns the line to which a directive on a line applies. Every line is read
// once, since the result is shared by all lines above it.
func (n *nextLines) after(line int) int {
	if next, ok := n.known[line]; ok {
		return next
	}
	at := line + 1
	for at < n.page.Lines.Lines() && trim(n.page.Source, n.page.Lines.Line(at)).Len() == 0 {
		at++
	}
	if end, ok := n.alone[at]; ok {
		at = n.after(end)
	}
	n.known[line] = at
	return at
}

// stretch is a line with its line ending; the last one extends beyond the end of the
// page, where findings may be too.
func (n *nextLines) stretch(line int) stretch {
	if line >= n.page.Lines.Lines() {
		return stretch{start: n.page.Lines.Line(line).Start, end: len(n.page.Source) + 1}
	}
	return stretch{start: n.page.Lines.Line(line).Start, end: n.page.Lines.Line(line + 1).Start}
}

// coverBlocks pairs disabling with enabling directives; end is the end of the page.
func (ps *pageSuppressions) coverBlocks(end int) {
	open := map[string]int{} // rule to the suppression that disabled it
	left := map[int]int{}    // suppression to how many of its rules are still disabled
	for i := range ps.list {
		s := &ps.list[i]
		switch {
		case s.Fault != "":
		case s.scope == scopeBlock:
			for _, rule := range s.ids() {
				if _, ok := open[rule]; !ok {
					open[rule] = i
					left[i]++
					c := ps.cover(rule)
					c.blocks = append(c.blocks, stretch{s.Span.Start, end, i})
				}
			}
		case s.scope == scopeEnable:
			ps.enable(s, open, left)
		}
	}
}

func (ps *pageSuppressions) enable(s *Suppression, open map[string]int, left map[int]int) {
	closed := map[int]bool{}
	shut := func(rule string) {
		by := open[rule]
		blocks := ps.cover(rule).blocks
		blocks[len(blocks)-1].end = s.Span.Start
		closed[by] = true
		left[by]--
		delete(open, rule)
	}
	if len(s.Rules) == 0 {
		for rule := range open {
			shut(rule)
		}
	}
	for _, r := range s.Rules {
		if _, ok := open[r.ID]; ok {
			shut(r.ID)
		} else {
			s.Stray = true
		}
	}
	s.Stray = s.Stray || len(closed) == 0
	if len(closed) == 1 && !s.Stray {
		for by := range closed {
			if left[by] == 0 && ps.list[by].Twin.Len() == 0 {
				ps.list[by].Twin = s.Span
			}
		}
	}
}

// ids are the rules that the suppression names, "" when it is for all.
func (s *Suppression) ids() []string {
	if len(s.Rules) == 0 {
		return []string{""}
	}
	out := make([]string, len(s.Rules))
	for i, r := range s.Rules {
		out[i] = r.ID
	}
	return out
}

// at yields the suppressions of a rule that cover offset, the nearest first.
func (c *cover) at(offset int, yield func(by int) bool) bool {
	if c == nil {
		return true
	}
	for _, list := range [][]stretch{c.lines, c.blocks} {
		i := sort.Search(len(list), func(i int) bool { return list[i].start > offset }) - 1
		if i >= 0 && offset < list[i].end && !yield(list[i].by) {
			return false
		}
	}
	for _, by := range c.file {
		if !yield(by) {
			return false
		}
	}
	return true
}
