// Package conflict finds what pages of a wiki state differently. In go the facts of each page (see
// compiler/claim); out come pairs of facts with the evidence for and against their being about one thing, of
// which some are reported, some are doubts for a judge, and the others are dropped.
//
// Its first principle is that contradiction is disagreement amid agreement: two tables that agree in three
// cells and differ in one are about the same thing, in any language; two that agree in none are two
// measurements. The surprise: it doesn't read sentences. A number in prose is never more than a doubt.
package conflict

import (
	"math/bits"
	"slices"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// group is a [claim.Group] on its page.
type group struct {
	*claim.Group
	page   int32
	values []schema.Value // of the cells, parsed when first needed
	parsed []bool
}

// ref names a cell: its group and its index among the cells of that.
type ref struct{ group, cell int32 }

// index finds the cells that stand under the same names on several pages.
type index struct {
	*Input
	pages   []*schema.Page
	mute    []bool
	numbers map[schema.PageID]int32 // index of a page
	groups  []group
	first   []int32 // index of the first group of each page, and the number of groups
	cells   map[uint64][]ref
	forms   map[uint64]bool // keys of cells that each page fills in for itself
}

// Input is what contradictions are searched in.
type Input struct {
	Wiki    *compiler.Wiki
	Lexicon *claim.Lexicon
	Facts   func(*schema.Page) *claim.Facts
}

const (
	// formPages and formValues make a cell a form: so many pages have it with so many values.
	formPages, formValues = 3, 3
	// mostSides bounds how many pages with one value are compared with how many that have another.
	mostSides = 8
	// unnamed is the name of the column of a list of fields.
	unnamed = 0x9E3779B97F4A7C15
)

func newIndex(in *Input) *index {
	x := &index{Input: in, pages: in.Wiki.Pages(), cells: map[uint64][]ref{}, forms: map[uint64]bool{}}
	x.mute, x.numbers = make([]bool, len(x.pages)), make(map[schema.PageID]int32, len(x.pages))
	for i, p := range x.pages {
		x.numbers[p.ID] = int32(i)
		x.first = append(x.first, int32(len(x.groups)))
		if x.mute[i] = claim.Mute(p) || schema.TemplatePath(p.Path); x.mute[i] {
			continue
		}
		facts := in.Facts(p)
		for k := range facts.Groups {
			x.groups = append(x.groups, group{Group: &facts.Groups[k], page: int32(i)})
		}
	}
	x.first = append(x.first, int32(len(x.groups)))
	x.fill()
	return x
}

// fill enters the cells whose row is on several pages.
func (x *index) fill() {
	type met struct {
		page int32
		more bool
	}
	rows := map[uint64]met{}
	for i := range x.groups {
		for k := range x.groups[i].Rows {
			for _, h := range hashes(&x.groups[i].Rows[k]) {
				m, ok := rows[h]
				rows[h] = met{x.groups[i].page, m.more || ok && m.page != x.groups[i].page}
			}
		}
	}
	for i := range x.groups {
		g := &x.groups[i]
		for k := range g.Cells {
			for _, key := range g.keys(k) {
				if rows[key.row].more {
					x.cells[key.cell] = append(x.cells[key.cell], ref{int32(i), int32(k)})
				}
			}
		}
	}
	for key, refs := range x.cells {
		if refs[0].group == refs[len(refs)-1].group || x.groups[refs[0].group].page == x.groups[refs[len(refs)-1].group].page {
			delete(x.cells, key)
		}
	}
}

// hashes returns the names of a row.
func hashes(k *claim.Key) []uint64 {
	switch {
	case k.Hash == 0 && k.Alt == 0:
		return nil
	case k.Alt == 0 || k.Alt == k.Hash:
		return []uint64{k.Hash}
	case k.Hash == 0:
		return []uint64{k.Alt}
	}
	return []uint64{k.Hash, k.Alt}
}

type cellKey struct{ row, cell uint64 }

// keys returns the names of a cell.
func (g *group) keys(cell int) (out []cellKey) {
	c := &g.Cells[cell]
	col := g.Cols[c.Col].Hash
	if col == 0 {
		if g.From == schema.OriginTable {
			return nil
		}
		col = unnamed
	}
	for _, h := range hashes(&g.Rows[c.Row]) {
		out = append(out, cellKey{h, bits.RotateLeft64(h, 17) ^ col*0x9E3779B97F4A7C15})
	}
	return out
}

// value returns the value of a cell.
func (x *index) value(r ref) schema.Value {
	g := &x.groups[r.group]
	if g.values == nil {
		g.values, g.parsed = make([]schema.Value, len(g.Cells)), make([]bool, len(g.Cells))
	}
	if !g.parsed[r.cell] {
		g.parsed[r.cell] = true
		g.values[r.cell] = counted(x.Lexicon.Value(x.pages[g.page], g.Group, &g.Cells[r.cell]))
	}
	return g.values[r.cell]
}

func (x *index) page(r ref) *schema.Page { return x.pages[x.groups[r.group].page] }

// kinds sorts the cells of one name by their values. Those that can't be compared with the others are left
// out.
func (x *index) kinds(refs []ref) (out [][]ref) {
	for _, r := range refs {
		v := x.value(r)
		if v.Kind == schema.ValueNone {
			continue
		}
		i := slices.IndexFunc(out, func(k []ref) bool { rel := Compare(x.value(k[0]), v); return rel == Same || rel == Compatible })
		switch {
		case i >= 0:
			out[i] = append(out[i], r)
		case len(out) <= formValues:
			out = append(out, []ref{r})
		}
	}
	return out
}

// onPages returns on how many pages cells stand; editions of one page count once.
func (x *index) onPages(kinds [][]ref) int {
	seen := map[string]bool{}
	for _, refs := range kinds {
		for _, r := range refs {
			seen[x.Wiki.Identity().Work(x.page(r).Path)] = true
		}
	}
	return len(seen)
}

// candidates returns the pairs of pages that give different values for a cell that is no form, in order.
func (x *index) candidates() [][2]int32 {
	seen := map[[2]int32]bool{}
	for key, refs := range x.cells {
		kinds := x.kinds(refs)
		if len(kinds) < 2 {
			continue
		}
		if len(kinds) >= formValues && x.onPages(kinds) >= formPages {
			x.forms[key] = true
			continue
		}
		for i := range kinds {
			for _, others := range kinds[i+1:] {
				x.cross(seen, kinds[i], others)
			}
		}
	}
	out := make([][2]int32, 0, len(seen))
	for pair := range seen {
		out = append(out, pair)
	}
	slices.SortFunc(out, func(a, b [2]int32) int {
		if a[0] != b[0] {
			return int(a[0] - b[0])
		}
		return int(a[1] - b[1])
	})
	return out
}

func (x *index) cross(seen map[[2]int32]bool, some, others []ref) {
	for _, a := range some[:min(len(some), mostSides)] {
		for _, b := range others[:min(len(others), mostSides)] {
			p, q := x.groups[a.group].page, x.groups[b.group].page
			if p > q {
				p, q = q, p
			}
			if p != q {
				seen[[2]int32{p, q}] = true
			}
		}
	}
}

// claim returns a cell as a claim.
func (x *index) claim(r ref) schema.Claim {
	g := &x.groups[r.group]
	return NewClaim(x.Lexicon, x.pages[g.page], g.Group, int(r.cell))
}
