package declared

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/spec"
)

func seconds(n int) loops.Duration { return loops.Duration(time.Duration(n) * time.Second) }

// memory takes over the rules of memory. The standard gives a persistent memory only stores
// that are services, of which there is none here.
func (c *converter) memory() {
	m := &c.spec.Memory
	out := &c.out.Memory
	switch {
	case m.Type == "persistent":
		c.refuse(at("memory", "type"), "a memory in %s is a service that the runner does not have; use type: session, and let a worker write what must last into the wiki", m.Backend)
	case m.Backend != "":
		c.refuse(at("memory", "backend"), "%s is a service that the runner does not have; remove backend: the memory is kept in the journal of the run", m.Backend)
	}
	out.Session = m.Type == "session"
	if r := m.Retention; r != nil {
		switch r.Unit {
		case "iteration":
			out.Iterations = int(r.Value)
		case "hour":
			out.Age = loops.Duration(r.Value * float64(time.Hour))
		case "day":
			out.Age = loops.Duration(r.Value * 24 * float64(time.Hour))
		}
	}
	if p := m.WritePolicy; p != nil {
		out.Most = p.MaxEntries
		if !slices.Contains(p.AllowedWriters, "*") {
			out.Writers = p.AllowedWriters
		}
		for i, w := range p.AllowedWriters {
			if known := w == "*" || w == loops.MemoryOfLoop || slices.ContainsFunc(c.spec.Workers, func(o spec.Worker) bool { return o.ID == w }); !known {
				c.refuse(at("memory", "write_policy", "allowed_writers", i), "%q writes no memory; name workers, optimization_strategy or *", w)
			}
		}
		if p.Schema != "" {
			c.refuse(at("memory", "write_policy", "schema"), "entries can't be checked against a schema; remove it")
		}
	}
	if len(m.Redaction) > 0 {
		c.refuse(at("memory", "redaction"), "the runner removes secrets by its own rules and knows no others; remove redaction, or list values under loops: secrets: in wiki.yaml")
	}
}

// mayRead refuses a worker that reads what the policy does not let it read.
func (c *converter) mayRead(place []any, worker, key string) {
	policy := c.spec.Memory.ReadPolicy
	if len(policy) == 0 {
		return
	}
	allowed := append(slices.Clone(policy[worker]), policy["*"]...)
	if !slices.Contains(allowed, key) && !slices.Contains(allowed, "*") {
		c.refuse(place, "worker %s reads memory.%s, which read_policy does not allow; add read_policy: {%s: [%s]}", worker, key, worker, key)
	}
}

// telemetry are the metrics that the runner measures, by what a source calls them.
var telemetry = map[string]string{
	"cost": "cost", "cost_usd": "cost", "tokens": "tokens", "token_count": "tokens", "iterations": "iterations", "iteration_count": "iterations",
	"latency": "latency", "iteration_latency": "latency", "safety": "safety", "safety_trigger_rate": "safety",
}

func (c *converter) metrics() {
	for i, m := range c.spec.Metrics {
		kind, id, _ := strings.Cut(m.Source, ".")
		out := loops.Measure{Name: m.Name, Primary: m.Primary, Lower: c.lower(m.Name)}
		used := m.Primary || c.decides(m.Name)
		switch {
		case kind == "evaluators":
			out.Evaluator = id
		case kind == "telemetry" && telemetry[id] != "":
			out.Telemetry = telemetry[id]
		case used && kind == "workers":
			c.refuse(at("metrics", i, "source"), "%s would be a worker's own word; take it from an evaluator", m.Name)
		case used:
			c.refuse(at("metrics", i, "source"), "%s is not measured; use telemetry.%s", m.Source, strings.Join(slices.Sorted(maps.Keys(telemetry)), ", telemetry."))
		default:
			c.advise("metric %s (%s) is not measured", m.Name, m.Source)
			continue
		}
		c.out.Metrics = append(c.out.Metrics, out)
	}
}

// decides reports whether a metric ends the loop.
func (c *converter) decides(metric string) bool {
	t := &c.spec.Termination
	return slices.ContainsFunc(t.Success, func(s spec.Success) bool { return s.Metric == metric }) ||
		slices.ContainsFunc(t.Stall, func(s spec.Stall) bool { return s.Metric == metric })
}

// lower reports whether less of a metric is better: success is at most a value.
func (c *converter) lower(metric string) bool {
	return slices.ContainsFunc(c.spec.Termination.Success, func(s spec.Success) bool {
		return s.Metric == metric && (s.Operator == "lte" || s.Operator == "lt")
	})
}

