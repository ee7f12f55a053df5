package plan

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/loopwiki/wiki/schema"
)

// RuleKind is what a rule of selection or escalation asks.
type RuleKind string

// The kinds. All but the last four are asked before any agent is called.
const (
	RuleLabel      RuleKind = "label"       // Words: one of them labels the item
	RuleFiles      RuleKind = "files"       // N: at most so many files are expected to change
	RuleClear      RuleKind = "clear"       // Words are names of areas and globs: none is involved
	RuleCheckable  RuleKind = "checkable"   // Words: what can check the definition of done
	RuleWithin     RuleKind = "within"      // Words are globs: nothing else changes
	RuleRisk       RuleKind = "risk"        // Words: LOW, MED, HIGH
	RuleFinding    RuleKind = "finding"     // Words: rules of the linter
	RuleAmbiguous  RuleKind = "ambiguous"   // nothing says when it is done
	RuleTouches    RuleKind = "touches"     // Words are names of areas and globs
	RuleFailed     RuleKind = "failed"      // N runs of the item failed
	RuleUntested   RuleKind = "untested"    // there are no tests, or the base is red
	RuleDisagree   RuleKind = "disagree"    // tests pass and documentation does not
	RuleUnsure     RuleKind = "unsure"      // the checker
	RuleContext    RuleKind = "context"     // an agent needs a person
	RuleSameReason RuleKind = "same-reason" // N retries
)

// Rule is one condition, in words that the runner can hold.
type Rule struct {
	Kind  RuleKind
	N     int
	Words []string
	Text  string // as the spec says it
	At    schema.Position

	entry specEntry
	bound int // where LoopSpec.Bound says what it comes to, before that is sorted
}

// count is a whole number as people write it.
const count = `([0-9]{1,6}|once|twice|one|two|three|four|five|six|seven|eight|nine|ten)`

// thing is what a loop works on.
const thing = `(?:the )?(?:same )?(?:issue|item|task|ticket|work item|finding|plan|story)`

// phrase is a form in which a rule is said.
type phrase struct {
	form    func() *regexp.Regexp
	kind    RuleKind
	example string
	to      string // what holds because of it
}

