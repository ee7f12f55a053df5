package schema

import (
	"fmt"
	"time"
)

// LoopsConfig is about the loops of agents.
type LoopsConfig struct {
	Roles     map[string]LoopRole  `yaml:"roles" json:"roles,omitempty" jsonschema:"which agent plays which role: maker, checker, goal-checker, auditor, planner, writer, classifier, reader"`
	Gates     LoopGates            `yaml:"gates" json:"gates,omitzero" jsonschema:"the ordinary commands of the repository, run by a shell; detected when absent"`
	Protect   []string             `yaml:"protect" json:"protect,omitempty" jsonschema:"globs that agents may not change, beside tests, test data, and the configuration of gates"`
	Timeouts  LoopTimeouts         `yaml:"timeouts" json:"timeouts,omitzero" jsonschema:"when a program is ended"`
	Budget    LoopBudget           `yaml:"budget" json:"budget,omitzero" jsonschema:"what a run may consume"`
	Estimate  LoopEstimate         `yaml:"estimate" json:"estimate,omitzero" jsonschema:"what is assumed of calls whose cost nobody says"`
	Prices    map[string]LoopPrice `yaml:"prices" json:"prices,omitempty" jsonschema:"prices of models, by the beginning of their names, for agents that say tokens and no cost"`
	Mode      string               `yaml:"mode" json:"mode,omitempty" jsonschema:"manual, shadow, draft or autonomous, as far as it is granted; default draft"`
	Worktrees string               `yaml:"worktrees" json:"worktrees,omitempty" jsonschema:"folder in which loop-<plan> is made, relative to the repository; default .."`
	Env       []string             `yaml:"env" json:"env,omitempty" jsonschema:"names of the environment variables that agents are given, beside a minimum"`
	Sandbox   string               `yaml:"sandbox" json:"sandbox,omitempty" jsonschema:"required refuses to run agents without a sandbox, none uses none: what agents do is found and undone afterwards; default best-effort"`
	// Connectors are by a name of the repository's own.
	Connectors map[string]LoopConnector `yaml:"connectors" json:"connectors,omitempty" jsonschema:"issue trackers that work may come from, by a name of your own"`
	Notify     string                   `yaml:"notify" json:"notify,omitempty" jsonschema:"command to run when a run ends; {status}, {iterations} and {stories} are replaced in its arguments"`
}

// LoopRole is the agent that plays a role.
type LoopRole struct {
	Agent   string   `yaml:"agent" json:"agent,omitempty" jsonschema:"claude, codex, opencode, gemini, copilot, aider, cursor, goose, amp or command"`
	Model   string   `yaml:"model" json:"model,omitempty" jsonschema:"the model, as the agent's program names it"`
	Argv    []string `yaml:"argv" json:"argv,omitempty" jsonschema:"the program of the agent command, with its arguments"`
	Timeout Timespan `yaml:"timeout" json:"timeout,omitempty" jsonschema:"longest call of this role"`
	USD     float64  `yaml:"usd" json:"usd,omitempty" jsonschema:"most money this role may spend in a run"`
}

// ConnectorKind is a kind of connector, and what wiki.yaml may say of it alone.
type ConnectorKind struct {
	Name string
	Keys []string // of [LoopConnector]
	// Writes are its tools that change something; nil when its server names them.
	Writes []string
}

// ConnectorKinds are all kinds. Who connects to one registers in loops/tracker.
var ConnectorKinds = []ConnectorKind{
	{"github", []string{"repository", "labels"}, []string{"comment", "label", "close"}},
	{"mcp", []string{"argv", "tools", "items"}, nil},
}

// LoopConnector is an issue tracker.
type LoopConnector struct {
	Kind       string            `yaml:"kind" json:"kind" jsonschema:"github, by the program gh, or mcp, by a server of the Model Context Protocol"`
	Repository string            `yaml:"repository" json:"repository,omitempty" jsonschema:"of github: owner/name, instead of the one that is checked out"`
	Labels     []string          `yaml:"labels" json:"labels,omitempty" jsonschema:"of github: labels that an issue must have, all of them"`
	Argv       []string          `yaml:"argv" json:"argv,omitempty" jsonschema:"of mcp: the program of the server, with its arguments"`
	Env        []string          `yaml:"env" json:"env,omitempty" jsonschema:"names of the environment variables that the program is given, beside a minimum"`
	Tools      []string          `yaml:"tools" json:"tools,omitempty" jsonschema:"of mcp: the tools that may be called, and no others"`
	Writes     []string          `yaml:"writes" json:"writes,omitempty" jsonschema:"tools that change something, which people call by 'wiki connector call' when they are approved: of github comment, label and close"`
	Items      LoopConnectorCall `yaml:"items" json:"items,omitzero" jsonschema:"of mcp: the call that lists the items of work"`
}

