package conflict

import (
	"cmp"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
)

const (
	// mostDoubts is how many doubts one statement is part of at most.
	mostDoubts = 3
	// mostMentions is how many statements of other pages may name a thing; what more
	// of them name is a hub, of which they say no one thing.
	mostMentions = 64
	// mostSharing is how many statements may have a word that makes two of them be about
	// one thing.
	mostSharing = 12
	// mostOwn bounds the statements of a page about itself that are looked at.
	mostOwn = 128
	// leastDoubt is the score below which two statements are about one thing and
	// say nothing of each other.
	leastDoubt = 0.30
)

// Queue returns what [All] could not decide and a judge may: pairs of statements
// of different pages about one thing, the likeliest to contradict each other
// first. claims and passages return those of one page; see claim.Passages. known is
// what [All] finds: what it doubts comes before all else.
//
// What is known to agree or is reported is left out, and so are things that very
// many pages name. A statement is part of few pairs, so that their number
// grows with that of the statements.
func Queue(w *compiler.Wiki, claims, passages func(*schema.Page) []schema.Claim, known []schema.Conflict) []schema.Doubt {
	f := newFinder(w)
	q := &queue{finder: f, at: map[string][]*statement{}, entities: map[string]*topic{}, best: map[pair]schema.Doubt{}}
	f.search(claims)
	for _, p := range w.Pages() {
		q.read(p, passages(p))
	}
	q.decided(known)
	for _, entity := range q.order {
		q.compare(entity, q.entities[entity])
	}
	for i := range known {
		q.doubted(&known[i])
	}
	return q.ranked()
}

// doubted notes the statements of a contradiction that is found and not reported.
func (q *queue) doubted(c *schema.Conflict) {
	if c.Score >= Warns {
		return
	}
	for _, a := range q.around(&c.Sides[0]) {
		for _, b := range q.around(&c.Sides[1]) {
			x, y := a, b
			if x.n > y.n {
				x, y = y, x
			}
			if p := pairOf(x, y); !q.done[p] {
				q.best[p] = schema.Doubt{About: c.Entity, A: *x.origin, B: *y.origin, Score: mostLikely + c.Score}
			}
		}
	}
}

// mostLikely is the most that [queue.likely] gives.
const mostLikely = 1.35

// statement is a passage, and the claims that stand in it.
type statement struct {
	*said
	n      int // index among all
	weight map[string]float64
	claims []*schema.Claim
}

// topic are the statements about one thing: those of its own page, and others'.
type topic struct {
	name       string
	own, other []*statement
}

type pair struct{ a, b int }

type queue struct {
	*finder
	all      []*statement
	at       map[string][]*statement // by path, in order of place
	entities map[string]*topic
	order    []string // of the entities, as they were first met
	done     map[pair]bool
	best     map[pair]schema.Doubt
}

// How sure it is that a statement is about a thing: it is its subject, it is
// named, or the page is about it.
const (
	asSubject = 1.0
	asNamed   = 0.8
	asPage    = 0.6

	asSubjectWord = 0.8
	asWord        = 0.6
)

// read takes in the passages of a page.
func (q *queue) read(page *schema.Page, passages []schema.Claim) {
	home := "page:" + string(page.ID) // what a section is about may have a page of its own
	for i := range passages {
		d := q.describe(&passages[i])
		if d == nil {
			continue
		}
		s := &statement{said: d, n: len(q.all), weight: map[string]float64{}}
		q.all = append(q.all, s)
		q.at[d.Path] = append(q.at[d.Path], s)
		q.weights.total++
		for _, word := range d.words {
			q.weights.seen[word]++
		}
		if d.own != "" {
			s.weight[d.own] = asPage
		}
		for i, e := range d.explicit {
			s.weight[e] = asNamed
			if i == 0 && !d.implicit {
				s.weight[e] = asSubject
			}
		}
		if d.implicit {
			s.weight[d.own] = asSubject
		}
		q.words(s)
		for _, e := range q.sorted(s) {
			t := q.entities[e]
			if t == nil {
				t = &topic{}
				q.entities[e] = t
				q.order = append(q.order, e)
			}
			t.name = cmp.Or(t.name, d.nameOf(e))
			if e == home {
				t.own = append(t.own, s)
			} else {
				t.other = append(t.other, s)
			}
		}
	}
}

