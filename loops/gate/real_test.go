//go:build linux

package gate

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/contain"
	"github.com/loopwiki/wiki/schema/schematest"
)

// TestMain lets the test binary be the supervisor of the container.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "__supervise" {
		if err := contain.Supervise(context.Background(), os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(3)
		}
		os.Exit(0)
	}
	os.Exit(schematest.InMemory(m).Run())
}

// The gates on a worktree of a run, with commands in the sandbox.
func TestRealRooms(t *testing.T) {
	t.Parallel()
	top := t.TempDir()
	r := newRepo(t, price)
	folder := filepath.Join(top, "runs", "r1")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + top, "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1"}
	wt, err := contain.Open(t.Context(), contain.Repo{Dir: r.dir, Env: env}, contain.Spec{Run: "r1", Plan: "p", Parent: filepath.Join(top, "work"), Folder: folder, Name: "Ana", Email: "ana@example.org"})
	if err != nil {
		t.Fatal(err)
	}
	before, err := wt.Snapshot(t.Context(), "maker")
	if err != nil {
		t.Fatal(err)
	}
	g := New(Options{
		Container: contain.New([]string{os.Args[0], "__supervise"}, contain.Options{}), Path: os.Getenv("PATH"),
		Env: []string{"GOPROXY=off"}, Tools: compiled(t), Cache: filepath.Join(top, "cache"), Exports: filepath.Join(top, "exports"),
	})
	judge := func(stage loops.Stage, tree string, changes []loops.Change) []loops.GateResult {
		t.Helper()
		dir := filepath.Join(folder, "gates", string(stage))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		plan := loops.Plan{Name: "p", Path: "plans/p.md", Scope: []string{"*.go"}, Chunks: []loops.Chunk{{ID: "1", Tests: loops.TestsRule{Kind: loops.TestsNew}}}}
		results, err := g.Judge(t.Context(), loops.Candidate{Start: &loops.Start{Run: "r1", Plan: plan}, Stage: stage, Attempt: 1, Tree: tree, Base: before.Head, Last: before.Tree, Changes: changes, Worktree: wt, Dir: dir})
		if err != nil {
			t.Fatal(err)
		}
		return results
	}
	if results := judge(loops.StageBaseline, before.Tree, nil); loops.Worst(results) != loops.Passed {
		t.Fatalf("the base: %s%s", said(results), printed(results))
	}
	(&repo{t, wt.Path()}).write(clampCode + clampTest)
	tree, changes, breaches, err := wt.Compare(t.Context(), before)
	if err != nil || len(breaches) > 0 {
		t.Fatal(breaches, err)
	}
	if results := judge(loops.StageChunk, tree, changes); loops.Worst(results) != loops.Passed {
		t.Errorf("honest work: %s%s", said(results), printed(results))
	}
	(&repo{t, wt.Path()}).write("-- Makefile --\ntest:\n\ttrue\n-- note.tmp --\nx\n")
	if tree, changes, _, err = wt.Compare(t.Context(), before); err != nil {
		t.Fatal(err)
	}
	if results := judge(loops.StageChunk, tree, changes); loops.Worst(results) != loops.Violation {
		t.Errorf("a Makefile: %s", said(results))
	}
}
