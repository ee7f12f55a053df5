package spec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// Part is one line of an explanation: a symbol or a phase, and what of the document
// it is.
type Part struct {
	Symbol string   `json:"symbol"`
	Name   string   `json:"name"`
	What   []string `json:"what"`
}

// Explanation describes a document by the formal loop and by the five phases of
// building one.
type Explanation struct {
	Loop     []Part   `json:"loop" jsonschema:"the loop as (S, A, O, T, E, M, tau)"`
	Phases   []Part   `json:"phases" jsonschema:"Design, Diagnose, Measure, Improve, Scale"`
	Hint     Hint     `json:"hint"`
	Workload Workload `json:"workload"`
}

// Explain describes the document in words.
func (d *Document) Explain() Explanation {
	return Explanation{d.formal(), d.phases(), d.SuggestLevel(), d.Workload()}
}

// formal is the loop as a tuple of its parts.
func (d *Document) formal() []Part {
	r := d.Root
	return []Part{
		{"S", "state", d.state()},
		{"A", "actions", mapped(items(r, "workers"), func(w *schema.Node) string {
			return textOf(w.Get("id")) + ": " + textOf(w.Get("role"))
		})},
		{"O", "observations", mapped(items(r, "feedback_channels"), func(c *schema.Node) string {
			return textOf(c.Get("source")) + " to " + textOf(c.Get("destination")) + when(c)
		})},
		{"T", "transitions", append(d.sequence(), d.optimisation()...)},
		{"E", "evaluators", mapped(items(r, "evaluators"), judgement)},
		{"M", "memory", d.memory()},
		{"τ", "termination", d.stops()},
	}
}

// mapped are the items of a list in words.
func mapped(list []*schema.Node, f func(*schema.Node) string) []string {
	out := []string{}
	for _, n := range list {
		out = append(out, f(n))
	}
	return out
}

func when(c *schema.Node) string {
	if w := textOf(c.Get("when")); w != "" {
		return ", when " + w
	}
	return ""
}

func judgement(e *schema.Node) string {
	id, after := textOf(e.Get("id")), strings.Join(names(e.Get("runs_after")), ", ")
	switch textOf(e.Get("type")) {
	case Deterministic:
		return fmt.Sprintf("%s runs %s after %s", id, textOf(e.Get("implementation")), after)
	case LLMRubric:
		return fmt.Sprintf("%s: %s judges %d dimensions after %s, and passes at %s", id, textOf(e.Get("model").Get("name")),
			len(items(e, "rubric", "dimensions")), after, textOf(e.Get("rubric").Get("pass_threshold")))
	case Human:
		return fmt.Sprintf("%s: a person judges after %s, within %s seconds", id, after, textOf(e.Get("timeout_seconds")))
	}
	return id
}

func names(n *schema.Node) (out []string) {
	for _, it := range n.Scalars() {
		if it.Text == "*" {
			out = append(out, "every worker")
		} else {
			out = append(out, it.Text)
		}
	}
	return out
}

func (d *Document) state() []string {
	out := []string{}
	if fields := d.Root.Get("inputs").Get("schema"); fields != nil {
		for _, p := range fields.Pairs {
			out = append(out, "inputs."+p.Key+": "+textOf(p.Value.Get("description")))
		}
	}
	for _, w := range items(d.Root, "workers") {
		out = append(out, textOf(w.Get("outputs").Get("name"))+" of "+textOf(w.Get("id")))
	}
	return out
}

// sequence are the workers in the order in which they run.
func (d *Document) sequence() []string {
	var steps []string
	for _, w := range items(d.Root, "workers") {
		step := textOf(w.Get("id"))
		if after := names(w.Get("depends_on")); len(after) > 0 {
			step += " after " + strings.Join(after, ", ")
		}
		steps = append(steps, step)
	}
	if len(steps) == 0 {
		return []string{}
	}
	return []string{"an iteration runs " + strings.Join(steps, "; ")}
}

func (d *Document) optimisation() (out []string) {
	o := d.Root.Get("optimization_strategy")
	if o == nil {
		return nil
	}
	what := fmt.Sprintf("between iterations: %s, at most %s steps", textOf(o.Get("type")), textOf(o.Get("max_steps")))
	if t := textOf(o.Get("config").Get("refinement_target")); t != "" {
		what += ", of " + t
	}
	out = append(out, what)
	if drop := textOf(o.Get("rollback").Get("on_metric_drop")); drop != "" {
		out = append(out, "a step is undone when the primary metric drops by "+drop)
	}
	return out
}

