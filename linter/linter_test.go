package linter

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
)

// rule makes a complete rule out of its check.
func rule(id string, sev schema.Severity, check func(*Pass)) *Rule {
	return &Rule{ID: id, Group: Links, Severity: sev, Since: "0.1.0", Summary: "Something.", Doc: "Doc.", Check: check}
}

// everyWord reports the first word of every page.
func everyWord(cause string) func(*Pass) {
	return func(p *Pass) {
		for _, page := range p.Wiki.Pages() {
			end := max(strings.IndexAny(string(page.Source), " \n"), 0)
			d := p.ReportCause(cause, page.Path, schema.Span{End: end}, "found in %s", page.Path)
			d.Fixes = []schema.Fix{{Title: "cut it", Safe: true, Edits: []schema.Edit{{Path: page.Path, Span: d.Span}}}}
		}
	}
}

// pages writes n pages and an optional wiki.yaml and compiles them.
func pages(t testing.TB, n int, config string) *compiler.Wiki {
	t.Helper()
	var b strings.Builder
	if config != "" {
		fmt.Fprintf(&b, "-- wiki.yaml --\n%s\n", config)
	}
	for i := range n {
		fmt.Fprintf(&b, "-- d%d/p%02d.md --\nword and more of page %d\n", i%3, i, i)
	}
	return compilertest.Compile(t, compilertest.Write(t, b.String()))
}

// ids are those of rules.
func ids(rules []*Rule) []string {
	out := []string{}
	for _, r := range rules {
		out = append(out, r.ID)
	}
	return out
}

func TestRan(t *testing.T) {
	t.Parallel()
	w := pages(t, 1, "lint: {rules: {silent: off}}")
	none := func(*Pass) {}
	rules := []*Rule{rule("z", schema.Info, none), rule("silent", schema.Error, none), rule("opt-in", schema.Off, none), rule("a", schema.Error, none)}
	for _, c := range []struct {
		cfg  Config
		want []string
	}{
		{Config{}, []string{"a", "z"}},
		{Config{Only: []string{"opt-in", "a"}}, []string{"a", "opt-in"}},
		{Config{Except: []string{"z"}}, []string{"a"}},
	} {
		c.cfg.Rules = rules
		if diff := cmp.Diff(c.want, ids(run(t, w, c.cfg).Ran)); diff != "" {
			t.Error(diff)
		}
	}
}

