package linter

import (
	"bytes"
	"context"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/schematest"
)

// replaces is a rule that finds a word and offers another for it.
func replaces(id, word, by string, safe bool) *Rule {
	return rule(id, schema.Warning, func(p *Pass) {
		for _, page := range p.Wiki.Pages() {
			for at := 0; ; {
				i := bytes.Index(page.Source[at:], []byte(word))
				if i < 0 {
					break
				}
				span := schema.Span{Start: at + i, End: at + i + len(word)}
				d := p.Report(page.Path, span, "found %s at %d", word, span.Start)
				d.Fixes = []schema.Fix{{Title: "write " + by, Safe: safe, Edits: []schema.Edit{{Path: page.Path, Span: span, Text: by}}}}
				at = span.End
			}
		}
	})
}

// fixWith fixes a wiki with some rules, and returns what comes of it, by path.
func fixWith(t *testing.T, w *compiler.Wiki, how Fixing, rules ...*Rule) (*Fixed, map[string]string) {
	t.Helper()
	how.Lint = func(ctx context.Context, w *compiler.Wiki) (*Result, error) { return Run(ctx, w, Config{Rules: rules}) }
	fixed, err := Fix(t.Context(), w, how)
	if err != nil {
		t.Fatal(err)
	}
	after, err := w.WithOverlay(t.Context(), fixed.Changes.Overlay())
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, p := range after.Pages() {
		out[p.Path] = string(p.Source)
	}
	return fixed, out
}

func wiki(t *testing.T, archive string) *compiler.Wiki {
	t.Helper()
	return compilertest.Compile(t, compilertest.Write(t, archive))
}

