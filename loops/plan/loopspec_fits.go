package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
)

// executionLoop is the loop that carries out plans, and nothing else.
const executionLoop = "execution"

// worker is what a spec's rules are about: items of a loop of one's own, plans of
// execution, findings and plans of an audit, pages of a loop that keeps them.
type worker string

const (
	ofItems    worker = ""
	ofPlans    worker = "the execution loop takes plans"
	ofFindings worker = "an auditor's findings become plans for review"
	ofPages    worker = "a writer maintains pages"
)

func (s *LoopSpec) worker() worker {
	if s.Name == executionLoop && s.Kind == CodeLoop {
		return ofPlans
	}
	return s.Traits().worker
}

// holds says for each rule that makes sense of who works what comes of it there.
// Loops over items hold all of them, as the forms say.
var holds = map[worker]map[RuleKind]string{
	ofPlans: {
		RuleLabel:     "plans without the label are rejected",
		RuleFiles:     "plans whose scope has more files are rejected",
		RuleClear:     "plans about it are rejected, and a change that touches it is rolled back",
		RuleTouches:   "plans about it are rejected, and a change that touches it is rolled back",
		RuleCheckable: "plans without a check are rejected",
		RuleWithin:    "plans whose scope exceeds it are rejected",
		RuleRisk:      "plans of another risk are rejected",
		RuleAmbiguous: "plans with an open question are rejected",
		RuleFailed:    "a plan with that many failed runs is rejected until it changes",
		RuleUntested:  "without tests no plan runs; if the base fails, the run ends before any agent is called",
		RuleDisagree:  "", RuleUnsure: "", RuleContext: "", RuleSameReason: "",
	},
	ofFindings: {
		RuleFiles:      "plans whose scope has more files are dropped, and pages if more files change",
		RuleClear:      "plans and pages about it are dropped",
		RuleTouches:    "plans and pages about it are dropped",
		RuleCheckable:  "plans without a check are dropped",
		RuleWithin:     "plans whose scope exceeds it are dropped, and pages if the change does",
		RuleRisk:       "plans of another risk are dropped",
		RuleFinding:    "findings of another category are dropped",
		RuleAmbiguous:  "plans with an open question are dropped",
		RuleContext:    "the run waits for a person when the auditor ends with permission-denied",
		RuleSameReason: "the run waits for a person when they do",
	},
	ofPages: {
		RuleFiles:      "a person is asked first if more pages are listed, or more files change",
		RuleClear:      "such pages are left to a person, and a change that touches it is rolled back",
		RuleTouches:    "such pages are left to a person, and a change that touches it is rolled back",
		RuleCheckable:  "gate wiki, which checks every attempt",
		RuleWithin:     "other pages are not listed, and a change elsewhere is rolled back",
		RuleFinding:    "pages with findings of other rules only are not listed",
		RuleContext:    "the run waits for a person when the writer ends with permission-denied",
		RuleSameReason: "the run waits for a person when they do",
	},
}

// inputs says for each source what comes of it for who works.
var inputs = map[worker]map[InputKind]string{
	ofItems:    {InputPlans: "", InputFindings: "", InputFile: "", InputTracker: ""},
	ofPlans:    {InputPlans: "pending plans are taken"},
	ofFindings: {},
	ofPages: {
		InputChanges:  "pages about commits since the last run are listed",
		InputFindings: "pages with findings are listed",
	},
}

// fits finds the rules and inputs that nothing of the loop's kind could hold, and
// says of the others what comes of them there.
func (d *specDocument) fits() {
	who := d.spec.worker()
	for _, in := range d.spec.Inputs {
		to, ok := inputs[who][in.Kind]
		switch {
		case !ok && who == ofItems:
			d.fault("unenforceable-rule", in.entry, "write plans, lint findings, issues of NAME, or a file; a loop with a writer takes merged changes", "%q contains no work items", in.entry.text)
		case !ok && who == ofFindings:
			d.fault("unenforceable-rule", in.entry, "delete the section", "%q is not read: an audit reads the whole repository", in.entry.text)
		case !ok:
			d.fault("unenforceable-rule", in.entry, "write "+inWords(inputs[who]), "%q is not read: %s", in.entry.text, who)
		case to != "":
			d.spec.Bound[in.bound].To = to
		}
	}
	if who == ofItems {
		return
	}
	for _, r := range slices.Concat(d.spec.May, d.spec.Skip) {
		d.fit(who, &r)
	}
	for _, r := range d.spec.Escalate {
		if r.Kind == RuleTouches { // it refuses no work: what touches it waits
			d.spec.Bound[r.bound].To = waits[who]
			continue
		}
		d.fit(who, &r)
	}
}

// waits says what comes of an area that a spec escalates.
var waits = map[worker]string{
	ofPlans:    "a change that touches it is rolled back, and the run waits for a person",
	ofFindings: "every plan waits for a person anyway, and a page is dropped if the change touches it",
	ofPages:    "a change that touches it is rolled back, and the run waits for a person",
}

