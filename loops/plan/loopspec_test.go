package plan

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema/schematest"
)

func readTestSpec(t testing.TB, name string) []byte {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("testdata", "loopspec", name))
	if err != nil {
		t.Fatal(err)
	}
	return src
}

func beside(name string) ([]byte, error) {
	return os.ReadFile(filepath.Join("testdata", "loopspec", name))
}

func TestTheNewslettersSpecBinds(t *testing.T) {
	t.Parallel()
	s, faults := ParseLoopSpec("agents/loops/triage.md", readTestSpec(t, "newsletter.md"), beside)
	for _, f := range faults {
		t.Error(f)
	}
	l := s.Limits(loops.DefaultLimits())
	b := l.Budget
	if b.Iterations != 3 || b.CallTools != 20 || time.Duration(b.Clock) != 30*time.Minute || b.PullRequests != 2 || l.Stalled != 2 {
		t.Errorf("limits are %+v", l)
	}
	if s.Name != "triage" || s.Title != "Repository Maintenance Triage" || s.Kind != CodeLoop || len(s.May) != 4 || len(s.Skip) != 4 || len(s.Gates) != 8 || len(s.Escalate) != 13 || len(s.Stops) != 5 {
		t.Errorf("spec is %+v", s)
	}
	if len(s.Triggers) != 1 || s.Triggers[0].Cron != "0 8 * * 1-5" {
		t.Errorf("triggers are %+v", s.Triggers)
	}
	if r := s.May[1]; r.N != 4 {
		t.Errorf("below five files is at most %d", r.N)
	}
	_, missing := s.Commands(loops.GateCommands{Build: []string{"b"}, Test: []string{"t"}, Lint: []string{"l"}}, true)
	if len(missing) != 2 || missing[0].Kind != GateSchemas || missing[1].Kind != GateGenerated {
		t.Errorf("without commands stay %+v", missing)
	}
}

// The quoted spec stands alone, too.
func TestSectionsMayBeInTheSpecItself(t *testing.T) {
	t.Parallel()
	src := string(readTestSpec(t, "newsletter.md"))
	cut := func(from, to string) {
		i := strings.Index(src, from)
		j := strings.Index(src[i:], to)
		src = src[:i] + src[i+j:]
	}
	cut("## Gates", "## Budgets")
	src = src[:strings.Index(src, "## Escalation")]
	policy := string(readTestSpec(t, "escalation-policy.md"))
	src += strings.TrimPrefix(policy, "# Escalation Policy\n")
	s, faults := ParseLoopSpec("LOOP_SPEC.md", []byte(src), nil)
	if len(faults) > 0 || len(s.Escalate) != 13 || s.Name != "repository-maintenance-triage" {
		t.Errorf("%v, %d escalations, name %s", faults, len(s.Escalate), s.Name)
	}
}

