package conflict

import (
	"slices"
	"strings"
)

// sitesApart reports whether a thing can not be at two places at once: they name two of one kind, the ground floor and the
// third floor, or two floors, rooms or buildings that are no part of each other. A room and the building that it is in are
// no contradiction.
func (m *matcher) sitesApart(a, b []string) bool {
	apart := false
	for _, p := range a {
		for _, q := range b {
			switch m.siteRelation(p, q) {
			case Apart:
				apart = true
			case Same:
				return m.innerApart(a, b, p, q)
			}
		}
	}
	return apart
}

// innerApart is [matcher.sitesApart] of places one of which is the same on both sides.
func (m *matcher) innerApart(a, b []string, p, q string) bool {
	return slices.ContainsFunc(a, func(x string) bool {
		return x != p && slices.ContainsFunc(b, func(y string) bool { return y != q && m.siteRelation(x, y) == Apart })
	})
}

// unlevelled are the places of a house that its other floors are none of.
var unlevelled = map[string]string{"basement": "basement", "cellar": "basement", "attic": "attic", "loft": "attic", "roof": "roof", "mezzanine": "mezzanine"}

// anySite are nouns that any place of their size can be called.
var anySite = map[string]bool{"room": true, "building": true, "house": true, "level": true, "site": true, "store": true, "shop": true}

// siteRelation compares two places. Those of two sizes are not comparable.
func (m *matcher) siteRelation(p, q string) Relation {
	if p == q {
		return Same
	}
	pw, qw := strings.Fields(p), strings.Fields(q)
	ph, qh := pw[len(pw)-1], qw[len(qw)-1]
	level := m.lexicon.Site(ph)
	if level != m.lexicon.Site(qh) {
		return Incomparable
	}
	if ph == qh {
		return modifiersApart(pw[:len(pw)-1], qw[:len(qw)-1])
	}
	switch {
	case level == "container":
		return Incomparable // one may stand in the other
	case level == "floor" && unlevelled[ph] == unlevelled[qh] && unlevelled[ph] != "":
		return Compatible
	case anySite[ph] || anySite[qh]:
		return Incomparable
	case level == "floor" && unlevelled[ph] == "" && unlevelled[qh] == "":
		return Incomparable
	}
	return Apart
}

// modifiersApart compares what tells which of several places of one noun is meant: a number with a number, words with words.
func modifiersApart(a, b []string) Relation {
	if len(a) == 0 || len(b) == 0 || numeric(a) != numeric(b) {
		return Compatible
	}
	for _, w := range a {
		for _, v := range b {
			if w == v || strings.HasPrefix(w, v) || strings.HasPrefix(v, w) && len(v) > 2 || strings.HasSuffix(w, "ed") || strings.HasSuffix(v, "ed") {
				return Compatible
			}
		}
	}
	return Apart
}

func numeric(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.ContainsAny(w, "0123456789") || len(w) == 1 })
}
