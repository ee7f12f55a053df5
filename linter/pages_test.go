package linter

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
)

// watched is a rule that reports on every page alone, and the pages it has
// looked at since looked was last called.
type watched struct {
	*Rule
	mu    sync.Mutex
	pages []string
}

func newWatched(id string, length *PageFact[int]) *watched {
	w := &watched{}
	w.Rule = &Rule{ID: id, Group: Links, Severity: schema.Warning, Since: "0.1.0", Summary: "Something.", Doc: "Doc."}
	w.CheckPage = func(p *Pass, page *schema.Page) {
		w.mu.Lock()
		w.pages = append(w.pages, page.Path)
		w.mu.Unlock()
		p.Report(page.Path, schema.Span{}, "%d bytes on %s", length.Of(p, page), p.Today.Format(time.DateOnly))
	}
	return w
}

func (w *watched) looked() string {
	defer func() { w.pages = nil }()
	slices.Sort(w.pages)
	return strings.Join(w.pages, " ")
}

func TestPagesAreCheckedOnce(t *testing.T) {
	t.Parallel()
	dir := compilertest.Write(t, "-- a.md --\none\n-- b.md --\ntwo\n-- c.md --\nthree\n")
	w := compilertest.Compile(t, dir)
	measured := 0
	length := NewPageFact(func(p *schema.Page) int { measured++; return len(p.Source) })
	one, two := newWatched("one", length), newWatched("two", length)
	day := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	facts := NewFacts(w)
	lint := func(w *compiler.Wiki, facts *Facts, today time.Time, rules ...*Rule) string {
		var said []string
		for _, d := range run(t, w, Config{Rules: rules, Workers: 1, Facts: facts, Today: today}).Findings {
			said = append(said, fmt.Sprintf("%s %s: %s", d.Path, d.Rule, d.Message))
		}
		return strings.Join(said, "\n")
	}
	expect := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s: got %q, want %q", what, got, want)
		}
	}
	first := lint(w, facts, day, one.Rule)
	expect("first run", one.looked(), "a.md b.md c.md")
	expect("again", lint(w, facts, day, one.Rule, two.Rule), bothOf(first))
	expect("again, by the same rule", one.looked(), "")
	expect("again, by another", two.looked(), "a.md b.md c.md")

	if err := os.WriteFile(filepath.Join(dir, "b.md"), []byte("two more\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	edited, err := w.Recompile(t.Context(), []string{"b.md"})
	if err != nil {
		t.Fatal(err)
	}
	next := facts.Next(edited)
	after := lint(edited, next, day, one.Rule, two.Rule)
	expect("after an edit", one.looked()+", "+two.looked(), "b.md, b.md")
	expect("what is said after an edit", after, lint(edited, nil, day, one.Rule, two.Rule))
	expect("what is said of the old wiki", lint(w, facts, day, one.Rule), first)
	if one.looked(); measured != 3+1+3 {
		t.Errorf("a page was measured %d times, want once for each page, edited page and store", measured)
	}
	lint(edited, next, day.AddDate(0, 0, 1), one.Rule)
	expect("on another day", one.looked(), "a.md b.md c.md")
}

// bothOf returns what the rules one and two say when the rule one says first.
func bothOf(first string) string {
	var out []string
	for line := range strings.SplitSeq(first, "\n") {
		out = append(out, line, strings.Replace(line, " one:", " two:", 1))
	}
	return strings.Join(out, "\n")
}

func TestPanicOnAPageIsABugOfTheRule(t *testing.T) {
	t.Parallel()
	bad := newWatched("bad", NewPageFact(func(*schema.Page) int { panic("no") }))
	good := newWatched("good", NewPageFact(func(*schema.Page) int { return 1 }))
	res, err := Run(t.Context(), pages(t, 100, ""), Config{Rules: []*Rule{bad.Rule, good.Rule}})
	if err == nil || !strings.Contains(err.Error(), "rule bad crashed: no") {
		t.Errorf("got error %v", err)
	}
	if len(res.Findings) != 100 {
		t.Errorf("the other rule has %d findings, want 100", len(res.Findings))
	}
}