func run(t testing.TB, w *compiler.Wiki, cfg Config) *Result {
	t.Helper()
	res, err := Run(t.Context(), w, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestSeverities(t *testing.T) {
	t.Parallel()
	const config = `lint:
  rules: {loud: info, silent: off}
  overrides:
    - {paths: ["d1/**"], rules: {loud: error, opt-in: warning}}
    - {paths: ["d1/p01.md", "d2/*"], rules: {loud: off}}`
	w := pages(t, 6, config)
	rules := []*Rule{
		rule("loud", schema.Warning, everyWord("")),
		rule("opt-in", schema.Off, everyWord("")),
		rule("silent", schema.Error, everyWord("")),
		rule("plain", schema.Warning, func(p *Pass) {
			p.Report("d0/p00.md", schema.Span{}, "mild").Severity = schema.Info
		}),
	}
	for _, c := range []struct {
		name string
		cfg  Config
		want string
	}{
		{"configured", Config{}, "d0/p00.md loud info, d0/p00.md plain info, d0/p03.md loud info, d1/p01.md opt-in warning, d1/p04.md loud error, d1/p04.md opt-in warning"},
		{"only", Config{Only: []string{"silent", "opt-in"}}, "d0/p00.md opt-in warning, d0/p00.md silent error, d0/p03.md opt-in warning, d0/p03.md silent error, " +
			"d1/p01.md opt-in warning, d1/p01.md silent error, d1/p04.md opt-in warning, d1/p04.md silent error, d2/p02.md opt-in warning, d2/p02.md silent error, d2/p05.md opt-in warning, d2/p05.md silent error"},
		{"except", Config{Except: []string{"loud", "opt-in"}}, "d0/p00.md plain info"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.cfg.Rules = rules
			var got []string
			for _, d := range run(t, w, c.cfg).Findings {
				got = append(got, fmt.Sprint(d.Path, " ", d.Rule, " ", d.Severity))
			}
			if diff := cmp.Diff(c.want, strings.Join(got, ", ")); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestConfigurationProblems(t *testing.T) {
	t.Parallel()
	rules := []*Rule{rule("broken-link", schema.Error, func(*Pass) {}), rule("orphan", schema.Warning, func(*Pass) {})}
	for _, c := range []struct {
		config string
		cfg    Config
		want   []string
	}{
		{"", Config{Only: []string{"brokenlink"}}, []string{`--select: unknown rule or group "brokenlink": did you mean "broken-link"?`}},
		{"", Config{Except: []string{"zebra"}}, []string{`--ignore: unknown rule or group "zebra"`}},
		{"lint: {rules: {orphans: off}}", Config{}, []string{`lint.rules: unknown rule or group "orphans": did you mean "orphan"?`}},
		{"lint: {overrides: [{paths: [a], rules: {orphn: off}}, {paths: [b], rules: {x: info}}]}", Config{},
			[]string{`lint.overrides[0].rules: unknown rule or group "orphn": did you mean "orphan"?`, `lint.overrides[1].rules: unknown rule or group "x"`}},
	} {
		c.cfg.Rules = rules
		_, err := Run(t.Context(), pages(t, 1, c.config), c.cfg)
		var unknown *UnknownRuleError
		if err == nil || err.Error() != strings.Join(c.want, "\n") || !errors.As(err, &unknown) {
			t.Errorf("%s %v: got %v, want %q", c.config, c.cfg.Only, err, c.want)
		}
	}
}

func TestRulesAreSwitchedByGroup(t *testing.T) {
	t.Parallel()
	report := func(p *Pass) { p.Report("p0.md", schema.Span{}, "m") }
	in := func(id string, g Group, sev schema.Severity) *Rule {
		r := rule(id, sev, report)
		r.Group = g
		return r
	}
	rules := []*Rule{in("a", Links, schema.Error), in("b", Links, schema.Error), in("c", IndexAndLog, schema.Warning), in("d", Links, schema.Off)}
	for _, c := range []struct {
		config string
		cfg    Config
		want   string
	}{
		{"", Config{Only: []string{"links"}}, "a error, b error"},
		{"", Config{Only: []string{"links", "c"}, Except: []string{"b"}}, "a error, c warning"},
		{"", Config{Only: []string{"a"}, Except: []string{"links"}}, "a error"},
		{"", Config{Except: []string{"index-and-log"}}, "a error, b error"},
		{"lint: {rules: {links: off}}", Config{}, "c warning"},
		{"lint: {rules: {links: warn, b: info}}", Config{}, "a warning, b info, c warning"},
		{"lint: {overrides: [{paths: [p*.md], rules: {links: off}}]}", Config{}, "c warning"},
	} {
		c.cfg.Rules = rules
		res, err := Run(t.Context(), pages(t, 1, c.config), c.cfg)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, d := range res.Findings {
			got = append(got, d.Rule+" "+d.Severity.String())
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s %v %v: %s, want %s", c.config, c.cfg.Only, c.cfg.Except, s, c.want)
		}
	}
}

func TestOneCauseOneFinding(t *testing.T) {
	t.Parallel()
	for _, n := range []int{causeThreshold, causeThreshold + 1, 25} {
		w := pages(t, n, "")
		flood := rule("flood", schema.Warning, everyWord("the cause"))
		flood.Cause = func(n int, first schema.Diagnostic) string { return fmt.Sprintf("%d of %s", n, first.Path) }
		got := run(t, w, Config{Rules: []*Rule{flood, rule("other", schema.Info, everyWord(""))}})
		var ds []schema.Diagnostic
		for _, d := range got.Findings {
			if d.Rule == "flood" {
				ds = append(ds, d)
			}
		}
		if n == causeThreshold {
			if len(ds) != n || ds[0].Count != 1 {
				t.Errorf("%d findings of one cause became %d", n, len(ds))
			}
			continue
		}
		if len(ds) != 1 {
			t.Fatalf("%d findings of one cause became %d", n, len(ds))
		}
		d := ds[0]
		if d.Count != n || d.Path != "d0/p00.md" || d.Message != fmt.Sprintf("%d of d0/p00.md", n) || len(d.Related) != min(n-1, causePlaces) {
			t.Errorf("%d: %+v", n, d)
		}
		if len(d.Fixes) != 1 || !d.Fixes[0].Safe || len(d.Fixes[0].Edits) != n {
			t.Errorf("%d: the fixes became %+v", n, d.Fixes)
		}
		if d.Related[0].From != (schema.Position{Line: 1, Column: 1}) {
			t.Errorf("a related place has no position: %+v", d.Related[0])
		}
	}
}

func TestUnmergeableFixes(t *testing.T) {
	t.Parallel()
	w := pages(t, 12, "")
	at := schema.Span{Start: 0, End: 4}
	for name, fix := range map[string]func(i int, path string) []schema.Fix{
		"one has none": func(i int, path string) []schema.Fix {
			if i == 5 {
				return nil
			}
			return []schema.Fix{{Safe: true, Edits: []schema.Edit{{Path: path, Span: at}}}}
		},
		"one is unsafe": func(i int, path string) []schema.Fix {
			return []schema.Fix{{Safe: i != 5, Edits: []schema.Edit{{Path: path, Span: at}}}}
		},
		"two touch the same text": func(i int, path string) []schema.Fix {
			return []schema.Fix{{Safe: true, Edits: []schema.Edit{{Path: "d0/p00.md", Span: at, Text: path}}}}
		},
	} {
		r := rule("flood", schema.Warning, func(p *Pass) {
			for i, page := range p.Wiki.Pages() {
				p.ReportCause("c", page.Path, at, "m").Fixes = fix(i, page.Path)
			}
		})
		if d := run(t, w, Config{Rules: []*Rule{r}}).Findings[0]; len(d.Fixes) != 0 || d.Count != 12 {
			t.Errorf("%s: count %d, fixes %+v", name, d.Count, d.Fixes)
		}
	}
}

func TestPanicIsABugOfTheRule(t *testing.T) {
	t.Parallel()
	res, err := Run(t.Context(), pages(t, 2, ""), Config{Rules: []*Rule{
		rule("bad", schema.Error, func(p *Pass) { panic("index out of range") }), rule("good", schema.Error, everyWord(""))}})
	var bug *BugError
	if !errors.As(err, &bug) || bug.Rule != "bad" || len(bug.Stack) == 0 || !strings.Contains(err.Error(), "rule bad crashed") {
		t.Errorf("got %v", err)
	}
	if res == nil || len(res.Findings) != 2 {
		t.Errorf("the other rule did not run: %+v", res)
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	r := rule("slow", schema.Error, func(p *Pass) { cancel(); <-p.Done() })
	if res, err := Run(ctx, pages(t, 1, ""), Config{Rules: []*Rule{r}, Workers: 1}); !errors.Is(err, context.Canceled) || res != nil {
		t.Errorf("got %v, %v", res, err)
	}
}

func TestFactIsComputedOnce(t *testing.T) {
	t.Parallel()
	var computed atomic.Int64
	count := NewFact(func(w *compiler.Wiki) int { computed.Add(1); time.Sleep(time.Millisecond); return len(w.Pages()) })
	var rules []*Rule
	for i := range 8 {
		rules = append(rules, rule(fmt.Sprintf("r%d", i), schema.Info, func(p *Pass) {
			p.Report("d0/p00.md", schema.Span{}, "%d pages", count.Of(p))
		}))
	}
	w := pages(t, 3, "")
	facts := NewFacts(w)
	for range 2 {
		for _, d := range run(t, w, Config{Rules: rules, Workers: 8, Facts: facts}).Findings {
			if d.Message != "3 pages" {
				t.Error(d.Message)
			}
		}
	}
	if computed.Load() != 1 {
		t.Errorf("computed %d times for one wiki", computed.Load())
	}
	other := pages(t, 4, "")
	if d := run(t, other, Config{Rules: rules[:1], Facts: facts}).Findings[0]; d.Message != "4 pages" {
		t.Errorf("a fact of another wiki was used: %s", d.Message)
	}
}

func TestSkippedIsNamed(t *testing.T) {
	t.Parallel()
	res := run(t, pages(t, 1, ""), Config{Rules: []*Rule{rule("z", schema.Info, func(p *Pass) { p.Skip("no %s; get one", "index") })}})
	if !slices.Contains(res.Skipped, schema.Skipped{Check: "z", Reason: "no index; get one"}) {
		t.Errorf("got %v", res.Skipped)
	}
}

// TestFingerprintSurvivesEdits moves and rewraps the text around a finding.
func TestFingerprintSurvivesEdits(t *testing.T) {
	t.Parallel()
	r := rule("r", schema.Error, func(p *Pass) {
		for _, page := range p.Wiki.Pages() {
			src := string(page.Source)
			for at := 0; ; {
				i := strings.Index(src[at:], "two")
				if i < 0 {
					break
				}
				end := at + i + strings.Index(src[at+i:], "words") + len("words")
				p.Report(page.Path, schema.Span{Start: at + i, End: end}, "at line %d", page.Lines.Position(at+i).Line)
				at = end
			}
		}
	})
	prints := func(body string) []string {
		var out []string
		for _, d := range run(t, compilertest.Compile(t, compilertest.Write(t, "-- a.md --\n"+body)), Config{Rules: []*Rule{r}}).Findings {
			out = append(out, d.Fingerprint)
		}
		return out
	}
	before := prints("two words here\n\nand two words there\n")
	after := prints("# New\n\nText.\n\nTwo, no; two\n  words here\n\nand two words there\n")
	if diff := cmp.Diff(before, after); diff != "" || len(before) != 2 || before[0] == before[1] {
		t.Errorf("%v became %v", before, after)
	}
}

// TestOrderDoesNotMatter checks that what is found depends neither on how many
// rules run at once nor on the order in which they report.
func TestOrderDoesNotMatter(t *testing.T) {
	t.Parallel()
	w := pages(t, 9, "")
	type place struct{ page, start, end, rule, cause int }
	rapid.Check(t, func(rt *rapid.T) {
		places := rapid.SliceOfN(rapid.Custom(func(rt *rapid.T) place {
			return place{rapid.IntRange(0, 8).Draw(rt, "page"), rapid.IntRange(0, 3).Draw(rt, "start"), rapid.IntRange(3, 6).Draw(rt, "end"),
				rapid.IntRange(0, 2).Draw(rt, "rule"), rapid.IntRange(0, 1).Draw(rt, "cause")}
		}), 0, 60).Draw(rt, "places")
		shuffled := rapid.Permutation(places).Draw(rt, "shuffled")
		findings := func(places []place, workers int) []schema.Diagnostic {
			var rules []*Rule
			for r := range 3 {
				rules = append(rules, rule(fmt.Sprintf("r%d", r), schema.Warning, func(p *Pass) {
					for _, pl := range places {
						if pl.rule == r {
							cause := []string{"", "shared"}[pl.cause]
							p.ReportCause(cause, w.Pages()[pl.page].Path, schema.Span{Start: pl.start, End: pl.end}, "cause %d", pl.cause)
						}
					}
				}))
			}
			res, err := Run(context.Background(), w, Config{Rules: rules, Workers: workers})
			if err != nil {
				rt.Fatal(err)
			}
			return res.Findings
		}
		if diff := cmp.Diff(findings(places, 1), findings(shuffled, 3)); diff != "" {
			rt.Errorf("order or parallelism changed what was found:\n%s", diff)
		}
	})
}

func TestStats(t *testing.T) {
	t.Parallel()
	res := run(t, pages(t, 3, ""), Config{Timing: true, Rules: []*Rule{rule("a", schema.Error, everyWord("")), rule("b", schema.Info, everyWord(""))}})
	st := res.Stats
	if st.Pages != 3 || st.Rules != 2 || st.Errors != 3 || st.Infos != 3 || st.Warnings != 0 || len(st.Timing) != 2 || res.Worst() != schema.Error {
		t.Errorf("%+v, worst %s", st, res.Worst())
	}
	if run(t, pages(t, 1, ""), Config{Rules: []*Rule{}}).Worst() != schema.Off {
		t.Error("no findings have a worst")
	}
}
