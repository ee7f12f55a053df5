// Package conflict finds what pages of a wiki state differently. In go the facts of each page (see
// compiler/claim); out come pairs of facts with the evidence for and against their being about one thing, of
// which some are reported, some are doubts for a judge, and the others are dropped.
//
// Its first principle is that contradiction is disagreement amid agreement: two tables that agree in three
// cells and differ in one are about the same thing, in any language; two that agree in none are two
// measurements. The surprise: it doesn't read sentences. A number in prose is never more than a doubt.
package conflict

import (
	"cmp"
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

	named   bool
	subject uint64 // of a list, once named: its heading
}

// ref names a cell: its group and its index among the cells of that.
type ref struct{ group, cell int32 }

// index finds cells with the same names on several pages.
type index struct {
	*Input
	pages   []*schema.Page
	mute    []bool
	numbers map[schema.PageID]int32 // index of a page
	groups  []group
	first   []int32 // index of the first group of each page, and the number of groups
	entries []entry
	cells   map[uint64][]entry // of several pages
	forms   map[uint64]bool    // keys of cells that each page fills in for itself
}

// Input is the data in which contradictions are searched.
type Input struct {
	Wiki    *compiler.Wiki
	Lexicon *claim.Lexicon
	Facts   func(*schema.Page) *claim.Facts
	All     bool // keeps the pairs that are dropped, too
}

// NewInput returns a wiki with its facts, each page's read when it is first asked for.
func NewInput(w *compiler.Wiki) *Input {
	in := &Input{Wiki: w, Lexicon: claim.NewLexicon(&w.Config().Claims)}
	read := map[*schema.Page]*claim.Facts{}
	in.Facts = func(p *schema.Page) *claim.Facts {
		if read[p] == nil {
			read[p] = in.Lexicon.Facts(p)
		}
		return read[p]
	}
	return in
}

const (
	// formPages and formValues make a cell a form: so many pages have it with so many values.
	formPages, formValues = 3, 3
	// More than mostKinds values of one name are a form, on any number of pages, so that comparing each with each stays cheap.
	mostKinds = 64
	// mostSides bounds how many pages with one value are compared with how many that have another.
	mostSides = 8
	// unnamed is the name of the column of a list of fields.
	unnamed = 0x9E3779B97F4A7C15
)

func newIndex(in *Input) *index {
	x := &index{Input: in, pages: in.Wiki.Pages(), cells: map[uint64][]entry{}, forms: map[uint64]bool{}}
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

// entry is a cell under one of its names.
type entry struct {
	key uint64
	ref
}

// fill enters the cells that several pages have.
func (x *index) fill() {
	rows := map[uint64]int32{} // page of a row's name, -1 when several have it
	for i := range x.groups {
		for k := range x.groups[i].Rows {
			for _, h := range hashes(&x.groups[i].Rows[k]) {
				if page, ok := rows[h]; h != 0 && !ok {
					rows[h] = x.groups[i].page
				} else if page != x.groups[i].page {
					rows[h] = -1
				}
			}
		}
	}
	for i := range x.groups {
		g := &x.groups[i]
		for k := range g.Cells {
			row := hashes(&g.Rows[g.Cells[k].Row])
			for n, key := range g.keys(k) {
				if key != 0 && rows[row[n]] < 0 {
					x.entries = append(x.entries, entry{key, ref{int32(i), int32(k)}})
				}
			}
		}
	}
	slices.SortFunc(x.entries, func(a, b entry) int {
		return cmp.Or(cmp.Compare(a.key, b.key), int(a.group-b.group), int(a.cell-b.cell))
	})
	for lo := 0; lo < len(x.entries); {
		hi, more := lo+1, false
		for hi < len(x.entries) && x.entries[hi].key == x.entries[lo].key {
			more = more || x.groups[x.entries[hi].group].page != x.groups[x.entries[lo].group].page
			hi++
		}
		if more {
			x.cells[x.entries[lo].key] = x.entries[lo:hi]
		}
		lo = hi
	}
}

// hashes returns the names of a row, 0 for none.
func hashes(k *claim.Key) [2]uint64 {
	if k.Alt == k.Hash {
		return [2]uint64{k.Hash}
	}
	return [2]uint64{k.Hash, k.Alt}
}

// keys returns the names of a cell, 0 for none.
func (g *group) keys(cell int) (out [2]uint64) {
	c := &g.Cells[cell]
	col := g.Cols[c.Col].Hash
	if col == 0 {
		if g.From == schema.OriginTable {
			return out
		}
		col = unnamed
	}
	for i, h := range hashes(&g.Rows[c.Row]) {
		if h != 0 {
			out[i] = bits.RotateLeft64(h, 17) ^ col*unnamed
		}
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

// kinds groups the cells of one name by their values. form reports that each page fills the cell in for itself,
// and then the rest isn't looked at. Time is linear in refs.
func (x *index) kinds(refs ...ref) (out [][]ref, form bool) {
	var apart []bool // whether the value differs from another; one in a unit that no other has differs from none
	differ, works := 0, map[string]bool{}
	for _, r := range refs {
		v := x.value(r)
		if v.Kind == schema.ValueNone {
			continue
		}
		i := slices.IndexFunc(out, func(k []ref) bool { rel := Compare(x.value(k[0]), v); return rel == Same || rel == Compatible })
		works[x.Wiki.Identity().Work(x.page(r).Path)] = true // editions of one page count once
		if i >= 0 {
			out[i] = append(out[i], r)
			continue
		}
		apart = append(apart, false)
		for i, k := range out {
			if Compare(x.value(k[0]), v) == Apart {
				apart[i], apart[len(out)] = true, true
			}
		}
		out = append(out, []ref{r})
		differ = 0
		for _, a := range apart {
			if a {
				differ++
			}
		}
		if differ >= formValues && len(works) >= formPages || len(out) > mostKinds {
			return out, true
		}
	}
	return out, false
}

// candidates returns the pairs of pages that give different values for a cell that is not a form, in order.
func (x *index) candidates() [][2]int32 {
	seen := map[[2]int32]bool{}
	var refs []ref
	for key, entries := range x.cells {
		refs = refs[:0]
		for _, e := range entries {
			refs = append(refs, e.ref)
		}
		kinds, form := x.kinds(refs...)
		if form {
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
