package conflict

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/schema"
)

// TestBucketsHoldWhatListsWould compares buckets with a list for each key.
func TestBucketsHoldWhatListsWould(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		most := 2 + r.IntN(6)
		b, lists := newBuckets[string, int](0), map[string][]int{}
		var order []string
		for i := range r.IntN(60) {
			key := fmt.Sprint(r.IntN(12))
			if lists[key] == nil {
				order = append(order, key)
			}
			lists[key] = append(lists[key], i)
			b.add(key, i)
		}
		var want, got []string
		for _, key := range order {
			if n := len(lists[key]); n > 1 && n <= most {
				want = append(want, fmt.Sprint(key, lists[key]))
			}
		}
		b.each(most, func(key string, bucket []int) { got = append(got, fmt.Sprint(key, bucket)) })
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: %q, want %q", seed, got, want)
		}
	}
}

func TestKeptListsAreTheirOwn(t *testing.T) {
	t.Parallel()
	var s slab[int]
	buffer := make([]int, 0, 2*slabSize)
	var kept [][]int
	for n := range 3 * slabSize / 2 {
		buffer = buffer[:0]
		for i := range n % 7 {
			buffer = append(buffer, n+i)
		}
		kept = append(kept, s.keep(buffer))
		_ = append(kept[n], -1)
	}
	for n, list := range kept {
		if len(list) != n%7 || len(list) > 0 && (list[0] != n || list[len(list)-1] != n+len(list)-1) {
			t.Fatalf("list %d is %v", n, list)
		}
	}
	if large := s.keep(make([]int, 2*slabSize)); len(large) != 2*slabSize {
		t.Errorf("of %d values %d were kept", 2*slabSize, len(large))
	}
}

// TestRarestWords compares the words that claims are looked for by with what sorting
// strings gives, and whether pages share them with the pages that have them.
func TestRarestWords(t *testing.T) {
	t.Parallel()
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 2))
		var all []*said
		seen, pages := map[string]int{}, map[string][]string{}
		for range 1 + r.IntN(20) {
			s := &said{Claim: &schema.Claim{Path: fmt.Sprintf("%d.md", r.IntN(4))}}
			for range r.IntN(12) {
				s.hard = append(s.hard, string(rune('a'+r.IntN(20))))
			}
			slices.Sort(s.hard)
			s.hard = slices.Compact(s.hard)
			for _, w := range s.hard {
				seen[w]++
				pages[w] = append(pages[w], s.Path)
			}
			all = append(all, s)
		}
		counts := countWords(all)
		for n, s := range all {
			want := slices.Clone(s.hard)
			slices.SortStableFunc(want, func(a, b string) int { return seen[a] - seen[b] })
			want = want[:min(probes, len(want))]
			var got []string
			for _, w := range counts.rarest(nil, n, s) {
				word := counts.words[w.word]
				if got = append(got, word); word != s.hard[w.at] {
					t.Fatalf("seed %d: word %d of %q is no %q", seed, w.at, s.hard, word)
				}
				if on := slices.Compact(slices.Sorted(slices.Values(pages[word]))); counts.shared(w.word) != (len(on) > 1) {
					t.Fatalf("seed %d: %q stands on %s", seed, word, strings.Join(on, ", "))
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d: %q, want %q", seed, got, want)
			}
		}
	}
}
