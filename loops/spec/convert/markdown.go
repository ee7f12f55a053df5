package convert

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/loops/spec"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// gates are the gates of a markdown spec and the implementation of an evaluator that
// runs each; those of the runner itself have none.
var gates = []struct {
	kind           plan.GateKind
	implementation string
	line           string
}{
	{plan.GateBuild, "x_wiki.build", "Build passes"},
	{plan.GateTest, "x_wiki", "Relevant tests pass"},
	{plan.GateLint, "x_wiki.lint", "Lint or formatting passes"},
	{plan.GateLinks, "x_wiki.wiki", "Documentation links resolve"},
}

// judging are the roles that are no workers.
var judging = []loops.Role{loops.Checker, loops.GoalChecker}

// FromMarkdown makes a document of a loop spec in markdown, which must be without
// errors; read reads the files that its sections name.
func FromMarkdown(path string, src []byte, read plan.LoopSpecReader) (*spec.Document, error) {
	s, faults := plan.ParseLoopSpec(path, src, read)
	if plan.Refused(faults) {
		return nil, fmt.Errorf("%s:%s", path, faults[0])
	}
	d := draft{Name: s.Name, Version: "1.0.0", Objective: text.Collapse(s.Purpose), Input: "The item that the loop works on", Success: 1, USD: 5}
	if len(d.Name) < 3 {
		d.Name = "loop-" + d.Name
	}
	d.roles(s)
	for _, g := range gates {
		if slices.ContainsFunc(s.Gates, func(o plan.SpecGate) bool { return o.Kind == g.kind }) {
			d.Evaluators = append(d.Evaluators, evaluator{ID: string(g.kind), Type: spec.Deterministic, Implementation: g.implementation})
		}
	}
	if len(d.Evaluators) == 0 {
		d.Success = 0.8
		d.Evaluators = []evaluator{{ID: "quality_rubric", Type: spec.LLMRubric, Criteria: "The result meets the objective", Threshold: 0.8, Model: ours("checker")}}
	}
	d.limits(s)
	if d.Iterations == 0 && d.Seconds == 0 {
		d.Iterations = 8
	}
	d.Sections = append([]section{{"Title", s.Title}}, sections(s, src)...)
	return d.document(path)
}

// roles turns the roles that work into workers, and the others into rubrics.
func (d *draft) roles(s *plan.LoopSpec) {
	roles := s.Roles
	if len(roles) == 0 {
		roles = []plan.SpecRole{{Role: s.Traits().Role}}
	}
	for _, r := range roles {
		model := ours(string(r.Role))
		if r.Agent != "" {
			model = spec.Model{Provider: r.Agent, Name: r.Model}
		}
		if slices.Contains(judging, r.Role) {
			d.Evaluators = append(d.Evaluators, evaluator{ID: string(r.Role), Type: spec.LLMRubric, Criteria: "The result meets the objective and nothing else was changed", Threshold: 0.8, Model: model})
			continue
		}
		d.Workers = append(d.Workers, worker{ID: string(r.Role), Role: "Work as the " + string(r.Role) + " of the loop", Format: "text", Model: model})
	}
}

// limits takes the budgets and stops that LSS has keys for.
func (d *draft) limits(s *plan.LoopSpec) {
	if b, ok := s.Budget("max iterations"); ok {
		d.Iterations = int(b.N)
	}
	if b, ok := s.Budget("max runtime"); ok {
		d.Seconds = int(b.Time.Seconds())
	}
	if b, ok := s.Budget("max cost per run"); ok {
		d.USD = b.USD
	}
	if b, ok := s.Budget("max tokens per run"); ok {
		d.Tokens = int(b.N)
	}
	for _, stop := range s.Stops {
		if stop.Kind == plan.StopNoProgress {
			d.Stall = stop.N
		}
	}
}

// sections are the texts of all sections but the purpose, in order of place.
func sections(s *plan.LoopSpec, src []byte) (out []section) {
	var heads []schema.Span
	names := map[int]string{}
	for name, at := range s.Given {
		heads = append(heads, at)
		names[at.Start] = name
	}
	slices.SortFunc(heads, func(a, b schema.Span) int { return a.Start - b.Start })
	for i, at := range heads {
		end := len(src)
		if i+1 < len(heads) {
			end = heads[i+1].Start
		}
		body := strings.TrimSpace(strings.TrimSuffix(strings.TrimRight(string(src[at.End:end]), " \t"), "##"))
		if name := names[at.Start]; name != "Purpose" {
			out = append(out, section{name, body})
		}
	}
	return out
}

// order is the order of sections in a markdown spec.
var order = []string{
	"Purpose", "Trigger", "Inputs", "Work Selection Rules", "Roles", "Gates", "Budgets", "Stop Conditions",
	"Escalation", "Always Escalate", "Escalate On Ambiguity", "Mode",
}

