package schema

// Nearest returns the known word that word most likely stands for, the first of several
// equally near; ok is false if none is near enough. The distance counts insertions,
// deletions, substitutions and swaps of neighbours (optimal string alignment), ignoring
// case, and may be a third of the word's length, at most 3.
func Nearest(word string, known []string) (nearest string, ok bool) {
	w := foldRunes(word)
	if len(w) == 0 || len(w) > 64 {
		return "", false
	}
	limit := min(3, max(1, len(w)/3))
	best := limit + 1
	for _, k := range known {
		r := foldRunes(k)
		if d := Distance(w, r, best-1); d < best {
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

// Distance returns how many letters have to be inserted, deleted, replaced or
// swapped with their neighbour to make b of a (optimal string alignment), or
// something above most if that is more.
func Distance(a, b []rune, most int) int {
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1
	}
	var short [3][68]int // words of up to 67 letters need no memory of their own
	before, last, row := short[0][:], short[1][:], short[2][:]
	if len(b) >= len(row) {
		before, last, row = make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	}
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		best := i
		for j := 1; j <= len(b); j++ {
			cost := last[j-1]
			if a[i-1] != b[j-1] {
				cost++
			}
			cost = min(cost, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cost = min(cost, before[j-2]+1)
			}
			row[j] = cost
			best = min(best, cost)
		}
		if best > most {
			return most + 1
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
