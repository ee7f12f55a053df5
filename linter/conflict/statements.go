package conflict

import (
	"slices"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// statements are what the claims of a wiki say, by numbers alone: who each is about and by
// which words it is told. Most have nothing to be compared with, which the numbers show.
// What is said in full is settled again for the few that have.
type statements struct {
	finder *finder
	claim  []int32     // the claim that each tells, several in a row that of one
	kind   []int32     // of the value of those that are laid side by side, -1 for others
	attr   []bool      // told by a name; see said
	words  *wordCounts // of those that are laid side by side
	full   []*said     // those that were compared so far
	kinds  numbers[saidKind]
	list   []*said
}

// statements compares sentences with each other, and with fields and rows, in
// buckets of one entity and kind of value.
func (f *finder) statements() {
	all := f.newStatements()
	buckets := newBuckets[int32](cap(all.claim))
	var entities numbers[string]
	var kinds numbers[saidKind]
	for i, c := range f.claims {
		f.forget()
		s, spelt := all.tell(c)
		if s == nil {
			continue
		}
		at := all.note(i, s, spelt)
		if c.Slot == claim.SlotRow || len(c.Attr.Words) > 0 && !s.attr && !s.key {
			continue // by its words alone
		}
		f.weights.total++
		for _, word := range s.words {
			f.weights.seen[word]++
		}
		key := bucketKey{kind: kinds.number(bucketOf(s))}
		for _, entity := range s.explicit {
			key.of = entities.number(entity)
			buckets.add(key, at)
		}
		if s.implicit && !slices.Contains(s.explicit, s.own) {
			key.of = entities.number(s.own)
			buckets.add(key, at)
		}
		if s.Value.Kind == schema.ValueSet && s.Value.Closed {
			key.of = entities.number("") // whatever they are of
			buckets.add(key, at)
		}
	}
	f.forget()
	all.full = make([]*said, len(all.claim))
	buckets.each(largestBucket, func(key bucketKey, bucket []int32) { f.pairs(all, entities.of[key.of], bucket) })
	f.aligned(all)
}

func (f *finder) newStatements() *statements {
	n := len(f.claims)
	n += n / 4 // some are told in several ways
	return &statements{finder: f, claim: make([]int32, 0, n), kind: make([]int32, 0, n), attr: make([]bool, 0, n), words: newWordCounts(n)}
}

// forget lets what was said of a claim go; the next is told in its place.
func (f *finder) forget() {
	f.said.used, f.strings.used, f.names.used, f.restatements.used = 0, 0, 0, 0
}

// tell says what a claim says, and the ways in which it is told in words, valid until
// the next call; nil when it says nothing.
func (t *statements) tell(c *schema.Claim) (s *said, spelt []*said) {
	if s = t.finder.describe(c); s == nil {
		return nil, nil
	}
	t.list = t.finder.spellings(t.list[:0], s)
	return s, t.list
}

// note notes a claim and the ways in which it is told, and returns the number of the claim
// itself.
func (t *statements) note(claim int, s *said, spelt []*said) int32 {
	at := int32(len(t.claim))
	if !slices.Contains(spelt, s) {
		t.add(claim, s, false)
	}
	f := t.finder
	for _, s := range spelt {
		t.add(claim, s, true)
		if s.From == schema.OriginSentence && !f.ofOne[s.Page] && f.ofItself(s) {
			f.ofOne[s.Page] = true
		}
	}
	return at
}

// add adds one. Those that are not told in words are not laid side by side.
func (t *statements) add(claim int, s *said, spelt bool) {
	kind, hard := int32(-1), []string(nil)
	if spelt {
		hard = s.hard
		if t.finder.alignable(s) {
			kind = t.kinds.number(alignedKind(s))
		}
	}
	t.claim, t.kind, t.attr = append(doubled(t.claim), int32(claim)), append(doubled(t.kind), kind), append(doubled(t.attr), s.attr)
	t.words.add(hard, t.finder.paths[claim])
}

// page returns the number of the page that one stands on.
func (t *statements) page(n int32) int32 { return t.finder.paths[t.claim[n]] }

// at returns one in full.
func (t *statements) at(n int32) *said {
	if t.full[n] == nil {
		first := n
		for first > 0 && t.claim[first-1] == t.claim[n] {
			first--
		}
		s, spelt := t.tell(t.finder.claims[t.claim[n]])
		if !slices.Contains(spelt, s) {
			t.full[first] = s
			first++
		}
		copy(t.full[first:], spelt)
	}
	return t.full[n]
}
