package plan

import (
	"github.com/loopwiki/wiki/schema"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
)

// GateKind is what a gate of a spec asks of a tree.
type GateKind string

// The kinds.
const (
	GateBuild     GateKind = "build"
	GateTest      GateKind = "test"
	GateLint      GateKind = "lint"
	GateSchemas   GateKind = "schemas"
	GateGenerated GateKind = "generated"
	GateLinks     GateKind = "links"
	GateScope     GateKind = "scope"
	GateForbidden GateKind = "forbidden"
	// GateRedBase asks nothing of a tree: it lets a run start on a red base.
	GateRedBase GateKind = "red-base"
)

// SpecGate is a gate that a spec requires.
type SpecGate struct {
	Kind GateKind
	// Command is run by a shell, "" if the repository's own are meant.
	Command string
	Text    string
	Line    int
}

// gateForms are the forms in which gates are said.
var gateForms = []struct {
	form    func() *regexp.Regexp
	kind    GateKind
	example string
	to      string
}{
	{say(`(?:the )?build (?:passes|succeeds)`), GateBuild, "Build passes", "gate build"},
	{say(`(?:relevant |all |the )?tests pass`), GateTest, "Relevant tests pass", "gate test"},
	{say(`(?:the )?(?:lint|formatting|lint or formatting|lint and formatting|type checks?) pass(?:es)?`), GateLint, "Lint or formatting passes", "gate lint"},
	{say(`schemas validate`), GateSchemas, "Schemas validate", "gate lint, by its command"},
	{say(`generated artifacts are (?:up to date|fresh)`), GateGenerated, "Generated artifacts are up to date", "gate lint, by its command"},
	{say(`(?:documentation|doc|wiki) links (?:resolve|pass)|(?:the )?link checks? pass(?:es)?|the wiki (?:gate )?(?:passes|is clean)`), GateLinks, "Documentation links resolve", "gate wiki"},
	{say(`(?:the )?diff stays within (?:the )?allowed paths`), GateScope, "Diff stays within allowed paths", "gate scope"},
	{say(`no forbidden files? (?:is |are )?changed`), GateForbidden, "No forbidden files changed", "gate protected"},
	{say(`(?:a |the )?red base may be repaired`), GateRedBase, "A red base may be repaired", "gate baseline: its failures are recorded, and must pass at the end"},
}

var gateCommand = schema.Expression("^(.*?)[ \t]*:[ \t]*`([^`]+)`$")

// gate reads one gate.
func (d *specDocument) gate(e specEntry) {
	text, command := e.text, ""
	if m := gateCommand().FindStringSubmatch(e.text); m != nil {
		text, command = m[1], m[2]
	}
	var known []string
	for _, g := range gateForms {
		known = append(known, g.example)
		if !g.form().MatchString(text) {
			continue
		}
		if command != "" && g.kind.alone() {
			d.fault("unenforceable-rule", e, "delete the command", "%q is checked by the runner, and takes no command", text)
			return
		}
		d.spec.Gates = append(d.spec.Gates, SpecGate{g.kind, command, text, d.lines.Position(e.span.Start).Line})
		to := g.to
		if command != "" {
			to = "gate " + string(gateSlot(g.kind)) + ": " + command
		}
		d.bindEntry(e, "%s", to)
		return
	}
	d.fault("unenforceable-rule", e, nearestPhrase(e.text, known), "the gate %q can't be enforced", e.text)
}

// alone reports a gate that no command judges.
func (k GateKind) alone() bool { return k == GateScope || k == GateForbidden || k == GateRedBase }

// Repairs reports whether the spec lets runs start on a red base.
func (s *LoopSpec) Repairs() bool {
	return slices.ContainsFunc(s.Gates, func(g SpecGate) bool { return g.Kind == GateRedBase })
}

// gateSlot returns the gate that runs the command of a kind.
func gateSlot(k GateKind) GateKind {
	if k == GateBuild || k == GateTest {
		return k
	}
	return GateLint
}

// Commands returns the commands of gates with those of the spec, and the gates
// that nothing would judge. wiki says whether there is one whose gate is run.
func (s *LoopSpec) Commands(g loops.GateCommands, wiki bool) (all loops.GateCommands, missing []SpecGate) {
	all = loops.GateCommands{Setup: slices.Clone(g.Setup), Build: slices.Clone(g.Build), Test: slices.Clone(g.Test), Lint: slices.Clone(g.Lint), Given: g.Given}
	slot := func(k GateKind) *[]string {
		switch gateSlot(k) {
		case GateBuild:
			return &all.Build
		case GateTest:
			return &all.Test
		}
		return &all.Lint
	}
	for _, gate := range s.Gates {
		into := slot(gate.Kind)
		switch {
		case gate.Command != "":
			if !slices.Contains(*into, gate.Command) {
				*into = append(*into, gate.Command)
			}
		case gate.Kind.alone():
		case gate.Kind == GateLinks:
			if !wiki {
				missing = append(missing, gate)
			}
		case gate.Kind == GateSchemas || gate.Kind == GateGenerated || len(*into) == 0:
			missing = append(missing, gate)
		}
	}
	return all, missing
}

