package export_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/export"
	"github.com/loopwiki/wiki/loops/spec/record"
)

// script answers the commands of a run. What is not listed goes well.
type script struct {
	roles map[loops.Role][]loops.RoleResult
	gates map[loops.Stage][][]loops.GateResult
	// persons answer what people are asked, one after another, and reject what is asked then.
	persons []loops.Answer
}

var day = time.Date(2026, 7, 4, 8, 0, 0, 0, time.UTC)

func start() loops.Start {
	cast := loops.Casting{Agent: "command"}
	return loops.Start{
		Run: "2026-07-04T080000Z-prices", Loop: "execution", Mode: loops.Draft, Limits: loops.DefaultLimits(),
		Plan: loops.Plan{Name: "2026-07-prices", Path: "plans/2026-07-prices.md", Title: "Prices", Goal: "npm test",
			Chunks: []loops.Chunk{{ID: "1", Title: "One"}}},
		Roles: map[loops.Role]loops.Casting{loops.Maker: cast, loops.Checker: cast},
	}
}

// play runs the kernel on a script, and returns the journal.
func play(t *testing.T, s loops.Start, answers script) []loops.Event {
	t.Helper()
	var state loops.State
	var journal []loops.Event
	at := day
	feed := func(e loops.Event) (out []loops.Command) {
		e.At = at
		at = at.Add(time.Second)
		journal = append(journal, e)
		state, out = loops.Step(state, e)
		return out
	}
	queue := feed(loops.Event{Kind: loops.Started, Start: &s})
	for n := 1; len(queue) > 0; n++ {
		if n > 2000 {
			t.Fatal("the run does not end")
		}
		c := queue[0]
		queue = append(queue[1:], feed(loops.Event{Kind: loops.Began, Key: c.Key, Command: &c})...)
		e := answers.answer(c, n)
		e.Key = c.Key
		queue = append(queue, feed(e)...)
		if e.Kind == loops.Asked {
			says := append(answers.persons, loops.Answer{By: "ada"})
			answers.persons = says[1:]
			queue = append(queue, feed(loops.Event{Kind: loops.Answered, Answer: &says[0]})...)
		}
	}
	return journal
}

func (a script) answer(c loops.Command, n int) loops.Event {
	tree := fmt.Sprintf("t%d", n)
	switch c.Kind {
	case loops.EnsureWorktree:
		return loops.Event{Kind: loops.WorktreeReady, Worktree: &loops.PlaceResult{Tree: "t", Head: "h", Probes: []loops.Usage{{USD: .01, Cost: loops.CostReported}}}}
	case loops.TakeSnapshot:
		return loops.Event{Kind: loops.SnapshotTaken, Snapshot: &loops.Snapshot{Tree: tree}}
	case loops.RunRole:
		r := loops.RoleResult{Report: loops.Report{Outcome: loops.OK}, Tree: tree}
		if c.Role.ReadOnly() {
			r.Tree = c.Tree
		}
		if c.Role == loops.Checker {
			r.Report.Verdict = &loops.Verdict{Decision: loops.Approve}
		}
		if given := a.roles[c.Role]; len(given) > 0 {
			a.roles[c.Role] = given[1:]
			given[0].Tree = r.Tree
			r = given[0]
		}
		r.Report.Usage = loops.Usage{USD: .1, InputTokens: 100, Cost: loops.CostReported}
		r.Exit.Took = loops.Duration(time.Minute)
		return loops.Event{Kind: loops.RoleEnded, Role: &r}
	case loops.RunGates:
		results := map[loops.Stage][]loops.GateResult{
			loops.StageChunk: {{Gate: "scope"}, {Gate: "test"}}, loops.StageGoal: {{Gate: "goal", Hidden: true}},
		}[c.Stage]
		if given := a.gates[c.Stage]; len(given) > 0 {
			a.gates[c.Stage], results = given[1:], given[0]
		}
		return loops.Event{Kind: loops.GatesEnded, Gates: results}
	case loops.Commit:
		return loops.Event{Kind: loops.Committed, Commit: tree}
	case loops.Rollback:
		return loops.Event{Kind: loops.RolledBack}
	case loops.AskHuman:
		return loops.Event{Kind: loops.Asked}
	}
	return loops.Event{Kind: loops.Reported}
}

