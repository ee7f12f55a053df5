package plan

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/schematest"
)

const pricing = `---
title: Pricing input validation
priority: P1            # P1–P3
effort: S               # S M L
risk: LOW               # LOW MED HIGH
scope: [src/pricing.ts, src/pricing.test.ts]
goal: npm test -- --run
checks: [npm run typecheck]
depends_on: []
decision: false        # true: leaves a decision page
---
# Pricing input validation
## Context
Prices come from forms.

### They may be below zero
## Chunks
### 1. Validate price >= 0
- skill: tdd
- files: src/pricing.ts, src/pricing.test.ts
- depends on: none
- verify: npm test
- tests: new           # new | characterize | move FROM -> TO | none
What and why, for the maker.
### 2. Say what is wrong
- files:
  - ` + "`src/{pricing,price}.ts`" + `
  - src/pricing.test.ts
- depends on: 1
- tests: move src/a.test.ts -> src/b.test.ts

1. Move them.
   **Verify**: ` + "`npm test a`" + ` → passes
2. Name the field. verify: ` + "`npm test b`" + `

` + "```sh\n# 3. not a heading\n### 9. nor this\n- tests: none\n```" + `
## Risks
None.
## Notes
`

func TestParse(t *testing.T) {
	t.Parallel()
	got, faults := Parse("plans/2026-07-pricing.md", []byte(pricing))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	want := &loops.Plan{
		Name: "2026-07-pricing", Path: "plans/2026-07-pricing.md", Hash: Hash([]byte(pricing)),
		Title: "Pricing input validation", Priority: 1, Effort: "S", Risk: "LOW",
		Scope: []string{"src/pricing.ts", "src/pricing.test.ts"}, Goal: "npm test -- --run", Checks: []string{"npm run typecheck"},
		Context: "Prices come from forms.\n\n### They may be below zero", Risks: "None.",
		Chunks: []loops.Chunk{
			{ID: "1", Title: "Validate price >= 0", Skill: "tdd", Files: []string{"src/pricing.ts", "src/pricing.test.ts"},
				Verify: []string{"npm test"}, Tests: loops.TestsRule{Kind: loops.TestsNew}, Text: "What and why, for the maker."},
			{ID: "2", Title: "Say what is wrong", Files: []string{"src/{pricing,price}.ts", "src/pricing.test.ts"}, DependsOn: []string{"1"},
				Verify: []string{"npm test a", "npm test b"}, Tests: loops.TestsRule{Kind: loops.TestsMove, From: "src/a.test.ts", To: "src/b.test.ts"},
				Text: "1. Move them.\n   **Verify**: `npm test a` → passes\n2. Name the field. verify: `npm test b`\n\n```sh\n# 3. not a heading\n### 9. nor this\n- tests: none\n```"},
		},
	}
	if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(loops.Chunk{}, "Span"), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for i, c := range got.Chunks {
		text := string(c.Span.In([]byte(pricing)))
		if !strings.HasPrefix(text, "### "+c.ID+". "+c.Title) || !strings.HasSuffix(text, c.Text) {
			t.Errorf("chunk %d spans %q", i, text)
		}
	}
}

// The same plan in the line ends of another system says the same.
func TestParseCRLF(t *testing.T) {
	t.Parallel()
	unix, _ := Parse("plans/a.md", []byte(pricing))
	crlf, faults := Parse("plans/a.md", []byte("\xef\xbb\xbf"+strings.ReplaceAll(pricing, "\n", "\r\n")))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	lines := cmp.Comparer(func(a, b string) bool { return a == strings.ReplaceAll(b, "\r\n", "\n") })
	if diff := cmp.Diff(unix, crlf, lines, cmpopts.IgnoreFields(loops.Chunk{}, "Span"), cmpopts.IgnoreFields(loops.Plan{}, "Hash")); diff != "" {
		t.Errorf("(-unix +crlf):\n%s", diff)
	}
}

// head is a frontmatter that is right.
const head = "---\ntitle: A\nscope: [a.go]\ngoal: go test\n---\n"

