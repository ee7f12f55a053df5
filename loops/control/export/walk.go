package export

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/loopwiki/wiki/loops"
)

// iteration is one call of a role that works, and all that judged what it left.
type iteration struct {
	at      time.Time
	role    loops.Role
	key     string // of chunk and attempt
	summary string
	took    time.Duration // of agents and gates, without waiting
	usd     float64
	tokens  int64
	passed  map[string]bool    // by gate
	scores  map[string]float64 // by evaluator of a declared loop
	// safety counts broken rules, human is set if a person decided something.
	safety   int
	human    bool
	feedback []string
}

// walker sorts events into iterations.
type walker struct {
	iterations []iteration
	// gates are all that judged anything in the run, sorted.
	gates []string
	// primary is the evaluator of the metric that decides a declared loop, "" if gates do, and
	// vetoes are those without which nothing succeeds.
	primary string
	vetoes  []string
	// spent and tokens were consumed since the last iteration that took them.
	spent  float64
	tokens int64
}

// goal is the share of the run's gates that passed in an iteration, or the primary metric of
// a declared loop, which is 0 after a veto.
func (w *walker) goal(i iteration) float64 {
	if w.primary != "" {
		if slices.ContainsFunc(w.vetoes, func(id string) bool { passed, judged := i.passed[id]; return judged && !passed }) {
			return 0
		}
		return min(max(i.scores[w.primary], 0), 1)
	}
	n := 0
	for _, gate := range w.gates {
		if i.passed[gate] {
			n++
		}
	}
	if len(w.gates) == 0 {
		return 0
	}
	return float64(n) / float64(len(w.gates))
}

func walk(s *loops.State, events []loops.Event) walker {
	var w walker
	w.declared(s.Start.Declared)
	if s.Start.Plan.Goal != "" {
		w.gates = []string{"goal"}
	}
	began := make(map[string]loops.Command)
	var now loops.State
	for _, e := range events {
		before := now.Spend
		mark, person, asked := now.Judgement(e)
		now, _ = loops.Step(now, e)
		w.spent += now.Spend.USD - before.USD
		w.tokens += now.Spend.Tokens - before.Tokens
		if e.Kind == loops.Began && e.Command != nil {
			began[e.Key] = *e.Command
			if c := *e.Command; c.Kind == loops.RunRole && works(s, c.Role) {
				w.begin(c, e.At, number(&now, c))
			}
		}
		if n := len(w.iterations); n > 0 {
			w.add(&w.iterations[n-1], e, began[e.Key])
			w.scored(&w.iterations[n-1], &s.Start, e, began[e.Key])
			if asked { // what they wrote is feedback, who they are is not
				w.marked(&w.iterations[n-1], person, mark, []loops.Reason{{Message: cmp.Or(mark.Summary, "rejected by a person")}})
			}
		}
	}
	if n := len(w.iterations); n > 0 && len(w.gates) == 0 { // nothing judged it but the kernel
		w.gates = []string{"goal"}
		w.iterations[n-1].passed["goal"] = s.Status == loops.GoalMet
	}
	slices.Sort(w.gates)
	return w
}

// declared takes over what decides a declared loop.
func (w *walker) declared(d *loops.Declared) {
	if d == nil {
		return
	}
	for _, m := range d.Metrics {
		if m.Primary {
			w.primary = m.Evaluator
		}
	}
	for _, e := range d.Evaluators {
		if e.Combine == "veto" {
			w.vetoes = append(w.vetoes, e.ID)
		}
	}
}

// number is that of the attempt, or of the iteration of a declared loop. An iteration of a
// composition has all those of the loops in it.
func number(s *loops.State, c loops.Command) int {
	switch {
	case !s.Declares():
		return c.Attempt
	case len(s.Outer) > 0:
		return s.Outer[0].N
	}
	return s.Rounds.N
}

// works reports whether a call of a role begins an iteration. A writer who documents a
// change that is made adds nothing to it.
func works(s *loops.State, r loops.Role) bool {
	switch r {
	case loops.Maker, loops.Planner, loops.Auditor, loops.Reader, loops.Worker:
		return true
	case loops.Writer:
		return !s.Executing()
	}
	return false
}

