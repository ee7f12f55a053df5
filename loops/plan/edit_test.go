package plan

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/loopwiki/wiki/loops"
)

func TestRender(t *testing.T) {
	t.Parallel()
	src := `---
title: A   # kept
# what decides
goal: ./tools/goal.sh --strict
# about the scope
scope: [src/**]
checks:
  - npm run typecheck
  # and
  - "make"
spec_changes:
  - {paths: [a_test.go], by: B, reason: C, date: 2026-07-04}
---
# A
## Context
It ends when ./tools/goal.sh  --strict says so, or ` + "`make`" + `. We make do.
## Chunks
### 1. B
- verify: npm test

Not npm run typecheckers, but npm run typecheck.
`
	want := `---
title: A   # kept
# about the scope
scope: [src/**]
---
# A
## Context
It ends when [withheld] says so, or ` + "`[withheld]`" + `. We make do.
## Chunks
### 1. B
- verify: npm test

Not npm run typecheckers, but [withheld].
`
	p, faults := Parse("plans/a.md", []byte(src))
	if Refused(faults) {
		t.Fatal(faults)
	}
	if diff := cmp.Diff(want, string(Render(p, []byte(src)))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := Conceal(p, "run ./tools/goal.sh --strict now"); got != "run [withheld] now" {
		t.Error(got)
	}
}

// What the maker verifies with is not a secret, even where it is the goal.
func TestRenderKnown(t *testing.T) {
	t.Parallel()
	src := "---\ntitle: A\nscope: [a]\ngoal: npm run all\n---\n## Chunks\n### 1. B\n- verify: npm run all\n"
	p, _ := Parse("plans/a.md", []byte(src))
	if got, want := string(Render(p, []byte(src))), strings.Replace(src, "goal: npm run all\n", "", 1); got != want {
		t.Errorf("got %q", got)
	}
}

// A frontmatter that can't be read might say anything.
func TestRenderBroken(t *testing.T) {
	t.Parallel()
	for _, front := range []string{"goal: [npm", "{goal: npm secret, title: A}", "title: &g npm secret\ngoal: *g", "Gaol: npm secret", "? goal\n: npm secret", "- goal: npm secret"} {
		src := "---\n" + front + "\n---\n# A\n## Chunks\n"
		p, _ := Parse("plans/a.md", []byte(src))
		if got := string(Render(p, []byte(src))); strings.Contains(got, "npm") || !strings.HasSuffix(got, "---\n# A\n## Chunks\n") {
			t.Errorf("%q became %q", src, got)
		}
	}
}

func TestAllow(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ front, allowed string }{
		"none": {"title: A # b\n",
			"title: A # b\nspec_changes:\n  - {paths: [\"a_test.go\", \"x/**\"], by: \"B \\\"C\\\"\", reason: \"the rule: #1 changed\", date: 2026-07-04}\n"},
		"block": {"spec_changes: # by people\n    - paths: [a]\n      by: B\n      reason: C\n      date: 2026-07-01 # d\ntitle: A\nrejected: later # e\n",
			"spec_changes: # by people\n    - paths: [a]\n      by: B\n      reason: C\n      date: 2026-07-01 # d\n    - {paths: [\"a_test.go\", \"x/**\"], by: \"B \\\"C\\\"\", reason: \"the rule: #1 changed\", date: 2026-07-04}\ntitle: A\nrejected: later # e\n"},
		"flow": {"spec_changes: [{paths: [a], by: B, reason: C, date: 2026-07-01}]\nrejected:\n",
			"spec_changes: [{paths: [a], by: B, reason: C, date: 2026-07-01}, {paths: [\"a_test.go\", \"x/**\"], by: \"B \\\"C\\\"\", reason: \"the rule: #1 changed\", date: 2026-07-04}]\nrejected:\n"},
		"empty": {"spec_changes: []\nrejected: ''\n",
			"spec_changes: [{paths: [\"a_test.go\", \"x/**\"], by: \"B \\\"C\\\"\", reason: \"the rule: #1 changed\", date: 2026-07-04}]\nrejected: ''\n"},
	} {
		for _, nl := range []string{"\n", "\r\n"} {
			lines := func(front string) string {
				return strings.ReplaceAll("---\n"+front+"---\n# A\n## Chunks\n### 1. B\n", "\n", nl)
			}
			src := []byte(lines(tt.front))
			got, err := Allow(src, loops.SpecChange{Paths: []string{"a_test.go", "x/**"}, By: "B \"C\"", Reason: "the rule:\n #1 changed", Date: "2026-07-04"})
			if diff := cmp.Diff(lines(tt.allowed), string(got)); err != nil || diff != "" {
				t.Errorf("%s: allow: %v (-want +got):\n%s", name, err, diff)
			}
		}
	}
}

