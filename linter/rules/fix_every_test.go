package rules

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
	"pgregory.net/rapid"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/compiler/edit"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

// TestEveryFix applies every fix of every case by itself, safe or not: what it
// is for is gone, and no rule finds what none found before.
func TestEveryFix(t *testing.T) {
	t.Parallel()
	for _, r := range linter.Rules() {
		ar, err := txtar.ParseFile(filepath.Join("testdata", r.ID+".txtar"))
		if err != nil {
			continue // TestRules reports it
		}
		for _, c := range linter.Cases(ar) {
			t.Run(r.ID+"/"+c.Name, func(t *testing.T) {
				t.Parallel()
				w := unchangedCase(t, r.ID, c)
				var before *linter.Result
				for _, d := range lint(t, w, r.ID).Findings {
					for _, f := range d.Fixes {
						if before == nil {
							before = lint(t, w)
						}
						applyOne(t, w, before, d, f)
					}
				}
			})
		}
	}
}

// applyOne checks that a fix resolves its finding and adds no other.
func applyOne(t *testing.T, w *compiler.Wiki, before *linter.Result, d schema.Diagnostic, f schema.Fix) {
	t.Helper()
	c := edit.New(w)
	if err := errors.Join(c.Edit(f.Edits...), c.Move(f.Moves...)); err != nil {
		t.Errorf("%s: %q: %v", d.Path, f.Title, err)
		return
	}
	after, err := w.WithOverlay(t.Context(), c.Overlay())
	if err != nil {
		t.Fatal(err)
	}
	if again := said(lint(t, after, d.Rule)); again[about(d)] >= said(lint(t, w, d.Rule))[about(d)] {
		t.Errorf("%s:%d: %q leaves its finding: %s", d.Path, d.From.Line, f.Title, d.Message)
	}
	had, has := said(before), said(lint(t, after))
	if len(f.Moves) > 0 { // what is said of a page is said of it under its new path
		had, has = byRule(before), byRule(lint(t, after))
	}
	for what, n := range has {
		if n > had[what] && !consequence(d.Rule, what) {
			t.Errorf("%s:%d: %q makes a finding: %s", d.Path, d.From.Line, f.Title, what)
		}
	}
}

// consequences are findings that a rule's fix may cause.
var consequences = map[string][]string{
	"link-to-inactive":   {"orphan"},                             // what leads to the page that took another's place leads to the old one no more
	"one-way-relation":   {"declared-contradiction"},             // what one page says of two is now said by both
	"source-moved":       {"unreviewed-source", "unused-source"}, // a source that is found again may have changed since, and shows that sources are named
	"unused-suppression": {"unused-suppression"},                 // a rule's name that is understood may report nothing there
	"template-sections":  {"empty-section"},                      // it adds headings to write under
	"wanted-page":        {"empty-section"},                      // the page is there and has to be written
}

// consequence reports whether a fix of rule may cause a finding.
func consequence(rule, what string) bool {
	return slices.ContainsFunc(consequences[rule], func(other string) bool {
		return what == other || strings.HasSuffix(what, " ["+other+"]")
	})
}

// said counts findings, wherever they are on their pages.
func said(res *linter.Result) map[string]int {
	out := map[string]int{}
	for _, d := range res.Findings {
		out[about(d)] += d.Count
	}
	return out
}

// byRule counts what each rule found.
func byRule(res *linter.Result) map[string]int {
	out := map[string]int{}
	for _, d := range res.Findings {
		out[d.Rule] += d.Count
	}
	return out
}

func about(d schema.Diagnostic) string { return d.Path + ": " + d.Message + " [" + d.Rule + "]" }

// sound is a wiki without warnings and errors.
const sound = `
-- index.md --
# Index

- [[rate-limit]]
- [[token-bucket]]
- [[terms/glossary]]
-- rate-limit.md --
---
title: Rate limit
tags: [go]
---
# Rate limit

It is kept by a [[token-bucket]], see the [terms](terms/glossary.md).
-- token-bucket.md --
# Token bucket

## Size

The bucket of a [[rate-limit]].
-- terms/glossary.md --
---
title: Glossary
related: "[[rate-limit]]"
---
# Glossary

[limit](../rate-limit.md)
`

// defect is text to put at the end of a page, or into its front matter, and the
// rule that finds it.
type defect struct{ rule, field, text string }

