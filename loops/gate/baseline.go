package gate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
)

var _ = register(Gate{
	ID:     "baseline",
	Stages: []loops.Stage{loops.StageBaseline},
	Doc:    "The base builds, and its linters and tests pass, the tests more than once, unless the run repairs it; what failed there is recorded, and so are flaky tests.",
	phase:  phaseCommand,
	judge:  judgeBaseline,
})

func judgeBaseline(ctx context.Context, j *judge) ([]loops.GateResult, error) {
	b := &base{judge: j}
	red, err := b.commands(ctx)
	if err != nil {
		return nil, err
	}
	if len(red) > 0 && j.c.Start.Repair == loops.NoRepair {
		return environment(red), nil
	}
	known, runs, err := j.learn(ctx, j.now)
	if err != nil {
		return nil, err
	}
	for _, run := range runs {
		if run.greens == 0 {
			red = append(red, run.last)
		}
	}
	if len(red) > 0 {
		if ok, err := j.mayRepair(ctx, red); err != nil || !ok {
			return environment(red), err
		}
	}
	if err := j.remember(j.now, known); err != nil {
		return nil, err
	}
	if len(red) > 0 {
		for _, run := range runs {
			b.tests(run)
		}
		return b.recorded(), nil
	}
	if err := j.keepGreen(); err != nil {
		return nil, err
	}
	if names := known.flaky(); len(names) > 0 {
		return []loops.GateResult{{Effect: loops.Note, Reason: []loops.Reason{{Message: "flaky on the base, so they need to pass once in three runs: " + strings.Join(names, ", ")}}}}, nil
	}
	return passed(), nil
}

// environment makes red results those of a base that nobody may repair.
func environment(red []loops.GateResult) []loops.GateResult {
	for i := range red {
		red[i].Effect = loops.Environment
	}
	return red
}

// knowledge is what is known of a tree's tests.
type knowledge struct {
	Version int `json:"version"`
	// FlakyCommands were red once and green once, FlakyTests are those that were
	// in a command that names them.
	FlakyCommands []string `json:"flaky_commands,omitempty"`
	FlakyTests    []string `json:"flaky_tests,omitempty"`
	// Passed and Skipped are the tests of all commands that name them.
	Passed  []string `json:"passed,omitempty"`
	Skipped []string `json:"skipped,omitempty"`
}

func (k *knowledge) flaky() []string {
	if len(k.FlakyTests) > 0 {
		return k.FlakyTests
	}
	return k.FlakyCommands
}

// sameRuns are the runs of a test command on one tree.
type sameRuns struct {
	command         string
	greens, reds    int
	last            loops.GateResult // of a red run
	output          string           // of a red run
	passed, failed  map[string]bool  // in one run or more
	skipped, unsure map[string]bool  // unsure are those that were both
}

// repeat runs a test command: as often as Repeat says, and three times if one is red.
func (j *judge) repeat(ctx context.Context, command string, t *tree) (*sameRuns, error) {
	all := &sameRuns{command: command, passed: map[string]bool{}, failed: map[string]bool{}, skipped: map[string]bool{}, unsure: map[string]bool{}}
	for n := 0; n < j.Repeat || all.reds > 0 && n < baseRuns; n++ {
		run, err := j.runTests(ctx, "baseline", command, t)
		if err != nil {
			return nil, err
		}
		if run.outcome.green() {
			all.greens++
		} else {
			all.reds++
			all.last, all.output = j.result(run.outcome), run.outcome.output
			if all.last.Effect == loops.Environment {
				break
			}
		}
		mergeInto(all.passed, run.passed)
		mergeInto(all.skipped, run.skipped)
		mergeInto(all.failed, run.failed)
	}
	for name := range all.failed {
		if all.passed[name] {
			all.unsure[name] = true
			delete(all.passed, name)
			delete(all.failed, name)
		}
	}
	return all, nil
}

// baseRuns is how often a red test command is run to know which tests are flaky.
const baseRuns = 3

// learn runs the tests of a tree several times. It returns the runs of the commands
// that were red at least once.
func (j *judge) learn(ctx context.Context, t *tree) (known *knowledge, red []*sameRuns, err error) {
	known = &knowledge{Version: 1}
	passed, skipped := map[string]bool{}, map[string]bool{}
	for _, command := range j.commands.Test {
		all, err := j.repeat(ctx, command, t)
		if err != nil {
			return nil, nil, err
		}
		mergeInto(passed, all.passed)
		mergeInto(skipped, all.skipped)
		if all.reds == 0 {
			continue
		}
		red = append(red, all)
		if all.greens > 0 {
			known.FlakyCommands = append(known.FlakyCommands, command)
			mergeInto(all.unsure, all.failed) // a green run that does not name them passed them
			clear(all.failed)
		}
		known.FlakyTests = append(known.FlakyTests, keysOf(all.unsure, nil)...)
	}
	known.Passed, known.Skipped = keysOf(passed, nil), keysOf(skipped, nil)
	slices.Sort(known.FlakyTests)
	return known, red, nil
}

func mergeInto(to, from map[string]bool) {
	for name := range from {
		to[name] = true
	}
}

// recall returns what is known of the tree before the chunk, and learns it first
// where nobody did.
func (j *judge) recall(ctx context.Context) (*knowledge, error) {
	if k := j.stored(); k != nil {
		return k, nil
	}
	t, err := j.another(ctx, j.ref, func(*tree) error { return nil })
	if err != nil {
		return nil, err
	}
	k, _, err := j.learn(ctx, t)
	if err != nil {
		return nil, err
	}
	return k, j.remember(j.was, k)
}

// stored returns what was learned of the tree before the chunk, nil if nothing was.
func (j *judge) stored() *knowledge {
	src, err := files.ReadPath(j.knowledgeFile(j.was), files.Run)
	k := &knowledge{}
	if err != nil || json.Unmarshal(src, k) != nil || k.Version != 1 {
		return nil
	}
	return k
}

func (j *judge) remember(t *tree, k *knowledge) error {
	src, err := json.Marshal(k)
	if err != nil {
		return err
	}
	file := j.knowledgeFile(t)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	temp, err := os.CreateTemp(filepath.Dir(file), "new-*")
	if err != nil {
		return err
	}
	_, err = temp.Write(src)
	if err := errors.Join(err, temp.Close()); err != nil {
		return err
	}
	return os.Rename(temp.Name(), file)
}

func (j *judge) knowledgeFile(t *tree) string {
	sum := sha256.Sum256([]byte(t.id + "\x00" + strings.Join(j.commands.Test, "\x00")))
	return j.store("tests", hex.EncodeToString(sum[:12])+".json")
}
