package convert

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/loops/spec"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/yaml"
)

type shortKind struct {
	names          []string
	implementation string // a gate; "" is judged by a model, or by a person
	human          bool
}

// shortKinds are the evaluators of the short form by what they run.
var shortKinds = []shortKind{
	{[]string{"test_suite", "test_runner", "tests", "test", "unit_tests", "deterministic"}, "x_wiki", false},
	{[]string{"build", "compile", "compiler"}, "x_wiki.build", false},
	{[]string{"lint", "linter", "format", "type_check"}, "x_wiki.lint", false},
	{[]string{"links", "link_check", "wiki"}, "x_wiki.wiki", false},
	{[]string{"llm_rubric", "rubric", "llm", "quality", "llm_judge", "critic", "self_critique"}, "", false},
	{[]string{"human", "human_review", "approval"}, "", true},
	{[]string{commandKind, "shell", "script"}, "", false}, // which the evaluator names
}

// commandKind is an evaluator that is a command of its own.
const commandKind = "command"

// short reads a document in the short form.
type short struct {
	doc *spec.Document
	out draft
}

// FromShort makes a valid document of one in the short form of the introduction to
// the standard. What is missing there gets the defaults of the builder; what is
// there and has no counterpart is an error at its place.
func FromShort(d *spec.Document) (*spec.Document, error) {
	whole := []string{"inputs", "memory", "feedback_channels", "optimization_strategy", "metrics", "composition"}
	s := &short{doc: d, out: draft{
		Name: d.Name(), Version: version(d.Root.Get("version")), Objective: d.Root.Get("objective").ScalarText(), Input: "What the loop works on",
		Success: 0.8, Iterations: 8, Stall: 3, USD: 5,
	}}
	if s.out.Objective == "" {
		s.out.Objective = "Complete the task of " + s.out.Name + "."
	}
	for _, p := range d.Root.Pairs {
		if slices.Contains(whole, p.Key) {
			return nil, s.wrong(p.Key, "the short form has none; remove it, or write the whole form: 'wiki loop spec validate' lists what it lacks")
		}
	}
	for _, read := range []func() error{s.workers, s.evaluators, s.stops, s.limits, s.rules} {
		if err := read(); err != nil {
			return nil, err
		}
	}
	return s.out.document(d.Path)
}

// wrong is an error at a value.
func (s *short) wrong(path, format string, args ...any) error {
	at := s.doc.Position(strings.Split(path, "."))
	return fmt.Errorf("%s:%d:%d: %s: %s", s.doc.Path, at.Line, at.Column, path, fmt.Sprintf(format, args...))
}

// version makes a semantic version of one or two numbers.
func version(n *schema.Node) string {
	v := n.ScalarText()
	for range 2 - min(2, strings.Count(v, ".")) {
		v += ".0"
	}
	if n == nil {
		return "1.0.0"
	}
	return v
}

func number(n *schema.Node) (f float64, ok bool) {
	ok = n != nil && (n.Kind == schema.KindInt || n.Kind == schema.KindFloat) && len(yaml.Decode(n, &f)) == 0
	return f, ok
}

func (s *short) workers() error {
	for i, w := range s.doc.Root.Get("workers").Elements() {
		role := cmp.Or(w.Get("role").ScalarText(), w.Get("id").ScalarText())
		if role == "" {
			return s.wrong("workers."+strconv.Itoa(i), "has no role; add role: and what it does")
		}
		name := cmp.Or(w.Get("id").ScalarText(), role)
		if policy := w.Get("policy").ScalarText(); policy != "" {
			role += ": " + policy
		}
		one := worker{Role: role, Format: "text", Model: ours("maker")}
		one.ID = id(name, func(id string) bool {
			return slices.ContainsFunc(s.out.Workers, func(w worker) bool { return w.ID == id })
		})
		if m := w.Get("model"); m.Get("name") != nil {
			one.Model = spec.Model{Provider: m.Get("provider").ScalarText(), Name: m.Get("name").ScalarText()}
		}
		if i > 0 {
			one.After = s.out.Workers[i-1].ID
		}
		s.out.Workers = append(s.out.Workers, one)
	}
	if len(s.out.Workers) == 0 {
		s.out.Workers = []worker{{ID: "worker", Role: "Carry out the objective", Format: "text", Model: ours("maker")}}
	}
	return nil
}

