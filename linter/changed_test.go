package linter

import (
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
)

// TestChanges holds which findings have to do with changes.
func TestChanges(t *testing.T) {
	t.Parallel()
	ws, err := compiler.Detect(compilertest.Write(t, `
-- src/a.go --
package a
-- wiki/a.md --
---
title: A
summary: !front
sources: [src/a.go]
---
# A

First !one.

Then [[b]] and [[old name]] and [[never]] and ^[src/a.go:1].

code:: src/c.go#Limit

code:: lib/sub

<!-- wiki:src src/d.go#Limit -->
Then [a link](../src/e.go#Limit), which states 5.
-- src/e.go --
package a

const Limit = 5
-- wiki/b.md --
Page !b.
`), "wiki")
	if err != nil {
		t.Fatal(err)
	}
	w, err := compiler.Compile(t.Context(), ws, compiler.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all := flags("one", "b", "front")
	find := func(r *Rule, path, text string) {
		r.Check = func(p *Pass) {
			for _, page := range p.Wiki.Pages() {
				if i := strings.Index(string(page.Source), text); page.Path == path && i >= 0 {
					p.Report(path, schema.Span{Start: i, End: i + len(text)}, "at %s", text)
				}
			}
		}
		all = append(all, r)
	}
	find(rule("link", schema.Warning, nil), "a.md", "b]]")
	find(rule("gone", schema.Warning, nil), "a.md", "[[old name]]")
	find(rule("never", schema.Warning, nil), "a.md", "[[never]]")
	find(rule("cited", schema.Warning, nil), "a.md", "^[src")
	find(rule("source", schema.Warning, nil), "a.md", "src/a.go]")
	find(rule("field", schema.Warning, nil), "a.md", "src/c.go#Limit")
	find(rule("folder", schema.Warning, nil), "a.md", "lib/sub")
	find(rule("comment", schema.Warning, nil), "a.md", "src/d.go#Limit")
	find(rule("linked", schema.Warning, nil), "a.md", "../src/e.go#Limit")
	all = append(all, rule("stated", schema.Warning, func(p *Pass) {
		page := p.Wiki.Page("a")
		at := func(text string) schema.Span {
			i := strings.Index(string(page.Source), text)
			return schema.Span{Start: i, End: i + len(text)}
		}
		d := p.Report(page.Path, at("states 5"), "verified against code")
		d.Related = []schema.Related{{Path: page.Path, Span: at("src/d.go#Limit")}}
	}))
	all = append(all, rule("whole", schema.Warning, func(p *Pass) { p.Report("a.md", schema.Span{}, "all of it") }),
		rule("sides", schema.Warning, func(p *Pass) {
			d := p.Report("b.md", schema.Span{Start: 0, End: 4}, "against a.go")
			d.Related = []schema.Related{{Path: "../src/a.go"}}
		}))
	lines := func(from, to int) schema.Change {
		return schema.Change{Lines: []schema.LineRange{{From: from, To: to}}}
	}
	for _, c := range []struct {
		name  string
		files map[string]schema.Change
		want  string
	}{
		{"nothing", nil, ""},
		{"a line", map[string]schema.Change{"a.md": lines(8, 8)}, "whole one"},
		{"another line", map[string]schema.Change{"a.md": lines(7, 7)}, "whole"},
		{"frontmatter", map[string]schema.Change{"a.md": lines(2, 2)}, "whole front source"},
		{"a new page", map[string]schema.Change{"b.md": {Whole: true}}, "link sides b"},
		{"a renamed page", map[string]schema.Change{"a.md": {Before: "x.md"}, "x.md": {Gone: true}}, ""},
		{"a page that is gone", map[string]schema.Change{"sub/Old-Name.md": {Gone: true}}, "gone"},
		{"code", map[string]schema.Change{"../src/a.go": lines(1, 1)}, "source cited sides"},
		{"code of a field", map[string]schema.Change{"../src/c.go": lines(1, 1)}, "field"},
		{"code in a folder", map[string]schema.Change{"../lib/sub/deep/f.go": lines(1, 1)}, "folder"},
		{"code of a comment", map[string]schema.Change{"../src/d.go": lines(1, 1)}, "comment stated"},
		{"code of a link", map[string]schema.Change{"../src/e.go": lines(1, 1)}, "linked"},
		{"other code", map[string]schema.Change{"../src/b.go": lines(1, 1)}, ""},
	} {
		res := run(t, w, Config{Rules: all, Changes: &schema.Changes{Revision: "x", Files: c.files}})
		var got []string
		for _, d := range res.Findings {
			got = append(got, d.Rule)
		}
		if strings.Join(got, " ") != c.want || res.Stats.Unchanged+len(got) != len(all) {
			t.Errorf("%s: got %q and %d unchanged of %d, want %q", c.name, got, res.Stats.Unchanged, len(all), c.want)
		}
	}
}

// TestFingerprintsIgnoreHiddenFindings: suppressing a finding does not give its
// name to another one, and a cause has its name however many share it.
func TestFingerprintsIgnoreHiddenFindings(t *testing.T) {
	t.Parallel()
	prints := func(text string) (shown, hidden []string) {
		res := run(t, compilertest.Compile(t, compilertest.Write(t, text)), Config{Rules: []*Rule{everyFlag()}})
		for _, d := range res.Findings {
			shown = append(shown, d.Fingerprint)
		}
		for _, s := range res.Suppressed {
			hidden = append(hidden, s.Fingerprint)
		}
		return shown, hidden
	}
	all, _ := prints("-- a.md --\n!x\n\n!x\n\n!x\n")
	shown, hidden := prints("-- a.md --\n!x\n\n!x %% wiki-lint-disable-line %%\n\n!x\n")
	if len(all) != 3 || len(shown) != 2 || len(hidden) != 1 || shown[0] != all[0] || hidden[0] != all[1] || shown[1] != all[2] {
		t.Errorf("%v became %v and %v", all, shown, hidden)
	}
	many, _ := prints("-- a.md --\n" + strings.Repeat("!x !y\n", causeThreshold))
	more, _ := prints("-- a.md --\n!new " + strings.Repeat("!x !y\n", 3*causeThreshold))
	if len(many) != 1 || len(more) != 1 || many[0] != more[0] || many[0] == all[0] {
		t.Errorf("a cause is named %v, and then %v", many, more)
	}
}

// TestFingerprintsIgnoreNumbers: a page that is too long stays so with one
// word more.
func TestFingerprintsIgnoreNumbers(t *testing.T) {
	t.Parallel()
	size := rule("size", schema.Warning, func(p *Pass) {
		for _, page := range p.Wiki.Pages() {
			p.Report(page.Path, schema.Span{}, "the page has %d bytes", len(page.Source))
		}
	})
	name := func(text string) string {
		return run(t, compilertest.Compile(t, compilertest.Write(t, text)), Config{Rules: []*Rule{size}}).Findings[0].Fingerprint
	}
	if a, b := name("-- a.md --\nshort\n"), name("-- a.md --\nmuch, much longer\n"); a != b {
		t.Errorf("%s became %s", a, b)
	}
	if a, b := name("-- a.md --\nshort\n"), name("-- b.md --\nshort\n"); a == b {
		t.Errorf("two pages share %s", a)
	}
}