// words adds the words of a statement to what it may be about: pages speak of
// things that have no page.
func (q *queue) words(s *statement) {
	for _, t := range s.Terms {
		weight := asWord
		if t.Part == schema.PartSubject {
			weight = asSubjectWord
		}
		for _, word := range q.lexicon.Words(t.Word) {
			if !q.lexicon.Light(word) && !q.lexicon.Generic(word) {
				s.weight["word:"+word] = max(s.weight["word:"+word], weight)
			}
		}
	}
}

// sorted returns the things that a statement is about, in order.
func (q *queue) sorted(s *statement) []string {
	out := make([]string, 0, len(s.weight))
	for e := range s.weight {
		out = append(out, e)
	}
	slices.Sort(out)
	return out
}

// decided notes which claims stand in which statement, and what is known of
// pairs of statements: that is reported, and that they say the same.
func (q *queue) decided(found []schema.Conflict) {
	q.done = map[pair]bool{}
	for _, c := range found {
		if c.Score < Warns {
			continue
		}
		for i := range c.Sides {
			for j := range c.Sides[:i] {
				q.settle(&c.Sides[i], &c.Sides[j])
			}
		}
	}
	for _, c := range q.claims {
		for _, s := range q.around(c) {
			s.claims = append(s.claims, c)
		}
	}
}

func (q *queue) settle(a, b *schema.Claim) {
	for _, s := range q.around(a) {
		for _, t := range q.around(b) {
			q.done[pairOf(s, t)] = true
		}
	}
}

func pairOf(a, b *statement) pair { return pair{min(a.n, b.n), max(a.n, b.n)} }

// around returns the statements that a claim stands in.
func (q *queue) around(c *schema.Claim) []*statement {
	list := q.at[c.Path]
	i, _ := slices.BinarySearchFunc(list, c.Span.End, func(s *statement, at int) int { return cmp.Compare(s.Span.Start, at) })
	var out []*statement
	for i--; i >= 0 && len(out) < 4; i-- {
		if list[i].Span.End > c.Span.Start {
			out = append(out, list[i])
		} else if list[i].Span.End+longestGap < c.Span.Start {
			break
		}
	}
	return out
}

// longestGap is how far apart statements that overlap with a place may begin.
const longestGap = 1000

// compare pairs what the page of a thing says with what others say of it, and
// these with each other.
func (q *queue) compare(entity string, t *topic) {
	most := mostMentions
	if strings.HasPrefix(entity, "word:") {
		most = mostSharing
	}
	if len(t.other) == 0 || len(t.other) > most {
		return
	}
	own := t.own[:min(len(t.own), mostOwn)]
	for i, b := range t.other {
		for _, a := range own {
			q.doubt(entity, t.name, a, b)
		}
		for _, a := range t.other[:i] {
			q.doubt(entity, t.name, a, b)
		}
	}
}

// doubt notes two statements, unless it is known that they agree.
func (q *queue) doubt(entity, name string, a, b *statement) {
	if a.n > b.n {
		a, b = b, a
	}
	p := pairOf(a, b)
	if a.Path == b.Path || q.done[p] || strings.EqualFold(a.Text, b.Text) {
		return
	}
	if strings.HasPrefix(entity, "word:") && (elsewhere(a, b) || elsewhere(b, a)) {
		return
	}
	score := q.likely(entity, a, b)
	if score < leastDoubt || score <= q.best[p].Score {
		return
	}
	if name == "" {
		name = q.wiki.Page(a.Page).Title
	}
	q.best[p] = schema.Doubt{About: name, A: *a.origin, B: *b.origin, Score: score}
}

