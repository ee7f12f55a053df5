package compiler_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
)

// picture is everything about a Wiki's links that callers can read.
func picture(w *compiler.Wiki) map[string][]string {
	out := map[string][]string{"files": w.Files()}
	for _, p := range w.Pages() {
		lines := []string{p.Title, string(p.Layer), string(p.ID)}
		for l, r := range w.Links(p) {
			lines = append(lines, fmt.Sprintf("%s → %+v", l.Raw, *r))
		}
		for _, b := range w.Backlinks(p.ID) {
			lines = append(lines, fmt.Sprintf("from %+v", b))
		}
		out[p.Path] = lines
	}
	return out
}

// TestRecompileEqualsCompile edits a wiki at random and holds that compiling
// again what changed gives what compiling everything gives.
func TestRecompileEqualsCompile(t *testing.T) {
	names := []string{"a.md", "b.md", "sub/c.md", "sub/a.md", "raw/s.md", "pic.png"}
	bodies := []string{
		"# A\n\n[[b]] [[c#Deep]]\n", "---\ntitle: Bee\naliases: [See]\n---\n[[Bee]] ![[pic.png]]\n",
		"---\ntitle: Gone title\n---\n# Deep\n\ntext ^blk\n", "---\naliases: [Bee]\nid: zed\n---\ntext\n",
		"# A\n\n## Deep\n\n[x](sub/c.md#deep) [[a]]\n", "text ^blk\n\n[[a#^blk]]\n", "---\nid: zed\n---\n[[zed]]\n", "",
	}
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp(t.TempDir(), "w")
		if err != nil {
			rt.Fatal(err)
		}
		write := func(name, body string) {
			full := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
				rt.Fatal(err)
			}
			if err := os.WriteFile(full, []byte(body), 0o644); err != nil {
				rt.Fatal(err)
			}
		}
		// The index is never edited, and has a link of every kind that an edit of
		// another page can change: by path, alias, title, id, heading and block.
		write("index.md", "[[a]] [[b]] [[Bee]] [[See]] [[zed]] [[A]] [[Gone title]]\n\n"+
			"[[a#Deep]] [[b#^blk]] [x](sub/c.md#deep) [[c#Deep]] [y](a.md#deep) [[See#^blk]] ![[pic.png]]\n")
		// Each of these has one link, so that no other makes it be resolved again.
		for i, link := range []string{"[[Bee]]", "[[See]]", "[[zed]]", "[[Gone title]]", "[[c#Deep]]", "[x](a.md#deep)"} {
			write(fmt.Sprintf("one-%d.md", i), link+"\n")
		}
		write("a.md", bodies[0])
		ws, err := compiler.Detect(dir, ".")
		if err != nil {
			rt.Fatal(err)
		}
		w, err := compiler.Compile(t.Context(), ws, compiler.Options{})
		if err != nil {
			rt.Fatal(err)
		}
		for range rapid.IntRange(1, 16).Draw(rt, "edits") {
			name := rapid.SampledFrom(names).Draw(rt, "file")
			if rapid.IntRange(0, 3).Draw(rt, "kind") == 0 {
				_ = os.Remove(filepath.Join(dir, filepath.FromSlash(name)))
			} else {
				write(name, rapid.SampledFrom(bodies).Draw(rt, "body"))
			}
			before := picture(w)
			next, err := w.Recompile(t.Context(), []string{name})
			if err != nil {
				rt.Fatal(err)
			}
			if diff := cmp.Diff(before, picture(w)); diff != "" {
				rt.Fatalf("recompiling changed the wiki it started from: %s", diff)
			}
			full, err := compiler.Compile(t.Context(), ws, compiler.Options{})
			if err != nil {
				rt.Fatal(err)
			}
			if diff := cmp.Diff(picture(full), picture(next), cmpopts.EquateEmpty()); diff != "" {
				rt.Fatalf("after %s, -compile +recompile:\n%s", name, diff)
			}
			w = next
		}
	})
}

// TestRecompileSharesPages checks that only the edited page is parsed again.
func TestRecompileSharesPages(t *testing.T) {
	dir := compilertest.Write(t, "-- a.md --\n[[b]]\n-- b.md --\n# B\n-- c.md --\n[[a]]\n")
	w := compilertest.Compile(t, dir)
	compilertest.WriteTo(t, dir, "-- a.md --\n[[c]]\n")
	next, err := w.Recompile(t.Context(), []string{"a.md"})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range []schema.PageID{"a", "b", "c"} {
		if same := w.Page(id) == next.Page(id); same != (id != "a") {
			t.Errorf("page %s is shared: %v", id, same)
		}
	}
	if got := next.Graph().Out("a"); !cmp.Equal(got, []schema.PageID{"c"}) {
		t.Errorf("a links to %v", got)
	}
}
