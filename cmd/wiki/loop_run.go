package main

import (
	"cmp"

	"github.com/loopwiki/wiki/loops/control"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/spf13/cobra"
)

type loopRunOptions struct {
	control.Flags
	timeout               string
	dryRun, json, detach  bool
	resume, reset, status bool
	inPlace               bool
	id, since             string
}

func newLoopRun(p *program) *cobra.Command {
	var o loopRunOptions
	c := &cobra.Command{
		Use:   "run [execution|audit|documentation] [NAME|PLAN|FILE]",
		Short: "Carry out a plan, or a loop: look for work, keep the wiki true, or your own",
		Long: `Run carries out a plan: each of its chunks is made by an agent in a worktree of
its own, judged by gates and by a second agent, and committed to loop/<plan>
when both let it pass. When all chunks are done the plan's goal decides. The
default branch is never touched.

PLAN is a file of plans/, by its path or its name; FILE may be a task.json of
lodeloop or a prd.json of ralph or agent-loop: the repository is then that of its
workdir, and the file's stories are marked as they pass. Without either, 'run
execution' takes the first plan that is pending, in autonomous also those after
it, and 'run' alone lists what there is to do.

'run audit' has an auditor look for what is wrong in the repository. What it
cites is looked up, what was rejected before is left out, and at most five plans
are written to plans/; the run then waits: 'wiki loop approve' carries them out,
'wiki loop reject' removes them and remembers it. Its log lies on loop/audit-DAY,
and so do at most two pages on concepts that no page explains, if a writer is
named: gates judge them as those of documentation.

'run documentation' keeps the wiki true of what was committed since its last run,
or --since: a writer corrects the pages that are about it, on a branch of their
own. It is not called if there is none, and a person is asked first if the linter
has more than 10 findings on them. What people changed is proposed as a patch.

NAME is a loop of your own, agents/loops/NAME.md: 'wiki loop new' begins one.
With an auditor it goes as audit does, with a writer as documentation.

Who plays which role is said in wiki.yaml, under loops: roles:, or by --agent. A
run that is interrupted, or waits, goes on with 'wiki loop resume'.`,
		Example: `  wiki loop run plans/2026-06-pricing-input-validation.md
  wiki loop run execution --agent claude:haiku --checker codex
  wiki loop run pricing-input-validation --dry-run
  wiki loop run link-repair --dry-run
  wiki loop run task.json -n 10 --timeout 10m
  wiki loop run audit --agent claude:opus
  wiki loop run documentation --since 1w --dry-run`,
		Annotations: exits(exitsOfRuns...),
		SuggestFor:  []string{"start", "exec", "execute"},
		Args:        cobra.MaximumNArgs(2),
		RunE:        func(cmd *cobra.Command, args []string) error { return runLoop(cmd, p, o, args) },
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			return p.planPaths(cmd)
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVarP(&o.Agent, "agent", "a", "", "let `AGENT`, or AGENT:MODEL, play all roles")
	f.StringVar(&o.Maker, "maker", "", "let `AGENT` make")
	f.StringVar(&o.Checker, "checker", "", "let `AGENT` check")
	f.StringVar(&o.Mode, "mode", "", "`MODE`: manual, shadow, draft or autonomous; of a .loop/prd.json implement, explore or fix")
	f.IntVarP(&o.Iterations, "max-iterations", "n", 0, "call the maker at most `N` times")
	f.StringVarP(&o.timeout, "timeout", "t", "", "end a call after `TIME`: 10m, or a number of seconds")
	f.Float64Var(&o.USD, "budget", 0, "spend at most `USD`")
	f.StringVar(&o.Notify, "notify", "", "run `CMD` at the end; {status}, {iterations} and {stories} are replaced")
	f.StringVar(&o.since, "since", "", "document what changed since `REV`, a day, or a span: 3d, 1w")
	f.BoolVar(&o.dryRun, "dry-run", false, "print the prompts and what the run could cost, and call nobody")
	f.BoolVar(&o.json, "json", false, "print every event as a line of JSON, and the summary last")
	f.BoolVar(&o.detach, "detach", false, "run in the background; 'wiki loop logs -f' follows it")
	f.BoolVar(&o.resume, "resume", false, "go on with the interrupted run of this plan, or with the state of a task file")
	f.BoolVar(&o.reset, "reset", false, "forget the state of a task file and its stories' passes; a copy is kept")
	f.BoolVar(&o.status, "status", false, "print the state of a task file; a document with --json")
	f.BoolVar(&o.inPlace, "in-place", false, "bring each commit to the current branch of a task file's workdir, which must not be the default one")
	f.StringVar(&o.id, "id", "", "the `RUN` whose folder is made already")
	_ = f.MarkHidden("id")
	return c
}

func runLoop(cmd *cobra.Command, p *program, o loopRunOptions, args []string) error {
	err := p.outsideOfRuns(cmd.Context(), "loop run", "a loop does not start loops")
	if err != nil {
		return err
	}
	if o.Timeout, err = timespan("--timeout", o.timeout); err != nil {
		return err
	}
	if o.Iterations < 0 || o.Iterations == 0 && cmd.Flags().Changed("max-iterations") {
		return misuse("give a whole number from 1", "--max-iterations: %d iterations are none", o.Iterations)
	}
	if _, err := plan.NotifyArgs(cmp.Or(o.Notify, "true"), "", "", ""); err != nil {
		return misuse("give a command with its arguments; no shell reads it", "--notify: %v", err)
	}
	if file, ok, err := taskFile(args); err != nil {
		return err
	} else if ok {
		return p.runTask(cmd, file, o)
	}
	if o.reset || o.status || o.inPlace {
		return misuse("'wiki loop status' says how runs stand", "--reset, --status and --in-place are for task files: task.json, prd.json")
	}
	place, err := p.loops(cmd)
	if err != nil {
		return err
	}
	if o.Mode != "" && !contains(loopModes, o.Mode) {
		return misuse(oneOf(o.Mode, loopModes), "--mode: unknown mode %q", o.Mode)
	}
	l, err := p.loopOf(place, args)
	if err != nil {
		return err
	}
	if o.since != "" && (l == nil || l.Spec.Kind != plan.WikiLoop) {
		return misuse("'wiki loop run documentation --since 1w' looks back a week", "--since is for the documentation loop, and those with a writer")
	}
	if l != nil {
		return p.runNamed(cmd, place, l, o, args)
	}
	if len(args) == 0 && !o.resume {
		return p.offer(cmd, place)
	}
	return p.runPlan(cmd, place, o, args)
}

// runNamed runs a loop in the way of its kind.
func (p *program) runNamed(cmd *cobra.Command, place *control.Controller, l *repo.Loop, o loopRunOptions, args []string) error {
	if len(args) > 1 {
		return misuse("'wiki loop run "+args[0]+"' finds its work itself", "the %s loop takes no plan: %q is one too many", l.Spec.Name, args[1])
	}
	switch l.Spec.Kind {
	case plan.AuditLoop:
		return p.runAudit(cmd, place, l, o)
	case plan.WikiLoop:
		return p.runDocumentation(cmd, place, l, o)
	}
	return p.runPass(cmd, place, l, o)
}

var loopModes = []string{"manual", "shadow", "draft", "autonomous"}