func TestAllowRefuses(t *testing.T) {
	t.Parallel()
	src := []byte(head)
	for want, call := range map[string]func() ([]byte, error){
		"no path given": func() ([]byte, error) { return Allow(src, loops.SpecChange{By: "B", Reason: "C", Date: "2026-07-04"}) },
		"no name given": func() ([]byte, error) {
			return Allow(src, loops.SpecChange{Paths: []string{"a"}, By: " ", Reason: "C", Date: "2026-07-04"})
		},
		"no reason given": func() ([]byte, error) {
			return Allow(src, loops.SpecChange{Paths: []string{"a"}, By: "B", Reason: "\n", Date: "2026-07-04"})
		},
		`"today" is not a date`: func() ([]byte, error) {
			return Allow(src, loops.SpecChange{Paths: []string{"a"}, By: "B", Reason: "C", Date: "today"})
		},
		`path "/etc/x" is absolute`: func() ([]byte, error) {
			return Allow(src, loops.SpecChange{Paths: []string{"/etc/x"}, By: "B", Reason: "C", Date: "2026-07-04"})
		},
		`path "**/*" matches everything`: func() ([]byte, error) {
			return Allow(src, loops.SpecChange{Paths: []string{"**/*"}, By: "B", Reason: "C", Date: "2026-07-04"})
		},
		"the frontmatter is invalid; ": func() ([]byte, error) {
			return Allow([]byte("---\na: [\n---\n"), loops.SpecChange{Paths: []string{"a"}, By: "B", Reason: "C", Date: "2026-07-04"})
		},
	} {
		if _, err := call(); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestNew(t *testing.T) {
	t.Parallel()
	file, src := New("Über: a \"price\" of  0", time.Date(2026, 7, 4, 0, 0, 0, 0, time.UTC))
	if file != "plans/2026-07-uber-a-price-of-0.md" || !bytes.Contains(src, []byte("\n# Über: a \"price\" of 0\n")) {
		t.Errorf("%s\n%s", file, src)
	}
	p, faults := Parse(file, src)
	var codes []string
	for _, f := range faults {
		codes = append(codes, f.Code)
	}
	if p.Title != `Über: a "price" of 0` || !cmp.Equal(codes, []string{"empty-value", "chunk-heading"}) {
		t.Errorf("%q, %v", p.Title, faults)
	}
	if got := Slug(strings.Repeat("word ", 20)); len(got) > 60 || strings.HasSuffix(got, "-") {
		t.Error(got)
	}
	if Slug("日本 !?") != "" {
		t.Error("a slug of nothing")
	}
}

// Rendering removes what is hidden and nothing else, however the plan is
// written; edits say what they were to say.
func FuzzEdits(f *testing.F) {
	f.Add([]byte(pricing), "why: #not")
	f.Add([]byte("---\ntitle: A\nspec_changes:\n- paths: [a]\n  by: B\n  reason: C\n  date: 2026-01-01\ngoal: |\n  a b\n# c\nscope: [d]\n---\n## Chunks\n### 1. a b\n"), "a\x00'")
	f.Fuzz(func(t *testing.T, src []byte, reason string) {
		p, faults := Parse("plans/a.md", src)
		out := Render(p, src)
		shown, _ := Parse("plans/a.md", out)
		if again := Render(shown, Render(p, out)); !bytes.Equal(again, Render(p, out)) {
			t.Errorf("rendered twice: %q and %q", out, again)
		}
		if shown.Goal != "" || len(shown.Checks) > 0 || len(shown.SpecChanges) > 0 {
			t.Errorf("%q still says %+v", out, shown)
		}
		if !Refused(faults) && !bytes.Contains(out, []byte(Withheld)) {
			hidden := *p
			hidden.Goal, hidden.Checks, hidden.SpecChanges = "", nil, nil
			if diff := cmp.Diff(&hidden, shown, cmpopts.IgnoreFields(loops.Plan{}, "Hash"), cmpopts.IgnoreFields(loops.Chunk{}, "Span"), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("%q (-want +got):\n%s", out, diff)
			}
		}
		if edited, err := Allow(src, loops.SpecChange{Paths: []string{"a/**"}, By: "B", Reason: reason, Date: "2026-07-04"}); err == nil {
			if q, _ := Parse("plans/a.md", edited); len(q.SpecChanges) != len(p.SpecChanges)+1 || q.Title != p.Title || q.Goal != p.Goal {
				t.Errorf("%q became %q", src, edited)
			}
		}
	})
}
