package loops

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// The run of a declared loop has one chunk, whose attempts are the loop's iterations. In an
// iteration its workers work one after another, as they share one tree; then its evaluators
// judge, and what follows is in step_declared_judge.go. Nothing is committed before the end:
// then the ordinary gates judge the tree as they judge a chunk of a plan.

// beginDeclared begins a declared loop. A file that nobody approved says what it runs first.
func (s State) beginDeclared() (State, []Command) {
	s.Chunk = -1
	s.Rounds = &Rounds{}
	d := s.Start.Declared
	for _, a := range d.Advisory {
		s.Warnings = append(s.Warnings, "advisory: "+a)
	}
	if d.Approved {
		return s.makeWorktree()
	}
	s.Rounds.Asked = AskedToRun
	why := fmt.Sprintf("nobody approved %s with the hash %s; it runs no command", d.Path, d.Hash)
	if len(d.Runs) > 0 {
		why = strings.TrimSuffix(why, "no command") + "`" + strings.Join(d.Runs, "`, `") + "`"
	}
	return s.ask(why)
}

// iterate begins the next iteration, on the tree as it is.
func (s State) iterate() (State, []Command) {
	r := s.Rounds
	r.Ending = nil
	if most := s.Start.Limits.Budget.Iterations; most > 0 && s.Iterations >= most {
		return s.conclude(Then{Status: OverBudget, Why: fmt.Sprintf("%d of %d iterations are used", s.Iterations, most), Whole: true})
	}
	if r.Tree == "" {
		r.Tree = s.Tree
	}
	s.Attempt++
	r.N++
	s.Iterations++
	s.Chunks[s.Chunk].Attempts = s.Attempt
	s.Candidate, s.Green, s.Notes = "", false, nil
	r.Part, r.Failed, r.Unsafe, r.Gated, r.Asked = 0, 0, 0, "", ""
	r.Children, r.Nested = nil, false
	r.From, r.Began, r.USD = r.Tree, s.Last, s.Spend.USD
	return s.part()
}

// part does what is next in the iteration.
func (s State) part() (State, []Command) {
	r, d := s.Rounds, s.Loop()
	child, worker, i := s.turn()
	switch {
	case i >= len(d.Evaluators) && s.inner(0) >= 0:
		return s.enterChild(s.inner(0))
	case i >= len(d.Evaluators): // nothing is called any more: whether it succeeded counts first
		return s.judgeIteration()
	}
	if next, commands, over := s.costs(); over {
		return next, commands
	}
	if rule := s.humanGate(); rule != nil {
		return s.askPerson(AskedToPass, rule.ID, fmt.Sprintf("safety constraint %s: iteration %d is at %s; approve to go on", rule.ID, s.Rounds.N, s.partName()))
	}
	switch {
	case child >= 0:
		return s.enterChild(child)
	case worker >= 0:
		return s.enter(Working, 1)
	}
	if i == 0 {
		r.Marks = nil
	}
	e := &d.Evaluators[i]
	switch e.Kind {
	case ByCommand:
		s.Phase = Evaluating
		return s.gates(StageEvaluate, s.Chunk, r.Tree)
	case ByPerson:
		s.Phase = Evaluating
		if e.Wall > 0 {
			r.Until = s.Last.Add(time.Duration(e.Wall))
		}
		return s.askPerson(AskedToMark, "", fmt.Sprintf("evaluator %s: %s; approve or reject iteration %d", e.ID, e.Ask, s.Rounds.N))
	}
	return s.enter(Evaluating, 1)
}

// nextPart goes on in the iteration.
func (s State) nextPart() (State, []Command) {
	s.Rounds.Part++
	s.Rounds.Failed = 0
	return s.part()
}

// turn returns the index of the child, the worker or the evaluator that is next in the
// iteration; the others are negative. After the last evaluator its index is their number.
func (s *State) turn() (child, worker, evaluator int) {
	d, i := s.Loop(), s.Rounds.Part
	switch c, w := len(d.Children), len(d.Workers); {
	case i < c:
		return i, -1, -1
	case i < c+w:
		return -1, i - c, -1
	default:
		return -1, -1, i - c - w
	}
}

