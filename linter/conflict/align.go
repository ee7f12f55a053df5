package conflict

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// Aligned difference: two claims are laid side by side word by word, whatever verb or
// construct carries them. When all that is left over is the value, they speak of one thing. A
// word that only one side has is a scope until it is known to be none: the name of the
// page that the other side stands on, what a unit says as well, a verb.

const (
	// probes is by how many of its words a claim is looked for. Two claims that are to be
	// compared share all their words but few, hence one of the rarest.
	probes = 6
	// leastShared is how many words two claims have in common at least.
	leastShared = 2
)

// spell notes the words of a claim as alignment compares them.
func (f *finder) spell(s *said, page *schema.Page) {
	terms := s.Terms
	if s.Label != nil {
		terms = s.Label
	} else if len(s.Attr.Words) > 0 {
		terms = f.fieldTerms(s)
	}
	if len(terms) == 0 {
		return
	}
	f.described.Terms, f.described.Definite = terms, s.Definite
	scratch, auxiliary := &f.naming, false
	scratch.Claim = &f.described
	lists := &f.scratch
	s.hard, s.verbal, s.topic = lists.hard[:0], lists.verbal[:0], lists.topic[:0]
	s.soft, s.spelt, s.softened = nil, true, false
	for i := 0; i < len(terms); {
		t := &terms[i]
		switch {
		case t.Part == schema.PartOwn && s.Label != nil && s.row != "":
			i++ // the field names another
			continue
		case t.Part == schema.PartOwn:
			s.hard = append(s.hard, f.titleWords(page.Title)...)
			s.named = true
			i++
			continue
		case t.Part == schema.PartWeak || t.Word == "":
			i++
			continue
		}
		if n, name := f.nameAt(scratch, page, i); n > 0 {
			s.hard = append(s.hard, name...)
			if t.Part == schema.PartSubject {
				s.topic = append(s.topic, name...)
			}
			s.named = s.named || t.Part == schema.PartSubject
			auxiliary = false
			i += n
			continue
		}
		switch empty := f.lexicon.Empty(t.Word); {
		case t.Part == schema.PartVerb || auxiliary && t.Part == schema.PartObject && t.Link < 0:
			s.modal = s.modal || t.Word == "can" || t.Word == "may"
			s.verbal = append(s.verbal, t.Word)
			auxiliary = empty
		case !empty:
			s.hard = append(s.hard, t.Word)
			if t.Part == schema.PartSubject {
				s.topic = append(s.topic, t.Word)
			}
			auxiliary = false
		}
		i++
	}
	if s.Label != nil && s.row != "" {
		s.hard, s.topic = append(s.hard, f.titleWords(s.row)...), append(s.topic, f.titleWords(s.row)...)
	}
	if len(s.hard) == 0 && len(s.verbal) == 1 {
		s.hard = append(s.hard, s.verbal...) // elute in 50 µl
	}
	if noun, ok := strings.CutPrefix(string(s.Value.Quantity.Dimension), "count:"); ok {
		s.hard = append(s.hard, noun)
	}
	if slot := f.slotOf(s); slot != "" && s.Value.Kind == schema.ValueName {
		s.hard = slices.DeleteFunc(s.hard, func(w string) bool { return len(s.Attr.Words) > 0 && w == s.Attr.Words[0] })
	}
	for _, list := range [...]struct{ of, buffer *[]string }{{&s.hard, &lists.hard}, {&s.verbal, &lists.verbal}, {&s.topic, &lists.topic}} {
		slices.Sort(*list.of)
		*list.buffer, *list.of = *list.of, f.strings.keep(slices.Compact(*list.of))
	}
}

// soften notes what may be left unsaid where a claim is said. Few claims are ever compared, hence
// only when one is.
func (f *finder) soften(s *said) {
	if s.softened || !s.spelt {
		return
	}
	s.softened = true
	soft := append(f.scratch.soft[:0], s.Near...)
	if n := len(s.Section); n > 0 {
		soft = append(soft, f.titleWords(s.Section[n-1])...)
	}
	if s.Label != nil || s.attr || s.mayBeAbout(s.own) {
		soft = append(soft, f.titleWords(f.wiki.Page(s.Page).Title)...)
	}
	slices.Sort(soft)
	f.scratch.soft, s.soft = soft, f.strings.keep(slices.Compact(soft))
}

