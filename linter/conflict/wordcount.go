package conflict

import "slices"

// wordCounts are in how many claims each word stands. Words are told from each other by
// numbers, so that they are hashed once.
type wordCounts struct {
	words []string
	seen  []int32  // claims that have the word
	page  []string // the page of all claims that have it, empty for several pages
	of    []int32  // the words of all claims, one claim behind the other
	start []int32  // where those of each begin
}

// countWords counts the hard words of claims.
func countWords(all []*said) *wordCounts {
	t := &wordCounts{start: make([]int32, 0, len(all))}
	at := map[string]int32{}
	for _, s := range all {
		t.start = append(t.start, int32(len(t.of)))
		for _, w := range s.hard {
			n, ok := at[w]
			if !ok {
				n = int32(len(t.words))
				at[w] = n
				t.words, t.seen, t.page = append(t.words, w), append(t.seen, 0), append(t.page, s.Path)
			}
			t.seen[n]++
			if t.page[n] != s.Path {
				t.page[n] = ""
			}
			t.of = append(t.of, n)
		}
	}
	return t
}

// shared reports whether claims of several pages have a word.
func (t *wordCounts) shared(word int32) bool { return t.page[word] == "" }

// rankedWord is one of the words of a claim: its number, and which of them it is.
type rankedWord struct{ word, at int32 }

// rarest appends those of the words of the n-th claim that the fewest claims have, as many as
// it is looked for by; of words as rare, the first.
func (t *wordCounts) rarest(out []rankedWord, n int, s *said) []rankedWord {
	for i, w := range t.of[t.start[n]:][:len(s.hard)] {
		out = append(out, rankedWord{w, int32(i)})
	}
	slices.SortStableFunc(out, func(a, b rankedWord) int { return int(t.seen[a.word] - t.seen[b.word]) })
	return out[:min(probes, len(out))]
}