// partID is the id of the worker or evaluator in work, "" if there is none.
func (s *State) partID() string {
	if !s.Declares() || s.Rounds == nil {
		return ""
	}
	id := ""
	switch _, worker, evaluator := s.turn(); {
	case worker >= 0 && (s.Phase == Working || s.Phase == Guarding):
		id = s.Loop().Workers[worker].ID
	case evaluator >= 0 && s.Phase == Evaluating:
		id = s.Loop().Evaluators[evaluator].ID
	default:
		return ""
	}
	return s.Start.Declared.qualified(s.Rounds.Loop) + id
}

// localID is the id of the part in its own loop.
func (s *State) localID() string {
	id := s.partID()
	return id[strings.LastIndexByte(id, '.')+1:]
}

// partName names what is next, for people.
func (s *State) partName() string {
	d := s.Loop()
	switch child, worker, evaluator := s.turn(); {
	case child >= 0:
		return "loop " + d.Children[child].ID
	case worker >= 0:
		return "worker " + d.Workers[worker].ID
	case evaluator < len(d.Evaluators):
		return "evaluator " + d.Evaluators[evaluator].ID
	}
	return "its end"
}

// askPerson asks a person something that is part of the loop.
func (s State) askPerson(what Asking, gate, why string) (State, []Command) {
	s.Rounds.Asked, s.Rounds.Gated = what, gate
	return s.ask(why)
}

// worked takes what a worker did.
func (s State) worked(c Command, res RoleResult) (State, []Command) {
	if why, undo := s.beyond(res); why != "" {
		if s.Rounds.Tree = res.Tree; undo {
			s.Rounds.Tree = s.Tree
		}
		return s.escalate(why, undo)
	}
	w := s.Start.Declared.Worker(c.Part)
	if f, bad := unusable(Worker, res, s.changedBy(res)); bad {
		return s.workerFailed(w, f)
	}
	if w.USD > 0 && res.Report.Usage.USD > w.USD+1e-9 {
		s.warnOnce(fmt.Sprintf("a call of %s cost $%.2f, more than its budget of $%.2f", w.ID, res.Report.Usage.USD, w.USD))
	}
	r := s.Rounds
	r.Outputs = append(r.Outputs, WorkerOutput{Worker: w.ID, Iteration: s.Rounds.N, Folder: res.Evidence, Summary: res.Report.Summary, At: s.Last})
	s.forget()
	if broken := s.brokenBy(w, res); broken != nil {
		return s.unsafe(w, *broken, res.Tree)
	}
	return s.guarded(res.Tree)
}

// guarded has the gates judge what a worker changed before anybody builds on it.
func (s State) guarded(tree string) (State, []Command) {
	if tree == s.Rounds.Tree {
		return s.nextPart()
	}
	s.Phase = Guarding
	return s.gates(StageGuard, s.Chunk, tree)
}

// workerFailed makes a failed call again as often as the worker may, and else gives the
// iteration up.
func (s State) workerFailed(w *DeclaredWorker, f fail) (State, []Command) {
	r := s.Rounds
	s.Feedback = []Feedback{{From: "runner", Attempt: s.Rounds.N, Text: f.why}}
	if r.Failed++; r.Failed <= w.Retries {
		return s.rollback(r.Tree, Then{Do: ThenAgain, Why: f.why})
	}
	if f.class == ClassTimeout {
		if rule := s.Loop().failure(TimedOut); rule != nil && rule.Value == 0 {
			return s.failedBy(*rule, "worker "+w.ID+": "+f.why)
		}
	}
	return s.lose("worker "+w.ID+": "+f.why, f.class)
}

