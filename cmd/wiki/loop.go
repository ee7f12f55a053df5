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
		Short: "Let agents carry out plans, and verify their changes",
		Long: `Let agents carry out plans, and verify their changes. A run turns a plan into a
reviewed change on its own branch, or stops with evidence. A maker works in a
worktree; gates check the files that it leaves, then a checker reviews them, then
the plan's goal decides. Only the runner commits, and never to the default
branch.`,
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
		newLoopNew(p), newLoopReady(p), newLoopSchedule(p), newLoopSpec(p), newLoopIntent(p), newLoopAgents(p), newLoopBench(p), newLoopExport(p), newLoopCheckin(p), newLoopStep(p),
	)
	return c
}

// exitsOfRuns are the exit codes of commands that run a loop.
var exitsOfRuns = []string{
	"0  the goal is met", "1  the goal is not met, or a person rejected the run",
	"3  something is missing: an agent, a tool, a passing base; or another run works on the plan or its files",
	"4  stopped: an incident was opened", "5  the budget is used up", "6  waiting for approval, or for an agent's vendor",
}

// loops finds the repository that the loops run in.
func (p *program) loops(cmd *cobra.Command) (*control.Controller, error) {
	return p.controller(cmd.Context())
}

// givenRun finds the repository and the named run, or the latest one.
func (p *program) givenRun(cmd *cobra.Command, args []string) (*control.Controller, string, error) {
	ctl, err := p.loops(cmd)
	if err != nil {
		return nil, "", err
	}
	id, err := ctl.FindRun(args)
	return ctl, id, err
}

func (p *program) controller(ctx context.Context) (*control.Controller, error) {
	ws, err := p.detect()
	if err != nil {
		return nil, err
	}
	ctl, err := repo.Open(ctx, p.path("."), p.env)
	if err != nil {
		return nil, err
	}
	return p.equip(control.New(ctl), ws)
}

// outsideOfRuns refuses, within a run of a loop, what only people may do and what
// would recurse. It looks at the variable that every program of a run is given
// and, since that can be cleared, at the parent processes.
func (p *program) outsideOfRuns(ctx context.Context, what, hint string) error {
	if run := p.env(schema.RunVariable); run != "" {
		return misuse(hint, "%s is refused within a run (%s is %q)", what, schema.RunVariable, run)
	}
	ctl, err := repo.Open(ctx, p.path("."), p.env)
	if err != nil {
		return nil // no repository, so no runs
	}
	if ctl.Self = []string{"", superviseName}; ctl.Within() {
		return misuse(hint, "%s is refused within a run (started by one of its programs)", what)
	}
	return nil
}

// equip gives a repository's loops their configuration and the parts of this program.
func (p *program) equip(ctl *control.Controller, ws *compiler.Workspace) (*control.Controller, error) {
	ctl.Config = ws.Config.Loops
	ctl.Rules = linter.Rules()
	ctl.Retriever = func(worktree string) loops.Retriever { return packs{p, worktree} }
	ctl.Tracker = func(name string) (loops.Tracker, error) {
		return tracker.Open(p.trackers(ctl), name, ctl.Config.Connectors[name])
	}
	self, err := os.Executable()
	ctl.Self = []string{self, superviseName}
	return ctl, err
}

// runIDs completes the ids of runs.
func (p *program) runIDs(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	ctl, err := p.loops(cmd)
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	ids, _ := ctl.Store.IDs()
	return ids, cobra.ShellCompDirectiveNoFileComp
}

// ended is the fault that gives a command the exit code of its run.
func ended(exit int) error {
	if exit == 0 {
		return nil
	}
	return &fault{code: exit}
}
