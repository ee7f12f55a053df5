package loops

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/loopwiki/wiki/schema/text"
)

// measured takes what a command made of the tree.
func (s State) measured(c Command, results []GateResult) (State, []Command) {
	e := s.Start.Declared.Evaluator(c.Part)
	m := Mark{Evaluator: e.ID, Passed: true, Score: 1}
	for _, r := range results {
		if r.Effect == Environment {
			return s.finish(NoGround, classOf(r, ClassEnvironment), fmt.Sprintf("evaluator %s: %s", e.ID, first(r.Reason)))
		}
		if r.Score != nil {
			m.Score = *r.Score
		}
		if r.Effect < Red {
			continue
		}
		m.Passed, m.Reasons, m.Class, m.Output = false, r.Reason, r.Class, r.Output
		if r.Score == nil {
			m.Score = 0
		}
		if r.Class == ClassTimeout {
			m.Error = first(r.Reason)
		}
	}
	return s.marked(m)
}

// evaluated takes the scores of a judge. One that changes the tree has judged nothing.
func (s State) evaluated(c Command, res RoleResult) (State, []Command) {
	e := s.Start.Declared.Evaluator(c.Part)
	m := e.Mark(res)
	again := Then{Do: ThenAgain, Why: fmt.Sprintf("evaluator %s changed files: its scores are discarded", e.ID)}
	wrote := res.Tree != s.Before.Tree || len(res.Changes) > 0
	if wrote {
		m.Error = again.Why
	}
	if m.Error == "" {
		return s.marked(m)
	}
	m.Score, m.Passed = 0, false
	s.Asked++
	switch {
	case s.Asked <= 1 && wrote:
		return s.rollback(s.Before.Tree, again)
	case s.Asked <= 1:
		return s.enter(s.Phase, s.Try+1)
	case wrote: // nothing looks at the tree before it is what it was
		s.Rounds.Marks = append(s.Rounds.Marks, m)
		return s.rollback(s.Before.Tree, Then{Do: ThenNextPart, Why: again.Why})
	}
	return s.marked(m)
}

// Mark returns what the scores of a call come to.
func (e *Evaluation) Mark(res RoleResult) Mark {
	m := Mark{Evaluator: e.ID, Summary: res.Report.Summary, Reasons: res.Report.Reasons}
	if m.Error = e.mark(&m, res); m.Error != "" {
		m.Score, m.Passed = 0, false
	}
	return m
}

// mark fills in what scores come to, or says why they count for nothing.
func (e *Evaluation) mark(m *Mark, res RoleResult) string {
	if o := res.Report.Outcome; o != OK && o != NoChange {
		return fmt.Sprintf("evaluator %s failed: %s", e.ID, detail(res))
	}
	var sum, weights float64
	lowest := 1.0
	for _, d := range e.Rubric {
		v, ok := res.Report.Scores[d.Name]
		switch {
		case !ok:
			return fmt.Sprintf("evaluator %s gave no score for %s", e.ID, d.Name)
		case v < d.Low || v > d.High:
			return fmt.Sprintf("evaluator %s scored %s %g, outside of %g to %g", e.ID, d.Name, v, d.Low, d.High)
		}
		n := (v - d.Low) / (d.High - d.Low)
		m.Dimensions = append(m.Dimensions, DimensionScore{d.Name, n})
		sum, weights, lowest = sum+d.Weight*n, weights+d.Weight, min(lowest, n)
	}
	m.Score = math.Round(sum/weights*1e9) / 1e9 // equal scores come to themselves, and to a threshold
	switch {
	case e.Combine == "min":
		m.Score = lowest
	case e.Combine == "veto" && lowest < e.Pass:
		m.Score = 0
	}
	m.Passed = m.Score >= e.Pass
	return ""
}

// marked keeps a judgement and goes on.
func (s State) marked(m Mark) (State, []Command) {
	s.Rounds.Marks = append(s.Rounds.Marks, m)
	return s.nextPart()
}

