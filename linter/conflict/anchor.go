package conflict

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// anchored says how sure it is that two claims have one subject, 0 when it is not: they name an
// entity in common, or name one thing that no page is called on pages that belong together.
func (f *finder) anchored(a, b *said) float64 {
	shared, sure := 0, false
	for _, w := range a.hard {
		switch {
		case f.lexicon.Light(w) && f.lexicon.Scale(schema.Dimensionless, w):
		case slices.Contains(b.verbal, w):
			shared++
		case !slices.Contains(b.hard, w) && !slices.Contains(b.soft, w):
		case f.lexicon.Generic(w) && (a.Definite || b.Definite):
		default:
			shared++
			sure = sure || identifier(w) && slices.Contains(b.hard, w)
		}
	}
	for _, w := range b.hard {
		if !slices.Contains(a.hard, w) && (slices.Contains(a.soft, w) || slices.Contains(a.verbal, w)) {
			shared++
		}
	}
	for _, v := range a.verbal {
		if slices.Contains(b.verbal, v) && !f.lexicon.Light(v) && !slices.Contains(a.hard, v) {
			shared++
			break
		}
	}
	if a.Value.Kind == schema.ValueSet && slices.Equal(a.Value.Words, b.Value.Words) {
		shared++ // the noun that says what is listed
	}
	if a.Value.Kind == schema.ValueName && a.Slot != "" && a.Slot == b.Slot {
		shared++ // what is done by the name
	}
	sure = sure && (a.Label == nil || b.Label == nil)
	product := a.Value.Kind == schema.ValueVersion && len(a.Value.Words)+len(b.Value.Words) > 0 && sameProduct(a, b)
	common := f.commonEntity(a, b)
	switch {
	case sure:
		return 0.93
	case shared == 0, shared < leastShared && !(common && (product || sharedVerb(f, a, b) || a.Value.Kind == schema.ValueName || a.Value.Kind == schema.ValueSet || f.onlyWhen(a, b))):
		return 0
	case common:
		return 0.92
	case a.key && b.key, a.Value.Kind == schema.ValueFact && (a.Definite || b.Definite) && !f.linkedPages(a, b) && !f.oneThing(a, b) && !f.wholly(a, b):
		return 0
	case f.linkedPages(a, b):
		return 0.9
	case f.topical(a, b), f.topical(b, a):
		return 0.88
	case ofOneKind(a, b) && !f.template(a, b), ofOneKind(b, a) && !f.template(a, b):
		return 0.85
	case f.wholly(a, b):
		return 0.8
	case f.siblings(a, b):
	case own(a) && own(b):
	case (folder(a.Path) != folder(b.Path) || !a.Definite && !b.Definite && !own(a) && !own(b) && (a.Label == nil || b.Label == nil)) && !(f.ofOne[a.Page] && f.ofOne[b.Page]):
		return 0.85
	case f.otherKind(a, b):
		return 0.85
	case shared > leastShared && !own(a) && !own(b) && a.Value.Kind != schema.ValueFact && (a.Label == nil || b.Label == nil) && !f.ofOne[a.Page] && !f.ofOne[b.Page]:
		return 0.8 // of one thing with a name of several words
	case f.oneThing(a, b):
		return 0.8
	}
	return 0
}

// oneThing reports whether two sentences have one subject of several words with an article, the
// malt silo, and neither page speaks of one thing that may have one of its own.
func (f *finder) oneThing(a, b *said) bool {
	return a.Definite && b.Definite && len(a.topic) > 1 && slices.Equal(a.topic, b.topic) && a.Label == nil && b.Label == nil && (a.Value.Kind == schema.ValueQuantity || a.Value.Kind == schema.ValueFact) &&
		!f.ofOne[a.Page] && !f.ofOne[b.Page] && !slices.ContainsFunc(a.topic, f.lexicon.Distinct)
}

// wholly reports whether two sentences on pages that lie apart say so much with the same words
// that they can hardly mean two things, though each page is about one of its own.
func (f *finder) wholly(a, b *said) bool {
	if folder(a.Path) == folder(b.Path) || a.Label != nil || b.Label != nil || own(a) || own(b) || len(a.explicit) > 0 && len(b.explicit) > 0 {
		return false // or each speaks of what it names, which is not the same
	}
	shared := 0
	for _, w := range a.hard {
		if slices.Contains(b.hard, w) && !f.lexicon.Light(w) && !f.lexicon.Generic(w) {
			shared++
		}
	}
	if a.Value.Kind == schema.ValueFact && shared > 2*leastShared-1 {
		return true
	}
	return shared > leastShared && !a.Definite && !b.Definite && len(a.topic) > 1 && slices.Equal(a.topic, b.topic)
}

// onlyWhen reports whether both claims say of a thing no more than when it is, or how much of
// something it has room for.
func (f *finder) onlyWhen(a, b *said) bool {
	if moment(a.Value.Quantity.Dimension) {
		return len(f.telling(a, b))+len(f.telling(b, a)) == 0
	}
	room := func(s *said) bool {
		return s.Value.Quantity.Bound == schema.AtMost && !slices.ContainsFunc(s.verbal, func(v string) bool { return !f.lexicon.Capacity(v) })
	}
	return a.Value.Kind == schema.ValueQuantity && (room(a) && room(b) || f.measured(a, b) && f.measured(b, a))
}

// measured reports whether a claim says of a thing no more than how long it is, what it costs
// or weighs: the length of a session, a session lasts.
func (f *finder) measured(s, other *said) bool {
	d := s.Value.Quantity.Dimension
	if d != schema.Duration && d != schema.Mass && !strings.HasPrefix(string(d), "money:") {
		return false
	}
	if len(f.telling(s, other)) > 0 {
		return false
	}
	return !slices.ContainsFunc(s.hard, func(w string) bool { return !slices.Contains(other.hard, w) && !f.lexicon.Scale(d, w) })
}

