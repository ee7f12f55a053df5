package rules

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/schematest"
)

// TestRulePages writes the page of every rule into one wiki and lints it: the
// documentation obeys its own rules, and no example in it is a link of it.
func TestRulePages(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	index := "# Rules\n\n"
	for _, r := range linter.Rules() {
		data, err := Examples.ReadFile("testdata/" + r.ID + ".txtar")
		if err != nil {
			t.Fatal(err)
		}
		page := linter.RulePage(r, data)
		if !strings.Contains(page, "["+r.ID+"]") && r.ID != "unreachable" {
			t.Errorf("the page of %s does not show what it says", r.ID)
		}
		if err := os.WriteFile(filepath.Join(dir, r.ID+".md"), []byte(page), 0o666); err != nil {
			t.Fatal(err)
		}
		index += "- [" + r.ID + "](" + r.ID + ".md)\n"
	}
	if err := os.WriteFile(filepath.Join(dir, "index.md"), []byte(index), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, d := range lint(t, compilertest.Compile(t, dir)).Findings {
		if d.Severity > schema.Info {
			t.Errorf("%s:%d: %s [%s]", d.Path, d.From.Line, d.Message, d.Rule)
		}
	}
}

func TestRulePageGolden(t *testing.T) {
	t.Parallel()
	i := slices.IndexFunc(linter.Rules(), func(r *linter.Rule) bool { return r.ID == "self-link" })
	data, err := Examples.ReadFile("testdata/self-link.txtar")
	if err != nil {
		t.Fatal(err)
	}
	got := linter.RulePage(linter.Rules()[i], data)
	file := filepath.Join("testdata", "self-link.md.golden")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got, -update accepts):\n%s", file, diff)
	}
}

// TestAllSafeFixes applies the safe fixes of all rules at once, until none is
// left: this ends after few rounds, and another run changes nothing.
func TestAllSafeFixes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	compilertest.WriteTo(t, dir, `
-- index.md --
# Index

[[glossary]] [[token bucket]] [g](terms/glossary.md) [[old/limits]] [home](index.md)

[unused]: nowhere.md
-- terms/Glossary.md --
---
tittle: Glossary
tags: [go, go]
updated: 2026/1/5
---
# Glossary

A token bucket is explained elsewhere. See [loose](../limits).
-- token bucket.md --
# Token bucket

The Glossary of it, and Limits of it. [[Token Bucket]]
-- limits.md --
# Limits

Text.
`)
	w := compilertest.Compile(t, dir)
	rounds := 0
	for ; ; rounds++ {
		if applySafe(t, w, lint(t, w)) == 0 {
			break
		}
		if rounds == 4 {
			t.Fatalf("fixes are still left after %d rounds:\n%s", rounds, messages(lint(t, w)))
		}
		var err error
		if w, err = w.Recompile(t.Context(), pagePaths(w)); err != nil {
			t.Fatal(err)
		}
	}
	if rounds == 0 {
		t.Fatal("nothing was fixed")
	}
	for _, d := range lint(t, w).Findings {
		if d.Severity > schema.Info && d.Rule != "orphan" {
			t.Errorf("left: %s:%d: %s [%s]", d.Path, d.From.Line, d.Message, d.Rule)
		}
	}
}

// TestFilesInAnyOrder checks that findings do not depend on the order in which
// files came into being.
func TestFilesInAnyOrder(t *testing.T) {
	t.Parallel()
	const a, b, c = "-- a.md --\n[[b]] [[setup]] [[gone]]\n", "-- x/setup.md --\n# Setup\n[[A]]\n", "-- y/setup.md --\n---\naliases: [a]\n---\n# Setup\n"
	first := lint(t, compilertest.Compile(t, compilertest.Write(t, a+b+c))).Findings
	second := lint(t, compilertest.Compile(t, compilertest.Write(t, c+b+a))).Findings
	if diff := cmp.Diff(first, second); diff != "" || len(first) == 0 {
		t.Errorf("%d findings:\n%s", len(first), diff)
	}
	if diff := cmp.Diff(first, incremental(t, c, a, b).Findings); diff != "" {
		t.Errorf("compiled step by step:\n%s", diff)
	}
}

// incremental lints a wiki whose files were added one after the other.
func incremental(t *testing.T, archives ...string) *linter.Result {
	t.Helper()
	dir := t.TempDir()
	var w *compiler.Wiki
	for i, ar := range archives {
		compilertest.WriteTo(t, dir, ar)
		if i == 0 {
			w = compilertest.Compile(t, dir)
			continue
		}
		name := strings.TrimSuffix(strings.TrimPrefix(strings.SplitN(ar, "\n", 2)[0], "-- "), " --")
		next, err := w.Recompile(t.Context(), []string{name})
		if err != nil {
			t.Fatal(err)
		}
		w = next
	}
	return lint(t, w)
}

// TestRenamedPage fixes a link to a page that git knows was renamed.
func TestRenamedPage(t *testing.T) {
	t.Parallel()
	schematest.NeedGit(t)
	dir := t.TempDir()
	git := gitIn(t, dir)
	compilertest.WriteTo(t, dir, "-- a.md --\n# A\n\nSee [[leaky-bucket|the bucket]] and [it](leaky-bucket.md#how).\n-- leaky-bucket.md --\n# Bucket\n\n## How\n\nIt has enough text in it for git to see that it is the same file.\n")
	git("init", "-q", "--template=")
	git("add", ".")
	git("commit", "-qm", "one")
	git("mv", "leaky-bucket.md", "token-pail.md")
	git("commit", "-qm", "two")
	w := compilertest.CompileWith(t, dir, compiler.Options{History: true})
	res := lint(t, w, "broken-wikilink", "broken-link")
	if n := applySafe(t, w, res); n != 2 {
		t.Fatalf("%d safe fixes:\n%s", n, messages(res))
	}
	got, err := os.ReadFile(filepath.Join(dir, "a.md"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "# A\n\nSee [[token-pail|the bucket]] and [it](token-pail.md#how).\n"; string(got) != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

// A link that begins with a slash works on GitHub from the root of the
// repository, which is not the root of the wiki.
func TestLinksFromTheRepository(t *testing.T) {
	t.Parallel()
	dir := compilertest.Write(t, `
-- wiki/index.md --
[code](/src/cart.go), [page](/wiki/cart.md), [page](/cart.md), [[wiki/cart]](a note), [gone](/src/gone.go)
-- wiki/cart.md --
# Cart
-- src/cart.go --
package src
`)
	res := lint(t, compilertest.Compile(t, filepath.Join(dir, "wiki")), "broken-link")
	if len(res.Findings) != 1 || !strings.Contains(res.Findings[0].Message, "src/gone.go") {
		t.Errorf("findings %+v, want one about src/gone.go", res.Findings)
	}
}