// judgeIteration decides what follows an iteration: success, a failure, a stall, or the next
// one, in this order.
func (s State) judgeIteration() (State, []Command) {
	r, d := s.Rounds, s.Loop()
	r.Lost = 0
	s.Feedback = nil
	s.keepIteration(Iteration{Values: s.values()})
	failed := slices.ContainsFunc(r.Marks, func(m Mark) bool { return m.Error != "" })
	r.Errors = inRow(r.Errors, failed)
	r.UnsafeRow = inRow(r.UnsafeRow, r.Unsafe > 0)
	s.tellPeople()
	if s.succeeded() {
		return s.conclude(Then{Status: GoalMet})
	}
	if next, commands, over := s.failures(); over {
		return next, commands
	}
	for _, rule := range d.Stall {
		if why := s.stalledBy(rule); why != "" {
			return s.consequence(rule.Action, Then{Status: GoalNotMet, Class: ClassBreaker, Why: why})
		}
	}
	return s.optimise()
}

func inRow(n int, again bool) int {
	if !again {
		return 0
	}
	return n + 1
}

// values measures the iteration that was just judged.
func (s *State) values() []Value {
	r := s.Rounds
	var out []Value
	for _, m := range s.Loop().Metrics {
		v, ok := 0.0, true
		switch m.Telemetry {
		case "":
			i := slices.IndexFunc(r.Marks, func(k Mark) bool { return k.Evaluator == m.Evaluator && k.Error == "" })
			if ok = i >= 0; ok {
				v = r.Marks[i].Score
			}
			if m.Primary && s.vetoed() { // whatever the others found, it is no result
				v, ok = 0, ok && !m.Lower
			}
		case "cost":
			v = s.Spend.USD - r.Before
		case "tokens":
			v = float64(s.Spend.Tokens)
		case "iterations":
			v = float64(s.Rounds.N)
		case "latency":
			v = s.Last.Sub(r.Began).Seconds()
		case "safety":
			v = float64(r.Unsafe)
		}
		if ok {
			out = append(out, Value{m.Name, v})
		}
	}
	return out
}

// Of returns the value of a metric.
func (it *Iteration) Of(metric string) (float64, bool) {
	for _, v := range it.Values {
		if v.Metric == metric {
			return v.Value, true
		}
	}
	return 0, false
}

var thresholds = map[string]func(a, b float64) bool{
	"gte": whenOperators[">="], "lte": whenOperators["<="], "gt": whenOperators[">"], "lt": whenOperators["<"], "eq": whenOperators["=="],
}

// vetoed reports whether an evaluator that has a veto did not pass.
func (s *State) vetoed() bool {
	return slices.ContainsFunc(s.Loop().Evaluators, func(e Evaluation) bool {
		return e.Combine == "veto" && slices.ContainsFunc(s.Rounds.Marks, func(m Mark) bool { return m.Evaluator == e.ID && !m.Passed })
	})
}

// succeeded reports whether all conditions of success hold, without a veto. A loop without any
// has to be ended by something else.
func (s *State) succeeded() bool {
	d, h := s.Loop(), s.Rounds.History
	if s.vetoed() {
		return false
	}
	for _, t := range d.Success {
		n := max(1, t.Consecutive)
		if len(h) < n {
			return false
		}
		for i := range h[len(h)-n:] {
			v, ok := h[len(h)-n+i].Of(t.Metric)
			if !ok || !thresholds[t.Operator](v, t.Value) {
				return false
			}
		}
	}
	return len(d.Success) > 0
}

// failure returns the rule of a kind of failure, nil if there is none.
func (d *Declared) failure(k FailureKind) *FailureRule {
	for i := range d.Failure {
		if d.Failure[i].Kind == k {
			return &d.Failure[i]
		}
	}
	return nil
}