func red(gate string) []loops.GateResult {
	return []loops.GateResult{{Gate: "scope"}, {Gate: gate, Effect: loops.Red, Same: gate, Class: "assertion_failure", Reason: []loops.Reason{{Path: "a.go", Line: 3, Message: "want 3"}}}}
}

func clean(text string) string {
	out, _ := loops.NewRedactor(nil).Text(text)
	return out
}

func exported(t *testing.T, events []loops.Event) export.Run {
	t.Helper()
	got, err := export.Of(events, clean)
	if err != nil {
		t.Fatal(err)
	}
	for _, doc := range []any{got.Trace, got.Record} {
		src, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		items, err := record.Read("x.json", src)
		if err != nil {
			t.Fatal(err)
		}
		if c := record.Check(items, false); len(c.Errors)+len(c.Notes) > 0 {
			t.Errorf("errors %q, notes %q in:\n%s", c.Errors, c.Notes, src)
		}
	}
	return got
}

func TestExportOfARunThatIsRedOnce(t *testing.T) {
	t.Parallel()
	got := exported(t, play(t, start(), script{
		roles: map[loops.Role][]loops.RoleResult{loops.Maker: {{Report: loops.Report{Outcome: loops.OK, Summary: "export API_KEY=aVeryLongSecret123456"}}}},
		gates: map[loops.Stage][][]loops.GateResult{loops.StageChunk: {red("test")}},
	}))
	// Of goal, scope and test one passes, then all do.
	var goals []float64
	for _, s := range got.Record.Trajectory {
		goals = append(goals, s.Goal)
	}
	if diff := cmp.Diff([]float64{.3333, 1}, goals); diff != "" {
		t.Errorf("goal scores (-want +got):\n%s", diff)
	}
	r := got.Record
	if r.LoopName != "plan-2026-07-prices" || r.Outcome != "success" || r.Reason != "goal_met" || r.Objective != "Carry out the plan: Prices" {
		t.Errorf("%s, %s, %s, %s", r.LoopName, r.Outcome, r.Reason, r.Objective)
	}
	if diff := cmp.Diff([]string{"verification-loop", "critique-loop"}, r.Patterns); diff != "" {
		t.Errorf("patterns (-want +got):\n%s", diff)
	}
	// The probe before the first iteration counts in it; the second is a maker and a checker.
	if r.Trajectory[0].USD != .11 || r.Trajectory[1].USD != .2 || r.Trajectory[1].Tokens != 200 || r.Trajectory[1].Latency != 120 {
		t.Errorf("trajectory %+v", r.Trajectory)
	}
	if r.Metadata.Workers != 1 || r.Metadata.Evaluators != 4 || r.Metadata.Budget != 20 {
		t.Errorf("metadata %+v", r.Metadata)
	}
	tr := got.Trace
	if !tr.Success || tr.USD != .31 || len(tr.Iterations) != 2 || tr.SpecPath != "plans/2026-07-prices.md" {
		t.Errorf("trace %+v", tr)
	}
	first := tr.Iterations[0]
	if strings.Contains(first.Output, "aVeryLongSecret") {
		t.Errorf("the trace holds a secret: %s", first.Output)
	}
	if diff := cmp.Diff(map[string]float64{"goal": 0, "scope": 1, "test": 0}, first.Scores); diff != "" {
		t.Errorf("scores (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"gate test: a.go:3: want 3"}, first.Feedback); diff != "" {
		t.Errorf("feedback (-want +got):\n%s", diff)
	}
}

func TestExportIsTheSameEachTime(t *testing.T) {
	t.Parallel()
	events := play(t, start(), script{})
	if diff := cmp.Diff(exported(t, events), exported(t, events)); diff != "" {
		t.Errorf("(-first +again):\n%s", diff)
	}
}

// declared is a run of a declared loop of one worker, whose last evaluator decides.
func declared(evaluators ...loops.Evaluation) loops.Start {
	s := start()
	s.Plan.Goal, s.Roles = "", nil
	s.Declared = &loops.Declared{
		Path: "loop.yaml", Hash: "h", Approved: true,
		Workers:    []loops.DeclaredWorker{{ID: "writer", Cast: loops.Casting{Agent: "command"}}},
		Evaluators: evaluators,
		Metrics:    []loops.Measure{{Name: "quality", Evaluator: evaluators[len(evaluators)-1].ID, Primary: true}},
		Success:    []loops.Threshold{{Metric: "quality", Operator: "gte", Value: .75, Consecutive: 1}},
		Failure:    []loops.FailureRule{{Kind: loops.MaxIterations, Action: loops.Halt, Value: 4}, {Kind: loops.HumanRejected, Action: loops.Retry, Consecutive: 1}},
		Cost:       loops.CostRule{Iteration: 5, All: 5, OnExceed: loops.Halt},
	}
	return s
}

func score(v float64, e loops.Effect) []loops.GateResult {
	return []loops.GateResult{{Gate: "evaluate", Score: &v, Effect: e}}
}

func TestExportCountsIterationsOfDeclaredLoopsNotTheirWorkers(t *testing.T) {
	t.Parallel()
	s := declared(loops.Evaluation{ID: "tests", Kind: loops.ByCommand, Command: "npm test"})
	s.Declared.Workers = append(s.Declared.Workers, loops.DeclaredWorker{ID: "editor", Cast: loops.Casting{Agent: "command"}})
	r, err := export.Of(play(t, s, script{gates: map[loops.Stage][][]loops.GateResult{
		loops.StageEvaluate: {score(.5, loops.Red), score(1, loops.Passed)},
	}}), clean)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Trace.Iterations) != 2 || r.Trace.USD != .41 || !r.Trace.Success {
		t.Errorf("%d iterations for $%v, success %v: %+v", len(r.Trace.Iterations), r.Trace.USD, r.Trace.Success, r.Trace)
	}
	for i, want := range []float64{.5, 1} {
		if got := r.Trace.Iterations[i].Scores["tests"]; got != want || r.Record.Trajectory[i].Goal != want {
			t.Errorf("iteration %d: the evaluator scored %v, the goal score is %v, want %v", i, got, r.Record.Trajectory[i].Goal, want)
		}
	}
}

