package difference

import (
	"cmp"
	"slices"
	"strings"
)

// mostPairs bounds how many pairs of blocks of one section are compared.
const mostPairs = 250_000

// reword pairs what was removed with what was added: rows by their first cell or else by
// all others, then blocks of one kind that share most of their words.
func (c *sectionChange) reword() {
	if len(c.added)*len(c.removed) > mostPairs {
		return
	}
	c.pair(func(a, b *block) int {
		x, rest := cells(a.folded)
		y, others := cells(b.folded)
		switch {
		case a.kind != tableRow:
			return 0
		case x == y:
			return 2
		case rest == others && len(words(rest)) >= leastWords:
			return 1
		}
		return 0
	})
	sets := map[string]map[string]bool{}
	wordsOf := func(s string) map[string]bool {
		if sets[s] == nil {
			sets[s] = words(s)
		}
		return sets[s]
	}
	c.pair(func(a, b *block) int {
		if a.kind == codeLine {
			return 0
		}
		if a.text == b.text || a.label() == b.label() { // other targets
			return len(a.text) + 1
		}
		return shared(wordsOf(a.text), wordsOf(b.text))
	})
	slices.SortStableFunc(c.added, inOrder)
	slices.SortStableFunc(c.removed, inOrder)
	slices.SortStableFunc(c.reworded, func(a, b [2]block) int { return inOrder(a[1], b[1]) })
}

func inOrder(a, b block) int { return cmp.Compare(a.from, b.from) }

// leastWords is how many words the cells of a row have that tell it from others.
const leastWords = 3

// cells are the first cell of a row and the others.
func cells(row string) (first, rest string) {
	first, rest, _ = strings.Cut(strings.TrimPrefix(row, "|"), "|")
	return strings.TrimSpace(first), rest
}

// pair pairs removed with added blocks of one kind, each with the one that is the most
// alike; 0 is not at all.
func (c *sectionChange) pair(alike func(a, b *block) int) {
	taken := make([]bool, len(c.added))
	var removed []block
	for i := range c.removed {
		was, best, most := &c.removed[i], -1, 0
		for k := range c.added {
			if taken[k] || c.added[k].kind != was.kind {
				continue
			}
			if n := alike(was, &c.added[k]); n > most {
				best, most = k, n
			}
		}
		if best < 0 {
			removed = append(removed, *was)
			continue
		}
		taken[best] = true
		c.reworded = append(c.reworded, [2]block{*was, c.added[best]})
	}
	c.added, c.removed = untaken(c.added, taken), removed
}

func untaken(list []block, taken []bool) (out []block) {
	for i := range list {
		if !taken[i] {
			out = append(out, list[i])
		}
	}
	return out
}

// compareCode compares lines of code in their order: those that are equal or alike are
// paired so that no two pairs cross, of all ways to do so the one with the most equal bytes,
// by a table of those of the rests of both lists.
func (c *sectionChange) compareCode(was, now []block) {
	n, m := len(was), len(now)
	if n*m > mostPairs {
		c.removed, c.added = append(c.removed, without(was, now)...), append(c.added, without(now, was)...)
		return
	}
	before, after := wordsOfAll(was), wordsOfAll(now)
	same, best := make([][]int, n), make([][]int, n+1)
	best[n] = make([]int, m+1)
	for i := n - 1; i >= 0; i-- {
		same[i], best[i] = make([]int, m), make([]int, m+1)
		for k := m - 1; k >= 0; k-- {
			same[i][k] = sameBytes(was[i].text, now[k].text)
			if 2*same[i][k] <= max(len(was[i].text), len(now[k].text)) && shared(before[i], after[k]) == 0 {
				same[i][k] = -1
			}
			best[i][k] = max(best[i+1][k], best[i][k+1], same[i][k]+1+best[i+1][k+1])
		}
	}
	var removed, added []block
	i, k := 0, 0
	for i < n && k < m {
		switch {
		case same[i][k] >= 0 && best[i][k] == same[i][k]+1+best[i+1][k+1]:
			if was[i].text != now[k].text {
				c.reworded = append(c.reworded, [2]block{was[i], now[k]})
			}
			i, k = i+1, k+1
		case best[i][k] == best[i+1][k]:
			removed = append(removed, was[i])
			i++
		default:
			added = append(added, now[k])
			k++
		}
	}
	removed, added = append(removed, was[i:]...), append(added, now[k:]...)
	c.removed, c.added = append(c.removed, without(removed, added)...), append(c.added, without(added, removed)...)
}

func wordsOfAll(list []block) []map[string]bool {
	out := make([]map[string]bool, len(list))
	for i := range list {
		out[i] = words(list[i].text)
	}
	return out
}

// sameBytes counts the bytes that two texts share at their ends.
func sameBytes(a, b string) int {
	short, head, tail := min(len(a), len(b)), 0, 0
	for head < short && a[head] == b[head] {
		head++
	}
	for tail < short-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	return head + tail
}