// failures takes the first failure of the iteration that was judged.
func (s State) failures() (State, []Command, bool) {
	r, d := s.Rounds, s.Loop()
	if rule := d.failure(SafetyViolation); rule != nil && r.Unsafe > 0 && r.UnsafeRow >= rule.Consecutive {
		next, commands := s.failedBy(*rule, fmt.Sprintf("%s of iteration %d broke a safety constraint", text.Count(r.Unsafe, "output"), s.Rounds.N))
		return next, commands, true
	}
	most := s.Start.Limits.Attempts
	rule := d.failure(EvaluatorError)
	if rule == nil {
		rule = &FailureRule{Kind: EvaluatorError, Action: Halt, Consecutive: most}
	}
	if r.Errors > 0 && r.Errors >= rule.Consecutive {
		why := fmt.Sprintf("an evaluator failed in %d iterations in a row", r.Errors)
		for _, m := range r.Marks {
			if m.Error != "" {
				why += ": " + m.Error
				break
			}
		}
		next, commands := s.failedBy(*rule, why)
		return next, commands, true
	}
	if rule := d.failure(TimedOut); rule != nil && rule.Value > 0 && time.Duration(s.Worked-r.Worked).Seconds() >= rule.Value {
		next, commands := s.failedBy(*rule, fmt.Sprintf("%v of %gs have passed", time.Duration(s.Worked-r.Worked).Round(time.Second), rule.Value))
		return next, commands, true
	}
	if over := s.overIteration(); over != "" {
		if next, commands, ends := s.exceededBy(over); ends {
			return next, commands, true
		}
	}
	return s.spentIterations()
}

// spentIterations ends a loop whose iterations are used up.
func (s State) spentIterations() (State, []Command, bool) {
	rule := s.Loop().failure(MaxIterations)
	if rule == nil || float64(len(s.Rounds.History)-s.Rounds.Since) < rule.Value {
		return s, nil, false
	}
	next, commands := s.failedBy(*rule, fmt.Sprintf("no success in %g iterations%s", rule.Value, s.bestLine()))
	return next, commands, true
}

// failedBy takes a failure of the loop's own rules.
func (s State) failedBy(rule FailureRule, why string) (State, []Command) {
	then := Then{Status: Stopped, Class: string(rule.Kind), Why: why}
	switch rule.Kind {
	case MaxIterations, TimedOut:
		then.Status, then.Class = GoalNotMet, ClassGoal
	case CostExceeded:
		then.Status, then.Class = OverBudget, ""
	case HumanRejected:
		then.Status, then.Class = Rejected, ""
	}
	return s.consequence(rule.Action, then)
}

// consequence does what follows: an end, a question, or the iteration once more.
func (s State) consequence(c Consequence, then Then) (State, []Command) {
	switch c {
	case AskPerson:
		return s.escalate(then.Why, false)
	case Retry:
		s.Feedback = []Feedback{{From: "runner", Attempt: s.Rounds.N, Text: then.Why}}
		if next, commands, over := s.spentIterations(); over {
			return next, commands
		}
		return s.backTo(s.Rounds.From, then.Why)
	}
	return s.conclude(then)
}

// stalledBy says that a metric no longer improves, or "".
func (s *State) stalledBy(rule StallRule) string {
	lower := s.Loop().lower(rule.Metric)
	h := s.Rounds.History[s.Rounds.Since:]
	var all []float64
	for i := range h {
		if v, ok := h[i].Of(rule.Metric); ok {
			all = append(all, v)
		}
	}
	if len(all) <= rule.Window {
		return ""
	}
	at := len(all) - rule.Window
	before, now := bestOf(all[:at], lower), bestOf(all[at:], lower)
	gain := now - before
	if lower {
		gain = -gain
	}
	if gain >= rule.Least {
		return ""
	}
	return fmt.Sprintf("%s stalled: %.3g in the last %d iterations, %.3g before", rule.Metric, now, rule.Window, before)
}

func bestOf(all []float64, lower bool) float64 {
	if lower {
		return slices.Min(all)
	}
	return slices.Max(all)
}

func (d *Declared) lower(metric string) bool {
	return slices.ContainsFunc(d.Metrics, func(m Measure) bool { return m.Name == metric && m.Lower })
}

func (d *Declared) primary() string {
	for _, m := range d.Metrics {
		if m.Primary {
			return m.Name
		}
	}
	return ""
}
