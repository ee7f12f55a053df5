package linter

// nearest returns the one of names that is the fewest edits away from name,
// or "" when none is near enough to be what was meant: at most a third of the
// letters may differ. Of several the first counts.
func nearest(name string, names []string) string {
	best, bestAt := "", len(name)/3+1
	for _, n := range names {
		if d := distance(name, n, bestAt); d < bestAt {
			best, bestAt = n, d
		}
	}
	return best
}

// distance is the optimal string alignment distance (Damerau–Levenshtein with
// transpositions of neighbours) between a and b, or limit when it is not less.
func distance(a, b string, limit int) int {
	ra, rb := []rune(a), []rune(b)
	if abs(len(ra)-len(rb)) >= limit {
		return limit
	}
	prev2, prev, cur := make([]int, len(rb)+1), make([]int, len(rb)+1), make([]int, len(rb)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(ra); i++ {
		cur[0] = i
		for j := 1; j <= len(rb); j++ {
			cost := 1
			if ra[i-1] == rb[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && ra[i-1] == rb[j-2] && ra[i-2] == rb[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return min(prev[len(rb)], limit)
}

func abs(n int) int { return max(n, -n) }
