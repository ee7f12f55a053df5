package spec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/yaml"
)

// Finding is what a semantic check reports. It leaves the document valid.
type Finding struct {
	ID       string          // of the check
	Severity schema.Severity // an error keeps a spec from being Operational
	Path     string          // in dots
	At       schema.Position
	Message  string // the state, then the remedy
}

// checker collects findings. It reads nodes, not a [Spec], since an invalid
// document is checked too: what has the wrong type is left to the schema.
type checker struct {
	doc  *Document
	root *schema.Node
	out  []Finding
	// ids are those of the parts by kind: workers, evaluators, metrics, inputs; has
	// tells whether there is one.
	ids map[string][]string
	has map[[2]string]bool
}

// mostFindings is how many findings are collected of one document, and mostNames how
// many names one of them lists: a document of a megabyte can refer to nothing often.
const mostFindings, mostNames = 100, 10

// Semantic checks what the schema does not say: that references lead somewhere,
// that ids are unique, that the loop ends and that its budgets fit. Findings are
// in order of their place. Children of a composition are read with open, which
// gets a reference as it is written; nil leaves them unread.
func (d *Document) Semantic(open func(ref string) (*Document, error)) []Finding {
	c := &checker{doc: d, root: d.Root, ids: map[string][]string{}, has: map[[2]string]bool{}}
	for kind, key := range map[string]string{"workers": "id", "evaluators": "id", "metrics": "name"} {
		for _, n := range items(d.Root, kind) {
			c.part(kind, n.Get(key).ScalarText())
		}
	}
	for _, p := range fieldsOf(d.Root) {
		c.part("inputs", p.Key)
	}
	c.unique()
	c.workers()
	c.judging()
	c.channels()
	c.ending()
	c.budgets()
	c.ranges()
	c.composition(open)
	slices.SortStableFunc(c.out, func(a, b Finding) int {
		if a.At.Line != b.At.Line {
			return a.At.Line - b.At.Line
		}
		return a.At.Column - b.At.Column
	})
	return c.out
}

// part notes a part that can be referred to.
func (c *checker) part(kind, id string) {
	c.ids[kind] = append(c.ids[kind], id)
	c.has[[2]string{kind, id}] = true
}

func (c *checker) report(severity schema.Severity, id, path string, at *schema.Node, format string, args ...any) {
	if len(c.out) == mostFindings {
		return
	}
	if at == nil {
		at = c.root
	}
	c.out = append(c.out, Finding{id, severity, path, c.doc.lines.Position(at.Span.Start), fmt.Sprintf(format, args...)})
}

func (c *checker) wrong(id, path string, at *schema.Node, format string, args ...any) {
	c.report(schema.Error, id, path, at, format, args...)
}

// items are the items of a list, or nothing.
func items(n *schema.Node, keys ...string) []*schema.Node {
	for _, k := range keys {
		n = n.Get(k)
	}
	if n == nil {
		return nil
	}
	return n.Items
}

// fieldsOf are the inputs of a loop.
func fieldsOf(root *schema.Node) []schema.Pair {
	if fields := root.Get("inputs").Get("schema"); fields != nil {
		return fields.Pairs
	}
	return nil
}

// each calls f for the items of the list that the keys lead to, with their paths.
func each(root *schema.Node, path string, f func(path string, n *schema.Node)) {
	for i, n := range items(root, strings.Split(path, ".")...) {
		f(path+"."+strconv.Itoa(i), n)
	}
}

// unique checks that parts of one kind have different ids.
func (c *checker) unique() {
	for _, list := range []struct{ path, key string }{
		{"workers", "id"}, {"evaluators", "id"}, {"feedback_channels", "id"}, {"metrics", "name"}, {"safety_constraints", "id"},
		{"composition.children", "id"},
	} {
		first := map[string]string{}
		each(c.root, list.path, func(path string, n *schema.Node) {
			id := n.Get(list.key)
			if other := first[id.ScalarText()]; other != "" {
				c.wrong("duplicate-id", path+"."+list.key, id, "%q is already the %s of %s; choose another", id.ScalarText(), list.key, other)
			} else if id.IsScalar() {
				first[id.ScalarText()] = path
			}
		})
	}
}

// known checks a reference to a part, such as the id of a worker.
func (c *checker) known(kind, path string, at *schema.Node, id string) {
	have := c.ids[kind]
	if id == "" || c.has[[2]string{kind, id}] || len(c.out) == mostFindings {
		return
	}
	one := strings.TrimSuffix(kind, "s")
	if kind == "children" {
		one = "child"
	}
	remedy := "expected one of " + strings.Join(have[:min(len(have), mostNames)], ", ")
	if near, ok := schema.Nearest(id, have); ok {
		remedy = "did you mean " + strconv.Quote(near) + "?"
	} else if len(have) == 0 {
		remedy = "the spec has none"
	}
	c.wrong("unknown-"+one, path, at, "%s %q does not exist: %s", one, id, remedy)
}