// topical reports whether the subject of a claim is what the title of its page begins to
// tell, as the clinic is on the page of its hours, and no other title has a word of it.
func (f *finder) topical(a, b *said) bool {
	if own(a) || len(a.topic) == 0 || f.wiki.Page(a.Page).Reserved() || !subset(a.topic, f.ownWords(a)) || !subset(a.topic, b.hard) {
		return false
	}
	if f.inTitles == nil {
		f.inTitles = map[string]int{}
		for _, p := range f.wiki.Pages() {
			for _, w := range f.titleWords(p.Title) {
				f.inTitles[w]++
			}
		}
	}
	telling := 0
	for _, w := range a.topic {
		if f.inTitles[w] > 1 {
			return false
		}
		if !f.lexicon.Generic(w) && !f.lexicon.Light(w) {
			telling++
		}
	}
	return telling > 0
}

// own reports whether a claim is a field of its page.
func own(s *said) bool { return s.attr && s.Label == nil }

// otherKind reports whether two pages say that they are of different types.
func (f *finder) otherKind(a, b *said) bool {
	ta, tb := f.wiki.Page(a.Page).Meta.Type, f.wiki.Page(b.Page).Meta.Type
	return ta != "" && tb != "" && ta != tb
}

// ofOneKind reports whether a claim says the name that a row has and what kind of thing it is,
// by the head of its column: the bigmem partition, and bigmem below Partition. The name must be
// marked as one.
func ofOneKind(row, s *said) bool {
	c := row.Claim
	return row.Label != nil && s.Label == nil && c.Subject.Sure && len(c.Subject.Kind) > 0 && len(row.topic) > 0 && subset(row.topic, s.topic) && subset(c.Subject.Kind, s.topic)
}

// siblings reports whether two pages are of one kind, so that each speaks of a thing of its own
// when both say the same: each is about one thing, or they follow one template.
func (f *finder) siblings(a, b *said) bool {
	return f.ofOne[a.Page] && f.ofOne[b.Page] || f.template(a, b)
}

// template reports whether two pages follow one template: their titles share a word, or
// their headings are the same.
func (f *finder) template(a, b *said) bool {
	if slices.ContainsFunc(f.ownWords(a), func(w string) bool { return slices.Contains(f.ownWords(b), w) && folder(a.Path) == folder(b.Path) }) {
		return true
	}
	pa, pb := f.wiki.Page(a.Page), f.wiki.Page(b.Page)
	same := 0
	for i := range pa.Headings {
		if h := &pa.Headings[i]; h.Level > 1 && slices.ContainsFunc(pb.Headings, func(o schema.Heading) bool { return o.Level > 1 && o.Text == h.Text }) {
			same++
		}
	}
	return same > 1
}

// identifier reports whether a word is a name that programs use, which means one thing
// wherever it is written.
func identifier(w string) bool {
	return len(w) > 4 && strings.ContainsAny(w[1:len(w)-1], "._-/") && strings.IndexFunc(w, func(r rune) bool { return r >= 'a' && r <= 'z' }) >= 0
}

// commonEntity reports whether both claims are about one entity: both name it, or both say the
// words of the title of the page that one of them stands on.
func (f *finder) commonEntity(a, b *said) bool {
	for _, e := range a.entitiesOf() {
		if slices.Contains(b.entitiesOf(), e) && (!strings.HasPrefix(e, "key:") || identifier(e[len("key:"):])) {
			return true
		}
	}
	for _, pair := range [][2]*said{{a, b}, {b, a}} {
		named := 0
		for _, w := range f.ownWords(pair[0]) {
			switch here := slices.Contains(pair[0].hard, w) || slices.Contains(pair[0].soft, w); {
			case f.lexicon.Generic(w):
			case !here || !slices.Contains(pair[1].hard, w):
				named = -100
			default:
				named++
			}
		}
		// One word in a table is anybody's, and a name that two pages have is nobody's.
		if named > 1 || named == 1 && (pair[1].Label == nil || !own(pair[0])) {
			return f.entities.called(f.ownWords(pair[0])) != nil
		}
	}
	return false
}

func sharedVerb(f *finder, a, b *said) bool {
	if slices.ContainsFunc(a.verbal, func(v string) bool { return !f.lexicon.Light(v) && slices.Contains(b.verbal, v) }) {
		return true
	}
	// Is valid for, is deleted after; holds, fits into.
	switch a.Value.Quantity.Dimension {
	case schema.Duration:
		return f.lasting(a, a.verbal) && f.lasting(b, b.verbal)
	case schema.Volume, schema.Information, schema.Mass:
		return slices.ContainsFunc(a.verbal, f.lexicon.Capacity) && slices.ContainsFunc(b.verbal, f.lexicon.Capacity)
	}
	return false
}

// lasting reports whether verbs of a claim say how long a thing is there. What is archived after
// a time is not what is kept for it.
func (f *finder) lasting(s *said, verbs []string) bool {
	return slices.ContainsFunc(verbs, func(v string) bool {
		return f.lexicon.Lifetime(v) && !(v == "keep" && slices.Contains(s.words, "after"))
	})
}

func folder(path string) string {
	return path[:max(0, strings.LastIndexByte(path, '/'))]
}

// linkedPages reports whether the page of one claim links to that of the other.
func (f *finder) linkedPages(a, b *said) bool {
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

// titleWords are the words of a title.
func (f *finder) titleWords(title string) []string { return f.entities.titleWords(title) }
