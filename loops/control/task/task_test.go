package task

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/schema/schematest"
)

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// What a context file holds reaches a prompt only as far as it is the workdir's, and
// no secret.
func TestContextFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	work, tree, out := filepath.Join(dir, "work", "app"), filepath.Join(dir, "tree"), filepath.Join(dir, "out")
	write(t, filepath.Join(tree, "app", "A.md"), "as committed")
	write(t, filepath.Join(work, "A.md"), "as it is")
	write(t, filepath.Join(work, "local.md"), "the token is sesame-open-7")
	write(t, filepath.Join(work, "huge.md"), strings.Repeat("é\n", 1<<20))
	write(t, filepath.Join(work, ".env"), "KEY=sesame-open-7")
	write(t, filepath.Join(out, "far.md"), "far away")
	schematest.Symlink(t, filepath.Join(out, "far.md"), filepath.Join(work, "link.md"))
	names := []string{"A.md", "local.md", "huge.md", ".env", "link.md", "none.md", "../../out/far.md"}
	w := &Task{Plan: &loops.Plan{}, File: filepath.Join(work, "task.json"), Task: &plan.Task{Workdir: work, ContextFiles: names}, prefix: "app/"}
	got, err := w.Sections([]string{"sesame-open-7"})(t.Context(), loops.PromptRequest{Start: &loops.Start{}, Worktree: tree, Command: loops.Command{Role: loops.Maker}})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"context A.md": "as committed", "context local.md": "the token is ", "context .env": "(omitted: its name suggests secrets)",
		"context link.md": "(omitted: not a file of the workdir)", "context none.md": "(omitted: not a file of the workdir)",
		"context ../../out/far.md": "(omitted: not a file of the workdir)",
	}
	for _, s := range got {
		if text, ok := want[s.Name]; ok && !strings.HasPrefix(s.Text, text) {
			t.Errorf("%s: %.80q, want %q", s.Name, s.Text, text)
		}
		if strings.Contains(s.Text, "sesame") || s.Limit <= 0 || len(s.Text) > 1<<17 {
			t.Errorf("%s: %d bytes of at most %d: %.80q", s.Name, len(s.Text), s.Limit, s.Text)
		}
	}
	if len(got) != 1+len(names)+2 {
		t.Errorf("%d sections", len(got))
	}
}

// The files are derived from the journal: writing them twice, or after half of them
// went, leaves the same.
func TestStateIsDerived(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "prd.json")
	const src = `{"userStories": [{"id": "US-001", "title": "a", "passes": false, "notes": "old", "rejections": 0}]}`
	write(t, file, src)
	w := &Task{Plan: &loops.Plan{Format: loops.AgentLoop, Chunks: []loops.Chunk{{ID: "US-001", Title: "a"}}}, File: file, Task: &plan.Task{Workdir: dir}}
	m := &mirror{task: w}
	at := time.Date(2026, 7, 4, 8, 0, 0, 0, time.UTC)
	s := &loops.State{Chunks: []loops.ChunkState{{ID: "US-001", Status: loops.ChunkRunning}}}
	its := []*iteration{{n: 1, at: at, over: true, role: &loops.RoleResult{Report: loops.Report{Summary: "first"}, Changes: []loops.Change{{Path: "a.go"}}},
		verdict: &loops.Verdict{Decision: loops.Reject, Reasons: []loops.Reason{{Path: "a.go", Line: 3, Message: "no \"why\""}}}, verdictAt: at}}
	for range 2 {
		if err := m.write(loops.Event{Kind: loops.RoleEnded}, s, its); err != nil {
			t.Fatal(err)
		}
	}
	text, _ := os.ReadFile(file)
	want := `{"userStories": [{"id": "US-001", "title": "a", "passes": false, "notes": "old\n[REJECTED] iteration 1, 2026-07-04T08:00:00Z: a.go:3: no \"why\"", "rejections": 1}]}`
	if string(text) != want {
		t.Errorf("%s", text)
	}
	notes, _ := os.ReadFile(filepath.Join(dir, "progress.md"))
	s.Chunks[0].Status = loops.ChunkDone
	its = append(its, &iteration{n: 2, at: at.Add(time.Minute), over: true, commit: "abc", role: &loops.RoleResult{}})
	if err := os.Remove(filepath.Join(dir, "progress.md")); err != nil {
		t.Fatal(err)
	}
	if err := m.write(loops.Event{Kind: loops.Committed}, s, its); err != nil {
		t.Fatal(err)
	}
	text, _ = os.ReadFile(file)
	if want := strings.Replace(want, `"passes": false`, `"passes": true`, 1); string(text) != want {
		t.Errorf("%s", text)
	}
	if again, _ := os.ReadFile(filepath.Join(dir, "progress.md")); !strings.HasPrefix(string(again), string(notes)) || strings.Count(string(again), "## Iteration") != 2 {
		t.Errorf("%s", again)
	}
	// A file that a person broke meanwhile is left as it is, and said to be so.
	write(t, file, "{")
	if err := m.write(loops.Event{Kind: loops.Committed}, s, its); err == nil || !strings.Contains(err.Error(), "update its stories: 1:2: malformed JSON") {
		t.Error(err)
	}
	if text, _ := os.ReadFile(file); string(text) != "{" {
		t.Errorf("%s", text)
	}
}

// A repository is not trusted: its state folder may be a link to somewhere else.
func TestStateStaysInTheWorkdir(t *testing.T) {
	t.Parallel()
	dir, out := t.TempDir(), t.TempDir()
	write(t, filepath.Join(dir, "task.json"), `{"stories": [{"id": "S1", "title": "a"}]}`)
	schematest.Symlink(t, out, filepath.Join(dir, ".lodeloop"))
	w := &Task{Plan: &loops.Plan{Format: loops.LodeloopTask}, File: filepath.Join(dir, "task.json"), Task: &plan.Task{Workdir: dir}}
	if err := (&mirror{task: w}).write(loops.Event{Kind: loops.Finished}, &loops.State{}, nil); err == nil {
		t.Error("nothing was said")
	}
	if left, _ := os.ReadDir(out); len(left) > 0 {
		t.Errorf("%v was written outside of the workdir", left)
	}
}

// Commands run in the workdir, wherever it lies in its repository.
func TestInWorkdir(t *testing.T) {
	t.Parallel()
	for prefix, want := range map[string]string{"": "make # all", "it's/app/": "cd 'it'\\''s/app' && (make # all\n)"} {
		if got := (&Task{prefix: prefix}).inWorkdir("make # all"); got != want {
			t.Errorf("%q: %q, want %q", prefix, got, want)
		}
	}
}
