package conflict

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// Found are the conflicts and doubts in a wiki.
type Found struct {
	Conflicts []schema.Conflict // to be reported, in order of path and place
	Doubts    []schema.Doubt    // for a judge, the likeliest first
	Pairs     []Pair            // that are reported or doubted, and with [Input.All] the dropped ones
}

// Find compares the facts of a wiki. It takes time linear in their number.
func Find(in *Input) *Found {
	x := newIndex(in)
	pairs := slices.Concat(x.tables(), x.named(), x.lines())
	f := &Found{Conflicts: x.conflicts(pairs)}
	pairs = append(pairs, x.drifted()...)
	for i := range pairs {
		p := &pairs[i]
		if p.Verdict() == Doubted {
			f.Doubts = append(f.Doubts, x.doubt(p))
		}
		f.Pairs = append(f.Pairs, p.Pair)
	}
	slices.SortStableFunc(f.Doubts, func(a, b schema.Doubt) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.A.Path, b.A.Path), a.A.Span.Start-b.A.Span.Start)
	})
	return f
}

// doubt returns a pair with the whole statements of both sides, as a judge reads them.
func (x *index) doubt(p *cellPair) schema.Doubt {
	d := schema.Doubt{About: about(&p.A), A: p.A, B: p.B, Score: p.Score()}
	if p.A.From != schema.OriginSentence && p.a != p.b {
		d.A, d.B = x.statement(p.a, p.A), x.statement(p.b, p.B)
	}
	return d
}

// about names what a claim is about.
func about(c *schema.Claim) string {
	if len(c.Subject.Names) > 0 && c.Subject.Names[0] != "" {
		return c.Subject.Names[0]
	}
	return c.Attr.Name
}

// statement returns a cell as the row, or the line, that it is in.
func (x *index) statement(r ref, c schema.Claim) schema.Claim {
	g, src := &x.groups[r.group], x.page(r).Source
	if g.From != schema.OriginTable {
		c.Text = strings.TrimRight(claim.PlainText(g.Rows[g.Cells[r.cell].Row].At.In(src)), ": ") + ": " + c.Text
		return c
	}
	var heads, cells []string
	for i := range g.Cols {
		heads = append(heads, claim.PlainText(g.Cols[i].At.In(src)))
	}
	row := g.Cells[r.cell].Row
	cells = append(cells, claim.PlainText(g.Rows[row].At.In(src)))
	c.Span = g.Rows[row].At
	for i := range g.Cells {
		if g.Cells[i].Row == row {
			cells = append(cells, claim.PlainText(g.Cells[i].At.In(src)))
			c.Span.End = g.Cells[i].At.End
		}
	}
	c.Attr.Name, c.Text = strings.Join(heads, " | "), strings.Join(cells, " | ")
	return c
}

// cause is a subject on which two or more groups differ.
type cause struct {
	rule    string
	score   float64
	agree   int
	entries [][]ref // the cells of one name
	lines   []Pair  // or a line of an index and a field
}

// conflicts groups the reported pairs by cause: two tables that disagree, in any edition
// of their pages, or a field that others contradict.
func (x *index) conflicts(pairs []cellPair) []schema.Conflict {
	parent := map[string]string{}
	var find func(string) string
	find = func(s string) string {
		if p, ok := parent[s]; ok && p != s {
			parent[s] = find(p)
			return parent[s]
		}
		return s
	}
	for i := range pairs {
		if p := &pairs[i]; p.Agree > 0 && p.Score() >= Warns {
			pages := x.Wiki.Identity().Work(p.A.Path) + "\x00" + x.Wiki.Identity().Work(p.B.Path)
			parent[find(x.place(p.a.group))] = find(pages)
			parent[find(x.place(p.b.group))] = find(pages)
		}
	}
	causes := map[string]*cause{}
	entries := map[ref]int{}
	for i := range pairs {
		p := &pairs[i]
		if p.Score() < Warns {
			continue
		}
		key := p.Rule + "\x00" + find(x.place(p.b.group))
		if p.Agree == 0 {
			key = fmt.Sprint(p.Rule, p.b)
		}
		c := causes[key]
		if c == nil {
			c = &cause{rule: p.Rule}
			causes[key] = c
		}
		c.score, c.agree = max(c.score, p.Score()), max(c.agree, p.Agree)
		if p.a == p.b {
			c.lines = append(c.lines, p.Pair)
			continue
		}
		n, ok := entries[p.a]
		if !ok {
			n, ok = entries[p.b]
		}
		if !ok {
			n = len(c.entries)
			c.entries = append(c.entries, nil)
		}
		for _, r := range []ref{p.a, p.b} {
			if entries[r] = n; !slices.Contains(c.entries[n], r) {
				c.entries[n] = append(c.entries[n], r)
			}
		}
	}
	var out []schema.Conflict
	for _, key := range slices.Sorted(maps.Keys(causes)) {
		out = append(out, x.conflict(causes[key]))
	}
	slices.SortStableFunc(out, func(a, b schema.Conflict) int {
		return cmp.Or(strings.Compare(a.Differ[0][0].Path, b.Differ[0][0].Path), a.Differ[0][0].Span.Start-b.Differ[0][0].Span.Start)
	})
	return out
}

