package conflict

import (
	"math"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// The features of two mentions. All are between -3 and 3; trees.txt asks for them by name.
const (
	featCovered      = iota // which part of what the one says the other says too, of the two the larger
	featCoveredLess         // and the smaller
	featShared              // how much both say in so many words
	featSharedWords         // and in how many
	featLeftMost            // how much the one says that the other does not, of the two the larger
	featLeftLeast           // and the smaller
	featReplaced            // both say something instead of the other
	featSameEntity          // both are about one entity
	featTopic               // one says the title of the other's page
	featBothName            // both name one entity
	featOtherEntity         // how many entities only one names
	featOtherOwn            // their pages are about different things
	featSiblings            // and of one kind
	featSharedApart         // how many words are shared nevertheless
	featSameFolder          // their pages are in one folder
	featLinked              // one page links to the other
	featBeside              // what stands beside each value, the other side says
	featBesideOne           // one of the two
	featCounted             // both count the same
	featCountedApart        // what one counts, the other does not speak of
	featLabel               // which part of the labels of cells the other says
	featLabelsApart         // a label tells something that the other does not say
	featRoleOneSided        // only one says which kind of value it is
	featBoolCovered         // how much of a yes or no is covered
	featExact               // one is a limit
	featDenied              // one denies something
	featDistinct            // words that tell things of a kind apart, on one side
	featNames               // names on one side
	featModifiers           // words before what both say, on one side
	featWhen                // conditions on one side
	featMany                // how many values of the kind stand together
	featOtherValues         // further values on one side
	featRatio               // how far apart the values are
	featVerb                // a verb in common
	featVerbApart           // different verbs
	featSubject             // which part of what stands before the verb the other says
	featTables              // both are cells
	featRank                // how much better they fit each other than others on their pages
	featElsewhere           // how well one agrees with another on the page of the other
	featNear                // which part of what stands near each value the other says, of the two the smaller
	featNearLeft            // how much of it the other does not say, of the two the larger
	featLeftWords           // how many words one does not say, of the two the larger
	featLeftFewest          // and the smaller
	featPhrase              // how long the longest run of words is that both say
	featSwapped             // what the one says of a thing, the other says with it elsewhere in the sentence
	featDoer                // how much stands before one's verb that does not before the other's
	featLead                // other words lead to each value: every 20 s, for 60 s
	featLeadOne             // only to one
	featRarest              // on how many pages the rarest word is that both say and that may name a thing
	featNoneRare            // there is none
	featParallel            // how many words stand in the place of others: the first offence, the second offence
	featBothClash           // how many further values of one kind differ too: two cases, each with its own
	featBeforeVerb          // a value stands before the verb: it says of which the rest is said
	featSharedNames         // names that both say, where they are about no entity in common
	featNothingNamed        // there is none
	featNamesBoth           // how many names each side has that the other does not know, of the two the smaller
	featCaseValue           // a value before the verb of one side only: for tenants with over 2,000 people
	featMass                // how much the words tell that both say and that may name a thing
	featClass               // the first of those that say of which kind the values are
)

// valueKinds are what the values of a match can be.
var valueKinds = [...]string{"measure", "number", "moment", "version", "class", "code", "name", "pole", "yes"}

// featureCount is how many there are.
const featureCount = featClass + len(valueKinds)

// featureNames are what trees.txt calls them.
var featureNames = [featureCount]string{"covered", "covered-less", "shared", "shared-words", "left-most", "left-least", "replaced", "same-entity", "topic", "both-name",
	"other-entity", "other-own", "siblings", "shared-apart", "same-folder", "linked", "beside", "beside-one", "counted", "counted-apart", "label", "labels-apart",
	"role-one-sided", "bool-covered", "exact", "denied", "distinct", "names", "modifiers", "when", "many", "other-values", "ratio", "verb", "verb-apart", "subject",
	"tables", "rank", "elsewhere", "near", "near-left", "left-words", "left-fewest", "phrase", "swapped", "doer", "lead", "lead-one", "rarest", "none-rare", "parallel",
	"both-clash", "before-verb", "shared-names", "nothing-named", "names-both", "case-value", "mass",
	"kind-measure", "kind-number", "kind-moment", "kind-version", "kind-class", "kind-code", "kind-name", "kind-pole", "kind-yes"}

// features of two mentions, by their number.
type features [featureCount]float64

func (x *features) set(f int, v float64) { x[f] = math.Max(-3, math.Min(3, v)) }

func (x *features) flag(f int, yes bool) {
	if yes {
		x[f] = 1
	}
}

// kindOfMatch returns the index of the kind of values among valueKinds.
func kindOfMatch(a, b *claim.SaidValue) int {
	kind := "measure"
	switch c := comparedIn(a); {
	case a.Value.Kind == schema.ValueVersion || b.Value.Kind == schema.ValueVersion:
		kind = "version"
	case c == "":
		kind = "number"
	case a.Value.Kind == schema.ValueDate || moment(a.Value.Quantity.Dimension):
		kind = "moment"
	case strings.HasPrefix(c, "class:"):
		kind = "class"
	case c == "code", c == "name":
		kind = c
	case strings.HasPrefix(c, "pole:") && a.Class == b.Class:
		kind = "pole"
	case a.Value.Kind == schema.ValueBool:
		kind = "yes"
	}
	return slices.Index(valueKinds[:], kind)
}

// measure returns the features of two mentions but for those of rank.
func (m *matcher) measure(a, b *mention) (x features) {
	x[featClass+kindOfMatch(a.SaidValue, b.SaidValue)] = 1
	m.words(a, b, &x)
	m.subjects(a.said, b.said, &x)
	m.circumstances(a, b, &x)
	return x
}

// words measures what both say.
func (m *matcher) words(a, b *mention, x *features) {
	s, t := a.said, b.said
	ca, la := covered(s, t)
	cb, lb := covered(t, s)
	x.set(featCovered, math.Max(ca, cb))
	x.set(featCoveredLess, math.Min(ca, cb))
	x.set(featLeftMost, math.Max(la, lb))
	x.set(featLeftLeast, math.Min(la, lb))
	x.flag(featReplaced, math.Min(la, lb) > 0.35)
	shared, n := 0.0, 0
	for i := range s.words {
		if w := &s.words[i]; t.has(w.Concept) {
			shared += w.weight
			n++
		}
	}
	x.set(featShared, shared)
	x.set(featSharedWords, math.Log2(1+float64(n)))
	if a.Value.Kind == schema.ValueBool || a.Class == "name" {
		x.set(featBoolCovered, math.Min(ca, cb))
	}
	nearby(a, b, x)
	la2, lb2 := leadOf(a), leadOf(b)
	x.flag(featLead, la2 != "" && lb2 != "" && la2 != lb2)
	x.flag(featLeadOne, (la2 == "") != (lb2 == ""))
	m.doers(s, t, x)
	ha, hb := t.has(m.beside(a)), s.has(m.beside(b))
	x.flag(featBeside, ha && hb)
	x.flag(featBesideOne, ha != hb)
	x.flag(featCounted, a.Counted != "" && a.Counted == b.Counted)
	x.flag(featCountedApart, a.Counted != "" && !t.has(a.Counted) || b.Counted != "" && !s.has(b.Counted))
	x.set(featLabel, math.Min(labelShare(s, t), labelShare(t, s)))
	x.flag(featLabelsApart, bothWays(s, t, func(w *toldWord) bool { return w.Label && w.weight > 0.2 }) > 0)
	va, vb := verbs(s), verbs(t)
	common := slices.ContainsFunc(va, t.has) || slices.ContainsFunc(vb, s.has)
	x.flag(featVerb, common)
	x.flag(featVerbApart, len(va) > 0 && len(vb) > 0 && !common)
}

// subjects measures whether both are about one thing.
func (m *matcher) subjects(s, t *told, x *features) {
	same := sameEntity(s, t)
	topic := m.topic(s, t) || m.topic(t, s)
	x.flag(featSameEntity, same)
	x.flag(featTopic, topic)
	x.flag(featBothName, slices.ContainsFunc(s.named, func(e string) bool { return slices.Contains(t.named, e) }))
	x.set(featOtherEntity, float64(strangers(s, t)+strangers(t, s)))
	if !same && !topic {
		own := s.own != "" && t.own != ""
		x.flag(featOtherOwn, own && s.own != t.own)
		x.flag(featSiblings, own && twins(s, t))
		n := 0
		for i := range s.words {
			if w := &s.words[i]; t.has(w.Concept) && m.tells(w) {
				n++
			}
		}
		x.set(featSharedApart, math.Log2(1+float64(n)))
		names := sharedNames(s, t)
		x.set(featSharedNames, math.Log2(1+float64(names)))
		x.flag(featNothingNamed, names == 0 && own && s.own != t.own)
	}
	x.flag(featSameFolder, folder(s.Path) == folder(t.Path))
	x.flag(featLinked, m.linksTo(s.page, t.page) || m.linksTo(t.page, s.page))
	x.set(featSubject, math.Min(subjectShare(s, t), subjectShare(t, s)))
	x.flag(featTables, s.From == schema.OriginTable && t.From == schema.OriginTable)
}

// circumstances measures what may tell two values apart.
func (m *matcher) circumstances(a, b *mention, x *features) {
	s, t := a.said, b.said
	x.flag(featRoleOneSided, (len(m.roles(a)) == 0) != (len(m.roles(b)) == 0))
	x.flag(featExact, (a.Value.Quantity.Bound == schema.Exactly) != (b.Value.Quantity.Bound == schema.Exactly))
	x.flag(featDenied, a.Value.Kind != schema.ValueBool && s.Denied != t.Denied)
	x.set(featDistinct, float64(bothWays(s, t, func(w *toldWord) bool { return m.lexicon.Distinct(w.Concept) })))
	x.set(featNames, float64(bothWays(s, t, func(w *toldWord) bool { return w.Name })))
	x.set(featNamesBoth, float64(min(strangeNames(s, t), strangeNames(t, s))))
	x.flag(featCaseValue, caseValue(a, b) || caseValue(b, a))
	x.set(featModifiers, float64(m.modifiers(s, t)+m.modifiers(t, s))/2)
	x.set(featWhen, float64(bothWays(s, t, func(w *toldWord) bool { return w.When && !w.Verb && w.weight > 0.25 })))
	x.set(featMany, math.Log2(float64(max(1, s.values[comparedIn(a.SaidValue)])*max(1, t.values[comparedIn(b.SaidValue)]))))
	x.set(featOtherValues, float64(otherValues(a, b)+otherValues(b, a)))
	x.set(featBothClash, float64(bothClash(a, b)))
	x.flag(featBeforeVerb, beforeVerb(a) || beforeVerb(b))
	x.set(featRatio, distance(a.SaidValue, b.SaidValue))
}

// covered returns which part of what s says is said or taken for granted by t, and how much is
// left.
func covered(s, t *told) (part, left float64) {
	total := 0.0
	for i := range s.words {
		w := &s.words[i]
		total += w.weight
		switch {
		case t.has(w.Concept):
			part += w.weight
		case t.soft[w.Concept]:
			part += 0.9 * w.weight
		case resembles(w.Concept, t):
			part += 0.7 * w.weight
		default:
			left += w.weight
		}
	}
	if total == 0 {
		return 0, 0
	}
	return part / total, left
}

// nearby measures what stands near the values: what is further away is weighed less.
func nearby(a, b *mention, x *features) {
	part, left := math.Inf(1), 0.0
	var words [2]int
	for side, pair := range [][2]*mention{{a, b}, {b, a}} {
		total, said := 0.0, 0.0
		for i := range pair[0].said.words {
			w := &pair[0].said.words[i]
			share := w.weight * nearness(pair[0], w)
			total += share
			switch {
			case pair[1].said.knows(w.Concept):
				said += share
			case resembles(w.Concept, pair[1].said):
				said += 0.7 * share
			case w.weight > 0.15:
				words[side]++
			}
		}
		if total > 0 {
			part = math.Min(part, said/total)
			left = math.Max(left, total-said)
		}
	}
	x.set(featNear, math.Min(part, 1))
	x.set(featNearLeft, left)
	x.set(featLeftWords, math.Log2(1+float64(max(words[0], words[1]))))
	x.set(featLeftFewest, math.Log2(1+float64(min(words[0], words[1]))))
	x.set(featPhrase, math.Log2(1+float64(longestRun(a.said, b.said))))
}

// leads are the words that say what a value is of what: an interval, a duration, a delay.
var leads = map[string]string{"every": "every", "each": "every", "per": "every", "for": "for", "lasts": "for", "last": "for", "after": "after", "within": "within", "in": "within",
	"before": "before", "until": "until", "from": "from", "since": "from", "at": "at", "on": "at"}

// leadOf returns which words lead to a value.
func leadOf(a *mention) string {
	src := a.said.page.Source
	text := strings.ToLower(string(src[min(a.said.Span.Start, a.Span.Start):a.Span.Start]))
	words := strings.Fields(text)
	if f := strings.Fields(strings.ToLower(a.Text)); len(f) > 0 && leads[f[0]] != "" {
		return leads[f[0]]
	}
	for i := len(words) - 1; i >= max(0, len(words)-2); i-- {
		if l := leads[words[i]]; l != "" {
			return l
		}
	}
	return ""
}

// rarest returns on how many pages the rarest word is that both say and that may name a thing.
func (m *matcher) rarest(s, t *told) (pages int) {
	for i := range s.words {
		w := &s.words[i]
		if !m.tells(w) || !t.knows(w.Concept) {
			continue
		}
		if n := m.pages[w.Concept]; n > 0 && (pages == 0 || n < pages) {
			pages = n
		}
	}
	return pages
}

// parallels counts the words of s that stand beside a word that both say where other words stand
// in t: the nightly snapshot starts, the nightly benchmark starts.
func (m *matcher) parallels(s, t *told) int {
	u, v := s.Saying.Words, t.Saying.Words
	found := map[string]bool{}
	other := func(x, y *claim.SaidWord) bool {
		return !x.Verb && !y.Verb && x.At >= 0 && y.At >= 0 && x.Concept != y.Concept && !t.knows(x.Concept) && !s.knows(y.Concept) && !m.lexicon.Light(x.Concept) && !m.lexicon.Light(y.Concept)
	}
	for i := range u {
		for j := range v {
			if u[i].Concept != v[j].Concept {
				continue
			}
			if i > 0 && j > 0 && other(&u[i-1], &v[j-1]) {
				found[u[i-1].Concept] = true
			}
			if i+1 < len(u) && j+1 < len(v) && other(&u[i+1], &v[j+1]) {
				found[u[i+1].Concept] = true
			}
		}
	}
	return len(found)
}

// bothClash counts the kinds of further values of which both sayings have some and none in common.
func bothClash(a, b *mention) (n int) {
	seen := map[string]bool{}
	for i := range a.said.Values {
		v := &a.said.Values[i]
		if v.Span == a.Span || v.Class == a.Class || seen[v.Class] {
			continue
		}
		seen[v.Class] = true
		some, same := false, false
		for k := range b.said.Values {
			if o := &b.said.Values[k]; o.Class == v.Class && o.Span != b.Span {
				some = true
				same = same || !clash(v, o)
			}
		}
		if some && !same {
			n++
		}
	}
	return n
}

// beforeVerb reports whether a value stands before the verb of its saying.
func beforeVerb(a *mention) bool {
	after := false
	for i := range a.said.Saying.Words {
		if w := &a.said.Saying.Words[i]; w.Verb && w.At >= 0 {
			if w.At < a.From {
				return false
			}
			after = true
		}
	}
	return after
}

// twins reports whether the pages of two sayings are of one kind.
func twins(s, t *told) bool {
	return folder(s.Path) == folder(t.Path) || s.page.Meta.Type == t.page.Meta.Type && s.page.Meta.Type != ""
}

// sharedNames counts the names that both say.
func sharedNames(s, t *told) (n int) {
	for i := range s.words {
		if w := &s.words[i]; w.Name {
			if k, ok := t.at[w.Concept]; ok && t.words[k].Name {
				n++
			}
		}
	}
	return n
}

// strangeNames counts the names of s that t does not know.
func strangeNames(s, t *told) (n int) {
	for i := range s.words {
		if w := &s.words[i]; w.Name && !t.knows(w.Concept) {
			n++
		}
	}
	return n
}

// caseValue reports whether a stands behind the verb and another value before it that b does not
// stand beside: that one says in which case a holds.
func caseValue(a, b *mention) bool {
	verb := -1
	for i := range a.said.Saying.Words {
		if w := &a.said.Saying.Words[i]; w.Verb && w.At >= 0 && w.At < a.From {
			verb = w.At
			break
		}
	}
	return verb > 0 && slices.ContainsFunc(a.said.Values, func(v claim.SaidValue) bool {
		return v.To <= verb && v.To > v.From && !slices.ContainsFunc(b.said.Values, func(o claim.SaidValue) bool {
			return comparedIn(&o) == comparedIn(&v) && !clash(&v, &o)
		})
	})
}

// nearness is how near a word is to a value, from 0.15 to 1.
func nearness(a *mention, w *toldWord) float64 {
	best := math.MaxInt
	for _, p := range w.places {
		switch {
		case w.Label:
			best = 0
		case p < a.From:
			best = min(best, a.From-p)
		default:
			best = min(best, p-a.To+1)
		}
	}
	return math.Max(0.15, math.Min(1, 1-float64(best-3)/10))
}

// longestRun returns how many words in a row both say, whatever small words stand among them.
func longestRun(s, t *told) (longest int) {
	u, v := s.Saying.Words, t.Saying.Words
	for i := range u {
		for j := range v {
			n := 0
			for i+n < len(u) && j+n < len(v) && u[i+n].Concept == v[j+n].Concept {
				n++
			}
			longest = max(longest, n)
		}
	}
	return longest
}

// doers measures whether what stands before the verb of one does so in the other.
func (m *matcher) doers(s, t *told, x *features) {
	swapped, apart := 0.0, 0.0
	for _, pair := range [][2]*told{{s, t}, {t, s}} {
		if !slices.ContainsFunc(pair[1].words, func(w toldWord) bool { return w.Subject && m.tells(&w) }) {
			continue
		}
		for i := range pair[0].words {
			w := &pair[0].words[i]
			if !w.Subject || !m.tells(w) {
				continue
			}
			if k, ok := pair[1].at[w.Concept]; !ok {
				apart += w.weight
			} else if o := &pair[1].words[k]; !o.Subject && !o.Label {
				swapped += w.weight
			}
		}
	}
	x.set(featSwapped, swapped)
	x.set(featParallel, math.Log2(1+float64(m.parallels(s, t))))
	rarest := m.rarest(s, t)
	x.set(featMass, m.tellingMass(s, t))
	x.flag(featNoneRare, rarest == 0)
	x.set(featRarest, math.Log2(float64(max(1, rarest)))/2)
	x.set(featDoer, apart)
}

// resembles reports whether a saying has a word of the same root: compress, compression.
func resembles(concept string, t *told) bool {
	const root = 5
	return len(concept) >= root && slices.ContainsFunc(t.words, func(w toldWord) bool {
		return len(w.Concept) >= root && (strings.HasPrefix(w.Concept, concept) || strings.HasPrefix(concept, w.Concept))
	})
}

// tells reports whether a word may name what a saying is about.
func (m *matcher) tells(w *toldWord) bool {
	return !w.Verb && !m.lexicon.Light(w.Concept) && !m.lexicon.Generic(w.Concept) && !m.lexicon.Empty(w.Concept)
}

// sameEntity reports whether both are about one entity, named or not.
func sameEntity(s, t *told) bool {
	for _, e := range s.named {
		if slices.Contains(t.named, e) || t.own == e {
			return true
		}
	}
	return s.own != "" && (s.own == t.own || slices.Contains(t.named, s.own))
}

// topic reports whether t says all words of the title of the page of s that tell which page it is.
func (m *matcher) topic(s, t *told) bool {
	if s.own == "" {
		return false
	}
	n := 0
	for _, w := range m.titleWords(s.page.Title) {
		switch {
		case m.lexicon.Generic(w) || m.lexicon.Light(w):
		case !t.has(w):
			return false
		default:
			n++
		}
	}
	return n > 0
}

// strangers counts the entities that s names and t does not know of.
func strangers(s, t *told) (n int) {
	for _, e := range s.named {
		if e != s.own && e != t.own && !slices.Contains(t.named, e) {
			n++
		}
	}
	if s.OfPage && s.own != "" && s.own != t.own && !slices.Contains(t.named, s.own) {
		n++
	}
	return n
}

// linksTo reports whether a page links to another.
func (m *matcher) linksTo(p, other *schema.Page) bool {
	for i := range p.Links {
		if res := m.wiki.Resolution(p, i); res.Kind == schema.TargetPage && res.Page == other.ID {
			return true
		}
	}
	return false
}

// beside returns the word that stands nearest to the value and tells something.
func (m *matcher) beside(a *mention) string {
	if a.Counted != "" {
		return a.Counted
	}
	const ofLabel = 2 // as far as a label is from what it labels
	best, at := "", math.MaxInt
	for i := range a.said.words {
		w := &a.said.words[i]
		if m.lexicon.Light(w.Concept) || m.lexicon.Empty(w.Concept) {
			continue
		}
		for _, p := range w.places {
			d := p - a.To + 1
			if p < a.From {
				d = a.From - p
			}
			if w.Label {
				d = ofLabel
			}
			if d < at {
				best, at = w.Concept, d
			}
		}
	}
	return best
}

// labelShare returns which part of the labels of s is said by t.
func labelShare(s, t *told) float64 {
	n, of := 0, 0
	for i := range s.words {
		if w := &s.words[i]; w.Label {
			of++
			if t.knows(w.Concept) {
				n++
			}
		}
	}
	if of == 0 {
		return 1
	}
	return float64(n) / float64(of)
}

// bothWays counts the words of a kind that one says and the other neither says nor takes for
// granted.
func bothWays(s, t *told, of func(*toldWord) bool) (n int) {
	for _, pair := range [][2]*told{{s, t}, {t, s}} {
		for i := range pair[0].words {
			if w := &pair[0].words[i]; of(w) && !pair[1].knows(w.Concept) {
				n++
			}
		}
	}
	return n
}

// verbs returns those that tell something.
func verbs(s *told) (out []string) {
	for i := range s.words {
		if w := &s.words[i]; w.Verb && w.weight > 0.25 {
			out = append(out, w.Concept)
		}
	}
	return out
}

// modifiers counts the words of s that t does not know and that stand beside one that both say:
// the roof area, the area.
func (m *matcher) modifiers(s, t *told) (n int) {
	common := map[int]bool{}
	for i := range s.words {
		if w := &s.words[i]; t.has(w.Concept) && !w.Verb {
			for _, p := range w.places {
				common[p] = p >= 0
			}
		}
	}
	for i := range s.words {
		w := &s.words[i]
		if t.knows(w.Concept) || w.Verb || m.lexicon.Light(w.Concept) || m.lexicon.Empty(w.Concept) {
			continue
		}
		if slices.ContainsFunc(w.places, func(p int) bool { return common[p+1] || common[p-1] }) {
			n++
		}
	}
	return n
}

// subjectShare returns which part of what stands before the verb of s, or labels it, t says or
// takes for granted.
func subjectShare(s, t *told) float64 {
	total, said := 0.0, 0.0
	for i := range s.words {
		if w := &s.words[i]; w.Subject || w.Label {
			total += w.weight
			if t.knows(w.Concept) {
				said += w.weight
			}
		}
	}
	if total == 0 {
		return 1
	}
	return said / total
}

// otherValues counts the further measures that a stands beside and b does not.
func otherValues(a, b *mention) (n int) {
	for i := range a.said.Values {
		v := &a.said.Values[i]
		if v.Span == a.Span || v.Value.Kind == schema.ValueBool || v.Value.Kind == schema.ValueName {
			continue
		}
		if !slices.ContainsFunc(b.said.Values, func(o claim.SaidValue) bool { return comparedIn(&o) == comparedIn(v) && !clash(v, &o) }) {
			n++
		}
	}
	return n
}

// distance says how far two values are from each other: in powers of ten, in years.
func distance(a, b *claim.SaidValue) float64 {
	qa, qb := &a.Value.Quantity, &b.Value.Quantity
	switch {
	case a.Value.Kind == schema.ValueDate && qa.Dimension == schema.Day:
		return math.Abs(qa.Lo-qb.Lo) / 365
	case a.Value.Kind != schema.ValueQuantity || moment(qa.Dimension) || qa.Lo <= 0 || qb.Lo <= 0:
		return 0
	}
	return math.Abs(math.Log10(qa.Hi / qb.Hi))
}
