package plan

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// LoopFolder is where specs of loops lie, below the repository's root, and
// StateFolder where what became of their items is written.
const (
	LoopFolder  = "agents/loops"
	StateFolder = "agents/state"
)

// LoopSpec is what a person allows a loop to do: the file agents/loops/<name>.md,
// or LOOP_SPEC.md wherever it lies.
type LoopSpec struct {
	Name    string // of the file, or of the title if the file is a LOOP_SPEC.md
	Path    string // relative to the repository's root
	Hash    string // of the file's bytes
	Title   string
	Purpose string
	Kind    LoopKind

	Triggers []Trigger
	Inputs   []Input
	May      []Rule // all must hold of an item that is selected
	Skip     []Rule // none may
	Roles    []SpecRole
	Gates    []SpecGate
	Budgets  []SpecBudget
	Stops    []SpecStop
	Escalate []Rule
	// Mode is how far the loop may go, "" if the spec does not say.
	Mode loops.Mode

	// Given are the sections that are there, by their heading.
	Given map[string]schema.Span
	// Bound says for each line what holds because of it, in order of place.
	Bound []Bound
}

// Bound is what a line of a spec comes to.
type Bound struct {
	Line int
	Text string // of the line, with its place if it is in a file that the spec names
	To   string // what it limits, decides or is told
}

// SpecRole is a role that a loop calls.
type SpecRole struct {
	Role loops.Role
	// Agent plays it instead of the configured one, "" if that does.
	Agent, Model string
	At           schema.Position
}

// The sections of a spec, as they are spelled, and those that it can't do without.
var (
	specSections = []string{
		"Purpose", "Trigger", "Inputs", "Work Selection Rules", "Roles", "Gates", "Budgets", "Stop Conditions", "Escalation", "Mode",
		"Always Escalate", "Escalate On Ambiguity",
	}
	specNeeds = []string{"Purpose", "Trigger", "Work Selection Rules", "Budgets", "Stop Conditions"}
)

// specTitle is the prefix of a spec's title.
const specTitle = "Loop Spec:"

// IsLoopSpec reports whether a file is a spec of a loop, by its name or by its
// title.
func IsLoopSpec(file string, src []byte) bool {
	if path.Base(file) == "LOOP_SPEC.md" || strings.HasPrefix(file, LoopFolder+"/") {
		return true
	}
	for line := range strings.Lines(string(src[:min(len(src), 4096)])) {
		if strings.HasPrefix(line, "# ") {
			return strings.HasPrefix(line, "# "+specTitle)
		}
	}
	return false
}

// LoopSpecReader reads the files that sections name, by their path relative to
// the spec's folder. It is nil where there are none to read.
type LoopSpecReader func(name string) ([]byte, error)

// specDocument is a spec with the places of its parts.
type specDocument struct {
	document
	spec LoopSpec
	read LoopSpecReader
}

// ParseLoopSpec reads a spec strictly: what is not understood, and what nothing
// could hold, is an error at its place. The spec is never nil and holds what is
// right; faults are in order of place.
func ParseLoopSpec(file string, src []byte, read LoopSpecReader) (*LoopSpec, []Fault) {
	d := &specDocument{document: document{collector: newCollector(src), src: src}, read: read}
	d.spec = LoopSpec{Name: NameOf(file), Path: file, Hash: Hash(src), Kind: CodeLoop, Given: map[string]schema.Span{}}
	switch {
	case len(src) > maxPlan:
		d.err("too-large", schema.Span{}, "split it", "the spec has %d bytes, more than %d", len(src), maxPlan)
	case !utf8.Valid(src):
		at := schema.Span{Start: invalidAt(src)}
		at.End = at.Start + 1
		d.err("encoding", at, "save the file as UTF-8", "the file is not UTF-8")
	default:
		d.readSpec()
	}
	slices.SortStableFunc(d.spec.Bound, func(a, b Bound) int { return a.Line - b.Line })
	return &d.spec, d.sorted()
}

// readSpec reads title and sections, and judges them together.
func (d *specDocument) readSpec() {
	lines := d.textLines()
	i := 0
	for ; i < len(lines) && lines[i].level != 2; i++ {
		d.title(lines[i])
	}
	for i < len(lines) {
		head := lines[i]
		end := i + 1
		for end < len(lines) && lines[end].level != 2 {
			end++
		}
		d.specSection(head, lines[i+1:end])
		i = end
	}
	at := schema.Span{Start: len(d.src), End: len(d.src)}
	if d.spec.Title == "" {
		d.err("missing-title", schema.Span{}, "begin with # "+specTitle+" and its name", "the spec has no title")
	}
	for _, need := range specNeeds {
		if _, ok := d.spec.Given[need]; !ok {
			d.err("missing-section", at, "write ## "+need, "the spec has no section %s", need)
		}
	}
	d.kind()
	d.alone()
	d.repairs()
	d.fits()
	d.held()
}

