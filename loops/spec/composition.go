package spec

import (
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// composition checks how the children of a composition are joined.
func (c *checker) composition(open func(ref string) (*Document, error)) {
	n := c.root.Get("composition")
	if n == nil || n.Kind != schema.KindMap {
		return
	}
	at := func(key string) (string, *schema.Node) {
		if v := n.Get(key); v != nil {
			return "composition." + key, v
		}
		return "composition", n
	}
	roles := map[string]int{}
	children := items(n, "children")
	for _, child := range children {
		roles[child.Get("role").ScalarText()]++
	}
	path, node := at("children")
	adaptersAt, adapters := at("adapters")
	have := len(items(n, "adapters"))
	switch n.Get("type").ScalarText() {
	case Nested:
		if roles["outer"] != 1 || roles["inner"] == 0 {
			c.wrong("composition", path, node, "nested needs one child with role: outer and at least one with role: inner; found %d and %d", roles["outer"], roles["inner"])
		}
		if have == 0 {
			c.wrong("composition", adaptersAt, adapters, "nested needs an adapter from the outer loop to the inner one; add adapters: [{from: …, to: …}]")
		}
	case Sequential:
		if have < len(children)-1 {
			c.wrong("composition", adaptersAt, adapters, "%d stages need %d adapters; found %d", len(children), len(children)-1, have)
		}
	case Parallel:
		if roles["branch"] < 2 {
			c.wrong("composition", path, node, "parallel needs at least two children with role: branch; found %d", roles["branch"])
		}
		c.merge(n.Get("merge"), len(children))
	}
	c.adapters(n)
	if open != nil {
		c.children(n, open)
	}
}

func (c *checker) merge(merge *schema.Node, children int) {
	if least := merge.Get("min_branches_pass"); numberOf(least) > float64(children) {
		c.wrong("composition", "composition.merge.min_branches_pass", least, "%s branches have to pass, of %d", least.Text, children)
	}
	if s := merge.Get("strategy"); s.ScalarText() == "first_pass" {
		c.report(schema.Warning, "order-sensitive", "composition.merge.strategy", s, "first_pass depends on which branch ends first; all_pass, vote and synthesize do not")
	}
}

// adapters checks that each of them joins two children.
func (c *checker) adapters(n *schema.Node) {
	for _, child := range items(n, "children") {
		c.part("children", child.Get("id").ScalarText())
	}
	each(n, "adapters", func(path string, a *schema.Node) {
		for _, end := range []string{"from", "to"} {
			if id, ok := childOf(a.Get(end).ScalarText()); ok {
				c.known("children", "composition."+path+"."+end, a.Get(end), id)
			}
		}
	})
}

// children reads the loops of the composition and compares their budgets.
func (c *checker) children(n *schema.Node, open func(ref string) (*Document, error)) {
	sum, all := 0.0, true
	each(n, "children", func(path string, child *schema.Node) {
		ref := child.Get("ref")
		if !ref.IsScalar() {
			return
		}
		path = "composition." + path + ".ref"
		loop, err := open(ref.Text)
		switch {
		case err != nil:
			all = false
			c.wrong("unknown-child", path, ref, "%v; correct the reference, which is relative to this file", err)
		case loop.Name() == "":
			all = false
			c.wrong("unknown-child", path, ref, "%s has no loop_name; name the file of a spec", ref.Text)
		default:
			sum += numberOf(loop.Root.Get("cost_limits").Get("cumulative_usd"))
		}
	})
	most := c.root.Get("cost_limits").Get("cumulative_usd")
	if all && most != nil && sum > numberOf(most)+1e-9 && n.Get("type").ScalarText() != Nested {
		c.wrong("budget", "cost_limits.cumulative_usd", most, "the children may spend $%g, the composition $%s; raise it or lower theirs", sum, most.Text)
	}
}

// childOf is the child that an end of an adapter names: children.X and what follows.
func childOf(end string) (string, bool) {
	rest, ok := strings.CutPrefix(end, "children.")
	id, _, _ := strings.Cut(rest, ".")
	return id, ok
}