func TestExportHasTheJudgementsOfPeopleAndRubrics(t *testing.T) {
	t.Parallel()
	command := loops.Evaluation{ID: "tests", Kind: loops.ByCommand, Command: "npm test", Combine: "veto"}
	person := loops.Evaluation{ID: "ada", Kind: loops.ByPerson, Ask: "read it"}
	rubric := loops.Evaluation{ID: "rubric", Kind: loops.ByRubric, Pass: .75, Rubric: []loops.Dimension{{Name: "clear", Weight: 1, High: 4}}}
	scores := func(v float64) loops.RoleResult {
		return loops.RoleResult{Report: loops.Report{Outcome: loops.OK, Scores: map[string]float64{"clear": v}}}
	}
	for _, row := range []struct {
		name    string
		start   loops.Start
		answers script
		scores  []map[string]float64
		goals   []float64
		said    string
	}{
		{"a person", declared(person), script{persons: []loops.Answer{{By: "Ada", Reason: "too long"}, {By: "Ada", Approve: true}}},
			[]map[string]float64{{"ada": 0}, {"ada": 1}}, []float64{0, 1}, "gate ada: too long"},
		{"a rubric", declared(rubric), script{roles: map[loops.Role][]loops.RoleResult{loops.Evaluator: {scores(1), scores(3)}}},
			[]map[string]float64{{"rubric": .25}, {"rubric": .75}}, []float64{.25, .75}, ""},
		{"a veto", declared(command, rubric), script{
			roles: map[loops.Role][]loops.RoleResult{loops.Evaluator: {scores(4), scores(3)}},
			gates: map[loops.Stage][][]loops.GateResult{loops.StageEvaluate: {score(.5, loops.Red), score(1, loops.Passed)}},
		}, []map[string]float64{{"tests": .5, "rubric": 1}, {"tests": 1, "rubric": .75}}, []float64{0, .75}, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			r := exported(t, play(t, row.start, row.answers))
			if len(r.Trace.Iterations) != len(row.scores) || r.Record.Outcome != "success" {
				t.Fatalf("%d iterations, %s: %+v", len(r.Trace.Iterations), r.Record.Outcome, r.Trace)
			}
			for i, it := range r.Trace.Iterations {
				if !maps.Equal(it.Scores, row.scores[i]) || r.Record.Trajectory[i].Goal != row.goals[i] {
					t.Errorf("iteration %d: scores %v and goal %v, want %v and %v", i, it.Scores, r.Record.Trajectory[i].Goal, row.scores[i], row.goals[i])
				}
			}
			if said := strings.Join(r.Trace.Iterations[0].Feedback, "\n"); said != row.said {
				t.Errorf("feedback %q, want %q", said, row.said)
			}
		})
	}
}

