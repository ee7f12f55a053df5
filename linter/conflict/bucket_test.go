package conflict

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestBucketsHoldWhatListsWould compares buckets with a list for each key.
func TestBucketsHoldWhatListsWould(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		most := 2 + r.IntN(6)
		b, lists := newBuckets[int](0), map[bucketKey][]int{}
		var order []bucketKey
		for i := range r.IntN(60) {
			key := bucketKey{int32(r.IntN(5)), int32(r.IntN(3))}
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
		b.each(most, func(key bucketKey, bucket []int) { got = append(got, fmt.Sprint(key, bucket)) })
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

// TestRarestWords compares the words that statements are looked for by with what sorting
// strings gives, whether pages share them with the pages that have them, and the first that
// two share with what lists give.
func TestRarestWords(t *testing.T) {
	t.Parallel()
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 2))
		var all [][]string
		seen, pages := map[string]int{}, map[string][]int32{}
		counts := newWordCounts(0)
		for range 1 + r.IntN(20) {
			var words []string
			for range r.IntN(12) {
				words = append(words, string(rune('a'+r.IntN(20))))
			}
			slices.Sort(words)
			words = slices.Compact(words)
			page := int32(r.IntN(4))
			for _, w := range words {
				seen[w]++
				pages[w] = append(pages[w], page)
			}
			all = append(all, words)
			counts.add(words, page)
		}
		counts.rank()
		want := make([][]int32, len(all))
		for n, words := range all {
			rarest := slices.Clone(words)
			slices.SortStableFunc(rarest, func(a, b string) int { return seen[a] - seen[b] })
			for _, w := range rarest[:min(probes, len(rarest))] {
				number := counts.number[w]
				want[n] = append(want[n], number)
				if on := slices.Compact(slices.Sorted(slices.Values(pages[w]))); counts.shared(number) != (len(on) > 1) {
					t.Fatalf("seed %d: %q stands on %d", seed, w, on)
				}
			}
			if got := counts.index(int32(n)); !slices.Equal(got, want[n]) {
				t.Fatalf("seed %d: %d, want %d", seed, got, want[n])
			}
		}
		for a := range all {
			for b := range all {
				first := int32(-1)
				if i := slices.IndexFunc(want[a], func(w int32) bool { return slices.Contains(want[b], w) }); i >= 0 {
					first = want[a][i]
				}
				if got := counts.firstShared(int32(a), int32(b)); got != first {
					t.Fatalf("seed %d: %d and %d share %d first, want %d", seed, want[a], want[b], got, first)
				}
			}
		}
	}
}
