package conflict

import (
	"slices"
	"strings"
	"time"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// spellings are the ways in which a claim is told in words: the row of a setting by its
// key, and by what describes it. They are appended to out.
func (f *finder) spellings(out []*said, s *said) []*said {
	page := f.entities.pageOf(s.Claim)
	if s.Label == nil && s.From == schema.OriginTable && s.Slot != claim.SlotKey {
		return out // another reading of a cell whose row is compared
	}
	f.spell(s, page)
	out = append(out, s)
	if other := f.apart(s, page); other != nil {
		out = append(out, other)
	}
	if other := f.otherwise(s); other != nil {
		out = append(out, other)
	}
	if !s.key || len(s.Terms) == 0 || s.Label == nil {
		return out
	}
	described := *s.Claim
	described.Label = s.Terms
	other := f.said.next()
	*other = *s
	other.Claim, other.hard, other.soft, other.verbal, other.topic = &described, nil, nil, nil, nil
	f.spell(other, page)
	return append(out, other)
}

// apart is a field that names its thing itself, on the page of another: retention of the access
// log, or the yoga class, of which it says when it is.
func (f *finder) apart(s *said, page *schema.Page) *said {
	if !s.attr || s.Label != nil || s.From != schema.OriginList && s.From != schema.OriginField || len(s.Subject.Names) > 0 {
		return nil
	}
	attr, thing := "", s.Attr.Name
	for _, of := range []string{" of ", " for "} {
		if i := strings.LastIndex(thing, of); i > 0 {
			attr, thing = thing[:i], thing[i+len(of):]
			break
		}
	}
	if attr == "" && !moment(s.Value.Quantity.Dimension) {
		return nil
	}
	described, other := *s.Claim, *s
	described.Label = nil
	for _, part := range []struct {
		text string
		is   schema.Part
	}{{attr, schema.PartObject}, {thing, schema.PartSubject}} {
		for _, w := range f.lexicon.Concepts(part.text) {
			if b := boundOf(w); b == schema.Exactly {
				described.Label = append(described.Label, schema.Term{Word: w, Link: -1, Part: part.is})
			} else if described.Value.Quantity.Bound == schema.Exactly {
				described.Value.Quantity.Bound = b
			}
		}
	}
	other.Claim, other.explicit, other.names, other.own, other.implicit = &described, nil, nil, "", false
	other.hard, other.soft, other.verbal, other.topic = nil, nil, nil, nil
	p := f.entities.called(f.lexicon.Words(strings.TrimPrefix(strings.ToLower(thing), "the ")))
	if p != nil {
		f.name(&other, p)
	} else if len(described.Label) < 2 {
		return nil
	}
	if len(described.Label) == 0 {
		return nil
	}
	f.spell(&other, page)
	return &other
}

// boundOf returns the side of a limit that a concept names.
func boundOf(w string) schema.Bound {
	switch w {
	case "max":
		return schema.AtMost
	case "min":
		return schema.AtLeast
	}
	return schema.Exactly
}

// moment reports whether a value says when something is.
func moment(d schema.Dimension) bool {
	switch d {
	case schema.Clock, schema.ClockUTC, schema.Weekday, schema.Day, schema.DayOfYear, schema.MonthOfYear, schema.SeasonOfYear, schema.Season:
		return true
	}
	return false
}

// needs are the words of a cell that say whether what its row is about is needed.
var needs = map[string]string{"required": "yes", "mandatory": "yes", "compulsory": "yes", "obligatory": "yes", "optional": "no", "voluntary": "no"}

// otherwise is what a value says beside its number: that the thing is done at all, as it is
// when it is done every night; that the year in a column is a date.
func (f *finder) otherwise(s *said) *said {
	q := &s.Value.Quantity
	var c *schema.Claim
	var hard []string
	switch {
	case s.Value.Kind == schema.ValueName && s.Label != nil && len(s.Value.Words) == 1 && needs[s.Value.Words[0]] != "":
		c, hard = f.restated(s, schema.Value{Kind: schema.ValueFact, Bool: needs[s.Value.Words[0]] == "yes"}), s.hard
		c.Role = claim.RoleNeeded
	case s.Value.Kind != schema.ValueQuantity:
		return nil
	case s.Label == nil && s.From == schema.OriginSentence && (q.Dimension == schema.Duration || q.Dimension == "count:time" || q.Dimension == "" && strings.EqualFold(s.Text, "once")) && len(s.verbal) > 0:
		c = f.restated(s, schema.Value{Kind: schema.ValueFact, Bool: true})
		hard = slices.DeleteFunc(slices.Concat(s.hard, s.verbal), f.lexicon.Empty)
		if q.Dimension == "count:time" {
			hard = slices.DeleteFunc(hard, func(w string) bool { return w == "time" })
		}
		slices.Sort(hard)
		hard = slices.Compact(hard)
	case strings.HasPrefix(string(q.Dimension), "money:") && q.Lo > 0 && q.Bound == schema.Exactly && (slices.Contains(s.hard, "pric") || slices.Contains(s.verbal, "pric")):
		c = f.restated(s, schema.Value{Kind: schema.ValueFact, Bool: true, Words: []string{"pric"}}) // it is not free
		if hard = s.hard; !slices.Contains(hard, "pric") {
			hard = append(slices.Clone(hard), "pric")
			slices.Sort(hard)
		}
	case (s.Label != nil || s.attr) && q.Dimension == "" && q.Step == 1 && q.Lo == q.Hi && q.Lo >= 1800 && q.Lo < 2200:
		from := time.Date(int(q.Lo), 1, 1, 0, 0, 0, 0, time.UTC).Unix() / 86400
		to := time.Date(int(q.Lo)+1, 1, 1, 0, 0, 0, 0, time.UTC).Unix() / 86400
		c, hard = f.restated(s, schema.Value{Kind: schema.ValueDate, Quantity: schema.Quantity{Dimension: schema.Day, Lo: float64(from), Hi: float64(to - 1)}}), s.hard
	default:
		return nil
	}
	other := f.said.next()
	*other = *s
	other.Claim, other.hard = c, hard
	return other
}

// restated is a claim with another value.
func (f *finder) restated(s *said, v schema.Value) *schema.Claim {
	c := f.restatements.next()
	*c = *s.Claim
	c.Value = v
	return c
}

// product returns the words of a version that name what it is one of.
func product(words []string) []string {
	if len(words) == 1 && words[0] != "" && words[0][0] >= '0' && words[0][0] <= '9' {
		return nil
	}
	return words
}

// sameProduct reports whether two versions are of one product: both say so, or one gives it in
// the name of its attribute.
func sameProduct(a, b *said) bool {
	return slices.Equal(product(a.Value.Words), product(b.Value.Words)) || names(a, b) || names(b, a)
}

// names reports whether the name of an attribute says of which product its version is, as the
// minimum Android version does.
func names(s, other *said) bool {
	of := product(other.Value.Words)
	return len(product(s.Value.Words)) == 0 && len(of) == 1 && slices.Contains(s.words, of[0]) && !slices.Contains(s.topic, of[0])
}

// least takes the version that a thing needs for the least that it works with.
func (f *finder) least(s *said, v *schema.Value) {
	if v.Quantity.Bound == schema.Exactly && slices.ContainsFunc(s.verbal, f.lexicon.Needs) {
		v.Quantity.Bound = schema.AtLeast
	}
}

// needing reports whether a claim says which versions a thing works with: those that it needs,
// or those that it supports from one on.
func needing(s *said, l *claim.Lexicon) bool {
	return slices.ContainsFunc(s.verbal, func(v string) bool { return l.Needs(v) || v == "support" && s.Value.Quantity.Bound == schema.AtLeast })
}
