package layout

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// villages is a graph of groups: most links stay within one.
func villages(nodes, edges, groups int, within float64) (near [][]int32, group []int32) {
	r := rand.New(rand.NewPCG(1, 2))
	near, group = make([][]int32, nodes), make([]int32, nodes)
	for i := range group {
		group[i] = int32(i % groups)
	}
	for range edges {
		a, b := r.IntN(nodes), r.IntN(nodes)
		if r.Float64() < within {
			b = (a + groups*r.IntN(nodes/groups)) % nodes
		}
		if a != b && !slices.Contains(near[a], int32(b)) {
			near[a], near[b] = append(near[a], int32(b)), append(near[b], int32(a))
		}
	}
	for _, list := range near {
		slices.Sort(list)
	}
	return near, group
}

func BenchmarkGraph(b *testing.B) {
	near, group := villages(10_000, 80_000, 25, .7)
	for b.Loop() {
		Graph(near, group)
	}
}

// A graph is laid out alike each time, groups that hold together lie together, and no
// two pages lie at one place.
func TestGraph(t *testing.T) {
	t.Parallel()
	near, group := villages(400, 1600, 4, .95)
	x, y := Graph(near, group)
	again, _ := Graph(near, group)
	if !slices.Equal(x, again) {
		t.Error("the second layout is another one")
	}
	var own, others, nOwn, nOthers, closest float64
	closest = math.Inf(1)
	for i := range x {
		for j := range i {
			far := math.Hypot(x[i]-x[j], y[i]-y[j])
			closest = min(closest, far)
			if group[i] == group[j] {
				own, nOwn = own+far, nOwn+1
			} else {
				others, nOthers = others+far, nOthers+1
			}
		}
	}
	if ratio := others / nOthers / (own / nOwn); ratio < 1.5 {
		t.Errorf("pages of other groups are only %.2f times as far away as those of the own", ratio)
	}
	if side := slices.Max(x) - slices.Min(x); closest < side/1000 {
		t.Errorf("two pages are %g apart on %g", closest, side)
	}
}

// Graphs of all shapes have finite positions.
func TestOddGraphs(t *testing.T) {
	t.Parallel()
	star := make([][]int32, 500)
	for i := int32(1); i < 500; i++ {
		star[0], star[i] = append(star[0], i), []int32{0}
	}
	for name, near := range map[string][][]int32{"one page": {nil}, "a pair": {{1}, {0}}, "no links": make([][]int32, 300), "a star": star} {
		x, y := Graph(near, make([]int32, len(near)))
		for i := range x {
			if math.IsNaN(x[i]+y[i]) || math.IsInf(x[i]+y[i], 0) {
				t.Fatalf("%s: a page is at %v %v", name, x[i], y[i])
			}
		}
	}
}