func (d *Document) memory() []string {
	m := d.Root.Get("memory")
	switch kind := textOf(m.Get("type")); kind {
	case "":
		return []string{}
	case "ephemeral":
		return []string{"nothing is kept"}
	default:
		what := kind
		if b := textOf(m.Get("backend")); b != "" {
			what += " in " + b
		}
		if r := m.Get("retention"); r != nil {
			n, _ := strconv.Atoi(textOf(r.Get("value")))
			what += fmt.Sprintf(", for %s %s", textOf(r.Get("value")), plural(n, textOf(r.Get("unit"))))
		}
		return []string{what}
	}
}

func plural(n int, unit string) string {
	if n == 1 {
		return unit
	}
	return unit + "s"
}

func (d *Document) stops() []string {
	stops := d.Root.Get("termination_conditions")
	out := mapped(items(stops, "success"), func(s *schema.Node) string {
		return fmt.Sprintf("met when %s %s %s", textOf(s.Get("metric")), textOf(s.Get("operator")), textOf(s.Get("value")))
	})
	for _, f := range items(stops, "failure") {
		out = append(out, strings.TrimSuffix("failed on "+strings.TrimSpace(textOf(f.Get("type"))+" "+textOf(f.Get("value")))+": "+textOf(f.Get("action")), ": "))
	}
	for _, s := range items(stops, "stall") {
		out = append(out, fmt.Sprintf("stalled when %s gains less than %s in %s iterations: %s", textOf(s.Get("metric")),
			textOf(s.Get("min_improvement")), textOf(s.Get("window_iterations")), textOf(s.Get("action"))))
	}
	return out
}

// phases are Design, Diagnose, Measure, Improve and Scale.
func (d *Document) phases() []Part {
	limits := d.Root.Get("cost_limits")
	money := []string{}
	if all := textOf(limits.Get("cumulative_usd")); all != "" {
		money = append(money, fmt.Sprintf("at most $%s an iteration and $%s in all, then %s", textOf(limits.Get("per_iteration_usd")), all, textOf(limits.Get("on_exceed").Get("action"))))
	}
	if kind := textOf(d.Root.Get("composition").Get("type")); kind != "" {
		money = append(money, fmt.Sprintf("%s composition of %s", kind, strings.Join(mapped(items(d.Root, "composition", "children"), func(c *schema.Node) string { return textOf(c.Get("id")) }), ", ")))
	}
	return []Part{
		{"D", "Design", []string{strings.TrimSpace(textOf(d.Root.Get("objective")))}},
		{"D", "Diagnose", d.diagnosis()},
		{"M", "Measure", mapped(items(d.Root, "metrics"), func(m *schema.Node) string {
			what := fmt.Sprintf("%s (%s) from %s: %s", textOf(m.Get("name")), textOf(m.Get("unit")), textOf(m.Get("source")), textOf(m.Get("definition")))
			if textOf(m.Get("primary")) == "true" {
				what += " [primary]"
			}
			return what
		})},
		{"I", "Improve", append([]string{}, d.optimisation()...)},
		{"S", "Scale", money},
	}
}

// diagnosis names the failure codes that the form of the document leaves open.
func (d *Document) diagnosis() []string {
	r, out := d.Root, []string{}
	found := map[string]bool{}
	for _, f := range d.Semantic(nil) {
		found[f.ID] = true
	}
	feeds := slices.ContainsFunc(items(r, "feedback_channels"), func(c *schema.Node) bool { return strings.HasPrefix(textOf(c.Get("destination")), "workers.") })
	open := map[string]bool{
		"F1": !feeds, "F2": d.selfGraded(), "F4": found["unbounded"], "F7": len(items(r, "termination_conditions", "stall")) == 0,
		"F8": textOf(r.Get("cost_limits").Get("on_exceed").Get("action")) != "halt", "F10": found["dependency-cycle"], "F12": len(items(r, "safety_constraints")) == 0,
	}
	for _, f := range FailureCodes {
		if open[f.Code] {
			out = append(out, fmt.Sprintf("%s %s: %s", f.Code, f.Slug, f.Meaning))
		}
	}
	return out
}

// selfGraded reports whether all that judges the loop is the model that works.
func (d *Document) selfGraded() bool {
	model := func(n *schema.Node) string {
		return textOf(n.Get("model").Get("provider")) + "/" + textOf(n.Get("model").Get("name"))
	}
	workers, judges := mapped(items(d.Root, "workers"), model), items(d.Root, "evaluators")
	return len(judges) > 0 && !slices.ContainsFunc(judges, func(e *schema.Node) bool {
		return e.Get("model") == nil || !slices.Contains(workers, model(e))
	})
}