func TestSpecFaults(t *testing.T) {
	t.Parallel()
	whole := string(readTestSpec(t, "newsletter.md"))
	for _, c := range []struct{ old, new, want string }{
		{"- max iterations: 3", "- max iteration: 3", `22:3: error: unknown budget "max iteration"; did you mean "max iterations"? [unknown-budget]`},
		{"- max iterations: 3", "- max iterations: 3 minutes", `22:3: error: max iterations: "3 minutes" is not a whole number; write a whole number from 1, as in 3 [invalid-value]`},
		{"- max iterations: 3", "- max iterations: 0", `22:3: error: max iterations: 0 means that nothing can run; write a whole number from 1, as in 3 [invalid-value]`},
		{"- max runtime: 30 minutes", "- max runtime: 30", `24:3: error: max runtime: "30" is not a duration; write a duration with its unit, as in 30 minutes [invalid-value]`},
		{"- max runtime: 30 minutes", "- max cost: 5", `24:3: error: max cost per run: "5" is not an amount of money; write an amount in USD, as in $5 [invalid-value]`},
		{"- max runtime: 30 minutes", "- max iterations: 4", `24:3: error: duplicate budget max iterations; merge the two [duplicate-budget]`},
		{"- max iterations: 3\n", "", `28:3: error: "max iterations are reached" is never true: that budget is not set; add one to ## Budgets: max iterations [unenforceable-rule]`},
		{"- the same item failed twice before", "- the moon is full", `17:3: error: the rule "the moon is full" can't be enforced; `},
		{"the issue is labeled maintenance", "the issue seems easy", `9:3: error: the rule "the issue seems easy" can't be enforced; did you mean "the issue is labeled maintenance"? [unenforceable-rule]`},
		{"authentication, authorization", "authentification, authorization", `16:3: error: unknown area "authentification"; did you mean "authentication"?`},
		{"with tests, lint", "with tests, feeling", `12:3: error: a definition of done can't be checked with "feeling";`},
		{"below five files", "below one file", `10:3: error: "the expected file changes are below one file" allows no file to change; allow at least one file [invalid-value]`},
		{"## Budgets", "## Budget", `21:4: error: unknown section "Budget"; did you mean "Budgets"? [unknown-section]`},
		{"## Trigger\nRun every weekday at 08:00 local time.\n", "", `error: the spec has no section Trigger; write ## Trigger [missing-section]`},
		{"Run every weekday at 08:00 local time.", "Run when it rains.", `6:1: error: "Run when it rains" is not a trigger;`},
		{"at 08:00", "at 28:00", `6:1: error: 28:00 is not a time of day;`},
		{"- the checker reports no progress across two", "- the checker reports no progress across zero", `31:3: error: the stop condition "the checker reports no progress across zero consecutive attempts" can't be enforced`},
		{"The loop must skip and escalate when:", "On the other hand:", `14:1: error: unknown introduction "On the other hand:";`},
		{"quality-gate-checklist.md", "no-such.md", `20:1: error: can't read the file no-such.md;`},
		{"quality-gate-checklist.md", "../x.md", `20:1: error: `},
		{"# Loop Spec: Repo", "# Spec: Repo", `1:3: error: "Spec: Repository Maintenance Triage" is not a spec title;`},
		{"## Budgets", "## Mode\nswift\n## Budgets", `22:1: error: unknown mode "swift"; expected one of`},
		{"## Budgets", "## Roles\n- maker\n- jester\n## Budgets", `23:3: error: unknown role "jester";`},
		{"## Budgets", "## Roles\n- checker\n## Budgets", `21:4: error: none of these roles does the loop's work;`},
		{"## Budgets", "## Inputs\n- the ether\n## Budgets", `22:3: error: "the ether" is not a source of work;`},
		{"## Budgets", "## Budgets\nSpend little.", `22:1: error: "Spend little" is not a budget;`},
	} {
		src := strings.Replace(whole, c.old, c.new, 1)
		if src == whole {
			t.Fatalf("%q is not in the spec", c.old)
		}
		_, faults := ParseLoopSpec("agents/loops/triage.md", []byte(src), beside)
		if !slices.ContainsFunc(faults, func(f Fault) bool { return strings.Contains(f.String(), c.want) }) {
			t.Errorf("%q: %v, want %s", c.new, faults, c.want)
		}
	}
}

var statement = regexp.MustCompile(`^(?:- |[A-Za-z\x60])`)

// allBound checks that no line of a spec without faults is left out: each is bound,
// goes on with one that is, or names a file.
func allBound(t *testing.T, s *LoopSpec, src []byte) {
	t.Helper()
	bound := map[int]bool{}
	for _, b := range s.Bound {
		bound[b.Line] = true
	}
	open := false
	n := 0
	for line := range strings.Lines(string(src)) {
		n++
		text := strings.TrimRight(line, "\r\n")
		switch {
		case strings.TrimSpace(text) == "" || strings.HasPrefix(text, "## "):
			open = false
		case bound[n]:
			open = true
		case open && !strings.HasPrefix(text, "- "):
		case statement.MatchString(text) && strings.Contains(text, ".md"):
		default:
			t.Errorf("line %d is bound to nothing: %q", n, text)
		}
	}
}

func TestNoLineIsIgnored(t *testing.T) {
	t.Parallel()
	src := readTestSpec(t, "newsletter.md")
	s, _ := ParseLoopSpec("agents/loops/triage.md", src, beside)
	allBound(t, s, src)
	for _, f := range slices.Concat(Builtin(), Templates()) {
		s, faults := ParseLoopSpec(LoopFolder+"/"+f.Name+".md", f.Src, nil)
		if len(faults) > 0 {
			t.Errorf("%s: %v", f.Name, faults)
		}
		allBound(t, s, f.Src)
	}
	if len(Builtin()) != 3 || len(Templates()) != 5 {
		t.Errorf("%d built-in specs, %d templates", len(Builtin()), len(Templates()))
	}
}

