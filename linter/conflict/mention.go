package conflict

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// mention is a value of a page with the words that it stands among.
type mention struct {
	*claim.SaidValue
	said  *told
	order int             // among all mentions of the wiki
	fact  *claim.SaidFact // what is said to be so or not, nil for other values

	roles  []string // which kinds of value it says that it is; see [matcher.rolesOf]
	beside string   // the word nearest to it that tells something
}

// told is a saying by its words.
type told struct {
	*claim.Saying
	page   *schema.Page
	words  []toldWord // what it says, each concept once
	at     map[string]int
	soft   map[string]bool // what may be left unsaid where it is said
	named  []string        // the entities that it names
	own    string          // what its page or its section is about
	values map[string]int  // how many of its values are of a class
	poles  map[string]bool // words that have an opposite, and whether it denies them
	sides  map[string]bool // of two places or ends, whether it is at the second
	both   []string        // it is at both

	whole *told // what it is a clause of, nil for nothing

	except []string // words for that of which it says what is not so

	spoken, taken, roots sketch // of its words, of what may be left unsaid, and of the roots of its words
}

// toldWord is a word of a saying.
type toldWord struct {
	claim.SaidWord
	weight float64 // how much it tells, from 0 to 1
	places []int   // among the tokens

	bit, root sketch // of the concept, and of its root
}

// has reports whether a saying has a concept.
func (t *told) has(concept string) bool {
	_, ok := t.at[concept]
	return ok
}

// knows reports whether a saying has a concept or takes it for granted.
func (t *told) knows(concept string) bool { return t.has(concept) || t.soft[concept] }

// matcher compares mentions by all of their words.
type matcher struct {
	*finder
	all   []*mention
	seen  map[string]int // in how many sayings a concept occurs
	total int
	pages map[string]int // on how many pages

	states map[string]map[string]bool // the words for states that the tables of a page use
	scales map[string][]string        // what values of a kind imply; see [matcher.implied]
	units  map[schema.Dimension][]schema.Unit
}

// wavering are opposites that sentences use of many things at once, and the place of what has
// no name: the first.
var wavering = map[string]bool{"ordinal": true, "ordinal:": true, "pole:possibl": true, "pole:visibl": true, "pole:accept": true, "pole:open": true,
	"pole:includ": true, "pole:avail": true, "pole:availabl": true, "pole:sign": true}

// read takes the sayings of all pages in.
func (m *matcher) read(sayings func(*schema.Page) []claim.Saying) {
	if m.entities.names == nil {
		m.entities.index()
	}
	var all []*told
	for _, p := range m.wiki.Pages() {
		of := sayings(p)
		for i := range of {
			all = append(all, m.tell(p, &of[i]))
		}
	}
	last := map[string]*schema.Page{}
	m.pages, m.units = map[string]int{}, map[schema.Dimension][]schema.Unit{}
	for _, t := range all {
		for i := range t.words {
			if c := t.words[i].Concept; !t.Part {
				m.seen[c]++
				if last[c] != t.page {
					last[c] = t.page
					m.pages[c]++
				}
			}
		}
		if !t.Part {
			m.total++
		}
	}
	for _, t := range all {
		m.noteTeams(t)
		m.noteStates(t)
		for i := range t.words {
			t.words[i].weight = m.weightOf(t.words[i].Concept)
		}
		for i := range t.Values {
			v := &t.Values[i]
			if t.Part && i > 0 {
				break // said already
			}
			if wavering[v.Class] && !stateOf(t, v) || v.Class == "name" && !m.singleName(t) {
				continue
			}
			t.values[comparedIn(v)]++
			x := &mention{SaidValue: v, said: m.besideName(m.ofClause(t, v), v), order: len(m.all)}
			if n := len(t.Lists); n > 0 && v.Counted != "" && v.To <= t.Lists[n-1].From {
				x.said = m.besideList(t, &t.Lists[n-1]) // how many, and which
			}
			m.all = append(m.all, x)
		}
	}
	m.lists(all)
	m.facts(all)
	m.able(all)
	m.contrasts(all)
	m.prepare()
}

// prepare notes what every comparison asks for of a mention and of its saying.
func (m *matcher) prepare() {
	done := map[*told]bool{}
	for _, x := range m.all {
		x.roles, x.beside = m.rolesOf(x), m.besideOf(x)
		if t := x.said; !done[t] {
			done[t] = true
			t.sketch()
			t.except = m.exceptedBy(t)
		}
	}
}

