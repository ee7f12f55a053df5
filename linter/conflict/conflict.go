// Package conflict finds what pages state that can not all be true: the
// algebra of values, who the subjects of claims are, and the clusters of claims about one
// attribute of one thing. It compares only what shares entity, attribute,
// dimension and conditions, in buckets of bounded size, and abstains where any
// of them is in doubt.
package conflict

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

const (
	// largestBucket bounds how many claims are compared with each other; an
	// attribute that so many pages state is a column of many tables, not a fact.
	largestBucket = 64
	// mostValues is how many values an attribute may have for a contradiction;
	// with more of them the pages do not speak of one thing.
	mostValues = 3
)

// Search returns the contradictions among the claims of a wiki, in order of their first side:
// those that are sure enough to be reported, and those that are for a judge, which score less
// than [Warns]. claims returns those of one page.
func Search(w *compiler.Wiki, claims func(*schema.Page) []schema.Claim) []schema.Conflict {
	return newFinder(w).search(claims)
}

func (f *finder) search(claims func(*schema.Page) []schema.Claim) []schema.Conflict {
	f.locate(claims)
	f.buckets.each(largestBucket, func(_ bucketKey, bucket []*located) { f.conflict(bucket) })
	f.statements()
	out := f.clusters()
	slices.SortStableFunc(out, func(a, b schema.Conflict) int {
		return cmp.Or(strings.Compare(a.Sides[0].Path, b.Sides[0].Path), a.Sides[0].Span.Start-b.Sides[0].Span.Start)
	})
	return out
}

func newFinder(w *compiler.Wiki) *finder {
	lexicon := claim.English().Extended(&w.Config().Claims)
	return &finder{wiki: w, lexicon: lexicon, entities: newEntities(w, lexicon), at: map[*schema.Claim]int{}, ofOne: map[schema.PageID]bool{}, teams: map[string]bool{}, weights: weights{lexicon: lexicon, seen: map[string]int{}}}
}

// What scores mean: from Errs on a conflict is an error, from Warns on a
// warning; what scores less is for a judge.
const (
	Errs       = 0.90
	Warns      = 0.75
	leastScore = 0.60
)

type finder struct {
	wiki     *compiler.Wiki
	lexicon  *claim.Lexicon
	entities *entities
	claims   []*schema.Claim
	paths    []int32 // numbers of the paths of their pages
	buckets  *buckets[*located]
	weights  weights
	compared int // how many pairs of claims were compared
	nodes    []*node
	at       map[*schema.Claim]int  // of a claim among the nodes
	inTitles map[string]int         // how many titles have a word
	ofOne    map[schema.PageID]bool // pages that speak of one thing as their own
	teams    map[string]bool        // names of teams, in lower case

	said    slab[said]
	strings slab[string]
	names   slab[entityName]

	restatements   slab[schema.Claim]
	attributeKinds numbers[attributeKind]

	scratch   said          // whose lists serve one claim after another
	naming    said          // what spell looks for names in, one claim after another
	described schema.Claim  // of it
	field     []schema.Term // the words of one; see fieldTerms
}

// located is a claim whose subject is known.
type located struct {
	*schema.Claim
	entity, name string
}

// attributeKind is an attribute under some conditions, whatever it is of.
type attributeKind struct {
	attr      string
	kind      schema.ValueKind
	dimension schema.Dimension
	scope     string
}