func (c *converter) termination() {
	t := &c.spec.Termination
	for _, s := range t.Success {
		c.out.Success = append(c.out.Success, loops.Threshold{Metric: s.Metric, Operator: s.Operator, Value: s.Value, Consecutive: max(1, s.Consecutive)})
	}
	for i, f := range t.Failure {
		out := loops.FailureRule{Kind: loops.FailureKind(f.Type), Action: consequence(f.Action), Consecutive: max(1, f.Consecutive)}
		if f.Value != nil {
			out.Value = *f.Value
		}
		place := at("termination_conditions", "failure", i)
		if slices.ContainsFunc(c.out.Failure, func(o loops.FailureRule) bool { return o.Kind == out.Kind }) {
			c.refuse(place, "there are two rules for %s; keep one", f.Type)
		}
		ends := out.Kind == loops.MaxIterations || out.Kind == loops.CostExceeded || out.Kind == loops.TimedOut && out.Value > 0
		if ends && out.Action == loops.Retry {
			c.refuse(place, "%s can't be answered by another iteration; use halt or escalate_human", f.Type)
		}
		counted := out.Kind == loops.EvaluatorError || out.Kind == loops.SafetyViolation || out.Kind == loops.HumanRejected
		if out.Consecutive > 1 && !counted {
			c.refuse(place, "%s happens once; remove consecutive", f.Type)
		}
		c.out.Failure = append(c.out.Failure, out)
	}
	for i, s := range t.Stall {
		out := loops.StallRule{Metric: s.Metric, Window: s.WindowIterations, Least: s.MinImprovement, Action: consequence(s.Action)}
		if !slices.Contains([]loops.Consequence{loops.Halt, loops.AskPerson, loops.Retry}, out.Action) {
			c.refuse(at("termination_conditions", "stall", i, "action"), "unknown action %q; use halt, escalate_human or retry_iteration", s.Action)
		}
		c.out.Stall = append(c.out.Stall, out)
	}
}

func consequence(action string) loops.Consequence {
	if action == "" {
		return loops.Halt
	}
	return loops.Consequence(action)
}

func (c *converter) optimisation() {
	s := &c.spec.Strategy
	out := &c.out.Optimise
	out.Kind, out.Steps = s.Type, s.MaxSteps
	place := func(key string) []any { return at("optimization_strategy", "config", key) }
	for _, target := range append([]string{s.Config.RefinementTarget}, s.Config.SecondaryTargets...) {
		if _, id, ok := strings.Cut(target, "."); ok {
			out.Targets = append(out.Targets, id)
		}
	}
	if s.Type == loops.RefinePrompt && len(out.Targets) == 0 {
		for _, w := range c.spec.Workers {
			out.Targets = append(out.Targets, w.ID)
		}
	}
	if s.Type == "parameter_search" {
		c.refuse(at("optimization_strategy", "type"), "parameters of models can't be passed to agents, so there is nothing to search; use prompt_refinement")
	}
	if len(s.Config.SearchSpace) > 0 && s.Type != "parameter_search" {
		c.refuse(place("search_space"), "only parameter_search has a search space; remove it")
	}
	if s.Type == loops.UpdateMemory && c.spec.Memory.Type != "session" {
		c.refuse(at("optimization_strategy", "type"), "memory_update needs a memory that lasts; use memory: {type: session}")
	}
	if len(s.Config.HumanGateOn) > 0 {
		c.refuse(place("human_gate_on"), "the runner does not know these conditions; add a safety constraint of the type human_gate")
	}
	for key := range c.otherConfig() {
		c.refuse(place(key), "unknown key %q of the strategy; remove it", key)
	}
	if r := s.Rollback; r != nil {
		out.Drop, out.OnSafety = r.OnMetricDrop, r.OnSafetyFailure
	}
}

// strategyKeys are the keys of a strategy's configuration that mean something.
// preserve_sections always holds: a refinement adds to a prompt and changes nothing of it.
var strategyKeys = []string{"refinement_target", "secondary_targets", "preserve_sections", "human_gate_on", "search_space"}

// otherConfig returns the keys that nobody knows.
func (c *converter) otherConfig() map[string]any {
	strategy, _ := c.doc.Value["optimization_strategy"].(map[string]any)
	config, _ := strategy["config"].(map[string]any)
	out := maps.Clone(config)
	for _, k := range strategyKeys {
		delete(out, k)
	}
	return out
}
