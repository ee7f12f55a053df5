package plan

import (
	"fmt"
	"github.com/loopwiki/wiki/schema"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/loopwiki/wiki/loops"
)

// SpecBudget is one limit of a spec.
type SpecBudget struct {
	Key string
	// N is a number, or that of a time in its unit.
	N    int64
	Time time.Duration
	USD  float64
}

// unit is in what a budget is given.
type unit int

const (
	plain unit = iota
	times
	money
)

var unitHints = [...]string{"write a whole number from 1, as in 3", "write a duration with its unit, as in 30 minutes", "write an amount in USD, as in $5"}

// budgetKeys are the budgets that there are.
var budgetKeys = []struct {
	key  string
	unit unit
	to   string
	set  func(*loops.Limits, SpecBudget)
}{
	{"max iterations", plain, "calls of the maker per run of the loop", func(l *loops.Limits, b SpecBudget) { l.Budget.Iterations = int(b.N) }},
	{"max attempts per item", plain, "attempts per item", func(l *loops.Limits, b SpecBudget) { l.Attempts = int(b.N) }},
	{"max items per run", plain, "items selected per run of the loop", nil},
	{"max tool calls per iteration", plain, "tool calls per call of the maker", func(l *loops.Limits, b SpecBudget) { l.Budget.CallTools = int(b.N) }},
	{"max tool calls per run", plain, "tool calls per run of the loop", func(l *loops.Limits, b SpecBudget) { l.Budget.ToolCalls = int(b.N) }},
	{"max runtime", times, "working time of a run of the loop", func(l *loops.Limits, b SpecBudget) { l.Budget.Clock = loops.Duration(b.Time) }},
	{"max pull requests per run", plain, "changes left for review per run of the loop", func(l *loops.Limits, b SpecBudget) { l.Budget.PullRequests = int(b.N) }},
	{"max cost per run", money, "cost per run of the loop", func(l *loops.Limits, b SpecBudget) { l.Budget.USD = b.USD }},
	{"max cost per item", money, "cost per item", func(l *loops.Limits, b SpecBudget) { l.Budget.ChunkUSD = b.USD }},
	{"max cost per day", money, "cost of all runs of a day", func(l *loops.Limits, b SpecBudget) { l.Budget.DayUSD = b.USD }},
	{"max tokens per run", plain, "input and output tokens per run of the loop", func(l *loops.Limits, b SpecBudget) { l.Budget.Tokens = b.N }},
}

// budgetAliases are other spellings of keys.
var budgetAliases = map[string]string{
	"max tool calls": "max tool calls per run", "max pull requests": "max pull requests per run", "max cost": "max cost per run", "max usd": "max cost per run",
	"max tokens": "max tokens per run", "max items": "max items per run", "max attempts": "max attempts per item",
	"tool calls per iteration": "max tool calls per iteration", "runtime": "max runtime", "pull requests per run": "max pull requests per run",
}

var (
	wholeForm = schema.Expression(`^([0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,12})(?: ?(k|thousand|million))?$`)
	timeForm  = schema.Expression(`^([0-9]{1,6}) ?(s|seconds?|m|min|minutes?|h|hours?)$`)
	moneyForm = schema.Expression(`^(?:\$ ?([0-9]{1,6}(?:\.[0-9]{1,2})?)|([0-9]{1,6}(?:\.[0-9]{1,2})?) ?(?:USD|usd|dollars?))$`)
)

// budget reads one limit.
func (d *specDocument) budget(e specEntry) {
	name, value, ok := strings.Cut(e.text, ":")
	if !ok {
		d.fault("invalid-value", e, "write a key and a value, as in max iterations: 3", "%q is not a budget", e.text)
		return
	}
	key, value := strings.ToLower(strings.TrimSpace(name)), strings.TrimSpace(value)
	if full, ok := budgetAliases[key]; ok {
		key = full
	}
	var keys []string
	for _, k := range budgetKeys {
		keys = append(keys, k.key)
		if k.key != key {
			continue
		}
		b := SpecBudget{Key: key}
		if why := b.read(k.unit, value); why != "" {
			d.fault("invalid-value", e, unitHints[k.unit], "%s: %s", key, why)
			return
		}
		if slices.ContainsFunc(d.spec.Budgets, func(o SpecBudget) bool { return o.Key == key }) {
			d.fault("duplicate-budget", e, "merge the two", "duplicate budget %s", key)
			return
		}
		d.spec.Budgets = append(d.spec.Budgets, b)
		d.bindEntry(e, "%s", k.to)
		return
	}
	d.fault("unknown-budget", e, nearest(key, keys), "unknown budget %q", strings.TrimSpace(name))
}

// read reads a value in its unit, and says what is wrong with it.
func (b *SpecBudget) read(u unit, value string) string {
	switch u {
	case plain:
		m := wholeForm().FindStringSubmatch(value)
		if m == nil {
			return fmt.Sprintf("%q is not a whole number", value)
		}
		b.N, _ = strconv.ParseInt(strings.ReplaceAll(m[1], ",", ""), 10, 64)
		b.N *= map[string]int64{"": 1, "k": 1000, "thousand": 1000, "million": 1_000_000}[m[2]]
	case times:
		m := timeForm().FindStringSubmatch(value)
		if m == nil {
			return fmt.Sprintf("%q is not a duration", value)
		}
		n, _ := strconv.Atoi(m[1])
		b.Time = time.Duration(n) * map[byte]time.Duration{'s': time.Second, 'm': time.Minute, 'h': time.Hour}[m[2][0]]
		b.N = int64(n)
	case money:
		m := moneyForm().FindStringSubmatch(value)
		if m == nil {
			return fmt.Sprintf("%q is not an amount of money", value)
		}
		b.USD, _ = strconv.ParseFloat(m[1]+m[2], 64)
		if b.USD > 0 {
			b.N = 1
		}
	}
	if b.N <= 0 {
		return "0 means that nothing can run"
	}
	if b.N > 1_000_000_000 {
		return fmt.Sprintf("%q limits nothing", value)
	}
	return ""
}

