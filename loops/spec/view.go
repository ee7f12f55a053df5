package spec

// Spec is a valid document in types.
type Spec struct {
	Name        string            `json:"loop_name"`
	Version     string            `json:"version"`
	Objective   string            `json:"objective"`
	Inputs      Inputs            `json:"inputs"`
	Memory      Memory            `json:"memory"`
	Workers     []Worker          `json:"workers"`
	Evaluators  []Evaluator       `json:"evaluators"`
	Channels    []FeedbackChannel `json:"feedback_channels"`
	Strategy    Strategy          `json:"optimization_strategy"`
	Termination Termination       `json:"termination_conditions"`
	Metrics     []Metric          `json:"metrics"`
	Safety      []Constraint      `json:"safety_constraints"`
	Cost        CostLimits        `json:"cost_limits"`
	Extensions  map[string]any    `json:"extensions"`
	Composition *Composition      `json:"composition"` // nil in a loop of its own
}

// Inputs is what the caller of a loop gives.
type Inputs struct {
	Schema   map[string]InputField `json:"schema"`
	Examples []map[string]any      `json:"examples"`
}

// InputField describes one input. A limit that is nil is not set.
type InputField struct {
	Type        string   `json:"type"` // string, number, boolean, enum, array or object
	Description string   `json:"description"`
	Required    bool     `json:"required"`
	MinLength   int      `json:"min_length"`
	MaxLength   int      `json:"max_length"` // 0 is no limit
	Pattern     string   `json:"pattern"`
	Values      []any    `json:"values"` // of an enum
	Default     any      `json:"default"`
	Minimum     *float64 `json:"minimum"`
	Maximum     *float64 `json:"maximum"`
	Items       string   `json:"items"` // type of an array's items
}

// Memory is what a loop remembers between iterations.
type Memory struct {
	Type        string              `json:"type"`    // ephemeral, session or persistent
	Backend     string              `json:"backend"` // redis, postgres, vector, composite or empty
	Retention   *Retention          `json:"retention"`
	WritePolicy *WritePolicy        `json:"write_policy"`
	ReadPolicy  map[string][]string `json:"read_policy"`
	Redaction   map[string]any      `json:"redaction"`
}

// Retention is how long an entry of the memory is kept.
type Retention struct {
	Unit  string  `json:"unit"` // iteration, hour or day
	Value float64 `json:"value"`
}

// WritePolicy limits what is written into the memory.
type WritePolicy struct {
	AllowedWriters []string `json:"allowed_writers"`
	Schema         string   `json:"schema"`
	MaxEntries     int      `json:"max_entries"` // 0 is no limit
}

// Model is the model of a worker or a judge. Temperature, MaxTokens and TopP are
// nil where the spec leaves them to the vendor.
type Model struct {
	Provider    string   `json:"provider"`
	Name        string   `json:"name"`
	Temperature *float64 `json:"temperature"`
	MaxTokens   *int     `json:"max_tokens"`
	TopP        *float64 `json:"top_p"`
}

// Source is where a worker's input comes from: inputs.X, memory.X or workers.X.
type Source struct {
	From string `json:"from"`
}

// Output is what a worker leaves.
type Output struct {
	Name      string `json:"name"`
	Format    string `json:"format"` // text, json, markdown, code or binary
	SchemaRef string `json:"schema_ref"`
}

// Worker is an agent of the loop.
type Worker struct {
	ID             string   `json:"id"`
	Role           string   `json:"role"`
	Model          Model    `json:"model"`
	Inputs         []Source `json:"inputs"`
	Outputs        Output   `json:"outputs"`
	DependsOn      []string `json:"depends_on"`
	Tools          []string `json:"tools"`           // nil allows what the agent has; others are forbidden
	TimeoutSeconds int      `json:"timeout_seconds"` // 0 is no limit of the spec
	Retries        int      `json:"retries"`
	BudgetUSD      *float64 `json:"cost_budget_usd"`
}

// The types of an [Evaluator].
const (
	Deterministic = "deterministic"
	LLMRubric     = "llm_rubric"
	Human         = "human"
)

// Evaluator judges what workers leave.
type Evaluator struct {
	ID             string   `json:"id"`
	Type           string   `json:"type"`
	RunsAfter      []string `json:"runs_after"` // ids of workers, or *
	Aggregation    string   `json:"aggregation"`
	Implementation string   `json:"implementation"` // deterministic
	Rubric         *Rubric  `json:"rubric"`         // llm_rubric
	Model          *Model   `json:"model"`          // llm_rubric
	TimeoutSeconds int      `json:"timeout_seconds"`
	Queue          string   `json:"queue"`
	Instructions   string   `json:"instructions"`
}

// Rubric is what a model judges by.
type Rubric struct {
	Dimensions    []Dimension `json:"dimensions"`
	PassThreshold float64     `json:"pass_threshold"`
}

// Dimension is one question of a rubric. Weights need not sum to 1.
type Dimension struct {
	Name     string     `json:"name"`
	Weight   float64    `json:"weight"`
	Scale    [2]float64 `json:"scale"`
	Criteria string     `json:"criteria"`
}

