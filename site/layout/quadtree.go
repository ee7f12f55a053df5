package layout

import (
	"cmp"
	"slices"
)

// quadtree sums what far points do to a point, as Barnes and Hut describe ("A
// hierarchical O(N log N) force-calculation algorithm", Nature 324, 1986).
type quadtree struct {
	cells []cell
	x, y  []float64 // of the points, in the order of the tree
	mass  []float64
}

// cell is a square with points. Its children follow it; next is the cell after all of
// them.
type cell struct {
	x, y, mass float64 // the center of its points, and their mass
	size2      float64 // the square of its side
	from, to   int32   // its points
	next       int32
	leaf       bool
}

const (
	leafPoints = 6
	treeDepth  = 16
	// near2 is the square of the ratio of distance and side from which on a cell counts
	// as one point.
	near2 = 1.1
)

type keyed struct {
	key   uint32
	index int32
}

func newQuadtree(x, y, mass []float64) *quadtree {
	left, top := slices.Min(x), slices.Min(y)
	side := max(slices.Max(x)-left, slices.Max(y)-top, 1e-9)
	scale := (1<<treeDepth - 1) / side
	order := make([]keyed, len(x))
	for i := range x {
		order[i] = keyed{spreadBits(uint32((x[i]-left)*scale)) | spreadBits(uint32((y[i]-top)*scale))<<1, int32(i)}
	}
	slices.SortFunc(order, func(a, b keyed) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.index, b.index)) })
	t := &quadtree{cells: make([]cell, 0, len(x)), x: make([]float64, len(x)), y: make([]float64, len(x)), mass: make([]float64, len(x))}
	for k, o := range order {
		t.x[k], t.y[k], t.mass[k] = x[o.index], y[o.index], mass[o.index]
	}
	t.add(order, 0, len(order), treeDepth, side)
	return t
}

// spreadBits puts a zero between the 16 bits of a number.
func spreadBits(v uint32) uint32 {
	v = (v | v<<8) & 0x00ff00ff
	v = (v | v<<4) & 0x0f0f0f0f
	v = (v | v<<2) & 0x33333333
	return (v | v<<1) & 0x55555555
}

// add makes the cell of some points, which share the bits of their keys above depth.
func (t *quadtree) add(order []keyed, from, to, depth int, side float64) {
	at := len(t.cells)
	c := cell{from: int32(from), to: int32(to), size2: side * side, leaf: to-from <= leafPoints || depth == 0}
	for k := from; k < to; k++ {
		c.x += float64(t.x[k] * t.mass[k])
		c.y += float64(t.y[k] * t.mass[k])
		c.mass += t.mass[k]
	}
	c.x, c.y = c.x/c.mass, c.y/c.mass
	t.cells = append(t.cells, c)
	if !c.leaf {
		shift := 2 * (depth - 1)
		for begin := from; begin < to; {
			quarter := order[begin].key >> shift
			end := begin + 1
			for end < to && order[end].key>>shift == quarter {
				end++
			}
			t.add(order, begin, end, depth-1, side/2)
			begin = end
		}
	}
	t.cells[at].next = int32(len(t.cells))
}

// push is the force on a point that all points have together, each by its mass and the
// inverse of its distance; soft keeps those at the same place apart from infinity.
func (t *quadtree) push(x, y, soft float64) (fx, fy float64) {
	for i := int32(0); i < int32(len(t.cells)); {
		c := &t.cells[i]
		dx, dy := x-c.x, y-c.y
		d2 := float64(dx*dx) + float64(dy*dy)
		if d2 > near2*c.size2 {
			f := c.mass / (d2 + soft)
			fx += float64(f * dx)
			fy += float64(f * dy)
			i = c.next
			continue
		}
		if c.leaf {
			for k := c.from; k < c.to; k++ {
				dx, dy := x-t.x[k], y-t.y[k]
				f := t.mass[k] / (float64(dx*dx) + float64(dy*dy) + soft)
				fx += float64(f * dx)
				fy += float64(f * dy)
			}
			i = c.next
			continue
		}
		i++
	}
	return fx, fy
}