// Budget returns a limit of the spec by its key.
func (s *LoopSpec) Budget(key string) (SpecBudget, bool) {
	for _, b := range s.Budgets {
		if b.Key == key {
			return b, true
		}
	}
	return SpecBudget{}, false
}

// Limits returns limits with those of the spec.
func (s *LoopSpec) Limits(l loops.Limits) loops.Limits {
	for _, k := range budgetKeys {
		if b, ok := s.Budget(k.key); ok && k.set != nil {
			k.set(&l, b)
		}
	}
	for _, stop := range s.Stops {
		switch stop.Kind {
		case StopStalled:
			l.Stalled = stop.N
		case StopNoProgress:
			l.NoProgress, l.HalfOpen = stop.N, min(l.HalfOpen, stop.N)
		case StopSameError:
			l.SameError = stop.N
		case StopFailures:
			l.Attempts = stop.N
		}
	}
	return l
}

// StopKind is why a loop stops.
type StopKind string

// The kinds.
const (
	StopDone        StopKind = "done"
	StopIterations  StopKind = "iterations"
	StopBudget      StopKind = "budget"
	StopStalled     StopKind = "stalled"
	StopNoProgress  StopKind = "no-progress"
	StopSameError   StopKind = "same-error"
	StopFailures    StopKind = "failures"
	StopEnvironment StopKind = "environment"
	StopRequests    StopKind = "pull-requests"
)

// SpecStop is one stop condition. What is needed for it to hold is checked.
type SpecStop struct {
	Kind  StopKind
	N     int
	needs []string // budgets, one of which must be there
	entry specEntry
}

// stopForms are the forms in which stop conditions are said.
var stopForms = []struct {
	form    func() *regexp.Regexp
	kind    StopKind
	needs   []string
	example string
	to      string
}{
	{say(`all (?:selected )?(?:work )?items are (?:completed|done)(?: or escalated)?`), StopDone, nil, "all selected work items are completed or escalated", "the run ends after the last item"},
	{say(`max iterations (?:are|is) reached`), StopIterations, []string{"max iterations"}, "max iterations are reached", "the run ends with status budget"},
	{say(`(?:the )?cost or runtime budget is (?:exhausted|spent)`), StopBudget, []string{"max cost per run", "max cost per item", "max cost per day", "max runtime", "max tokens per run"}, "cost or runtime budget is exhausted", "the run ends with status budget"},
	{say(`(?:the )?(?:cost|token) budget is (?:exhausted|spent)`), StopBudget, []string{"max cost per run", "max cost per item", "max cost per day", "max tokens per run"}, "the cost budget is exhausted", "the run ends with status budget"},
	{say(`(?:the )?runtime(?: budget)? is (?:exhausted|spent|over)`), StopBudget, []string{"max runtime"}, "the runtime budget is exhausted", "the run ends with status budget"},
	{say(`max pull requests (?:are|is) reached`), StopRequests, []string{"max pull requests per run"}, "max pull requests are reached", "no more items are taken"},
	{say(`the checker reports no progress (?:across|in|for) ` + count + ` consecutive attempts`), StopStalled, nil, "the checker reports no progress across two consecutive attempts", "the line stops"},
	{say(`(?:there is )?no progress (?:across|in|for) ` + count + ` (?:consecutive )?(?:iterations|attempts)`), StopNoProgress, nil, "no progress in 3 consecutive iterations", "the breaker opens"},
	{say(`the same error (?:occurs )?` + count + ` times(?: in a row)?`), StopSameError, nil, "the same error occurs 5 times", "the breaker opens"},
	{say(count + ` (?:consecutive )?(?:attempts fail|failures)`), StopFailures, nil, "three consecutive attempts fail", "the line stops"},
	{say(`a required gate fails for an environmental reason`), StopEnvironment, nil, "a required gate fails for an environmental reason", "the run ends with status environment"},
}

// stop reads one stop condition.
func (d *specDocument) stop(e specEntry) {
	var known []string
	for _, s := range stopForms {
		known = append(known, s.example)
		m := s.form().FindStringSubmatch(e.text)
		if m == nil {
			continue
		}
		stop := SpecStop{Kind: s.kind, needs: s.needs, entry: e}
		if len(m) > 1 {
			if stop.N = number(m[1]); stop.N < 1 || stop.N > 100 {
				d.fault("invalid-value", e, "write a number from 1 to 100", "%q is always or never true", e.text)
				return
			}
		}
		d.spec.Stops = append(d.spec.Stops, stop)
		d.bindEntry(e, "%s", s.to)
		return
	}
	d.fault("unenforceable-rule", e, nearestPhrase(e.text, known), "the stop condition %q can't be enforced", e.text)
}

// held finds what is asked for and can't be held.
func (d *specDocument) held() {
	for _, s := range d.spec.Stops {
		if len(s.needs) > 0 && !slices.ContainsFunc(s.needs, func(k string) bool { _, ok := d.spec.Budget(k); return ok }) {
			d.fault("unenforceable-rule", s.entry, "add one to ## Budgets: "+strings.Join(s.needs, ", "), "%q is never true: that budget is not set", s.entry.text)
		}
	}
	if _, ok := d.spec.Given["Stop Conditions"]; ok && len(d.spec.Stops) == 0 && len(d.faults) == 0 {
		d.err("empty-section", d.spec.Given["Stop Conditions"], "list when it stops", "the loop has no stop condition")
	}
}
