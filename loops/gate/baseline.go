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
	Doc:    "The base builds, and its tests and linters pass more than once; flaky tests are recorded and don't fail a chunk later.",
	phase:  phaseCommand,
	judge:  judgeBaseline,
})

func judgeBaseline(ctx context.Context, j *judge) ([]loops.GateResult, error) {
	var out []loops.GateResult
	for _, commands := range [][]string{j.commands.Build, j.commands.Lint} {
		for _, command := range commands {
			o, err := j.run(ctx, "baseline", command, j.now.dir)
			if err != nil {
				return nil, err
			}
			if r := j.result(o); r.Effect != loops.Passed {
				r.Effect = loops.Environment
				out = append(out, r)
			}
		}
	}
	if len(out) > 0 {
		return out, nil
	}
	known, red, err := j.learn(ctx, j.now)
	if err != nil {
		return nil, err
	}
	for i := range red {
		red[i].Effect = loops.Environment
	}
	if len(red) > 0 {
		return red, nil
	}
	if err := j.remember(j.now, known); err != nil {
		return nil, err
	}
	if names := known.flaky(); len(names) > 0 {
		return []loops.GateResult{{Effect: loops.Note, Reason: []loops.Reason{{Message: "flaky on the base, so their failures don't count: " + strings.Join(names, ", ")}}}}, nil
	}
	return passed(), nil
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

// learn runs the tests of a tree several times. red are the results of commands
// that were never green.
func (j *judge) learn(ctx context.Context, t *tree) (known *knowledge, red []loops.GateResult, err error) {
	known = &knowledge{Version: 1}
	passed, skipped := map[string]bool{}, map[string]bool{}
	for _, command := range j.commands.Test {
		greens, reds := 0, 0
		var last loops.GateResult
		failed := map[string]bool{}
		for n := 0; n < j.Repeat || greens == 0 && n < j.Repeat+1; n++ {
			run, err := j.runTests(ctx, "baseline", command, t)
			if err != nil {
				return nil, nil, err
			}
			if run.outcome.green() {
				greens++
			} else {
				reds++
				last = j.result(run.outcome)
				if last.Effect == loops.Environment {
					break
				}
			}
			mergeInto(passed, run.passed)
			mergeInto(skipped, run.skipped)
			mergeInto(failed, run.failed)
		}
		switch {
		case greens == 0:
			red = append(red, last)
		case reds > 0:
			known.FlakyCommands = append(known.FlakyCommands, command)
			for name := range failed {
				delete(passed, name)
				known.FlakyTests = append(known.FlakyTests, name)
			}
		}
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
	src, err := files.ReadPath(j.knowledgeFile(j.was), files.Run)
	if err == nil {
		k := &knowledge{}
		if json.Unmarshal(src, k) == nil && k.Version == 1 {
			return k, nil
		}
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
