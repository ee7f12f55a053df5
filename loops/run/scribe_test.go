package run

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter"
	_ "github.com/loopwiki/wiki/linter/rules"
	"github.com/loopwiki/wiki/loops"
)

func stopped() *loops.State {
	return &loops.State{
		Start:  loops.Start{Run: "2026-07-04T080000Z-prices", Loop: "execution", Mode: loops.Draft, Plan: loops.Plan{Name: "2026-07-prices", Path: "plans/2026-07-prices.md", Title: `Reject "bad" [[prices]]: all`, Chunks: []loops.Chunk{{ID: "1", Title: "One"}}}, Roles: map[loops.Role]loops.Casting{loops.Maker: {Agent: "claude", Model: "haiku"}}},
		Status: loops.Running, Place: loops.PlaceResult{Branch: "loop/2026-07-prices"},
		Chunks:    []loops.ChunkState{{ID: "1", Status: loops.ChunkFailed, Attempts: 3}},
		End:       loops.End{Status: loops.Stopped, Why: "gate test is red: [x](y.md) <b> [[nowhere]]"},
		Incidents: []loops.Incident{{ID: "INC-20260704-080000-abcdef01", Class: "assertion_failure", Why: "see `[[nope]]`"}},
		Last:      time.Date(2026, 7, 4, 9, 0, 0, 0, time.UTC),
	}
}

