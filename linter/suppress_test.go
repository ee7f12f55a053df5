package linter

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
)

// flags reports every word of the form !name as a finding of the rule name.
func flags(names ...string) []*Rule {
	var rules []*Rule
	for _, name := range names {
		r := rule(name, schema.Warning, nil)
		r.CheckPage = func(p *Pass, page *schema.Page) {
			text := string(page.Source)
			for at := 0; ; {
				i := strings.Index(text[at:], "!"+name)
				if i < 0 {
					return
				}
				at += i + 1 + len(name)
				p.Report(page.Path, schema.Span{Start: at - len(name), End: at}, "flag")
			}
		}
		rules = append(rules, r)
	}
	return rules
}

// lines says which findings are left and which are suppressed, by line.
func lines(res *Result) string {
	var kept, quiet []string
	for _, d := range res.Findings {
		kept = append(kept, fmt.Sprintf("%s:%d", d.Rule, d.From.Line))
	}
	for _, s := range res.Suppressed {
		quiet = append(quiet, fmt.Sprintf("%s:%d %s", s.Rule, s.From.Line, strings.TrimSpace(string(s.By)+" "+s.Reason)))
	}
	return strings.Join(kept, ", ") + " | " + strings.Join(quiet, ", ")
}

func TestSuppressions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, page, want string }{
		{"nothing", "!one\n", "one:1 | "},
		{"next line", "<!-- wiki-lint-disable-next-line one -- why not -->\n!one !two\n!one\n", "two:2, one:3 | one:2 comment why not"},
		{"next line of a formatter", "<!-- wiki-lint-disable-next-line one -->\n\n  \n!one\n", " | one:4 comment"},
		{"next lines above each other", "<!-- wiki-lint-disable-next-line one -->\n<!-- wiki-lint-disable-next-line two -->\n\n!one !two\n!one\n", "one:5 | one:4 comment, two:4 comment"},
		{"next line behind text", "!one <!-- wiki-lint-disable-next-line one -->\n!one\n", "one:1 | one:2 comment"},
		{"next line at the end", "!one\n<!-- wiki-lint-disable-next-line one -->", "one:1 | "},
		{"this line", "!one\n\n!one <!-- wiki-lint-disable-line one, two --> !two\n\n!two\n", "one:1, two:5 | one:3 comment, two:3 comment"},
		{"two in a line", "<!-- wiki-lint-disable-file one --> <!-- wiki-lint-disable-file two --> text\n\n!one !two\n", " | one:3 comment, two:3 comment"},
		{"in a quote", "> <!-- wiki-lint-disable-next-line one -->\n> !one\n> !one\n", "one:3 | one:2 comment"},
		{"in a list", "- !one\n- !one <!-- wiki-lint-disable-line one -->\n", "one:1 | one:2 comment"},
		{"over several lines", "<!--\nwiki-lint-disable-next-line one\n-- because\n-->\n!one\n", " | one:5 comment because"},
		{"windows", "<!-- wiki-lint-disable-next-line one -->\r\n!one\r\n!one\r\n", "one:3 | one:2 comment"},
		{"block", "!one\n\n<!-- wiki-lint-disable one -- old -->\n\n!one !two\n\n<!-- wiki-lint-enable one -->\n\n!one\n", "one:1, two:5, one:9 | one:5 comment old"},
		{"block to the end", "!one\n\n%% wiki-lint-disable %%\n\n!one\n\n!two", "one:1 | one:5 comment, two:7 comment"},
		{"blocks of two rules", "<!-- wiki-lint-disable one -->\n\n<!-- wiki-lint-disable two -->\n\n!one !two\n\n<!-- wiki-lint-enable one -->\n\n!one !two\n\n<!-- wiki-lint-enable -->\n\n!two\n",
			"one:9, two:13 | one:5 comment, two:5 comment, two:9 comment"},
		{"file", "!one !two\n\n<!-- WIKI-LINT-disable-file one -->\n", "two:1 | one:1 comment"},
		{"reason behind a dash", "<!-- wiki-lint-disable-file one — the\n   reason -->\n\n!one\n", " | one:4 comment the reason"},
		{"front matter", "---\nlint:\n  disable: [one, {rule: two, reason: because}]\n---\n!one !two\n", " | one:5 frontmatter, two:5 frontmatter because"},
		{"front matter, a block", "---\nlint:\n  disable:\n    - one -- so\n    - rule: two\n---\n!one !two\n", " | one:7 frontmatter so, two:7 frontmatter"},
		{"front matter, flat", "---\nlint.disable: one, two\n---\n!one !two\n", " | one:4 frontmatter, two:4 frontmatter"},
		{"front matter, hyphen", "---\nlint-disable: \"one -- quoted\"\n---\n!one !two\n", "two:4 | one:4 frontmatter quoted"},
		{"front matter, all", "---\nlint: {disable: true}\n---\n!one !two\n", " | one:4 frontmatter, two:4 frontmatter"},
		{"not for others", "<!-- wiki-lint-disable-file on -->\n\n!one\n", "one:3 | "},
		{"not in code", "```\n<!-- wiki-lint-disable-file one -->\n```\n`<!-- wiki-lint-disable-file -->` !one\n", "one:4 | "},
		{"no reason mark", "<!-- wiki-lint-disable-file one because -->\n\n!one\n", "one:3 | "},
		{"prose", "<!-- wiki-lint is nice --> !one\n", "one:1 | "},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := compilertest.Compile(t, compilertest.Write(t, "-- a.md --\n"+c.page))
			res := run(t, w, Config{Rules: flags("one", "two")})
			if diff := cmp.Diff(c.want, lines(res)); diff != "" {
				t.Error(diff)
			}
			if res.Stats.Suppressed != len(res.Suppressed) {
				t.Errorf("%d suppressed, and counted %d", len(res.Suppressed), res.Stats.Suppressed)
			}
		})
	}
}

