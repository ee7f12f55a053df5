package conflict

import (
	"math"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// similar returns how sure it is that two claims about one entity speak of one
// attribute, under one condition, from 0 to 1.
func (w *weights) similar(a, b *said) float64 {
	if !slices.Equal(scopes(a), scopes(b)) || !roles(a, b) || !sameFigures(a, b) {
		return 0
	}
	defaults := a.Role == "default" && b.Role == "default"
	if !a.attr && !b.attr && !defaults && !w.distinctAgree(a, b) {
		return 0
	}
	if !a.attr && !b.attr && !defaults && !conditionsAgree(a.cond, b.cond) {
		return 0
	}
	switch {
	case a.attr:
		return w.named(a, b)
	case b.attr:
		return w.named(b, a)
	}
	if !a.key && !b.key && (w.furtherSubject(a, b) || w.furtherSubject(b, a)) {
		return 0
	}
	if d := a.Value.Quantity.Dimension; d == schema.Dimensionless && !a.key && !b.key && !limit(a, b) && (w.counts(a, b) || w.counts(b, a)) {
		return 0
	}
	score := w.sentences(a.words, b.words)
	if len(a.words)+len(b.words) == 0 && plainly(a, b) {
		score = 0.93
	}
	for _, pair := range [][2]*said{{a, b}, {b, a}} {
		if pair[0].key { // by the words of the key itself
			score = max(score, w.sentences(w.keyWords(pair[0]), pair[1].words))
		}
	}
	if a.weak != b.weak {
		score -= 0.02
	}
	return score
}

// counts reports whether a claim counts some of what the other counts: spare disks.
func (w *weights) counts(a, b *said) bool {
	return len(a.words) > len(b.words) && slices.ContainsFunc(a.words, func(word string) bool {
		return !slices.Contains(b.words, word) && !w.lexicon.Verb(word) && !w.lexicon.Generic(word)
	})
}

// furtherSubject reports whether the subject of a claim has a word, beside those of names, that
// the other leaves out. Of a limit another subject may speak: the editor allows so many.
func (w *weights) furtherSubject(a, b *said) bool {
	if limit(a, b) && !subset(b.topic, a.topic) {
		return false
	}
	return slices.ContainsFunc(a.topic, func(word string) bool {
		return slices.Contains(a.words, word) && !slices.Contains(b.words, word) && !w.lexicon.Generic(word)
	})
}

// plainly reports whether two sentences say no more than that a thing has a value:
// the tank holds 40 litres. The verb must be the same.
func plainly(a, b *said) bool {
	if a.implicit || b.implicit || a.key || b.key {
		return false
	}
	if a.Value.Kind == schema.ValueBool {
		return true
	}
	if d := a.Value.Quantity.Dimension; len(a.verbs)+len(b.verbs) == 0 { // it is so long, so wide, so hot
		return a.Value.Kind == schema.ValueQuantity && d != schema.Dimensionless && !strings.HasPrefix(string(d), "count:")
	}
	return slices.Equal(a.verbs, b.verbs)
}

// distinctAgree reports whether both claims have the words that tell one of several things
// from the others: before and after, upper and lower.
func (w *weights) distinctAgree(a, b *said) bool {
	for _, pair := range [][2]*said{{a, b}, {b, a}} {
		other := slices.Concat(pair[1].words, pair[1].cond)
		if pair[1].key {
			other = append(other, w.keyWords(pair[1])...)
		}
		for _, word := range slices.Concat(pair[0].words, pair[0].cond) {
			if w.lexicon.Distinct(word) && !slices.Contains(other, word) {
				return false
			}
		}
	}
	return true
}

// keyWords returns the words of a key that do not name the entity it belongs to.
func (w *weights) keyWords(s *said) []string {
	own := map[string]bool{}
	for _, e := range s.names {
		if !strings.HasPrefix(e.key, "key:") {
			for _, word := range w.lexicon.Words(e.name) {
				own[word] = true
			}
		}
	}
	return slices.DeleteFunc(w.lexicon.Words(s.Subject.Names[0]), func(word string) bool {
		return own[word] || word == "max" || word == "min" || w.lexicon.Light(word)
	})
}

// sentences compares the words of two sentences: the shorter must be told by
// the longer, and the longer should not say much else.
func (w *weights) sentences(a, b []string) float64 {
	ta, tb := w.sum(a), w.sum(b)
	n, shared := w.common(a, b)
	if n == 0 {
		return 0
	}
	small, large := shared/math.Min(ta, tb), shared/math.Max(ta, tb)
	if n == 1 && small < 1 {
		return 0 // one word in common, and each says another thing of it
	}
	return 0.97 - 0.8*(1-small) - 0.3*(1-large)
}

// named compares the name of an attribute with a sentence, which must say all of
// it and, but for verbs, nothing else.
func (w *weights) named(attr, s *said) float64 {
	if len(attr.words) == 0 {
		return 0
	}
	all := slices.Concat(s.words, s.cond)
	for _, word := range attr.words {
		if !slices.Contains(all, word) {
			return 0
		}
	}
	for _, word := range all {
		if !slices.Contains(attr.words, word) && (!w.lexicon.Verb(word) || slices.Contains(s.cond, word)) {
			return 0
		}
	}
	return 0.93
}

func scopes(s *said) []string { return s.Scope }

// roles reports whether two values are of one role. What a table of settings
// gives is a default, whether it says so or not.
func roles(a, b *said) bool {
	if defaultBeside(a, b) || defaultBeside(b, a) {
		return false
	}
	return a.Role == b.Role || (a.key || b.key) && (a.Role == "" || a.Role == "default") && (b.Role == "" || b.Role == "default") || a.attr || b.attr
}

// defaultBeside reports whether a claim says what something is unless it is set, and the other how much may be set.
func defaultBeside(a, limit *said) bool {
	says := func(word string) bool { return slices.Contains(a.words, word) || slices.Contains(a.hard, word) }
	return (a.Role == "default" || says("default")) && a.Value.Kind == schema.ValueQuantity && a.Value.Quantity.Bound == schema.Exactly && limit.Value.Quantity.Bound != schema.Exactly &&
		!says("max") && !says("min") && !says("limit")
}

// sameFigures reports whether the numbers among the words are the same: firmware
// 2.x is not firmware 3.x.
func sameFigures(a, b *said) bool { return slices.Equal(a.figures, b.figures) }

// conditionsAgree reports whether neither claim holds under a condition that the other
// does not set.
func conditionsAgree(a, b []string) bool {
	if len(a) == 0 || len(b) == 0 {
		return len(a) == len(b)
	}
	return subset(a, b) || subset(b, a)
}

// judge compares two claims about an entity: whether they speak of one thing,
// and whether both can hold.
func (w *weights) judge(a, b *said, entity string) (r Relation, score float64) {
	if a.Path == b.Path || a.attr && b.attr || entity != "" && !about(a, b, entity) {
		return Incomparable, 0
	}
	switch a.Value.Kind {
	case schema.ValueFact:
		return w.facts(a, b)
	case schema.ValueSet:
		return w.sets(a, b)
	case schema.ValueName:
		return w.fillers(a, b)
	case schema.ValueVersion:
		if !a.attr && !b.attr {
			return products(a, b)
		}
	}
	exact, limits := false, limit(a, b)
	if a.Value.Kind == schema.ValueBool && strings.HasPrefix(entity, "key:") && len(a.words)+len(b.words) == 0 {
		score = 0.9
	} else if score = w.similar(a, b); score < leastScore {
		if !strings.HasPrefix(entity, "key:") || !onlyKey(a, b) {
			return Incomparable, 0
		}
		score, exact = 0.9, true
	}
	av, bv := a.Value, b.Value
	if exact { // what the key is set to, of which its name says that it is a limit
		av.Quantity.Bound, bv.Quantity.Bound = schema.Exactly, schema.Exactly
	}
	for _, v := range []*schema.Value{&av, &bv} {
		if limits {
			v.Quantity.Bound = schema.AtMost
		}
		if strings.HasPrefix(string(v.Quantity.Dimension), "count:") {
			v.Quantity.Dimension = ""
		}
	}
	return Compare(av, bv), score
}

// onlyKey reports whether one side is the row of a key and the other says no more
// than what that key is.
func onlyKey(a, b *said) bool {
	if b.key {
		a, b = b, a
	}
	said := len(b.words) == 0 || len(b.words) == 1 && b.words[0] == "default"
	return a.key && !b.key && !b.attr && said && len(a.Scope) == len(b.Scope) && roles(a, b) && (len(b.cond) == 0 || len(a.cond) > 0 && conditionsAgree(a.cond, b.cond))
}

// facts compares what is said with what is denied: all words must be the same.
func (w *weights) facts(a, b *said) (Relation, float64) {
	if a.Value.Bool == b.Value.Bool || !slices.Equal(a.Scope, b.Scope) || a.Role != b.Role {
		return Incomparable, 0
	}
	aw, bw := slices.Concat(a.words, a.cond, a.verbs), slices.Concat(b.words, b.cond, b.verbs)
	if len(aw) == 0 || len(aw) < 2 && (a.implicit || b.implicit) || !slices.Equal(a.figures, b.figures) {
		return Incomparable, 0
	}
	if len(aw) != len(bw) || !subset(aw, bw) || !subset(bw, aw) {
		return Incomparable, 0
	}
	return Apart, 0.85
}

// sets compares enumerations of one noun.
func (w *weights) sets(a, b *said) (Relation, float64) {
	if !slices.Equal(a.Value.Words, b.Value.Words) || !slices.Equal(a.Scope, b.Scope) || !conditionsAgree(a.cond, b.cond) {
		return Incomparable, 0
	}
	return Compare(a.Value, b.Value), 0.92
}

// fillers compares the names in one slot.
func (w *weights) fillers(a, b *said) (Relation, float64) {
	if a.Slot == "" || !slotsAgree(a.Slot, b.Slot) || !slices.Equal(a.Scope, b.Scope) || !conditionsAgree(a.cond, b.cond) || !sameFigures(a, b) || a.Slot == "support" {
		return Incomparable, 0
	}
	if len(a.words) != len(b.words) || !subset(a.words, b.words) {
		return Incomparable, 0
	}
	ca, cb := w.classOf(a.Value.Words), w.classOf(b.Value.Words)
	if !alike(ca, cb, a.Slot, b.Slot) || a.Slot == "platform" && ca == "" && len(a.words) == 0 && !slices.Equal(a.verbs, b.verbs) {
		return Incomparable, 0
	}
	score := 0.8
	if ca != "" && ca == cb {
		score = 0.88
	}
	return compareNames(a.Value.Words, b.Value.Words), score
}

// slotsAgree reports whether one name fills both slots: what a thing uses may be what it runs
// on, and what is stored in a place is there.
func slotsAgree(a, b string) bool {
	if a > b {
		a, b = b, a
	}
	return a == b || a == "platform" && (b == "use" || b == "store") || a == "place" && b == "store"
}

// bucketSlot is the same for slots that agree.
func bucketSlot(slot string) string {
	switch slot {
	case "use", "store", "place":
		return "platform"
	}
	return slot
}

// alike reports whether two names of these classes, "" for one that is not known, may exclude
// each other. A thing uses many others, and a city lies in a country.
func alike(a, b, slotA, slotB string) bool {
	for _, slot := range []string{slotA, slotB} {
		switch slot {
		case "use":
			if a != b || a == "" {
				return false
			}
		case "store":
			if a != b && (a == "" || b == "") {
				return false
			}
		case "platform", "place":
			if a != b {
				return false
			}
		}
	}
	return a == b || a == "" || b == ""
}

func (w *weights) classOf(words []string) string {
	for _, word := range words {
		if class := w.lexicon.Class(word); class != "" {
			return class
		}
	}
	return ""
}

// products compares the versions of one product.
func products(a, b *said) (Relation, float64) {
	if len(a.Value.Words) == 0 || !slices.Equal(a.Value.Words, b.Value.Words) || !slices.Equal(a.Scope, b.Scope) || !conditionsAgree(a.cond, b.cond) || a.Role != b.Role {
		return Incomparable, 0
	}
	return Compare(a.Value, b.Value), 0.92
}

// saidKind is what only values that can be compared share.
type saidKind struct {
	kind schema.ValueKind
	of   string // the dimension, the noun, the slot or the words
}

// bucketOf returns the kind of a claim.
func bucketOf(s *said) saidKind {
	key := saidKind{kind: s.Value.Kind}
	switch s.Value.Kind {
	case schema.ValueQuantity:
		if d := string(s.Value.Quantity.Dimension); !strings.HasPrefix(d, "count:") {
			key.of = d
		}
	case schema.ValueSet:
		key.of = s.Value.Words[0]
	case schema.ValueName:
		key.of = bucketSlot(s.Slot)
	case schema.ValueFact:
		key.of = strings.Join(s.words, " ")
	}
	return key
}

// pairs compares all claims of a bucket.
func (f *finder) pairs(all *statements, entity string, bucket []int32) {
	if !slices.ContainsFunc(bucket, func(n int32) bool { return all.page(n) != all.page(bucket[0]) }) {
		return // what stands on one page is not compared
	}
	for i, m := range bucket {
		for _, n := range bucket[i+1:] {
			if entity != "" && (all.page(m) == all.page(n) || all.attr[m] && all.attr[n]) {
				f.compared++ // of which nothing can be said
				continue
			}
			a, b := all.at(m), all.at(n)
			if entity == "" && !f.linked(a, b) {
				continue
			}
			f.compared++
			r, score := f.weights.judge(a, b, entity)
			if r == Incomparable {
				continue
			}
			name := a.nameOf(entity)
			if name == "" {
				name = f.wiki.Page(a.Page).Title
			}
			f.join(a.origin, b.origin, name, r, score)
		}
	}
}

// linked reports whether one of two enumerations that share most of their items
// stands on a page that links to the page of the other.
func (f *finder) linked(a, b *said) bool {
	if !slices.Equal(a.Value.Words, b.Value.Words) || a.Path == b.Path {
		return false
	}
	shared := 0
	for _, item := range a.Value.Items {
		if slices.Contains(b.Value.Items, item) {
			shared++
		}
	}
	if shared < 3 {
		return false
	}
	for _, pair := range [][2]*said{{a, b}, {b, a}} {
		page := f.wiki.Page(pair[0].Page)
		for i := range page.Links {
			if res := f.wiki.Resolution(page, i); res.Kind == schema.TargetPage && res.Page == pair[1].Page {
				return true
			}
		}
	}
	return false
}
