// Package layout gives the pages of the whole graph their places.
//
// A graph is laid out on levels: nodes are joined to fewer, heavier ones until there
// are few, and each level begins where the one above it ended. Nodes push each other
// apart and pull those that they are joined with, and those of their group.
//
// The same graph gives the same positions on every machine: nothing is random, the sum
// of the forces on a node has one order, and products are rounded before they are
// added, since some processors fuse the two.
package layout

import (
	"math"
	"runtime"
	"slices"
	"sync"
)

const (
	fewNodes    = 64 // of the coarsest level
	maxJoined   = 4  // nodes in one of the next level
	firstSteps  = 80 // of the coarsest level
	lastSteps   = 12 // of the finest level
	pullLinks   = 4.0
	pullGroup   = 1.2
	pullCenter  = 1.0
	goldenAngle = 2.399963229728653 // radians, between points that fill a disc evenly
)

// level is one of the graphs of a layout.
type level struct {
	from   []int32 // where the edges of each node begin; one more than nodes
	to     []int32
	weight []float64 // of each edge, in both directions
	mass   []float64
	group  []int32
	part   []int32 // node of the next level, once there is one
	x, y   []float64
	dx, dy []float64
}

// newLevel is the finest level. An edge counts the less, the more others its ends have:
// a page that lists all others holds none of them.
func newLevel(near [][]int32, group []int32) *level {
	l := &level{from: make([]int32, 1, len(near)+1), mass: make([]float64, len(near)), group: group}
	for i, list := range near {
		for _, j := range list {
			l.to = append(l.to, j)
			l.weight = append(l.weight, 1/math.Sqrt(float64(len(list))*float64(len(near[j]))))
		}
		l.from = append(l.from, int32(len(l.to)))
		l.mass[i] = 1
	}
	return l
}

// Graph returns positions of nodes around the origin; group is a number from 0 on
// for each.
func Graph(near [][]int32, group []int32) (x, y []float64) {
	levels := []*level{newLevel(near, group)}
	for {
		last := levels[len(levels)-1]
		if len(last.mass) <= fewNodes {
			break
		}
		next := last.coarser()
		if len(next.mass)*10 > len(last.mass)*9 {
			break
		}
		levels = append(levels, next)
	}
	for i, l := range slices.Backward(levels) {
		if i == len(levels)-1 {
			l.spread()
		} else {
			l.begin(levels[i+1])
		}
		steps := max(lastSteps, firstSteps>>(len(levels)-1-i))
		for k := range steps {
			l.step(1 - float64(k)/float64(steps))
		}
	}
	return levels[0].x, levels[0].y
}

// coarser joins each node with the free one that it is joined with most.
func (l *level) coarser() *level {
	n := len(l.mass)
	l.part = make([]int32, n)
	for i := range l.part {
		l.part[i] = -1
	}
	var members [][]int32
	put := func(node, part int32) {
		l.part[node] = part
		members[part] = append(members[part], node)
	}
	alone := map[int32]int32{} // the last part of nodes without edges, by group
	for i := range int32(n) {
		if l.part[i] >= 0 {
			continue
		}
		if best := l.strongest(i, members); best >= 0 && l.part[best] >= 0 {
			put(i, l.part[best])
			continue
		} else if part, ok := alone[l.group[i]]; best < 0 && ok && len(members[part]) < maxJoined {
			put(i, part)
			continue
		} else {
			part := int32(len(members))
			members = append(members, nil)
			put(i, part)
			if best >= 0 {
				put(best, part)
			} else {
				alone[l.group[i]] = part
			}
		}
	}
	return l.join(members)
}

// strongest is the node that i is best joined with: a free one, else one of a part that
// has room; -1 if there is none.
func (l *level) strongest(i int32, members [][]int32) int32 {
	best, most, free := int32(-1), 0.0, false
	for e := l.from[i]; e < l.from[i+1]; e++ {
		j := l.to[e]
		part := l.part[j]
		if j == i || part >= 0 && (free || len(members[part]) >= maxJoined) {
			continue
		}
		w := l.weight[e] / l.mass[j]
		if part < 0 && !free || w > most {
			best, most, free = j, w, part < 0
		}
	}
	return best
}

