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

// Driver joins what a run needs.
func (p *Controller) Driver(note func(string)) *run.Driver {
	env, redact := p.Environment()
	container := p.Container()
	level, _ := container.Level()
	home := p.Getenv("HOME")
	prices := p.Prices()
	timeouts := p.Timeouts()
	d := &run.Driver{
		Repo: p.Root, Store: p.Store, Container: container, Scratch: contain.Scratch,
		Agents: func(c loops.Casting) (loops.Agent, error) { return agent.Find(c, prices) },
		Gates: p.Andon().Gates(gate.New(gate.Options{
			Container: container, Path: p.Getenv("PATH"), Env: gate.Toolchains(files.DirFS(cmp.Or(home, "/nowhere"), files.Text), home), Timeouts: timeouts, Protect: p.Config.Protect, Objects: p.Objects,
			Redact: redact, Rules: p.Rules, Today: p.Now(), Cache: filepath.Join(p.Root, ".loopwiki", "cache", "gate"), Tools: p.ToolCache(),
		})),
		Scribe: p.scribe, Plan: maskPlan, Ended: p.ended,
		Timeouts: timeouts, RoleTimeouts: p.RoleTimeouts(), Env: env, Redact: redact, Home: home,
		Hidden: contain.Hidden(home), Require: p.Config.Sandbox == "required",
		Now: p.Now, Sleep: repo.Sleep,
	}
	d.Place = func(ctx context.Context, s *loops.Start, folder string) (loops.Worktree, loops.PlaceResult, error) {
		w, err := contain.Open(ctx, p.Checkout(), contain.Spec{
			Run: s.Run, Plan: placeName(s), Base: s.Base, Parent: p.Config.Worktrees, Folder: folder,
			Contained: level != loops.Bare, Over: p.Over, Failed: p.Failed, Note: note, Now: p.Now, Redact: redact,
			Continue: s.Plan.Format != loops.MarkdownPlan,
		})
		if err != nil {
			return nil, loops.PlaceResult{}, err
		}
		at, err := w.Place(ctx)
		if err == nil && s.Ingest != nil && at.Head == s.Base {
			at, err = intake.New(p.Repo).TakeIn(ctx, s, w, at)
		}
		return w, at, err
	}
	d.Publisher = publish.New(p.Repo).PublishUnattended
	d.Discard = func(ctx context.Context, id string) error {
		return contain.Drop(ctx, p.Checkout(), contain.Owned{Run: id, Folder: p.Store.Folder(id)})
	}
	d.Prompts, d.Planner, d.Answers, d.Idle = &lazyPrompts{place: p}, proposal.New(p.Repo), query.Reader{Root: p.Root}.JudgeAnswer, idle
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

// maskPlan is the maker's rendering of a plan; task files of others are shown as
// they are, as their users expect.
func maskPlan(pl *loops.Plan, src []byte) []byte {
	if pl.Format != loops.MarkdownPlan {
		return nil
	}
	return plan.Render(pl, src)
}

// scribe leaves a run's entry in its worktree's wiki, and with it, if the run
// documented and was met, what the pages that it corrected were compared with.
func (p *Controller) scribe(ctx context.Context, s *loops.State, w loops.Worktree) (string, error) {
	tree, err := run.WriteEntry(ctx, s, w)
	if err == nil && survey.IsCustom(s) {
		tree, err = w.Add(ctx, cmp.Or(tree, s.Tree), map[string][]byte{plan.StateFolder + "/" + s.Start.Loop + ".md": survey.RunState(s).Text()})
	}
	if err != nil || !s.Documenting() || s.End.Status != loops.GoalMet || s.Tree == s.Place.Tree {
		return tree, err
	}
	name, text, err := worklist.New(p.Repo).Restamp(ctx, s, w)
	if err != nil || text == nil {
		return tree, err
	}
	return w.Add(ctx, cmp.Or(tree, s.Tree), map[string][]byte{name: text})
}

// ended leaves an incident where a run failed, and ends a row of failures where
// one met its goal.
func (p *Controller) ended(_ context.Context, s *loops.State, results []loops.GateResult) error {
	end := *s
	if end.End.Status != "" {
		end.Status = end.End.Status // the report is still to be written
	}
	_, err := p.Andon().End(&end, results)
	return errors.Join(err, survey.New(p.Repo).KeepRunState(s))
}

// Controller runs the loops of a repository.
type Controller struct{ *repo.Repo }

// New returns the controller of a repository.
func New(r *repo.Repo) *Controller { return &Controller{r} }
