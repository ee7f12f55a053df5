package contain

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops"
)

// BenchmarkChunk measures what the runner itself does in a repository of 5,000
// files, beside one git worktree add and one git status.
func BenchmarkChunk(b *testing.B) {
	s := newSandbox(b)
	for i := range 5000 {
		s.write(s.top, fmt.Sprintf("p%d/q%d/f%d.go", i/500, i/50, i), strings.Repeat(fmt.Sprintf("line %d\n", i), 40))
	}
	s.git(s.top, "add", "-A")
	s.git(s.top, "commit", "-q", "-m", "many")
	w := s.open(s.spec("r1"))
	ctx := b.Context()
	n := 0
	next := func() string { n++; return fmt.Sprint(n) }
	b.Run("worktree add and status", func(b *testing.B) {
		for b.Loop() {
			dir := filepath.Join(s.dir, "w"+next())
			s.git(s.top, "worktree", "add", "-q", "--detach", dir)
			s.git(dir, "status")
			b.StopTimer()
			s.git(s.top, "worktree", "remove", "--force", dir)
			b.StartTimer()
		}
	})
	var shot loops.Snapshot
	b.Run("Snapshot", func(b *testing.B) {
		for b.Loop() {
			shot = s.snapshot(w, "x")
		}
	})
	b.Run("Compare", func(b *testing.B) {
		for b.Loop() {
			s.write(w.Path(), "p1/new.go", next())
			if _, _, breaches, err := w.Compare(ctx, shot); err != nil || len(breaches) > 0 {
				b.Fatal(breaches, err)
			}
		}
	})
	b.Run("Export", func(b *testing.B) {
		for b.Loop() {
			dir := filepath.Join(s.dir, "e"+next())
			if err := w.Export(ctx, shot.Tree, dir); err != nil {
				b.Fatal(err)
			}
			b.StopTimer()
			_ = os.RemoveAll(dir)
			b.StartTimer()
		}
	})
	b.Run("Commit", func(b *testing.B) {
		for b.Loop() {
			if _, err := w.Commit(ctx, loops.CommitSpec{Tree: shot.Tree, Subject: "x", Key: next()}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