// fieldTerms are the words of a field or item: of who it is about and of its name. They are
// valid until the next call.
func (f *finder) fieldTerms(s *said) []schema.Term {
	terms := f.field[:0]
	for _, entity := range s.explicit {
		for _, w := range f.titleWords(s.nameOf(entity)) {
			terms = append(terms, schema.Term{Word: w, Link: -1, Part: schema.PartSubject})
		}
	}
	for _, w := range s.words {
		terms = append(terms, schema.Term{Word: w, Link: -1, Part: schema.PartObject})
	}
	f.field = terms
	return terms
}

// nameAt returns how many terms at i name an entity, and the words of its title,
// whatever it is called here.
func (f *finder) nameAt(s *said, page *schema.Page, i int) (n int, name []string) {
	s.explicit, s.names = s.explicit[:0], s.names[:0]
	n, found := f.entity(s, page, i)
	terms := s.Terms
	if t := &terms[i]; n == 0 || !found || n == 1 && t.Link < 0 && !strings.ContainsAny(t.Word, "_-.") && (t.Part != schema.PartSubject ||
		i > 0 && terms[i-1].Part == schema.PartSubject || i+1 < len(terms) && terms[i+1].Part == schema.PartSubject) {
		return 0, nil // one word among others is no name
	}
	if n == 1 && terms[i].Link < 0 && len(s.explicit) == 1 && !f.alias(s.explicit[0], terms[i].Word) {
		return 0, nil
	}
	for _, e := range s.names {
		name = f.titleWords(e.name)
	}
	if len(s.explicit) == 1 && strings.HasPrefix(s.explicit[0], "key:") {
		name = []string{strings.TrimPrefix(s.explicit[0], "key:")}
	}
	return n, name
}

// alias reports whether a page says that it is called by one word, as opposed to a file that
// happens to have it for a name; keys are what they are called.
func (f *finder) alias(entity, word string) bool {
	p := f.wiki.Page(schema.PageID(strings.TrimPrefix(entity, "page:")))
	if p == nil {
		return true
	}
	return slices.ContainsFunc(p.Meta.Aliases, func(a schema.Alias) bool { return slices.Equal(f.lexicon.Words(a.Name), []string{word}) })
}

// alignable reports whether a claim is compared word by word.
func (f *finder) alignable(s *said) bool {
	if len(s.hard) == 0 || s.Value.Quantity.Approx {
		return false
	}
	switch s.Value.Kind {
	case schema.ValueQuantity, schema.ValueVersion, schema.ValueDate, schema.ValueBool, schema.ValueSet, schema.ValueFact:
		return true
	case schema.ValueName:
		return f.slotOf(s) != ""
	}
	return false
}

// slotOf returns the slot that a name fills: of the verb before it, or the attribute of a
// field or a column that has the name of a slot.
func (f *finder) slotOf(s *said) string {
	switch {
	case s.Slot != "" && s.Slot != claim.SlotKey && s.Slot != claim.SlotRow:
		return s.Slot
	case len(s.Attr.Words) == 1:
		return f.lexicon.SlotOf(s.Attr.Words[0])
	}
	return ""
}

// aligned compares all claims that share one of their rarest words, in buckets of bounded size.
func (f *finder) aligned(all *statements) {
	all.words.rank()
	buckets := newBuckets[int32](2 * len(all.kind))
	for n, kind := range all.kind {
		if kind < 0 {
			continue
		}
		for _, w := range all.words.index(int32(n)) {
			if all.words.shared(w) {
				buckets.add(bucketKey{w, kind}, int32(n))
			}
		}
	}
	buckets.each(largestBucket, func(key bucketKey, bucket []int32) {
		for i, a := range bucket {
			for _, b := range bucket[i+1:] {
				if all.page(a) != all.page(b) && all.words.firstShared(a, b) == key.of {
					f.align(all.at(a), all.at(b))
				}
			}
		}
	})
}

// ofItself reports whether a sentence speaks of what its page is about, by its title, by what
// kind of thing it is or by a pronoun.
func (f *finder) ofItself(s *said) bool {
	if s.own == "" || !slices.Contains(s.explicit, s.own) {
		return false
	}
	if len(s.Terms) > 0 && s.Terms[0].Part == schema.PartOwn || len(s.topic) > 0 && subset(f.ownWords(s), s.topic) {
		return true
	}
	title := f.entities.pageOf(s.Claim).Title
	return len(s.topic) == 1 && (f.lexicon.Generic(s.topic[0]) || s.topic[0] == f.lastWord(title))
}

