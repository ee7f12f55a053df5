package conflict

import (
	"fmt"
	"slices"

	"github.com/loopwiki/wiki/compiler"
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
	Name    string // of the entity, as people call it
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

// Explain returns what [Find] made of the claims of a wiki. claims returns
// those of one page.
func Explain(w *compiler.Wiki, claims func(*schema.Page) []schema.Claim) *Explanation {
	f := newFinder(w)
	f.locate(claims)
	x := &explainer{Explanation: &Explanation{}, at: map[claimPlace]int{}}
	for _, p := range w.Pages() {
		for _, c := range claims(p) {
			x.at[placeOf(&c)] = len(x.Claims)
			placed := Placed{Claim: c, Cluster: -1}
			if len(c.Attr.Words) > 0 {
				placed.Entity, placed.Name = f.entities.of(&c)
			}
			x.Claims = append(x.Claims, placed)
		}
	}
	for _, c := range Find(w, claims) {
		x.conflict(&c)
	}
	f.buckets.each(len(f.claims), func(_ bucketKey, bucket []*located) { x.bucket(f, bucket) })
	for i := range x.Clusters {
		slices.Sort(x.Clusters[i].Claims)
	}
	for i := range x.Claims {
		c := &x.Claims[i]
		switch {
		case c.Cluster >= 0:
		case len(c.Attr.Words) == 0:
			c.Why = "nothing was found that it contradicts"
		case c.Entity == "":
			c.Why = f.entities.unknown(&c.Claim)
		default:
			c.Why = "nothing else is said of this attribute"
		}
	}
	return x.Explanation
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
	at map[claimPlace]int // index of a claim
}

// put adds a claim to a cluster, unless it is in one.
func (x *explainer) put(cluster int, c *schema.Claim) {
	if n, ok := x.at[placeOf(c)]; ok && x.Claims[n].Cluster < 0 {
		x.Claims[n].Cluster = cluster
		x.Clusters[cluster].Claims = append(x.Clusters[cluster].Claims, n)
	}
}

// conflict makes a cluster of the sides of a contradiction.
func (x *explainer) conflict(c *schema.Conflict) {
	why := "the values can not all hold"
	if c.Why != "" {
		why += "; " + c.Why
	}
	x.Clusters = append(x.Clusters, Cluster{Name: c.Entity, Attr: c.Attr, Conflict: true, Why: why})
	for i := range c.Sides {
		x.put(len(x.Clusters)-1, &c.Sides[i])
	}
}

// bucket makes a cluster of claims that were compared and do not contradict each
// other, or adds them to the contradiction that some of them are part of.
func (x *explainer) bucket(f *finder, bucket []*located) {
	at := -1
	for _, l := range bucket {
		if n, ok := x.at[placeOf(l.Claim)]; ok && x.Claims[n].Cluster >= 0 {
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
