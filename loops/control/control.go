// Package control joins the rooms of the loops into runs: it turns wiki.yaml, the
// flags of a command line and the environment into a driver and into what a run is
// decided by.
package control

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/compiler/history"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/agent"
	"github.com/loopwiki/wiki/loops/contain"
	"github.com/loopwiki/wiki/loops/gate"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/loops/prompt"
	"github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/schema"
)

// Place is a repository whose loops are run.
type Place struct {
	Root   string // of the main checkout, absolute
	Config schema.LoopsConfig
	// Getenv is the process's environment.
	Getenv func(string) string
	// Self is how this program is started again as a supervisor.
	Self []string
	// Rules are those of the linter.
	Rules []*linter.Rule
	Now   func() time.Time
	Store *run.Store
	// Tracker opens an issue tracker that Config names.
	Tracker func(name string) (loops.Tracker, error)
	// Wiki is where the pages are that questions are asked of; nil finds them.
	Wiki *compiler.Workspace

	container loops.Container
	told      func(string)
	objects   string // where the repository keeps them
}

// Open finds the repository that dir lies in.
func Open(ctx context.Context, dir string, getenv func(string) string) (*Place, error) {
	dir, err := filepath.Abs(dir) // as it is PWD, by which git names folders
	if err != nil {
		return nil, err
	}
	out, err := git(ctx, dir, "rev-parse", "--path-format=absolute", "--show-toplevel", "--git-common-dir").Output()
	if err != nil {
		var missing *exec.Error
		if errors.As(err, &missing) {
			return nil, err
		}
		if _, why := history.Toplevel(ctx, dir); errors.Is(why, history.ErrNotTrusted) {
			_, remedy, _ := strings.Cut(why.Error(), "; run ")
			return nil, &UntrustedError{dir, remedy}
		}
		return nil, &NoRepositoryError{dir}
	}
	top, common, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	// Runs belong to the main checkout, wherever they are asked for.
	if filepath.Base(common) == ".git" {
		top = filepath.Dir(common)
	}
	root := filepath.FromSlash(top)
	return &Place{Root: root, Getenv: getenv, Now: time.Now, Store: run.NewStore(root), objects: filepath.Join(filepath.FromSlash(common), "objects")}, nil
}

// NoRepositoryError is a folder that lies in no repository of git.
type NoRepositoryError struct{ Dir string }

func (e *NoRepositoryError) Error() string { return "no git repository in " + e.Dir + " or above it" }

// Hint says what to do.
func (e *NoRepositoryError) Hint() string {
	return "loops work on branches of a repository: run 'git init' and commit, or name its folder with -C"
}

// UntrustedError is a repository of another user, which git does not work on.
type UntrustedError struct{ Dir, Remedy string }

func (e *UntrustedError) Error() string {
	return "git does not trust the repository of " + e.Dir + ", as it belongs to another user"
}

// Hint says what to do, with the path as git wants it.
func (e *UntrustedError) Hint() string { return "if you do, run '" + e.Remedy + "'" }

// git is a call of git that the process's surroundings do not change.
func git(ctx context.Context, dir string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, "git", append([]string{"--no-optional-locks", "-c", "core.quotepath=off", "-c", "core.fsmonitor=false"}, args...)...)
	c.Dir = dir
	c.Env = slices.DeleteFunc(c.Environ(), func(e string) bool {
		return strings.HasPrefix(e, "GIT_") && !strings.HasPrefix(e, "GIT_SSH") && !strings.HasPrefix(e, "GIT_CONFIG_")
	})
	return c
}

// Git asks git in the main checkout.
func (p *Place) Git(ctx context.Context, args ...string) (string, error) {
	out, err := git(ctx, p.Root, args...).Output()
	if err != nil {
		var failed *exec.ExitError
		if errors.As(err, &failed) {
			return "", fmt.Errorf("git %s: %s", args[0], strings.TrimSpace(string(failed.Stderr)))
		}
		return "", err
	}
	return strings.TrimSpace(string(out)), nil
}

// Container runs the programs of this repository's runs.
func (p *Place) Container() loops.Container {
	if p.container == nil {
		o := contain.Options{Place: p.name()}
		if p.Config.Sandbox == "none" {
			o.AtMost = loops.Bare
		}
		p.container = contain.New(p.Self, o)
	}
	return p.container
}

// name is what this repository's runs are told apart from others' by.
func (p *Place) name() string { return digest(p.Root) }

// Within reports whether this process was started by a program of a run of this
// repository.
func (p *Place) Within() bool { return contain.Above(p.Self, p.name()) }

