package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	runs "github.com/loopwiki/wiki/loops/run"
)

// spent is what programs took, with all that they waited for.
type spent struct{ wall, cpu time.Duration }

func (a *spent) add(b spent) { a.wall, a.cpu = a.wall+b.wall, a.cpu+b.cpu }

// take runs a program in the repository to its end.
func (s *shop) take(program string, args ...string) spent {
	s.t.Helper()
	c := exec.Command(program, args...)
	c.Dir, c.Env = s.top, s.env
	begin := time.Now()
	out, err := c.CombinedOutput()
	if err != nil {
		s.t.Fatalf("%s %v: %v\n%s", program, args, err, out)
	}
	return spent{time.Since(begin), c.ProcessState.UserTime() + c.ProcessState.SystemTime()}
}

// ratios reports how often the second fits into the first.
func ratios(b *testing.B, own, beside spent, per int) {
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(own.cpu.Seconds()/float64(per), "cpu-s/op")
	b.ReportMetric(own.wall.Seconds()/float64(per), "wall-s/op")
	b.ReportMetric(beside.cpu.Seconds()/float64(b.N), "git-cpu-s/op")
	b.ReportMetric(own.cpu.Seconds()/float64(per)/(beside.cpu.Seconds()/float64(b.N)), "cpu-ratio")
	b.ReportMetric(own.wall.Seconds()/float64(per)/(beside.wall.Seconds()/float64(b.N)), "wall-ratio")
}

// files adds many files to the repository: a hundred folders, 2 KB each.
func (s *shop) files(n int) {
	text := strings.Repeat("a line of a file that nobody changes\n", 56)
	for i := range n {
		s.write(s.top, fmt.Sprintf("lib/%02d/%04d.txt", i%100, i), fmt.Sprintf("file %d\n%s", i, text))
	}
	s.commit("many files")
}

// BenchmarkLoopRun is a run of two chunks on a repository of 5,000 files, whose
// agents and gates do next to nothing, beside git worktree add and git status;
// an op is a chunk. Everything is counted to the chunks: making the worktree,
// the baseline, the goal and the report too.
func BenchmarkLoopRun(b *testing.B) {
	var own, beside spent
	for range b.N {
		s := newShop(b)
		s.write(filepath.Join(s.dir, "beside"), "checker.sh", `echo '{"verdict": "APPROVE"}' > "$WIKI_LOOP_RESULT"`)
		s.files(5000)
		s.take("git", "status")
		place := filepath.Join(s.dir, "beside-git")
		beside.add(s.take("git", "worktree", "add", "-q", "--detach", place))
		beside.add(s.take("git", "-C", place, "status", "--porcelain"))
		s.take("git", "worktree", "remove", "--force", place)
		all := s.take("mortal", "loop", "run", shopPlan)
		for _, e := range s.events() {
			if e.Role != nil {
				all.wall -= time.Duration(e.Role.Exit.Took)
			}
		}
		own.add(all)
	}
	ratios(b, own, beside, 2*b.N)
}

// BenchmarkLoopStatus is wiki loop status with a thousand runs that are over,
// beside git status, in a repository of 5,000 files.
func BenchmarkLoopStatus(b *testing.B) {
	s := newShop(b)
	s.files(5000)
	s.must(0, "loop", "run", shopPlan)
	id := s.runID()
	for i := range 1000 {
		at := time.Date(2026, 1, 1, 0, i, 0, 0, time.UTC)
		copied := at.Format("2006-01-02T150405Z-") + shopPlan
		for _, name := range []string{runs.JournalFile, "summary.json"} {
			text, err := os.ReadFile(filepath.Join(s.store().Folder(id), name))
			if err != nil {
				b.Fatal(err)
			}
			s.write(s.store().Folder(copied), name, strings.ReplaceAll(string(text), id, copied))
		}
	}
	s.must(0, "loop", "status")
	var all struct{ Runs []json.RawMessage }
	if err := json.Unmarshal([]byte(s.must(0, "loop", "list", "--json")), &all); err != nil || len(all.Runs) != 1001 {
		b.Fatalf("%d runs: %v", len(all.Runs), err)
	}
	var own, beside spent
	for range b.N {
		beside.add(s.take("git", "status"))
		own.add(s.take("mortal", "loop", "status"))
	}
	ratios(b, own, beside, b.N)
}
