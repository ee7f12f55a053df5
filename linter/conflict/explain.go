package conflict

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// Explanation is what became of the claims of a wiki: who each is about, and
// what it was compared with.
type Explanation struct {
	Claims   []Placed // in order of page and place
	Clusters []Cluster
}

// Placed is a claim and who it was taken to be about.
type Placed struct {
	schema.Claim
	Entity  string // what tells the entity from others; empty when it is not certain who is meant
	Name    string // of the entity, as people call it; of what a contradiction is about when it is not certain
	Cluster int    // index of the claims that it was compared with, -1 for none
	Why     string // why it was compared with none, else empty
}

// Cluster are claims about one attribute of one thing under the same
// conditions, and what came of comparing them.
type Cluster struct {
	Entity, Name string
	Attr         string
	Claims       []int // indexes of the claims, in order
	Conflict     bool
	Why          string // why they contradict each other, or do not
}

// Explain returns what became of the claims of a wiki: what of [All] is sure enough to be
// reported, and why the rest is not. claims and sayings return those of one page. A side of
// a match of which no claim was read is a statement among them.
func Explain(w *compiler.Wiki, claims func(*schema.Page) []schema.Claim, sayings func(*schema.Page) []claim.Saying) *Explanation {
	f := newFinder(w)
	f.locate(claims)
	x := &explainer{Explanation: &Explanation{}, at: map[claimPlace]int{}, of: map[schema.PageID][]int{}, page: map[schema.PageID]int{}}
	for i, p := range w.Pages() {
		x.page[p.ID] = i
		for _, c := range claims(p) {
			placed := Placed{Claim: c, Cluster: -1}
			if len(c.Attr.Words) > 0 {
				placed.Entity, placed.Name = f.entities.of(&c)
			}
			x.claim(placed)
		}
	}
	x.conflicts(w, claims, sayings)
	f.buckets.each(len(f.claims), func(_ bucketKey, bucket []*located) { x.bucket(f, bucket) })
	x.settle(f)
	x.sort()
	return x.Explanation
}

// claim adds a claim.
func (x *explainer) claim(c Placed) {
	n := len(x.Claims)
	x.at[placeOf(&c.Claim)] = n
	x.of[c.Page] = append(x.of[c.Page], n)
	x.Claims = append(x.Claims, c)
}

// conflicts makes clusters of what is reported. A claim is part of the surest.
func (x *explainer) conflicts(w *compiler.Wiki, claims func(*schema.Page) []schema.Claim, sayings func(*schema.Page) []claim.Saying) {
	found, matches := joined(w, claims, sayings)
	for i := range found {
		if c := &found[i]; c.Score >= Warns {
			x.conflict(c)
		}
	}
	for i := range matches {
		if c := &matches[i]; c.Score >= Warns {
			x.match(c)
		}
	}
}

// settle says of each claim that was compared with none why.
func (x *explainer) settle(f *finder) {
	for i := range x.Claims {
		c := &x.Claims[i]
		switch {
		case c.Cluster >= 0:
			if c.Entity == "" {
				c.Name = x.Clusters[c.Cluster].Name
			}
		case len(c.Attr.Words) == 0:
			c.Why = "nothing was found that it contradicts"
		case c.Entity == "":
			c.Why = f.entities.unknown(&c.Claim)
		default:
			c.Why = "nothing else is said of this attribute"
		}
	}
}

// sort puts the claims in order of page and place.
func (x *explainer) sort() {
	order := make([]int, len(x.Claims))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		p, q := &x.Claims[a], &x.Claims[b]
		return cmp.Or(x.page[p.Page]-x.page[q.Page], p.Span.Start-q.Span.Start)
	})
	sorted, now := make([]Placed, len(order)), make([]int, len(order))
	for i, was := range order {
		sorted[i], now[was] = x.Claims[was], i
	}
	x.Claims = sorted
	for i := range x.Clusters {
		of := x.Clusters[i].Claims
		for k := range of {
			of[k] = now[of[k]]
		}
		slices.Sort(of)
	}
}

// claimPlace tells the claims of a wiki from each other.
type claimPlace struct {
	page schema.PageID
	span schema.Span
	attr string
	id   uint64
}

func placeOf(c *schema.Claim) claimPlace { return claimPlace{c.Page, c.Span, c.Attr.Name, c.ID} }

type explainer struct {
	*Explanation
	at   map[claimPlace]int      // index of a claim
	of   map[schema.PageID][]int // indexes of the claims of a page
	page map[schema.PageID]int   // its place among all
}

// put adds a claim to a cluster, unless it is in one.
func (x *explainer) put(cluster int, c *schema.Claim) {
	if n, ok := x.at[placeOf(c)]; ok {
		x.join(cluster, n)
	}
}

