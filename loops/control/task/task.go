// Package task runs task files of other programs: lodeloop, ralph and agent-loop. It reads
// them, casts their agents, adds their text to prompts, and updates the files that their users
// expect, only from the journal of the run.
package task

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/cast"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/schema"
)

// Task is a task file of others, and how it is to be worked on.
type Task struct {
	*plan.Task
	Plan *loops.Plan
	Src  []byte
	File string // absolute
	// Options are what lodeloop's environment says, over lodeloop's defaults.
	Options plan.LodeloopOptions
	// Mode is of agent-loop: implement, explore or fix.
	Mode string
	// Resume goes on with the state that an earlier run left.
	Resume bool
	// InPlace is the branch of the workdir's checkout that takes every commit, or "".
	InPlace string

	prefix   string // the workdir, below its checkout's top: "" or with a slash at its end
	checkout string // the top of the checkout that the workdir lies in
}

// TaskModes are the modes of agent-loop.
var TaskModes = []string{"implement", "explore", "fix"}

// Open reads a task file as a person names it. mode is of agent-loop, "" to let its
// configuration say.
func Open(file, mode string, getenv func(string) string) (*Task, error) {
	real, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	if real, err = filepath.EvalSymlinks(real); err != nil {
		return nil, err
	}
	src, err := files.ReadPath(real, files.Run)
	if err != nil {
		return nil, err
	}
	return readTask(file, real, mode, src, getenv)
}

// readTask reads a task file; name is how the person called it.
func readTask(name, file, mode string, src []byte, getenv func(string) string) (*Task, error) {
	options, err := plan.ReadLodeloop([]string{"--", name}, getenv)
	if err != nil {
		return nil, &OptionError{err}
	}
	at := plan.TaskPlace{File: file, Path: filepath.ToSlash(file), Home: getenv("HOME"), Mode: mode}
	dir := filepath.Dir(file)
	if c := filepath.Join(dir, "contracts"); repo.IsFolder(c) {
		at.Contracts = files.DirFS(c, files.Text)
	}
	if at.Mode == "" && filepath.Base(dir) == ".loop" {
		if at.Mode, err = configuredMode(filepath.Join(dir, "config.json")); err != nil {
			return nil, err
		}
	}
	read, faults := plan.ReadTask(at, src)
	if read == nil || plan.Refused(faults) {
		return nil, &repo.FaultyError{File: name, Faults: faults}
	}
	return &Task{Task: read, Plan: &read.Plan, Src: src, File: file, Options: options, Mode: at.Mode}, nil
}

// OptionError is a variable of lodeloop's that says nothing that counts.
type OptionError struct{ error }

// Hint returns what to do.
func (e *OptionError) Hint() string { return "fix the variable, or unset it" }

// configuredMode reads the mode in agent-loop's configuration, "" if there is none.
func configuredMode(file string) (string, error) {
	src, err := files.ReadPath(file, files.Run)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	var c struct {
		Mode string `json:"mode"`
	}
	if err := json.Unmarshal(src, &c); err != nil {
		return "", fmt.Errorf("read %s: %w", file, err)
	}
	return c.Mode, nil
}

// Locate finds the workdir in its checkout, and makes commands and scopes those
// of the checkout's top.
func (t *Task) Locate(ctx context.Context) error {
	out, err := repo.Command(ctx, t.Workdir, "rev-parse", "--path-format=absolute", "--show-toplevel", "--show-prefix").Output()
	if err != nil {
		return &repo.NoRepositoryError{Dir: t.Workdir}
	}
	top, prefix, _ := strings.Cut(strings.TrimSuffix(string(out), "\n"), "\n")
	t.checkout, t.prefix = filepath.FromSlash(top), prefix
	if prefix != "" {
		t.Plan.Scope = t.below(t.Plan.Scope)
		for i := range t.Plan.SpecChanges {
			t.Plan.SpecChanges[i].Paths = t.below(t.Plan.SpecChanges[i].Paths)
		}
		for i := range t.Plan.Chunks {
			c := &t.Plan.Chunks[i]
			c.Files = t.below(c.Files)
			for k, command := range c.Verify {
				c.Verify[k] = t.inWorkdir(command)
			}
		}
	}
	// Each command at the end has the time that the file gives one.
	if n := len(t.Verify); n > 0 {
		t.Plan.Checks = nil
		for _, command := range t.Verify[:n-1] {
			t.Plan.Checks = append(t.Plan.Checks, t.inWorkdir(command))
		}
		t.Plan.Goal = t.inWorkdir(t.Verify[n-1])
	}
	return nil
}

func (t *Task) below(globs []string) []string {
	globs = slices.Clone(globs)
	for i, g := range globs {
		globs[i] = path.Join(t.prefix, g)
	}
	return globs
}

// inWorkdir returns a command for the shell at the checkout's top.
func (t *Task) inWorkdir(command string) string {
	if t.prefix == "" {
		return command
	}
	return "cd '" + strings.ReplaceAll(strings.TrimSuffix(t.prefix, "/"), "'", `'\''`) + "' && (" + command + "\n)"
}

// taskRun is what the run's folder remembers of a task file.
type taskRun struct {
	Version int    `json:"version"`
	File    string `json:"file"` // absolute
	Mode    string `json:"mode,omitempty"`
	InPlace string `json:"in_place,omitempty"`
}

const (
	taskRunFile    = "task-run.json"
	taskRunVersion = 1
)

