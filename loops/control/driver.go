package control

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/agent"
	"github.com/loopwiki/wiki/loops/contain"
	"github.com/loopwiki/wiki/loops/control/intake"
	"github.com/loopwiki/wiki/loops/control/proposal"
	"github.com/loopwiki/wiki/loops/control/publish"
	"github.com/loopwiki/wiki/loops/control/query"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/control/survey"
	"github.com/loopwiki/wiki/loops/control/worklist"
	"github.com/loopwiki/wiki/loops/gate"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/loops/run"
)

// driver joins what a run needs.
func (c *Controller) driver(note func(string)) *run.Driver {
	env, redact := c.Environment()
	container := c.Container()
	home := c.Getenv("HOME")
	tools := gate.Toolchains(files.DirFS(cmp.Or(home, "/nowhere"), files.Text), home)
	prices := c.Prices()
	timeouts := c.Timeouts()
	d := &run.Driver{
		Repo: c.Root, Store: c.Store, Container: container, Scratch: contain.Scratch,
		Agents: func(casting loops.Casting) (loops.Agent, error) { return agent.Find(casting, prices) },
		Gates: c.Andon().Gates(gate.New(gate.Options{
			Container: container, Path: c.Getenv("PATH"), Env: tools, Timeouts: timeouts, Protect: c.Config.Protect, Objects: c.Objects,
			Redact: redact, Rules: c.Rules, Today: c.Now(), Cache: filepath.Join(c.Root, ".loopwiki", "cache", "gate"), Tools: c.ToolCache(),
		})),
		Scribe: c.scribe, Plan: maskPlan, Ended: c.ended,
		Timeouts: timeouts, RoleTimeouts: c.RoleTimeouts(), Env: env, Redact: redact, Home: home, Tools: tools, Login: c.login,
		Hidden: contain.Hidden(home), Require: c.Config.Sandbox == "required",
		Now: c.Now, Sleep: repo.Sleep,
	}
	d.Place = c.place("", note)
	d.Publisher = publish.New(c.Repo).PublishUnattended
	d.Discard = func(ctx context.Context, id string) error {
		return contain.Drop(ctx, c.Checkout(), contain.Owned{Run: id, Folder: c.Store.Folder(id)})
	}
	d.Prompts, d.Planner, d.Answers, d.Idle = &prompts{Repo: c.Repo}, proposal.New(c.Repo), query.Reader{Root: c.Root}.JudgeAnswer, idle
	return d
}

// place returns what opens the worktree of a run. A new one starts from head, which is the
// base of the run if it is "".
func (c *Controller) place(head string, note func(string)) func(context.Context, *loops.Start, string) (loops.Worktree, loops.PlaceResult, error) {
	_, redact := c.Environment()
	level, _ := c.Container().Level()
	return func(ctx context.Context, s *loops.Start, folder string) (loops.Worktree, loops.PlaceResult, error) {
		w, err := contain.Open(ctx, c.Checkout(), contain.Spec{
			Run: s.Run, Plan: placeName(s), Base: cmp.Or(head, s.Base), Parent: c.Config.Worktrees, Folder: folder,
			Contained: level != loops.Bare, Over: c.Over, Failed: c.Failed, Note: note, Now: c.Now, Redact: redact,
			Continue: s.Plan.Format != loops.MarkdownPlan,
		})
		if err != nil {
			return nil, loops.PlaceResult{}, err
		}
		at, err := w.Place(ctx)
		if err == nil && s.Ingest != nil && at.Head == s.Base {
			at, err = intake.New(c.Repo).TakeIn(ctx, s, w, at)
		}
		return w, at, err
	}
}

// placeName names the branch and the folder of a run. Those of a run in shadow are
// its own, for they go with it: a branch that another run of the plan left stays.
func placeName(s *loops.Start) string {
	if s.Mode == loops.Shadow && s.Loop != loops.PlanLoop {
		return s.Plan.Name + "-shadow"
	}
	return s.Plan.Name
}

// maskPlan returns the maker's rendering of a plan; task files of others are shown as
// they are, as their users expect.
func maskPlan(pl *loops.Plan, src []byte) []byte {
	if pl.Format != loops.MarkdownPlan {
		return nil
	}
	return plan.Render(pl, src)
}

// scribe leaves a run's entry in its worktree's wiki, and with it, if the run
// documented and was met, corrects citations of code that moved and notes what the pages
// that it checked were compared with.
func (c *Controller) scribe(ctx context.Context, s *loops.State, w loops.Worktree) (string, error) {
	tree, err := run.WriteEntry(ctx, s, w)
	if err == nil && survey.IsCustom(s) {
		tree, err = w.Add(ctx, cmp.Or(tree, s.Tree), map[string][]byte{plan.StateFolder + "/" + s.Start.Loop + ".md": survey.RunState(s).Text()})
	}
	if err != nil || !s.Documenting() || s.End.Status != loops.GoalMet {
		return tree, err
	}
	l := worklist.New(c.Repo)
	mended, err := l.Mend(ctx, s, w)
	if err == nil && len(mended) > 0 {
		tree, err = w.Add(ctx, cmp.Or(tree, s.Tree), mended)
	}
	if err != nil {
		return tree, err
	}
	name, text, err := l.Restamp(ctx, s, w)
	if err != nil || text == nil {
		return tree, err
	}
	return w.Add(ctx, cmp.Or(tree, s.Tree), map[string][]byte{name: text})
}

// ended leaves an incident where a run failed, and ends a row of failures where
// one met its goal.
func (c *Controller) ended(_ context.Context, s *loops.State, results []loops.GateResult) error {
	end := *s
	if end.End.Status != "" {
		end.Status = end.End.Status // the report is still to be written
	}
	_, err := c.Andon().End(&end, results)
	return errors.Join(err, survey.New(c.Repo).KeepRunState(s))
}

// Controller runs the loops of a repository.
type Controller struct{ *repo.Repo }

// New returns the controller of a repository.
func New(r *repo.Repo) *Controller { return &Controller{r} }