// TestPolicyLinesAreQuotedOnce: a section may be in a file of its own, whose lines are what is
// enforced, not the line that names it.
func TestPolicyLinesAreQuotedOnce(t *testing.T) {
	t.Parallel()
	s, _ := ParseLoopSpec("agents/loops/triage.md", readTestSpec(t, "newsletter.md"), beside)
	quoted := map[string]int{}
	for _, b := range s.Bound {
		quoted[b.Text]++
	}
	for text, n := range quoted {
		if n > 1 {
			t.Errorf("%q is quoted %d times", text, n)
		}
	}
	for _, r := range s.Escalate {
		if quoted[r.entry.from+": "+r.Text] != 1 {
			t.Errorf("%q of %s is not quoted", r.Text, r.entry.from)
		}
	}
}

// What the built-in execution says of itself is what holds by default.
func TestTheBuiltInExecutionIsTheDefault(t *testing.T) {
	t.Parallel()
	for _, f := range Builtin() {
		if f.Name != "execution" {
			continue
		}
		s, _ := ParseLoopSpec(f.Name+".md", f.Src, nil)
		def := loops.DefaultLimits()
		got, want := s.Limits(def), def
		want.Stalled = 2
		if got.Budget.USD != want.Budget.USD || got.Budget.Tokens != want.Budget.Tokens || got.Budget.Iterations != want.Budget.Iterations ||
			got.Budget.PullRequests != want.Budget.PullRequests || got.Attempts != want.Attempts || got.NoProgress != want.NoProgress || got.SameError != want.SameError || got.HalfOpen != want.HalfOpen || got.Stalled != want.Stalled {
			t.Errorf("limits are %+v, the defaults %+v", got, want)
		}
	}
}

func FuzzParseLoopSpec(f *testing.F) {
	f.Add(readTestSpec(f, "escalation-policy.md"))
	for _, s := range slices.Concat(Builtin(), Templates()) {
		f.Add(s.Src)
	}
	for _, s := range schematest.Vary(200, string(readTestSpec(f, "newsletter.md")), "# Loop Spec: x\n## Trigger\n- `*/5 0-23/2 1,15 jan-dec mon-fri`\n## Roles\n- maker: claude:haiku\n") {
		f.Add([]byte(s))
	}
	none := func(string) ([]byte, error) { return nil, errors.New("none") }
	f.Fuzz(func(t *testing.T, src []byte) {
		s, faults := ParseLoopSpec("agents/loops/x.md", src, none)
		for _, fault := range faults {
			if fault.Span.Start < 0 || fault.Span.End > len(src) || fault.Span.Start > fault.Span.End {
				t.Fatalf("a fault out of the file: %+v", fault)
			}
		}
		if Refused(faults) {
			return
		}
		allBound(t, s, src)
		s.Limits(loops.DefaultLimits())
		s.Escalation()
		for _, format := range ScheduleFormats {
			_, _, _ = s.Schedule(format, ScheduleIn{Dir: "/x", Wiki: "/wiki", Branch: "main"})
		}
	})
}