// title reads a line above the sections.
func (d *specDocument) title(line textLine) {
	text := string(line.text.In(d.src))
	name, ok := strings.CutPrefix(text, specTitle)
	name = strings.TrimSpace(name)
	switch {
	case line.level == 1 && ok && name != "" && d.spec.Title == "":
		d.spec.Title = name
		if d.spec.Name == "LOOP_SPEC" {
			d.spec.Name = Slug(name)
		}
		if !branchName().MatchString(d.spec.Name) {
			d.err("invalid-name", line.text, "name the file with letters, digits and hyphens", "the loop name %q is not a valid branch name", d.spec.Name)
		}
		d.bind(line.text, "the name of the loop")
	case line.level > 0:
		d.err("stray-heading", line.text, "begin with # "+specTitle+" and its name, then ## "+strings.Join(specNeeds, ", ## "), "%q is not a spec title", text)
	case len(strings.TrimSpace(string(line.In(d.src)))) > 0:
		d.err("stray-text", trimSpan(d.src, line.Span), "move it below ## Purpose", "text outside any section")
	}
}

// specSection reads one section.
func (d *specDocument) specSection(head textLine, lines []textLine) {
	name := string(head.text.In(d.src))
	if !slices.Contains(specSections, name) {
		d.err("unknown-section", head.text, nearest(name, specSections), "unknown section %q", name)
		if near, ok := schema.Nearest(name, specSections); ok {
			d.spec.Given[near] = head.text // misspelled, and not missing
		}
		return
	}
	if _, twice := d.spec.Given[name]; twice {
		d.err("duplicate-section", head.text, "merge the two", "duplicate section %s", name)
		return
	}
	d.spec.Given[name] = head.text
	if name == "Purpose" {
		d.purpose(head, lines)
		return
	}
	group := name
	all := d.entries(lines, group)
	if len(all) == 0 {
		d.err("empty-section", head.text, "fill it in, or delete it", "the section %s is empty", name)
	}
	for _, e := range all {
		if file, ok := reference(e.text); ok && e.paragraph && name != "Inputs" {
			d.include(name, file, e)
			continue
		}
		d.entry(name, e)
	}
}

// purpose reads what agents are told.
func (d *specDocument) purpose(head textLine, lines []textLine) {
	if d.spec.Purpose = d.textOf(lines); strings.TrimSpace(d.spec.Purpose) == "" {
		d.err("empty-section", head.text, "describe the loop's purpose in a sentence", "the section Purpose is empty")
		return
	}
	for _, l := range lines {
		if at := trimSpan(d.src, l.Span); at.Len() > 0 {
			d.bind(at, "passed to agents")
		}
	}
}

// entry reads one line of a section.
func (d *specDocument) entry(section string, e specEntry) {
	switch section {
	case "Trigger":
		d.trigger(e)
	case "Inputs":
		d.input(e)
	case "Work Selection Rules":
		d.rule(e)
	case "Roles":
		d.role(e)
	case "Gates":
		d.gate(e)
	case "Budgets":
		d.budget(e)
	case "Stop Conditions":
		d.stop(e)
	case "Mode":
		d.mode(e)
	default:
		d.escalation(section, e)
	}
}

// bind notes what a line of the spec comes to.
func (d *specDocument) bind(at schema.Span, format string, args ...any) {
	at = trimSpan(d.src, at)
	d.spec.Bound = append(d.spec.Bound, Bound{d.lines.Position(at.Start).Line, text.Collapse(string(at.In(d.src))), fmt.Sprintf(format, args...)})
}

// bindEntry notes what a statement comes to. One of a file that the spec names is quoted from
// there.
func (d *specDocument) bindEntry(e specEntry, format string, args ...any) {
	d.bind(e.span, format, args...)
	if e.from != "" {
		d.spec.Bound[len(d.spec.Bound)-1].Text = e.from + ": " + e.text
	}
}

var roleEntry = schema.Expression(`^([A-Za-z][A-Za-z -]*?)(?:[ \t]*:[ \t]*(\S.*))?$`)

