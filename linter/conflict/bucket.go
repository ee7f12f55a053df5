package conflict

import "slices"

// bucketKey is what only items share that are to be compared with each other: two numbers
// that are counted up from 0, such as those of an entity and of a kind of value.
type bucketKey struct{ of, kind int32 }

// buckets sorts items by their keys, by counting: nothing is hashed, and nothing is kept of a
// key.
type buckets[T any] struct {
	keys  []bucketKey // of each item
	items []T
}

// newBuckets returns buckets for about so many items.
func newBuckets[T any](items int) *buckets[T] {
	return &buckets[T]{keys: make([]bucketKey, 0, items), items: make([]T, 0, items)}
}

// add puts an item into the bucket of a key.
func (b *buckets[T]) add(key bucketKey, item T) {
	b.keys, b.items = append(doubled(b.keys), key), append(doubled(b.items), item)
}

// doubled returns a list with room for one more. Long lists that grow by less are copied
// often.
func doubled[T any](list []T) []T {
	if len(list) == cap(list) {
		list = slices.Grow(list, max(len(list), 64))
	}
	return list
}

// each calls f with every bucket of at least two items and at most so many, in the order
// in which their keys were first met, each with its items in their order. A bucket is
// valid until f returns.
func (b *buckets[T]) each(most int, f func(key bucketKey, bucket []T)) {
	sorted := b.sorted()
	from := make([]int32, len(sorted)) // of the first item of each bucket: where it begins, from 1
	for i := 0; i < len(sorted); {
		n := b.length(sorted[i:])
		if n > 1 && n <= most {
			from[sorted[i]] = int32(i + 1)
		}
		i += n
	}
	var bucket []T
	for first, at := range from {
		if at == 0 {
			continue
		}
		all := sorted[at-1:]
		bucket = bucket[:0]
		for _, i := range all[:b.length(all)] {
			bucket = append(bucket, b.items[i])
		}
		f(b.keys[first], bucket)
	}
}

// length returns how many of the sorted items are in the bucket of the first.
func (b *buckets[T]) length(sorted []int32) int {
	n := 1
	for n < len(sorted) && b.keys[sorted[n]] == b.keys[sorted[0]] {
		n++
	}
	return n
}

// sorted returns the indexes of all items by key, those of one bucket in their order.
func (b *buckets[T]) sorted() []int32 {
	out, next := make([]int32, len(b.keys)), make([]int32, len(b.keys))
	var kinds, of []int32 // where those of each begin
	for i, key := range b.keys {
		next[i] = int32(i)
		kinds, of = tallied(kinds, key.kind), tallied(of, key.of)
	}
	for _, pass := range [...]struct {
		starts []int32
		by     func(bucketKey) int32
	}{{kinds, func(k bucketKey) int32 { return k.kind }}, {of, func(k bucketKey) int32 { return k.of }}} {
		total := int32(0)
		for n, size := range pass.starts {
			pass.starts[n], total = total, total+size
		}
		for _, i := range next {
			n := pass.by(b.keys[i])
			out[pass.starts[n]] = i
			pass.starts[n]++
		}
		next, out = out, next
	}
	return next
}

// tallied counts one more of a number.
func tallied(counts []int32, n int32) []int32 {
	for int(n) >= len(counts) {
		counts = append(doubled(counts), 0)
	}
	counts[n]++
	return counts
}

// numbers gives each of what is compared often a number of its own, so that it is hashed and
// kept once.
type numbers[K comparable] struct {
	at   map[K]int32
	of   []K   // by number
	last int32 // that was asked for last: claims come page by page
}

func (n *numbers[K]) number(of K) int32 {
	if int(n.last) < len(n.of) && n.of[n.last] == of {
		return n.last
	}
	k, ok := n.at[of]
	if !ok {
		if n.at == nil {
			n.at = map[K]int32{}
		}
		k = int32(len(n.of))
		n.at[of], n.of = k, append(doubled(n.of), of)
	}
	n.last = k
	return k
}

// slab hands out values from arrays of many, which cost the collector of garbage less than
// as many values of their own.
type slab[T any] struct {
	array []T
	used  int // of the array; what is set to 0 is handed out again
}

// slabSize is how many values an array holds.
const slabSize = 512

// next returns a value that may have been used before.
func (s *slab[T]) next() *T {
	if s.used == len(s.array) {
		s.array, s.used = make([]T, slabSize), 0
	}
	s.used++
	return &s.array[s.used-1]
}

// keep returns a copy of a list, to which nothing can be appended in place; nil for an
// empty one.
func (s *slab[T]) keep(list []T) []T {
	n := len(list)
	if n == 0 {
		return nil
	}
	if n > len(s.array)-s.used {
		s.array, s.used = make([]T, max(n, slabSize)), 0
	}
	kept := s.array[s.used:][:n:n]
	copy(kept, list)
	s.used += n
	return kept
}
