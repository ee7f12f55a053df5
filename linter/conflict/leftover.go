package conflict

import (
	"slices"

	"github.com/loopwiki/wiki/schema"
)

// leftOver returns the words of a that b neither says nor takes for granted.
func leftOver(a, b *said) []string {
	var left []string
	for _, w := range a.hard {
		if !slices.Contains(b.hard, w) && !slices.Contains(b.soft, w) && !slices.Contains(b.verbal, w) {
			left = append(left, w)
		}
	}
	return left
}

// restricts reports whether a claim has a word that sets a condition and that the other neither
// says nor takes for granted.
func (f *finder) restricts(s, other *said, limits bool) bool {
	return slices.ContainsFunc(s.hard, func(w string) bool {
		return !slices.Contains(other.hard, w) && !slices.Contains(other.soft, w) && !slices.Contains(other.verbal, w) && !f.idle(w, s, other, limits)
	})
}

// idle reports whether a word that one side alone has sets no condition.
func (f *finder) idle(w string, s, other *said, limits bool) bool {
	switch {
	case f.lexicon.Scale(s.Value.Quantity.Dimension, w):
		return true
	case f.lexicon.Generic(w):
		return true
	case moment(s.Value.Quantity.Dimension) && f.lexicon.Event(w), limits && f.lexicon.Capacity(w), s.Value.Quantity.Dimension == schema.Duration && f.lexicon.Done(w):
		return true
	case s.Value.Kind == schema.ValueVersion && slices.Contains(product(s.Value.Words), w):
		return true // the column of a product
	case s.Value.Kind == schema.ValueVersion && slices.Contains(other.Value.Words, w):
		return names(s, other) // the minimum Android version
	case w == "new" && s.Value.Kind == schema.ValueDate:
		return slices.Contains(s.verbal, "begin") // as all is that begins
	case string(s.Value.Quantity.Dimension) == "count:"+w && other.Value.Quantity.Dimension == "":
		return s.attr // Capacity: 240 seats
	case s.Value.Quantity.Dimension == schema.Duration && f.lexicon.Lifetime(w) && f.lifetime(s) && f.lifetime(other):
		return true
	case s.Value.Kind == schema.ValueDate && (w == "vers" || w == "releas") && figured(s, other):
		return true // which version is told by its number
	case s.Value.Kind == schema.ValueSet && slices.Contains(s.Value.Words, w) && objects(s, other):
		return true // the formats accepted, and what is accepted
	case s.Value.Kind == schema.ValueSet && slices.Contains(s.Value.Words, w) && slices.Contains(other.Value.Words, w):
		return true // what is listed
	case s.Value.Kind == schema.ValueSet && f.lexicon.Light(w) && f.lexicon.Verb(w):
		return true // that it has them
	case s.Role != "" && s.Role != "current" && f.lexicon.RoleOf(w) == s.Role:
		return true // both have that role
	case f.lexicon.RoleOf(w) == "current":
		return s.Label == nil
	case s.Role != "" && f.lexicon.RoleOf(w) == s.Role:
		return true // which is compared as such
	case s.Value.Kind == schema.ValueFact:
		return f.unsaid(w, s, other)
	case s.Value.Kind == schema.ValueSet && f.lexicon.Light(w):
		return true // the formats that it supports
	}
	return limits && slices.Contains(f.ownWords(s), w) && !f.lexicon.Distinct(w) && f.countable(s) // the console accepts up to 10 plates on a permit
}

// countable reports whether what is limited is a number of things.
func (f *finder) countable(s *said) bool {
	switch s.Value.Quantity.Dimension {
	case schema.Duration, schema.Temperature, schema.Ratio, schema.Speed, schema.Clock, schema.ClockUTC, schema.Day, schema.DayOfYear, schema.Weekday, schema.MonthOfYear, schema.SeasonOfYear, schema.WorkingTime:
		return false // of which one thing has many
	}
	return true
}

// ownWords are the words of the title of the claim's page.
func (f *finder) ownWords(s *said) []string { return f.titleWords(f.wiki.Page(s.Page).Title) }

// workweek reports whether words that are left over say on all working days: Monday to Friday.
func workweek(left []string) bool {
	for _, w := range left {
		switch w {
		case "monday", "friday", "work", "day", "weekday", "busin":
		default:
			return false
		}
	}
	return len(left) > 0
}