// planted are defects that a safe fix fixes.
var planted = []defect{
	{"link-case", "", "Another [[Token-Bucket]] here."},
	{"broken-link", "", "Moved: [x](gone/token-bucket.md)."},
	{"broken-wikilink", "", "Moved: [[old/token-bucket]]."},
	{"self-link", "", "Itself: [[rate-limit]] or [[token-bucket]] or [[terms/glossary]]."},
	{"unused-definition", "", "[nobody]: token-bucket.md"},
	{"unknown-field", "sumary: Something", ""},
	{"field-type", "updated: 2026/1/5", ""},
	{"field-type", "created: 5 January 2026", ""},
	{"tag-taxonomy", "tags: [go, Go]", ""},
	{"unlinked-mention", "", "A token bucket, the glossary and a rate limit."},
}

// TestPlantedDefectsHaveSafeFixes checks that what TestFixingPlanted plants is a defect with a safe fix.
func TestPlantedDefectsHaveSafeFixes(t *testing.T) {
	t.Parallel()
	base := compilertest.Compile(t, compilertest.Write(t, sound))
	for _, d := range planted {
		c := edit.New(base)
		if err := c.Edit(spoil(base.Page("terms/glossary"), d)); err != nil {
			t.Fatal(err)
		}
		w, err := base.WithOverlay(t.Context(), c.Overlay())
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(lint(t, w).Findings, func(f schema.Diagnostic) bool {
			return f.Rule == d.rule && slices.ContainsFunc(f.Fixes, func(f schema.Fix) bool { return f.Safe })
		}) {
			t.Errorf("%s finds nothing in %q", d.rule, d.field+d.text)
		}
	}
}

// spoil returns the edit that puts defects into a page.
func spoil(p *schema.Page, defects ...defect) schema.Edit {
	text := string(p.Source)
	for _, d := range defects {
		switch key, _, _ := strings.Cut(d.field, ":"); {
		case d.text != "":
			text += "\n" + d.text + "\n"
		case strings.Contains(text, "\n"+key+":"):
		case strings.HasPrefix(text, "---\n"):
			text = "---\n" + d.field + text[3:]
		default:
			text = "---\n" + d.field + "\n---\n" + text
		}
	}
	return schema.Edit{Path: p.Path, Span: schema.Span{End: len(p.Source)}, Text: text}
}

// TestFixingPlanted plants defects in a clean wiki and fixes it: the defects are gone,
// there are no new warnings or errors, and a second run changes nothing.
func TestFixingPlanted(t *testing.T) {
	t.Parallel()
	base := compilertest.Compile(t, compilertest.Write(t, sound))
	before := lint(t, base)
	rapid.Check(t, func(rt *rapid.T) {
		w, rules := plant(t, rt, base)
		had := lint(t, w)
		fixed := fix(t, w)
		if fixed.Unfinished || len(fixed.Undone) > 0 {
			rt.Fatalf("fixing did not end: %+v", fixed)
		}
		after, err := w.WithOverlay(t.Context(), fixed.Changes.Overlay())
		if err != nil {
			rt.Fatal(err)
		}
		if again := fix(t, after); len(again.Changes.List()) > 0 || again.Findings > 0 {
			rt.Fatalf("fixed again:\n%s", again.Changes.Diff(""))
		}
		res := lint(t, after)
		for _, d := range res.Findings {
			if slices.Contains(rules, d.Rule) && slices.ContainsFunc(d.Fixes, func(f schema.Fix) bool { return f.Safe }) {
				rt.Fatalf("left: %s: %s [%s]", d.Path, d.Message, d.Rule)
			}
			if d.Severity > schema.Info && said(before)[about(d)] == 0 && said(had)[about(d)] == 0 {
				rt.Fatalf("new: %s\n%s", about(d), fixed.Changes.Diff(""))
			}
		}
	})
}

// plant puts defects into pages and returns the wiki and the rules that they are for.
func plant(t *testing.T, rt *rapid.T, base *compiler.Wiki) (*compiler.Wiki, []string) {
	c := edit.New(base)
	var rules []string
	for _, p := range base.Pages() {
		var defects []defect
		for _, i := range rapid.SliceOfNDistinct(rapid.IntRange(0, len(planted)-1), 0, 4, rapid.ID[int]).Draw(rt, p.Path) {
			defects, rules = append(defects, planted[i]), append(rules, planted[i].rule)
		}
		if err := c.Edit(spoil(p, defects...)); err != nil {
			rt.Fatal(err)
		}
	}
	w, err := base.WithOverlay(t.Context(), c.Overlay())
	if err != nil {
		rt.Fatal(err)
	}
	return w, rules
}

// fix applies all safe fixes, in memory.
func fix(t *testing.T, w *compiler.Wiki) *linter.Fixed {
	t.Helper()
	fixed, err := linter.Fix(t.Context(), w, linter.Fixing{Lint: func(_ context.Context, w *compiler.Wiki) (*linter.Result, error) {
		return lint(t, w), nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return fixed
}
