package gate

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

// excuse says why a red run of a test command does not blame the tree, or which tests do.
// What failed on the base of a repair may fail as long as may says so; it is asked for the
// command as a whole if that names no test. A flaky test must pass once in three runs.
// Neither is returned if the run is red for another reason.
func (j *judge) excuse(ctx context.Context, run *testRun, may func(name string) bool) (note string, blame []loops.Reason, err error) {
	if run.outcome.exit.Why != loops.Exited || run.outcome.exit.Code == 127 {
		return "", nil, nil
	}
	known, err := j.recall(ctx)
	if err != nil {
		return "", nil, err
	}
	if len(run.failed) == 0 {
		note, err = j.excuseWhole(ctx, run.outcome.command, known, may)
		return note, nil, err
	}
	return j.excuseTests(ctx, run, known, may)
}

// excuseWhole says why a red command that names no failed test does not blame the tree.
func (j *judge) excuseWhole(ctx context.Context, command string, known *knowledge, may func(name string) bool) (string, error) {
	if may(command) {
		return command + " is red, as on the base", nil
	}
	if len(known.FlakyTests) > 0 || !slices.Contains(known.FlakyCommands, command) {
		return "", nil
	}
	if never, err := j.again(ctx, command, []string{command}); err != nil || len(never) > 0 {
		return "", err
	}
	return command + " is red, but flaky on the base", nil
}

// excuseTests says why the tests that failed in a run do not blame the tree, or which do.
func (j *judge) excuseTests(ctx context.Context, run *testRun, known *knowledge, may func(name string) bool) (note string, blame []loops.Reason, err error) {
	command := run.outcome.command
	failed := keysOf(run.failed, nil)
	say := func(name, why string) {
		blame = append(blame, loops.Reason{Message: command + ": " + name + " " + why})
	}
	var flaky []string
	for _, name := range failed {
		switch {
		case slices.Contains(known.FlakyTests, name):
			flaky = append(flaky, name)
		case may(name):
		case slices.ContainsFunc(j.c.Failures, func(f loops.BaseFailure) bool { return j.covers(&f, name) }):
			say(name, "still fails, or again")
		default:
			say(name, "fails, and did not before")
		}
	}
	if len(blame) > 0 {
		return "", blame, nil
	}
	never, err := j.again(ctx, command, flaky)
	if err != nil {
		return "", nil, err
	}
	for _, name := range never {
		say(name, "is flaky on the base, and failed three times here")
	}
	switch {
	case len(blame) > 0:
		return "", blame, nil
	case len(flaky) == len(failed):
		return "red, but flaky on the base: " + strings.Join(flaky, ", "), nil, nil
	}
	return "red, as on the base: " + list(failed), nil, nil
}

// again runs a command twice more and returns the names that did not pass; the command is
// one if it is red.
func (j *judge) again(ctx context.Context, command string, names []string) ([]string, error) {
	left := slices.Clone(names)
	for n := 1; n < baseRuns && len(left) > 0; n++ {
		run, err := j.runTests(ctx, "flaky", command, j.now)
		if err != nil {
			return nil, err
		}
		left = slices.DeleteFunc(left, func(name string) bool {
			return run.passed[name] || name == command && run.outcome.green()
		})
	}
	return left, nil
}

// mayFail returns what may still be red in a chunk of a repair: what failed on the base and
// did not pass since.
func (j *judge) mayFail(ctx context.Context) (func(name string) bool, error) {
	if len(j.c.Failures) == 0 {
		return func(string) bool { return false }, nil
	}
	known, err := j.recall(ctx)
	if err != nil {
		return nil, err
	}
	var open []loops.BaseFailure
	for _, f := range j.c.Failures {
		if f.Gate == "test" && !slices.ContainsFunc(known.Passed, func(name string) bool { return j.same(&f, name) }) {
			open = append(open, f)
		}
	}
	return func(name string) bool {
		return slices.ContainsFunc(open, func(f loops.BaseFailure) bool {
			return j.covers(&f, name) || f.Command == name && f.Outcome == loops.BaseNotRun
		})
	}, nil
}

// excepted returns a person's leave for something that failed on the base to fail at the
// end of the repair, nil if there is none.
func (j *judge) excepted(name string) *loops.SpecChange {
	for _, f := range j.c.Failures {
		if !j.covers(&f, name) {
			continue
		}
		own := f.Name()
		for i, s := range j.c.Start.Plan.SpecChanges {
			if slices.ContainsFunc(s.Tests, func(t string) bool { return t == own || t == lastName(t) && t == lastName(own) }) {
				return &j.c.Start.Plan.SpecChanges[i]
			}
		}
	}
	return nil
}

func (j *judge) isExcepted(name string) bool { return j.excepted(name) != nil }

// covers reports whether a name that a command printed, or the command itself, stands for
// what was recorded.
func (j *judge) covers(f *loops.BaseFailure, name string) bool {
	switch {
	case f.Test == "":
		return name == f.Command
	case name == f.Test || j.same(f, name):
		return true
	}
	return f.Outcome == loops.BaseNotRun && namesFile(name, f.File)
}