func lintAt(t *testing.T, dir string) []string {
	t.Helper()
	ws, err := compiler.Detect(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	w, err := compiler.Compile(context.Background(), ws, compiler.Options{Today: time.Date(2026, 7, 4, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		t.Fatal(err)
	}
	res, err := linter.Run(context.Background(), w, linter.Config{})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, d := range res.Findings {
		out = append(out, d.Rule+" "+d.Path+": "+d.Message)
	}
	return out
}

// TestAnEntryLintsClean writes entries of runs, with markup in their titles and
// causes, into wikis of several shapes: no entry adds a finding.
func TestAnEntryLintsClean(t *testing.T) {
	t.Parallel()
	for name, files := range map[string]map[string]string{
		"as init makes it": {
			"wiki/index.md":                   "# W\n\n- [[a]]\n\n## Log\n\n- [[2026-01-01-begun]] — begun.\n\n## More\n\n- [[log]]\n",
			"wiki/log.md":                     "# Log\n\n## [2026-01-01] create | Begun\n\nSee [[a]].\n",
			"wiki/a.md":                       "# A\n\nText about the first thing there is.\n",
			"wiki/90_LOG/2026-01-01-begun.md": "---\ntitle: Begun\ntype: log\ncreated: 2026-01-01\nupdated: 2026-01-01\n---\n# Begun\n\nIt was begun.\n",
		},
		"with markdown links and no heading": {
			"wiki/index.md":    "# W\n\n- [a](a.md)\n- [begun](90_LOG/b.md)\n",
			"wiki/a.md":        "# A\n\nText about the first thing there is.\n",
			"wiki/90_LOG/b.md": "# Begun\n\nIt was begun.\n",
		},
		"with a log page only": {
			"wiki/index.md": "# W\n\n- [[a]]\n- [[log]]\n",
			"wiki/a.md":     "# A\n\nText about the first thing there is.\n",
			"wiki/log.md":   "# Log\n\n## [2026-01-01] create | Begun\n\nSee [[a]].\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			put(t, dir, files)
			before := lintAt(t, dir)
			// The second of a day has a name of its own; what the third finds is its own.
			for _, run := range []string{"first", "second", "second"} {
				s := stopped()
				s.Start.Run = run
				out, err := Entry(dir, s, nil)
				if err != nil || len(out) == 0 {
					t.Fatalf("%v, %v", out, err)
				}
				text := make(map[string]string)
				for name, src := range out {
					text[name] = string(src)
				}
				put(t, dir, text)
			}
			after := lintAt(t, dir)
			if slices.Compare(before, after) != 0 {
				t.Errorf("before %q\nafter %q", before, after)
			}
			for _, file := range []string{"log.md", "index.md"} {
				if text, err := os.ReadFile(filepath.Join(dir, "wiki", file)); err == nil && strings.Count(string(text), "all: stopped") > 2 {
					t.Errorf("a run stands in %s twice:\n%s", file, text)
				}
			}
			all, err := filepath.Glob(filepath.Join(dir, "wiki", "90_LOG", "2026-07-04-2026-07-prices*.md"))
			if want := 2; err != nil || name != "with a log page only" && len(all) != want {
				t.Errorf("entries %v, want %d", all, want)
			}
		})
	}
}

func TestARepositoryWithoutAWikiGetsNoEntry(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, dir, map[string]string{"main.go": "package main\n"})
	if out, err := Entry(dir, stopped(), nil); err != nil || len(out) > 0 {
		t.Errorf("%v, %v", slices.Collect(maps.Keys(out)), err)
	}
}

func put(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func TestTheLogIsOnlyAppendedTo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	old := "# Log\n\n## [2026-01-01] create | Begun\n\nx\n"
	put(t, dir, map[string]string{"wiki/index.md": "# W\n\n- [[log]]\n", "wiki/log.md": old})
	out, err := Entry(dir, stopped(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(out["wiki/log.md"]); !strings.HasPrefix(got, old) || !strings.Contains(got, "## [2026-07-04] loop | Reject bad prices , all: stopped") {
		t.Errorf("%s", got)
	}
}

// An index that copies summaries goes on to do so, and the log names what was written.
func TestAnEntryNamesItsPages(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	page := func(summary string) string {
		return "---\nsummary: " + summary + "\n---\n# " + summary + "\n\nText about one thing that there is.\n"
	}
	put(t, dir, map[string]string{
		"wiki/index.md":                   "# W\n\n- [[a]] — The first thing\n- [[b]] — The second thing\n- [[c]] — The third thing\n\n## Log\n\n- [[2026-01-01-begun]] — The beginning\n- [[log]]\n",
		"wiki/log.md":                     "# Log\n\n## [2026-01-01] create | Begun\n\nSee [[a]].\n",
		"wiki/a.md":                       page("The first thing"),
		"wiki/b.md":                       page("The second thing"),
		"wiki/c.md":                       page("The third thing"),
		"wiki/90_LOG/2026-01-01-begun.md": "---\ntitle: Begun\ntype: log\nsummary: The beginning\ncreated: 2026-01-01\nupdated: 2026-01-01\n---\n# Begun\n\nIt was begun.\n",
	})
	s := stopped()
	s.Start.Loop, s.Start.Plan, s.Chunks, s.Incidents = loops.DocumentationLoop, loops.Plan{Name: "documentation-2026-07-04", Title: "Documentation"}, nil, nil
	s.End = loops.End{Status: loops.GoalMet}
	s.Start.Documentation = &loops.DocumentationRequest{Since: "c0", From: "v1", Pages: []loops.DocumentationPage{{Path: "wiki/a.md", Reason: "it cites a.go"}, {Path: "wiki/b.md", Reason: "it cites b.go"}}}
	before := lintAt(t, dir)
	out, err := Entry(dir, s, []string{"wiki/a.md", "wiki/c.md"})
	if err != nil {
		t.Fatal(err)
	}
	text := make(map[string]string)
	for name, src := range out {
		text[name] = string(src)
	}
	put(t, dir, text)
	if after := lintAt(t, dir); slices.Compare(before, after) != 0 {
		t.Errorf("before %q\nafter %q", before, after)
	}
	if got, want := text["wiki/log.md"], "Pages written: `wiki/a.md`, `wiki/c.md`. See [[2026-07-04-documentation]]."; !strings.Contains(got, want) {
		t.Errorf("the log lacks %q:\n%s", want, got)
	}
	want := "\n- `wiki/a.md`: it cites a.go; written\n- `wiki/b.md`: it cites b.go; left as it is\n- `wiki/c.md`: written\n"
	if got := text["wiki/90_LOG/2026-07-04-documentation.md"]; !strings.Contains(got, want) {
		t.Errorf("the entry lacks %q:\n%s", want, got)
	}
}
