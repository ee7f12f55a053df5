//go:build unix

package gate

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/loopwiki/wiki/loops"
)

// TestEvaluatorsScoreATree runs the commands and gates of a declared loop: on what the base's
// protected files say, and with no excuse for what a repair found.
func TestEvaluatorsScoreATree(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change string
		by     loops.Evaluation
		effect loops.Effect
		score  string // "" is none
		says   string
	}{
		"a command that succeeds":      {"-- doc.md --\n# S\n", loops.Evaluation{Command: "grep -q S doc.md"}, loops.Passed, "", ""},
		"a command that fails":         {"-- doc.md --\n# T\n", loops.Evaluation{Command: "grep -q S doc.md"}, loops.Red, "", "grep -q S doc.md: exit status 1"},
		"a score":                      {"-- doc.md --\n# S\n", loops.Evaluation{Command: `echo '{"score": 0.25}'; echo done`}, loops.Passed, "0.25", ""},
		"the last of two scores":       {"-- doc.md --\n# S\n", loops.Evaluation{Command: `echo '{"score": 1}'; echo '{"score": 0.5}'; exit 1`}, loops.Red, "0.5", "exit status 1"},
		"a score that is none":         {"-- doc.md --\n# S\n", loops.Evaluation{Command: `echo '{"score": "high"}'; echo 'no "score" here'`}, loops.Passed, "", ""},
		"a tool that is missing":       {"-- doc.md --\n# S\n", loops.Evaluation{Command: "no-such-tool-here"}, loops.Environment, "", "no-such-tool-here is not on"},
		"a command without end":        {"-- doc.md --\n# S\n", loops.Evaluation{Command: "sleep 60"}, loops.Red, "", "took longer than"},
		"the tests pass":               {"-- doc.md --\n# S\n", loops.Evaluation{Gate: "test"}, loops.Passed, "", ""},
		"the tests fail":               {"-- lib.sh --\nadd() { echo 1; }\n", loops.Evaluation{Gate: "test"}, loops.Red, "", "sh test.sh: exit status 1"},
		"the tests fail, and are gone": {"-- lib.sh --\nadd() { echo 1; }\n-- tests/add.sh --\ntrue\n", loops.Evaluation{Gate: "test"}, loops.Red, "", "sh test.sh: exit status 1"},
		"a script that says yes":       {"-- score.sh --\necho '{\"score\": 1}'\n", loops.Evaluation{Command: "sh score.sh"}, loops.Red, "", "exit status 3"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRepo(t, shop+"-- score.sh --\nexit 3\n")
			r.write(c.change)
			j := newJudged(r)
			c.by.ID = "it"
			j.stage, j.part, j.declared = loops.StageEvaluate, "it", &loops.Declared{Path: "loop.yaml", Evaluators: []loops.Evaluation{c.by}}
			j.commands, j.timeout = loops.GateCommands{Test: []string{"sh test.sh"}}, 2*time.Second
			j.failures = []loops.BaseFailure{{Gate: "test", Command: "sh test.sh", Test: "tests/add.sh", Outcome: loops.BaseFailed}}
			var worst loops.GateResult
			for _, g := range j.judge() {
				if g.Gate == "evaluate" {
					worst = g
				}
			}
			score := ""
			if worst.Score != nil {
				score = fmt.Sprint(*worst.Score)
			}
			if worst.Effect != c.effect || score != c.score {
				t.Errorf("%s with the score %q, want %s with %q", worst.Effect, score, c.effect, c.score)
			}
			if got := said([]loops.GateResult{worst}); !strings.Contains(got, c.says) {
				t.Errorf("it says %q, want %q", got, c.says)
			}
		})
	}
}

// TestEvaluatorsSeeTestsThatDidNotRun has code end the tests before they run, with success.
func TestEvaluatorsSeeTestsThatDidNotRun(t *testing.T) {
	t.Parallel()
	r := newRepo(t, price)
	for code, want := range map[string]loops.Effect{"": loops.Passed, "func init() { os.Exit(0) }\n": loops.Red} {
		r.write("-- end.go --\npackage price\n\nimport \"os\"\n\nvar _ = os.Exit\n\n" + code)
		j := newJudged(r)
		j.stage, j.part, j.declared = loops.StageEvaluate, "it", &loops.Declared{Path: "loop.yaml", Evaluators: []loops.Evaluation{{ID: "it", Gate: "test"}}}
		j.commands = loops.GateCommands{Test: []string{"go test ./..."}}
		if got := j.judge(); loops.Worst(got) != want {
			t.Errorf("%q: %s, want %s", code, said(got), want)
		}
	}
}

// TestWorkersChangeNothingThatJudges looks at what a worker changed before anybody goes on.
func TestWorkersChangeNothingThatJudges(t *testing.T) {
	t.Parallel()
	for change, says := range map[string]string{
		"-- lib.sh --\nadd() { echo 1; }\n": "", "-- score.sh --\ntrue\n": "protected: violation", "-- loop.yaml --\nloop_name: other\n": "protected: violation",
		"-- child.yaml --\nloop_name: other\n": "protected: violation", "-- tests/add.sh --\ntrue\n": "protected: violation",
		"-- key.txt --\nsk-proj-Zx81TqL0aPwN7yRk39Vb2Mc6\n": "secrets: violation",
	} {
		r := newRepo(t, shop+"-- score.sh --\nexit 3\n-- loop.yaml --\nloop_name: it\n-- child.yaml --\nloop_name: child\n")
		r.write(change)
		j := newJudged(r)
		j.stage, j.declared = loops.StageGuard, &loops.Declared{Path: "loop.yaml", Evaluators: []loops.Evaluation{{ID: "it", Command: "sh score.sh"}}, Children: []loops.Child{{ID: "c", Loop: &loops.Declared{Path: "child.yaml"}}}}
		if got := said(j.judge()); (got == "") != (says == "") || !strings.Contains(got, says) {
			t.Errorf("%q: %q, want %q", change, got, says)
		}
	}
}