// digest is short and of few letters.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// Timeouts are the configured ones.
func (p *Place) Timeouts() loops.Timeouts {
	c, d := p.Config.Timeouts, loops.DefaultTimeouts()
	or := func(t schema.Timespan, d loops.Duration) loops.Duration {
		return loops.Duration(t.Or(time.Duration(d)))
	}
	return loops.Timeouts{Progress: or(c.Progress, d.Progress), Silence: or(c.Silence, d.Silence), Wall: or(c.Wall, d.Wall), Gate: or(c.Gate, d.Gate), Grace: or(c.Grace, d.Grace)}
}

// Limits are the configured ones.
func (p *Place) Limits() loops.Limits { return p.limits(loops.DefaultLimits()) }

// limits are the configured ones, over those of who says nothing.
func (p *Place) limits(l loops.Limits) loops.Limits {
	c := p.Config.Budget
	l.Budget.USD = or(c.USD, l.Budget.USD)
	l.Budget.Tokens = or(c.Tokens, l.Budget.Tokens)
	l.Budget.Iterations = or(c.Iterations, l.Budget.Iterations)
	l.Budget.PullRequests = or(c.PullRequests, l.Budget.PullRequests)
	l.Budget.DayUSD, l.Budget.ChunkUSD, l.Budget.ToolCalls = c.DayUSD, c.ChunkUSD, c.ToolCalls
	l.Budget.Clock = or(loops.Duration(c.Clock), l.Budget.Clock)
	l.Attempts = or(c.Attempts, l.Attempts)
	l.Backoff = loops.Duration(p.Config.Timeouts.Backoff.Or(time.Duration(l.Backoff)))
	l.EstimateUSD = or(p.Config.Estimate.USDPerCall, l.EstimateUSD)
	l.Budget.RoleUSD = make(map[loops.Role]float64)
	for role, r := range p.Config.Roles {
		if r.USD > 0 {
			l.Budget.RoleUSD[loops.Role(role)] = r.USD
		}
	}
	return l
}

func or[T comparable](given, otherwise T) T {
	var none T
	if given == none {
		return otherwise
	}
	return given
}

// Prices are the vendors' and, over them, the configured ones.
func (p *Place) Prices() agent.Prices {
	all := agent.DefaultPrices()
	for model, price := range p.Config.Prices {
		all[model] = agent.Price{Input: price.Input, Output: price.Output}
	}
	return all
}

// Driver joins what a run needs.
func (p *Place) Driver() *run.Driver {
	env, redact := p.environment()
	container := p.Container()
	level, _ := container.Level()
	home := p.Getenv("HOME")
	prices := p.Prices()
	timeouts := p.Timeouts()
	d := &run.Driver{
		Repo: p.Root, Store: p.Store, Container: container, Scratch: contain.Scratch,
		Agents: func(c loops.Casting) (loops.Agent, error) { return agent.Find(c, prices) },
		Gates: p.Andon().Gates(gate.New(gate.Options{
			Container: container, Path: p.Getenv("PATH"), Env: gate.Toolchains(files.DirFS(or(home, "/nowhere"), files.Text), home), Timeouts: timeouts, Protect: p.Config.Protect, Objects: p.objects,
			Redact: redact, Rules: p.Rules, Today: p.Now(), Cache: filepath.Join(p.Root, ".loopwiki", "cache", "gate"), Tools: p.tools(),
		})),
		Scribe: p.scribe, Plan: maskPlan, Ended: p.ended,
		Timeouts: timeouts, RoleTimeouts: p.roleTimeouts(), Env: env, Redact: redact, Home: home,
		Hidden: contain.Hidden(home), Require: p.Config.Sandbox == "required",
		Now: p.Now, Sleep: sleep,
	}
	d.Place = func(ctx context.Context, s *loops.Start, folder string) (loops.Worktree, loops.PlaceResult, error) {
		w, err := contain.Open(ctx, contain.Repo{Dir: p.Root, Env: p.gitEnv()}, contain.Spec{
			Run: s.Run, Plan: placeName(s), Base: s.Base, Parent: p.Config.Worktrees, Folder: folder,
			Contained: level != loops.Bare, Over: p.over, Failed: p.failed, Note: p.tell, Now: p.Now, Redact: redact,
			Continue: s.Plan.Format != loops.MarkdownPlan,
		})
		if err != nil {
			return nil, loops.PlaceResult{}, err
		}
		at, err := w.Place(ctx)
		if err == nil && s.Ingest != nil && at.Head == s.Base {
			at, err = p.takeIn(ctx, s, w, at)
		}
		return w, at, err
	}
	d.Publisher = p.publishItself
	d.Discard = func(ctx context.Context, id string) error {
		return contain.Drop(ctx, contain.Repo{Dir: p.Root, Env: p.gitEnv()}, contain.Owned{Run: id, Folder: p.Store.Folder(id)})
	}
	d.Prompts, d.Planner, d.Answers, d.Idle = &lazyPrompts{place: p}, proposals{p}, p.judgeAnswer, idle
	return d
}

