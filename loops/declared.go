package loops

import (
	"slices"
	"strings"
)

// Declared is a loop that a specification declares, as the kernel runs it: everything that
// decides, as plain values. Nothing in it changes while the loop runs; what an optimisation
// may change is in [Rounds].
type Declared struct {
	// Path is the specification, relative to the repository's root, and Hash of its bytes.
	Path string `json:"path"`
	Hash string `json:"hash"`
	// Approved is set if a person approved a file with this hash before.
	Approved bool `json:"approved,omitempty"`
	// Runs lists the commands that the loop runs, for who has to approve it.
	Runs []string `json:"runs,omitempty"`
	// Advisory lists what is passed on or left to the vendor of a model, and not enforced.
	Advisory []string `json:"advisory,omitempty"`

	// Objective is of a child, with what it is to look at. The run's plan has that of the whole.
	Objective string `json:"objective,omitempty"`
	// Children run before the workers in each iteration, one after another, as Join says. Inner
	// run after the evaluators if one did not pass, and the evaluators judge once more.
	Children []Child  `json:"children,omitempty"`
	Inner    []Child  `json:"inner,omitempty"`
	Join     JoinRule `json:"join,omitzero"`

	Inputs []NamedText `json:"inputs,omitempty"`
	// Workers are in the order in which they work: topological, then as in the file.
	Workers    []DeclaredWorker `json:"workers"`
	Evaluators []Evaluation     `json:"evaluators"`
	Channels   []Channel        `json:"channels,omitempty"`
	Metrics    []Measure        `json:"metrics"`
	Success    []Threshold      `json:"success,omitempty"`
	Failure    []FailureRule    `json:"failure,omitempty"`
	Stall      []StallRule      `json:"stall,omitempty"`
	Optimise   Optimisation     `json:"optimise"`
	Memory     MemoryRule       `json:"memory"`
	Safety     []SafetyRule     `json:"safety,omitempty"`
	Cost       CostRule         `json:"cost"`
}

// DeclaredLoop is the kind of run of a loop that a specification declares.
const DeclaredLoop = "spec"

// Child is a loop within another.
type Child struct {
	ID   string    `json:"id"`
	Loop *Declared `json:"loop"`
	// After is the evaluator of the loop around that lets an inner loop run by not passing,
	// "" is any of them.
	After string `json:"after,omitempty"`
	// Gets are inputs that take the output of a worker, of a child or of the loop around it.
	Gets []Handover `json:"gets,omitempty"`
}

// Handover hands an output over. Child is "" for a worker of the loop around.
type Handover struct {
	Input  string `json:"input"`
	Child  string `json:"child,omitempty"`
	Worker string `json:"worker"`
}

// JoinKind is how children come to one result.
type JoinKind string

// The kinds. Stages go on with each other's tree and must all be met. Branches begin with the
// same tree, and one of them is kept.
const (
	InSequence JoinKind = "sequence"
	FirstPass  JoinKind = "first_pass" // the first branch that was met
	AllPass    JoinKind = "all_pass"   // the best branch, if all were met
	Vote       JoinKind = "vote"       // the tree that most branches came to
	Synthesize JoinKind = "synthesize" // the best branch; the loop's workers read all of them
)

// JoinRule says how many branches must be met, at least one.
type JoinRule struct {
	Kind  JoinKind `json:"kind,omitempty"`
	Least int      `json:"least,omitempty"`
}

// NamedText is a value of an input.
type NamedText struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// DeclaredWorker is an agent of a declared loop.
type DeclaredWorker struct {
	ID   string  `json:"id"`
	Role string  `json:"role"` // what it is for, for its prompt
	Cast Casting `json:"cast"`
	// Reads are inputs.NAME, memory.NAME and workers.ID.
	Reads  []string `json:"reads,omitempty"`
	Output string   `json:"output"`
	Format string   `json:"format"`
	// Wall bounds a call, Retries is how often a failed one is made again. USD is what the
	// agent is told that a call may cost; it is checked after it.
	Wall    Duration `json:"wall,omitempty"`
	Retries int      `json:"retries,omitempty"`
	USD     float64  `json:"usd,omitempty"`
}

// EvaluationKind is how an evaluator judges.
type EvaluationKind string

// The kinds.
const (
	ByCommand EvaluationKind = "command" // a program on a sealed export of the tree
	ByRubric  EvaluationKind = "rubric"  // an agent with typed scores, that may change nothing
	ByPerson  EvaluationKind = "person"
)

// Evaluation is an evaluator of a declared loop.
type Evaluation struct {
	ID   string         `json:"id"`
	Kind EvaluationKind `json:"kind"`
	// Command is for the shell; Gate names a gate of the repository instead.
	Command string `json:"command,omitempty"`
	Gate    string `json:"gate,omitempty"`
	// Cast, Rubric and Pass are of a rubric. Combine is how its scores make one: weighted_avg,
	// min or veto. Any evaluator with a veto that does not pass makes the primary metric 0.
	Cast    Casting     `json:"cast,omitzero"`
	Rubric  []Dimension `json:"rubric,omitempty"`
	Pass    float64     `json:"pass,omitempty"`
	Combine string      `json:"combine,omitempty"`
	// Wall is how long a person has to answer, Ask what is asked.
	Wall Duration `json:"wall,omitempty"`
	Ask  string   `json:"ask,omitempty"`
}