// alignedKind is the kind of a claim, of which all that counts things are one.
func alignedKind(s *said) saidKind {
	key := saidKind{kind: s.Value.Kind}
	if d := string(s.Value.Quantity.Dimension); s.Value.Kind == schema.ValueQuantity && !strings.HasPrefix(d, "count:") {
		key.of = d
	}
	return key
}

// align compares two claims.
func (f *finder) align(a, b *said) {
	r, score := f.difference(a, b)
	if r == Incomparable || score < leastScore {
		return
	}
	name := f.subject(a, b)
	f.join(a.origin, b.origin, name, r, score)
}

// subject is what people call what both claims are about.
func (f *finder) subject(a, b *said) string {
	for _, s := range []*said{a, b} {
		for _, e := range s.explicit {
			if name := s.nameOf(e); name != "" {
				return name
			}
		}
	}
	return f.wiki.Page(a.Page).Title
}

// difference says how two claims stand to each other, and how sure it is that they
// speak of one thing.
func (f *finder) difference(a, b *said) (Relation, float64) {
	if a.attr && b.attr && a.Slot != claim.SlotRow && b.Slot != claim.SlotRow && len(a.Attr.Words) > 0 && len(b.Attr.Words) > 0 && a.From != schema.OriginTable && b.From != schema.OriginTable {
		return Incomparable, 0 // fields are compared by their names
	}
	if !f.sameScope(a, b) || !sameRole(a, b) || a.Value.Kind == schema.ValueName && (!slotsAgree(f.slotOf(a), f.slotOf(b)) || f.besideTeams(&a.Value) != f.besideTeams(&b.Value)) {
		return Incomparable, 0
	}
	f.soften(a)
	f.soften(b)
	limits := limit(a, b)
	if (f.restricts(a, b, limits) || f.restricts(b, a, limits)) && !(workweek(leftOver(a, b)) && workweek(leftOver(b, a))) {
		return Incomparable, 0
	}
	if !f.verbsAgree(a, b, limits) {
		return Incomparable, 0
	}
	score := f.anchored(a, b) // what costs most is asked last
	if score == 0 {
		return Incomparable, 0
	}
	return f.relation(a, b, limits), score
}

// sameScope reports whether each condition that one claim sets is set by the other as well, or
// is among its words.
func (f *finder) sameScope(a, b *said) bool {
	for _, pair := range [][2]*said{{a, b}, {b, a}} {
		for _, c := range pair[0].Scope {
			if pair[0].row != "" && claim.Trait(c) {
				continue // what the thing of a row is, and not when
			}
			if !slices.Contains(pair[1].Scope, c) && !slices.Contains(pair[1].hard, c) && !f.told(pair[1], c) {
				return false
			}
		}
	}
	return true
}

// sameRole reports whether two values are of one role. What a table of settings gives is
// what holds by default.
func sameRole(a, b *said) bool {
	if defaultBeside(a, b) || defaultBeside(b, a) {
		return false
	}
	ra, rb := strings.TrimPrefix(a.Role, "current"), strings.TrimPrefix(b.Role, "current")
	if ra == "" && rb != "" && slices.Contains(a.hard, rb) {
		ra = rb
	}
	if rb == "" && ra != "" && slices.Contains(b.hard, ra) {
		rb = ra
	}
	if a.key || b.key {
		if ra == "default" {
			ra = ""
		}
		if rb == "default" {
			rb = ""
		}
	}
	return ra == rb
}

