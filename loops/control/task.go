package control

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/schema"
)

// Task is a task file of others, and how it is to be worked on.
type Task struct {
	*plan.Task
	// Told is what lodeloop's environment says, over lodeloop's defaults.
	Told plan.LodeloopOptions
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

// OpenTask reads a task file of others and opens the repository that its workdir
// lies in. mode is of agent-loop, "" to let its configuration say.
func OpenTask(ctx context.Context, file, mode string, getenv func(string) string) (*Place, *Work, error) {
	real, err := filepath.Abs(file)
	if err != nil {
		return nil, nil, err
	}
	if real, err = filepath.EvalSymlinks(real); err != nil {
		return nil, nil, err
	}
	src, err := files.ReadPath(real, files.Run)
	if err != nil {
		return nil, nil, err
	}
	w, err := readTask(file, real, mode, src, getenv)
	if err != nil {
		return nil, nil, err
	}
	p, err := openWorkdir(ctx, w, getenv)
	return p, w, err
}

// openWorkdir opens the repository of a task's workdir, and makes the paths of the task
// those of the repository.
func openWorkdir(ctx context.Context, w *Work, getenv func(string) string) (*Place, error) {
	if info, err := os.Stat(w.Workdir); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("%s: the workdir %s is no folder", w.File, w.Workdir)
	}
	p, err := Open(ctx, w.Workdir, getenv)
	if err != nil {
		return nil, err
	}
	if rel, inside := p.Relative(w.File); inside {
		w.Plan.Path = rel
	}
	return p, w.locate(ctx)
}

// readTask reads a task file; name is how the person called it.
func readTask(name, file, mode string, src []byte, getenv func(string) string) (*Work, error) {
	told, err := plan.ReadLodeloop([]string{"--", name}, getenv)
	if err != nil {
		return nil, &OptionError{err}
	}
	at := plan.TaskPlace{File: file, Path: filepath.ToSlash(file), Home: getenv("HOME"), Mode: mode}
	dir := filepath.Dir(file)
	if c := filepath.Join(dir, "contracts"); isFolder(c) {
		at.Contracts = files.DirFS(c, files.Text)
	}
	if at.Mode == "" && filepath.Base(dir) == ".loop" {
		if at.Mode, err = configuredMode(filepath.Join(dir, "config.json")); err != nil {
			return nil, err
		}
	}
	t, faults := plan.ReadTask(at, src)
	if t == nil || plan.Refused(faults) {
		return nil, &FaultyError{name, faults}
	}
	return &Work{Plan: &t.Plan, Src: src, File: file, Task: &Task{Task: t, Told: told, Mode: at.Mode}}, nil
}

// OptionError is a variable of lodeloop's that says nothing that counts.
type OptionError struct{ error }

// Hint says what to do.
func (e *OptionError) Hint() string { return "correct the variable, or unset it" }

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

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// locate finds the workdir in its checkout, and makes commands and scopes those
// of the checkout's top.
func (w *Work) locate(ctx context.Context) error {
	out, err := git(ctx, w.Workdir, "rev-parse", "--path-format=absolute", "--show-toplevel", "--show-prefix").Output()
	if err != nil {
		return &NoRepositoryError{w.Workdir}
	}
	top, prefix, _ := strings.Cut(strings.TrimSuffix(string(out), "\n"), "\n")
	w.checkout, w.prefix = filepath.FromSlash(top), prefix
	if prefix != "" {
		w.Plan.Scope = w.below(w.Plan.Scope)
		for i := range w.Plan.Chunks {
			c := &w.Plan.Chunks[i]
			c.Files = w.below(c.Files)
			for k, command := range c.Verify {
				c.Verify[k] = w.inWorkdir(command)
			}
		}
	}
	// Each command at the end has the time that the file gives one.
	if n := len(w.Verify); n > 0 {
		w.Plan.Checks = nil
		for _, command := range w.Verify[:n-1] {
			w.Plan.Checks = append(w.Plan.Checks, w.inWorkdir(command))
		}
		w.Plan.Goal = w.inWorkdir(w.Verify[n-1])
	}
	return nil
}

func (w *Work) below(globs []string) []string {
	globs = slices.Clone(globs)
	for i, g := range globs {
		globs[i] = path.Join(w.prefix, g)
	}
	return globs
}

// inWorkdir is a command for the shell at the checkout's top.
func (w *Work) inWorkdir(command string) string {
	if w.prefix == "" {
		return command
	}
	return "cd '" + strings.ReplaceAll(strings.TrimSuffix(w.prefix, "/"), "'", `'\''`) + "' && (" + command + "\n)"
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

// taskOf is the work of a run of a task file, as the file was when it began.
func (p *Place) taskOf(id string, s *loops.State) (*Work, error) {
	folder := p.Store.Folder(id)
	text, err := files.ReadPath(filepath.Join(folder, taskRunFile), files.Run)
	if err != nil {
		return nil, err
	}
	var r taskRun
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("read %s: %w", filepath.Join(folder, taskRunFile), err)
	}
	if r.Version > taskRunVersion {
		return nil, fmt.Errorf("read %s: version %d is newer than this program knows (%d); install a newer wiki", filepath.Join(folder, taskRunFile), r.Version, taskRunVersion)
	}
	src, err := files.ReadPath(filepath.Join(folder, "plan.json"), files.Run)
	if err != nil {
		return nil, err
	}
	w, err := readTask(r.File, r.File, r.Mode, src, p.Getenv)
	if err != nil {
		return nil, err
	}
	w.InPlace, w.Resume = r.InPlace, true
	if err := w.locate(context.Background()); err != nil {
		return nil, err
	}
	w.Plan = &s.Start.Plan
	p.adopt(w)
	return w, nil
}