// elsewhere reports whether a statement is surely about a thing that another
// does not know of: they only share words.
func elsewhere(a, b *statement) bool {
	subject := ""
	switch {
	case !a.implicit && len(a.explicit) > 0 && !strings.HasPrefix(a.explicit[0], "key:") && a.weight[a.explicit[0]] == asSubject:
		subject = a.explicit[0]
	case a.From == schema.OriginFrontmatter || a.From == schema.OriginField:
		subject = a.own
	}
	return subject != "" && b.weight[subject] == 0
}

// likely returns how likely it is that two statements about a thing contradict
// each other: by the rarer words that they share beside its name, by how sure it is that
// both are about it, and by signs that they differ. It only ranks.
func (q *queue) likely(entity string, a, b *statement) float64 {
	if len(a.Scope) > 0 && len(b.Scope) > 0 && !slices.Equal(a.Scope, b.Scope) {
		return 0
	}
	aw, bw := slices.Concat(a.words, a.cond), slices.Concat(b.words, b.cond)
	_, shared := q.weights.common(aw, bw)
	least := min(q.weights.sum(aw), q.weights.sum(bw))
	overlap := 0.0
	if least > 0 {
		overlap = shared / max(least, fewBits)
	}
	apart, same := q.values(a, b)
	if overlap == 0 && !apart && (listed(a) || listed(b)) {
		return 0 // a row or a field says one thing, in few words
	}
	score := a.weight[entity] * b.weight[entity] * (0.35 + 0.65*overlap)
	switch {
	case apart:
		score += 0.2
	case same:
		return 0
	}
	if a.Value.Bool != b.Value.Bool {
		score += 0.15
	}
	if !slices.Equal(a.Scope, b.Scope) {
		score -= 0.1
	}
	return score
}

// listed reports whether a statement is no sentence.
func listed(s *statement) bool { return s.From != schema.OriginSentence && s.From != schema.OriginList }

// fewBits is how much a statement of a few words tells: shorter ones do not agree
// with all that holds these.
const fewBits = 12

// values compares the claims that stand in two statements: whether one is apart
// from what the other gives, or all of the fewer are the same as one of the others.
func (q *queue) values(a, b *statement) (apart, same bool) {
	few, many := a.claims, b.claims
	if len(few) > len(many) {
		few, many = many, few
	}
	agree := 0
	for _, m := range few {
		worst := Incomparable
		for _, n := range many {
			if !akin(m, n) {
				continue
			}
			if r := Compare(m.Value, n.Value); r == Same || worst != Same && r == Apart {
				worst = r
			}
		}
		switch worst {
		case Same:
			agree++
		case Apart:
			apart = true
		}
	}
	return apart, len(few) > 0 && agree == len(few)
}

// akin reports whether two values say something of each other although nothing
// else is known of their claims.
func akin(a, b *schema.Claim) bool {
	switch a.Value.Kind {
	case schema.ValueQuantity, schema.ValueVersion, schema.ValueDate, schema.ValueSet:
		return true
	case schema.ValueBool:
		return b.Value.Kind == a.Value.Kind && b.Value.Bool != a.Value.Bool // that two things are on says nothing
	case schema.ValueName:
		return a.Slot != "" && a.Slot == b.Slot || len(a.Attr.Words) > 0 && (subset(a.Attr.Words, b.Attr.Words) || subset(b.Attr.Words, a.Attr.Words) && len(b.Attr.Words) > 0)
	}
	return false
}

// ranked returns the likeliest doubts, few of each statement.
func (q *queue) ranked() []schema.Doubt {
	pairs := make([]pair, 0, len(q.best))
	for p := range q.best {
		pairs = append(pairs, p)
	}
	slices.SortFunc(pairs, func(a, b pair) int {
		return cmp.Or(cmp.Compare(q.best[b].Score, q.best[a].Score), a.a-b.a, a.b-b.b)
	})
	times := make([]int, len(q.all))
	out := []schema.Doubt{}
	for _, p := range pairs {
		if times[p.a] < mostDoubts && times[p.b] < mostDoubts {
			times[p.a]++
			times[p.b]++
			out = append(out, q.best[p])
		}
	}
	return out
}
