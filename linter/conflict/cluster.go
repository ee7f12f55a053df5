package conflict

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/loopwiki/wiki/schema"
)

// node is a claim that agrees with others or contradicts them.
type node struct {
	claim  *schema.Claim
	name   string // of the entity, as people call it
	agrees []int
	apart  []edge
	score  float64 // of the surest contradiction
}

// edge is a contradiction with another node.
type edge struct {
	to    int
	score float64
}

func (f *finder) node(c *schema.Claim, name string) int {
	i, ok := f.at[c]
	if !ok {
		i = len(f.nodes)
		f.at[c] = i
		f.nodes = append(f.nodes, &node{claim: c, name: name})
	}
	return i
}

// join notes how two claims stand to each other.
func (f *finder) join(a, b *schema.Claim, name string, r Relation, score float64) {
	if a == b {
		return
	}
	i, j := f.node(a, name), f.node(b, name)
	if r != Apart && score < Warns {
		return
	}
	if r != Apart {
		f.nodes[i].agrees = append(f.nodes[i].agrees, j)
		f.nodes[j].agrees = append(f.nodes[j].agrees, i)
		return
	}
	f.nodes[i].apart = append(f.nodes[i].apart, edge{j, score})
	f.nodes[j].apart = append(f.nodes[j].apart, edge{i, score})
	f.nodes[i].score = max(f.nodes[i].score, score)
	f.nodes[j].score = max(f.nodes[j].score, score)
}

// clusters makes one conflict of all claims that contradict each other, and of those that
// agree with them: first of what is sure, and then of what is left, so that a
// doubtful contradiction does not spoil one that is none.
func (f *finder) clusters() []schema.Conflict {
	var out []schema.Conflict
	used := make([]bool, len(f.nodes))
	for _, least := range []float64{Errs, leastScore} {
		done := slices.Clone(used)
		for i := range f.nodes {
			if done[i] || !f.contradicted(i, least, used) {
				continue
			}
			members := f.reach(i, least, done)
			if groups := f.values(members); len(groups) > 1 && len(groups) <= mostValues && acrossPages(groups) {
				out = append(out, f.cluster(groups, members))
				for _, m := range members {
					used[m] = true
				}
			}
		}
	}
	return out
}

// contradicted reports whether a node contradicts, at least so surely, one that is in no conflict.
func (f *finder) contradicted(i int, least float64, used []bool) bool {
	return slices.ContainsFunc(f.nodes[i].apart, func(e edge) bool { return e.score >= least && !used[e.to] })
}

// reach returns all nodes that hang together with one, at least so surely.
func (f *finder) reach(from int, least float64, done []bool) []int {
	members := []int{from}
	done[from] = true
	visit := func(next int) {
		if !done[next] {
			done[next] = true
			members = append(members, next)
		}
	}
	for k := 0; k < len(members); k++ {
		n := f.nodes[members[k]]
		for _, next := range n.agrees {
			visit(next)
		}
		for _, e := range n.apart {
			if e.score >= least {
				visit(e.to)
			}
		}
	}
	slices.Sort(members)
	return members
}

// values sorts claims by what they say: those that agree are one group.
func (f *finder) values(members []int) []group {
	of := map[int]int{}
	var groups []group
	for _, m := range members {
		if _, ok := of[m]; ok {
			continue
		}
		g := group{pages: map[string]bool{}}
		stack := []int{m}
		of[m] = len(groups)
		for len(stack) > 0 {
			k := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			n := f.nodes[k]
			g.claims = append(g.claims, &located{Claim: n.claim, name: n.name})
			g.pages[n.claim.Path] = true
			for _, next := range n.agrees {
				if _, ok := of[next]; !ok {
					of[next] = len(groups)
					stack = append(stack, next)
				}
			}
		}
		groups = append(groups, g)
	}
	return mergeSame(groups)
}

// mergeSame makes one group of those of one value, which a page may state twice.
func mergeSame(groups []group) []group {
	var out []group
	for _, g := range groups {
		i := slices.IndexFunc(out, func(o group) bool {
			a, b := o.claims[0].Value, g.claims[0].Value
			if a.Kind == schema.ValueQuantity {
				return a.Kind == b.Kind && a.Quantity.Lo == b.Quantity.Lo && a.Quantity.Hi == b.Quantity.Hi
			}
			return Compare(a, b) == Same
		})
		if i < 0 {
			out = append(out, g)
			continue
		}
		out[i].claims = append(out[i].claims, g.claims...)
		maps.Copy(out[i].pages, g.pages)
	}
	return out
}