// Dimension is a question of a rubric, answered by a number from Low to High.
type Dimension struct {
	Name     string  `json:"name"`
	Weight   float64 `json:"weight"`
	Low      float64 `json:"low"`
	High     float64 `json:"high"`
	Criteria string  `json:"criteria"`
}

// Channel carries a judgement, or what a worker said, into later prompts.
type Channel struct {
	ID string `json:"id"`
	// From is the id of an evaluator or a worker. To is the id of a worker, "" for the
	// optimisation; Person is set if it is for people, in the report.
	From   string   `json:"from"`
	To     string   `json:"to,omitempty"`
	Person bool     `json:"person,omitempty"`
	Fields []string `json:"fields,omitempty"`
	// Bytes is the most that is carried, 0 is no limit.
	Bytes int   `json:"bytes,omitempty"`
	When  *When `json:"when,omitempty"`
}

// Measure is a metric: of an evaluator's score, or what the runner measures.
type Measure struct {
	Name      string `json:"name"`
	Evaluator string `json:"evaluator,omitempty"`
	Telemetry string `json:"telemetry,omitempty"`
	Primary   bool   `json:"primary,omitempty"`
	// Lower is set if less is better.
	Lower bool `json:"lower,omitempty"`
}

// Threshold is a condition of success. All must hold, each in so many iterations in a row.
type Threshold struct {
	Metric      string  `json:"metric"`
	Operator    string  `json:"operator"` // gte, lte, eq, gt or lt
	Value       float64 `json:"value"`
	Consecutive int     `json:"consecutive"`
}

// FailureKind is what ends a declared loop without success.
type FailureKind string

// The kinds, as the standard names them.
const (
	SafetyViolation FailureKind = "safety_violation"
	MaxIterations   FailureKind = "max_iterations"
	EvaluatorError  FailureKind = "evaluator_error"
	CostExceeded    FailureKind = "cost_exceeded"
	HumanRejected   FailureKind = "human_rejected"
	TimedOut        FailureKind = "timeout"
)

// Consequence is what follows a failure, a stall or a broken rule of safety.
type Consequence string

// The consequences.
const (
	Halt       Consequence = "halt"
	AskPerson  Consequence = "escalate_human"
	Retry      Consequence = "retry_iteration" // the iteration's changes go
	Warn       Consequence = "warn"
	Quarantine Consequence = "quarantine" // what broke the rule reaches nobody
	Strip      Consequence = "strip"      // the lines that broke it don't
)

// FailureRule says what follows a failure. Value is of max_iterations, and the seconds of a
// timeout.
type FailureRule struct {
	Kind        FailureKind `json:"kind"`
	Action      Consequence `json:"action"`
	Value       float64     `json:"value,omitempty"`
	Consecutive int         `json:"consecutive"`
}

// StallRule says what follows if the best of the last Window iterations is not better by
// Least than the best before them.
type StallRule struct {
	Metric string      `json:"metric"`
	Window int         `json:"window"`
	Least  float64     `json:"least"`
	Action Consequence `json:"action"`
}

// The ways in which a loop changes itself between iterations.
const (
	RefinePrompt = "prompt_refinement"
	UpdateMemory = "memory_update"
	Structural   = "structural" // waits for a person
	ByHand       = "manual"     // waits for a person
)

// Optimisation is how a loop may change itself: prompts and memory, never what judges it.
type Optimisation struct {
	Kind string `json:"kind"`
	// Steps is how often it may at most.
	Steps int `json:"steps"`
	// Targets are the workers whose prompts are refined.
	Targets []string `json:"targets,omitempty"`
	// Drop takes the tree back to the best iteration's if the primary metric is lower than
	// that one's by more; nil never does. OnSafety does so after a broken rule of safety.
	Drop     *float64 `json:"drop,omitempty"`
	OnSafety bool     `json:"on_safety,omitempty"`
}

// MemoryRule is what workers may read of earlier iterations.
type MemoryRule struct {
	// Session keeps entries for the run; without it they last for their iteration.
	Session bool `json:"session,omitempty"`
	// Writers are the workers whose outputs are kept, nil is all of them.
	Writers []string `json:"writers,omitempty"`
	// Most is how many entries are kept, the newest; 0 is any number. Iterations and Age
	// say how long one is.
	Most       int      `json:"most,omitempty"`
	Iterations int      `json:"iterations,omitempty"`
	Age        Duration `json:"age,omitempty"`
}

// The rules of safety that the runner enforces.
const (
	GuardInjection = "injection_detect"
	GuardSecrets   = "secret_scan"
	GuardBounds    = "output_bounds"
	GuardSchema    = "schema_enforce"
	GuardPerson    = "human_gate"
)

