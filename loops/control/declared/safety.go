package declared

import (
	"maps"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/spec"
)

// enforced says of a type of constraint at which scopes it is enforced, with which actions,
// and which keys of its configuration are read.
type enforced struct {
	scopes, actions, keys []string
	// instead is what to do if the runner can't enforce the type at all.
	instead string
}

var constraints = map[string]enforced{
	loops.GuardSecrets:   {scopes: []string{"pre_worker", "post_worker", "pre_output", "pre_memory_write", "pre_evaluator"}, actions: []string{"halt", "quarantine", "escalate_human", "warn", "strip"}, keys: []string{"entropy_threshold"}},
	loops.GuardInjection: {scopes: []string{"pre_worker", "post_worker", "pre_evaluator", "pre_memory_write"}, actions: []string{"halt", "quarantine", "escalate_human", "warn", "strip"}, keys: []string{"max_risk_score"}},
	loops.GuardBounds:    {scopes: []string{"post_worker", "pre_evaluator", "pre_memory_write"}, actions: []string{"halt", "quarantine", "escalate_human", "warn"}, keys: []string{"max_bytes", "max_chars", "max_tokens", "max_files"}},
	loops.GuardSchema:    {scopes: []string{"post_worker", "pre_evaluator", "pre_memory_write"}, actions: []string{"halt", "quarantine", "escalate_human", "warn"}, keys: []string{"required"}},
	loops.GuardPerson:    {scopes: []string{"pre_worker", "post_worker", "pre_evaluator", "pre_output"}, actions: []string{"escalate_human", "halt"}},
	"tool_allowlist":     {instead: "the tools of an agent's program can't be limited from here; remove it, and set its permissions in the agent's own settings"},
	"egress_monitor":     {instead: "the sandbox does not hold network traffic; run the loop in a container without network, and remove it"},
	"pii_detect":         {instead: "personal data is not detected; remove it, or check for it with a deterministic evaluator"},
	"tenant_isolation":   {instead: "a run has one repository and no tenants; remove it"},
	"rate_limit":         {instead: "calls are not counted by time; bound them with max_iterations and cost_limits, and remove it"},
}

func (c *converter) safety() {
	for i := range c.spec.Safety {
		r := &c.spec.Safety[i]
		place := func(key string) []any { return at("safety_constraints", i, key) }
		how := constraints[r.Type]
		switch {
		case how.instead != "":
			c.refuse(place("type"), "constraint %s: %s can't be enforced: %s", r.ID, r.Type, how.instead)
			continue
		case !slices.Contains(how.scopes, r.Scope):
			c.refuse(place("scope"), "constraint %s: %s can't be enforced at %s; use %s", r.ID, r.Type, r.Scope, strings.Join(how.scopes, ", "))
		case !slices.Contains(how.actions, r.Action):
			c.refuse(place("action"), "constraint %s: %s can't do %s; use %s", r.ID, r.Type, r.Action, strings.Join(how.actions, ", "))
		}
		if r.Rule != "" {
			c.refuse(place("rule"), "constraint %s: a rule in words can't be enforced; use config, or an evaluator with a rubric", r.ID)
		}
		for _, k := range slices.Sorted(maps.Keys(r.Config)) {
			if !slices.Contains(how.keys, k) {
				c.refuse(append(place("config"), k), "constraint %s: %s has no %q here; use %s", r.ID, r.Type, k, orNothing(how.keys))
			}
		}
		c.constraint(r, place)
	}
	c.guardInputs()
}

func orNothing(keys []string) string {
	if len(keys) == 0 {
		return "no config"
	}
	return strings.Join(keys, ", ")
}

// constraint takes over a constraint. Secrets are held by the runner's own rules, which stop
// the loop wherever one appears: that is more than any constraint asks.
func (c *converter) constraint(r *spec.Constraint, place func(string) []any) {
	if r.Type == loops.GuardSecrets {
		c.advise("constraint %s: a secret always stops the loop, by the runner's own rules", r.ID)
		return
	}
	out := loops.SafetyRule{ID: r.ID, Kind: r.Type, Scope: r.Scope, Action: loops.Consequence(r.Action)}
	if len(r.AppliesTo) > 0 && !slices.Contains(r.AppliesTo, "*") {
		out.Workers = r.AppliesTo
	}
	value := func(key string) (float64, bool) {
		switch v := r.Config[key].(type) {
		case float64:
			return v, true
		case nil:
			return 0, false
		}
		c.refuse(append(place("config"), key), "constraint %s: %s is not a number", r.ID, key)
		return 0, false
	}
	switch r.Type {
	case loops.GuardInjection:
		out.Risk = 0.7
		if v, ok := value("max_risk_score"); ok {
			out.Risk = v
		}
	case loops.GuardBounds:
		for key, bytes := range map[string]float64{"max_bytes": 1, "max_chars": 1, "max_tokens": bytesPerToken} {
			if v, ok := value(key); ok {
				out.Bytes = int(v * bytes)
			}
		}
		files, _ := value("max_files")
		if out.Files = int(files); out.Bytes == 0 && out.Files == 0 {
			c.refuse(place("type"), "constraint %s bounds nothing; set config: {max_bytes: N} or {max_files: N}", r.ID)
		}
	case loops.GuardSchema:
		list, _ := r.Config["required"].([]any)
		for _, k := range list {
			if text, ok := k.(string); ok {
				out.Keys = append(out.Keys, text)
			}
		}
	}
	c.out.Safety = append(c.out.Safety, out)
}

// guardInputs holds the inputs of the caller against what guards prompts.
func (c *converter) guardInputs() {
	for _, r := range c.out.Safety {
		if r.Kind != loops.GuardInjection {
			continue
		}
		for i, in := range c.out.Inputs {
			if loops.InjectionRisk(in.Text) <= r.Risk {
				continue
			}
			switch r.Action {
			case loops.Strip:
				c.out.Inputs[i].Text = loops.StripInjection(in.Text)
				c.advise("lines of input %s that read like instructions are removed", in.Name)
			case loops.Warn:
				c.advise("input %s reads like instructions", in.Name)
			default:
				c.refuse(at("inputs", "schema", in.Name), "input %s reads like instructions to an agent (constraint %s); say it in other words", in.Name, r.ID)
			}
		}
	}
}