// TestReasons checks that what misleads is not suppressed without a reason, and
// that a contradiction is suppressed at any of its sides.
func TestReasons(t *testing.T) {
	t.Parallel()
	conflict := rule("conflict", schema.Error, func(p *Pass) {
		d := p.Report("a.md", schema.Span{Start: 0, End: 1}, "a says another thing than b")
		d.Related = []schema.Related{{Path: "b.md", Span: schema.Span{Start: 0, End: 1}}}
	})
	conflict.Group, conflict.NeedsReason = Contradiction, true
	var lacking []string
	watch := rule("watch", schema.Warning, nil)
	watch.Last = func(_ *Pass, o *Outcome) {
		for use := range o.Suppressions() {
			lacking = append(lacking, fmt.Sprintf("%s %v %v", use.Path, use.LacksReason(), use.Matched("")))
		}
	}
	for _, c := range []struct{ a, b, want, uses string }{
		{"A", "B", "conflict:1 | ", ""},
		{"A <!-- wiki-lint-disable-line conflict -->", "B", "conflict:1 | ", "a.md true false"},
		{"A <!-- wiki-lint-disable-line -->", "B", "conflict:1 | ", "a.md true false"},
		{"A <!-- wiki-lint-disable-line conflict -- both are right -->", "B", " | conflict:1 comment both are right", "a.md false true"},
		{"A", "B <!-- wiki-lint-disable-line -- b is a quote -->", " | conflict:1 comment b is a quote", "b.md false true"},
	} {
		lacking = nil
		w := compilertest.Compile(t, compilertest.Write(t, "-- a.md --\n"+c.a+"\n-- b.md --\n"+c.b+"\n"))
		res := run(t, w, Config{Rules: []*Rule{conflict, watch}})
		if got, uses := lines(res), strings.Join(lacking, ", "); got != c.want || uses != c.uses {
			t.Errorf("%q, %q: got %q, %q, want %q, %q", c.a, c.b, got, uses, c.want, c.uses)
		}
	}
}

// TestLastRulesSeeOtherFindings checks what a rule may rely on that judges what the others found.
func TestLastRulesSeeOtherFindings(t *testing.T) {
	t.Parallel()
	w := compilertest.Compile(t, compilertest.Write(t, "-- a.md --\n!one !two\n\n!one <!-- wiki-lint-disable-line one -->\n\n<!-- wiki-lint-disable-file -->\n"))
	rules := flags("one", "two")
	skipped := rule("skipped", schema.Warning, func(p *Pass) { p.Skip("no") })
	bad := rule("bad", schema.Warning, func(p *Pass) { panic("no") })
	var seen string
	last := rule("last", schema.Warning, nil)
	last.Last = func(p *Pass, o *Outcome) {
		n := map[string]int{}
		for d, use := range o.Findings() {
			n[fmt.Sprint(d.Rule, " ", use != nil)]++
		}
		near, known := o.Known("tow")
		seen = fmt.Sprintf("%v, ran %v %v %v %v, all %v, near %s %v", n, o.Ran("one", "a.md"), o.Ran("skipped", "a.md"), o.Ran("bad", "a.md"),
			o.Ran("nope", "a.md"), o.Ran("", "a.md"), near, known)
		p.Report("a.md", schema.Span{}, "said last")
	}
	for _, c := range []struct {
		cfg        Config
		seen, left string
	}{
		{Config{Rules: append(rules[:2:2], last)},
			"map[one true:2 two true:1], ran true false false false, all true, near two false", "last:1 | one:1 comment, two:1 comment, one:3 comment"},
		{Config{Rules: append(rules[:2:2], last, skipped)},
			"map[one true:2 two true:1], ran true false false false, all false, near two false", "last:1 | one:1 comment, two:1 comment, one:3 comment"},
		{Config{Rules: append(rules[:2:2], last), Except: []string{"one"}},
			"map[two true:1], ran false false false false, all false, near two false", "last:1 | two:1 comment"},
		{Config{Rules: append(rules[:2:2], last), Only: []string{"last"}},
			"map[one true:2 two true:1], ran true false false false, all true, near two false", "last:1 | "},
		{Config{Rules: append(rules[:2:2], last), Only: []string{"one"}}, "", " | one:1 comment, one:3 comment"},
	} {
		seen = ""
		if got := lines(run(t, w, c.cfg)); seen != c.seen || got != c.left {
			t.Errorf("%v %v: it saw %q and %q is left, want %q and %q", c.cfg.Only, c.cfg.Except, seen, got, c.seen, c.left)
		}
	}
	if _, err := Run(t.Context(), w, Config{Rules: append(rules[:2:2], last, bad)}); err == nil || !strings.Contains(seen, "ran true false false false, all false") {
		t.Errorf("with a rule that fails it saw %q, %v", seen, err)
	}
}
