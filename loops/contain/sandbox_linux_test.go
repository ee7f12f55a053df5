package contain

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema/schematest"
)

// needLevel skips the test where nothing can be kept in at a level.
func needLevel(t *testing.T, level loops.Level) {
	t.Helper()
	program := map[loops.Level]string{loops.Bubblewrap: "bwrap"}[level]
	got, _ := New(self(), Options{AtMost: level}).Level()
	schematest.Need(t, cmp.Or(program, string(level)), got == level, string(level)+" does not work here")
}

// inSandboxes runs a script in each sandbox.
func inSandboxes(t *testing.T, script string, prepare func(*trial), check func(*trial, loops.Exit)) {
	t.Helper()
	for _, level := range []loops.Level{loops.Bubblewrap, loops.Landlock} {
		t.Run(string(level), func(t *testing.T) {
			t.Parallel()
			needLevel(t, level)
			r := try(t, script)
			r.process.Require = true
			prepare(r)
			exit := r.run(Options{AtMost: level})
			if exit.Level != level {
				t.Errorf("it ran in %s, not %s", exit.Level, level)
			}
			check(r, exit)
		})
	}
}

func TestWritesStayWithin(t *testing.T) {
	t.Parallel()
	inSandboxes(t, `
		echo fine > in && mkdir a b && echo x > a/x && mv a/x b/y && ln b/y c && echo gone >/dev/null || exit 9
		ln -s ../outside link
		for f in ../new ../outside/new link/new ../outside/old /tmp/wiki-contain-test /etc/wiki-contain-test /dev/shm/../../var/wiki-contain-test; do
			(echo bad > "$f") 2>/dev/null && echo "wrote $f"
		done
		mkdir ../made 2>/dev/null && echo "made a folder"
		rm -f ../outside/old 2>/dev/null && test ! -e ../outside/old && echo "removed"
		mv ../outside/old here 2>/dev/null && echo "moved in"
		ln ../outside/old hard 2>/dev/null && echo bad > hard && echo "linked"
		truncate -s 0 ../outside/old 2>/dev/null && echo "cut"
		sh -c 'echo bad > ../child' 2>/dev/null && echo "a child wrote"
		cat ../outside/old`,
		func(r *trial) {
			outside := filepath.Join(filepath.Dir(r.dir), "outside")
			if err := os.Mkdir(outside, 0o755); err != nil {
				r.t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(outside, "old"), []byte("old"), 0o644); err != nil {
				r.t.Fatal(err)
			}
		},
		func(r *trial, exit loops.Exit) {
			r.want(exit, loops.Exit{Why: loops.Exited})
			if r.stdout() != "old" {
				r.t.Errorf("it could: %s", r.stdout())
			}
			if got := r.read(filepath.Join(r.dir, "b/y")); got != "x" {
				r.t.Errorf("it could not move a file: %q", got)
			}
			if got := r.read(filepath.Join(filepath.Dir(r.dir), "outside/old")); got != "old" {
				r.t.Errorf("the file outside is %q", got)
			}
		})
}

