package gate

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
)

// outcome is what became of a command.
type outcome struct {
	command string
	exit    loops.Exit
	output  string // all of it, secrets removed
	file    string // where it lies
}

func (o *outcome) green() bool { return o.exit.Why == loops.Exited && o.exit.Code == 0 }

// shownOutput is how many bytes of an output's end a result holds.
const shownOutput = 8 << 10

// keptOutput is how many bytes of an output are kept.
const keptOutput = 16 << 20

// run runs a command for the shell in an export.
func (j *judge) run(ctx context.Context, name, command, dir string) (*outcome, error) {
	h, err := j.homeOf(dir)
	if err != nil {
		return nil, err
	}
	if !h.used && fills(command) {
		return j.exec(ctx, name, command, dir, byShell(command), filling)
	}
	if i := slices.IndexFunc(j.trees, func(t *tree) bool { return t.dir == dir }); i >= 0 && !h.used {
		if err := j.fill(ctx, j.trees[i]); err != nil {
			return nil, err
		}
	}
	return j.exec(ctx, name, command, dir, byShell(command), running)
}

func byShell(command string) []string {
	return []string{"/bin/sh", "-c", "exec 2>&1\n" + command}
}

func (j *judge) exec(ctx context.Context, name, command, dir string, argv []string, u use) (*outcome, error) {
	h, err := j.homeOf(dir)
	if err != nil {
		return nil, err
	}
	if u == running && !h.used {
		h.used = true
		if err := j.link(h); err != nil {
			return nil, fmt.Errorf("link the build cache: %w", err)
		}
	}
	out := filepath.Join(j.c.Dir, "outputs")
	if err := os.MkdirAll(out, 0o755); err != nil {
		return nil, err
	}
	base := ""
	for {
		base = filepath.Join(out, fmt.Sprintf("%s-%d-%d-%s-%d", j.c.Stage, j.c.Chunk+1, j.c.Attempt, name, j.serial.Add(1)))
		if _, err := os.Lstat(base + ".out"); os.IsNotExist(err) {
			break
		}
	}
	o := &outcome{command: command, file: base + ".out"}
	o.exit, err = j.Container.Run(ctx, loops.Process{
		Argv: argv, Dir: dir, Env: j.environment(dir, h, u), Stdout: o.file, Stderr: base + ".err", Redact: j.Redact,
		Writable: j.writable(dir, h, u),
		Wall:     time.Duration(j.Timeouts.Gate), Grace: time.Duration(j.Timeouts.Grace), MaxOutput: keptOutput, Mark: j.c.Start.Run,
	})
	if err != nil {
		return nil, fmt.Errorf("run %q: %w", command, err)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, f := range []string{o.file, base + ".err"} {
		text, err := files.ReadPath(f, files.Run)
		if err != nil && !os.IsNotExist(err) {
			return nil, err
		}
		o.output += string(text)
	}
	if info, err := os.Stat(base + ".err"); err == nil && info.Size() == 0 {
		os.Remove(base + ".err")
	}
	o.output = strings.ReplaceAll(o.output, dir+string(filepath.Separator), "")
	return o, nil
}

// result turns an outcome into a result.
func (j *judge) result(o *outcome) loops.GateResult {
	r := loops.GateResult{Duration: o.exit.Took}
	if o.green() {
		return r
	}
	r.Effect = loops.Red
	r.Output = tail(j.redact(o.output), shownOutput)
	r.Same = loops.SameFailure(o.output)
	switch o.exit.Why {
	case loops.Exited:
		r.Class, _, _ = loops.Classify(o.command, o.output, o.exit.Code)
		if tool := j.missingTool(o); tool != "" {
			r.Effect, r.Class = loops.Environment, loops.ClassCommandMissing
			r.Reason = []loops.Reason{{Message: fmt.Sprintf("%s: %s is not on the runner's PATH; install it, or change gates: in wiki.yaml", o.command, tool)}}
			return r
		}
		r.Reason = []loops.Reason{{Message: fmt.Sprintf("%s: exit status %d%s", o.command, o.exit.Code, firstFailure(o.output))}}
		if o.exit.Signal != "" {
			r.Reason[0].Message = fmt.Sprintf("%s: ended by %s", o.command, o.exit.Signal)
		}
	case loops.EndedWall, loops.EndedSilence, loops.EndedProgress:
		r.Class = loops.ClassTimeout
		r.Reason = []loops.Reason{{Message: fmt.Sprintf("%s: took longer than %s", o.command, time.Duration(j.Timeouts.Gate))}}
	case loops.NotStarted:
		r.Effect, r.Class = loops.Environment, loops.ClassEnvironment
		r.Reason = []loops.Reason{{Message: o.command + ": " + o.exit.Error}}
	default:
		r.Class = loops.ClassUnknown
		r.Reason = []loops.Reason{{Message: fmt.Sprintf("%s: ended: %s", o.command, o.exit.Why)}}
	}
	return r
}

// missingTool returns the program that a shell did not find, if it is one of the
// machine and not of the tree.
func (j *judge) missingTool(o *outcome) string {
	if o.exit.Code != 127 {
		return ""
	}
	_, _, details := loops.Classify(o.command, o.output, 127)
	tool := details["missing_command"]
	if tool == "" || strings.ContainsAny(tool, `/\`) {
		return ""
	}
	if _, err := lookPath(tool, j.Path); err == nil {
		return ""
	}
	return tool
}

// tail returns the end of a text from the beginning of a line.
func tail(text string, most int) string {
	if len(text) <= most {
		return text
	}
	text = text[len(text)-most:]
	if i := strings.IndexByte(text, '\n'); i >= 0 && i < most/2 {
		text = text[i+1:]
	}
	return "…\n" + strings.ToValidUTF8(text, "")
}

// firstFailure names the tests that failed, as far as the output names them.
func firstFailure(output string) string {
	names := failedTests(output)
	if len(names) == 0 {
		return ""
	}
	if len(names) > 3 {
		return ": " + strings.Join(names[:3], ", ") + ", …"
	}
	return ": " + strings.Join(names, ", ")
}