// locate sorts the claims into buckets of one entity, attribute and scope.
func (f *finder) locate(claims func(*schema.Page) []schema.Claim) {
	pages, n := make([][]schema.Claim, 0, len(f.wiki.Pages())), 0
	for _, p := range f.wiki.Pages() {
		all := claims(p)
		pages, n = append(pages, all), n+len(all)
	}
	f.claims = make([]*schema.Claim, 0, n)
	f.paths = make([]int32, 0, n)
	var paths numbers[string]
	for _, all := range pages {
		for i := range all {
			f.claims, f.paths = append(f.claims, &all[i]), append(f.paths, paths.number(all[i].Path))
		}
	}
	for _, c := range f.claims {
		f.entities.describe(c)
		f.noteTeam(c)
	}
	byEntity := newBuckets[*located](n)
	var places slab[located]
	var entities numbers[string]
	for _, c := range f.claims {
		if len(c.Attr.Words) == 0 {
			continue
		}
		entity, name := f.entities.of(c)
		if entity == "" {
			continue
		}
		l := places.next()
		*l = located{c, entity, name}
		byEntity.add(bucketKey{of: entities.number(entity)}, l)
	}
	f.buckets = newBuckets[*located](len(byEntity.items))
	entity := int32(0) // by its number
	byEntity.each(len(byEntity.items), func(_ bucketKey, all []*located) {
		f.attributes(entity, all)
		entity++
	})
}

// attributes sorts the claims about one entity by attribute and scope. A claim
// that its page qualifies by its topic counts as the attribute that the topic's
// words complete, when there is only one.
func (f *finder) attributes(entity int32, claims []*located) {
	var named map[string][]string // of which there is a need where a topic qualifies one
	if slices.ContainsFunc(claims, func(c *located) bool { return len(c.Attr.Context) > 0 }) {
		named = map[string][]string{}
		for _, c := range claims {
			if len(c.Attr.Context) == 0 && len(named) < largestBucket {
				named[strings.Join(c.Attr.Words, " ")] = c.Attr.Words
			}
		}
	}
	for _, c := range claims {
		attr := strings.Join(c.Attr.Words, " ")
		if attr == "default" && strings.HasPrefix(c.entity, "key:") {
			attr = valueOfKey()
		}
		if _, known := named[attr]; len(c.Attr.Context) > 0 && !known {
			completed := ""
			for name, words := range named {
				if subset(c.Attr.Words, words) && subset(words, slices.Concat(c.Attr.Words, c.Attr.Context)) {
					if completed != "" {
						completed = ""
						break
					}
					completed = name
				}
			}
			attr = completed
		}
		if attr == "" {
			continue
		}
		if f.besideTeams(&c.Value) {
			attr += " of a person"
		}
		kind := f.attributeKinds.number(attributeKind{attr, c.Value.Kind, c.Value.Quantity.Dimension, strings.Join(c.Scope, "\x00")})
		f.buckets.add(bucketKey{entity, kind}, c)
	}
}

// valueOfKey is the attribute of what a key of a table of settings is set to, which is
// its default.
var (
	valueOfKey = sync.OnceValue(func() string { return strings.Join(claim.Words("value"), " ") })
	typeOfKey  = sync.OnceValue(func() []string { return claim.Words("type") })
)

func subset(words, of []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(of, w) })
}

// group are claims of one value.
type group struct {
	claims []*located
	pages  map[string]bool
}

// conflict compares the claims of a bucket.
func (f *finder) conflict(bucket []*located) {
	if onOnePage(bucket) {
		return
	}
	status := bucket[0].Attr.Words[0] == "status" && len(bucket[0].Attr.Words) == 1
	var groups []group
	for _, l := range bucket {
		if !f.admissible(l, bucket, status) {
			return
		}
		f.compared += len(groups)
		i := slices.IndexFunc(groups, func(g group) bool { return compare(g.claims[0].Claim, l.Claim, status) != Apart })
		if i < 0 {
			i = len(groups)
			groups = append(groups, group{pages: map[string]bool{}})
		} else if compare(groups[i].claims[0].Claim, l.Claim, status) == Incomparable {
			return
		}
		groups[i].claims = append(groups[i].claims, l)
		groups[i].pages[l.Path] = true
	}
	if len(groups) < 2 || len(groups) > mostValues || !acrossPages(groups) || guests(groups) > 1 {
		return
	}
	for i, g := range groups {
		for _, l := range g.claims {
			f.node(l.Claim, l.name)
			f.join(g.claims[0].Claim, l.Claim, l.name, Same, 1)
			if i > 0 {
				f.join(groups[0].claims[0].Claim, l.Claim, l.name, Apart, certain)
			}
		}
	}
}