func TestGitIsForReading(t *testing.T) {
	t.Parallel()
	schematest.NeedGit(t)
	var before string
	inSandboxes(t, `
		echo changed >> file
		git status --porcelain || echo "status failed"
		git diff --stat >/dev/null || echo "diff failed"
		for c in "add file" "commit -qam x" "config core.hooksPath /evil" "update-ref refs/heads/main HEAD~1" "stash" "branch -f main HEAD~1" "tag t"; do
			git -c user.name=a -c user.email=a@example.org $c >/dev/null 2>&1 && echo "could $c"
		done
		echo 'exit 0' > "$(git rev-parse --git-common-dir)/hooks/pre-commit" && echo "made a hook"
		true`,
		func(r *trial) {
			main := filepath.Join(filepath.Dir(r.dir), "main")
			r.process.Env = append(r.process.Env, "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
			if err := os.Remove(r.dir); err != nil {
				r.t.Fatal(err)
			}
			for _, args := range [][]string{
				{"init", "-q", "-b", "main", main}, {"-C", main, "commit", "-q", "--allow-empty", "-m", "0"},
				{"-C", main, "commit", "-q", "--allow-empty", "-m", "1"}, {"-C", main, "worktree", "add", "-q", "-b", "loop/x", r.dir},
			} {
				gitIn(r.t, args...)
			}
			if err := os.WriteFile(filepath.Join(r.dir, "file"), []byte("a\n"), 0o644); err != nil {
				r.t.Fatal(err)
			}
			gitIn(r.t, "-C", r.dir, "add", "file")
			gitIn(r.t, "-C", r.dir, "commit", "-qm", "2")
			before = gitIn(r.t, "-C", main, "for-each-ref")
		},
		func(r *trial, exit loops.Exit) {
			r.want(exit, loops.Exit{Why: loops.Exited})
			if r.stdout() != "M file" {
				r.t.Errorf("git: %s", r.stdout())
			}
			main := filepath.Join(filepath.Dir(r.dir), "main")
			if after := gitIn(r.t, "-C", main, "for-each-ref"); !strings.HasSuffix(after, "refs/heads/main\n") || before == "" {
				r.t.Errorf("refs are\n%s", after)
			}
		})
}

// gitIn runs git with no configuration of this machine.
func gitIn(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "core.fsmonitor=false"}, args...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1"}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

func TestHiddenIsNotRead(t *testing.T) {
	t.Parallel()
	inSandboxes(t, `
		cat ../home/.ssh/id ../home/.netrc ../home/way-in/id 2>/dev/null
		echo more >> ../home/.ssh/id
		cat ../home/.bashrc ../home/.config/tool/settings
		ls / >/dev/null && test -r /etc/passwd || echo "the rest can not be read"`,
		func(r *trial) {
			home := filepath.Join(filepath.Dir(r.dir), "home")
			for name, text := range map[string]string{
				".ssh/id": "the key\n", ".netrc": "the login\n", ".bashrc": "ordinary\n", ".config/tool/settings": "settings\n", ".config/gh/hosts.yml": "x",
			} {
				if err := os.MkdirAll(filepath.Join(home, filepath.Dir(name)), 0o755); err != nil {
					r.t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o644); err != nil {
					r.t.Fatal(err)
				}
			}
			if err := os.Symlink(".ssh", filepath.Join(home, "way-in")); err != nil {
				r.t.Fatal(err)
			}
			r.process.Hidden = Hidden(home)
		},
		func(r *trial, exit loops.Exit) {
			r.want(exit, loops.Exit{Why: loops.Exited})
			if r.stdout() != "ordinary\nsettings" {
				r.t.Errorf("it read\n%s\nstderr: %s", r.stdout(), r.stderr())
			}
			if got := r.read(filepath.Join(filepath.Dir(r.dir), "home/.ssh/id")); got != "the key" {
				r.t.Errorf("the key is %q", got)
			}
		})
}

// TestTheSupervisorCanNotBeReached has a program that turns upon what watches it.
func TestTheSupervisorCanNotBeReached(t *testing.T) {
	t.Parallel()
	inSandboxes(t, `kill -KILL $WATCHER 2>/dev/null && echo killed; cat /proc/$WATCHER/environ /proc/$PPID/mem >/dev/null 2>&1 && echo read; true`,
		func(r *trial) {
			outside := exec.Command("sleep", "1000")
			if err := outside.Start(); err != nil {
				r.t.Fatal(err)
			}
			r.t.Cleanup(func() { outside.Process.Kill(); outside.Wait() })
			r.process.Env = append(r.process.Env, "WATCHER="+strconv.Itoa(outside.Process.Pid))
		},
		func(r *trial, exit loops.Exit) {
			r.want(exit, loops.Exit{Why: loops.Exited})
			if r.stdout() != "" {
				r.t.Errorf("it %s", r.stdout())
			}
		})
}

func TestInTheSandboxTheEndIsTheSame(t *testing.T) {
	t.Parallel()
	inSandboxes(t, `setsid sleep 1000 & trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.05; done`,
		func(r *trial) { // a busy machine starts a sandbox and a trap by then
			r.process.Silence, r.process.Grace = 5*time.Second, 30*time.Second
		},
		func(r *trial, exit loops.Exit) {
			if exit.Why != loops.EndedSilence || r.stdout() != "up\nbye" {
				r.t.Errorf("%+v: %q", exit, r.stdout())
			}
		})
}

func TestLevelListsWhatIsNotPrevented(t *testing.T) {
	t.Parallel()
	for _, level := range []loops.Level{loops.Bubblewrap, loops.Landlock, loops.Bare} {
		got, open := New(self(), Options{AtMost: level}).Level()
		if level == loops.Bare && got != loops.Bare {
			t.Errorf("no more than %s gives %s", level, got)
		}
		if !slices.Contains(open, "the network") {
			t.Errorf("%s: what is open is %q", got, open)
		}
	}
	if lost := Losses(Options{AtMost: loops.Bare}); len(lost) != 2 || lost[0].Why != "it is switched off" || !slices.Contains(lost[1].Open, openBare[0]) {
		t.Errorf("without a sandbox is lost: %+v", lost)
	}
	if lost := Losses(Options{Bubblewrap: "/no/such/program"}); len(lost) == 0 || lost[0].Level != loops.Bubblewrap || lost[0].Why != "bwrap is not on the PATH" || !slices.Contains(lost[0].Open, openLandlock[0]) && len(lost) == 1 {
		t.Errorf("without bubblewrap is lost: %+v", lost)
	}
	if got, _ := New(self(), Options{AtMost: loops.Bubblewrap, Bubblewrap: "/no/such/program"}).Level(); got == loops.Bubblewrap {
		t.Error("bubblewrap without bubblewrap")
	}
}
