//go:build unix

package gate

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/loops"
)

// wrong is a shop whose sum is wrong, whose name is right, and whose linter is not content.
const wrong = `-- test.sh --
for t in tests/*.sh; do
	if sh "$t"; then echo "ok 1 - $t"; else echo "not ok 1 - $t"; red=1; fi
done
exit ${red:-0}
-- tests/add.sh --
. ./lib.sh
[ "$(add 2 3)" = 5 ]
-- tests/name.sh --
. ./lib.sh
[ "$name" = Shop ]
-- tests/sub.sh --
. ./lib.sh
[ "$(sub 3 2)" = 1 ]
-- lint.sh --
! grep -n LATER lib.sh /dev/null
-- lib.sh --
name=Shop
add() { echo 1; }
sub() { echo 5; } # LATER
`

// repairing returns the judgement of a chunk that repairs, after that of the base.
func repairing(t *testing.T, commands loops.GateCommands) *judged {
	t.Helper()
	j := newJudged(newRepo(t, wrong))
	j.commands, j.repair, j.stage = commands, loops.RepairAsked, loops.StageBaseline
	for _, r := range j.expect(loops.Note, "baseline", "on the base") {
		j.failures = append(j.failures, r.Failed...)
	}
	j.stage = loops.StageChunk
	return j
}

func TestRepairNeedsSomebodysWord(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		repair loops.Repair
		goal   string
		tests  string
		effect loops.Effect
	}{
		"nobody's":               {loops.NoRepair, "sh ./test.sh", "sh ./test.sh", loops.Environment},
		"a person's":             {loops.RepairAsked, "true", "sh ./test.sh", loops.Note},
		"a task's":               {loops.RepairVerify, "sh ./test.sh", "sh ./test.sh", loops.Note},
		"a task's about another": {loops.RepairVerify, "true", "sh ./test.sh", loops.Environment},
		"without the tool":       {loops.RepairAsked, "true", "no-such-tool-here", loops.Environment},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := newJudged(newRepo(t, wrong))
			j.stage, j.repair, j.plan.Goal, j.commands.Test = loops.StageBaseline, c.repair, c.goal, []string{c.tests}
			j.expect(c.effect, "baseline", "")
		})
	}
}

func TestRepair(t *testing.T) {
	t.Parallel()
	tests := loops.GateCommands{Test: []string{"sh ./test.sh"}, Lint: []string{"sh ./lint.sh"}}
	const all = "-- lib.sh --\nname=Shop\nadd() { echo $(($1 + $2)); }\nsub() { echo $(($1 - $2)); }\n"
	const add = "-- lib.sh --\nname=Shop\nadd() { echo $(($1 + $2)); }\nsub() { echo 5; } # LATER\n"
	for name, c := range map[string]struct {
		commands     loops.GateCommands
		text, change string
		goal         bool
		allowed      string
		effect       loops.Effect
		gate, says   string
	}{
		"all":                      {tests, "`tests/add.sh`", all, false, "", loops.Passed, "", ""},
		"what is named":            {tests, "`tests/add.sh` is wrong", add, false, "", loops.Note, "test", "red, as on the base: tests/sub.sh"},
		"not what is named":        {tests, "`tests/sub.sh` is wrong", add, false, "", loops.Red, "repair", "tests/sub.sh passed in 0 of 5 runs: it fails"},
		"another broken":           {tests, "", "-- lib.sh --\nname=Chop\nadd() { echo $(($1 + $2)); }\nsub() { echo 5; } # LATER\n", false, "", loops.Red, "test", "tests/name.sh fails, and did not before"},
		"another left out":         {tests, "", "-- lib.sh --\ncase $0 in */name.sh) echo done; kill $PPID;; esac\nadd() { echo 1; }\n", false, "", loops.Red, "test", "tests/name.sh passed before and did not run"},
		"a finding more":           {tests, "", add + "# LATER\n", false, "", loops.Red, "lint", "a finding that the base had not: lib.sh:#:# LATER"},
		"at the end, all":          {tests, "", all, true, "", loops.Passed, "", ""},
		"at the end, not all":      {tests, "", strings.ReplaceAll(add, " # LATER", ""), true, "", loops.Red, "repaired", "tests/sub.sh still fails"},
		"at the end, a red linter": {tests, "", all + "# LATER\n", true, "", loops.Red, "repaired", "sh ./lint.sh: exit status 1"},
		"at the end, allowed":      {tests, "", strings.ReplaceAll(add, " # LATER", ""), true, "tests/sub.sh", loops.Note, "repaired", "tests/sub.sh may fail, as Robin allows: later"},
		"without names":            {loops.GateCommands{Test: []string{"grep -q 5.*5 lib.sh"}}, "", add, false, "", loops.Note, "test", "is red, as on the base"},
		"without names, at end":    {loops.GateCommands{Test: []string{"grep -q 5.*5 lib.sh"}}, "", add, true, "", loops.Red, "repaired", "exit status 1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := repairing(t, c.commands)
			j.plan.Chunks[0].Text = c.text
			if c.allowed != "" {
				j.plan.SpecChanges = []loops.SpecChange{{Tests: []string{c.allowed}, By: "Robin", Reason: "later", Date: "2026-01-02"}}
			}
			j.repo.write(c.change)
			if c.goal {
				j.stage, j.plan.Goal, j.last = loops.StageGoal, "true", j.repo.tree()
			}
			if c.gate == "" {
				if results := j.judge(); loops.Worst(results) >= loops.Red {
					t.Error(said(results))
				}
				return
			}
			j.expect(c.effect, c.gate, c.says)
		})
	}
}

// What the base had is recorded with the place and the body of each test.
func TestRecordOfBase(t *testing.T) {
	t.Parallel()
	j := repairing(t, loops.GateCommands{Test: []string{"sh ./test.sh"}, Lint: []string{"sh ./lint.sh"}})
	var got []string
	for _, f := range j.failures {
		got = append(got, f.Gate+" "+f.String()+" "+strings.Join(f.Findings, ","))
	}
	want := []string{"lint sh ./lint.sh: failed lib.sh:#:sub() { echo #; } # LATER", "test tests/add.sh: failed ", "test tests/sub.sh: failed "}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestNamed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		test, text string
		want       bool
	}{
		"an identifier":     {"example.org/shop.TestTotal", "Make TestTotal pass.", true},
		"a part of another": {"example.org/shop.TestTotal", "Make TestTotals pass.", false},
		"a word":            {"adds", "It adds prices.", false},
		"a word in quotes":  {"adds", "Make \"adds\" pass.", true},
		"a phrase":          {"adds two prices", "The test adds two prices fails.", true},
		"a method":          {"test_total (test_price.TestPrice.test_total)", "test_total fails", true},
		"none":              {"", "the tests fail", false},
	} {
		if got := named(&loops.Chunk{Text: c.text}, &loops.BaseFailure{Test: c.test}); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestGained(t *testing.T) {
	t.Parallel()
	before := findings("a.go:3:1: unused x\nb.go(4,2): error TS1: y\nfine\n  12:5  error  z\n")
	now := findings("a.go:9:1: unused x\na.go:10:1: unused x\nb.go(8,2): error TS1: y\n")
	if got := gained(before, now); !slices.Equal(got, []string{"a.go:#:#: unused x"}) {
		t.Errorf("gained %q of %q", got, before)
	}
}