// SafetyRule is a constraint that is enforced at its scope.
type SafetyRule struct {
	ID    string `json:"id"`
	Kind  string `json:"kind"`
	Scope string `json:"scope"` // pre_worker, post_worker, pre_evaluator or pre_output
	// Workers are those that it holds for, nil is all.
	Workers []string    `json:"workers,omitempty"`
	Action  Consequence `json:"action"`
	// Risk is the most of an injection; Bytes and Files are the most of an output; Keys
	// must be in one of JSON.
	Risk  float64  `json:"risk,omitempty"`
	Bytes int      `json:"bytes,omitempty"`
	Files int      `json:"files,omitempty"`
	Keys  []string `json:"keys,omitempty"`
}

// CostRule bounds what a loop spends, in USD. What was spent is compared before each call
// and after each iteration: a call may go beyond it, and none follows.
type CostRule struct {
	Iteration float64     `json:"iteration"`
	All       float64     `json:"all"`
	OnExceed  Consequence `json:"on_exceed"` // halt or warn
	// Near is the percentage of All at which OnNear follows, 0 is never.
	Near   float64     `json:"near,omitempty"`
	OnNear Consequence `json:"on_near,omitempty"`
	// Tokens is a bound that is only warned of, 0 is none.
	Tokens int `json:"tokens,omitempty"`
}

// Declares reports whether the run is one of a declared loop.
func (s *State) Declares() bool { return s.Start.Declared != nil }

// Cast returns who carries out a command.
func (s *Start) Cast(c Command) (Casting, bool) {
	if d := s.Declared; d != nil {
		if w := d.Worker(c.Part); w != nil && c.Role == Worker {
			return w.Cast, true
		}
		if e := d.Evaluator(c.Part); e != nil && c.Role == Evaluator {
			return e.Cast, true
		}
	}
	cast, ok := s.Roles[c.Role]
	return cast, ok
}

// Player is who plays a role in a run, or a part of a declared loop.
type Player struct {
	Name string // maker, worker fixer
	Casting
}

// Players returns who plays in a run, in the order of [Roles] and of a loop's parts.
func (s *Start) Players() []Player {
	var out []Player
	for _, r := range Roles() {
		if c, ok := s.Roles[r]; ok {
			out = append(out, Player{string(r), c})
		}
	}
	if s.Declared == nil {
		return out
	}
	s.Declared.Walk(func(prefix string, d *Declared) {
		for _, w := range d.Workers {
			out = append(out, Player{partOf(Worker, prefix+w.ID), w.Cast})
		}
		for _, e := range d.Evaluators {
			if e.Kind == ByRubric {
				out = append(out, Player{partOf(Evaluator, prefix+e.ID), e.Cast})
			}
		}
	})
	return out
}

func partOf(r Role, id string) string { return string(r) + " " + id }

// Caller names who a command calls, as in [Player].
func (c *Command) Caller() string {
	if c.Part == "" {
		return string(c.Role)
	}
	return partOf(c.Role, c.Part)
}

// Loop returns the loop in work: the whole, or a child.
func (s *State) Loop() *Declared {
	d := s.Start.Declared
	if s.Rounds != nil {
		for _, i := range s.Rounds.Loop {
			d = d.child(i).Loop
		}
	}
	return d
}

// child returns a child by its index, those of Inner after the others.
func (d *Declared) child(i int) *Child {
	if i < len(d.Children) {
		return &d.Children[i]
	}
	return &d.Inner[i-len(d.Children)]
}

// qualified returns what the ids of a child's parts begin with in commands: "outer.inner.".
func (d *Declared) qualified(path []int) string {
	name := ""
	for _, i := range path {
		c := d.child(i)
		name, d = name+c.ID+".", c.Loop
	}
	return name
}

// Of returns the loop that a part of a command belongs to, and the part's id in it.
func (d *Declared) Of(part string) (*Declared, string) {
	for {
		name, rest, nested := strings.Cut(part, ".")
		i := slices.IndexFunc(d.all(), func(c Child) bool { return c.ID == name })
		if !nested || i < 0 {
			return d, part
		}
		d, part = d.child(i).Loop, rest
	}
}

// all returns the children and the inner ones.
func (d *Declared) all() []Child { return slices.Concat(d.Children, d.Inner) }

// Walk calls f for the loop and all within it, with what the ids of their parts begin with.
func (d *Declared) Walk(f func(prefix string, d *Declared)) { d.walk("", f) }

func (d *Declared) walk(prefix string, f func(string, *Declared)) {
	f(prefix, d)
	for _, c := range d.all() {
		c.Loop.walk(prefix+c.ID+".", f)
	}
}

// Worker returns the worker that a command names, nil if there is none.
func (d *Declared) Worker(part string) *DeclaredWorker {
	d, id := d.Of(part)
	for i := range d.Workers {
		if d.Workers[i].ID == id {
			return &d.Workers[i]
		}
	}
	return nil
}

// Evaluator returns the evaluator that a command names, nil if there is none.
func (d *Declared) Evaluator(part string) *Evaluation {
	d, id := d.Of(part)
	for i := range d.Evaluators {
		if d.Evaluators[i].ID == id {
			return &d.Evaluators[i]
		}
	}
	return nil
}
