package rules

import (
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

// inverses are the typed relations that say something about both pages, and
// what the other page says about them.
var inverses = map[schema.FieldName]schema.FieldName{
	schema.FieldSupersedes:   schema.FieldSupersededBy,
	schema.FieldSupersededBy: schema.FieldSupersedes,
	schema.FieldContradicts:  schema.FieldContradicts,
}

// relation is one typed relation whose other page is known.
type relation struct {
	kind schema.FieldName // one of inverses
	page *schema.Page     // says it
	to   *schema.Page
	at   schema.Span
	link *schema.Link // as it names the other page; of [schema.SyntaxValue] without brackets
	by   schema.ResolvedBy
}

// relations are the typed relations of a wiki, and the graph of supersessions.
type relations struct {
	all    []relation // in order of page and then of field
	number map[*schema.Page]int
	pages  []*schema.Page // of the graph, in order of path
	next   [][]int        // of each page those that took its place, each once
	said   map[[2]int]int // where an edge is said first, as an index into all
	rounds [][]int        // the groups of pages that take one another's place in a circle
	circle map[int]int    // of the pages of such a group, which it is, counted from 1
	usual  string         // how this wiki mostly spells superseded_by
	// successors are the pages that declare, each itself, that they supersede a page.
	successors map[*schema.Page][]*schema.Page
}

// relationFact reads the relations that front matter states.
var relationFact = linter.NewFact(func(w *compiler.Wiki) *relations {
	rs := &relations{number: map[*schema.Page]int{}, said: map[[2]int]int{}, circle: map[int]int{}, successors: map[*schema.Page][]*schema.Page{}}
	for _, page := range w.Pages() {
		if len(page.Meta.Relations) > 0 {
			rs.all = appendRelations(rs.all, w, page)
		}
	}
	rs.connect(w)
	rs.usual = usualSpelling(w, schema.FieldSupersededBy)
	return rs
})

// usualSpelling returns the most frequent of the spellings of a field that
// differ by letter case, hyphens and underscores only, or are the first.
func usualSpelling(w *compiler.Wiki, field schema.FieldName) string {
	best := schema.Spellings(field)[0]
	same := func(key string) bool {
		return strings.ReplaceAll(fieldKey(key), "_", "") == strings.ReplaceAll(fieldKey(best), "_", "")
	}
	uses := map[string]int{}
	for _, page := range w.Pages() {
		for _, pair := range pairs(page) {
			if schema.FieldOf(pair.Key) == field && same(pair.Key) {
				uses[pair.Key]++
			}
		}
	}
	for key, n := range uses {
		if n > uses[best] || n == uses[best] && key < best {
			best = key
		}
	}
	return best
}

// connect builds the graph of successions.
func (rs *relations) connect(w *compiler.Wiki) {
	part := map[*schema.Page]bool{}
	for i := range rs.all {
		if old, next := rs.all[i].sides(); old != nil {
			part[old], part[next] = true, true
		}
	}
	for _, page := range w.Pages() {
		if part[page] {
			rs.number[page] = len(rs.pages)
			rs.pages = append(rs.pages, page)
		}
	}
	rs.next = make([][]int, len(rs.pages))
	for i := range rs.all {
		old, next := rs.all[i].sides()
		if old == nil {
			continue
		}
		if rs.all[i].page == old {
			rs.successors[old] = append(rs.successors[old], next)
		}
		edge := [2]int{rs.number[old], rs.number[next]}
		if _, known := rs.said[edge]; !known {
			rs.said[edge] = i
			rs.next[edge[0]] = append(rs.next[edge[0]], edge[1])
		}
	}
	rs.rounds = circles(len(rs.pages), func(n int) []int { return rs.next[n] })
	for i, round := range rs.rounds {
		for _, n := range round {
			rs.circle[n] = i + 1
		}
	}
}

// circular reports whether a supersession is part of a circle.
func (rs *relations) circular(r *relation) bool {
	old, next := r.sides()
	if old == nil {
		return false
	}
	c := rs.circle[rs.number[old]]
	return c > 0 && c == rs.circle[rs.number[next]]
}

// longestWay bounds the search for a second way between two pages.
const longestWay = 64

// indirect reports whether a supersession follows from others: next supersedes a page
// that supersedes old.
func (rs *relations) indirect(r *relation) bool {
	old, next := r.sides()
	if old == nil {
		return false
	}
	from, to := rs.number[old], rs.number[next]
	seen := map[int]bool{from: true}
	for work := []int{from}; len(work) > 0 && len(seen) <= longestWay; work = work[1:] {
		for _, n := range rs.next[work[0]] {
			if n == to && work[0] != from {
				return true
			}
			if len(seen) > longestWay {
				break
			}
			if n != to && !seen[n] {
				seen[n] = true
				work = append(work, n)
			}
		}
	}
	return false
}

func appendRelations(out []relation, w *compiler.Wiki, page *schema.Page) []relation {
	type place struct {
		value schema.Span
		raw   string
	}
	links := map[place]site{}
	for l, res := range w.Links(page) {
		if l.Field != "" {
			links[place{l.Block, l.Raw}] = site{page, l, res}
		}
	}
	for _, r := range page.Meta.Relations {
		kind := schema.FieldOf(string(r.Kind))
		if inverses[kind] == "" || len(r.Target) > longestTitle {
			continue
		}
		s, written := links[place{r.Span, r.Target}]
		if !written {
			l := valueLink(r.Target)
			res := w.Resolve(page, l)
			s = site{page, l, &res}
		}
		if to := w.Page(s.Res.Page); s.Res.Kind == schema.TargetPage && to != nil {
			out = append(out, relation{kind, page, to, r.Span, s.Link, s.Res.By})
		}
	}
	return out
}

// valueLink returns a plain value in front matter as the wikilink of that name.
func valueLink(text string) *schema.Link {
	target, fragment, hash := strings.Cut(text, "#")
	return &schema.Link{Syntax: schema.SyntaxValue, Raw: text, Target: strings.TrimSpace(target), Fragment: fragment, Hash: hash,
		External: schema.IsExternal(text)}
}

// sides returns the superseded page and its successor; nil for other relations.
func (r *relation) sides() (old, next *schema.Page) {
	switch r.kind {
	case schema.FieldSupersedes:
		return r.to, r.page
	case schema.FieldSupersededBy:
		return r.page, r.to
	}
	return nil, nil
}
