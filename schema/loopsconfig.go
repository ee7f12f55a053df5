package schema

import (
	"fmt"
	"time"
)

// LoopsConfig is about the loops of agents.
type LoopsConfig struct {
	Roles     map[string]LoopRole  `yaml:"roles" json:"roles,omitempty" jsonschema:"the agent of each role: maker, checker, goal-checker, auditor, planner, writer, classifier, reader"`
	Gates     LoopGates            `yaml:"gates" json:"gates,omitzero" jsonschema:"build, test and lint commands of the repository, run in a shell; detected by default, an empty list means none of its kind"`
	Protect   []string             `yaml:"protect" json:"protect,omitempty" jsonschema:"globs of files that agents may not change, in addition to tests, test data and the configuration of gates"`
	Timeouts  LoopTimeouts         `yaml:"timeouts" json:"timeouts,omitzero" jsonschema:"time limits after which a program is ended"`
	Budget    LoopBudget           `yaml:"budget" json:"budget,omitzero" jsonschema:"limits of a run"`
	Estimate  LoopEstimate         `yaml:"estimate" json:"estimate,omitzero" jsonschema:"assumed cost of calls whose cost is unknown"`
	Prices    map[string]LoopPrice `yaml:"prices" json:"prices,omitempty" jsonschema:"prices of models, by prefix of their names, for agents that report tokens but no cost"`
	Mode      string               `yaml:"mode" json:"mode,omitempty" jsonschema:"manual, shadow, draft or autonomous, as far as it is granted; default draft"`
	Worktrees string               `yaml:"worktrees" json:"worktrees,omitempty" jsonschema:"folder for the worktrees <repository>-loop-<plan>, relative to the repository; default .."`
	Env       []string             `yaml:"env" json:"env,omitempty" jsonschema:"names of environment variables to pass to agents, in addition to a minimum"`
	Secrets   []string             `yaml:"secrets" json:"secrets,omitempty" jsonschema:"names of environment variables whose values must appear nowhere, in addition to those named like a key and values of a known form"`
	Sandbox   string               `yaml:"sandbox" json:"sandbox,omitempty" jsonschema:"required: don't run agents without a sandbox; none: no sandbox, changes outside the worktree are detected and undone; default best-effort"`
	// Connectors are by a name of the repository's own.
	Connectors map[string]LoopConnector `yaml:"connectors" json:"connectors,omitempty" jsonschema:"issue trackers, by a name that you choose"`
	Notify     string                   `yaml:"notify" json:"notify,omitempty" jsonschema:"command to run when a run ends; {status}, {iterations} and {stories} are replaced in its arguments"`
	// Engine carries plans out; Address, Namespace and TaskQueue say where it is.
	Engine    string `yaml:"engine" json:"engine,omitempty" jsonschema:"what carries plans out: embedded, in the process of 'wiki loop run', or temporal, on workers of a Temporal server; default embedded"`
	Address   string `yaml:"address" json:"address,omitempty" jsonschema:"temporal: host:port of the server; default 127.0.0.1:7233"`
	Namespace string `yaml:"namespace" json:"namespace,omitempty" jsonschema:"temporal: namespace of the runs; default default"`
	TaskQueue string `yaml:"task_queue" json:"task_queue,omitempty" jsonschema:"temporal: queue that the workers poll; default wiki-loops"`
}

// LoopRole is the agent that plays a role.
type LoopRole struct {
	Agent   string   `yaml:"agent" json:"agent,omitempty" jsonschema:"claude, codex, opencode, gemini, copilot, aider, cursor, goose, amp or command"`
	Model   string   `yaml:"model" json:"model,omitempty" jsonschema:"name of the model for the agent's program"`
	Argv    []string `yaml:"argv" json:"argv,omitempty" jsonschema:"program and arguments, for agent: command"`
	Timeout Timespan `yaml:"timeout" json:"timeout,omitempty" jsonschema:"time limit of a call in this role"`
	USD     float64  `yaml:"usd" json:"usd,omitempty" jsonschema:"most this role may spend in a run"`
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
	Kind       string            `yaml:"kind" json:"kind" jsonschema:"github (through gh) or mcp (a Model Context Protocol server)"`
	Repository string            `yaml:"repository" json:"repository,omitempty" jsonschema:"github: owner/name; default the checked-out repository"`
	Labels     []string          `yaml:"labels" json:"labels,omitempty" jsonschema:"github: labels that an issue must all have"`
	Argv       []string          `yaml:"argv" json:"argv,omitempty" jsonschema:"mcp: program and arguments of the server"`
	Env        []string          `yaml:"env" json:"env,omitempty" jsonschema:"names of environment variables to pass to the program, in addition to a minimum"`
	Tools      []string          `yaml:"tools" json:"tools,omitempty" jsonschema:"mcp: the only tools that may be called"`
	Writes     []string          `yaml:"writes" json:"writes,omitempty" jsonschema:"tools that change the tracker, for 'wiki connector call' once approved; for github comment, label and close"`
	Items      LoopConnectorCall `yaml:"items" json:"items,omitzero" jsonschema:"mcp: the call that lists work items"`
}