// same reports whether a name that a command printed is that of a recorded test. A test
// that did not run was recorded as its file has it.
func (j *judge) same(f *loops.BaseFailure, name string) bool {
	switch {
	case f.Test == "":
		return false
	case f.Outcome != loops.BaseNotRun:
		return name == f.Test
	case languageOf(f.File) == goLanguage:
		return name == j.goPackage(path.Dir(f.File))+"."+f.Test
	case languageOf(f.File) == pyLanguage:
		for part := range strings.SplitSeq(f.Test, ".") {
			if !strings.Contains(name, part) {
				return false
			}
		}
		return lastName(name) == lastName(f.Test) && strings.Contains(name, strings.TrimSuffix(path.Base(f.File), path.Ext(f.File)))
	}
	return lastName(name) == lastName(f.Test)
}

// goPackage returns the import path of a folder.
func (j *judge) goPackage(dir string) string {
	module := ""
	for line := range strings.Lines(string(j.now.read("go.mod"))) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "module "); ok {
			module = strings.Trim(strings.TrimSpace(name), `"`)
		}
	}
	return path.Join(module, dir)
}

// named reports whether the text of a chunk names a test that failed on the base: in
// quotes or backticks, or as a phrase or an identifier that no other word looks like.
func named(c *loops.Chunk, f *loops.BaseFailure) bool {
	if f.Test == "" {
		return false
	}
	text := c.Title + "\n" + c.Text
	for _, name := range []string{f.Test, lastName(f.Test)} {
		for _, q := range []string{"`", "\"", "'"} {
			if strings.Contains(text, q+name+q) {
				return true
			}
		}
		if telling().MatchString(name) && wholeWord(text, name) {
			return true
		}
	}
	return false
}

var telling = schema.Expression(`\w[\s_./:>-]+\w|[a-z0-9]\p{Lu}`)

// wholeWord reports whether a text holds a word that is no part of a longer one.
func wholeWord(text, name string) bool {
	for at := 0; ; {
		i := strings.Index(text[at:], name)
		if i < 0 {
			return false
		}
		from, to := at+i, at+i+len(name)
		if !wordByte(text, from-1) && !wordByte(text, to) {
			return true
		}
		at = from + 1
	}
}

func wordByte(text string, i int) bool {
	return i >= 0 && i < len(text) && (text[i] == '_' || text[i] >= '0' && text[i] <= '9' || text[i]|0x20 >= 'a' && text[i]|0x20 <= 'z')
}

// tell runs a command of build, lint, verify or goal: of the latter two so that it names its
// tests, where some are known to fail.
func (j *judge) tell(ctx context.Context, gate, command string) (*testRun, error) {
	if gate == "verify" || gate == "goal" {
		if known := j.stored(); len(j.c.Failures) > 0 || known != nil && len(known.FlakyTests) > 0 {
			return j.runTests(ctx, gate, command, j.now)
		}
	}
	o, err := j.run(ctx, gate, command, j.now.dir)
	return &testRun{outcome: o}, err
}

// pardon says why a red command of build, lint, verify or goal does not blame the tree of a
// repair. result is what it comes to otherwise; reasons of it may become plainer.
func (j *judge) pardon(ctx context.Context, gate string, run *testRun, result loops.GateResult) (loops.GateResult, error) {
	o := run.outcome
	if result.Effect != loops.Red {
		return result, nil
	}
	note := func(format string, args ...any) loops.GateResult {
		return loops.GateResult{Effect: loops.Note, Reason: []loops.Reason{{Message: fmt.Sprintf(format, args...)}}, Output: result.Output, Duration: result.Duration}
	}
	if s := j.excepted(o.command); s != nil {
		return note("%s is red, as %s allows: %s", o.command, s.By, s.Reason), nil
	}
	if gate == "build" || gate == "lint" {
		return j.pardonFindings(gate, o, result, note), nil
	}
	if run.passed == nil {
		return result, nil
	}
	may, err := j.mayFail(ctx)
	if err != nil {
		return result, err
	}
	whole := gate == "goal" || j.c.Start.Plan.Format != loops.MarkdownPlan // their users expect exit status 0
	why, blame, err := j.excuse(ctx, run, func(name string) bool { return j.isExcepted(name) || !whole && may(name) })
	switch {
	case err != nil || why == "" && len(blame) == 0:
		return result, err
	case len(blame) > 0:
		result.Reason = blame
		return result, nil
	}
	return note("%s: %s", o.command, why), nil
}

// pardonFindings lets a build or lint that was red on the base stay red in a chunk, as long
// as it finds nothing new.
func (j *judge) pardonFindings(gate string, o *outcome, result loops.GateResult, note func(string, ...any) loops.GateResult) loops.GateResult {
	for _, f := range j.c.Failures {
		if f.Gate != gate || f.Command != o.command || j.c.Stage != loops.StageChunk {
			continue
		}
		more := gained(f.Findings, findings(j.redact(o.output)))
		if len(more) == 0 {
			return note("%s is red, as on the base", o.command)
		}
		result.Reason = nil
		for _, m := range more[:min(len(more), mostReasons)] {
			result.Reason = append(result.Reason, loops.Reason{Message: fmt.Sprintf("%s has a finding that the base had not: %s", o.command, m)})
		}
	}
	return result
}