// verbsAgree reports whether the verbs of two claims may say one thing: they share one, none of
// them says more than that a thing has a value, or what is said is how much of it there may be.
func (f *finder) verbsAgree(a, b *said, limits bool) bool {
	av, bv := f.telling(a, b), f.telling(b, a)
	if (len(av) == 0 || len(bv) == 0) && a.Value.Quantity.Dimension != schema.Duration && a.Value.Kind != schema.ValueFact {
		av, bv = slices.DeleteFunc(av, f.lexicon.Stative), slices.DeleteFunc(bv, f.lexicon.Stative)
	}
	switch {
	case len(av) == 0 && len(bv) == 0:
		return true
	case limits && f.countable(a):
		return true
	case a.Value.Kind == schema.ValueSet && (len(av) == 0 || len(bv) == 0):
		return false // the formats, and those that it writes
	case a.Value.Quantity.Dimension == schema.Duration && (len(av) == 0 || f.lasting(a, av)) && (len(bv) == 0 || f.lasting(b, bv)) && f.lifetime(a) && f.lifetime(b):
		return true
	case len(av) > 0 && len(bv) > 0 && f.countable(a) && a.Value.Kind == schema.ValueQuantity && slices.ContainsFunc(a.verbal, f.lexicon.Capacity) && slices.ContainsFunc(b.verbal, f.lexicon.Capacity):
		return true
	case a.Role == claim.RoleNeeded && (len(av) == 0 || len(bv) == 0):
		return true // what is needed to do it, what it is done without
	case len(av) > 0 && len(bv) > 0:
		return slices.ContainsFunc(av, func(v string) bool { return slices.Contains(bv, v) })
	}
	return a.Label != nil || b.Label != nil // a row has no verb
}

// lifetime reports whether a claim says how long a thing is there, by its verb or by a noun.
func (f *finder) lifetime(s *said) bool {
	return f.lasting(s, s.verbal) || slices.ContainsFunc(s.hard, f.lexicon.Lifetime)
}

// telling returns the verbs of a claim that say something, other than words of the other.
func (f *finder) telling(s, other *said) []string {
	var out []string
	for _, v := range s.verbal {
		if f.lexicon.Scale(s.Value.Quantity.Dimension, v) || moment(s.Value.Quantity.Dimension) && f.lexicon.Event(v) || s.Value.Quantity.Dimension == schema.Duration && f.lexicon.Done(v) || s.Value.Kind == schema.ValueVersion && f.lexicon.Needs(v) && (needing(s, f.lexicon) && needing(other, f.lexicon)) {
			continue
		}
		if !f.lexicon.Light(v) && (slices.Contains(other.verbal, v) || !slices.Contains(other.hard, v) && !slices.Contains(other.soft, v)) {
			out = append(out, v)
		}
	}
	return out
}

// limit reports whether both values are limits of one side: each says so, or says what
// may be, or is what a table sets.
func limit(a, b *said) bool {
	bounds := func(s *said) bool {
		return s.Value.Quantity.Bound == schema.AtMost || s.Value.Quantity.Bound == schema.Exactly && (s.modal || s.key || s.Label != nil || slices.ContainsFunc(s.hard, identifier))
	}
	return a.Value.Kind == schema.ValueQuantity && (a.Value.Quantity.Bound == schema.AtMost || b.Value.Quantity.Bound == schema.AtMost) && bounds(a) && bounds(b)
}

// relation compares the values.
func (f *finder) relation(a, b *said, limits bool) Relation {
	av, bv := a.Value, b.Value
	for _, v := range []*schema.Value{&av, &bv} {
		if strings.HasPrefix(string(v.Quantity.Dimension), "count:") {
			v.Quantity.Dimension = ""
		}
		if limits {
			v.Quantity.Bound = schema.AtMost
		}
	}
	qa, qb := av.Quantity.Bound, bv.Quantity.Bound
	if qa != qb && qa != schema.Exactly && qb != schema.Exactly {
		return Incomparable // a least and a most
	}
	switch av.Kind {
	case schema.ValueSet:
		na, nb := av.Words[0], bv.Words[0]
		if na != nb && a.Label == nil && b.Label == nil {
			return Incomparable // two lists of other things
		}
	case schema.ValueVersion:
		if !sameProduct(a, b) {
			return Incomparable
		}
		f.least(a, &av)
		f.least(b, &bv)
	case schema.ValueFact:
		if !f.denied(a, b) {
			return Incomparable
		}
	case schema.ValueName:
		ca, cb := f.weights.classOf(av.Words), f.weights.classOf(bv.Words)
		if sa, sb := f.slotOf(a), f.slotOf(b); !alike(ca, cb, sa, sb) || ca == "" && cb == "" && (sa == "platform" || sb == "platform" || sa == "support") {
			return Incomparable
		}
		return compareNames(av.Words, bv.Words)
	}
	return Compare(av, bv)
}