// LoopConnectorCall is a call of a tool.
type LoopConnectorCall struct {
	Tool      string            `yaml:"tool" json:"tool,omitempty" jsonschema:"one of tools"`
	Arguments map[string]string `yaml:"arguments" json:"arguments,omitempty" jsonschema:"its arguments; converted to numbers and booleans as the tool requires"`
}

// LoopGates are commands of a repository.
type LoopGates struct {
	Setup []string `yaml:"setup" json:"setup,omitempty" jsonschema:"commands that prepare a fresh copy, run once per lock file"`
	Build []string `yaml:"build" json:"build,omitempty" jsonschema:"commands that build"`
	Test  []string `yaml:"test" json:"test,omitempty" jsonschema:"commands that test"`
	Lint  []string `yaml:"lint" json:"lint,omitempty" jsonschema:"commands that lint or check types"`
}

// LoopTimeouts are the time limits after which a program is ended.
type LoopTimeouts struct {
	Progress Timespan `yaml:"progress" json:"progress,omitempty" jsonschema:"no change of the worktree; default 10m"`
	Silence  Timespan `yaml:"silence" json:"silence,omitempty" jsonschema:"no output; default 5m"`
	Wall     Timespan `yaml:"wall" json:"wall,omitempty" jsonschema:"duration of a call; default 30m"`
	Gate     Timespan `yaml:"gate" json:"gate,omitempty" jsonschema:"duration of a gate's command; default 5m"`
	Grace    Timespan `yaml:"grace" json:"grace,omitempty" jsonschema:"time between SIGTERM and SIGKILL; default 5s"`
	Backoff  Timespan `yaml:"backoff" json:"backoff,omitempty" jsonschema:"first wait for a vendor that fails, doubled each time; default 30s"`
}

// LoopBudget limits a run. Zero means the default, if there is one.
type LoopBudget struct {
	USD          float64  `yaml:"usd" json:"usd,omitempty" jsonschema:"USD per run; default 5"`
	DayUSD       float64  `yaml:"day_usd" json:"day_usd,omitempty" jsonschema:"USD per day, for all runs"`
	ChunkUSD     float64  `yaml:"chunk_usd" json:"chunk_usd,omitempty" jsonschema:"USD per chunk"`
	ChangeUSD    float64  `yaml:"change_usd" json:"change_usd,omitempty" jsonschema:"USD per accepted change, over the last ten runs; above it, a loop is demoted"`
	Tokens       int64    `yaml:"tokens" json:"tokens,omitempty" jsonschema:"input and output tokens per run; default 2000000"`
	Iterations   int      `yaml:"iterations" json:"iterations,omitempty" jsonschema:"calls of the maker per run; default 20"`
	Attempts     int      `yaml:"attempts" json:"attempts,omitempty" jsonschema:"attempts per chunk; default 3"`
	ToolCalls    int      `yaml:"tool_calls" json:"tool_calls,omitempty" jsonschema:"tool calls per run; not for agents that don't report their number"`
	Clock        Timespan `yaml:"clock" json:"clock,omitempty" jsonschema:"time per run, without waiting"`
	PullRequests int      `yaml:"pull_requests" json:"pull_requests,omitempty" jsonschema:"pull requests per run and the runs that follow it; default 2"`
}

// LoopEstimate is the assumed cost of calls whose cost is unknown.
type LoopEstimate struct {
	USDPerCall float64 `yaml:"usd_per_call" json:"usd_per_call,omitempty" jsonschema:"default 0.25"`
}

// LoopPrice is of a million tokens.
type LoopPrice struct {
	Input  float64 `yaml:"input" json:"input" jsonschema:"USD per million input tokens"`
	Output float64 `yaml:"output" json:"output" jsonschema:"USD per million output tokens"`
}

// Timespan is a duration as people write it: 90s, 10m, 1h30m. Zero means unset.
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