// join makes the level whose nodes are the given parts.
func (l *level) join(members [][]int32) *level {
	next := &level{from: make([]int32, 1, len(members)+1), mass: make([]float64, len(members)), group: make([]int32, len(members))}
	sum := make([]float64, len(members))
	var touched []int32
	for part, nodes := range members {
		next.group[part] = l.group[nodes[0]]
		for _, i := range nodes {
			next.mass[part] += l.mass[i]
			for e := l.from[i]; e < l.from[i+1]; e++ {
				to := l.part[l.to[e]]
				if to == int32(part) {
					continue
				}
				if sum[to] == 0 {
					touched = append(touched, to)
				}
				sum[to] += l.weight[e]
			}
		}
		for _, to := range touched {
			next.to, next.weight = append(next.to, to), append(next.weight, sum[to])
			sum[to] = 0
		}
		touched = touched[:0]
		next.from = append(next.from, int32(len(next.to)))
	}
	return next
}

func (l *level) room() {
	n := len(l.mass)
	l.x, l.y, l.dx, l.dy = make([]float64, n), make([]float64, n), make([]float64, n), make([]float64, n)
}

// spread puts the nodes on a disc, those of a group next to each other.
func (l *level) spread() {
	l.room()
	order := make([]int, len(l.mass))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return int(l.group[a] - l.group[b]) })
	total := 0.0
	for k, i := range order {
		total += l.mass[i]
		l.put(i, 0, 0, 1.8*math.Sqrt(total), k)
	}
}

// begin puts each node near its part of the level above.
func (l *level) begin(above *level) {
	l.room()
	for i, part := range l.part {
		l.put(i, above.x[part], above.y[part], .6*math.Sqrt(above.mass[part]), i)
	}
}

// put places a node at a distance from a point; k chooses the direction.
func (l *level) put(i int, x, y, distance float64, k int) {
	sin, cos := turn(k)
	l.x[i], l.y[i] = x+float64(distance*cos), y+float64(distance*sin)
}

// directions are points on a circle, rounded: sines differ by the last bit between
// processors.
var directions = sync.OnceValue(func() (out [256][2]float64) {
	for k := range out {
		sin, cos := math.Sincos(goldenAngle * float64(k))
		out[k] = [2]float64{math.Round(sin*1e6) / 1e6, math.Round(cos*1e6) / 1e6}
	}
	return out
})

func turn(k int) (sin, cos float64) {
	all := directions()
	d := &all[k%len(all)]
	return d[0], d[1]
}

// step moves all nodes along the forces on them, at most by a distance that heat scales.
func (l *level) step(heat float64) {
	tree := newQuadtree(l.x, l.y, l.mass)
	cx, cy := l.centers()
	n := len(l.mass)
	var wait sync.WaitGroup
	chunk := max(256, (n+runtime.GOMAXPROCS(0)-1)/runtime.GOMAXPROCS(0))
	for from := 0; from < n; from += chunk {
		wait.Go(func() {
			for i := from; i < min(from+chunk, n); i++ {
				l.force(i, tree, cx, cy)
			}
		})
	}
	wait.Wait()
	for i := range n {
		x, y := l.dx[i], l.dy[i]
		most := 4 * heat * math.Sqrt(l.mass[i])
		if far := math.Sqrt(float64(x*x) + float64(y*y)); far > most {
			x, y = x/far*most, y/far*most
		}
		l.x[i] += x
		l.y[i] += y
	}
}

// centers are the centers of the groups.
func (l *level) centers() (x, y []float64) {
	groups := slices.Max(l.group) + 1
	x, y = make([]float64, groups), make([]float64, groups)
	mass := make([]float64, groups)
	for i, g := range l.group {
		x[g] += float64(l.x[i] * l.mass[i])
		y[g] += float64(l.y[i] * l.mass[i])
		mass[g] += l.mass[i]
	}
	for g, m := range mass {
		if m > 0 {
			x[g], y[g] = x[g]/m, y[g]/m
		}
	}
	return x, y
}

// force finds where a node is drawn to.
func (l *level) force(i int, tree *quadtree, cx, cy []float64) {
	x, y := l.x[i], l.y[i]
	fx, fy := tree.push(x, y, .2*l.mass[i])
	var sx, sy, sum float64
	for e := l.from[i]; e < l.from[i+1]; e++ {
		j, w := l.to[e], l.weight[e]
		sx += float64(w * (l.x[j] - x))
		sy += float64(w * (l.y[j] - y))
		sum += w
	}
	pull := pullLinks / l.mass[i]
	fx += float64(pull * sx)
	fy += float64(pull * sy)
	fx += float64(pullGroup * (cx[l.group[i]] - x))
	fy += float64(pullGroup * (cy[l.group[i]] - y))
	fx -= float64(pullCenter * x)
	fy -= float64(pullCenter * y)
	stiff := float64(pull*sum) + pullGroup + 2*pullCenter
	l.dx[i], l.dy[i] = fx/stiff, fy/stiff
}
