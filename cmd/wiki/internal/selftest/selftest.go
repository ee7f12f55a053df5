package selftest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/loopwiki/wiki/loops"
)

// Options say how scenarios are run.
type Options struct {
	// Self is the program, by its absolute path.
	Self string
	// Path is the PATH of git, agents and gates.
	Path string
	// Cache is where the gates' compilers keep what they built, XDG_CACHE_HOME;
	// "" is a new one for each scenario.
	Cache string
	// Dir is where the throw-away repositories are made; "" is the system's
	// folder for temporary files. Keep leaves them there.
	Dir  string
	Keep bool
	// Open runs the agents without a sandbox.
	Open bool
	// Wall is the time after which a run is given up, 0 is three minutes.
	Wall time.Duration
}

// Result is what came of one scenario.
type Result struct {
	Name  string `json:"name"`
	Row   string `json:"row"`
	Tried string `json:"tried"`
	Held  bool   `json:"held"`
	// Skipped says why it was not tried.
	Skipped string `json:"skipped,omitempty"`
	// NotHeld says why nothing finds what the agent does: that it went through is what
	// is expected.
	NotHeld string `json:"not_held,omitempty"`

	Status  string `json:"status,omitempty"`
	Exit    int    `json:"exit"`
	Class   string `json:"class,omitempty"`
	Charged int    `json:"charged"`
	Tree    Tree   `json:"tree,omitempty"`
	// Faults are what did not hold.
	Faults []string `json:"faults,omitempty"`
	// Dir is the throw-away repository's, if it was kept.
	Dir string `json:"dir,omitempty"`
}

// UnknownError is the name of no scenario.
type UnknownError struct{ Name string }

func (e *UnknownError) Error() string { return fmt.Sprintf("no such scenario: %q", e.Name) }

// Pick returns the scenarios of these names in the order of the table, all of
// them if none is given.
func Pick(names []string) ([]Scenario, error) {
	all := Scenarios()
	for _, n := range names {
		if !slices.ContainsFunc(all, func(s Scenario) bool { return s.Name == n }) {
			return nil, &UnknownError{n}
		}
	}
	return slices.DeleteFunc(all, func(s Scenario) bool { return len(names) > 0 && !slices.Contains(names, s.Name) }), nil
}

// RunAll runs scenarios, as many at a time as there are processors, and tells of
// them in their order.
func RunAll(ctx context.Context, o Options, all []Scenario, tell func(Result)) error {
	type answer struct {
		result Result
		err    error
	}
	answers := make([]chan answer, len(all))
	slots := make(chan struct{}, max(2, runtime.NumCPU()))
	var wait sync.WaitGroup
	defer wait.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for i := range all {
		answers[i] = make(chan answer, 1)
	}
	wait.Go(func() {
		for i := range all {
			slots <- struct{}{}
			wait.Go(func() {
				r, err := Run(ctx, o, &all[i])
				<-slots
				answers[i] <- answer{r, err}
			})
		}
	})
	for i := range all {
		a := <-answers[i]
		if a.err != nil {
			return fmt.Errorf("scenario %s: %w", all[i].Name, a.err)
		}
		tell(a.result)
	}
	return nil
}

// Run runs one scenario. An error is of the machine; what did not hold is in the
// result.
func Run(ctx context.Context, o Options, s *Scenario) (r Result, err error) {
	r = Result{Name: s.Name, Row: s.Row, Tried: s.Tried, Held: true, NotHeld: s.NotHeld}
	if o.Open && s.OpenSkip != "" {
		r.Skipped = s.OpenSkip
		return r, nil
	}
	for _, n := range s.Needs {
		if !installed(n) {
			r.Skipped = n + " is not installed"
			return r, nil
		}
	}
	if err := ctx.Err(); err != nil {
		return r, err
	}
	l, err := newLab(ctx, s, o)
	if l != nil {
		if o.Keep {
			r.Dir = l.dir
		} else {
			defer func() { err = errors.Join(err, removeAll(l.dir)) }()
		}
	}
	if err != nil {
		return r, err
	}
	before, err := l.take(ctx)
	if err != nil {
		return r, err
	}
	f := &finish{}
	wall := cmp.Or(o.Wall, 3*time.Minute)
	if f.exit, f.output, err = l.run(ctx, wall); errors.Is(err, errGivenUp) { // the others may be faster
		r.Faults, r.Held = []string{fmt.Sprintf("took longer than %v; run it again when the machine has less to do", wall)}, false
		return r, nil
	} else if err != nil {
		return r, err
	}
	if err := l.readRun(f); err != nil {
		return r, err
	}
	r.Faults, err = l.judge(ctx, s.wanted(o.Open), f, &r)
	if err != nil {
		return r, err
	}
	lost := ""
	if o.Open {
		lost = s.Lost
	}
	more, err := l.invariants(ctx, before, f, lost)
	if err != nil {
		return r, err
	}
	r.Faults = append(r.Faults, more...)
	r.Held = len(r.Faults) == 0 && s.NotHeld == ""
	return r, nil
}

