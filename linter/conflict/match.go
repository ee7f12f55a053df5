package conflict

import (
	"cmp"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
	"github.com/zeebo/xxh3"
)

// Matching: what grammar does not align is compared by all of its words. Two values of one
// kind that stand among much the same words, on pages about the same thing, are likely values
// of one thing. How likely, trees say that were learnt from labelled sets.

const (
	// leastSayings is from how many statements on how rare a word is can be told; below it, no
	// wiki is matched.
	leastSayings = 150
	// mostPages is up to how many pages a wiki is matched: it takes longer than all else.
	mostPages = 2000
	// matched is from which likelihood a match is reported, as a warning; see [Warns].
	matched = 0.7
	// doubted is from which likelihood it is left to a judge.
	doubted = 0.45
)

// Matches returns likely contradictions among what the pages of a wiki say, the likeliest first,
// with scores as those of [Search]. sayings returns those of one page; see claim.Lexicon.Sayings.
func Matches(w *compiler.Wiki, sayings func(*schema.Page) []claim.Saying) []schema.Conflict {
	if !Matchable(w) {
		return nil
	}
	m := &matcher{finder: newFinder(w), seen: map[string]int{}}
	if m.read(sayings); m.total < leastSayings {
		return nil
	}
	return m.conflicts(m.matches())
}

// Matchable reports whether a wiki is small enough to be matched.
func Matchable(w *compiler.Wiki) bool { return len(w.Pages()) <= mostPages }

// match is a meeting and how likely it is a contradiction.
type match struct {
	*encounter
	likely float64
}

// matches returns the meetings that are likely contradictions, the likeliest first.
func (m *matcher) matches() []match {
	var out []match
	all := m.measured()
	for i := range all {
		if p := learnt().likelihood(&all[i].at); p >= doubted {
			out = append(out, match{&all[i], p})
		}
	}
	slices.SortStableFunc(out, func(a, b match) int {
		return cmp.Or(cmp.Compare(b.likely, a.likely), a.a.order-b.a.order, a.b.order-b.b.order)
	})
	return out
}

// encounter is a meeting that may be a contradiction, with its features.
type encounter struct {
	meeting
	at features
}

// measured returns the meetings that may be contradictions, with their features.
func (m *matcher) measured() []encounter {
	all := m.meetings()
	ranks := rank(all)
	var out []encounter
	for i := range all {
		if p := &all[i]; p.apart && m.admits(p.a, p.b) {
			at := m.measure(p.a, p.b)
			at[featRank], at[featElsewhere] = ranks[i].better, ranks[i].agrees
			out = append(out, encounter{*p, at})
		}
	}
	return out
}

// conflicts words the matches. A value is a side of one of them only.
func (m *matcher) conflicts(all []match) (out []schema.Conflict) {
	type at struct {
		page *schema.Page
		span schema.Span
	}
	used := map[at]bool{}
	for _, p := range all {
		a, b := at{p.a.said.page, p.a.Span}, at{p.b.said.page, p.b.Span}
		if used[a] || used[b] {
			continue
		}
		used[a], used[b] = true, true
		c, d := m.claimOf(p.a), m.claimOf(p.b)
		name := m.nameOf(p.a.said, p.b.said)
		groups := []group{{[]*located{{c, "", name}}, map[string]bool{c.Path: true}}, {[]*located{{d, "", name}}, map[string]bool{d.Path: true}}}
		found := m.cluster(groups, nil)
		switch {
		case p.likely >= matched:
			found.Score = Warns + (p.likely-matched)/(1-matched)*(Errs-Warns)*0.99
		default:
			found.Score = leastScore + (p.likely-doubted)/(matched-doubted)*(Warns-leastScore)*0.99
		}
		out = append(out, found)
	}
	return out
}

// nameOf is what people call what both are about.
func (m *matcher) nameOf(s, t *told) string {
	for _, key := range slices.Concat(s.named, []string{s.own}) {
		if key != "" && (slices.Contains(t.named, key) || t.own == key) {
			if p := m.wiki.Page(schema.PageID(strings.TrimPrefix(key, "page:"))); p != nil {
				return p.Title
			}
		}
	}
	return s.page.Title
}

// excerpt is how many bytes of a sentence stand before and behind a value where it is quoted.
const excerpt = 40

// claimOf returns a mention as a claim, for whoever reports it.
func (m *matcher) claimOf(a *mention) *schema.Claim {
	s := a.said
	c := &schema.Claim{Page: s.Page, Path: s.Path, Section: s.Section, Span: a.Span, Text: a.Text, From: s.From, Value: a.Value, Scope: s.Scope,
		Subject: schema.Entity{Link: -1}, Attr: schema.Attribute{Name: "statement"}}
	switch s.From {
	case schema.OriginSentence, schema.OriginList:
		c.From = schema.OriginSentence
		c.Text = quoted(s.page.Source, s.Span, a.Span)
	default:
		c.Text = withLabel(s.page, a)
	}
	text := strings.ToLower(strings.Join(strings.Fields(string(s.Span.In(s.page.Source))), " "))
	c.ID = xxh3.HashString(strings.Join(append(slices.Clone(s.Section), text), "\x00"))
	return c
}

// quoted returns a value with the words around it, of one sentence.
func quoted(src []byte, sentence, value schema.Span) string {
	from, to := max(sentence.Start, value.Start-excerpt), min(max(sentence.End, value.End), value.End+excerpt)
	for from > sentence.Start && from < value.Start && src[from-1] != ' ' && src[from-1] != '\n' {
		from++
	}
	for to < sentence.End && to > value.End && src[to] != ' ' && src[to] != '\n' {
		to--
	}
	return strings.Join(strings.Fields(string(src[from:to])), " ")
}
