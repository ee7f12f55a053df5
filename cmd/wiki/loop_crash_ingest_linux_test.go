package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// newIntake is a shop and, next to it, a source that a writer makes a page of.
func newIntake(t *testing.T) (s *shop, source string) {
	t.Helper()
	s = newShop(t)
	s.write(s.dir+"/beside", "writer.sh", `. BESIDE/block.sh
mkdir -p "$TMPDIR/kept" && touch "$TMPDIR/kept/notes" && chmod 500 "$TMPDIR/kept"
block writer-$WIKI_LOOP_ATTEMPT
printf '# Pool\n\nIt closes at nine, raw/interview.md:3. See [[index]].\n' > wiki/pool.md
printf '\n- [[pool]]\n' >> wiki/index.md
echo '{"status": "ok", "cost_usd": 0.01}' > "$WIKI_LOOP_RESULT"
`)
	s.write(s.top, "wiki.yaml", "loops:\n  roles:\n    writer: {agent: command, argv: [sh, BESIDE/writer.sh]}\n  timeouts: {grace: 1s}\n")
	s.commit("second")
	s.write(s.dir, "interview.md", "# Interview\n\nThe pool closes at nine.\n")
	return s, filepath.Join(s.dir, "interview.md")
}

// diesWhen is an environment in which the runner is killed as it calls git with a word.
func (s *shop) diesWhen(word string) []string {
	s.t.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		s.t.Fatal(err)
	}
	bin := filepath.Join(s.dir, "bin")
	s.write(bin, "git", "#!/bin/sh\ncase \" $* \" in *' WORD '*) kill -9 $PPID;; esac\nexec GIT \"$@\"\n", "WORD", word, "GIT", git)
	if err := os.Chmod(filepath.Join(bin, "git"), 0o755); err != nil {
		s.t.Fatal(err)
	}
	return []string{"PATH=" + bin + ":" + os.Getenv("PATH")}
}

// TestKilledIngestKeepsSourcesPrivate kills the runner of an ingest before the sources are committed:
// until then it keeps them, for its owner alone to read.
func TestKilledIngestKeepsSourcesPrivate(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{"resumed": {"loop", "resume", "latest"}, "rejected": {"loop", "reject", "latest", "--by", "ada"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, source := newIntake(t)
			if r := s.start(s.diesWhen("commit-tree"), "ingest", source); r.wait() != -9 {
				t.Fatal(r.said())
			}
			intake := filepath.Join(s.store().Folder(s.runID()), "intake.json")
			info, err := os.Stat(intake)
			if err != nil || info.Mode().Perm() != 0o600 {
				t.Fatalf("the intake is %v, %v", info, err)
			}
			s.write(filepath.Dir(intake), "intake.json.1.new", "half of one") // of a runner that died as it wrote
			_, said := s.wiki(args...)
			_, again := s.wiki("ingest", source) // and the next run
			for _, left := range []string{intake, intake + ".1.new"} {
				if _, err := os.Lstat(left); !os.IsNotExist(err) {
					t.Errorf("%s is there: %v\n%s%s", left, err, said, again)
				}
			}
		})
	}
}

// TestKilledRunIsNotListedAsRunning begins the work of a run again whose runner was killed.
func TestKilledRunIsNotListedAsRunning(t *testing.T) {
	t.Parallel()
	s, source := newIntake(t)
	for _, args := range [][]string{{"ingest", source}, {"loop", "run", shopPlan, "--agent", "command"}} {
		before, _ := s.store().IDs()
		if r := s.start(s.diesWhen("worktree"), args...); r.wait() != -9 {
			t.Fatal(r.said())
		}
		ids, err := s.store().IDs()
		if err != nil || len(ids) != len(before)+1 {
			t.Fatalf("runs %v, %v", ids, err)
		}
		said := s.must(2, args...)
		id := ids[slices.IndexFunc(ids, func(id string) bool { return !slices.Contains(before, id) })]
		if !strings.Contains(said, "run "+id+" of this plan is not finished: it was interrupted") || !strings.Contains(said, "'wiki loop resume "+id+"' to continue it") {
			t.Errorf("it says %s", said)
		}
	}
}

// TestGCRemovesTempDirsOfKilledRuns kills a runner while its writer works. Its temporary
// folder goes when it is found dead, and not while it lives; one of that name that
// nobody here made stays.
func TestGCRemovesTempDirsOfKilledRuns(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{"resumed": {"loop", "resume", "latest"}, "another run": {"loop", "run", shopPlan, "--agent", "command"}, "collected": {"loop", "gc"}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, source := newIntake(t)
			temp := filepath.Join(s.dir, "temp")
			s.write(temp, "wiki-run-of-another/notes", "")
			s.env = append(s.env, "TMPDIR="+temp)
			left := func() int {
				all, err := filepath.Glob(filepath.Join(temp, "wiki-run-*"))
				if err != nil {
					t.Fatal(err)
				}
				return len(all) - 1
			}
			s.block("writer-1")
			r := s.start(nil, "ingest", source)
			s.until("the writer works", func() bool { return s.asleep() == 2 })
			s.must(0, "loop", "gc")
			if left() != 2 { // the call's own, and its home
				t.Fatalf("%d folders while it works", left())
			}
			r.signal(syscall.SIGKILL)
			if r.wait() != -9 {
				t.Fatal(r.said())
			}
			s.unblock("writer-1")
			if left() != 2 {
				t.Fatalf("%d folders are left by what was killed", left())
			}
			if _, said := s.wiki(args...); left() != 0 {
				t.Errorf("%d folders after %v:\n%s", left(), args, said)
			}
		})
	}
}