// InputKind is where items come from.
type InputKind string

// The kinds.
const (
	InputPlans    InputKind = "plans"    // the repository's, those that are pending
	InputFindings InputKind = "findings" // of the linter
	InputFile     InputKind = "file"     // a list of items, or for a report any text
	InputTracker  InputKind = "tracker"  // the open items of an issue tracker
	InputChanges  InputKind = "changes"  // what was merged, for who keeps pages
)

// Input is a source of items.
type Input struct {
	Kind InputKind
	Path string // of a file, relative to the repository's root; the name of a tracker
	Line int

	entry specEntry
	bound int // where LoopSpec.Bound says what it comes to, before that is sorted
}

var (
	inputPlans    = say(`(?:the )?(?:repository's )?(?:pending )?plans(?: of the repository)?`)
	inputFindings = say(`(?:the )?(?:lint(?:er)?(?:'s)?|wiki) findings`)
	inputChanges  = say(`(?:what was )?(?:the )?(?:merged|committed)(?: changes| commits)?(?: since (?:its|the) last run)?`)
	inputTracker  = say("(?:the )?(?:open )?(?:issues|items|tickets|tasks) (?:of|from) (?:the )?(?:(?:issue )?tracker )?`?([A-Za-z0-9_-]+)`?|the (?:issue )?tracker `?([A-Za-z0-9_-]+)`?")
	inputFile     = schema.Expression("(?i)^(?:the )?(?:file |issues in |items in |state of |report of )?`?([A-Za-z0-9._][A-Za-z0-9._/-]*\\.[A-Za-z0-9]{1,5})`?$")
)

// input reads one source.
func (d *specDocument) input(e specEntry) {
	in := Input{Line: d.lines.Position(e.span.Start).Line, entry: e, bound: len(d.spec.Bound)}
	m, t := inputFile().FindStringSubmatch(e.text), inputTracker().FindStringSubmatch(e.text)
	switch {
	case inputPlans().MatchString(e.text):
		in.Kind = InputPlans
	case inputFindings().MatchString(e.text):
		in.Kind = InputFindings
	case inputChanges().MatchString(e.text):
		in.Kind = InputChanges
	case t != nil:
		in.Kind, in.Path = InputTracker, t[1]+t[2]
	case m != nil && unsafePath(m[1]) == "":
		in.Kind, in.Path = InputFile, path.Clean(m[1])
	default:
		d.fault("unknown-input", e, "write plans, lint findings, merged changes, issues of NAME for a connector in wiki.yaml, or the path of a file such as `issues.json`", "%q is not a source of work", e.text)
		return
	}
	if slices.ContainsFunc(d.spec.Inputs, func(o Input) bool { return o.Kind == in.Kind && o.Path == in.Path }) {
		d.fault("duplicate-input", e, "remove one", "duplicate input %q", e.text)
		return
	}
	d.spec.Inputs = append(d.spec.Inputs, in)
	d.bindEntry(e, "items are read from %s", strings.TrimSpace(string(in.Kind)+" "+in.Path))
}

// Escalation returns what of a run of the spec is left to a person: what the spec
// says, over what always is.
func (s *LoopSpec) Escalation() loops.Escalation {
	e := loops.Escalation{SameReason: 2, Unsure: true, Disagree: true, Context: true, Areas: allAreas(s.forbidden())}
	for _, r := range slices.Concat(s.Skip, s.Escalate) {
		if r.Kind == RuleSameReason {
			e.SameReason = min(e.SameReason, r.N)
		}
	}
	if !s.Traits().Takes { // of who writes pages; others have a scope
		e.Within, e.Files = s.Within(), s.MostFiles()
	}
	return e
}

// Said returns what the lines of the spec alone leave to a person: a built-in loop of this
// program goes by it, as people look at all that it makes.
func (s *LoopSpec) Said() loops.Escalation {
	var e loops.Escalation
	for _, r := range slices.Concat(s.Skip, s.Escalate) {
		switch r.Kind {
		case RuleSameReason:
			e.SameReason = r.N
		case RuleUnsure:
			e.Unsure = true
		case RuleDisagree:
			e.Disagree = true
		case RuleContext:
			e.Context = true
		}
	}
	return e
}

// forbidden returns the globs of what a spec forbids.
func (s *LoopSpec) forbidden() []string {
	var out []string
	for _, r := range slices.Concat(s.May, s.Skip, s.Escalate) {
		if r.Kind != RuleClear && r.Kind != RuleTouches {
			continue
		}
		for _, w := range r.Words {
			if _, ok := findArea(w); !ok && !slices.Contains(out, w) {
				out = append(out, w)
			}
		}
	}
	return out
}

// MostFiles returns how many files may change at most, 0 if no rule says.
func (s *LoopSpec) MostFiles() int {
	n := 0
	for _, r := range s.May {
		if r.Kind == RuleFiles && (n == 0 || r.N < n) {
			n = r.N
		}
	}
	return n
}

// Within returns the globs that a change may not leave, none if the spec names none.
func (s *LoopSpec) Within() []string {
	for _, r := range s.May {
		if r.Kind == RuleWithin {
			return r.Words
		}
	}
	return nil
}