// adopt puts what a task file says in the place of what wiki.yaml does not.
func (p *Place) adopt(w *Work) {
	c := &p.Config
	if w.Timeout > 0 {
		c.Timeouts.Gate = schema.Timespan(w.Timeout)
	}
	if w.Plan.Format == loops.LodeloopTask && (c.Timeouts.Wall == 0 || w.Told.Given["timeout"]) {
		c.Timeouts.Wall = schema.Timespan(w.Told.Timeout)
	}
	c.Protect = append(slices.Clip(c.Protect), w.below([]string{".loop/contracts/**", ".loop/prompts/**", ".loop/config.json", ".lodeloop/**"})...)
}

// iterations that ralph makes, if nobody says how many.
const ralphIterations = 10

// beginWork makes what a run is decided by.
func (p *Place) beginWork(ctx context.Context, w *Work, f Flags) (loops.Start, error) {
	if w.Item != nil {
		return p.beginItem(ctx, w, f)
	}
	if w.Task == nil {
		return p.Begin(ctx, w.Plan, f)
	}
	p.adopt(w)
	cast, err := p.castTask(w, f)
	if err != nil {
		return loops.Start{}, err
	}
	start, err := p.begin(ctx, "execution", w.Plan, cast, f)
	if err != nil {
		return start, err
	}
	if start.Base, err = p.baseOf(ctx, w); err != nil {
		return start, err
	}
	l := &start.Limits
	switch w.Plan.Format {
	case loops.LodeloopTask:
		iterations := l.Budget.Iterations
		*l = w.Told.Limits(*l)
		if p.Config.Budget.Iterations > 0 && !w.Told.Given["max-iterations"] {
			l.Budget.Iterations = iterations
		}
	default:
		if p.Config.Budget.Iterations == 0 {
			l.Budget.Iterations = ralphIterations
		}
	}
	l.Budget.Iterations = or(f.Iterations, l.Budget.Iterations)
	// A story is tried until it passes or the breaker opens, as their users expect.
	if p.Config.Budget.Attempts == 0 {
		l.Attempts = l.Budget.Iterations + 1
	}
	if start.Breaker, err = w.circuit(); err != nil {
		return start, err
	}
	if start.Plan.Goal == "" {
		start.Plan.Checks = slices.Concat(start.Gates.Build, start.Gates.Lint, start.Gates.Test)
	}
	return start, nil
}

// baseOf is where a run of a task file starts: stories that the file says pass are
// on the branch of an earlier run until a person has merged it.
func (p *Place) baseOf(ctx context.Context, w *Work) (string, error) {
	ask := func(args ...string) (string, error) {
		out, err := git(ctx, w.checkout, args...).Output()
		return strings.TrimSpace(string(out)), err
	}
	head, err := ask("rev-parse", "--verify", "HEAD^{commit}")
	if err != nil {
		return "", fmt.Errorf("%s has no commit to start from", w.checkout)
	}
	tip, err := ask("rev-parse", "--verify", "--quiet", "refs/heads/"+w.Plan.Branch()+"^{commit}")
	if err != nil {
		return head, nil // there is no such branch
	}
	if _, err := ask("merge-base", "--is-ancestor", tip, head); err == nil {
		return head, nil
	}
	if w.InPlace != "" {
		return "", fmt.Errorf("the branch %s has commits that %s has not: merge it first", w.Plan.Branch(), w.InPlace)
	}
	return tip, nil
}

// castTask says who plays which role for a task file: a maker, for agent-loop an
// evaluator, and whoever else wiki.yaml names.
func (p *Place) castTask(w *Work, f Flags) (map[loops.Role]loops.Casting, error) {
	out := make(map[loops.Role]loops.Casting)
	for _, r := range []loops.Role{loops.Maker, loops.Checker, loops.GoalChecker, loops.Writer} {
		if c, ok := p.Config.Roles[string(r)]; ok {
			out[r] = loops.Casting{Agent: c.Agent, Model: c.Model, Argv: c.Argv}
		}
	}
	named := func(r loops.Role, given string) {
		if given == "" {
			return
		}
		name, model, _ := strings.Cut(given, ":")
		c := loops.Casting{Agent: name, Model: model}
		if name == "command" {
			c.Argv = out[r].Argv
		}
		out[r] = c
	}
	lodeloop := w.Plan.Format == loops.LodeloopTask
	_, configured := out[loops.Maker]
	switch given := or(f.Maker, f.Agent); {
	case given != "":
		named(loops.Maker, given)
	case lodeloop && w.Told.Given["agent"]:
		named(loops.Maker, w.Told.Agent)
	case configured:
	case lodeloop:
		named(loops.Maker, or(w.Agent, w.Told.Agent))
	default:
		named(loops.Maker, "claude")
	}
	named(loops.Checker, f.Checker)
	maker := out[loops.Maker]
	if _, ok := out[loops.Checker]; !ok && w.Plan.Format == loops.AgentLoop && maker.Agent != "command" {
		out[loops.Checker] = maker
	}
	return out, p.know(out)
}
