package schema

// Nearest returns the one of known that word most likely stands for, the
// first of several that are equally near; ok is false when none is near
// enough. The distance counts insertions, deletions, substitutions and swaps
// of neighbours (optimal string alignment), letter case aside, and may be a
// third of the word's length, at most 3.
func Nearest(word string, known []string) (nearest string, ok bool) {
	w := foldRunes(word)
	if len(w) == 0 || len(w) > 64 {
		return "", false
	}
	limit := min(3, max(1, len(w)/3))
	best := limit + 1
	for _, k := range known {
		r := foldRunes(k)
		if diff := len(r) - len(w); diff > limit || diff < -limit {
			continue
		}
		if d := distance(w, r, best); d < best {
			best, nearest = d, k
		}
	}
	return nearest, best <= limit
}

// foldRunes lowers ASCII letters and takes - and space for _.
func foldRunes(s string) []rune {
	out := make([]rune, 0, len(s))
	for _, r := range s {
		switch {
		case r >= 'A' && r <= 'Z':
			r += 'a' - 'A'
		case r == '-' || r == ' ':
			r = '_'
		}
		out = append(out, r)
	}
	return out
}

// distance returns the optimal string alignment distance of a and b, or
// anything of at least limit when it is not below it.
func distance(a, b []rune, limit int) int {
	before, prev, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least >= limit {
			return limit
		}
		before, prev, row = prev, row, before
	}
	return prev[len(b)]
}