// singleName reports whether the labels of a saying name an attribute of which a thing has one.
func (m *matcher) singleName(t *told) bool {
	return slices.ContainsFunc(t.words, func(w toldWord) bool { return w.Label && m.lexicon.Single([]string{w.Concept}) })
}

// weightOf says how much a concept tells, from 0 to 1: little when many sayings have it.
func (m *matcher) weightOf(concept string) float64 {
	w := math.Log2(1+float64(m.total+1)/float64(1+m.seen[concept])) / math.Log2(2+float64(m.total))
	switch {
	case m.lexicon.Hollow(concept):
		w *= 0.1
	case m.lexicon.Light(concept), m.lexicon.Empty(concept):
		w *= 0.3
	case m.lexicon.Generic(concept):
		w *= 0.5
	}
	return w
}

// vague reports whether a concept tells nothing of what a saying is about.
func (m *matcher) vague(concept string) bool {
	return m.lexicon.Light(concept) || m.lexicon.Empty(concept) || m.lexicon.Hollow(concept)
}

// tell reads a saying.
func (m *matcher) tell(p *schema.Page, s *claim.Saying) *told {
	t := &told{Saying: s, page: p, at: map[string]int{}, soft: map[string]bool{}, values: map[string]int{}, poles: map[string]bool{}, sides: map[string]bool{}}
	for _, w := range s.Words {
		concept, denied := m.lexicon.Pole(w.Concept)
		if denied || m.lexicon.Opposed(w.Concept) {
			t.poles[concept] = denied
		}
		concept = m.side(t, concept)
		w.Concept = concept
		if i, known := t.at[concept]; known {
			k := &t.words[i]
			k.places = append(k.places, w.At)
			k.Subject, k.When = k.Subject || w.Subject, k.When && w.When
			continue
		}
		t.at[concept] = len(t.words)
		m.conditioned(t, w.Concept)
		t.words = append(t.words, toldWord{SaidWord: w, places: []int{w.At}})
	}
	soft := slices.Concat(s.Near, s.Keyed)
	if slices.Contains(s.Roles, "max") || slices.ContainsFunc(s.Values, func(v claim.SaidValue) bool { return v.Value.Quantity.Bound != schema.Exactly }) {
		soft = append(soft, limitWords...) // whoever says at most, says that it is a limit
	}
	for i := range s.Values {
		soft = append(soft, m.implied(&s.Values[i])...)
		switch d := s.Values[i].Value.Quantity.Dimension; {
		case s.Values[i].Counted != "" && slices.ContainsFunc(s.Words, func(w claim.SaidWord) bool { return m.lexicon.Capacity(w.Concept) }):
			soft = append(soft, m.scalesOf("capacity")...)
		case d == schema.Duration && slices.ContainsFunc(s.Words, func(w claim.SaidWord) bool { return m.lexicon.Lifetime(w.Concept) }):
			soft = append(soft, m.scalesOf("lifetime")...)
		}
	}
	for _, h := range s.Section {
		soft = append(soft, m.titleWords(h)...)
	}
	if !p.Reserved() {
		soft = append(soft, m.titleWords(p.Title)...)
		for _, a := range p.Meta.Aliases {
			soft = append(soft, m.titleWords(a.Name)...)
		}
		t.own = m.home(p, &schema.Claim{Section: s.Section})
	}
	for _, w := range soft {
		t.soft[w] = true
	}
	m.names(t)
	return t
}

// limitWords are the concepts of words that call a value a limit.
var limitWords = []string{"max", "min", "limit"}

// names notes the entities that a saying names.
func (m *matcher) names(t *told) {
	add := func(p *schema.Page) {
		if key, _ := m.entities.page(p); key != "" && !slices.Contains(t.named, key) {
			t.named = append(t.named, key)
		}
	}
	if t.About > 0 {
		if res := m.wiki.Resolution(t.page, t.About-1); res.Kind == schema.TargetPage {
			if p := m.wiki.Page(res.Page); p != nil {
				add(p)
			}
		}
	}
	words := t.Saying.Words
	for i := 0; i < len(words); {
		if link := words[i].Link; link >= 0 {
			if res := m.wiki.Resolution(t.page, link); res.Kind == schema.TargetPage {
				if p := m.wiki.Page(res.Page); p != nil {
					add(p)
				}
			}
			i++
			continue
		}
		n, p := m.calledAt(words[i:])
		if p != nil {
			add(p)
		}
		i += max(n, 1)
	}
}

