//go:build unix

package gate

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/loopwiki/wiki/loops"
)

func TestBaseline(t *testing.T) {
	t.Parallel()
	mark := filepath.Join(t.TempDir(), "count") // lets a command know that it ran before
	for name, c := range map[string]struct {
		commands loops.GateCommands
		effect   loops.Effect
		gate     string
		says     string
		class    string
	}{
		"green":             {loops.GateCommands{Build: []string{"true"}, Test: []string{"sh ./test.sh"}}, loops.Passed, "", "", ""},
		"red":               {loops.GateCommands{Test: []string{"sh ./test.sh", "echo '--- FAIL: TestX (0s)'; exit 1"}}, loops.Environment, "baseline", "TestX", loops.ClassAssertion},
		"red lint":          {loops.GateCommands{Lint: []string{"false"}}, loops.Environment, "baseline", "false: exit status 1", loops.ClassUnknown},
		"a missing one":     {loops.GateCommands{Test: []string{"no-such-tool-here --all"}}, loops.Environment, "baseline", "no-such-tool-here is not on", loops.ClassCommandMissing},
		"flaky on the base": {loops.GateCommands{Test: []string{"test -e " + mark + " || { touch " + mark + "; exit 1; }"}}, loops.Note, "baseline", "flaky on the base", ""},
		"setup":             {loops.GateCommands{Setup: []string{"false"}}, loops.Environment, "setup", "exit status 1", loops.ClassUnknown},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := newJudged(newRepo(t, shop))
			j.stage, j.commands = loops.StageBaseline, c.commands
			for _, r := range j.expect(c.effect, c.gate, c.says) {
				if r.Effect == c.effect && c.class != "" && r.Class != c.class {
					t.Errorf("the class is %s", r.Class)
				}
			}
		})
	}
}

// A test that is red on the base now and then blames nobody, as long as it passes once in
// three runs; one that never was red does.
func TestFlakyTestsPassOnceInThreeRuns(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change string
		effect loops.Effect
	}{
		"the known one":         {"-- doc.md --\n# S\n", loops.Note},
		"the known one, dead":   {"-- never.txt --\nx\n", loops.Red},
		"another, steadily red": {"-- lib.sh --\nadd() { echo 1; }\n", loops.Red},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRepo(t, shop)
			count := filepath.Join(t.TempDir(), "count")
			// Green at the second call of three.
			flaky := "echo x >> " + count + "; sh ./test.sh; s=$?; if [ $(($(wc -l < " + count + ") % 3)) = 2 ] && ! test -e never.txt; then echo 'ok 2 - moody'; else echo 'not ok 2 - moody'; exit 1; fi; exit $s"
			j := shell(r)
			j.commands.Test = []string{flaky}
			j.stage = loops.StageBaseline
			j.expect(loops.Note, "baseline", "moody")
			r.write(c.change)
			j.stage = loops.StageChunk
			j.expect(c.effect, "test", "")
		})
	}
}

// The goal is what the maker does not know: its words are hidden.
func TestGoal(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		goal   string
		checks []string
		effect loops.Effect
	}{
		"met":       {"grep -q Shop doc.md", []string{"sh ./test.sh"}, loops.Passed},
		"not met":   {"grep -q Ship doc.md", nil, loops.Red},
		"red check": {"true", []string{"exit 4"}, loops.Red},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := shell(newRepo(t, shop))
			j.stage, j.plan.Goal, j.plan.Checks = loops.StageGoal, c.goal, c.checks
			gate := "goal"
			if c.effect == loops.Passed {
				gate = ""
			}
			results := j.expect(c.effect, gate, "exit status")
			if len(results) != 1 || !results[0].Hidden {
				t.Errorf("%+v", results)
			}
		})
	}
}

func TestTimeout(t *testing.T) {
	t.Parallel()
	j := shell(newRepo(t, shop))
	j.stage, j.plan.Goal, j.timeout = loops.StageGoal, "sleep 600", 50*time.Millisecond
	if r := j.expect(loops.Red, "goal", "took longer than 50ms"); r[0].Class != loops.ClassTimeout {
		t.Error(r[0].Class)
	}
}