// lose gives the iteration up: its changes go, and the next one begins.
func (s State) lose(why, class string) (State, []Command) {
	r := s.Rounds
	s.keepIteration(Iteration{Lost: why})
	r.Lost++
	s.Feedback = []Feedback{{From: "runner", Attempt: s.Rounds.N, Text: why}}
	if most := s.Start.Limits.Attempts; r.Lost >= most {
		return s.conclude(Then{Status: Stopped, Class: class, Why: fmt.Sprintf("%d iterations in a row came to nothing, the last: %s", r.Lost, why)})
	}
	if next, commands, over := s.spentIterations(); over {
		return next, commands
	}
	return s.backTo(r.From, why)
}

// backTo makes the worktree what it was, and begins the next iteration.
func (s State) backTo(tree, why string) (State, []Command) {
	s.Rounds.Tree = tree
	return s.rollback(tree, Then{Do: ThenAttempt, Why: why})
}

// keepIteration adds an iteration that is over.
func (s *State) keepIteration(it Iteration) {
	r := s.Rounds
	it.N, it.Tree, it.Unsafe, it.Ended = s.Rounds.N, r.Tree, r.Unsafe, s.Last
	it.USD, it.Took = s.Spend.USD-r.USD, Duration(s.Last.Sub(r.Began))
	r.History = append(r.History, it)
}

// Remembered returns the outputs that a worker may read as memory, the oldest first.
func (s *State) Remembered() []WorkerOutput {
	m := s.Loop().Memory
	var out []WorkerOutput
	for _, o := range s.Rounds.Outputs {
		if s.remembers(o) && !o.Withheld {
			out = append(out, o)
		}
	}
	if m.Most > 0 && len(out) > m.Most {
		out = out[len(out)-m.Most:]
	}
	return out
}

// remembers reports whether the rule of memory keeps an output.
func (s *State) remembers(o WorkerOutput) bool {
	m := s.Loop().Memory
	switch {
	case m.Writers != nil && !slices.Contains(m.Writers, o.Worker):
		return false
	case !m.Session:
		return o.Iteration == s.Rounds.N
	}
	return (m.Iterations == 0 || o.Iteration > s.Rounds.N-m.Iterations-1) && (m.Age == 0 || s.Last.Sub(o.At) <= time.Duration(m.Age))
}

// forget drops what nobody reads any more: neither as memory nor through a channel.
func (s *State) forget() {
	s.Rounds.Outputs = slices.DeleteFunc(s.Rounds.Outputs, func(o WorkerOutput) bool {
		return o.Iteration < s.Rounds.N-1 && !s.remembers(o)
	})
}

// declaredGates takes what gates found in a declared loop, its base aside.
func (s State) declaredGates(c Command, worst Effect, results []GateResult) (State, []Command) {
	bad := worstOf(results, worst)
	why := fmt.Sprintf("gate %s: %s", bad.Gate, first(bad.Reason))
	switch {
	case worst == Violation:
		return s.violated(classOf(bad, ClassTampering), why)
	case c.Stage == StageEvaluate:
		return s.measured(c, results)
	case worst == Environment:
		return s.finish(NoGround, classOf(bad, ClassEnvironment), why)
	case c.Stage == StageGuard && worst >= Red:
		s.Phase = Working
		return s.workerFailed(s.Start.Declared.Worker(c.Part), fail{class: classOf(bad, ClassScope), why: why, rollback: true})
	case c.Stage == StageGuard:
		s.Rounds.Tree = c.Tree
		return s.nextPart()
	case worst >= Red:
		return s.notKept(results, why)
	case worst == Ask && c.Stage == StageChunk:
		s.Green = true
		return s.escalate(why, false)
	case c.Stage == StageChunk:
		return s.declaredPassed()
	}
	s.Green = true
	return s.commit()
}

// declaredPassed takes a tree that the gates of a chunk let pass. That of a repair must also
// be what a repair has to come to.
func (s State) declaredPassed() (State, []Command) {
	if len(s.Failures) > 0 {
		return s.gates(StageGoal, s.Chunk, s.Candidate)
	}
	s.Green = true
	return s.commit()
}