// calledAt returns the page that the first words name, and by how many of them. One word among
// others is no name.
func (m *matcher) calledAt(words []claim.SaidWord) (n int, p *schema.Page) {
	var name [longestName]string
	for n = min(longestName, len(words)); n > 0; n-- {
		if w := &words[0]; n == 1 && !w.Name && !(w.Label && !m.lexicon.Generic(w.Concept)) {
			continue
		}
		for k := range n {
			name[k] = words[k].Concept
		}
		called := name[:n]
		slices.Sort(called)
		if p = m.entities.called(slices.Compact(called)); p != nil && (n > 1 || words[0].Name || !tabular(p)) {
			return n, p
		}
	}
	return 0, nil
}

// tabular reports whether a page lists something of many things, such as ports or limits, and is none of
// them: who speaks of a port does not speak of that page.
func tabular(p *schema.Page) bool {
	first, _, _ := strings.Cut(p.Path, "/")
	for _, kind := range []string{p.Meta.Type, first} {
		switch strings.ToLower(kind) {
		case "reference", "references", "index", "table", "tables", "list", "glossary":
			return true
		}
	}
	return false
}

// comparedIn is what a value is compared within.
func comparedIn(v *claim.SaidValue) string {
	if strings.HasPrefix(v.Class, "count:") {
		return ""
	}
	return v.Class
}

// comparableTo returns all that a value may be compared with.
func comparableTo(v *claim.SaidValue) []string {
	switch {
	case v.Class == able:
		return []string{able}
	case v.Class == "yes":
		return []string{"yes", able}
	case v.Class == "pole:on":
		return []string{"yes"}
	case strings.HasPrefix(v.Class, "pole:") && !strings.HasPrefix(v.Class, contrast):
		return []string{v.Class, "yes"}
	case v.Class == string(schema.ClockUTC):
		return []string{string(schema.Clock)}
	case v.Class == string(schema.Day):
		return []string{v.Class, string(schema.DayOfYear)}
	case v.Class == "" && v.Counted == "":
		return []string{"", "version"}
	case v.Class == "":
		return []string{"", countOf + kindOf(v.Counted)}
	case v.Value.Kind == schema.ValueSet:
		return setClasses(v)
	}
	return []string{comparedIn(v)}
}

const (
	// matchProbes is by how many of its rarest words a mention is looked for.
	matchProbes = 8
	// mostAlike bounds how many mentions share a word that they are looked for by.
	mostAlike = 96
)

// meeting is two mentions that may be compared.
type meeting struct {
	a, b  *mention
	apart bool // both can not hold
}

// meetings returns all pairs of mentions of different pages that share one of their rarest
// words, in buckets of bounded size.
func (m *matcher) meetings() (out []meeting) {
	type key struct{ class, word string }
	index, probes := map[key][]*mention{}, make([][]string, len(m.all))
	for _, x := range m.all {
		probes[x.order] = m.probes(x)
		for _, g := range groups(x) {
			for _, w := range probes[x.order] {
				index[key{g, w}] = append(index[key{g, w}], x)
			}
		}
	}
	compared := map[[2]int]bool{}
	for _, a := range m.all {
		for _, g := range groups(a) {
			for _, word := range probes[a.order] {
				bucket := index[key{g, word}]
				if len(bucket) > mostAlike {
					continue
				}
				for _, b := range bucket {
					pair := [2]int{a.order, b.order}
					if b.order <= a.order || a.said.Path == b.said.Path || compared[pair] || strings.HasPrefix(g, countOf) && a.Value.Kind == b.Value.Kind ||
						g == bareGroup && !barely(a, b) || m.unlike(a, b) || bothConfigured(a, b) {
						continue
					}
					compared[pair] = true
					if !m.agree(a, b) || a.fact != nil && !contrary(a, b) || strings.HasPrefix(g, countOf) && !clash(a.SaidValue, b.SaidValue) {
						continue
					}
					out = append(out, meeting{a: a, b: b, apart: m.apart(a, b)})
				}
			}
		}
	}
	return out
}

