package schemas

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestEverySchemaCompiles(t *testing.T) {
	t.Parallel()
	entries, err := files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".schema.json")
		if !ok {
			t.Errorf("%s is no NAME.schema.json", e.Name())
			continue
		}
		Validate(name, map[string]any{}) // panics if it does not
	}
	if len(entries) < 2 {
		t.Errorf("only %d schemas", len(entries))
	}
}

func TestFaultsSayWhereAndWhatWasExpected(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ at, value, want string }{
		{"objective", `7`, `objective: found a number: expected text`},
		{"objective", `"short"`, `objective: 5 characters long: expected at least 10`},
		{"loop_name", `"` + strings.Repeat("a", 70) + `"`, `loop_name: 70 characters long: expected at most 64`},
		{"loop_name", `"A-1"`, `loop_name: "A-1" does not match ^[a-z][a-z0-9-]*$`},
		{"memory", `{"type": "own", "to": 1}`, `memory: unknown key "to"; memory.type: "own" is not one of "ephemeral", "session", "persistent"`},
		{"memory", `{"type": "persistent", "backend": null}`, `memory.backend: this value is not allowed here`},
		{"workers", `[]`, `workers: 0 items: expected at least 1`},
		{"inputs", `{"schema": {}}`, `inputs.schema: 0 keys: expected at least 1`},
		{"cost_limits", `{"per_iteration_usd": -1, "cumulative_usd": 1, "on_exceed": {"action": "halt"}, "token_soft_cap": 1.5}`,
			`cost_limits.per_iteration_usd: -1 is too small: expected at least 0; cost_limits.token_soft_cap: found a number: expected a whole number`},
		{"safety_constraints", `[{"id": "a", "type": "rate_limit", "scope": "pre_worker", "action": "halt", "applies_to": ["a", "a"]}]`,
			`safety_constraints.0.applies_to: items 0 and 1 are equal: expected each once`},
		{"evaluators", `[{"id": "a", "type": "deterministic", "runs_after": [], "also": 1}]`,
			`evaluators.0: fits no alternative; implementation is missing; unknown key "also"; runs_after: 0 items: expected at least 1`},
		{"evaluators", `["links"]`, `evaluators.0: fits no alternative; found text: expected a map`},
		{"termination_conditions", `{}`, `termination_conditions: fits no alternative; success is missing; or failure is missing; or stall is missing`},
	} {
		var value any
		if err := json.Unmarshal([]byte(c.value), &value); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range Validate("lss-1.0", map[string]any{c.at: value}) {
			if len(f.At) > 0 {
				got = append(got, f.String())
			}
		}
		if all := strings.Join(got, "; "); all != c.want {
			t.Errorf("%s = %s\n got %s\nwant %s", c.at, c.value, all, c.want)
		}
	}
}

func TestFaultsAreInOrderOfPlace(t *testing.T) {
	t.Parallel()
	workers := make([]any, 12)
	var got []string
	for _, f := range Validate("lss-1.0", map[string]any{"workers": workers, "inputs": 1}) {
		got = append(got, f.Path())
	}
	all := strings.Join(got, " ")
	if !strings.HasPrefix(all, "(root) ") || !strings.HasSuffix(all, "inputs workers.0 workers.1 workers.2 workers.3 workers.4 workers.5 workers.6 workers.7 workers.8 workers.9 workers.10 workers.11") {
		t.Error(all)
	}
}
