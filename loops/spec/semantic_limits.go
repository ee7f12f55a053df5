package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// stallActions are the actions that the standard gives failures, and so stalls.
var stallActions = []string{"halt", "escalate_human", "retry_iteration"}

// ending checks that the loop ends, by metrics that exist.
func (c *checker) ending() {
	stops := c.root.Get("termination_conditions")
	for _, kind := range []string{"success", "stall"} {
		each(stops, kind, func(path string, n *schema.Node) {
			c.known("metrics", "termination_conditions."+path+".metric", n.Get("metric"), n.Get("metric").ScalarText())
		})
	}
	each(stops, "stall", func(path string, n *schema.Node) {
		if a := n.Get("action"); a.IsScalar() && !slices.Contains(stallActions, a.Text) {
			c.report(schema.Warning, "unknown-action", "termination_conditions."+path+".action", a, "%q is no action; expected one of %s", a.Text, strings.Join(stallActions, ", "))
		}
	})
	if stops != nil && stops.Kind == schema.KindMap && !c.bounded(stops) {
		c.wrong("unbounded", "termination_conditions", stops,
			"nothing ends the loop for sure; add to failure: {type: max_iterations, value: 10, action: halt}")
	}
}

// bounded reports whether one of the failures is sure to come.
func (c *checker) bounded(stops *schema.Node) bool {
	halts := c.root.Get("cost_limits").Get("on_exceed").Get("action").ScalarText() == "halt"
	return slices.ContainsFunc(items(stops, "failure"), func(n *schema.Node) bool {
		if n.Get("action").ScalarText() == "retry_iteration" {
			return false
		}
		switch n.Get("type").ScalarText() {
		case "max_iterations", "timeout":
			return numberOf(n.Get("value")) > 0
		case "cost_exceeded":
			return halts
		}
		return false
	})
}

// budgets checks that no part may spend more than the whole.
func (c *checker) budgets() {
	limits := c.root.Get("cost_limits")
	all := limits.Get("cumulative_usd")
	if all == nil {
		return
	}
	most, sum := numberOf(all), 0.0
	if one := limits.Get("per_iteration_usd"); numberOf(one) > most {
		c.wrong("budget", "cost_limits.per_iteration_usd", one, "one iteration may cost $%g, the whole loop $%g; raise cumulative_usd or lower this", numberOf(one), most)
	}
	each(c.root, "workers", func(path string, n *schema.Node) {
		own := n.Get("cost_budget_usd")
		sum += numberOf(own)
		if numberOf(own) > most {
			c.wrong("budget", path+".cost_budget_usd", own, "this worker may spend $%g, the whole loop $%g; lower it", numberOf(own), most)
			most = max(most, sum) // the sum is not reported as well
		}
	})
	if sum > most+1e-9 {
		c.wrong("budget", "cost_limits.cumulative_usd", all, "the workers' budgets add up to $%g, the whole loop's is $%g; raise it or lower theirs", sum, most)
	}
}

// ranges checks that lower ends are below upper ones.
func (c *checker) ranges() {
	each(c.root, "evaluators", func(path string, n *schema.Node) {
		var weights float64
		dims := items(n, "rubric", "dimensions")
		for i, d := range dims {
			weights += numberOf(d.Get("weight"))
			if s := d.Get("scale"); s != nil && len(s.Items) == 2 && numberOf(s.Items[0]) >= numberOf(s.Items[1]) {
				c.wrong("empty-range", fmt.Sprintf("%s.rubric.dimensions.%d.scale", path, i), s, "the scale ends at or below its beginning; write [lowest, highest]")
			}
		}
		if len(dims) > 0 && (weights < 0.999 || weights > 1.001) {
			c.report(schema.Warning, "weights", path+".rubric.dimensions", n.Get("rubric").Get("dimensions"), "the weights add up to %.4g; scores are divided by that", weights)
		}
	})
	for _, p := range fieldsOf(c.root) {
		for _, ends := range [][2]string{{"min_length", "max_length"}, {"minimum", "maximum"}} {
			low, high := p.Value.Get(ends[0]), p.Value.Get(ends[1])
			if low != nil && high != nil && numberOf(low) > numberOf(high) {
				c.wrong("empty-range", "inputs.schema."+p.Key+"."+ends[0], low, "%s is above %s; no value fits", ends[0], ends[1])
			}
		}
	}
}
