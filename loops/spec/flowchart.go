package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// chart is a diagram being drawn, as text and as data.
type chart struct {
	strings.Builder
	doc   *Document
	nodes []schema.LoopNode
	edges []schema.LoopEdge
}

// Diagram draws the document in Mermaid as it runs: workers after those they wait
// for, evaluators after what they judge, feedback back to where it goes, and every
// way in which the loop ends.
func (d *Document) Diagram() string { return strings.TrimSuffix(d.draw().String(), "\n") }

// Flowchart is the diagram as data, for those who draw it themselves. Edges may name
// nodes that the document lacks.
func (d *Document) Flowchart() ([]schema.LoopNode, []schema.LoopEdge) {
	c := d.draw()
	return c.nodes, c.edges
}

func (d *Document) draw() *chart {
	c := &chart{doc: d}
	level, _ := d.TaxonomyLevel()
	if level == 0 {
		level = d.rootLevel()
	}
	fmt.Fprintf(c, "---\ntitle: %s\n---\nflowchart TB\n", jsonText(fmt.Sprintf("%s (L%d)", d.Name(), level)))
	if d.Root.Get("composition") != nil {
		c.composed()
	}
	c.inputs()
	c.workers()
	c.evaluators()
	c.feedback()
	c.endings()
	return c
}

// shapes are what Mermaid draws around the nodes of a kind.
var shapes = map[string][2]string{
	"input": {"([", "])"}, "memory": {"[(", ")]"}, "worker": {"[", "]"}, "evaluator": {"{{", "}}"}, "optimizer": {"[/", "/]"}, "decision": {"{", "}"},
	"end": {"([", "])"}, "merge": {"[/", "/]"},
}

func (c *chart) node(kind, id string, lines ...string) {
	c.nodes = append(c.nodes, schema.LoopNode{Kind: kind, ID: id, Lines: slices.Clone(lines)})
	c.line("%s%s%s%s", id, shapes[kind][0], label(lines...), shapes[kind][1])
}

// then joins what follows each other in an iteration.
func (c *chart) then(from, to string) {
	c.edges = append(c.edges, schema.LoopEdge{From: from, To: to})
	c.line("%s --> %s", from, to)
}

// back joins what leads into the next iteration, or carries data beside it.
func (c *chart) back(from, to, text string) {
	c.edges = append(c.edges, schema.LoopEdge{From: from, To: to, Label: text, Back: true})
	if text == "" {
		c.line("%s -.-> %s", from, to)
	} else {
		c.line("%s -. %s .-> %s", from, label(text), to)
	}
}

// label is a text in quotes, in which nothing means anything to Mermaid.
func label(lines ...string) string {
	for i, l := range lines {
		r := []rune(strings.Join(strings.Fields(l), " "))
		if len(r) > 60 {
			r = append(r[:59], '…')
		}
		lines[i] = strings.NewReplacer(`"`, "#quot;", "#", "#35;", "<", "#lt;", ">", "#gt;").Replace(string(r))
	}
	return `"` + strings.Join(lines, "<br/>") + `"`
}

func (c *chart) line(format string, args ...any) { fmt.Fprintf(c, "    "+format+"\n", args...) }

// ref is the node that workers.X or evaluators.X names.
func ref(s string) string {
	kind, id, _ := strings.Cut(s, ".")
	switch kind {
	case "workers":
		return "W_" + slug(id)
	case "evaluators":
		return "E_" + slug(id)
	case "memory":
		return "MEM"
	}
	return "OPT"
}

func (c *chart) inputs() {
	var names []string
	for _, p := range fieldsOf(c.doc.Root) {
		names = append(names, p.Key)
	}
	c.node("input", "START", "Inputs: "+strings.Join(names, ", "), c.doc.Root.Get("objective").ScalarText())
	if kind := c.doc.Root.Get("memory").Get("type").ScalarText(); kind != "" && kind != "ephemeral" {
		c.node("memory", "MEM", "Memory: "+kind)
	}
}

func (c *chart) workers() {
	for _, w := range items(c.doc.Root, "workers") {
		id := "W_" + slug(w.Get("id").ScalarText())
		c.node("worker", id, w.Get("id").ScalarText(), w.Get("role").ScalarText(), w.Get("model").Get("name").ScalarText())
		var after []string
		for _, dep := range items(w, "depends_on") {
			after = append(after, "W_"+slug(dep.ScalarText()))
		}
		for _, in := range items(w, "inputs") {
			if from := in.Get("from").ScalarText(); strings.HasPrefix(from, "workers.") && !slices.Contains(after, ref(from)) {
				after = append(after, ref(from))
			} else if strings.HasPrefix(from, "memory.") {
				c.back("MEM", id, "")
			}
		}
		if len(after) == 0 {
			after = []string{"START"}
		}
		for _, a := range after {
			c.then(a, id)
		}
	}
}

