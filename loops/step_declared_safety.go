package loops

import (
	"fmt"
	"slices"
	"time"
)

// rule returns the first rule of safety of a kind at a scope that holds for a worker, nil if
// there is none.
func (s *State) rule(kind, scope, worker string) *SafetyRule {
	for i := range s.Loop().Safety {
		if r := &s.Loop().Safety[i]; r.Kind == kind && r.Scope == scope && r.holdsFor(worker) {
			return r
		}
	}
	return nil
}

func (r *SafetyRule) holdsFor(worker string) bool {
	return worker == "" || r.Workers == nil || slices.Contains(r.Workers, worker)
}

// humanGate returns the gate before what is next in the iteration, nil if there is none or
// a person has opened it.
func (s *State) humanGate() *SafetyRule {
	r, d := s.Rounds, s.Loop()
	var rule *SafetyRule
	_, worker, evaluator := s.turn()
	switch {
	case worker >= 0:
		rule = s.rule(GuardPerson, "pre_worker", d.Workers[worker].ID)
	case evaluator == 0:
		rule = s.rule(GuardPerson, "pre_evaluator", "")
	}
	if after := r.Part - 1 - len(d.Children); rule == nil && after >= 0 && after < len(d.Workers) {
		rule = s.rule(GuardPerson, "post_worker", d.Workers[after].ID)
	}
	if rule == nil || r.Gated == opened(rule, r.Part) {
		return nil
	}
	gate := *rule
	gate.ID = opened(rule, r.Part)
	return &gate
}

// opened names a gate at a part.
func opened(r *SafetyRule, part int) string { return fmt.Sprintf("%s (%d)", r.ID, part+1) }

// breakage is a broken rule of safety.
type breakage struct {
	rule *SafetyRule
	why  string
}

// brokenBy returns the first rule that a worker's output breaks, nil if none.
func (s *State) brokenBy(w *DeclaredWorker, res RoleResult) *breakage {
	for i := range s.Loop().Safety {
		r := &s.Loop().Safety[i]
		reads := r.Kind == GuardInjection && r.Scope == "pre_worker" // it holds for who reads, whoever wrote
		if r.Scope == "pre_output" || !reads && !r.holdsFor(w.ID) {
			continue
		}
		if why := r.broken(res, res.Report.Answer); why != "" {
			return &breakage{r, fmt.Sprintf("safety constraint %s: worker %s: %s", r.ID, w.ID, why)}
		}
	}
	return nil
}

// broken says how an output breaks the rule, or "".
func (r *SafetyRule) broken(res RoleResult, a AnswerFacts) string {
	switch {
	case r.Kind == GuardInjection && a.Risk > r.Risk:
		return fmt.Sprintf("its output reads like instructions for the next agent (risk %.2f of %.2f)", a.Risk, r.Risk)
	case r.Kind == GuardBounds && r.Bytes > 0 && a.Bytes > r.Bytes:
		return fmt.Sprintf("its output has %d bytes, more than %d", a.Bytes, r.Bytes)
	case r.Kind == GuardBounds && r.Files > 0 && len(res.Changes) > r.Files:
		return fmt.Sprintf("it changed %d files, more than %d", len(res.Changes), r.Files)
	case r.Kind == GuardSchema && !a.JSON:
		return "its output is not a JSON object"
	case r.Kind == GuardSchema:
		for _, k := range r.Keys {
			if !slices.Contains(a.Keys, k) {
				return fmt.Sprintf("its output has no key %q", k)
			}
		}
	}
	return ""
}

// unsafe does what the broken rule says.
func (s State) unsafe(w *DeclaredWorker, b breakage, tree string) (State, []Command) {
	r := s.Rounds
	r.Unsafe++
	last := &r.Outputs[len(r.Outputs)-1]
	switch b.rule.Action {
	case Warn:
		s.warnOnce(b.why)
		return s.guarded(tree)
	case Strip:
		last.Stripped = true
		s.warnOnce(b.why + "; the lines are removed")
		return s.guarded(tree)
	case Quarantine: // neither its words nor its changes reach anybody
		last.Withheld = true
		s.warnOnce(b.why + "; its output is withheld")
		return s.rollback(r.Tree, Then{Do: ThenNextPart, Why: b.why})
	case AskPerson:
		last.Withheld, r.Tree = true, tree
		return s.escalate(b.why, false)
	}
	r.Tree = tree
	if rule := s.Loop().failure(SafetyViolation); rule != nil && rule.Action != Halt {
		last.Withheld = true
		s.keepIteration(Iteration{Lost: b.why})
		return s.failedBy(*rule, b.why)
	}
	return s.conclude(Then{Status: Stopped, Class: string(SafetyViolation), Why: b.why})
}

// expired reports whether a person was given until a moment that is over.
func (s *State) expired(at time.Time) bool {
	return s.Rounds.Asked == AskedToMark && !s.Rounds.Until.IsZero() && at.After(s.Rounds.Until)
}

// noAnswer goes on without the judgement of a person who gave none in time.
func (s State) noAnswer() (State, []Command) {
	r := s.Rounds
	s.Status, s.WaitingFor, s.Question, r.Asked = Running, "", "", ""
	id := s.localID()
	m := Mark{Evaluator: id, Error: fmt.Sprintf("evaluator %s: nobody answered until %s", id, r.Until.UTC().Format(time.RFC3339))}
	r.Until = time.Time{}
	return s.marked(m)
}