// An iteration of a composition is one of the whole, with all those of the loops in it.
func TestExportCountsIterationsOfTheWholeComposition(t *testing.T) {
	t.Parallel()
	command := loops.Evaluation{ID: "tests", Kind: loops.ByCommand, Command: "npm test"}
	s := declared(command)
	for _, id := range []string{"left", "right"} {
		s.Declared.Children = append(s.Declared.Children, loops.Child{ID: id, Loop: declared(command).Declared})
	}
	s.Declared.Join = loops.JoinRule{Kind: loops.Synthesize, Least: 2}
	r := exported(t, play(t, s, script{gates: map[loops.Stage][][]loops.GateResult{loops.StageEvaluate: {
		score(.5, loops.Red), score(1, loops.Passed), // left, twice
		score(1, loops.Passed), score(.25, loops.Red), // right, and the whole
		score(.75, loops.Passed), score(1, loops.Passed), score(1, loops.Passed),
	}}}))
	want := []map[string]float64{{"left.tests": 1, "right.tests": 1, "tests": .25}, {"left.tests": .75, "right.tests": 1, "tests": 1}}
	if len(r.Trace.Iterations) != len(want) || !r.Trace.Success {
		t.Fatalf("%d iterations, success %v", len(r.Trace.Iterations), r.Trace.Success)
	}
	for i, it := range r.Trace.Iterations {
		if !maps.Equal(it.Scores, want[i]) || r.Record.Trajectory[i].Goal != want[i]["tests"] {
			t.Errorf("iteration %d: scores %v and goal %v, want %v", i, it.Scores, r.Record.Trajectory[i].Goal, want[i])
		}
	}
	if r.Record.Metadata.Workers != 3 {
		t.Errorf("%d workers, want 3", r.Record.Metadata.Workers)
	}
}

func TestExportLabelsFailures(t *testing.T) {
	t.Parallel()
	hidden := []loops.GateResult{{Gate: "goal", Effect: loops.Red, Hidden: true, Reason: []loops.Reason{{Message: "sh goal.sh: exit status 1"}}}}
	violated := []loops.GateResult{{Gate: "protected", Effect: loops.Violation, Reason: []loops.Reason{{Message: "a test changed"}}}}
	for _, c := range []struct {
		name            string
		start           func(*loops.Start)
		script          script
		reason, outcome string
		mode            string
		safety          int // of the last iteration
		human           bool
	}{
		{"red for ever", nil, script{gates: map[loops.Stage][][]loops.GateResult{loops.StageChunk: {red("test"), red("test"), red("test")}}},
			"max_iterations", "failure", "fail.tau_omission", 0, false},
		{"violation", nil, script{gates: map[loops.Stage][][]loops.GateResult{loops.StageChunk: {violated}}},
			"safety_violation", "failure", "fail.self_grade", 1, false},
		{"goal red for ever", nil, script{gates: map[loops.Stage][][]loops.GateResult{loops.StageGoal: {hidden, hidden, hidden}}},
			"max_iterations", "failure", "fail.tau_omission", 0, false},
		{"budget", func(s *loops.Start) { s.Limits.Budget.USD = .3 }, script{}, "budget_exhausted", "failure", "fail.self_grade", 0, false},
		{"iterations", func(s *loops.Start) { s.Limits.Budget.Iterations = 1 }, script{gates: map[loops.Stage][][]loops.GateResult{loops.StageChunk: {red("test")}}},
			"max_iterations", "failure", "fail.tau_omission", 0, false},
		{"rejected by a person", nil, script{roles: map[loops.Role][]loops.RoleResult{loops.Checker: {
			{Report: loops.Report{Outcome: loops.BadOutput}}, {Report: loops.Report{Outcome: loops.BadOutput}}}}},
			"human_stop", "failure", "fail.self_grade", 0, true},
	} {
		s := start()
		if c.start != nil {
			c.start(&s)
		}
		r := exported(t, play(t, s, c.script)).Record
		last := r.Trajectory[len(r.Trajectory)-1]
		if r.Reason != c.reason || r.Outcome != c.outcome || r.FailureMode != c.mode || last.SafetyEvents != c.safety || last.Human != c.human {
			t.Errorf("%s: %s, %s, %s, %d safety events, human %v", c.name, r.Reason, r.Outcome, r.FailureMode, last.SafetyEvents, last.Human)
		}
		if human := slices.Contains(r.Patterns, "human-in-the-loop"); human != c.human {
			t.Errorf("%s: patterns %v", c.name, r.Patterns)
		}
	}
}