func (c *chart) evaluators() {
	for _, e := range items(c.doc.Root, "evaluators") {
		id, judges := "E_"+slug(e.Get("id").ScalarText()), e.Get("type").ScalarText()
		if pass := e.Get("rubric").Get("pass_threshold"); pass.IsScalar() {
			judges += ", passes at " + pass.Text
		}
		c.node("evaluator", id, e.Get("id").ScalarText(), judges)
		for _, after := range items(e, "runs_after") {
			for _, w := range c.judged(after.ScalarText()) {
				c.then(w, id)
			}
		}
	}
}

// judged are the nodes of a worker, or of all of them.
func (c *chart) judged(name string) []string {
	if name != "*" {
		return []string{"W_" + slug(name)}
	}
	return mapped(items(c.doc.Root, "workers"), func(w *schema.Node) string { return "W_" + slug(w.Get("id").ScalarText()) })
}

// mapped are the items of a list in words.
func mapped(list []*schema.Node, f func(*schema.Node) string) (out []string) {
	for _, n := range list {
		out = append(out, f(n))
	}
	return out
}

func (c *chart) feedback() {
	if o := c.doc.Root.Get("optimization_strategy"); o != nil {
		c.node("optimizer", "OPT", "Optimize: "+o.Get("type").ScalarText(), "at most "+o.Get("max_steps").ScalarText()+" steps")
		if target := o.Get("config").Get("refinement_target").ScalarText(); target != "" {
			c.back("OPT", ref(target), "")
		}
	}
	for _, f := range items(c.doc.Root, "feedback_channels") {
		text := f.Get("id").ScalarText()
		if when := f.Get("when").ScalarText(); when != "" {
			text += ": " + when
		}
		c.back(ref(f.Get("source").ScalarText()), ref(f.Get("destination").ScalarText()), text)
	}
}

// endings draws one node for each outcome, after all judges.
func (c *chart) endings() {
	stops := c.doc.Root.Get("termination_conditions")
	var met, failed, stalled []string
	for _, s := range items(stops, "success") {
		text := s.Get("metric").ScalarText() + " " + s.Get("operator").ScalarText() + " " + s.Get("value").ScalarText()
		if n := s.Get("consecutive").ScalarText(); n != "" && n != "1" {
			text += ", " + n + " times"
		}
		met = append(met, text)
	}
	for _, f := range items(stops, "failure") {
		failed = append(failed, strings.TrimSpace(f.Get("type").ScalarText()+" "+f.Get("value").ScalarText()))
	}
	for _, s := range items(stops, "stall") {
		stalled = append(stalled, fmt.Sprintf("%s gains less than %s in %s", s.Get("metric").ScalarText(), s.Get("min_improvement").ScalarText(), s.Get("window_iterations").ScalarText()))
	}
	c.node("decision", "DONE", "Does it end?")
	last := mapped(items(c.doc.Root, "evaluators"), func(e *schema.Node) string { return "E_" + slug(e.Get("id").ScalarText()) })
	if len(last) == 0 {
		last = c.judged("*")
	}
	for _, id := range last {
		c.then(id, "DONE")
	}
	for _, end := range []struct {
		id, name string
		texts    []string
	}{{"MET", "Met", met}, {"FAILED", "Failed", failed}, {"STALLED", "Stalled", stalled}} {
		if len(end.texts) > 0 {
			c.node("end", end.id, append([]string{end.name}, end.texts...)...)
			c.then("DONE", end.id)
		}
	}
	for _, w := range items(c.doc.Root, "workers") {
		if len(items(w, "depends_on")) == 0 {
			c.back("DONE", "W_"+slug(w.Get("id").ScalarText()), "next iteration")
		}
	}
}

// composed draws the children of a composition and what is carried between them.
func (c *chart) composed() {
	comp := c.doc.Root.Get("composition")
	name := comp.Get("type").ScalarText() + " composition"
	c.line("subgraph COMPOSITION[%s]", label(name))
	whole := schema.LoopNode{Kind: "composition", ID: "COMPOSITION", Lines: []string{name}} // as data it is one node
	for _, child := range items(comp, "children") {
		whole.Lines = append(whole.Lines, child.Get("id").ScalarText()+" ("+child.Get("role").ScalarText()+")")
		c.line("    C_%s[[%s]]", slug(child.Get("id").ScalarText()), label(child.Get("id").ScalarText(), child.Get("role").ScalarText()))
	}
	for _, a := range items(comp, "adapters") {
		from, okFrom := childOf(a.Get("from").ScalarText())
		to, okTo := childOf(a.Get("to").ScalarText())
		if okFrom && okTo {
			c.line("    C_%s --> C_%s", slug(from), slug(to))
		}
	}
	c.line("end")
	c.nodes = append(c.nodes, whole)
	if workers := items(c.doc.Root, "workers"); len(workers) > 0 {
		c.back("W_"+slug(workers[0].Get("id").ScalarText()), whole.ID, "runs")
	}
	if strategy := comp.Get("merge").Get("strategy").ScalarText(); strategy != "" {
		c.node("merge", "MERGE", "Merge: "+strategy)
		c.then(whole.ID, "MERGE")
	}
}