// Keep leaves in the folder of a run what it needs to be resumed.
func (t *Task) Keep(folder string) error {
	text, err := json.MarshalIndent(taskRun{taskRunVersion, t.File, t.Mode, t.InPlace}, "", "  ")
	if err != nil {
		return err
	}
	return files.ReplacePath(filepath.Join(folder, taskRunFile), append(text, '\n'), 0o644)
}

// Of returns the task of the run of a folder, as its file was when the run began.
func Of(ctx context.Context, folder string, pl *loops.Plan, getenv func(string) string) (*Task, error) {
	text, err := files.ReadPath(filepath.Join(folder, taskRunFile), files.Run)
	if err != nil {
		return nil, err
	}
	var r taskRun
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("read %s: %w", filepath.Join(folder, taskRunFile), err)
	}
	if r.Version > taskRunVersion {
		return nil, fmt.Errorf("read %s: version %d is newer than this program supports (%d); upgrade wiki", filepath.Join(folder, taskRunFile), r.Version, taskRunVersion)
	}
	src, err := files.ReadPath(filepath.Join(folder, "plan.json"), files.Run)
	if err != nil {
		return nil, err
	}
	t, err := readTask(r.File, r.File, r.Mode, src, getenv)
	if err != nil {
		return nil, err
	}
	t.InPlace, t.Resume = r.InPlace, true
	if err := t.Locate(ctx); err != nil {
		return nil, err
	}
	t.Plan = pl
	return t, nil
}

// Adopt puts what a task file says in the place of what wiki.yaml does not.
func (t *Task) Adopt(c *schema.LoopsConfig) {
	if t.Timeout > 0 {
		c.Timeouts.Gate = schema.Timespan(t.Timeout)
	}
	if t.Plan.Format == loops.LodeloopTask && (c.Timeouts.Wall == 0 || t.Options.Given["timeout"]) {
		c.Timeouts.Wall = schema.Timespan(t.Options.Timeout)
	}
	c.Protect = append(slices.Clip(c.Protect), t.below([]string{".loop/contracts/**", ".loop/prompts/**", ".loop/config.json", ".lodeloop/**"})...)
}

// iterations that ralph makes, if nobody says how many.
const ralphIterations = 10

// LimitsOver are those of a run, over what wiki.yaml and a command line say of them.
func (t *Task) LimitsOver(l loops.Limits, configured schema.LoopBudget, iterations int) loops.Limits {
	given := l.Budget.Iterations
	switch {
	case t.Plan.Format == loops.LodeloopTask:
		l = t.Options.Limits(l)
		if configured.Iterations > 0 && !t.Options.Given["max-iterations"] {
			l.Budget.Iterations = given
		}
	case configured.Iterations == 0:
		l.Budget.Iterations = ralphIterations
	}
	l.Budget.Iterations = cmp.Or(iterations, l.Budget.Iterations)
	// A story is tried until it passes or the breaker opens, as their users expect.
	if configured.Attempts == 0 {
		l.Attempts = l.Budget.Iterations + 1
	}
	return l
}

// Base returns where a run of a task file starts: stories that the file says pass are
// on the branch of an earlier run until a person has merged it.
func (t *Task) Base(ctx context.Context) (string, error) {
	ask := func(args ...string) (string, error) {
		out, err := repo.Command(ctx, t.checkout, args...).Output()
		return strings.TrimSpace(string(out)), err
	}
	head, err := ask("rev-parse", "--verify", "HEAD^{commit}")
	if err != nil {
		return "", fmt.Errorf("%s has no commits", t.checkout)
	}
	tip, err := ask("rev-parse", "--verify", "--quiet", "refs/heads/"+t.Plan.Branch()+"^{commit}")
	if err != nil {
		return head, nil // there is no such branch
	}
	if _, err := ask("merge-base", "--is-ancestor", tip, head); err == nil {
		return head, nil
	}
	if t.InPlace != "" {
		return "", fmt.Errorf("the branch %s has commits that are not in %s: merge it first", t.Plan.Branch(), t.InPlace)
	}
	return tip, nil
}

// Cast says who plays which role: a maker, for agent-loop an evaluator, and whoever
// else wiki.yaml names.
func (t *Task) Cast(configured cast.Roles, g cast.Given) (map[loops.Role]loops.Casting, error) {
	out := make(map[loops.Role]loops.Casting)
	for _, r := range []loops.Role{loops.Maker, loops.Checker, loops.GoalChecker, loops.Writer} {
		if c, ok := configured[string(r)]; ok {
			out[r] = loops.Casting{Agent: c.Agent, Model: c.Model, Argv: c.Argv}
		}
	}
	_, named := out[loops.Maker]
	maker := ""
	switch lodeloop := t.Plan.Format == loops.LodeloopTask; {
	case g.Maker != "" || g.Agent != "":
		maker = cmp.Or(g.Maker, g.Agent)
	case lodeloop && t.Options.Given["agent"]:
		maker = t.Options.Agent
	case named:
	case lodeloop:
		maker = cmp.Or(t.Agent, t.Options.Agent)
	default:
		maker = "claude"
	}
	for r, given := range map[loops.Role]string{loops.Maker: maker, loops.Checker: g.Checker} {
		if given != "" {
			out[r] = cast.Named(given, out[r])
		}
	}
	if _, ok := out[loops.Checker]; !ok && t.Plan.Format == loops.AgentLoop && out[loops.Maker].Agent != "command" {
		out[loops.Checker] = out[loops.Maker]
	}
	return out, cast.Complete(out)
}