// ToMarkdown writes a document as a loop spec in markdown, for agents/loops/NAME.md.
// Sections that the document keeps from there are taken over; budgets follow the
// document.
func ToMarkdown(d *spec.Document) ([]byte, error) {
	s, err := d.Spec()
	if err != nil {
		return nil, err
	}
	body := map[string]string{
		"Purpose": strings.TrimSpace(s.Objective), "Trigger": "- on dispatch", "Mode": "draft",
		"Work Selection Rules": "The loop must skip and escalate when:\n\n- the item touches deployment configuration or infrastructure credentials",
		"Roles":                list(roleLines(s)), "Gates": list(gateLines(s)),
	}
	title := strings.ReplaceAll(s.Name, "-", " ")
	kept := d.Root.Get("extensions").Get("x_wiki").Get("sections")
	if kept != nil { // and no default is wanted
		body = map[string]string{"Purpose": body["Purpose"]}
	}
	for _, name := range order {
		if n := kept.Get(name); n.IsScalar() {
			body[name] = n.Text
		}
	}
	if n := kept.Get("Title"); n.IsScalar() {
		title = text.Collapse(n.Text)
	}
	body["Budgets"] = list(merged(body["Budgets"], budgetLines(s), budgetKey()))
	body["Stop Conditions"] = "Stop when one of these is true:\n\n" + list(merged(body["Stop Conditions"], stopLines(s), stopKey()))
	var b strings.Builder
	fmt.Fprintf(&b, "# Loop Spec: %s\n", title)
	for _, name := range order {
		if body[name] != "" {
			fmt.Fprintf(&b, "\n## %s\n\n%s\n", name, body[name])
		}
	}
	out := []byte(b.String())
	path := plan.LoopFolder + "/" + s.Name + ".md"
	if _, faults := plan.ParseLoopSpec(path, out, nil); plan.Refused(faults) {
		return nil, fmt.Errorf("%s can't be a loop spec in markdown: %s", d.Path, faults[0])
	}
	return out, nil
}

func list(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return "- " + strings.Join(lines, "\n- ")
}

// roleLines are the roles that a document's models play.
func roleLines(s *spec.Spec) (out []string) {
	add := func(role string) {
		if !slices.Contains(out, role) && slices.Contains(loops.Roles(), loops.Role(role)) {
			out = append(out, role)
		}
	}
	for _, w := range s.Workers {
		add(w.Model.Role("maker"))
	}
	for _, e := range s.Evaluators {
		if e.Type == spec.LLMRubric {
			add(e.Model.Role("checker"))
		}
	}
	return out
}

func gateLines(s *spec.Spec) (out []string) {
	for _, e := range s.Evaluators {
		for _, g := range gates {
			if e.Implementation == g.implementation || g.kind == plan.GateTest && e.Implementation == "x_wiki.test" {
				out = append(out, g.line)
			}
		}
	}
	return append(slices.Compact(out), "Diff stays within allowed paths", "No forbidden files changed")
}

func budgetLines(s *spec.Spec) (out []string) {
	for _, f := range s.Termination.Failure {
		switch {
		case f.Value == nil:
		case f.Type == "max_iterations":
			out = append(out, "max iterations: "+strconv.Itoa(int(*f.Value)))
		case f.Type == "timeout":
			out = append(out, "max runtime: "+duration(int(*f.Value)))
		}
	}
	if s.Cost.CumulativeUSD > 0 {
		out = append(out, "max cost per run: $"+strconv.FormatFloat(math.Ceil(100*s.Cost.CumulativeUSD)/100, 'f', -1, 64))
	}
	if s.Cost.TokenSoftCap > 0 {
		out = append(out, "max tokens per run: "+strconv.Itoa(s.Cost.TokenSoftCap))
	}
	return out
}

// duration writes seconds in the largest unit that fits.
func duration(seconds int) string {
	for _, u := range []struct {
		seconds int
		name    string
	}{{3600, "hour"}, {60, "minute"}} {
		if seconds%u.seconds == 0 {
			return text.Count(seconds/u.seconds, u.name)
		}
	}
	return text.Count(seconds, "second")
}

func stopLines(s *spec.Spec) []string {
	out := []string{"all selected work items are completed or escalated"}
	budgets := list(budgetLines(s))
	if strings.Contains(budgets, "max iterations") {
		out = append(out, "max iterations are reached")
	}
	if strings.Contains(budgets, "max cost") || strings.Contains(budgets, "max runtime") {
		out = append(out, "cost or runtime budget is exhausted")
	}
	for _, st := range s.Termination.Stall {
		out = append(out, fmt.Sprintf("no progress in %d consecutive iterations", st.WindowIterations))
		break
	}
	return out
}

var (
	budgetKey = schema.Expression(`^[^:]+`)
	stopKey   = schema.Expression(`^(?:no progress in|.*)`)
)

// merged are the items of a kept list, in which those that have the key of a line of
// the document are replaced by it, and the other lines of the document.
func merged(kept string, lines []string, key *regexp.Regexp) (out []string) {
	for line := range strings.Lines(kept) {
		item, ok := strings.CutPrefix(strings.TrimSpace(line), "- ")
		if !ok {
			continue
		}
		if i := slices.IndexFunc(lines, func(l string) bool { return key.FindString(l) == key.FindString(item) }); i >= 0 {
			item = lines[i]
			lines = slices.Delete(slices.Clone(lines), i, i+1)
		}
		out = append(out, item)
	}
	return append(out, lines...)
}