// onOnePage reports whether all claims stand on one page, which contradicts no other.
func onOnePage(bucket []*located) bool {
	return !slices.ContainsFunc(bucket, func(l *located) bool { return l.Path != bucket[0].Path })
}

// certain is how sure it is that two fields or cells of one name speak of one thing.
const certain = 0.95

// crossing reports whether two ranges that are given for one attribute overlap and none holds
// the other.
func crossing(a, b *schema.Quantity) bool {
	given := func(q *schema.Quantity) bool {
		return q.Step == 0 && q.Lo < q.Hi && q.Bound == schema.Exactly && !q.Approx && q.Dimension != schema.Duration
	}
	return given(a) && given(b) && (a.Lo < b.Lo && a.Hi < b.Hi || b.Lo < a.Lo && b.Hi < a.Hi) && !near(a.Lo, b.Lo) && !near(a.Hi, b.Hi)
}

func compare(a, b *schema.Claim, status bool) Relation {
	if status {
		return CompareStatus(a.Value, b.Value)
	}
	if qa, qb := &a.Value.Quantity, &b.Value.Quantity; a.Value.Kind == schema.ValueQuantity && b.Value.Kind == schema.ValueQuantity && qa.Dimension == qb.Dimension && crossing(qa, qb) {
		return Apart
	}
	return Compare(a.Value, b.Value)
}

// admissible reports whether words, as opposed to numbers, may contradict each
// other: those of an attribute that has one value, or that no table gives.
func (f *finder) admissible(c *located, bucket []*located, status bool) bool {
	switch c.Value.Kind {
	case schema.ValueQuantity:
		return true
	case schema.ValueVersion, schema.ValueDate:
		return true
	case schema.ValueName, schema.ValueBool:
		return status || f.lexicon.Single(c.Attr.Words) || strings.HasPrefix(c.entity, "key:") && slices.Equal(c.Attr.Words, typeOfKey()) ||
			!slices.ContainsFunc(bucket, func(l *located) bool { return l.From == schema.OriginTable && remarks(bucket) })
	}
	return false
}

// remarks reports whether the words that a table gives may be a remark: no page says the
// same attribute of itself, or one says it at length.
func remarks(bucket []*located) bool {
	own := false
	for _, l := range bucket {
		own = own || l.From == schema.OriginFrontmatter && len(l.Attr.Words) > 0 && !remarkWords()[l.Attr.Words[0]]
		if len(l.Value.Words) > 2 {
			return true
		}
	}
	return !own
}

// remarkWords are attributes that say of a thing what comes to mind.
var remarkWords = sync.OnceValue(func() map[string]bool {
	m := map[string]bool{}
	for _, w := range claim.Words("note notes remark comment description purpose summary details meaning reason why what how effect example usage role scope type kind") {
		m[w] = true
	}
	return m
})

// acrossPages reports whether the values stand on different pages.
func acrossPages(groups []group) bool {
	for i := range groups {
		for page := range groups[i].pages {
			for j := range groups {
				if i != j && groups[j].pages[page] {
					return false // a page that says both knows something that was not understood
				}
			}
		}
	}
	return true
}

// guests returns how many values come from pages about something else that has
// a page of its own. Where these differ they are each page's own: the estimates of
// two tasks that belong to one component.
func guests(groups []group) int {
	n := 0
	for _, g := range groups {
		if slices.ContainsFunc(g.claims, func(l *located) bool {
			return l.From != schema.OriginTable && l.From != schema.OriginSentence && len(l.Subject.Names) > 0
		}) {
			n++
		}
	}
	return n
}
