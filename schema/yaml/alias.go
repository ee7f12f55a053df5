package yaml

import (
	"fmt"

	"github.com/goccy/go-yaml/ast"

	"github.com/loopwiki/wiki/schema"
)

// mergeKey marks pairs of "<<: *x" until they are merged; no key in a file contains a
// NUL at this place.
const mergeKey = "\x00<<"

func (t *tree) alias(n *ast.AliasNode) *schema.Node {
	at := t.offset(n.Start.Position)
	name := n.Value.GetToken().Value
	end := at + 1
	if _, e, ok := t.match(at+1, name); ok {
		end = e
	}
	target := t.anchors[name]
	if target == nil {
		return t.fail(at, fmt.Sprintf("alias *%s has no anchor before it: expected &%s earlier, or put the value in quotes", name, name))
	}
	return t.copy(target, t.span(at, end))
}

// copy replaces an alias by its value. All spans are those of the alias, and the number
// of copies is limited.
func (t *tree) copy(n *schema.Node, at schema.Span) *schema.Node {
	if t.copies--; t.copies < 0 {
		n := t.fail(at.Start-t.base, fmt.Sprintf("the aliases expand to too many values: expected at most %d", maxCopies))
		t.failed.sure = true
		return n
	}
	out := *n
	out.Span, out.Items, out.Pairs = at, nil, nil
	for _, it := range n.Items {
		if t.copies < 0 {
			break
		}
		out.Items = append(out.Items, t.copy(it, at))
	}
	for _, p := range n.Pairs {
		if t.copies < 0 {
			break
		}
		out.Pairs = append(out.Pairs, schema.Pair{Key: p.Key, KeySpan: at, Value: t.copy(p.Value, at)})
	}
	return &out
}

// merge puts the pairs that a merge key brings in behind the map's own ones.
func (d *doc) merge(n *schema.Node) {
	if n == nil {
		return
	}
	var own, brought []schema.Pair
	for _, p := range n.Pairs {
		d.merge(p.Value)
		if p.Key != mergeKey {
			own = append(own, p)
			continue
		}
		brought = append(brought, p.Value.Pairs...)
		for _, it := range p.Value.Items {
			brought = append(brought, it.Pairs...)
		}
	}
	for _, it := range n.Items {
		d.merge(it)
	}
	if len(own) == len(n.Pairs) {
		return
	}
	have := make(map[string]bool, len(own))
	for _, p := range own {
		have[p.Key] = true
	}
	for _, p := range brought {
		if !have[p.Key] {
			have[p.Key] = true
			own = append(own, p)
		}
	}
	n.Pairs = own
}
