package conflict

import "slices"

// wordCounts are in how many statements each word stands. Words are told from each other by
// numbers, so that they are hashed once.
type wordCounts struct {
	number map[string]int32
	seen   []int32 // statements that have the word
	page   []int32 // the page of all statements that have it, -1 for several pages
	of     []int32 // the words of all statements, one statement behind the other
	start  []int32 // where those of each begin
}

func newWordCounts(statements int) *wordCounts {
	return &wordCounts{number: map[string]int32{}, of: make([]int32, 0, 4*statements), start: make([]int32, 0, statements)}
}

// add adds a statement of a page, by its words, each of which it has once.
func (t *wordCounts) add(words []string, page int32) {
	t.start = append(doubled(t.start), int32(len(t.of)))
	for _, w := range words {
		n, ok := t.number[w]
		if !ok {
			n = int32(len(t.seen))
			t.number[w] = n
			t.seen, t.page = append(doubled(t.seen), 0), append(doubled(t.page), page)
		}
		t.seen[n]++
		if t.page[n] != page {
			t.page[n] = -1
		}
		t.of = append(doubled(t.of), n)
	}
}

// shared reports whether statements of several pages have a word.
func (t *wordCounts) shared(word int32) bool { return t.page[word] < 0 }

// rank sorts the words of each statement, those that the fewest have first; of words as rare,
// they stay as they are. Nothing is added afterwards.
func (t *wordCounts) rank() {
	for n := range t.start {
		slices.SortStableFunc(t.words(n), func(a, b int32) int { return int(t.seen[a] - t.seen[b]) })
	}
}

// words returns the words of the n-th statement.
func (t *wordCounts) words(n int) []int32 {
	end := len(t.of)
	if n+1 < len(t.start) {
		end = int(t.start[n+1])
	}
	return t.of[t.start[n]:end]
}

// index returns the words that the n-th statement is looked for by: as many of the rarest.
func (t *wordCounts) index(n int32) []int32 {
	words := t.words(int(n))
	return words[:min(probes, len(words))]
}

// firstShared returns the first word that two statements are looked for by, so that they are
// compared once; -1 when there is none.
func (t *wordCounts) firstShared(a, b int32) int32 {
	others := t.index(b)
	for _, w := range t.index(a) {
		if slices.Contains(others, w) {
			return w
		}
	}
	return -1
}