func (s *short) evaluators() error {
	for i, e := range s.doc.Root.Get("evaluators").Elements() {
		kind := e.Get("type").ScalarText()
		at := slices.IndexFunc(shortKinds, func(k shortKind) bool { return slices.Contains(k.names, kind) })
		if at < 0 {
			return s.wrong(fmt.Sprintf("evaluators.%d.type", i), "%q is no known evaluator: use test_suite, build, lint, command, rubric or human", kind)
		}
		name := cmp.Or(e.Get("id").ScalarText(), kind)
		one := evaluator{Type: spec.Deterministic, Implementation: shortKinds[at].implementation, Threshold: 0.8, Model: ours("checker")}
		one.ID = id(name, func(id string) bool {
			return slices.ContainsFunc(s.out.Evaluators, func(e evaluator) bool { return e.ID == id })
		})
		for _, key := range []string{commandKind, "implementation"} {
			if own := e.Get(key).ScalarText(); own != "" {
				one.Implementation = own
			}
		}
		if c := e.Get("pass_condition").ScalarText(); c != "" && strings.ReplaceAll(c, " ", "") != "exit_code==0" {
			return s.wrong(fmt.Sprintf("evaluators.%d.pass_condition", i), "%q can't be checked: a command passes by exit_code == 0", c)
		}
		if one.Implementation == "" && shortKinds[at].names[0] == commandKind {
			return s.wrong(fmt.Sprintf("evaluators.%d", i), "has no command; add command: and what to run")
		}
		switch {
		case shortKinds[at].human:
			one.Type = spec.Human
		case one.Implementation == "":
			one.Type, one.Criteria = spec.LLMRubric, "The result meets the objective"
			if t, ok := number(e.Get("threshold")); ok {
				one.Threshold, s.out.Success = t, t
			}
		}
		s.out.Evaluators = append(s.out.Evaluators, one)
	}
	if len(s.out.Evaluators) == 0 {
		s.out.Evaluators = []evaluator{{ID: "quality_rubric", Type: spec.LLMRubric, Criteria: "The result meets the objective", Threshold: 0.8, Model: ours("checker")}}
	}
	return nil
}

// limit sets a limit of the draft by the name that it has among the conditions or
// the cost limits, and reports whether there is one of the name.
func (d *draft) limit(name string, value float64) bool {
	switch name {
	case "quality_threshold":
		d.Success = value
	case "max_iterations":
		d.Iterations = int(value)
	case "timeout":
		d.Seconds = int(value)
	case "max_cost_usd", "cumulative_usd":
		d.USD = value
	case "per_iteration_usd":
		d.Each = value
	case "max_total_tokens", "max_tokens", "token_soft_cap":
		d.Tokens = int(value)
	case "stall", "no_improvement":
		d.Stall = int(value)
	default:
		return false
	}
	return true
}

// stops reads the list of conditions: all that ends the loop, in any order.
func (s *short) stops() error {
	for i, c := range s.doc.Root.Get("termination_conditions").Elements() {
		kind, path := c.Get("type").ScalarText(), fmt.Sprintf("termination_conditions.%d", i)
		value, given := number(c.Get("value"))
		if t, ok := number(c.Get("threshold")); ok && !given {
			value, given = t, true
		}
		switch kind {
		case "all_tests_pass", "goal_met":
			s.out.Success = 1
			continue
		case "safety_violation", "cost_exceeded", "evaluator_error", "human_rejected": // which every document gets, or its gates hold
			continue
		case "stall", "no_improvement":
			if !given {
				value, given = 3, true
			}
		}
		known := s.out
		switch {
		case !known.limit(kind, value):
			return s.wrong(path+".type", "%q is no known condition: use all_tests_pass, quality_threshold, max_iterations, timeout, stall or max_cost_usd", kind)
		case !given:
			return s.wrong(path, "%s has no value; add value: and a number", kind)
		}
		s.out = known
	}
	return nil
}

// limits reads what the older form says about cost.
func (s *short) limits() error {
	if limits := s.doc.Root.Get("cost_limits"); limits != nil {
		for _, p := range limits.Pairs {
			if v, ok := number(p.Value); ok && !s.out.limit(p.Key, v) {
				return s.wrong("cost_limits."+p.Key, "%q is no known limit: use max_cost_usd, max_total_tokens or max_iterations", p.Key)
			}
		}
	}
	return nil
}

// rules puts constraints in words into the objective: agents read them there, and nothing
// says that they are enforced.
func (s *short) rules() error {
	for i, c := range s.doc.Root.Get("safety_constraints").Elements() {
		rule := cmp.Or(c.Get("rule").ScalarText(), c.ScalarText())
		if rule == "" {
			return s.wrong(fmt.Sprintf("safety_constraints.%d", i), "has no rule; add rule: and what must hold")
		}
		s.out.Objective += "\nConstraint: " + rule
	}
	return nil
}
