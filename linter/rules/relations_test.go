package rules

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/linter"
)

// TestOneWayRelationFix fixes the other page, whose front matter keeps every
// byte that is not the relation.
func TestOneWayRelationFix(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ says, other, want string }{
		"no field":               {`supersedes: "[[old]]"`, "title: Old", "title: Old\nsuperseded_by: \"[[new]]\""},
		"empty frontmatter":      {`supersedes: old`, "", "superseded_by: new"},
		"extension kept":         {`supersedes: old.md`, "title: Old", "title: Old\nsuperseded_by: new.md"},
		"relative kept":          {`supersedes: ./old.md`, "title: Old", "title: Old\nsuperseded_by: ./new.md"},
		"by title":               {`supersedes: The old page`, "title: The old page", "title: The old page\nsuperseded_by: The new page"},
		"by id":                  {"id: n-2\nsupersedes: o-1", "id: o-1", "id: o-1\nsuperseded_by: n-2"},
		"markdown link":          {`supersedes: '[old](old.md)'`, "title: Old", "title: Old\nsuperseded_by: '[The new page](new.md)'"},
		"wikilink without quote": {`supersedes: [[old]]`, "title: Old", "title: Old\nsuperseded_by: [[new]]"},
		"other pair of words":    {`replaces: old`, "title: Old", "title: Old\nreplaced_by: new"},
		"backwards":              {`superseded-by: old`, "title: Old", "title: Old\nsupersedes: new"},
		"symmetric":              {`contested_by: old`, "title: Old", "title: Old\ncontested_by: new"},
		"spelling of the wiki":   {"supersedes: old\nsupersededBy: next", "title: Old", "title: Old\nsupersededBy: new"},
		"empty value":            {`supersedes: old`, "superseded_by:   # none\na: b", "superseded_by: new   # none\na: b"},
		"null":                   {`supersedes: old`, "superseded_by: null", "superseded_by: new"},
		"empty list":             {`supersedes: old`, "superseded_by: []", "superseded_by: [new]"},
		"flow list":              {`supersedes: old`, "superseded_by: [ next ] # x", "superseded_by: [ next, new ] # x"},
		"block list":             {`supersedes: old`, "superseded_by:\n  -   next # x\na: b", "superseded_by:\n  -   next # x\n  -   new\na: b"},
		"list at the margin":     {`supersedes: old`, "superseded_by:\n- next", "superseded_by:\n- next\n- new"},
		"scalar":                 {`supersedes: old`, "superseded_by: 'next' # x", "superseded_by: ['next', new] # x"},
		"list over lines":        {`supersedes: old`, "superseded_by: [\n  next,\n]", "superseded_by: [\n  next, new,\n]"},
		"a block at the end":     {`supersedes: old`, "text: |\n  a\n  b", "text: |\n  a\n  b\nsuperseded_by: new"},
		"block scalar":           {`supersedes: old`, "superseded_by: |\n  next", ""},
		"other wikilink":         {`supersedes: old`, "superseded_by: [[next]]", ""},
		"in braces":              {`supersedes: old`, "{title: Old}", ""},
		"a comma":                {`supersedes: old`, "superseded_by: next, and then", ""},
		"edges":                  {"edges:\n  - {type: supersedes, target: old}", "title: Old", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, ending := range []string{"\n", "\r\n"} {
				page := func(front string) string {
					if front != "" {
						front += "\n"
					}
					return "\ufeff" + strings.ReplaceAll("---\n"+front+"---\n# Page\n", "\n", ending)
				}
				dir := compilertest.Write(t, "-- new.md --\n---\ntitle: The new page\n"+tt.says+"\n---\n-- next.md --\n---\nsupersedes: old\n---\n")
				file := filepath.Join(dir, "old.md")
				if err := os.WriteFile(file, []byte(page(tt.other)), 0o666); err != nil {
					t.Fatal(err)
				}
				mendFrom(t, dir, "new.md")
				got, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				want := tt.want
				if want == "" {
					want = tt.other
				}
				if string(got) != page(want) {
					t.Errorf("got %q\nwant %q", got, page(want))
				}
			}
		})
	}
}

// mendFrom applies the fixes of one page's findings.
func mendFrom(t *testing.T, dir, from string) {
	t.Helper()
	w := compilertest.Compile(t, dir)
	res := lint(t, w, "one-way-relation")
	checkFindings(t, w, res)
	kept, said := *res, 0
	kept.Findings = nil
	for _, d := range res.Findings {
		if d.Path == from && d.Related[0].Path == "old.md" {
			kept.Findings = append(kept.Findings, d)
			said++
		}
	}
	if said == 0 {
		t.Fatalf("nothing is reported on %s:\n%s", from, messages(res))
	}
	applySafe(t, w, &kept)
}

// TestManyRelations checks that the work of the graph rules is proportional to the
// relations, whatever their shape. Allocations stand for work; no other test may run in
// parallel, since it would be counted too.
func TestManyRelations(t *testing.T) {
	if testing.Short() {
		t.Skip("lints thousands of pages")
	}
	const n = 3000
	top := t.TempDir() // one for all: to make and remove files costs more than to lint them
	work := func(t *testing.T, n int, front func(i, n int) string) uint64 {
		dir := filepath.Join(top, fmt.Sprint(n))
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		for i := range n {
			text := fmt.Sprintf("---\n%s\n---\n# P%d\n\n[[p%d]]\n", front(i, n), i, i^1)
			if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("p%d.md", i)), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		w := compilertest.Compile(t, dir)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		res, err := linter.Run(t.Context(), w, linter.Config{Only: []string{"relation-cycle", "one-way-relation", "isolated-cluster", "hub-stub"}, Today: today})
		if err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		t.Logf("%d pages: %d findings, %d pieces of memory", n, len(res.Findings), after.Mallocs-before.Mallocs)
		return after.Mallocs - before.Mallocs
	}
	for name, front := range map[string]func(i, n int) string{
		"a chain":        func(i, n int) string { return fmt.Sprintf("supersedes: p%d", i+1) },
		"a circle":       func(i, n int) string { return fmt.Sprintf("supersedes: p%d", (i+1)%n) },
		"all to one":     func(i, n int) string { return "supersedes: p0\ncontradicts: p1" },
		"one to all":     func(i, n int) string { return "superseded_by: p0\nsupersedes: [p1, p2, p3]" },
		"pairs":          func(i, n int) string { return fmt.Sprintf("contradicts: '[[p%d]]'\n", i^1) },
		"back and forth": func(i, n int) string { return fmt.Sprintf("superseded_by: [p%d, p%d]", i/2, 2*i) },
	} {
		t.Run(name, func(t *testing.T) {
			half, whole := work(t, n/2, front), work(t, n, front)
			if whole > 3*half {
				t.Errorf("twice the pages are %d times the work", whole/max(half, 1))
			}
		})
	}
}
