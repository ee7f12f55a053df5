package loops

import (
	"bytes"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

var update = flag.Bool("update", false, "rewrite the golden traces")

// drawStart draws a plan of a few chunks with few limits.
func drawStart(t *rapid.T) Start {
	s := oneChunk()
	s.Plan.Chunks = nil
	for i := range rapid.IntRange(1, 4).Draw(t, "chunks") {
		c := Chunk{ID: fmt.Sprint(i + 1)}
		if i > 0 && rapid.Bool().Draw(t, "depends") {
			c.DependsOn = []string{fmt.Sprint(i)}
		}
		s.Plan.Chunks = append(s.Plan.Chunks, c)
	}
	s.Limits.Attempts = rapid.IntRange(1, 4).Draw(t, "attempts")
	s.Limits.Budget.USD = rapid.Float64Range(0.5, 8).Draw(t, "usd")
	s.Limits.Budget.Iterations = rapid.IntRange(1, 12).Draw(t, "iterations")
	s.Mode = rapid.SampledFrom([]Mode{Manual, Shadow, Draft, Autonomous}).Draw(t, "mode")
	s.Limits.Budget.PullRequests, s.Opened = rapid.IntRange(0, 2).Draw(t, "pull requests"), rapid.IntRange(0, 2).Draw(t, "opened")
	for _, r := range []Role{Checker, GoalChecker} {
		if rapid.Bool().Draw(t, "without "+string(r)) {
			delete(s.Roles, r)
		}
	}
	if rapid.Bool().Draw(t, "writer") {
		s.Roles[Writer] = Casting{Agent: "command"}
	}
	if rapid.IntRange(0, 3).Draw(t, "declared") == 0 {
		return drawDeclared(t, s)
	}
	switch rapid.IntRange(0, 8).Draw(t, "plans") {
	case 0:
		s.Loop, s.Plan.Chunks, s.Roles = PlanLoop, nil, map[Role]Casting{Planner: {Agent: "command"}}
	case 1:
		s.Loop, s.Plan.Chunks, s.Roles = AuditLoop, nil, map[Role]Casting{Auditor: {Agent: "command"}}
		if rapid.Bool().Draw(t, "pages") {
			s.Roles[Writer] = Casting{Agent: "command"}
		}
	}
	if s.Loop != PlanLoop && rapid.IntRange(0, 4).Draw(t, "documents") == 0 {
		d := &DocumentationRequest{Since: "c", From: "the last run"}
		for i := range rapid.IntRange(0, 3).Draw(t, "pages") {
			d.Pages = append(d.Pages, DocumentationPage{Path: fmt.Sprintf("wiki/%d.md", i)})
		}
		d.Found = rapid.SampledFrom([]int{0, 3, MostFindings, MostFindings + 1}).Draw(t, "findings")
		if rapid.Bool().Draw(t, "edited") {
			d.Edited = []string{"wiki/0.md"}
		}
		s.Loop, s.Plan.Chunks, s.Roles, s.Documentation = DocumentationLoop, nil, map[Role]Casting{Writer: {Agent: "command"}}, d
	}
	return s
}

// drawDeclared draws a declared loop of some workers and evaluators, over the limits and the
// mode of another start.
func drawDeclared(t *rapid.T, from Start) Start {
	s := repairLoop()
	s.Mode, s.Limits, s.Opened = from.Mode, from.Limits, from.Opened
	s.Roles = nil
	d := s.Declared
	d.Approved = rapid.Bool().Draw(t, "approved")
	for i := range rapid.IntRange(0, 2).Draw(t, "workers") {
		d.Workers = append(d.Workers, DeclaredWorker{ID: fmt.Sprintf("w%d", i), Retries: i})
	}
	for i := range rapid.IntRange(0, 2).Draw(t, "judges") {
		d.Evaluators = append(d.Evaluators, Evaluation{ID: fmt.Sprintf("e%d", i), Kind: ByRubric, Pass: 0.5, Rubric: []Dimension{{Name: "clear", Weight: 1, High: 1}}})
	}
	if rapid.IntRange(0, 4).Draw(t, "person") == 0 {
		d.Evaluators = append(d.Evaluators, Evaluation{ID: "ada", Kind: ByPerson})
	}
	actions := rapid.SampledFrom([]Consequence{Halt, AskPerson, Retry})
	d.Failure[1].Action = actions.Draw(t, "errors")
	if rapid.Bool().Draw(t, "timeouts") {
		d.Failure = append(d.Failure, FailureRule{Kind: TimedOut, Action: actions.Draw(t, "timeout"), Consecutive: 1})
	}
	d.Stall = []StallRule{{Metric: "quality", Window: 2, Least: 0.01, Action: actions.Draw(t, "stall")}}
	d.Safety = []SafetyRule{{ID: "size", Kind: GuardBounds, Bytes: 10, Action: rapid.SampledFrom([]Consequence{Halt, AskPerson, Warn, Strip, Quarantine}).Draw(t, "safety")}}
	d.Optimise.Kind = rapid.SampledFrom([]string{RefinePrompt, UpdateMemory, ByHand}).Draw(t, "strategy")
	d.Memory.Session = rapid.Bool().Draw(t, "memory")
	if rapid.Bool().Draw(t, "composed") {
		for i := range rapid.IntRange(1, 3).Draw(t, "children") {
			c := Child{ID: fmt.Sprintf("c%d", i), Loop: repairLoop().Declared}
			c.Loop.Failure[0].Value = 2
			if rapid.IntRange(0, 2).Draw(t, "inner") == 0 {
				d.Inner = append(d.Inner, c)
			} else {
				d.Children = append(d.Children, c)
			}
		}
		d.Join = JoinRule{Kind: rapid.SampledFrom([]JoinKind{InSequence, FirstPass, AllPass, Vote, Synthesize}).Draw(t, "join"), Least: 1}
	}
	d.Cost = CostRule{Iteration: 1, All: rapid.Float64Range(0.5, 6).Draw(t, "all"), OnExceed: rapid.SampledFrom([]Consequence{Halt, Warn}).Draw(t, "exceed")}
	return s
}

// drawAnswer draws any result that a command may have.
func drawAnswer(t *rapid.T, c Command, tree *string, n int) Event {
	e := Event{Kind: answers[c.Kind], Key: c.Key}
	if rapid.IntRange(0, 40).Draw(t, "broken") == 0 {
		return Event{Kind: Broken, Key: c.Key, Fault: &Fault{Message: "disk"}}
	}
	switch c.Kind {
	case EnsureWorktree:
		e.Worktree = &PlaceResult{Head: "c0", Tree: *tree, Branch: "loop/p"}
	case TakeSnapshot:
		e.Snapshot = &Snapshot{Tree: *tree}
	case RunRole:
		r := RoleResult{Report: Report{Outcome: rapid.SampledFrom([]Outcome{
			OK, OK, OK, OK, OK, OK, Failed, RateLimited, Overloaded, WallTimeout, SilenceTimeout, BadOutput, NotAuthenticated, BudgetSpent,
		}).Draw(t, "outcome")}}
		r.Report.Usage = Usage{USD: rapid.Float64Range(0, 1).Draw(t, "cost"), Cost: CostReported}
		if rapid.IntRange(0, 5).Draw(t, "reset") > 0 {
			r.Report.ResetsAt = benchDay.Add(2 * time.Hour)
		}
		if writes := rapid.IntRange(0, 5).Draw(t, "writes"); !c.Role.ReadOnly() && writes > 0 || writes == 5 {
			*tree = fmt.Sprintf("t%d", n)
		}
		r.Tree = *tree
		switch c.Role {
		case Checker:
			r.Report.Verdict = &Verdict{Decision: rapid.SampledFrom([]Decision{Approve, Approve, Reject}).Draw(t, "verdict")}
		case GoalChecker:
			r.Report.Verdict = &Verdict{Decision: rapid.SampledFrom([]Decision{Met, Met, NotMet}).Draw(t, "goal")}
		case Evaluator:
			r.Report.Scores = map[string]float64{"clear": rapid.SampledFrom([]float64{0, 0.6, 1, 7}).Draw(t, "score")}
		case Worker:
			r.Report.Answer.Bytes = rapid.SampledFrom([]int{0, 5, 11}).Draw(t, "bytes")
		}
		if rapid.IntRange(0, 30).Draw(t, "breach") == 0 {
			r.Breaches = []Breach{{What: "config"}}
		}
		e.Role = &r
	case RunGates:
		e.Gates = []GateResult{{Gate: "g", Effect: rapid.SampledFrom([]Effect{Passed, Passed, Passed, Note, Ask, Red, Unscoped, Violation}).Draw(t, "effect"), Files: rapid.IntRange(1, 6).Draw(t, "files")}}
		if c.Stage == StageBaseline {
			e.Gates = nil
		}
		if c.Stage == StageEvaluate {
			v := rapid.SampledFrom([]float64{0, 0.5, 1}).Draw(t, "measured")
			e.Gates[0].Score = &v
		}
		if c.Stage == StagePlan {
			for i := range rapid.IntRange(0, 2).Draw(t, "wanted") {
				e.Gates[0].Pages = append(e.Gates[0].Pages, NewPage{Path: fmt.Sprintf("wiki/%d.md", i)})
			}
		}
	case Rollback:
		*tree = c.Tree
	case SetAside:
		e.Tree = c.Tree
		if rapid.Bool().Draw(t, "aside") {
			*tree = fmt.Sprintf("t%d", n)
			e.Tree, e.Files, e.Patch = *tree, []string{"wiki/0.md"}, "proposals/p.patch"
		}
	case Commit:
		e.Commit = fmt.Sprintf("c%d", n)
	case Publish:
		e.PullRequest = "https://example.org/1"
	case Discard:
		e.Patch = "shadow.patch"
	}
	return e
}

// watch holds what is true of every step, whatever agents do.
type watch struct {
	t        *rapid.T
	keys     map[string]bool
	green    map[string]bool // trees that the gates let pass
	approved map[string]bool // and a checker
	spent    float64
	calls    int
}

func (w *watch) step(before, after State, e Event, out []Command) {
	if e.Kind == RoleEnded {
		if i := slices.IndexFunc(before.Pending, func(p Pending) bool { return p.Command.Key == e.Key }); i >= 0 && before.Status == Running && e.Role != nil {
			w.spent += e.Role.Report.Usage.USD
			w.calls++
			if c := before.Pending[i].Command; c.Role == Checker && e.Role.Report.Verdict.Approves() && e.Role.Report.Outcome == OK && e.Role.Tree == before.Before.Tree && len(e.Role.Breaches) == 0 {
				w.approved[before.Candidate] = true
			}
		}
	}
	if e.Kind == GatesEnded {
		for _, p := range before.Pending {
			if worst := Worst(e.Gates); p.Command.Key == e.Key && (worst <= Note || worst == Ask && p.Command.Stage != StageChunk) && p.Command.Stage != StageEvaluate && p.Command.Stage != StageGuard {
				w.green[p.Command.Tree] = true
			}
		}
	}
	if e.Kind == Answered && before.Phase == Gating && before.Green { // a gate asked, and a person let it pass
		w.green[before.Candidate] = true
	}
	for _, c := range out {
		if w.keys[c.Key] {
			w.t.Fatalf("the key %s is used twice", c.Key)
		}
		w.keys[c.Key] = true
		switch c.Kind {
		case Commit:
			if after.Planning() && (!after.Auditing() || len(before.Wanted) == 0 || after.Start.Mode == Shadow) {
				w.t.Fatalf("a run that makes plans commits %s", c.Tree)
			}
			if !w.green[c.Tree] {
				w.t.Fatalf("%s is to be committed, and no gate let it pass", c.Tree)
			}
			if _, ok := after.Start.Roles[Checker]; ok && !after.GoalIsMet && !w.approved[c.Tree] && e.Kind != Answered {
				w.t.Fatalf("%s is to be committed, and no checker approved it", c.Tree)
			}
		case Publish:
			if after.Start.Mode != Autonomous || after.End.Status != GoalMet {
				w.t.Fatalf("a run in %s that ends as %q is to be published", after.Start.Mode, after.End.Status)
			}
			if after.Tree == after.Place.Tree {
				w.t.Fatalf("a run that changed nothing is to be published")
			}
			if l := after.Start.Limits.Budget.PullRequests; l > 0 && after.Start.Opened >= l {
				w.t.Fatalf("a pull request is opened after %d of %d", after.Start.Opened, l)
			}
		case Discard:
			if after.Start.Mode != Shadow {
				w.t.Fatalf("a run in %s is to be taken away", after.Start.Mode)
			}
		case EnsureWorktree, RunRole:
			if d := after.Start.Declared; d != nil && !d.Approved && e.Kind == Started {
				w.t.Fatalf("%s, and nobody approved the loop", c.Kind)
			}
			if d := after.Start.Documentation; d != nil && (len(d.Pages) == 0 || d.Found > MostFindings && e.Kind != Answered) {
				w.t.Fatalf("%s, with %d pages and %d findings, and nobody was asked", c.Kind, len(d.Pages), d.Found)
			}
			if c.Kind == EnsureWorktree {
				break
			}
			if b := after.Start.Limits.Budget.USD; w.spent+after.Start.Limits.EstimateUSD > b+1e-6 && e.Kind == SnapshotTaken {
				w.t.Fatalf("a call is made with %.2f of %.2f spent", w.spent, b)
			}
		}
	}
	if len(out) > 1 || len(after.Pending) > 1 {
		w.t.Fatalf("two commands at a time: %v", after.Pending)
	}
	if after.Chunk >= 0 && after.Chunk < len(after.Chunks) && after.Charged > after.Start.Limits.Attempts {
		w.t.Fatalf("%d attempts of %d are charged", after.Charged, after.Start.Limits.Attempts)
	}
	if d := after.Spend.USD - w.spent; d > 1e-6 || d < -1e-6 {
		w.t.Fatalf("spent %.4f, the sum of the calls is %.4f", after.Spend.USD, w.spent)
	}
}

// TestInvariantsOfRandomRuns runs random agents, with a runner that dies now and then.
func TestInvariantsOfRandomRuns(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := &watch{t: t, keys: make(map[string]bool), green: make(map[string]bool), approved: make(map[string]bool)}
		var s State
		tree, at := "t0", benchDay
		var journal []Event
		feed := func(e Event) []Command {
			at = at.Add(time.Second)
			e.At = at
			frozen := encode(t, s)
			next, out := Step(s, e)
			if !bytes.Equal(encode(t, s), frozen) {
				t.Fatalf("the step changed the state that it was given")
			}
			if e.Kind != Resumed && e.Kind != Moved {
				w.step(s, next, e, out)
			} else {
				w.spent, w.calls = next.Spend.USD, next.Spend.Calls
				for _, c := range out {
					w.keys[c.Key] = true
				}
			}
			s, journal = next, append(journal, e)
			return out
		}
		start := drawStart(t)
		queue := feed(Event{Kind: Started, Start: &start})
		for n := 1; len(queue) > 0; n++ {
			if n > 600 {
				t.Fatalf("the run does not end: %s %s", s.Phase, s.Status)
			}
			c := queue[0]
			queue = append(queue[1:], feed(Event{Kind: Began, Key: c.Key})...)
			if s.Executing() && c.Kind != EnsureWorktree && rapid.IntRange(0, 40).Draw(t, "moves") == 0 {
				tree = cmp.Or(s.Tree, "t0")
				queue = feed(Event{Kind: Moved, Worktree: &PlaceResult{Head: cmp.Or(s.Head, "c0"), Tree: tree, Branch: "loop/p"}, Why: "gone"})
				if len(queue) == 0 {
					t.Fatalf("nothing follows a move: %s %s", s.Phase, s.Status)
				}
				continue
			}
			if rapid.IntRange(0, 25).Draw(t, "dies") == 0 {
				if c.Kind == RunRole {
					tree = fmt.Sprintf("lost%d", n)
				}
				queue = feed(Event{Kind: Resumed})
				if len(queue) == 0 {
					t.Fatalf("nothing follows a resumption: %s %s", s.Phase, s.Status)
				}
				continue
			}
			queue = append(queue, feed(drawAnswer(t, c, &tree, n))...)
			feed(Event{Kind: RoleEnded, Key: c.Key, Role: &RoleResult{Tree: "late"}}) // an answer that comes twice
		}
		switch {
		case s.Status == Waiting && s.WaitingFor != "":
		case s.Status.Over() && len(s.Pending) == 0:
		default:
			t.Fatalf("it ended as %s in %s with %v", s.Status, s.Phase, s.Pending)
		}
		if s.Kept > 0 && s.Start.Mode != Shadow && (s.Status == OverBudget || s.Status == GoalNotMet) {
			t.Fatalf("it ended as %s, and %d plans are lost for a page", s.Status, s.Kept)
		}
		said := slices.ContainsFunc(s.Warnings, func(w string) bool { return strings.Contains(w, "can't remove the changes") })
		if s.Start.Mode == Shadow && !s.Planning() && s.Status.Over() && s.Place.Branch != "" && !said {
			t.Fatalf("a run in shadow left the branch %s", s.Place.Branch)
		}
		if r := s.Rounds; r != nil && r.Ending != nil && s.Status != GoalMet && s.Status != r.Ending.Status && s.Status != NoGround && s.Status != Stopped && s.Status.Over() {
			t.Fatalf("it was to end as %s, and ended as %s", r.Ending.Status, s.Status)
		}
		if s.Status == GoalMet {
			for _, c := range s.Chunks {
				if c.Status != ChunkDone {
					t.Fatalf("met, and chunk %s is %s", c.ID, c.Status)
				}
			}
		}
		// The journal alone makes the state, and so does what a file made of it.
		var again []Event
		if err := json.Unmarshal(encode(t, journal), &again); err != nil {
			t.Fatal(err)
		}
		if a, b := encode(t, Fold(again)), encode(t, s); !bytes.Equal(a, b) {
			t.Fatalf("the journal gives\n%s\nthe run was\n%s", a, b)
		}
	})
}

func encode(t interface{ Fatal(...any) }, v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestGoldenTraces holds the commands of ten scenarios, in their order.
func TestGoldenTraces(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"all is well", "touches a test", "claims done three times", "checker rejects once", "checker writes twice", "hangs in silence",
		"five files out of scope", "limit of rate for ten minutes", "spends all", "the goal is green and NOT MET once",
	} {
		i := slices.IndexFunc(outcomes, func(o outcome) bool { return o.name == name })
		b := outcomes[i].play(t)
		traceOf(t, name, b)
	}
}