// join adds the claim of an index to a cluster and reports true, unless it is in one.
func (x *explainer) join(cluster, n int) bool {
	if x.Claims[n].Cluster >= 0 {
		return false
	}
	x.Claims[n].Cluster = cluster
	x.Clusters[cluster].Claims = append(x.Clusters[cluster].Claims, n)
	return true
}

// conflict makes a cluster of the sides of a contradiction.
func (x *explainer) conflict(c *schema.Conflict) {
	x.cluster(c, "the values can not all hold")
	for i := range c.Sides {
		x.put(len(x.Clusters)-1, &c.Sides[i])
	}
}

// match makes a cluster of the claims that give the values of a match. A side that is no
// claim, or whose claim is part of another contradiction, is a statement of its own.
func (x *explainer) match(c *schema.Conflict) {
	x.cluster(c, "what is said around the values is much the same, and they can not all hold")
	at := len(x.Clusters) - 1
	for i := range c.Sides {
		s, joined := &c.Sides[i], false
		for _, n := range x.of[s.Page] {
			if gives(&x.Claims[n].Claim, s) {
				joined = x.join(at, n) || joined
			}
		}
		if !joined {
			x.claim(Placed{Claim: *s, Cluster: -1})
			x.join(at, len(x.Claims)-1)
		}
	}
}

// gives reports whether a claim gives the value of a side: it stands there, or in a part of it.
func gives(c, side *schema.Claim) bool {
	return c.Span == side.Span || c.Value.Kind == side.Value.Kind && c.Span.Start < side.Span.End && side.Span.Start < c.Span.End
}

// cluster adds that of a contradiction, without its claims.
func (x *explainer) cluster(c *schema.Conflict, why string) {
	if c.Why != "" {
		why += "; " + c.Why
	}
	x.Clusters = append(x.Clusters, Cluster{Name: c.Entity, Attr: c.Attr, Conflict: true, Why: why})
}

// bucket makes a cluster of claims that were compared and do not contradict each
// other, or adds them to the contradiction that some of them are part of.
func (x *explainer) bucket(f *finder, bucket []*located) {
	at := -1
	for _, l := range bucket {
		if n, ok := x.at[placeOf(l.Claim)]; ok && x.Claims[n].Cluster >= 0 && len(bucket) <= largestBucket {
			at = x.Claims[n].Cluster
			break
		}
	}
	if at < 0 {
		at = len(x.Clusters)
		x.Clusters = append(x.Clusters, Cluster{Name: bucket[0].name, Attr: bucket[0].Attr.Name, Why: f.verdict(bucket)})
	}
	x.Clusters[at].Entity = bucket[0].entity
	for _, l := range bucket {
		x.put(at, l.Claim)
	}
}

// unknown says why it is not certain who a claim is about.
func (e *entities) unknown(c *schema.Claim) string {
	switch {
	case c.Subject.Link >= 0:
		return "the link leads to no page about one thing"
	case len(c.Subject.Names) > 0:
		return fmt.Sprintf("no page is called %q, or several are", c.Subject.Names[0])
	}
	return "the page is about no one thing"
}

// verdict says why the claims of a bucket do not contradict each other: the
// first of the reasons for which they are not reported.
func (f *finder) verdict(bucket []*located) string {
	switch {
	case len(bucket) > largestBucket:
		return fmt.Sprintf("%d pages state it, which is a column and no fact", len(bucket))
	}
	status := len(bucket[0].Attr.Words) == 1 && bucket[0].Attr.Words[0] == "status"
	if slices.ContainsFunc(bucket, func(l *located) bool { return !f.admissible(l, bucket, status) }) {
		return "values of this kind may be remarks, and are not compared"
	}
	groups, relation := apart(bucket, status)
	switch {
	case relation == Incomparable:
		return "the values can not be compared"
	case len(groups) < 2 && relation == Same:
		return "all say the same"
	case len(groups) < 2:
		return "the values can all hold"
	case len(groups) > mostValues:
		return fmt.Sprintf("%d values are given, so that the pages do not speak of one thing", len(groups))
	case !acrossPages(groups):
		return "one page gives several of the values, and knows something that was not understood"
	case guests(groups) > 1:
		return "the values come from pages about things of their own"
	}
	return "it was not certain enough"
}

// apart sorts claims by value; the relation is the weakest within a value.
func apart(bucket []*located, status bool) (groups []group, weakest Relation) {
	weakest = Same
	for _, l := range bucket {
		i := slices.IndexFunc(groups, func(g group) bool { return compare(g.claims[0].Claim, l.Claim, status) != Apart })
		if i < 0 {
			i = len(groups)
			groups = append(groups, group{pages: map[string]bool{}})
		} else {
			switch r := compare(groups[i].claims[0].Claim, l.Claim, status); {
			case r == Incomparable:
				return groups, Incomparable
			case r == Compatible:
				weakest = Compatible
			}
		}
		groups[i].claims = append(groups[i].claims, l)
		groups[i].pages[l.Path] = true
	}
	return groups, weakest
}