// say compiles a form when somebody asks for it; the examples of all of them are tried.
func say(form string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^(?:` + form + `)$`) })
}

// The forms of what must hold of an item, and of what hands it to a person.
var (
	mayPhrases = []phrase{
		{say(`(?:` + thing + `|it) is labell?ed (.+)`), RuleLabel, "the issue is labeled maintenance", "items without the label are skipped"},
		{say(`the (?:expected )?(?:file changes are|change is|number of files is) (below|under|fewer than|less than|at most|no more than|up to) ` + count + ` files?`), RuleFiles, "the expected file changes are below five files", "items with more files are skipped; of items that name none, a gate counts what changed"},
		{say(`no (.+?) (?:is|are) (?:involved|touched|changed)`), RuleClear, "no production secret is involved", "items about it are escalated, and changes that touch it"},
		{say(`the definition of done can be checked (?:with|by) (.+)`), RuleCheckable, "the definition of done can be checked with tests, lint or link validation", "items without a check are skipped"},
		{say("(?:the change stays|changes stay|all changes are|only files) (?:within|in|below|under) (`.+`)(?: change)?"), RuleWithin, "the change stays within `docs/**`", "the scope of the run"},
		{say(`the risk is (low|med|medium)(?: or (low|med|medium))?`), RuleRisk, "the risk is low", "plans of another risk are skipped"},
		{say(`the finding is (.+)`), RuleFinding, "the finding is `broken-link`", "findings of other rules are skipped"},
	}
	skipPhrases = []phrase{
		{say(`(?:the )?requirements are ambiguous|` + thing + ` lacks acceptance criteria|there are no acceptance criteria`), RuleAmbiguous, "requirements are ambiguous", "items without acceptance criteria are escalated"},
		{say(`(?:the change|` + thing + `|it) touches (.+)`), RuleTouches, "the change touches authentication", "items about it are escalated, and changes that touch it"},
		{say(thing + ` failed ` + count + `(?: times)?(?: before)?`), RuleFailed, "the same item failed twice before", "items with that many failed runs are escalated"},
		{say(`(?:the )?required tests are (?:missing|failing|red|missing or failing)(?: before the change starts)?`), RuleUntested, "required tests are missing or failing before the change starts", "without tests nothing is selected; if the base fails, the run ends before any agent is called"},
		{say(`(?:the )?tests disagree with (?:the )?documentation`), RuleDisagree, "tests disagree with documentation", "the run waits for a person when the checker passes tests and fails documentation"},
		{say(`the checker (?:reports uncertain correctness|is (?:not sure|unsure|uncertain))`), RuleUnsure, "the checker reports uncertain correctness", "the run waits for a person when the checker's self-assessment is WARN or FAIL"},
		{say(`the (?:loop|agent|maker) needs context from a person(?: or (?:a )?private system)?`), RuleContext, "the loop needs context from a person or private system", "the run waits for a person when the maker ends with permission-denied"},
		{say(count + ` retries fail for the same reason`), RuleSameReason, "two retries fail for the same reason", "the run waits for a person when they do"},
	}
)

func examples(of []phrase) []string {
	var out []string
	for _, p := range of {
		out = append(out, p.example)
	}
	return out
}

var mustSkip = schema.Expression(`(?i)\b(?:skip|escalate)\b`)

// rule reads a line of the work selection rules: which list it is in, the
// introduction above it says.
func (d *specDocument) rule(e specEntry) {
	switch {
	case e.group == "Work Selection Rules":
		d.fault("no-list", e, `write "The loop may select work only when:" or "The loop must skip and escalate when:" above it`, "%q is in neither a \"select\" nor a \"skip\" list", e.text)
	case mustSkip().MatchString(e.group):
		if r, ok := d.readRule(e, skipPhrases); ok {
			d.spec.Skip = append(d.spec.Skip, r)
		}
	default:
		if r, ok := d.readRule(e, mayPhrases); ok {
			d.spec.May = append(d.spec.May, r)
		}
	}
}

var saysAlways = schema.Expression(`(?i)\balways\b`)

// escalation reads a line of the policy: an area, or a condition.
func (d *specDocument) escalation(section string, e specEntry) {
	if !saysAlways().MatchString(e.group) && !(e.group == section && saysAlways().MatchString(section)) {
		if _, known := d.wordsOf(e.text); !known {
			if r, ok := d.readRule(e, skipPhrases); ok {
				d.spec.Escalate = append(d.spec.Escalate, r)
			}
			return
		}
	}
	words, known := d.wordsOf(e.text)
	if !known {
		d.unknownArea(e, e.text)
		return
	}
	d.spec.Escalate = append(d.spec.Escalate, Rule{Kind: RuleTouches, Words: words, Text: e.text, At: d.lines.Position(e.span.Start), entry: e, bound: len(d.spec.Bound)})
	d.bindEntry(e, "items about it are escalated, and changes that touch it")
}

// readRule holds a line against the forms of rules.
func (d *specDocument) readRule(e specEntry, known []phrase) (Rule, bool) {
	for _, p := range known {
		m := p.form().FindStringSubmatch(e.text)
		if m == nil {
			continue
		}
		r := Rule{Kind: p.kind, Text: e.text, At: d.lines.Position(e.span.Start), entry: e, bound: len(d.spec.Bound)}
		if !d.fill(&r, m[1:], e) {
			return r, false
		}
		d.bindEntry(e, "%s", p.to)
		return r, true
	}
	d.fault("unenforceable-rule", e, nearestPhrase(e.text, examples(known)), "the rule %q can't be enforced", e.text)
	return Rule{}, false
}

// fill reads the parts of a rule.
func (d *specDocument) fill(r *Rule, parts []string, e specEntry) bool {
	switch r.Kind {
	case RuleFiles:
		r.N = number(parts[1])
		if w := strings.ToLower(parts[0]); w == "below" || w == "under" || strings.HasSuffix(w, "than") && w != "no more than" {
			r.N--
		}
		if r.N < 1 {
			d.fault("invalid-value", e, "allow at least one file", "%q allows no file to change", r.Text)
			return false
		}
	case RuleFailed, RuleSameReason:
		if r.N = number(parts[0]); r.N < 1 {
			d.fault("invalid-value", e, "write a number from 1", "%q is always true", r.Text)
			return false
		}
	case RuleClear, RuleTouches:
		words, ok := d.wordsOf(parts[0])
		if !ok {
			d.unknownArea(e, parts[0])
			return false
		}
		r.Words = words
	case RuleLabel, RuleFinding, RuleWithin:
		r.Words = listed(parts[0])
		return r.Kind != RuleWithin || d.globs(r.Words, e)
	case RuleRisk:
		for _, w := range parts {
			if w != "" {
				r.Words = append(r.Words, strings.ToUpper(w[:3]))
			}
		}
	case RuleCheckable:
		return d.checks(r, parts[0], e)
	}
	return true
}

// checkers are what a definition of done can be checked with, and the gate that does.
var checkers = map[string]GateKind{
	"test": GateTest, "tests": GateTest, "lint": GateLint, "linting": GateLint, "formatting": GateLint, "type checks": GateLint, "types": GateLint,
	"schema validation": GateSchemas, "schemas": GateSchemas, "link validation": GateLinks, "link checks": GateLinks, "the wiki gate": GateLinks,
	"build": GateBuild, "a build": GateBuild, "a command": "command", "commands": "command",
}

func (d *specDocument) checks(r *Rule, text string, e specEntry) bool {
	for _, w := range listed(text) {
		kind, ok := checkers[strings.ToLower(w)]
		if !ok {
			var known []string
			for k := range checkers {
				known = append(known, k)
			}
			slices.Sort(known)
			d.fault("unenforceable-rule", e, nearest(strings.ToLower(w), known), "a definition of done can't be checked with %q", w)
			return false
		}
		if !slices.Contains(r.Words, string(kind)) {
			r.Words = append(r.Words, string(kind))
		}
	}
	return true
}

// wordsOf reads a list of areas and globs.
func (d *specDocument) wordsOf(text string) ([]string, bool) {
	if name, ok := findArea(text); ok {
		return []string{name}, true
	}
	var out []string
	for _, w := range listed(text) {
		if strings.ContainsAny(w, "/*.") && unsafePath(w) == "" {
			out = append(out, w)
			continue
		}
		name, ok := findArea(w)
		if !ok {
			return nil, false
		}
		out = append(out, name)
	}
	return out, len(out) > 0
}

// unknownArea names the word that is not an area.
func (d *specDocument) unknownArea(e specEntry, text string) {
	for _, w := range listed(text) {
		if _, ok := findArea(w); ok || strings.ContainsAny(w, "/*.") && unsafePath(w) == "" {
			continue
		}
		d.fault("unenforceable-rule", e, nearest(strings.ToLower(w), areaNames())+" Write globs of files in backticks.", "unknown area %q", w)
		return
	}
	d.fault("unenforceable-rule", e, "write an area, or a glob in backticks", "unknown area %q", text)
}

func (d *specDocument) globs(words []string, e specEntry) bool {
	for _, w := range words {
		why := unsafePath(w)
		if why == "" && everything(w) {
			why = "matches everything"
		}
		if why != "" || !doublestar.ValidatePattern(w) {
			d.fault("invalid-path", e, "name files by globs below the repository's root, as in `docs/**`", "the glob %q %s", w, why)
			return false
		}
	}
	return true
}

var between = schema.Expression(`(?i)\s*,\s*(?:or|and)\s+|\s*,\s*|\s+(?:or|and)\s+`)

// listed cuts "a, b, or c" into its parts, without backticks and quotes.
func listed(text string) []string {
	var out []string
	for _, w := range between().Split(text, -1) {
		if w = strings.Trim(w, " `\"'“”"); w != "" {
			out = append(out, w)
		}
	}
	return out
}

var numbers = map[string]int{"once": 1, "twice": 2, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10}

// number reads a whole number, or its word.
func number(text string) int {
	if n, ok := numbers[strings.ToLower(text)]; ok {
		return n
	}
	n, _ := strconv.Atoi(text)
	return n
}

// nearestPhrase returns the hint for a line that is none of the forms known: the one
// with the most words in common.
func nearestPhrase(text string, known []string) string {
	words := strings.Fields(strings.ToLower(text))
	best, most := "", 0
	for _, k := range known {
		n := 0
		for _, w := range strings.Fields(strings.ToLower(k)) {
			if len(w) > 2 && w != "the" && slices.Contains(words, w) {
				n++
			}
		}
		if n > most {
			best, most = k, n
		}
	}
	if best == "" {
		return "write one of: " + strings.Join(known, "; ")
	}
	return "did you mean " + strconv.Quote(best) + "?"
}