// LoopConnectorCall is a call of a tool.
type LoopConnectorCall struct {
	Tool      string            `yaml:"tool" json:"tool,omitempty" jsonschema:"one of tools"`
	Arguments map[string]string `yaml:"arguments" json:"arguments,omitempty" jsonschema:"what it is given; numbers and booleans become such where the tool wants them"`
}

// LoopGates are commands of a repository.
type LoopGates struct {
	Setup []string `yaml:"setup" json:"setup,omitempty" jsonschema:"commands that prepare a fresh copy, run once per lock file"`
	Build []string `yaml:"build" json:"build,omitempty" jsonschema:"commands that build"`
	Test  []string `yaml:"test" json:"test,omitempty" jsonschema:"commands that test"`
	Lint  []string `yaml:"lint" json:"lint,omitempty" jsonschema:"commands that check form and types"`
}

// LoopTimeouts say when a program is ended.
type LoopTimeouts struct {
	Progress Timespan `yaml:"progress" json:"progress,omitempty" jsonschema:"the worktree did not change for so long; default 10m"`
	Silence  Timespan `yaml:"silence" json:"silence,omitempty" jsonschema:"nothing was written for so long; default 5m"`
	Wall     Timespan `yaml:"wall" json:"wall,omitempty" jsonschema:"the call took so long; default 30m"`
	Gate     Timespan `yaml:"gate" json:"gate,omitempty" jsonschema:"a command of a gate took so long; default 5m"`
	Grace    Timespan `yaml:"grace" json:"grace,omitempty" jsonschema:"from asking a program to end to ending it; default 5s"`
	Backoff  Timespan `yaml:"backoff" json:"backoff,omitempty" jsonschema:"first wait for an overloaded vendor, which doubles; default 30s"`
}

// LoopBudget is what a run may consume. Zero means the default, where there is one.
type LoopBudget struct {
	USD          float64  `yaml:"usd" json:"usd,omitempty" jsonschema:"money of a run; default 5"`
	DayUSD       float64  `yaml:"day_usd" json:"day_usd,omitempty" jsonschema:"money of all runs of a day"`
	ChunkUSD     float64  `yaml:"chunk_usd" json:"chunk_usd,omitempty" jsonschema:"money of one chunk"`
	ChangeUSD    float64  `yaml:"change_usd" json:"change_usd,omitempty" jsonschema:"money that a change may cost which people accept, over the last ten runs; above it a loop goes a step back"`
	Tokens       int64    `yaml:"tokens" json:"tokens,omitempty" jsonschema:"tokens of a run, in and out; default 2000000"`
	Iterations   int      `yaml:"iterations" json:"iterations,omitempty" jsonschema:"calls of the maker in a run; default 20"`
	Attempts     int      `yaml:"attempts" json:"attempts,omitempty" jsonschema:"attempts at one chunk; default 3"`
	ToolCalls    int      `yaml:"tool_calls" json:"tool_calls,omitempty" jsonschema:"calls of tools in a run; refused for agents that do not say how many they make"`
	Clock        Timespan `yaml:"clock" json:"clock,omitempty" jsonschema:"time of a run, without waiting"`
	PullRequests int      `yaml:"pull_requests" json:"pull_requests,omitempty" jsonschema:"pull requests of a run, and of those that it takes up after it; default 2"`
}

// LoopEstimate is what is assumed of calls whose cost nobody says.
type LoopEstimate struct {
	USDPerCall float64 `yaml:"usd_per_call" json:"usd_per_call,omitempty" jsonschema:"default 0.25"`
}

// LoopPrice is of a million tokens.
type LoopPrice struct {
	Input  float64 `yaml:"input" json:"input" jsonschema:"USD of a million tokens that go in"`
	Output float64 `yaml:"output" json:"output" jsonschema:"USD of a million tokens that come out"`
}

// Timespan is a time as people write it: 90s, 10m, 1h30m. Zero is none given.
type Timespan time.Duration

// UnmarshalText reads what people write.
func (t *Timespan) UnmarshalText(text []byte) error {
	d, err := time.ParseDuration(string(text))
	if err != nil || d <= 0 {
		return fmt.Errorf("a time above 0, as in 90s, 10m, 1h30m")
	}
	*t = Timespan(d)
	return nil
}

// MarshalText writes it.
func (t Timespan) MarshalText() ([]byte, error) { return []byte(time.Duration(t).String()), nil }

// Or returns the time, or another one if none is given.
func (t Timespan) Or(d time.Duration) time.Duration {
	if t == 0 {
		return d
	}
	return time.Duration(t)
}