// Commands get a home of their own and the runner's PATH, a repository of one
// commit, and no way into the real one.
func TestSealedExport(t *testing.T) {
	t.Parallel()
	r := newRepo(t, shop)
	j := shell(r)
	j.stage = loops.StageGoal
	j.plan.Goal = `test "$(git rev-list --count HEAD)" = 1 && test -z "$(git status --porcelain)" && test -z "$(ls -A "$HOME")" && test "$HOME" != "` + r.dir + `" && case "$(git rev-parse --show-toplevel)" in "` + r.dir + `") false;; esac && echo changed > lib.sh`
	for range 2 { // what a command changes is gone with its export
		j.expect(loops.Passed, "", "")
	}
	if src, err := os.ReadFile(filepath.Join(r.dir, "lib.sh")); err != nil || !strings.HasPrefix(string(src), "add()") {
		t.Errorf("%q, %v", src, err)
	}
}

// Setup runs once for every state of the base's lock files, and its outputs are there in
// later exports. What it leaves for other lock files is for one judgement.
func TestSetup(t *testing.T) {
	t.Parallel()
	r := newRepo(t, shop+"-- package-lock.json --\n{}\n")
	count := filepath.Join(t.TempDir(), "count")
	j := shell(r)
	j.commands.Setup = []string{"echo x >> " + count + "; mkdir -p node_modules/left && echo left > node_modules/left/index.js"}
	j.plan.Goal = "test -f node_modules/left/index.js && test -z \"$(git status --porcelain)\""
	calls := func() int {
		src, err := os.ReadFile(count)
		if err != nil {
			t.Fatal(err)
		}
		return strings.Count(string(src), "x")
	}
	for _, j.stage = range []loops.Stage{loops.StageBaseline, loops.StageGoal, loops.StageGoal} {
		j.expect(loops.Passed, "", "")
	}
	if n := calls(); n != 1 {
		t.Errorf("setup ran %d times for one state", n)
	}
	r.write("-- package-lock.json --\n{\"a\": 1}\n-- doc.md --\n# S\n")
	j.stage = loops.StageChunk
	for n := 2; n < 4; n++ {
		j.expect(loops.Passed, "", "")
		if calls() != n {
			t.Errorf("setup ran %d times, want %d", calls(), n)
		}
	}
	j.commands.Setup = []string{"! grep -q a package-lock.json"}
	j.expect(loops.Red, "setup", "exit status 1")
}

// The whole output lies in the candidate's folder, its end in the result.
func TestOutputIsLimited(t *testing.T) {
	t.Parallel()
	j := shell(newRepo(t, shop))
	j.stage, j.plan.Goal = loops.StageGoal, "seq 1 20000; exit 1"
	r := j.expect(loops.Red, "goal", "exit status 1")
	if n := len(r[0].Output); n > shownOutput+10 || !strings.HasSuffix(r[0].Output, "20000\n") || r[0].Same == "" {
		t.Errorf("%d bytes, %q", n, r[0].Output[max(0, n-20):])
	}
}

// Tests that the chunk before added are as safe as those of the base.
func TestLaterChunks(t *testing.T) {
	t.Parallel()
	r := newRepo(t, shop)
	r.write("-- lib.sh --\nadd() { echo $(($1 + $2)); }\nsub() { echo $(($1 - $2)); }\n-- tests/sub.sh --\n. ./lib.sh\n[ \"$(sub 3 2)\" = 1 ]\n")
	j := shell(r)
	j.last = r.tree()
	r.write("-- tests/sub.sh --\ntrue\n")
	j.expect(loops.Violation, "protected", "tests/sub.sh")
	r.write("-- tests/sub.sh --\n-- lib.sh --\nadd() { echo $(($1 + $2)); }\n")
	j.expect(loops.Violation, "protected", "tests/sub.sh")
}

func TestRegistry(t *testing.T) {
	t.Parallel()
	last := ""
	for _, g := range All() {
		if g.ID <= last || !strings.HasSuffix(g.Doc, ".") || strings.Count(g.Doc, ". ") > 0 {
			t.Errorf("%s after %s: %q is not one sentence", g.ID, last, g.Doc)
		}
		last = g.ID
	}
	if len(All()) < 16 {
		t.Errorf("there are %d gates", len(All()))
	}
}
