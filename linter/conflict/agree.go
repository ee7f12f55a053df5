package conflict

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/loopwiki/wiki/schema"
)

// agreement is the common content of two groups on different pages.
type agreement struct {
	a, b   int32 // groups
	cols   map[[2]int32]*column
	rows   map[[2]int32]*row
	agrees int // cells that agree, of all columns
	differ int
}

// column is the common content of two groups in one column.
type column struct {
	agree  int // cells with one value that tells something; see telling
	differ [][2]ref
}

// row is their common content in one row.
type row struct{ shared, agree int }

// fewestAgreeing is how many cells of a column agree at least where the others contradict; where one less
// does, they are doubts, and up to doubtedTimes as many may differ.
const (
	fewestAgreeing = 3
	doubtedTimes   = 2
)

// compare returns the groups of two pages that share cells, each with its only partner: the one on the other
// page that agrees with it most.
func (x *index) compare(p, q int32) []*agreement {
	byKey := map[uint64][]ref{}
	for g := x.first[p]; g < x.first[p+1]; g++ {
		for k := range x.groups[g].Cells {
			for _, key := range x.groups[g].keys(k) {
				if key != 0 && len(x.cells[key]) > 0 && !x.forms[key] {
					byKey[key] = append(byKey[key], ref{g, int32(k)})
				}
			}
		}
	}
	all := map[[2]int32]*agreement{}
	seen := map[[2]ref]bool{}
	for g := x.first[q]; g < x.first[q+1]; g++ {
		for k := range x.groups[g].Cells {
			b := ref{g, int32(k)}
			for _, key := range x.groups[g].keys(k) {
				for _, a := range byKey[key] {
					if !seen[[2]ref{a, b}] {
						seen[[2]ref{a, b}] = true
						x.meet(all, a, b)
					}
				}
			}
		}
	}
	return partners(all)
}

// meet counts two cells of the same names.
func (x *index) meet(all map[[2]int32]*agreement, a, b ref) {
	key := [2]int32{a.group, b.group}
	g := all[key]
	if g == nil {
		g = &agreement{a: a.group, b: b.group, cols: map[[2]int32]*column{}, rows: map[[2]int32]*row{}}
		all[key] = g
	}
	ca, cb := &x.groups[a.group].Cells[a.cell], &x.groups[b.group].Cells[b.cell]
	r := at(g.rows, [2]int32{ca.Row, cb.Row})
	c := at(g.cols, [2]int32{ca.Col, cb.Col})
	va, vb := x.value(a), x.value(b)
	switch Compare(va, vb) {
	case Same, Compatible:
		r.shared, r.agree = r.shared+1, r.agree+1
		if distinctive(va) && distinctive(vb) {
			c.agree++
			g.agrees++
		}
	case Apart:
		r.shared++
		if va.Kind != schema.ValueName && va.Kind != schema.ValueBool { // two words may mean one thing
			c.differ = append(c.differ, [2]ref{a, b})
			g.differ++
		}
	}
}

func at[K comparable, V any](m map[K]*V, key K) *V {
	if m[key] == nil {
		m[key] = new(V)
	}
	return m[key]
}

// partners leaves of all pairs of groups those of which each is the best of the other.
func partners(all map[[2]int32]*agreement) []*agreement {
	sorted := make([]*agreement, 0, len(all))
	for _, g := range all {
		sorted = append(sorted, g)
	}
	slices.SortFunc(sorted, func(a, b *agreement) int {
		return cmp.Or(b.agrees-a.agrees, a.differ-b.differ, int(a.a-b.a), int(a.b-b.b))
	})
	taken := map[int32]bool{}
	return slices.DeleteFunc(sorted, func(g *agreement) bool {
		if taken[g.a] || taken[g.b] {
			return true
		}
		taken[g.a], taken[g.b] = true, true
		return false
	})
}

// cellPair is a pair of cells that differ.
type cellPair struct {
	a, b ref
	Pair
}

// pairs returns the differing cells of two groups, with the evidence that they
// contradict each other.
func (x *index) pairs(g *agreement) (out []cellPair) {
	for _, key := range sortedKeys(g.cols) {
		c := g.cols[key]
		for _, d := range c.differ {
			ca, cb := &x.groups[d[0].group].Cells[d[0].cell], &x.groups[d[1].group].Cells[d[1].cell]
			p := cellPair{a: d[0], b: d[1], Pair: Pair{Agree: c.agree}}
			p.Evidence = append(p.Evidence, Evidence{fmt.Sprintf("%d cells of the column agree", c.agree), float64(c.agree)})
			switch n := len(c.differ); {
			case c.agree >= fewestAgreeing && n <= c.agree:
			case c.agree == fewestAgreeing-1 && n <= doubtedTimes*c.agree || c.agree >= fewestAgreeing && n <= doubtedTimes*c.agree:
				p.Evidence = append(p.Evidence, Evidence{fmt.Sprintf("%d differ", n), Doubts - float64(c.agree)})
			default:
				p.Evidence = append(p.Evidence, Evidence{fmt.Sprintf("%d differ", n), -float64(c.agree)})
			}
			if r := g.rows[[2]int32{ca.Row, cb.Row}]; r.agree == 0 && r.shared >= fewestAgreeing && p.Score() > Doubts {
				p.Evidence = append(p.Evidence, Evidence{"no cell of the row agrees", Doubts - p.Score()})
			}
			if p.Score() >= Doubts || x.All {
				p.A, p.B = x.claim(d[0]), x.claim(d[1])
				p.Rule = ruleOf(p.A.Value)
				out = append(out, p)
			}
		}
	}
	return out
}

func sortedKeys[V any](m map[[2]int32]V) [][2]int32 {
	out := make([][2]int32, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.SortFunc(out, func(a, b [2]int32) int { return cmp.Or(int(a[0]-b[0]), int(a[1]-b[1])) })
	return out
}

// tables returns the pairs of cells of all groups, in order.
func (x *index) tables() (out []cellPair) {
	for _, pages := range x.candidates() {
		veto := x.vetoPages(x.pages[pages[0]], x.pages[pages[1]])
		if veto != "" && !x.All {
			continue
		}
		for _, g := range x.compare(pages[0], pages[1]) {
			for _, pair := range x.pairs(g) {
				if pair.Veto = veto; veto == "" {
					pair.Veto = x.vetoCells(&pair.Pair)
				}
				out = append(out, pair)
			}
		}
	}
	return out
}
