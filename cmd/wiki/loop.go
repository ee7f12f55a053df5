package main

import (
	"context"
	"os"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/tracker"
	"github.com/loopwiki/wiki/schema"
	"github.com/spf13/cobra"
)

func newLoop(p *program) *cobra.Command {
	c := &cobra.Command{
		Use:   "loop",
		Short: "Let agents carry out plans, and judge what they leave",
		Long: `Loop runs agents over the repository. A plan goes in; a judged change on a branch
of its own comes out, or a stop with its evidence. A maker works in a worktree;
programs judge the files that it leaves, then a checker does, then the plan's
goal decides; the runner alone commits. No loop ever touches the default branch.`,
		Example: `  wiki loop run plans/2026-06-pricing-input-validation.md
  wiki loop new link-repair
  wiki loop status
  wiki loop show latest`,
		Annotations: exits("0  help was printed"),
		GroupID:     groupLoops,
		SuggestFor:  []string{"run", "agent", "agents", "execute", "loops"},
		Args:        cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return noCommand(cmd, args[0])
			}
			return cmd.Help()
		},
	}
	c.AddCommand(
		newLoopRun(p), newLoopStatus(p), newLoopList(p), newLoopShow(p), newLoopLogs(p), newLoopResume(p), newLoopStop(p),
		newLoopApprove(p), newLoopReject(p), newLoopGC(p), newLoopReport(p), newLoopReplay(p), newLoopSelftest(p),
		newLoopMode(p), newLoopGrant(p),
		newLoopNew(p), newLoopReady(p), newLoopSchedule(p),
	)
	return c
}

// exitsOfRuns are the exit statuses of commands that run a loop.
var exitsOfRuns = []string{
	"0  the goal is met", "1  it is not, or a person rejected it", "3  something is missing: an agent, a tool, a green base; or the plan, or its files, are being worked on by another runner",
	"4  the line stopped: there is an incident", "5  the budget is spent", "6  it waits for a person, or for a limit of rate to end",
}

// loops finds the repository whose loops are run.
func (p *program) loops(cmd *cobra.Command) (*control.Controller, error) {
	return p.place(cmd.Context())
}

// givenRun finds the run that is named, the latest if none is, and its repository.
func (p *program) givenRun(cmd *cobra.Command, args []string) (*control.Controller, string, error) {
	place, err := p.loops(cmd)
	if err != nil {
		return nil, "", err
	}
	id, err := place.FindRun(args)
	return place, id, err
}

func (p *program) place(ctx context.Context) (*control.Controller, error) {
	ws, err := p.detect()
	if err != nil {
		return nil, err
	}
	place, err := repo.Open(ctx, p.path("."), p.env)
	if err != nil {
		return nil, err
	}
	return p.equip(control.New(place), ws)
}

// outsideOfRuns refuses what only people do, and what would go round in circles,
// within a run of a loop: by the variable that programs of a run are given, and
// by the processes above for those that cleared it.
func (p *program) outsideOfRuns(ctx context.Context, what, hint string) error {
	if run := p.env(schema.RunVariable); run != "" {
		return misuse(hint, "%s is refused within a run (%s is %q)", what, schema.RunVariable, run)
	}
	place, err := repo.Open(ctx, p.path("."), p.env)
	if err != nil {
		return nil // there are no runs where there is no repository
	}
	if place.Self = []string{"", superviseName}; place.Within() {
		return misuse(hint, "%s is refused within a run (a program of one started it)", what)
	}
	return nil
}

// equip gives a repository's loops what it configures, and this program's parts.
func (p *program) equip(place *control.Controller, ws *compiler.Workspace) (*control.Controller, error) {
	place.Config = ws.Config.Loops
	place.Rules = linter.Rules()
	place.Tracker = func(name string) (loops.Tracker, error) {
		return tracker.Open(p.trackers(place), name, place.Config.Connectors[name])
	}
	self, err := os.Executable()
	place.Self = []string{self, superviseName}
	return place, err
}

// runID completes the ids of runs.
func (p *program) runIDs(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	place, err := p.loops(cmd)
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	ids, _ := place.Store.IDs()
	return ids, cobra.ShellCompDirectiveNoFileComp
}

// ended makes the exit status of a command of a run's.
func ended(exit int) error {
	if exit == 0 {
		return nil
	}
	return &fault{code: exit}
}