func TestParseFaults(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, src string
		want      []string
	}{
		{"right", head + "## Chunks\n### 1. A\n", nil},
		{"empty", "", []string{
			`1:1: error: the plan has no frontmatter; begin with ---, keys such as title: and goal:, and --- again; 'wiki plan new' creates a plan [frontmatter-missing]`}},
		{"no frontmatter", "# A\n## Chunks\n### 1. A\n", []string{
			`1:1: error: the plan has no frontmatter; begin with ---, keys such as title: and goal:, and --- again; 'wiki plan new' creates a plan [frontmatter-missing]`}},
		{"unclosed", "---\ntitle: A\n", []string{
			`1:1: error: the frontmatter is not closed; close it with a line --- [frontmatter-unclosed]`,
			`3:1: error: the plan has no section Chunks; write ## Chunks, and below it ### 1. and the first thing to do [missing-section]`}},
		{"missing keys", "---\n---\n## Chunks\n### 1. A\n", []string{
			`2:1: error: the plan has no title; write one, such as title: Pricing input validation [missing-key]`,
			`2:1: error: the plan has no scope; write one, such as scope: [src/pricing/**] [missing-key]`,
			`2:1: error: the plan has no goal; write one, such as goal: npm test [missing-key]`}},
		{"unknown keys", "---\ntitle: A\nscop: [a]\ngoal: b\ncolour: red\n---\n## Chunks\n### 1. A\n", []string{
			`3:1: error: unknown key "scop"; did you mean "scope"? [unknown-key]`,
			`5:1: error: unknown key "colour"; expected one of title, priority, effort, risk, scope, goal, checks, depends_on, base, decision, labels, rejected, spec_changes [unknown-key]`}},
		{"values", "---\ntitle:\npriority: 1\neffort: XL\nrisk: low\nscope: src/**\ngoal: [a]\nchecks: [a, '']\ndecision: maybe\nrejected: true\n---\n## Chunks\n### 1. A\n", []string{
			`2:1: error: title is empty; fill it in, or delete the line [empty-value]`,
			`3:11: error: priority is integer "1"; expected one of P1, P2, P3 [invalid-value]`,
			`4:9: error: effort is text "XL"; expected one of S, M, L [invalid-value]`,
			`5:7: error: risk is text "low"; expected one of LOW, MED, HIGH [invalid-value]`,
			`6:8: error: scope is text "src/**"; write a list, such as scope: [src/pricing.ts, src/pricing/**] [invalid-value]`,
			`7:7: error: goal is a list; write one line of text [invalid-value]`,
			`8:13: error: checks has an empty entry; fill it in, or delete it [empty-value]`,
			`9:11: error: decision is text "maybe"; write true or false [invalid-value]`,
			`10:11: error: rejected is boolean "true"; write the reason, such as rejected: "done by hand" [invalid-value]`}},
		{"spec changes", "---\ntitle: A\nscope: [a]\ngoal: b\nspec_changes:\n  - {paths: [a], by: B, reason: C}\n  - {paths: [../a], by: B, reason: C, date: 2026-07-04}\n  - {path: [a]}\n---\n## Chunks\n### 1. A\n", []string{
			`6:5: error: spec_changes: an entry without date, as in 2026-07-04, has no effect; use 'wiki plan allow' to write them [invalid-value]`,
			`7:5: error: spec_changes: "../a" is outside the repository; list files or directories below the repository's root [invalid-value]`,
			`8:5: error: spec_changes: an entry without paths or tests has no effect; use 'wiki plan allow' to write them [invalid-value]`,
			`8:6: error: unknown key "path" under spec_changes[2]: did you mean "paths"?; use 'wiki plan allow' to write them [invalid-value]`}},
		{"duplicate key", "---\ntitle: A\ntitle: B\nscope: [a]\ngoal: b\n---\n## Chunks\n### 1. A\n", []string{
			`3:1: error: key "title" occurs twice and only the first is used; remove one of them [duplicate-key]`}},
		{"alias", "---\ntitle: &a A\nscope: [a]\ngoal: *a\n---\n## Chunks\n### 1. A\n", []string{
			`4:7: error: YAML aliases are not allowed in a plan; write the value itself, or put it in quotes [frontmatter-alias]`}},
		{"flow", "---\n{title: A, goal: b, scope: [a]}\n---\n## Chunks\n### 1. A\n", []string{
			`2:1: error: the frontmatter is not a list of keys; write one key per line: title: … [frontmatter-invalid]`}},
		{"not UTF-8", "---\ntitle: \xff\n---\n", []string{`2:8: error: the file is not UTF-8; save the file as UTF-8 [encoding]`}},
		{"sections", head + "## Chunk\n### 1. A\n## Risks\n## Risks\n## Appendix\n", []string{
			`6:4: error: unknown section "Chunk"; did you mean "Chunks"? [unknown-section]`,
			`9:4: error: duplicate section Risks; merge the two [duplicate-section]`,
			`10:4: error: unknown section "Appendix"; expected one of Context, Chunks, Risks, Notes [unknown-section]`}},
		{"stray", head + "# B\ntext\n### sub\n## Chunks\nmore\n### 1. A\n# C\n", []string{
			`6:3: warning: the heading "B" differs from the title "A"; make them the same [title-differs]`,
			`7:1: warning: text outside any section, which no agent gets; move it below ## Context [stray-text]`,
			`8:5: error: heading "sub" outside any section; move it below one of ## Context, ## Chunks, ## Risks, ## Notes [stray-heading]`,
			`10:1: warning: text outside any chunk, which no agent gets; move it below ## Context, or below a chunk [stray-text]`,
			`12:3: error: the plan has a second title "C"; make it a section, with ## [stray-heading]`}},
		{"no chunks", head + "## Chunks\n", []string{`6:4: error: the plan has no chunks; write ### 1. and the first thing to do [no-chunks]`}},
		{"headings of chunks", head + "## Chunks\n### First\n### 01. A\n### 2.\n", []string{
			`7:5: error: the heading "First" has no number; write ### 1. and a title [chunk-heading]`,
			`8:5: error: the heading "01. A" has no number; write ### 1. and a title [chunk-heading]`,
			`9:5: error: the heading "2." has no number; write ### 1. and a title [chunk-heading]`}},
		{"items", head + "## Chunks\n### 1. A\n- skil: tdd\n- depends: 2\n- colour: red\n- skill: a\n- skill: b\n- files: a,,b\n- verify:\n- a list of text\n\ntext\n- tests: none\n", []string{
			`8:3: error: unknown item "skil"; did you mean "skill"? [unknown-item]`,
			`9:3: error: unknown item "depends"; expected one of skill, files, depends on, verify, tests [unknown-item]`,
			`10:3: error: unknown item "colour"; expected one of skill, files, depends on, verify, tests [unknown-item]`,
			`12:3: error: duplicate item "skill"; merge the two [duplicate-item]`,
			`13:12: error: the list has an empty entry; remove the comma [empty-value]`,
			`14:3: error: verify is empty; fill it in, or delete the line [empty-value]`,
			`15:1: error: not an item of a chunk; leave an empty line between the items and the text; items are skill, files, depends on, verify, tests [unknown-item]`,
			`18:3: error: the item "tests" is not directly below the chunk's heading, and is ignored; move it up [stray-item]`}},
		{"tests", head + "## Chunks\n### 1. A\n- tests: nwe\n### 2. B\n- tests: move a_test.go\n### 3. C\n- tests: none at all\n### 4. D\n- depends on: first\n", []string{
			`8:10: error: tests: invalid value "nwe"; did you mean "new"? [unknown-tests]`,
			`10:10: error: tests: move has no source and target; write tests: move old_test.go -> new_test.go [tests-move]`,
			`12:10: error: tests: invalid value "none at all"; write tests: none alone; put the rest in the text below [unknown-tests]`,
			`14:15: error: depends on: invalid value "first"; write the numbers of chunks, such as 1, 2, or none [invalid-value]`}},
		{"steps", head + "## Chunks\n### 1. A\n\n1. Do. Verify: it works\n", []string{
			`9:8: warning: the step's verification is not a command, and is not run; write the command in backticks [step-verify]`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, faults := Parse("plans/2026-07-a.md", []byte(tt.src))
			var got []string
			for _, f := range faults {
				got = append(got, f.String())
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestTooLarge(t *testing.T) {
	t.Parallel()
	_, faults := Parse("plans/a.md", []byte(strings.Repeat("a", maxPlan+1)))
	if len(faults) != 1 || faults[0].Code != "too-large" {
		t.Error(faults)
	}
}

// However much there is to warn of, an error is seen.
func TestWarningsHideNoError(t *testing.T) {
	t.Parallel()
	_, faults := Parse("plans/a.md", []byte(head+strings.Repeat("text\n", 3*mostFaults)+"## Chunks\n### 1. A\n- tests: any\n"))
	if !Refused(faults) || len(faults) != mostFaults+1 {
		t.Errorf("%d faults, the last %v", len(faults), faults[len(faults)-1])
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range schematest.Vary(300, pricing, head+"## Chunks\n### 1. A\n- files: {a,b}, `c`\n- tests: move a -> b\n\n1. a verify: `b`\n", string(Template())) {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		p, faults := Parse("plans/a.md", src)
		for _, fault := range faults {
			if s := fault.Span; s.Start < 0 || s.End < s.Start || s.End > len(src) {
				t.Errorf("%s lies at %v of %d bytes", fault, s, len(src))
			}
			if fault.Severity < schema.Warning || fault.Code == "" || fault.Message == "" {
				t.Errorf("a fault is empty: %+v", fault)
			}
		}
		if !Refused(faults) && (p.Title == "" || p.Goal == "" || len(p.Chunks) == 0) {
			t.Errorf("a plan without title, goal or chunks is taken: %+v", p)
		}
		end := 0
		for _, c := range p.Chunks {
			if c.Span.Start < end || c.Span.End > len(src) {
				t.Errorf("chunk %s lies at %v", c.ID, c.Span)
			}
			end = c.Span.End
		}
	})
}
