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
	return j.exec(ctx, name, command, dir, []string{"/bin/sh", "-c", "exec 2>&1\n" + command})
}

func (j *judge) exec(ctx context.Context, name, command, dir string, argv []string) (*outcome, error) {
	if err := j.makeHome(); err != nil {
		return nil, err
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
	var err error
	o.exit, err = j.Container.Run(ctx, loops.Process{
		Argv: argv, Dir: dir, Env: j.environment(dir), Stdout: o.file, Stderr: base + ".err", Redact: j.Redact,
		Writable: slices.Concat([]string{dir, j.home}, j.caches(name), j.Writable),
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

// makeHome makes the home and the temporary folder of this judgement's commands.
func (j *judge) makeHome() error {
	if j.home != "" {
		return nil
	}
	dir, err := j.folder("home")
	if err != nil {
		return err
	}
	j.home = dir
	for _, d := range append(j.caches(""), filepath.Join(dir, "tmp"), filepath.Join(j.tools(), moduleCache)) {
		if err := os.MkdirAll(d, 0o700); err != nil {
			return err
		}
	}
	return nil
}

// moduleCache is the folder of Go's modules among the caches of tools. Go does not check
// a module that is there: what could change one could change it for every repository.
const moduleCache = "go-mod"

// caches returns the folders of caches that a command may write to: all of them, but for
// the modules that setup downloads, which nothing else may change.
func (j *judge) caches(name string) []string {
	if name == "setup" || !slices.ContainsFunc(j.commands.Setup, func(c string) bool { return strings.Contains(c, "go mod ") }) {
		return []string{j.tools()}
	}
	var out []string
	for _, cache := range []string{"go-build", "npm", "yarn", "bun", "pip", "uv", "cargo", "gradle", "maven"} {
		out = append(out, filepath.Join(j.tools(), cache))
	}
	return out
}

// environment returns all that a command is given. Caches of tools outlive the home,
// as no gate could be paid for otherwise.
func (j *judge) environment(dir string) []string {
	tools := func(name string) string { return filepath.Join(j.tools(), name) }
	env := []string{
		"PATH=" + j.Path, "HOME=" + j.home, "TMPDIR=" + filepath.Join(j.home, "tmp"), "PWD=" + dir,
		"LANG=C.UTF-8", "TERM=dumb", "NO_COLOR=1", "CI=true",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0", "GIT_CEILING_DIRECTORIES=" + filepath.Dir(dir),
		"GOCACHE=" + tools("go-build"), "GOMODCACHE=" + tools(moduleCache), "GOFLAGS=-modcacherw -count=1", "GOTOOLCHAIN=local", "GOWORK=",
		"npm_config_cache=" + tools("npm"), "npm_config_update_notifier=false", "YARN_CACHE_FOLDER=" + tools("yarn"), "BUN_INSTALL_CACHE_DIR=" + tools("bun"),
		"PIP_CACHE_DIR=" + tools("pip"), "UV_CACHE_DIR=" + tools("uv"), "POETRY_VIRTUALENVS_IN_PROJECT=true", "PYTHONDONTWRITEBYTECODE=1", "PYTHONPYCACHEPREFIX=" + filepath.Join(j.home, "pycache"),
		"CARGO_HOME=" + tools("cargo"), "GRADLE_USER_HOME=" + tools("gradle"), "MAVEN_ARGS=-Dmaven.repo.local=" + tools("maven"),
	}
	for _, kv := range j.Env {
		name, _, ok := strings.Cut(kv, "=")
		if !ok || name == "HOME" || name == "PATH" {
			continue
		}
		env = slices.DeleteFunc(env, func(e string) bool { return strings.HasPrefix(e, name+"=") })
		env = append(env, kv)
	}
	return env
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
