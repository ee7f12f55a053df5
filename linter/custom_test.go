package linter

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
)

const customPages = `
-- index.md --
# Index

Nothing TBD but [[a]].
-- a.md --
---
type: Concept
status: wip
owner: "@ann"
tags: [x, y]
note: TBD
---
# A TBD

One TBD, ` + "`TBD` and [TBD](TBD.md) and\nNOTE: last word" + `
TBD

> TBD in a quote

` + "```sh\necho TBD\n```" + `

## Summary

[[b|see b]] ![[b]] ![pic](p.png) <https://docs.example.com/x> [gone](https://example.org/TBD)
-- b.md --
# B

## Details

#### Deep
-- raw/s.md --
# S

TBD
-- old/o.md --
---
type: concept
owner:
---
# O

TBD
`

// ownRule runs one rule of wiki.yaml over the pages and returns what it says
// as path:line:column: severity: message.
func ownRule(t *testing.T, def string) []string {
	t.Helper()
	dir := compilertest.Write(t, "-- wiki.yaml --\nrules:\n  - {id: own, "+def+"}\n"+customPages)
	res := run(t, compilertest.Compile(t, dir), Config{Only: []string{"own"}})
	var out []string
	for _, d := range res.Findings {
		text := fmt.Sprintf("%s:%d:%d: %s: %s", d.Path, d.From.Line, d.From.Column, d.Severity, d.Message)
		for _, f := range d.Fixes {
			text += fmt.Sprintf(" → %q", f.Edits[0].Text)
		}
		out = append(out, text)
	}
	return out
}

func TestCustomRules(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ def, want string }{
		{"message: '{match} on {page}', except: [old/**], forbid: {pattern: TBD}",
			"a.md:10:5: warning: TBD on a.md | a.md:10:21: warning: TBD on a.md | a.md:12:1: warning: TBD on a.md | a.md:14:3: warning: TBD on a.md | index.md:3:9: warning: TBD on index.md"},
		{"message: m, paths: [a.md], forbid: {pattern: '^note:', in: text}", ""},
		{"message: m, paths: [a.md], forbid: {pattern: '(?i)^note:', in: text}", "a.md:11:1: warning: m"},
		{"message: m, severity: error, paths: [a.md], forbid: {pattern: '^NOT(E): (.*)$'}, fix: {replace: '$2 $$1'}", `a.md:11:1: error: m → "last word $1"`},
		{"message: m, paths: [a.md], forbid: {pattern: 'and .*and'}, fix: {replace: x}", `a.md:10:16: warning: m`},
		{`message: "{match}", paths: [a.md], forbid: {pattern: "word\\sTBD"}`, `a.md:11:12: warning: word TBD`},
		{"message: m, forbid: {pattern: TBD, in: code}", "a.md:10:11: warning: m | a.md:17:6: warning: m"},
		{"message: m, forbid: {pattern: TBD$, in: heading}", "a.md:8:5: warning: m"},
		{"message: m, forbid: {pattern: '^note: TBD$', in: frontmatter}", "a.md:6:1: warning: m"},
		{"message: m, severity: info, paths: [raw/**], forbid: {pattern: TBD, in: source}", "raw/s.md:3:1: info: m"},
		{"message: m, require: {pattern: last}", "b.md:1:3: warning: m | old/o.md:5:3: warning: m"},
		{"message: 'needs it', types: [concept], require: {heading: {text: summary, level: 2}}", "old/o.md:5:3: warning: needs it"},
		{"message: '{match}', forbid: {heading: {level: 4}}", "b.md:5:1: warning: Deep"},
		{"message: '{match}', forbid: {heading: {pattern: ^D}}", "b.md:3:1: warning: Details | b.md:5:1: warning: Deep"},
		{"message: 'no {field} {value}', forbid: {field: {name: Tags}}", "a.md:5:1: warning: no tags x, y"},
		{"message: 'no {field} {value}', forbid: {field: {name: tags, value: ^y$}}", "a.md:5:11: warning: no tags y"},
		{"message: 'no {field} {value}', require: {field: {name: owner}}", "b.md:1:3: warning: no owner  | old/o.md:1:1: warning: no owner "},
		{"message: '{value}?', paths: [a.md], require: {field: {name: status, value: ^(draft|final)$}}", "a.md:3:9: warning: wip?"},
		{"message: '{match}', forbid: {link: {kind: wikilink}}", "a.md:22:1: warning: b | index.md:3:17: warning: a"},
		{"message: '{match}', forbid: {link: {kind: embed}}", "a.md:22:13: warning: b"},
		{"message: '{match}', forbid: {link: {kind: image}}", "a.md:22:20: warning: p.png"},
		{"message: '{match}', forbid: {link: {kind: markdown}}", "a.md:10:20: warning: TBD.md"},
		{"message: '{match}', forbid: {link: {host: example.com}}", "a.md:22:34: warning: https://docs.example.com/x"},
		{"message: '{match}', forbid: {link: {kind: external, target: TBD$}}", "a.md:22:63: warning: https://example.org/TBD"},
		{"message: 'no source', paths: ['*.md'], except: [index.md], require: {link: {kind: external}}", "b.md:1:3: warning: no source"},
	} {
		if diff := cmp.Diff(c.want, strings.Join(ownRule(t, c.def), " | ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.def, diff)
		}
	}
}