// A spec that stands for a built-in loop is of its kind, and asks for what that holds;
// one with a writer or an auditor has a name of its own.
func TestSpecsByKind(t *testing.T) {
	t.Parallel()
	const budget = "## Budgets\n- max iterations: 1\n"
	spec := func(rules, more string) []byte {
		return []byte("# Loop Spec: X\n## Purpose\nWork.\n## Trigger\non dispatch\n## Work Selection Rules\n" + rules + "## Stop Conditions\n- max iterations are reached\n" + more + budget)
	}
	may, skip := "The loop may select work only when:\n", "The loop must skip and escalate when:\n"
	none := skip + "- two retries fail for the same reason\n"
	for _, c := range []struct {
		name, rules, more string
		kind              LoopKind
		message           string
	}{
		{"audit", none, "", AuditLoop, ""},
		{"documentation", none, "", WikiLoop, ""},
		{"execution", none, "", CodeLoop, ""},
		{"documentation", none, "## Gates\n- Documentation links resolve\n", WikiLoop, ""},
		{"audit", none, "## Roles\n- maker\n", CodeLoop, "the spec has kind code, but configures the built-in loop audit"},
		{"glossary-keeper", none, "## Roles\n- writer\n", WikiLoop, ""},
		{"nightly-security-audit", none, "## Roles\n- auditor\n", AuditLoop, ""},
		{"ingest", none, "## Roles\n- writer\n", WikiLoop, `the name "ingest" is reserved for wiki's own runs`},
		{"documentation", none, "## Gates\n- Build passes: `make docs`\n", WikiLoop, `"Build passes" (line 12) can't be checked`},

		{"execution", may + "- the issue is labeled maintenance\n- the risk is low\n- the change stays within `a/**`\n" + skip + "- the plan failed twice\n", "## Inputs\n- plans\n", CodeLoop, ""},
		{"execution", may + "- the finding is `broken-link`\n", "", CodeLoop, "the rule \"the finding is `broken-link`\" can't be enforced here: " + `the execution loop takes plans, and plans are not lint findings`},
		{"execution", none, "## Inputs\n- lint findings\n", CodeLoop, `"lint findings" is not read: the execution loop takes plans`},
		{"chores", none, "## Inputs\n- merged changes\n", CodeLoop, `"merged changes" contains no work items`},

		{"documentation", may + "- the change stays within `wiki/**`\n- the expected file changes are below five files\n- no login is involved\n- the definition of done can be checked with link validation\n", "## Inputs\n- merged changes\n", WikiLoop, ""},
		{"documentation", may + "- the issue is labeled x\n", "", WikiLoop, `the rule "the issue is labeled x" can't be enforced here: a writer maintains pages, and they have no labels`},
		{"documentation", may + "- the definition of done can be checked with tests\n", "", WikiLoop, `the rule "the definition of done can be checked with tests" can't be enforced here: the loop runs no command`},
		{"documentation", may + "- the finding is `broken-link`\n", "", WikiLoop, "the rule \"the finding is `broken-link`\" can't be enforced here: " + `the loop lists pages by commits only`},
		{"documentation", skip + "- tests disagree with documentation\n", "", WikiLoop, `the rule "tests disagree with documentation" can't be enforced here: a writer maintains pages, and there is no checker`},
		{"documentation", skip + "- requirements are ambiguous\n", "", WikiLoop, `the rule "requirements are ambiguous" can't be enforced here: a writer maintains pages, and pages have no requirements`},
		{"documentation", skip + "- the same item failed twice before\n", "", WikiLoop, `the rule "the same item failed twice before" can't be enforced here: a writer maintains pages, and failed work is not retried`},
		{"documentation", none, "## Inputs\n- plans\n", WikiLoop, `"plans" is not read: a writer maintains pages`},
		{"glossary-keeper", may + "- the finding is `missing-term`\n", "## Roles\n- writer\n## Inputs\n- lint findings\n", WikiLoop, ""},

		{"audit", may + "- the finding is security or `bug`\n- the risk is low or medium\n" + skip + "- the change touches billing\n- requirements are ambiguous\n", "", AuditLoop, ""},
		{"audit", may + "- the finding is securty\n", "", AuditLoop, `unknown category "securty" of audit findings`},
		{"audit", none, "## Inputs\n- lint findings\n", AuditLoop, `"lint findings" is not read: an audit reads the whole repository`},
		{"audit", skip + "- the agent needs context from a person\n", "", AuditLoop, ""},
		{"audit", skip + "- the checker is uncertain\n", "", AuditLoop, `the rule "the checker is uncertain" can't be enforced here`},
		{"weekly-audit", none, "## Roles\n- auditor\n- writer\n", AuditLoop, ""},
	} {
		s, faults := ParseLoopSpec(LoopFolder+"/"+c.name+".md", spec(c.rules, c.more), nil)
		if s.Kind != c.kind {
			t.Errorf("%s is of the kind %s, not %s", c.name, s.Kind, c.kind)
		}
		switch {
		case c.message == "" && len(faults) > 0, c.message != "" && (len(faults) != 1 || !strings.HasPrefix(faults[0].Message, c.message)):
			t.Errorf("%s: %v, want %q", c.name, faults, c.message)
		}
	}
	s, faults := ParseLoopSpec(LoopFolder+"/execution.md", spec(none, "## Escalation\nEscalate when:\n- the same plan failed twice\n- billing\n"), nil)
	var kinds []RuleKind
	for _, r := range s.Rules() {
		kinds = append(kinds, r.Kind)
	}
	if want := []RuleKind{RuleSameReason, RuleFailed}; len(faults) > 0 || !slices.Equal(kinds, want) {
		t.Errorf("what refuses plans is %v, not %v; %v", kinds, want, faults)
	}
	_, faults = ParseLoopSpec(LoopFolder+"/documentation.md", append(spec(none, ""), "- max items per run: 2\n"...), nil)
	if len(faults) != 1 || !strings.HasPrefix(faults[0].Message, "max items per run can't be enforced") {
		t.Errorf("a writer's whole list: %v", faults)
	}
}