// FeedbackChannel carries a judgement back to a worker or to the optimisation.
type FeedbackChannel struct {
	ID          string   `json:"id"`
	Source      string   `json:"source"`
	Destination string   `json:"destination"`
	Format      string   `json:"format"` // structured, template or human_queue
	Fields      []string `json:"fields"`
	MaxTokens   int      `json:"max_tokens"` // 0 is no limit
	When        string   `json:"when"`
	TemplateRef string   `json:"template_ref"`
}

// Strategy is how the loop may change itself.
type Strategy struct {
	Type     string         `json:"type"`
	MaxSteps int            `json:"max_steps"`
	Config   StrategyConfig `json:"config"`
	Rollback *Rollback      `json:"rollback"`
}

// StrategyConfig holds the keys that the standard knows of an open map.
type StrategyConfig struct {
	RefinementTarget string         `json:"refinement_target"`
	SecondaryTargets []string       `json:"secondary_targets"`
	PreserveSections []string       `json:"preserve_sections"`
	HumanGateOn      map[string]any `json:"human_gate_on"`
	SearchSpace      map[string]any `json:"search_space"`
}

// Rollback says when a change of the loop is undone.
type Rollback struct {
	OnMetricDrop    *float64 `json:"on_metric_drop"`
	OnSafetyFailure bool     `json:"on_safety_failure"`
}

// Termination is when the loop ends.
type Termination struct {
	Success []Success `json:"success"`
	Failure []Failure `json:"failure"`
	Stall   []Stall   `json:"stall"`
}

// Success ends the loop as met. Consecutive is 0 where the spec leaves it at 1.
type Success struct {
	Metric      string  `json:"metric"`
	Operator    string  `json:"operator"` // gte, lte, eq, gt or lt
	Value       float64 `json:"value"`
	Consecutive int     `json:"consecutive"`
}

// Failure ends the loop as failed. Value is nil where the type needs none.
type Failure struct {
	Type        string   `json:"type"`
	Action      string   `json:"action"` // halt, escalate_human, retry_iteration or empty
	Value       *float64 `json:"value"`
	Consecutive int      `json:"consecutive"`
}

// Stall ends a loop whose metric no longer improves.
type Stall struct {
	Metric           string  `json:"metric"`
	WindowIterations int     `json:"window_iterations"`
	MinImprovement   float64 `json:"min_improvement"`
	Action           string  `json:"action"`
}

// Metric is a number that a loop measures.
type Metric struct {
	Name                string   `json:"name"`
	Definition          string   `json:"definition"`
	Source              string   `json:"source"` // evaluators.X, workers.X or telemetry.X
	Unit                string   `json:"unit"`
	Primary             bool     `json:"primary"`
	Target              *float64 `json:"target"`
	RegressionThreshold *float64 `json:"regression_threshold"`
}

// Constraint is a safety constraint.
type Constraint struct {
	ID        string         `json:"id"`
	Type      string         `json:"type"`
	Scope     string         `json:"scope"`
	AppliesTo []string       `json:"applies_to"` // ids of workers, or *; empty is all
	Action    string         `json:"action"`
	Severity  string         `json:"severity"` // S0 to S3, or empty
	OnError   string         `json:"on_error"`
	Config    map[string]any `json:"config"`
	Rule      string         `json:"rule"`
}

// CostLimits bound what a loop spends.
type CostLimits struct {
	PerIterationUSD float64   `json:"per_iteration_usd"`
	CumulativeUSD   float64   `json:"cumulative_usd"`
	TokenSoftCap    int       `json:"token_soft_cap"` // 0 is none
	OnApproach      *Approach `json:"on_approach"`
	OnExceed        Exceed    `json:"on_exceed"`
	PriceTableRef   string    `json:"price_table_ref"`
}

// Approach is what happens near a limit.
type Approach struct {
	ThresholdPercent float64 `json:"threshold_percent"`
	Action           string  `json:"action"` // warn, throttle or halt
}

// Exceed is what happens beyond a limit.
type Exceed struct {
	Action string `json:"action"` // halt, warn or throttle
}

// The types of a [Composition].
const (
	Sequential = "sequential"
	Parallel   = "parallel"
	Nested     = "nested"
)

// Composition joins loops to one.
type Composition struct {
	Type     string    `json:"type"`
	Children []Child   `json:"children"`
	Adapters []Adapter `json:"adapters"`
	Merge    *Merge    `json:"merge"` // of a parallel composition
}

// Child is a loop of a composition. Role is stage, branch, outer or inner.
type Child struct {
	ID   string `json:"id"`
	Ref  string `json:"ref"`
	Role string `json:"role"`
}

// Adapter carries the output of one child to another.
type Adapter struct {
	From      string `json:"from"`
	To        string `json:"to"`
	Transform string `json:"transform"`
}

// Merge is how the results of branches become one.
type Merge struct {
	Strategy        string `json:"strategy"` // synthesize, vote, first_pass or all_pass
	MinBranchesPass int    `json:"min_branches_pass"`
	PreserveDissent bool   `json:"preserve_dissent"`
}
