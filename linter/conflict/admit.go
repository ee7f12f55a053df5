package conflict

import (
	"math"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// admits reports whether two mentions may contradict each other, whatever their words: they are
// of one role, under the same conditions, and exact.
func (m *matcher) admits(a, b *mention) bool {
	s, t := a.said, b.said
	ba, bb := limitOf(a), limitOf(b)
	switch {
	case len(a.roles) > 0 && len(b.roles) > 0 && !slices.Equal(a.roles, b.roles),
		ba != bb && ba != schema.Exactly && bb != schema.Exactly,
		m.oneCondition(a, b) || m.oneCondition(b, a),
		recurs(a, b) || recurs(b, a),
		excepted(s, t) || excepted(t, s), otherEdition(s, t),
		a.Value.Quantity.Approx || b.Value.Quantity.Approx,
		a.Doubted || b.Doubted,
		s.From == schema.OriginFrontmatter && t.From == schema.OriginFrontmatter,                                    // compared by their names
		a.Value.Kind == schema.ValueName && s.values[comparedIn(a.SaidValue)]+t.values[comparedIn(b.SaidValue)] > 2, // one of several
		a.Value.Kind != schema.ValueBool && opposed(a, b),
		sidesApart(s, t) && !strings.HasPrefix(a.Class, contrast),
		identifies(a) || identifies(b),
		a.fact == nil && (beforeVerb(a) || beforeVerb(b)) && bothClash(a, b) > 0, // each says in which case something else holds
		complete(a, b), asOfApart(a, b), m.ofElse(a, b), m.aboutElse(a, b),
		m.unsaidCase(a, b) || m.unsaidCase(b, a),
		m.eachItsOwn(s, t) && !ofOrder(a):
		return false
	}
	return true
}

// rolesOf returns which kinds of value a mention says that it is: a default, a limit, typical.
// What a table of settings gives is a default, whether it says so or not.
func (m *matcher) rolesOf(a *mention) []string {
	out := slices.Clone(a.said.Roles)
	switch bound := limitOf(a); {
	case bound == schema.AtMost, a.said.has("max"), slices.Contains(a.said.Keyed, "max"), calledLimit(a), bound == schema.Exactly && listedLimit(a) && len(out) == 0 && !a.said.has("min"):
		out = append(out, "max")
	case bound == schema.AtLeast, a.said.has("min"), slices.Contains(a.said.Keyed, "min"):
		out = append(out, "min")
	}
	setting := a.said.From == schema.OriginTable && slices.ContainsFunc(a.said.words, func(w toldWord) bool { return w.Label && w.Name })
	out = slices.DeleteFunc(out, func(r string) bool { return r == "current" || r == "default" && setting })
	slices.Sort(out)
	return slices.Compact(out)
}

// calledLimit reports whether a saying calls its value the limit of something: the limit of a key is 120 requests.
func calledLimit(a *mention) bool {
	k, ok := a.said.at["limit"]
	return ok && (a.said.words[k].Subject || a.said.words[k].Label) && a.Value.Kind == schema.ValueQuantity && !a.said.has("min") && !a.said.has("lower")
}

// listedLimit reports whether a value stands in a table of limits, by the title of the page or the section.
func listedLimit(a *mention) bool {
	return a.said.From == schema.OriginTable && a.Value.Kind == schema.ValueQuantity && a.said.soft["limit"]
}

// uses are verbs that may stand behind the version which something has.
var uses = map[string]bool{"use": true, "need": true, "requir": true, "install": true, "run": true, "deploy": true}

// identifies reports whether a version tells of which one something is said: release 3.4
// receives fixes, and not: PostgreSQL 16 is used.
func identifies(a *mention) bool {
	return a.Value.Kind == schema.ValueVersion && beforeVerb(a) && !listedAlone(a.said) && !slices.ContainsFunc(a.said.words, func(w toldWord) bool { return w.Verb && uses[w.Concept] })
}

// listedAlone reports whether a saying is an item of a list without a subject: OpenSearch 1.3 for the search service.
func listedAlone(t *told) bool {
	return t.From == schema.OriginList && !slices.ContainsFunc(t.words, func(w toldWord) bool { return w.Subject })
}

// leastAlike is which part of each of two sayings the other says too, if they are of one form.
const leastAlike = 0.75

// eachItsOwn reports whether two pages about things of one kind say the same of themselves, in
// the same words: the header is 24 bytes long.
func (m *matcher) eachItsOwn(s, t *told) bool {
	if s.own != t.own && twins(s, t) && propertyOf(s) && propertyOf(t) {
		part, _ := covered(s, t)
		other, _ := covered(t, s)
		return min(part, other) > leastAlike // the ripening rooms of two sites
	}
	if tabular(s.page) && tabular(t.page) || s.own == "" || t.own == "" || s.own == t.own || sameEntity(s, t) || m.topic(s, t) || m.topic(t, s) || !twins(s, t) || sharedNames(s, t) > 0 || m.bothCall(s, t) {
		return false
	}
	if slices.ContainsFunc(limitWords, func(w string) bool { return s.has(w) != t.has(w) }) {
		return false // in other words
	}
	s, t = s.entire(), t.entire()
	part, _ := covered(s, t)
	other, _ := covered(t, s)
	return min(part, other) > leastAlike && m.sharedNouns(s, t) < tellsEnough
}

// advising are the folders and types of pages that tell what to do with things, whose tables are not of their own.
var advising = map[string]bool{"guide": true, "guides": true, "runbook": true, "runbooks": true, "howto": true, "tutorial": true, "tutorials": true, "decision": true, "decisions": true, "adr": true,
	"process": true, "processes": true, "procedure": true, "procedures": true, "policy": true, "policies": true}

// propertyOf reports whether a saying is a row of a table of what a thing has, on the page of that thing: Ripening rooms, 6.
func propertyOf(t *told) bool {
	if t.From != schema.OriginTable || t.own == "" || tabular(t.page) || advising[path.Base(folder(t.Path))] || advising[strings.ToLower(t.page.Meta.Type)] || len(t.words) > briefly {
		return false
	}
	after, _ := slices.BinarySearchFunc(t.page.Tables, t.Span.Start+1, func(table schema.Table, at int) int { return table.Span.Start - at })
	return after > 0 && t.Span.End <= t.page.Tables[after-1].Span.End && len(t.page.Tables[after-1].Head) == 2
}

// tellsEnough is how many nouns two sayings have in common that are hardly about two things of a kind: the
// phone number of the recipient.
const tellsEnough = 3

// sharedNouns counts the words that both say and that are no verbs and not of every sentence.
func (m *matcher) sharedNouns(s, t *told) (n int) {
	for i := range s.words {
		if w := &s.words[i]; t.has(w.Concept) && !w.Verb && !m.vague(w.Concept) {
			n++
		}
	}
	return n
}

// sharedTelling counts the words that both say and that may name a thing.
func (m *matcher) sharedTelling(s, t *told) (n int) {
	for i := range s.words {
		if w := &s.words[i]; t.has(w.Concept) && m.tells(w) {
			n++
		}
	}
	return n
}

// bothCall reports whether both say the title of a page of one word: the silo.
func (m *matcher) bothCall(s, t *told) bool {
	return slices.ContainsFunc(s.words, func(w toldWord) bool {
		if !t.has(w.Concept) || !m.tells(&w) {
			return false
		}
		p := m.entities.called([]string{w.Concept})
		return p != nil && !tabular(p)
	})
}

// complete reports whether two shares make up a whole: 15 % off is 85 % of it.
func complete(a, b *mention) bool {
	qa, qb := &a.Value.Quantity, &b.Value.Quantity
	return qa.Dimension == schema.Ratio && qb.Dimension == schema.Ratio && math.Abs(qa.Lo+qb.Lo-1) < 1e-9 && qa.Lo != qb.Lo
}

// exceptions are words behind which it stands of what something is not so.
var exceptions = []string{"with the exception of ", "apart from ", "except for ", "except ", "excluding ", "other than ", "aside from "}

// exceptedBy returns the words for that of which a saying says what is not so: apart from the mountain sites.
func (m *matcher) exceptedBy(t *told) (out []string) {
	text := strings.ToLower(strings.Join(strings.Fields(string(t.Span.In(t.page.Source))), " "))
	for _, phrase := range exceptions {
		_, of, ok := strings.Cut(text, phrase)
		if !ok {
			continue
		}
		if of, _, _ = strings.Cut(of, ","); len(of) > 0 {
			words := m.lexicon.Concepts(of)
			for _, w := range words[:min(len(words), longestName)] {
				if !m.lexicon.Light(w) && !m.lexicon.Generic(w) {
					out = append(out, w)
				}
			}
		}
	}
	return out
}

// excepted reports whether t is about what s says something of that is not so.
func excepted(s, t *told) bool { return slices.ContainsFunc(s.except, t.knows) }

// otherEdition reports whether the pages of two sayings are named alike but for a number: Echo top 18, Echo top 45.
func otherEdition(s, t *told) bool {
	digits := func(r rune) bool { return r >= '0' && r <= '9' }
	a, b := s.page.Title, t.page.Title
	return a != b && strings.ContainsFunc(a, digits) && strings.Map(dropDigits, a) == strings.Map(dropDigits, b)
}

// dropDigits leaves digits out.
func dropDigits(r rune) rune {
	if r >= '0' && r <= '9' {
		return -1
	}
	return r
}

// recurs reports whether a stands beside a day of the week, a month or a season that b does not
// stand beside: then that is when it holds.
func recurs(a, b *mention) bool {
	return slices.ContainsFunc(a.said.Values, func(v claim.SaidValue) bool {
		d := v.Value.Quantity.Dimension
		if v.Span.Start >= a.Span.Start && v.Span.End <= a.Span.End || d != schema.Weekday && d != schema.MonthOfYear && d != schema.SeasonOfYear {
			return false
		}
		return !slices.ContainsFunc(b.said.Values, func(o claim.SaidValue) bool { return o.Value.Quantity.Dimension == d && !clash(&v, &o) })
	})
}

// accepted is what accept and reject have in common.
var accepted = sync.OnceValue(func() string { return claim.English().Concepts("accept")[0] })

// opposed reports whether one says a word and the other its opposite: turned on, turned off. To reject
// what is beyond a limit is to accept what is within.
func opposed(a, b *mention) bool {
	for word, denied := range a.said.poles {
		if word == accepted() && (limitOf(a) != schema.Exactly || limitOf(b) != schema.Exactly) {
			continue
		}
		if other, ok := b.said.poles[word]; ok && other != denied {
			return true
		}
	}
	return false
}

// tellingMass is how much the words tell that both say and that may name a thing.
func (m *matcher) tellingMass(s, t *told) (mass float64) {
	for i := range s.words {
		if w := &s.words[i]; t.has(w.Concept) && m.tells(w) {
			mass += w.weight
		}
	}
	return mass
}