// place identifies a group, whatever the edition of its page.
func (x *index) place(g int32) string {
	p := x.groups[g].page
	return fmt.Sprintf("%s\x00%d", x.Wiki.Identity().Work(x.pages[p].Path), g-x.first[p])
}

// conflict returns a cause with the side first that is likely out of date.
func (x *index) conflict(c *cause) schema.Conflict {
	out := schema.Conflict{Rule: c.rule, Score: c.score, Agree: c.agree}
	for i := range c.lines {
		out.Differ = append(out.Differ, []schema.Claim{c.lines[i].A, c.lines[i].B})
	}
	stale := x.stale(c)
	for _, refs := range c.entries {
		slices.SortFunc(refs, func(a, b ref) int {
			return cmp.Or(order(x.place(a.group) == stale, x.place(b.group) == stale), strings.Compare(x.page(a).Path, x.page(b).Path), int(a.cell-b.cell))
		})
		var claims []schema.Claim
		for _, r := range append(refs, x.also(refs)...) {
			claims = append(claims, x.claim(r))
		}
		out.Differ = append(out.Differ, claims)
	}
	slices.SortStableFunc(out.Differ, func(a, b []schema.Claim) int {
		return cmp.Or(strings.Compare(a[0].Path, b[0].Path), a[0].Span.Start-b[0].Span.Start)
	})
	first := &out.Differ[0][0]
	out.Entity, out.Attr, out.Kind = about(first), first.Attr.Name, first.Value.Kind
	if len(first.Subject.Names) == 0 {
		out.Entity = x.Wiki.Page(first.Page).Title
	}
	return out
}

func order(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// stale returns the place of the group that is likely out of date: the one whose values fewer share, then the
// one whose page was changed first.
func (x *index) stale(c *cause) string {
	votes, first := map[string]int{}, map[string]ref{}
	for _, refs := range c.entries {
		kinds, _ := x.kinds(refs...)
		for _, kind := range kinds {
			for _, r := range kind {
				p := x.place(r.group)
				votes[p] += len(refs) - 2*len(kind)
				if _, ok := first[p]; !ok {
					first[p] = r
				}
			}
		}
	}
	places := slices.Sorted(maps.Keys(votes))
	if len(places) == 0 {
		return ""
	}
	return slices.MinFunc(places, func(a, b string) int {
		p, q := x.page(first[a]), x.page(first[b])
		return cmp.Or(votes[b]-votes[a], order(p.Reserved(), q.Reserved()), x.Wiki.Freshness(p).Updated.Time.Compare(x.Wiki.Freshness(q).Updated.Time), strings.Compare(p.Path, q.Path))
	})
}

// mostAlso bounds the further places that are named for one difference.
const mostAlso = 8

// also returns the cells with the same names and value as given ones.
func (x *index) also(refs []ref) (out []ref) {
	if g := &x.groups[refs[0].group]; g.Cols[g.Cells[refs[0].cell].Col].Hash == 0 {
		return nil // a field is about its page
	}
	for _, key := range x.groups[refs[0].group].keys(int(refs[0].cell)) {
		for _, e := range x.cells[key] {
			r := e.ref
			if len(out) < mostAlso && !slices.Contains(refs, r) && !slices.Contains(out, r) &&
				slices.ContainsFunc(refs, func(o ref) bool { return Compare(x.value(o), x.value(r)) == Same }) {
				out = append(out, r)
			}
		}
	}
	return out
}