// installed reports whether there is a program of a name, or a file by its absolute path.
func installed(name string) bool {
	if filepath.IsAbs(name) {
		_, err := os.Stat(name)
		return err == nil
	}
	_, err := exec.LookPath(name)
	return err == nil
}

// errGivenUp is of a run that took too long.
var errGivenUp = errors.New("given up")

// run lets the program carry the plan out, for so long at most.
func (l *lab) run(ctx context.Context, wall time.Duration) (exit int, output string, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, wall, errGivenUp)
	defer cancel()
	c := exec.CommandContext(ctx, l.self, "-C", l.repo, "loop", "run", planName)
	c.Dir, c.Env = l.dir, l.env()
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) }
	c.WaitDelay = 10 * time.Second
	out, err := c.CombinedOutput()
	var failed *exec.ExitError
	if errors.As(err, &failed) && ctx.Err() == nil {
		return failed.ExitCode(), string(out), nil
	}
	return 0, string(out), cmp.Or(context.Cause(ctx), err)
}

// judge returns what is wrong with a run.
func (l *lab) judge(ctx context.Context, w Want, f *finish, r *Result) ([]string, error) {
	s := &f.state
	r.Status, r.Exit = string(s.Status), f.exit
	if len(s.Incidents) > 0 {
		r.Class = s.Incidents[len(s.Incidents)-1].Class
	}
	if len(s.Chunks) > 0 {
		r.Charged = s.Chunks[0].Charged
	}
	var out []string
	differ := func(what string, got, want any) {
		if got != want {
			out = append(out, fmt.Sprintf("%s: %v, not %v", what, got, want))
		}
	}
	differ("status", s.Status, w.Status)
	differ("class", r.Class, w.Class)
	differ("attempts charged", r.Charged, w.Charged)
	differ("waits for", s.WaitingFor, w.Waiting)
	differ("spend is estimated", s.Spend.Estimated, w.Estimated)
	differ("Meta-Andon", s.End.Meta, w.Meta)
	differ("plan needs a review", s.End.Blocked, w.Blocked)
	if w.Calls > 0 {
		differ("calls of agents", s.Spend.Calls, w.Calls)
	}
	strays, namespaces, breaches := 0, false, []string{}
	for _, e := range f.events {
		if e.Role != nil {
			strays += e.Role.Exit.Strays
			namespaces = namespaces || e.Role.Exit.Level == loops.Bubblewrap
			for _, b := range e.Role.Breaches {
				breaches = append(breaches, b.What)
			}
		}
	}
	if w.Strays && !namespaces { // in which processes end with the agent
		differ("leftover processes ended", strays > 0, true)
	}
	if !slices.ContainsFunc(breaches, func(b string) bool { return strings.Contains(b, w.Breach) }) && w.Breach != "" {
		out = append(out, fmt.Sprintf("changed outside the worktree: %q, not %s", breaches, w.Breach))
	}
	var err error
	if r.Tree, err = l.tree(ctx, f); err == nil && w.Tree != Any {
		differ("tree", r.Tree, w.Tree)
	}
	if len(out) > 0 {
		out = append(out, "because: "+s.End.Why+s.Question)
	}
	return out, err
}

// tree returns what became of what the agent left.
func (l *lab) tree(ctx context.Context, f *finish) (Tree, error) {
	if f.state.Place.Path == "" {
		return Untouched, nil
	}
	status, err := l.git(ctx, "-C", l.worktree(), "status", "--porcelain", "--untracked-files=all")
	if err != nil {
		return "", err
	}
	if status != "" {
		return Kept, nil
	}
	for _, e := range f.events {
		if e.Kind == loops.RolledBack && e.Patch != "" {
			info, err := os.Stat(filepath.Join(f.folder, filepath.FromSlash(e.Patch)))
			if err != nil {
				return "", err
			}
			if info.Size() > 0 {
				return RolledBack, nil
			}
		}
	}
	if f.state.Tree != f.state.Place.Tree {
		return Committed, nil
	}
	return Untouched, nil
}

// removeAll removes a folder, with what tools made read-only in it.
func removeAll(dir string) error {
	err := os.RemoveAll(dir)
	if err == nil {
		return nil
	}
	_ = filepath.WalkDir(dir, func(path string, d os.DirEntry, _ error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(path, 0o700)
		}
		return nil
	})
	return os.RemoveAll(dir)
}