// reference checks workers.X, evaluators.X or inputs.X; others are free.
func (c *checker) reference(path string, at *schema.Node) {
	kind, id, _ := strings.Cut(at.ScalarText(), ".")
	switch kind {
	case "inputs":
		id, _, _ = strings.Cut(id, ".")
		fallthrough
	case "workers", "evaluators":
		c.known(kind, path, at, id)
	}
}

// names checks the list of workers' ids at a key of n, in which * stands for all.
func (c *checker) names(path string, n *schema.Node, key string) {
	each(n, key, func(below string, it *schema.Node) {
		if it.ScalarText() != "*" {
			c.known("workers", path+"."+below, it, it.ScalarText())
		}
	})
}

// workers checks what workers read and whom they wait for.
func (c *checker) workers() {
	waits := map[string][]string{}
	each(c.root, "workers", func(path string, n *schema.Node) {
		for i, in := range items(n, "inputs") {
			c.reference(fmt.Sprintf("%s.inputs.%d.from", path, i), in.Get("from"))
		}
		c.names(path, n, "depends_on")
		for _, dep := range items(n, "depends_on") {
			waits[n.Get("id").ScalarText()] = append(waits[n.Get("id").ScalarText()], dep.ScalarText())
		}
	})
	if circle := circleOf(waits, c.ids["workers"]); circle != nil {
		i := slices.Index(c.ids["workers"], circle[0])
		c.wrong("dependency-cycle", fmt.Sprintf("workers.%d.depends_on", i), items(c.root, "workers")[i].Get("depends_on"),
			"workers wait for each other: %s; remove one depends_on", strings.Join(circle[:min(len(circle), mostNames)], " -> "))
	}
}

// circleOf is the first circle of a graph in the order of names, or nil.
func circleOf(graph map[string][]string, names []string) []string {
	const open, over = 1, 2
	state := map[string]int{}
	var path []string
	var visit func(at string) bool
	visit = func(at string) bool {
		path = append(path, at)
		if state[at] == open {
			return true
		}
		state[at] = open
		for _, next := range graph[at] {
			if state[next] != over && visit(next) {
				return true
			}
		}
		state[at], path = over, path[:len(path)-1]
		return false
	}
	for _, name := range names {
		if state[name] != over && visit(name) {
			return path[slices.Index(path, path[len(path)-1]):]
		}
	}
	return nil
}

// judging checks what is judged and measured.
func (c *checker) judging() {
	each(c.root, "evaluators", func(path string, n *schema.Node) { c.names(path, n, "runs_after") })
	each(c.root, "safety_constraints", func(path string, n *schema.Node) { c.names(path, n, "applies_to") })
	var primary []string
	each(c.root, "metrics", func(path string, n *schema.Node) {
		c.reference(path+".source", n.Get("source"))
		c.common(path, n)
		if on := n.Get("primary"); on != nil && strings.EqualFold(on.Text, "true") {
			primary = append(primary, n.Get("name").ScalarText())
		}
	})
	switch at := c.root.Get("metrics"); {
	case at == nil: // which the schema reports
	case len(primary) == 0:
		c.wrong("primary-metric", "metrics", at, "no metric is primary; set primary: true on the one that decides success")
	case len(primary) > 1:
		c.wrong("primary-metric", "metrics", at, "%d metrics are primary (%s); keep one", len(primary), strings.Join(primary, ", "))
	}
}

// common checks that a metric with a registered name measures what others mean by it.
func (c *checker) common(path string, n *schema.Node) {
	i := slices.IndexFunc(Common().Metrics, func(m CommonMetric) bool { return m.Name == n.Get("name").ScalarText() })
	if unit := n.Get("unit"); i >= 0 && unit.IsScalar() && unit.Text != Common().Metrics[i].Unit {
		c.report(schema.Warning, "metric-unit", path+".unit", unit, "%s is measured as %s in other specs; rename the metric", Common().Metrics[i].Name, Common().Metrics[i].Unit)
	}
}

// channels checks where feedback comes from and goes to.
func (c *checker) channels() {
	strategy := c.root.Get("optimization_strategy").Get("type").ScalarText()
	each(c.root, "feedback_channels", func(path string, n *schema.Node) {
		to := n.Get("destination")
		c.reference(path+".source", n.Get("source"))
		c.reference(path+".destination", to)
		if part, ok := strings.CutPrefix(to.ScalarText(), "optimization_strategy."); ok && part != strategy && strategy != "" {
			c.wrong("unknown-strategy", path+".destination", to, "the strategy is %s; send it to optimization_strategy.%s", strategy, strategy)
		}
	})
	config := c.root.Get("optimization_strategy").Get("config")
	c.reference("optimization_strategy.config.refinement_target", config.Get("refinement_target"))
	for i, n := range items(config, "secondary_targets") {
		c.reference(fmt.Sprintf("optimization_strategy.config.secondary_targets.%d", i), n)
	}
}

// intOf reads a whole number, cut to what any limit needs.
func intOf(n *schema.Node) int {
	return int(max(-1e9, min(1e9, numberOf(n))))
}

// numberOf reads a number, 0 if there is none.
func numberOf(n *schema.Node) (f float64) {
	if n != nil && (n.Kind == schema.KindInt || n.Kind == schema.KindFloat) {
		yaml.Decode(n, &f)
	}
	return f
}