// probes returns the rarest words of a mention, the rarest first.
func (m *matcher) probes(x *mention) (out []string) {
	words := slices.Clone(x.said.words)
	slices.SortStableFunc(words, func(a, b toldWord) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), strings.Compare(a.Concept, b.Concept))
	})
	for _, w := range words {
		if len(out) < matchProbes && !m.lexicon.Empty(w.Concept) && !m.lexicon.Hollow(w.Concept) {
			out = append(out, w.Concept)
		}
	}
	if v := &x.Value; v.Kind == schema.ValueVersion && len(v.Words) > 0 && product(v.Words) != nil {
		out = append(out, v.Words[0]) // whatever is said of it
	}
	if len(words) > matchProbes && x.Counted != "" {
		out = append(out, m.standing(x, out)...)
	}
	return append(out, m.unsaid(x)...)
}

// standing returns the words that stand nearest before a number and are not among others: in a long
// sentence they tell more of it than the rarest do.
func (m *matcher) standing(x *mention, others []string) (out []string) {
	words := x.said.Saying.Words
	for i := len(words) - 1; i >= 0 && len(out) < 2; i-- {
		if w := words[i]; w.At >= 0 && w.At < x.From && !m.lexicon.Empty(w.Concept) && !m.lexicon.Hollow(w.Concept) && !slices.Contains(others, w.Concept) {
			out = append(out, w.Concept)
		}
	}
	return out
}

// kept are the classes of well-known names of which a thing has one as a rule: in what it keeps
// what it has.
var kept = map[string]bool{"class:database": true, "class:broker": true}

// briefly is how many words a saying has at most that leaves out what it is about: the row, Temperature, of a table of
// properties, the item, Format.
const briefly = 4

// brief reports whether a mention is a label with its value and little else: what it is of stands above.
func (m *matcher) brief(x *mention) bool {
	values := x.said.Values
	return len(x.said.words) <= briefly && len(values) > 0 && values[len(values)-1].Span.Start <= x.Span.Start && !slices.ContainsFunc(x.said.words, func(w toldWord) bool { return w.Subject })
}

// unsaid returns the words that a saying leaves out: a field and a line of configuration those of the
// title of its page, as do what begins with it and what is brief, which leave out those of its heading too, an item those
// of the line above the list.
func (m *matcher) unsaid(x *mention) (out []string) {
	add := func(words []string, most int) {
		for _, w := range words {
			if !x.said.has(w) && !slices.Contains(out, w) && len(out) < most {
				out = append(out, w)
			}
		}
	}
	field := x.said.From == schema.OriginFrontmatter || x.said.From == schema.OriginField || x.said.From == schema.OriginCode
	brief := m.brief(x)
	if (field || x.said.OfPage || kept[x.Class] || brief) && !x.said.page.Reserved() {
		add(m.titleWords(x.said.page.Title), matchProbes)
		add(m.otherNames(x.said.page), matchProbes)
	}
	if n := len(x.said.Section); n > 0 && (brief || x.said.OfPage) {
		add(m.titleWords(x.said.Section[n-1]), matchProbes)
	}
	add(x.said.Keyed, matchProbes)
	if x.said.From == schema.OriginList || x.Value.Kind == schema.ValueSet {
		add(m.rarestOf(x.said.Near), matchProbes)
	}
	return out
}

// rarestOf returns some words, the rarest first, without those that tell nothing.
func (m *matcher) rarestOf(words []string) []string {
	out := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return m.vague(w) })
	slices.SortStableFunc(out, func(a, b string) int { return cmp.Or(cmp.Compare(m.seen[a], m.seen[b]), strings.Compare(a, b)) })
	return out
}

// oneAttribute reports whether two names may be those of one attribute: their labels share a
// word, or say who answers for a thing.
func (m *matcher) oneAttribute(a, b *mention) bool {
	answers := func(concept string) bool { return concept == "team" || m.lexicon.SlotOf(concept) == "owner" }
	return slices.ContainsFunc(a.said.words, func(w toldWord) bool {
		return w.Label && slices.ContainsFunc(b.said.words, func(o toldWord) bool {
			return o.Label && (o.Concept == w.Concept || answers(w.Concept) && answers(o.Concept))
		})
	})
}

// statusConcept is what a label of the state of a thing says.
var statusConcept = sync.OnceValue(func() string { return claim.English().Concepts("status")[0] })

