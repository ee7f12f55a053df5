package difference

import "strings"

// mostPairs bounds how many pairs of blocks of one section are compared.
const mostPairs = 250_000

// reword pairs what was removed with what was added: lines of code in their order, rows by
// their first cell or else by all others, then blocks of one kind that share most of their words.
func (c *sectionChange) reword() {
	if len(c.added)*len(c.removed) > mostPairs {
		return
	}
	c.pairCode()
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
}

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

// pairCode pairs lines of code that are alike, so that no two pairs cross: of all ways to do
// so the one with the most equal bytes, by a table of those of the rests of both lists.
func (c *sectionChange) pairCode() {
	n, m := len(c.removed), len(c.added)
	best := make([][]int, n+1)
	for i := range best {
		best[i] = make([]int, m+1)
	}
	for i := n - 1; i >= 0; i-- {
		for k := m - 1; k >= 0; k-- {
			best[i][k] = max(best[i+1][k], best[i][k+1])
			if same := sameCode(&c.removed[i], &c.added[k]); same > 0 {
				best[i][k] = max(best[i][k], same+best[i+1][k+1])
			}
		}
	}
	was, now := make([]bool, n), make([]bool, m)
	for i, k := 0, 0; i < n && k < m; {
		switch best[i][k] {
		case best[i+1][k]:
			i++
		case best[i][k+1]:
			k++
		default:
			c.reworded = append(c.reworded, [2]block{c.removed[i], c.added[k]})
			was[i], now[k] = true, true
			i, k = i+1, k+1
		}
	}
	c.removed, c.added = untaken(c.removed, was), untaken(c.added, now)
}

// sameCode counts the bytes that two lines of code share at their ends; 0 unless they are
// more than half of the longer one.
func sameCode(was, now *block) int {
	if was.kind != codeLine || now.kind != codeLine {
		return 0
	}
	a, b := was.text, now.text
	short, head, tail := min(len(a), len(b)), 0, 0
	for head < short && a[head] == b[head] {
		head++
	}
	for tail < short-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	if 2*(head+tail) <= max(len(a), len(b)) {
		return 0
	}
	return head + tail
}