// fit judges one rule.
func (d *specDocument) fit(who worker, r *Rule) {
	to, ok := holds[who][r.Kind]
	if !ok {
		d.fault("unenforceable-rule", r.entry, "delete it", "the rule %q can't be enforced here: %s, and %s", r.entry.text, who, missingFor(who, r.Kind))
		return
	}
	switch {
	case who == ofPages && r.Kind == RuleCheckable && !slices.Contains(r.Words, string(GateLinks)):
		d.fault("unenforceable-rule", r.entry, "write link validation, or delete it", "the rule %q can't be enforced here: the loop runs no command", r.entry.text)
		return
	case who == ofPages && r.Kind == RuleFinding && !slices.ContainsFunc(d.spec.Inputs, func(in Input) bool { return in.Kind == InputFindings }):
		d.fault("unenforceable-rule", r.entry, "write lint findings below ## Inputs", "the rule %q can't be enforced here: the loop lists pages by commits only", r.entry.text)
		return
	case who == ofFindings && r.Kind == RuleFinding:
		for _, w := range r.Words {
			if !slices.Contains(loops.AuditCategories, strings.ToLower(w)) {
				d.fault("unenforceable-rule", r.entry, nearest(w, loops.AuditCategories), "unknown category %q of audit findings", w)
				return
			}
		}
	}
	if to != "" {
		d.spec.Bound[r.bound].To = to
	}
}

// missingFor returns what of who works a rule would need.
func missingFor(who worker, k RuleKind) string {
	switch k {
	case RuleLabel:
		return "they have no labels"
	case RuleRisk:
		return "pages have no risk"
	case RuleFinding:
		return "plans are not lint findings"
	case RuleFailed:
		return "failed work is not retried: each run builds a new list"
	case RuleUntested:
		return "runs no tests"
	case RuleAmbiguous:
		return "pages have no requirements"
	case RuleDisagree, RuleUnsure:
		return "there is no checker"
	}
	return "no agent reports missing context"
}

// inWords lists inputs in the words in which they are written.
func inWords(of map[InputKind]string) string {
	words := map[InputKind]string{InputPlans: "plans", InputFindings: "lint findings", InputChanges: "merged changes"}
	var out []string
	for k := range of {
		out = append(out, words[k])
	}
	slices.Sort(out)
	return strings.Join(out, " or ")
}

// reads reports whether a spec that keeps pages takes them from a source: what was
// committed, if it names none.
func (s *LoopSpec) reads(k InputKind) bool {
	return len(s.Inputs) == 0 && k == InputChanges || slices.ContainsFunc(s.Inputs, func(in Input) bool { return in.Kind == k })
}

// ReadsChanges reports whether pages are listed for what was committed, and
// ReadsFindings whether they are for what the linter finds.
func (s *LoopSpec) ReadsChanges() bool { return s.reads(InputChanges) }

// ReadsFindings is said at ReadsChanges.
func (s *LoopSpec) ReadsFindings() bool { return s.reads(InputFindings) }

// Refusal is a rule of a spec that keeps work from being taken.
type Refusal struct {
	Where string // file:line of the rule
	Rule  string // as the spec says it
	Why   string
}

func (r *Refusal) String() string { return fmt.Sprintf("%s (%s: %q)", r.Why, r.Where, r.Rule) }

// Rules returns the rules of selection, what must hold first, and the conditions of the
// escalation that are asked before any work. Its areas are none: what touches them
// waits in its run.
func (s *LoopSpec) Rules() []Rule {
	policy := slices.DeleteFunc(slices.Clone(s.Escalate), func(r Rule) bool { return r.Kind == RuleTouches })
	return slices.Concat(s.May, s.Skip, policy)
}

// Refuse returns the first rule of selection that does not let an item be taken,
// nil if all do.
func Refuse(spec string, rules []Rule, it *WorkItem, k Knowledge) *Refusal {
	for i := range rules {
		if why := rules[i].against(it, k); why != "" {
			return &Refusal{fmt.Sprintf("%s:%d", spec, rules[i].At.Line), rules[i].Text, why}
		}
	}
	return nil
}

// PlanItem returns a plan as rules see it.
func PlanItem(pl *loops.Plan) WorkItem {
	it := WorkItem{
		ID: pl.Name, Source: InputPlans, Title: pl.Title, Text: pl.Context, Labels: pl.Labels, Files: pl.Scope, Count: -1,
		Acceptance: []string{pl.Goal}, Verify: append(slices.Clone(pl.Checks), pl.Goal), Risk: pl.Risk, Path: pl.Path,
	}
	for _, c := range pl.Chunks {
		it.Text += "\n" + c.Title + "\n" + c.Text
	}
	return it
}