// agree reports whether two names may be those of one attribute of one thing: they share a word,
// or one is a field of the page that the other names. Words for the state of a thing are of one
// vocabulary. Other values are compared by all that is said.
func (m *matcher) agree(a, b *mention) bool {
	if strings.HasPrefix(a.Class, contrast) {
		return m.contrasted(a, b)
	}
	if a.Class != "name" {
		return ofProduct(a, b) && ofProduct(b, a) && !(graded(a) && b.Counted != "") && !(graded(b) && a.Counted != "") && !countsElse(a, b) && !countsElse(b, a)
	}
	if !ofStates(a, b) && m.besideTeams(&a.Value) != m.besideTeams(&b.Value) {
		return false
	}
	if ofStates(a, b) && CompareStatus(a.Value, b.Value) == Incomparable && !m.statesApart(a, b) {
		return false
	}
	return slices.ContainsFunc(a.said.words, func(w toldWord) bool { return b.said.has(w.Concept) }) ||
		m.oneAttribute(a, b) && sameEntity(a.said, b.said)
}

// ofProduct reports whether b, if it is a number and a the version of a product, may be one of it:
// it stands among words that name the product or its kind: a version alone is one of what its row is
// about.
func ofProduct(a, b *mention) bool {
	if a.Value.Kind != schema.ValueVersion || b.Value.Kind != schema.ValueQuantity || len(a.Value.Words) == 0 {
		return true
	}
	return slices.ContainsFunc(a.Value.Words, func(product string) bool {
		return b.said.knows(product) || slices.ContainsFunc(claim.English().Concepts(product+" "+claim.English().Class(product)), b.said.knows)
	})
}

// ofNoYear takes the year off a day that is held against one of no year: 31 March 2026, 31 March.
func ofNoYear(day, other *schema.Quantity) {
	if day.Dimension == schema.Day && other.Dimension == schema.DayOfYear && day.Hi-day.Lo < 1 {
		at := time.Unix(int64(day.Lo)*86400, 0).UTC()
		n := float64(32*int(at.Month()) + at.Day())
		day.Dimension, day.Lo, day.Hi = schema.DayOfYear, n, n
	}
}

// switches are opposites that say the same of what can be switched.
var switches = map[string]bool{"pole:on": true, "pole:enabl": true, "pole:activ": true}

// clash reports whether two values can not be of one thing at once. Limits are compared as
// what they are limits of: whether both are, the words around them tell.
func clash(a, b *claim.SaidValue) bool {
	av, bv := a.Value, b.Value
	switch {
	case av.Kind == schema.ValueVersion && bv.Kind == schema.ValueQuantity:
		bv = schema.Value{Kind: schema.ValueVersion, Quantity: claim.ParseVersion(b.Text)}
	case bv.Kind == schema.ValueVersion && av.Kind == schema.ValueQuantity:
		av = schema.Value{Kind: schema.ValueVersion, Quantity: claim.ParseVersion(a.Text)}
	case av.Kind == schema.ValueSet || bv.Kind == schema.ValueSet:
		return setsClash(&av, &bv)
	case av.Kind != bv.Kind, a.Class == "pole:on" && b.Class == a.Class: // turned on at 8, turned off at 11
		return false
	}
	for _, q := range []*schema.Quantity{&av.Quantity, &bv.Quantity} {
		q.Bound = schema.Exactly
		switch {
		case strings.HasPrefix(string(q.Dimension), "count:"):
			q.Dimension = ""
		case q.Dimension == schema.ClockUTC:
			q.Dimension = schema.Clock
		}
	}
	ofNoYear(&av.Quantity, &bv.Quantity)
	ofNoYear(&bv.Quantity, &av.Quantity)
	switch av.Kind {
	case schema.ValueVersion:
		if av.Quantity.Dimension == "" || bv.Quantity.Dimension == "" || len(av.Words) > 0 && len(bv.Words) > 0 && !slices.Equal(product(av.Words), product(bv.Words)) {
			return false
		}
		fallthrough
	case schema.ValueQuantity, schema.ValueDate:
		return compareQuantities(av.Quantity, bv.Quantity) == Apart || crossing(&av.Quantity, &bv.Quantity)
	case schema.ValueName:
		return compareNames(av.Words, bv.Words) == Apart
	case schema.ValueBool:
		poles := strings.HasPrefix(a.Class, "pole:") && strings.HasPrefix(b.Class, "pole:")
		return av.Bool != bv.Bool && (!poles || a.Class == b.Class || switches[a.Class] && switches[b.Class])
	}
	return false
}
