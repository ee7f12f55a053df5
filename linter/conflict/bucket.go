package conflict

// buckets sorts items by what only those share that are to be compared with each other.
// It keeps one number an item, however many buckets there are.
type buckets[K comparable, T any] struct {
	at    map[K]int32
	keys  []K     // in the order in which they were first met
	sizes []int32 // of the bucket of each key
	of    []int32 // of each item, the index of its key
	items []T
}

// newBuckets returns buckets for about so many items.
func newBuckets[K comparable, T any](items int) *buckets[K, T] {
	return &buckets[K, T]{at: make(map[K]int32, items), of: make([]int32, 0, items), items: make([]T, 0, items)}
}

// add puts an item into the bucket of a key.
func (b *buckets[K, T]) add(key K, item T) {
	n, ok := b.at[key]
	if !ok {
		n = int32(len(b.keys))
		b.at[key] = n
		b.keys, b.sizes = append(b.keys, key), append(b.sizes, 0)
	}
	b.sizes[n]++
	b.of, b.items = append(b.of, n), append(b.items, item)
}

// each calls f with every bucket of at least two items and at most so many, in the order
// in which their keys were first met, each with its items in their order.
func (b *buckets[K, T]) each(most int, f func(key K, bucket []T)) {
	compared := func(n int32) bool { return b.sizes[n] > 1 && int(b.sizes[n]) <= most }
	ends, total := make([]int32, len(b.keys)), int32(0)
	for n := range b.keys {
		if ends[n] = total; compared(int32(n)) {
			total += b.sizes[n]
		}
	}
	sorted := make([]T, total)
	for i, n := range b.of {
		if compared(n) {
			sorted[ends[n]] = b.items[i]
			ends[n]++
		}
	}
	for n, end := range ends {
		if compared(int32(n)) {
			f(b.keys[n], sorted[end-b.sizes[n]:end:end])
		}
	}
}

// numbers gives each of what is compared often a number of its own, so that it is hashed and
// kept once.
type numbers[K comparable] struct {
	at map[K]int32
	of []K // by number
}

func (n *numbers[K]) number(of K) int32 {
	k, ok := n.at[of]
	if !ok {
		if n.at == nil {
			n.at = map[K]int32{}
		}
		k = int32(len(n.of))
		n.at[of], n.of = k, append(n.of, of)
	}
	return k
}

// slab hands out values from arrays of many, which cost the collector of garbage less than
// as many values of their own.
type slab[T any] struct{ free []T }

// slabSize is how many values an array holds.
const slabSize = 512

func (s *slab[T]) next() *T {
	if len(s.free) == 0 {
		s.free = make([]T, slabSize)
	}
	v := &s.free[0]
	s.free = s.free[1:]
	return v
}

// keep returns a copy of a list, to which nothing can be appended in place; nil for an
// empty one.
func (s *slab[T]) keep(list []T) []T {
	n := len(list)
	if n == 0 {
		return nil
	}
	if n > len(s.free) {
		s.free = make([]T, max(n, slabSize))
	}
	kept := s.free[:n:n]
	copy(kept, list)
	s.free = s.free[n:]
	return kept
}
