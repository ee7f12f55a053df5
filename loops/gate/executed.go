package gate

import (
	"context"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
)

var _ = register(Gate{
	ID:     "executed",
	Stages: []loops.Stage{loops.StageChunk},
	Doc:    "By what the test runners report, every test that passed before the chunk still runs and passes, no further test is skipped, new tests run, and the runner ends by itself.",
	phase:  phaseProof,
	judge:  judgeExecuted,
})

func judgeExecuted(ctx context.Context, j *judge) ([]loops.GateResult, error) {
	if !j.green {
		return nil, nil
	}
	ran, passed, skipped := j.outcomes() // a red run that counts as green was red on the base too
	named := slices.ContainsFunc(j.ran, func(run testRun) bool { return run.passed != nil })
	out, err := j.doubts(ctx)
	if err != nil || len(out) > 0 {
		return because(loops.Violation, loops.ClassTampering, out), err
	}
	known, err := j.recall(ctx)
	if err != nil {
		return nil, err
	}
	if !named && len(known.Passed) == 0 {
		return nil, nil // the commands name no tests
	}
	out = j.notRun(known, ran, skipped)
	if len(out) > 0 {
		return because(loops.Violation, loops.ClassTampering, out), nil
	}
	if out := j.newNotRun(ran, skipped); len(out) > 0 {
		return because(loops.Red, loops.ClassAssertion, out), nil
	}
	now := &knowledge{Version: 1, FlakyCommands: known.FlakyCommands, FlakyTests: known.FlakyTests, Passed: keysOf(passed, nil), Skipped: keysOf(skipped, nil)}
	return []loops.GateResult{{}}, j.remember(j.now, now)
}

// doubts returns why green runs are not what they seem.
func (j *judge) doubts(ctx context.Context) ([]loops.Reason, error) {
	var out []loops.Reason
	for _, run := range j.ran {
		doubted, err := j.doubted(ctx, &run)
		if err != nil {
			return nil, err
		}
		if doubted {
			out = append(out, loops.Reason{Message: run.outcome.command + ": " + run.doubt})
		}
	}
	return out, nil
}

// doubted reports whether a green run is not what it seems. A command that was so on the
// base says nothing of the change.
func (j *judge) doubted(ctx context.Context, run *testRun) (bool, error) {
	if run.doubt == "" || !run.outcome.green() {
		return false, nil
	}
	t, err := j.another(ctx, j.ref, func(*tree) error { return nil })
	if err != nil {
		return false, err
	}
	was, err := j.runTests(ctx, "executed", run.outcome.command, t)
	return err == nil && was.doubt == "", err
}

// notRun returns which tests passed before and were not run, or are skipped.
func (j *judge) notRun(known *knowledge, passed, skipped map[string]bool) []loops.Reason {
	excused := map[string]bool{} // by the last part of their name
	var files []string           // runners that name files tell of them
	for i := range j.changes {
		c := &j.changes[i]
		if matchAny(j.unlocked, c.path) || j.chunk.Tests.Kind == loops.TestsMove && c.path == j.chunk.Tests.From {
			files = append(files, c.path)
			for _, u := range takeApart(c.path, c.old).tests() {
				excused[lastName(u.name)] = true
			}
		}
	}
	var out []loops.Reason
	for _, name := range known.Passed {
		inFile := slices.ContainsFunc(files, func(f string) bool { return strings.Contains(name, f) })
		switch {
		case inFile || excused[lastName(name)] || slices.Contains(known.FlakyTests, name):
		case skipped[name]:
			out = append(out, loops.Reason{Message: name + " passed before and is skipped now"})
		case !passed[name]:
			out = append(out, loops.Reason{Message: name + " passed before and did not run"})
		}
	}
	return out
}

// lastName returns the part of a test's name that its source has too.
func lastName(name string) string {
	if i := strings.IndexByte(name, '['); i > 0 { // parameters of pytest
		name = name[:i]
	}
	if i := strings.Index(name, " ("); i > 0 && strings.HasSuffix(name, ")") && !strings.ContainsAny(name[:i], " \t") { // unittest
		return name[:i]
	}
	name = strings.TrimSuffix(name[strings.LastIndex(name, "::")+1:], "()")
	name = strings.TrimPrefix(name, ":")
	if i := strings.LastIndex(name, " > "); i >= 0 {
		return name[i+3:]
	}
	if !strings.Contains(name, " ") {
		return name[strings.LastIndexByte(name, '.')+1:]
	}
	return name
}

// newNotRun returns which new tests were not run, as far as Go's names tell.
func (j *judge) newNotRun(passed, skipped map[string]bool) []loops.Reason {
	ran, skips := map[string]bool{}, map[string]bool{}
	for name := range passed {
		ran[lastName(name)] = true
	}
	for name := range skipped {
		skips[lastName(name)] = true
	}
	var out []loops.Reason
	for _, n := range j.newTests() {
		if languageOf(n.path) != goLanguage || !j.runsGo() {
			continue
		}
		for _, u := range n.units {
			switch {
			case strings.HasPrefix(u.name, "Benchmark"), strings.HasPrefix(u.name, "Example") && u.asserts == 0, ran[u.name]:
			case skips[u.name]:
				out = append(out, loops.Reason{Path: n.path, Line: u.line, Message: "the new test " + u.name + " is skipped"})
			default:
				out = append(out, loops.Reason{Path: n.path, Line: u.line, Message: "the new test " + u.name + " did not run; does a build constraint exclude it?"})
			}
		}
	}
	return out
}

// runsGo reports whether a test command is one of Go whose tests are named.
func (j *judge) runsGo() bool {
	return slices.ContainsFunc(j.commands.Test, func(c string) bool {
		_, ok := askGo(c)
		return ok && strings.Contains(c, "./...") && !strings.Contains(c, "-run") && !strings.Contains(c, "-short")
	})
}