// placeName names the branch and the folder of a run. Those of a run in shadow are
// its own, for they go with it: a branch that another run of the plan left stays.
func placeName(s *loops.Start) string {
	if s.Mode == loops.Shadow && s.Loop != loops.PlanLoop {
		return s.Plan.Name + "-shadow"
	}
	return s.Plan.Name
}

// tools is where the gates of all repositories keep the caches of compilers: a
// first run does not have to build a standard library each time. "" keeps them
// with the repository.
func (p *Place) tools() string {
	cache := p.Getenv("XDG_CACHE_HOME")
	if home := p.Getenv("HOME"); cache == "" && home != "" {
		cache = filepath.Join(home, ".cache")
	}
	if !filepath.IsAbs(cache) {
		return ""
	}
	return filepath.Join(cache, "wiki", "gates")
}

// maskPlan is the maker's rendering of a plan; task files of others are shown as
// they are, as their users expect.
func maskPlan(pl *loops.Plan, src []byte) []byte {
	if pl.Format != loops.MarkdownPlan {
		return nil
	}
	return plan.Render(pl, src)
}

// lazyPrompts makes prompts with the commands that the run was started with.
type lazyPrompts struct {
	place *Place
	more  func(context.Context, loops.PromptRequest) ([]prompt.Section, error)
}

func (l *lazyPrompts) Prompt(ctx context.Context, r loops.PromptRequest) (loops.Prompt, error) {
	switch r.Command.Role {
	case loops.Planner:
		return l.place.planPrompt(ctx, r)
	case loops.Auditor:
		return l.place.auditPrompt(ctx, r)
	case loops.Reader:
		return l.place.queryPrompt(ctx, r)
	}
	if r.Command.Role == loops.Maker {
		start := *r.Start
		start.Plan = concealed(start.Plan)
		r.Start = &start
	}
	m := &prompt.Maker{Wiki: about(passages{r.Worktree}, r.Page), History: gitLog, Commands: r.Start.Gates, Lessons: l.place.Andon().Lessons, More: l.more}
	switch {
	case r.Page != nil:
		m.More = pageSections
	case r.Start.Documentation != nil:
		m.More = documentationSections
	}
	m.Tasks = func(ctx context.Context, r loops.PromptRequest) (string, error) {
		return tasks(ctx, r.Start, r.Worktree)
	}
	return m.Prompt(ctx, r)
}

// concealed is a plan without what would tell the maker how it is judged.
func concealed(pl loops.Plan) loops.Plan {
	whole := pl
	if pl.Format != loops.MarkdownPlan {
		return pl
	}
	pl.Context, pl.Notes, pl.Risks = plan.Conceal(&whole, pl.Context), plan.Conceal(&whole, pl.Notes), plan.Conceal(&whole, pl.Risks)
	pl.Chunks = slices.Clone(pl.Chunks)
	for i := range pl.Chunks {
		pl.Chunks[i].Text = plan.Conceal(&whole, pl.Chunks[i].Text)
	}
	return pl
}

// gitLog is what happened to paths lately.
func gitLog(ctx context.Context, dir string, paths []string) (string, error) {
	args := []string{"log", "-n", "12", "--no-merges", "--date=short", "--format=%h %ad %s", "--"}
	for _, p := range paths {
		args = append(args, ":(glob)"+p)
	}
	out, err := git(ctx, dir, args...).Output()
	if err != nil {
		return "", nil // a repository without commits has no history
	}
	return string(out), nil
}

// over reports whether a run is at its end.
func (p *Place) over(id string) bool {
	s, _, err := p.Store.Read(id)
	return err == nil && s.Status.Over()
}

// failed reports whether a run ended and did not reach its goal, or a person does
// not want what it made.
func (p *Place) failed(id string) bool {
	s, _, err := p.Store.Read(id)
	return err == nil && s.Status.Over() && s.Status != loops.GoalMet
}

// tell says what is worth knowing of the place of a run.
func (p *Place) tell(text string) {
	if p.told != nil {
		p.told("note: " + text)
	}
}

func (p *Place) roleTimeouts() map[loops.Role]time.Duration {
	out := make(map[loops.Role]time.Duration)
	for role, r := range p.Config.Roles {
		if r.Timeout > 0 {
			out[loops.Role(role)] = time.Duration(r.Timeout)
		}
	}
	return out
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}
