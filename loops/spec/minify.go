package spec

import (
	"strings"
	"unicode/utf8"

	"github.com/loopwiki/wiki/schema"
)

// Minify keeps what a model needs to know of a document, as JSON without spaces
// (LSS-min), and estimates the tokens that it takes.
func (d *Document) Minify() (text string, tokens int) {
	n := mapNode()
	add := func(key string, v *schema.Node) {
		if v != nil {
			n.Pairs = append(n.Pairs, schema.Pair{Key: key, Value: v})
		}
	}
	all := func(key string, most int, keys ...string) {
		out := listNode()
		for _, it := range items(d.Root, key) {
			if len(out.Items) < most {
				out.Items = append(out.Items, pick(it, keys...))
			}
		}
		add(key, out)
	}
	const any = int(^uint(0) >> 1)
	add("loop_name", d.Root.Get("loop_name"))
	if o := d.Root.Get("objective"); o.IsScalar() {
		line, _, _ := strings.Cut(strings.TrimSpace(o.Text), "\n")
		r := []rune(line)
		add("objective", textNode(string(r[:min(len(r), 280)])))
	}
	all("workers", any, "id", "role", "inputs", "outputs", "model")
	all("evaluators", any, "id", "type", "runs_after", "rubric", "implementation", "pass_threshold")
	add("termination_conditions", d.Root.Get("termination_conditions"))
	add("optimization_strategy", pick(d.Root.Get("optimization_strategy"), "type", "max_steps"))
	all("safety_constraints", 4, "id", "type", "action", "severity")
	return compactJSON(n), max(1, utf8.RuneCountInString(flow(n))/4)
}