// begin begins an iteration. A call that is made again, as its vendor failed or its
// result was lost, belongs to the one that it repeats, and so do the workers of a
// declared loop that follow the first.
func (w *walker) begin(c loops.Command, at time.Time, number int) {
	key := fmt.Sprint(c.Chunk, "/", number, "/", c.Role)
	if n := len(w.iterations); n > 0 && w.iterations[n-1].key == key {
		return
	}
	w.iterations = append(w.iterations, iteration{at: at, role: c.Role, key: key, passed: make(map[string]bool), scores: make(map[string]float64)})
}

// add takes what an event says of the iteration in work. c is the command that it
// answers. What was spent before the first iteration counts in it.
func (w *walker) add(i *iteration, e loops.Event, c loops.Command) {
	i.usd, i.tokens = i.usd+w.spent, i.tokens+w.tokens
	w.spent, w.tokens = 0, 0
	switch {
	case e.Role != nil:
		i.called(c.Role, e.Role)
	case e.Kind == loops.GatesEnded && c.Stage == loops.StageEvaluate:
		w.evaluated(i, printed(c.Part, e.Gates), e.Gates)
	case e.Kind == loops.GatesEnded && c.Stage != loops.StageBaseline && c.Stage != loops.StageGuard:
		w.judged(i, e.Gates)
	case e.Kind == loops.Answered, e.Kind == loops.StopAsked:
		i.human = true
	case len(e.Breaches) > 0:
		i.safety++
	}
}

// evaluated adds what an evaluator of a declared loop came to, under its name.
func (w *walker) evaluated(i *iteration, m loops.Mark, results []loops.GateResult) {
	results = slices.Clone(results)
	for n := range results {
		results[n].Gate = m.Evaluator
	}
	w.judged(i, results)
	i.scores[m.Evaluator] = m.Score
}

// scored adds the judgement of an evaluator that is an agent.
func (w *walker) scored(i *iteration, s *loops.Start, e loops.Event, c loops.Command) {
	if e.Role == nil || c.Role != loops.Evaluator {
		return
	}
	m := s.Declared.Evaluator(c.Part).Mark(*e.Role)
	w.marked(i, c.Part, m, m.Reasons)
}

// marked adds the judgement of an agent or a person as that of a gate.
func (w *walker) marked(i *iteration, part string, m loops.Mark, reasons []loops.Reason) {
	r := loops.GateResult{Reason: reasons}
	if !m.Passed {
		r.Effect = loops.Red
	}
	m.Evaluator = part
	w.evaluated(i, m, []loops.GateResult{r})
}

// printed is the mark of a tree by a command: what it printed, or whether it succeeded.
func printed(part string, results []loops.GateResult) loops.Mark {
	m := loops.Mark{Evaluator: part, Score: 1}
	for _, r := range results {
		switch {
		case r.Score != nil:
			m.Score = *r.Score
		case r.Effect >= loops.Red:
			m.Score = 0
		}
	}
	return m
}

// called adds the result of a call.
func (i *iteration) called(role loops.Role, r *loops.RoleResult) {
	i.took += time.Duration(r.Exit.Took)
	if role == i.role {
		i.summary = r.Report.Summary
	}
	if len(r.Breaches) > 0 || r.Secrets > 0 {
		i.safety++
	}
	if v := r.Report.Verdict; v != nil {
		for _, reason := range v.Reasons {
			i.feedback = append(i.feedback, fmt.Sprintf("%s: %s", role, reason))
		}
	}
}

// judged adds what gates found. What the maker is not to read stays out of a trace too.
func (w *walker) judged(i *iteration, results []loops.GateResult) {
	red := make(map[string]bool)
	for _, r := range results {
		if !slices.Contains(w.gates, r.Gate) {
			w.gates = append(w.gates, r.Gate)
		}
		i.took += time.Duration(r.Duration)
		red[r.Gate] = red[r.Gate] || r.Effect >= loops.Red
		i.passed[r.Gate] = !red[r.Gate]
		if r.Effect == loops.Violation || r.Effect == loops.Unscoped {
			i.safety++
		}
		for _, reason := range r.Reason {
			if r.Effect >= loops.Red && !r.Hidden {
				i.feedback = append(i.feedback, fmt.Sprintf("gate %s: %s", r.Gate, reason))
			}
		}
	}
}