func TestFix(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, archive string
		how           Fixing
		rules         []*Rule
		want          map[string]string
		fixed         Fixed
	}{
		{"one after the other", "-- a.md --\none one\n", Fixing{}, []*Rule{replaces("a", "one", "two", true), replaces("b", "two", "three", true)},
			map[string]string{"a.md": "three three\n"}, Fixed{Findings: 4, Rounds: 2}},
		{"overlapping ones wait", "-- a.md --\nabc\n", Fixing{}, []*Rule{replaces("a", "ab", "x", true), replaces("b", "bc", "y", true)},
			map[string]string{"a.md": "xc\n"}, Fixed{Findings: 1, Rounds: 1}},
		{"unsafe ones stay", "-- a.md --\nab\n", Fixing{}, []*Rule{replaces("a", "a", "x", true), replaces("b", "b", "y", false)},
			map[string]string{"a.md": "xb\n"}, Fixed{Findings: 1, Rounds: 1}},
		{"unless asked for", "-- a.md --\nab\n", Fixing{Unsafe: true}, []*Rule{replaces("a", "a", "x", true), replaces("b", "b", "y", false)},
			map[string]string{"a.md": "xy\n"}, Fixed{Findings: 2, Rounds: 1}},
		{"what undoes itself is given up", "-- a.md --\none c\n-- b.md --\nc\n", Fixing{}, []*Rule{replaces("a", "one", "two", true), replaces("b", "two", "one", true), replaces("c", "c", "d", true)},
			map[string]string{"a.md": "one d\n", "b.md": "d\n"}, Fixed{Findings: 2, Rounds: 1, Undone: []Undone{{"a", "a.md"}, {"b", "a.md"}}}},
		{"what grows is given up", "-- a.md --\na\n-- b.md --\nb\n", Fixing{}, []*Rule{replaces("a", "a", "aa", true), replaces("b", "b", "c", true)},
			map[string]string{"a.md": "a\n", "b.md": "c\n"}, Fixed{Findings: 1, Rounds: 1, Undone: []Undone{{"a", "a.md"}}}},
		{"what goes on and on is stopped", "-- a.md --\n#a\n", Fixing{Rounds: 3}, []*Rule{replaces("a", "#", " #", true)},
			map[string]string{"a.md": "   #a\n"}, Fixed{Findings: 3, Rounds: 3, Unfinished: true}},
		{"what changes nothing is given up", "-- a.md --\na\n", Fixing{}, []*Rule{replaces("a", "a", "a", true)},
			map[string]string{"a.md": "a\n"}, Fixed{Undone: []Undone{{"a", "a.md"}}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			fixed, got := fixWith(t, wiki(t, tt.archive), tt.how, tt.rules...)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			fixed.Changes = nil
			if diff := cmp.Diff(&tt.fixed, fixed); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// lower is a rule that wants the names of pages in lower case, and moves those
// of a folder called up to the root.
var lower = rule("lower", schema.Warning, func(p *Pass) {
	for _, page := range p.Wiki.Pages() {
		to := strings.ToLower(strings.TrimPrefix(page.Path, "up/"))
		if to == page.Path {
			continue
		}
		d := p.ReportCause("lower", page.Path, schema.Span{End: 1}, "%s", page.Path)
		d.Fixes = []schema.Fix{{Title: "rename", Moves: []schema.Move{{From: page.Path, To: to}}}}
		for _, other := range p.Wiki.Pages() {
			for l, res := range p.Wiki.Links(other) {
				if res.Path == page.Path {
					d.Fixes[0].Edits = append(d.Fixes[0].Edits, schema.Edit{Path: other.Path, Span: l.Dest, Text: strings.TrimSuffix(path.Base(to), ".md")})
				}
			}
		}
	}
})

func TestFixMoves(t *testing.T) {
	t.Parallel()
	w := wiki(t, "-- A.md --\n[[B]] [[c]]\n-- B.md --\n[[A]]\n-- up/c.md --\nc\n-- up/d.md --\nd\n-- x.md --\nx\n-- X2.md --\nx\n")
	fixed, got := fixWith(t, w, Fixing{Unsafe: true}, lower)
	want := map[string]string{"a.md": "[[b]] [[c]]\n", "b.md": "[[a]]\n", "c.md": "c\n", "d.md": "d\n", "x.md": "x\n", "x2.md": "x\n"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// Renames within a folder are made together, those into another one by one.
	if fixed.Findings != 5 || fixed.Rounds != 3 {
		t.Errorf("%d findings in %d rounds", fixed.Findings, fixed.Rounds)
	}
	if fixed, got := fixWith(t, wiki(t, "-- A.md --\nA\n-- a.md --\na\n"), Fixing{Unsafe: true}, lower); len(got) != 2 || fixed.Findings != 0 && got["a.md"] != "a\n" {
		t.Errorf("a file was overwritten: %v", got)
	}
}

// TestFixMovesOfACause checks that one finding for many moves all of them.
func TestFixMovesOfACause(t *testing.T) {
	t.Parallel()
	var archive strings.Builder
	for c := 'A'; c <= 'N'; c++ {
		archive.WriteString("-- " + string(c) + ".md --\n[[A]]\n")
	}
	w := wiki(t, archive.String())
	res := run(t, w, Config{Rules: []*Rule{lower}})
	if len(res.Findings) != 1 || len(res.Findings[0].Fixes) != 1 || len(res.Findings[0].Fixes[0].Moves) != 14 {
		t.Fatalf("%+v", res.Findings)
	}
	fixed, got := fixWith(t, w, Fixing{Unsafe: true}, lower)
	if fixed.Findings != 14 || fixed.Rounds != 1 || len(got) != 14 || got["n.md"] != "[[a]]\n" {
		t.Errorf("%+v: %v", fixed, got)
	}
}

func TestContradictoryMoves(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		moves []schema.Move
		want  bool
	}{
		"apart":     {[]schema.Move{{From: "a", To: "b"}, {From: "c", To: "d"}}, false},
		"same":      {[]schema.Move{{From: "a", To: "b"}, {From: "a", To: "b"}}, false},
		"two ways":  {[]schema.Move{{From: "a", To: "b"}, {From: "a", To: "c"}}, true},
		"one place": {[]schema.Move{{From: "a", To: "b"}, {From: "c", To: "b"}}, true},
		"a chain":   {[]schema.Move{{From: "a", To: "b"}, {From: "b", To: "c"}}, true},
	} {
		if got := contradictory(mergeMoves(tt.moves)); got != tt.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestFixAtOnePlace checks that lines which one rule adds at one place follow one
// another, and those of two rules wait for each other.
func TestFixAtOnePlace(t *testing.T) {
	t.Parallel()
	adds := func(id string, lines ...string) *Rule {
		return rule(id, schema.Warning, func(p *Pass) {
			page := p.Wiki.Pages()[0]
			for _, l := range lines {
				if !bytes.Contains(page.Source, []byte(l)) {
					d := p.Report(page.Path, schema.Span{End: 1}, "lacks %s", l)
					at := schema.Span{Start: 2, End: 2}
					d.Fixes = []schema.Fix{{Title: "add", Safe: true, Edits: []schema.Edit{{Path: page.Path, Span: at, Text: l}}}}
				}
			}
		})
	}
	fixed, got := fixWith(t, wiki(t, "-- a.md --\n#\n"), Fixing{}, adds("r", "- a\n", "- b\n"), adds("s", "- c\n"))
	if want := "#\n- c\n- a\n- b\n"; got["a.md"] != want || fixed.Rounds != 2 || fixed.Findings != 3 {
		t.Errorf("%q in %d rounds", got["a.md"], fixed.Rounds)
	}
}

// TestFixLeavesLinksOfTheFileSystem checks that one file that can't be written
// keeps no other from being fixed.
func TestFixLeavesLinksOfTheFileSystem(t *testing.T) {
	t.Parallel()
	dir := compilertest.Write(t, "-- a.md --\na\n")
	schematest.Symlink(t, "a.md", filepath.Join(dir, "b.md"))
	fixed, _ := fixWith(t, compilertest.Compile(t, dir), Fixing{}, replaces("a", "a", "x", true))
	list := fixed.Changes.List()
	if len(list) != 1 || list[0].To != "a.md" || fixed.Findings != 1 {
		t.Errorf("%d findings: %+v", fixed.Findings, list)
	}
	if err := fixed.Changes.Write(); err != nil {
		t.Fatal(err)
	}
	if src, err := os.ReadFile(filepath.Join(dir, "b.md")); err != nil || string(src) != "x\n" {
		t.Errorf("%q, %v", src, err)
	}
}