func TestExportHidesWhatTheMakerMayNotRead(t *testing.T) {
	t.Parallel()
	hidden := []loops.GateResult{{Gate: "goal", Effect: loops.Red, Hidden: true, Reason: []loops.Reason{{Message: "sh goal.sh: exit status 1"}}}}
	got := exported(t, play(t, start(), script{gates: map[loops.Stage][][]loops.GateResult{loops.StageGoal: {hidden}}}))
	if text := fmt.Sprint(got.Trace); strings.Contains(text, "goal.sh") {
		t.Errorf("the trace holds the goal's command: %s", text)
	}
}

func TestExportKeepsTheTailOfLongRuns(t *testing.T) {
	t.Parallel()
	s := start()
	s.Limits = loops.Limits{Attempts: 100, Budget: loops.Budget{}}
	var never [][]loops.GateResult
	for i := range 59 {
		never = append(never, red(fmt.Sprintf("test%02d", i)))
	}
	got := exported(t, play(t, s, script{gates: map[loops.Stage][][]loops.GateResult{loops.StageChunk: never}}))
	if len(got.Trace.Iterations) != 60 || len(got.Record.Trajectory) != record.MaxSteps || got.Dropped != 10 {
		t.Fatalf("%d in the trace, %d in the record, %d dropped", len(got.Trace.Iterations), len(got.Record.Trajectory), got.Dropped)
	}
	if n := got.Record.Trajectory[0].Iteration; n != 11 {
		t.Errorf("the tail begins at %d", n)
	}
	if !slices.Contains(got.Record.Metadata.Tags, "tail of 60 iterations") {
		t.Errorf("tags %v", got.Record.Metadata.Tags)
	}
}

func TestExportRefusesRunsWithoutIterationsAndUnfinishedOnes(t *testing.T) {
	t.Parallel()
	base := script{gates: map[loops.Stage][][]loops.GateResult{loops.StageBaseline: {red("test")}}}
	if _, err := export.Of(play(t, start(), base), clean); !errors.Is(err, export.ErrNoIterations) {
		t.Errorf("got %v", err)
	}
	events := play(t, start(), script{})
	var unfinished *export.UnfinishedError
	if _, err := export.Of(events[:len(events)-4], clean); !errors.As(err, &unfinished) {
		t.Errorf("got %v", err)
	}
}

func TestExportNamesLoopsAsTheStandardAllows(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"2026-07-prices": "plan-2026-07-prices", "Ünder_score": "plan-nder-score", "": "plan-unnamed",
		strings.Repeat("long-", 20): "plan-" + strings.TrimRight(strings.Repeat("long-", 20)[:59], "-"),
	} {
		s := start()
		s.Plan.Name = name
		if got := exported(t, play(t, s, script{})).Record.LoopName; got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}
