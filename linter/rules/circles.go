package rules

import "slices"

// circles returns the strongly connected components of the graph of n nodes
// that hold a circle, by Tarjan's algorithm without recursion, in order of
// their smallest node.
func circles(n int, next func(int) []int) [][]int {
	index, low := make([]int, n), make([]int, n)
	onStack := make([]bool, n)
	var stack []int
	var out [][]int
	count := 0
	type frame struct{ node, edge int }
	for root := range n {
		if index[root] != 0 {
			continue
		}
		work := []frame{{root, 0}}
		for len(work) > 0 {
			f := &work[len(work)-1]
			v := f.node
			if f.edge == 0 {
				count++
				index[v], low[v] = count, count
				stack, onStack[v] = append(stack, v), true
			}
			if edges := next(v); f.edge < len(edges) {
				w := edges[f.edge]
				f.edge++
				if index[w] == 0 {
					work = append(work, frame{w, 0})
				} else if onStack[w] {
					low[v] = min(low[v], index[w])
				}
				continue
			}
			work = work[:len(work)-1]
			if len(work) > 0 {
				u := work[len(work)-1].node
				low[u] = min(low[u], low[v])
			}
			if low[v] == index[v] {
				cut := lastIndex(stack, v)
				comp := slices.Clone(stack[cut:])
				stack = stack[:cut]
				for _, w := range comp {
					onStack[w] = false
				}
				if len(comp) > 1 || slices.Contains(next(v), v) {
					out = append(out, comp)
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b []int) int { return slices.Min(a) - slices.Min(b) })
	return out
}

// lastIndex searches from the top of a stack, so that the cost is only that of the
// popped elements.
func lastIndex(stack []int, v int) int {
	i := len(stack) - 1
	for stack[i] != v {
		i--
	}
	return i
}