// side is one claim of a conflict.
type side struct {
	*located
	usual bool
	index bool // stands in an index, which repeats what pages say
	at    time.Time
}

// cluster words the conflict: which side is likely out of date, and why.
func (f *finder) cluster(groups []group, members []int) schema.Conflict {
	slices.SortStableFunc(groups, func(a, b group) int { return len(b.pages) - len(a.pages) })
	c := schema.Conflict{Kind: groups[0].claims[0].Value.Kind}
	for _, m := range members {
		c.Score = max(c.Score, f.nodes[m].score)
	}
	majority := len(groups[0].pages) > len(groups[1].pages)
	var sides []side
	for i, g := range groups {
		for _, l := range g.claims {
			page := f.wiki.Page(l.Page)
			sides = append(sides, side{l, majority && i == 0, page.Reserved(), f.wiki.Freshness(page).Updated.Time})
		}
	}
	slices.SortStableFunc(sides, stalest)
	for _, s := range sides {
		c.Sides = append(c.Sides, *s.Claim)
	}
	first, second := sides[0], sides[1]
	c.Attr, c.Entity = f.attributeName(sides, first.name), first.name
	c.Rule = ruleOf(sides)
	if c.Attr == "statement" {
		for i := range c.Sides {
			c.Sides[i].Text = withWords(f.wiki.Page(c.Sides[i].Page), &c.Sides[i])
		}
	}
	switch {
	case majority:
		c.Usual = groups[0].claims[0].Text
		c.Why = fmt.Sprintf("%d pages say %s", len(groups[0].pages), c.Usual)
	case first.index && !second.index:
		c.Why = "an index repeats what the page says"
	case !first.at.IsZero() && first.at.Before(second.at):
		c.Why = fmt.Sprintf("this page was last changed on %s, the other on %s", first.at.Format(time.DateOnly), second.at.Format(time.DateOnly))
	}
	return c
}

// stalest orders sides by how likely they are out of date.
func stalest(a, b side) int {
	switch {
	case a.usual != b.usual:
		return order(b.usual)
	case a.index != b.index:
		return order(a.index)
	case !a.at.IsZero() && !b.at.IsZero() && !a.at.Equal(b.at):
		return a.at.Compare(b.at)
	}
	return cmp.Or(strings.Compare(a.Path, b.Path), a.Span.Start-b.Span.Start)
}

func order(first bool) int {
	if first {
		return -1
	}
	return 1
}

// attributeName returns what the claims are about: the name of a field or column when one
// of them has one. A column of values is told by the label of the row, on which the thing has a page.
func (f *finder) attributeName(sides []side, entity string) string {
	var named *side
	for i := range sides {
		switch s := &sides[i]; {
		case strings.EqualFold(s.Attr.Name, "value") && s.From == schema.OriginTable && len(s.Subject.Names) > 0 && !strings.EqualFold(s.Subject.Names[0], entity) && f.entities.called(f.lexicon.Words(entity)) != nil:
			return s.Subject.Names[0]
		case len(s.Attr.Words) == 0 || s.Attr.Name == "value" && named != nil:
		case named == nil || named.Attr.Name == "value":
			named = s
		}
	}
	if named == nil {
		return sides[0].Attr.Name
	}
	return named.Attr.Name
}

// ruleOf returns the rule that a conflict between the sides belongs to.
func ruleOf(sides []side) string {
	sentence := false
	for _, s := range sides {
		if s.index && (s.From == schema.OriginSentence || s.From == schema.OriginList) {
			return "index-conflict"
		}
		sentence = sentence || s.From == schema.OriginSentence
	}
	first := sides[0].Claim
	switch first.Value.Kind {
	case schema.ValueQuantity:
		return "numeric-conflict"
	case schema.ValueVersion:
		return "version-conflict"
	case schema.ValueDate:
		return "date-conflict"
	case schema.ValueSet:
		return "set-conflict"
	case schema.ValueFact:
		return "polarity-conflict"
	case schema.ValueBool:
		if sentence {
			return "polarity-conflict"
		}
	case schema.ValueName:
		if first.Slot != "" {
			return "functional-conflict"
		}
		if slices.Equal(first.Attr.Words, []string{"status"}) {
			return "status-conflict"
		}
	}
	return "field-conflict"
}