// role reads a role, and who plays it.
func (d *specDocument) role(e specEntry) {
	m := roleEntry().FindStringSubmatch(e.text)
	var names []string
	for _, r := range loops.Roles() {
		names = append(names, string(r))
	}
	if m == nil || !slices.Contains(names, strings.ToLower(m[1])) {
		word, _, _ := strings.Cut(e.text, ":")
		d.fault("unknown-role", e, nearest(strings.ToLower(word), names), "unknown role %q", word)
		return
	}
	r := SpecRole{Role: loops.Role(strings.ToLower(m[1])), At: d.lines.Position(e.span.Start)}
	if slices.ContainsFunc(d.spec.Roles, func(o SpecRole) bool { return o.Role == r.Role }) {
		d.fault("duplicate-role", e, "merge the two", "duplicate role %s", r.Role)
		return
	}
	to := "the role is called, with the agent from wiki.yaml"
	if m[2] != "" {
		agent := strings.Trim(m[2], "`")
		if strings.ContainsAny(agent, " \t") {
			d.fault("invalid-value", e, "write an agent, or AGENT:MODEL, as in claude:haiku", "%q is not an agent", m[2])
			return
		}
		r.Agent, r.Model, _ = strings.Cut(agent, ":")
		to = "the role's agent is " + agent
	}
	d.spec.Roles = append(d.spec.Roles, r)
	d.bindEntry(e, "%s", to)
}

// mode reads how far the loop may go.
func (d *specDocument) mode(e specEntry) {
	modes := []string{string(loops.Manual), string(loops.Shadow), string(loops.Draft), string(loops.Autonomous)}
	word := strings.ToLower(strings.Trim(strings.TrimSpace(strings.TrimPrefix(e.text, "mode:")), ".`"))
	if !slices.Contains(modes, word) {
		d.fault("unknown-mode", e, nearest(word, modes), "unknown mode %q", word)
		return
	}
	if d.spec.Mode != "" {
		d.fault("duplicate-mode", e, "remove one", "a second mode; the first is %s", d.spec.Mode)
		return
	}
	d.spec.Mode = loops.Mode(word)
	d.bindEntry(e, "the run's mode")
}

// kind follows from the roles.
func (d *specDocument) kind() {
	own, builtin := builtinKinds[d.spec.Name]
	at := slices.IndexFunc(loopKinds, func(t Traits) bool {
		return slices.ContainsFunc(d.spec.Roles, func(r SpecRole) bool { return r.Role == t.Role })
	})
	switch {
	case builtin && len(d.spec.Roles) == 0:
		d.spec.Kind = own
	case len(d.spec.Roles) == 0:
		d.spec.Kind = CodeLoop
	case at >= 0:
		d.spec.Kind = loopKinds[at].Kind
	default:
		d.err("no-maker", d.spec.Given["Roles"], "add one of "+kindRoles(), "none of these roles does the loop's work")
	}
	switch k := d.spec.Kind; {
	case len(d.faults) > 0:
	case builtin && k != own:
		d.err("wrong-kind", d.spec.Given["Roles"], "rename the file, or list the roles of that loop; 'wiki loop list --loops' shows its kind", "the spec has kind %s, but configures the built-in loop %s, which has kind %s", k, d.spec.Name, own)
	case !builtin && slices.Contains(reservedNames, d.spec.Name):
		d.err("reserved-name", schema.Span{}, "rename it", "the name %q is reserved for wiki's own runs", d.spec.Name)
	}
}

// alone finds what a loop without a maker has nothing to hold by: it runs no command,
// and documentation takes its work list as a whole.
func (d *specDocument) alone() {
	traits := d.spec.Traits()
	if traits.Takes {
		return
	}
	for _, g := range d.spec.Gates {
		if g.Command != "" || g.Kind != GateLinks && g.Kind != GateScope && g.Kind != GateForbidden {
			d.err("unenforceable-rule", d.spec.Given["Gates"], "delete it", "%q (line %d) can't be checked: the loop runs no command", g.Text, g.Line)
		}
	}
	if _, ok := d.spec.Budget("max items per run"); ok && traits.Whole {
		d.err("unenforceable-rule", d.spec.Given["Budgets"], "delete it; use max iterations and max cost per run to limit the writer", "max items per run can't be enforced: the loop takes its whole work list")
	}
}

var failingTests = schema.Expression(`(?i)\b(?:failing|red)\b`)

// repairs finds rules that leave failing tests to a person, in a spec that has them repaired.
func (d *specDocument) repairs() {
	for _, r := range slices.Concat(d.spec.Skip, d.spec.Escalate) {
		if d.spec.Repairs() && r.Kind == RuleUntested && failingTests().MatchString(r.Text) {
			d.err("unenforceable-rule", r.entry.span, "delete one of the two", "%q can't be enforced: by its section Gates the spec lets a red base be repaired", r.Text)
		}
	}
}

// builtinKinds are what comes of the loops that every repository has: a spec that
// stands for one has its kind.
var builtinKinds = map[string]LoopKind{"execution": CodeLoop, loops.AuditLoop: AuditLoop, loops.DocumentationLoop: WikiLoop}

// reservedNames are those of runs that no spec stands for.
var reservedNames = []string{loops.PlanLoop, loops.IngestLoop, loops.QueryLoop}