// A rule of wiki.yaml that many places break says it once.
func TestCustomRuleCause(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("-- wiki.yaml --\nrules:\n  - {id: own, message: \"{match} is banned\", severity: off, forbid: {pattern: foo|bar}, fix: {replace: baz}}\n")
	for i := range 12 {
		fmt.Fprintf(&b, "-- p%02d.md --\nfoo\n", i)
	}
	b.WriteString("-- z.md --\r\nbar\r\n")
	w := compilertest.Compile(t, compilertest.Write(t, b.String()))
	if res := run(t, w, Config{}); len(res.Findings) > 0 {
		t.Errorf("a rule that is off reports %v", res.Findings)
	}
	got := run(t, w, Config{Only: []string{"own"}}).Findings
	if len(got) != 2 || got[0].Message != "12 places share one cause: foo is banned" || len(got[0].Fixes) != 1 || got[0].Fixes[0].Safe ||
		len(got[0].Fixes[0].Edits) != 12 || got[1].Message != "bar is banned" {
		t.Errorf("findings %+v", got)
	}
}

// builtIn is registered as rules are: before anything runs.
var builtIn = Register(Rule{ID: "built-in-of-a-test", Group: Links, Severity: schema.Off, Since: "0.1.0", Summary: "S.", Doc: "D.", Check: func(*Pass) {}})

func TestCustomRuleIDs(t *testing.T) {
	t.Parallel()
	dir := compilertest.Write(t, "-- wiki.yaml --\nrules:\n  - id: "+builtIn.ID+"\n    message: m\n    forbid: {pattern: x}\n-- a.md --\n# A\n")
	_, err := Run(t.Context(), compilertest.Compile(t, dir), Config{})
	want := filepath.Join(dir, "wiki.yaml") + `:2:9: rules[0].id: "built-in-of-a-test" is a built-in rule: choose another id`
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

// The rules of wiki.yaml are the same ones after an edit, so that what they
// found on other pages is kept.
func TestCustomRulesAreCached(t *testing.T) {
	t.Parallel()
	dir := compilertest.Write(t, "-- wiki.yaml --\nrules:\n  - {id: own, message: m, forbid: {pattern: x}}\n-- a.md --\nx\n-- b.md --\nx\n")
	w := compilertest.Compile(t, dir)
	facts := NewFacts(w)
	if n := len(run(t, w, Config{Facts: facts, Only: []string{"own"}}).Findings); n != 2 {
		t.Fatalf("%d findings, want 2", n)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte("y\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	edited, err := w.Recompile(t.Context(), []string{"a.md"})
	if err != nil {
		t.Fatal(err)
	}
	next := facts.Next(edited)
	before, _ := facts.book.rules()
	after, _ := next.book.rules()
	if len(before) == 0 || !cmp.Equal(before, after, cmp.Comparer(func(a, b *Rule) bool { return a == b })) {
		t.Error("the rules were made again")
	}
	if got := run(t, edited, Config{Facts: next, Only: []string{"own"}}).Findings; len(got) != 1 || got[0].Path != "b.md" {
		t.Errorf("findings after the edit: %+v", got)
	}
}

func TestCustomRulePage(t *testing.T) {
	t.Parallel()
	dir := compilertest.Write(t, `
-- wiki.yaml --
rules:
  - id: no-tbd
    message: "{match} is no answer; give one"
    types: [concept]
    paths: ["10_DOMAIN/**"]
    except: [x.md]
    forbid: {pattern: "a`+"`"+`b", in: heading}
    fix: {replace: c}
    doc: Readers act on it.
-- a.md --
# A
`)
	ws, err := compiler.Detect(dir, ".")
	if err != nil {
		t.Fatal(err)
	}
	rules, err := RulesOf(ws)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rules {
		if r.ID != "no-tbd" {
			continue
		}
		want := "# no-tbd\n\n{match} is no answer; give one\n\nGroup *custom* · severity **warning** · unsafe fix\n\nReaders act on it.\n\n" +
			"A rule of this wiki, defined in line 2 of wiki.yaml. It forbids the pattern ``a`b`` in headings on pages of type `concept` in `10_DOMAIN/**` but not in `x.md`. Its unsafe fix writes `c`.\n" +
			"\n## Configuration\n\n\n`wiki.yaml`\n\n```yaml\nlint:\n  rules:\n    no-tbd: off\n```\n"
		if diff := cmp.Diff(want, RulePage(r, nil)); diff != "" {
			t.Error(diff)
		}
		return
	}
	t.Error("the rule is not there")
}
