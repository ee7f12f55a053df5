package main

import (
	"cmp"
	"errors"

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
	id, since, on         string
	inputs                []string
}

func newLoopRun(p *program) *cobra.Command {
	var o loopRunOptions
	c := &cobra.Command{
		Use:   "run [execution|audit|documentation] [NAME|PLAN|FILE]",
		Short: "Run a plan, an audit, the documentation loop, your own loop or a loop specification",
		Long: `Run a plan: an agent makes each chunk in a worktree, gates and a second agent
check it, and the runner commits it to loop/<plan> if both approve. After the
last chunk, the plan's goal decides. The default branch is never touched.

PLAN is a file in plans/, by path or name. FILE may be a task.json of lodeloop or
a prd.json of ralph or agent-loop: the run then uses the repository of its
workdir and marks the file's stories as they pass. Without either, 'run
execution' takes the first pending plan, in autonomous mode also the next ones,
and 'run' alone lists what can be run.

'run audit' lets an auditor look for problems in the repository. Its citations
are looked up, findings that were rejected before are dropped, and at most five
plans are written to plans/. The run then waits: 'wiki loop approve' carries out
the plans, 'wiki loop reject' removes them and remembers the findings. The log is
on loop/audit-DAY. If a writer is configured, it also adds at most two pages
about unexplained concepts there, checked by the documentation gates.

'run documentation' updates the wiki after the commits since its last run, or
since --since: a writer corrects the affected pages on a separate branch. Without
affected pages no agent is called; if they have more than 10 lint findings, a
person is asked first. Changes to pages written by people are proposed as
patches.

NAME is your own loop, agents/loops/NAME.md, created by 'wiki loop new'. One with
an auditor runs like audit, one with a writer like documentation.

FILE may also be a loop specification in YAML or JSON; see 'wiki loop spec'. Its
workers run one after another, its evaluators judge each iteration, and what it
leaves at the end is committed under the ordinary gates. What it asks for and
can't be enforced is refused first. A file that nobody approved waits for 'wiki
loop approve', with the commands that it runs.

Agents are assigned to roles in wiki.yaml, under loops: roles:, or with --agent.
An interrupted or waiting run is continued with 'wiki loop resume'.`,
		Example: `  wiki loop run plans/2026-06-pricing-input-validation.md
  wiki loop run execution --agent claude:haiku --checker codex
  wiki loop run pricing-input-validation --dry-run
  wiki loop run link-repair --dry-run
  wiki loop run task.json -n 10 --timeout 10m
  wiki loop run loop.yaml --input task='Fix the failing tests'
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
	f.StringVarP(&o.Agent, "agent", "a", "", "use `AGENT`, or AGENT:MODEL, for all roles")
	f.StringVar(&o.Maker, "maker", "", "use `AGENT` as the maker")
	f.StringVar(&o.Checker, "checker", "", "use `AGENT` as the checker")
	f.StringVar(&o.Mode, "mode", "", "run in `MODE`: manual, shadow, draft or autonomous; for .loop/prd.json implement, explore or fix")
	f.BoolVar(&o.Repair, "repair", false, "start although the base fails: its failures are recorded, and must pass at the end")
	f.IntVarP(&o.Iterations, "max-iterations", "n", 0, "call the maker at most `N` times")
	f.StringVarP(&o.timeout, "timeout", "t", "", "end each call after `TIME`: 10m, or a number of seconds")
	f.Float64Var(&o.USD, "budget", 0, "spend at most `USD`")
	f.StringVar(&o.Notify, "notify", "", "run `CMD` at the end; {status}, {iterations} and {stories} are filled in")
	f.StringArrayVar(&o.inputs, "input", nil, "give a loop specification an input, as `NAME=VALUE`; repeatable")
	f.StringVar(&o.since, "since", "", "document changes since `REV`, a date, or a time span: 3d, 1w")
	f.BoolVar(&o.dryRun, "dry-run", false, "print the prompts and the most the run could cost, without calling an agent")
	f.BoolVar(&o.json, "json", false, "print each event, and at the end the summary, as a line of JSON")
	f.StringVar(&o.on, "on", "", "let `ENGINE` carry the plan out: embedded, or temporal; default as in wiki.yaml")
	f.BoolVar(&o.detach, "detach", false, "run in the background; 'wiki loop logs -f' follows it")
	f.BoolVar(&o.resume, "resume", false, "resume the interrupted run of this plan, or the state of a task file")
	f.BoolVar(&o.reset, "reset", false, "reset the state of a task file and its stories; a copy is kept")
	f.BoolVar(&o.status, "status", false, "print the state of a task file")
	f.BoolVar(&o.inPlace, "in-place", false, "apply each commit to the current branch of a task file's workdir, which must not be the default branch")
	f.StringVar(&o.id, "id", "", "use `RUN`, whose folder exists already")
	_ = f.MarkHidden("id")
	return c
}

func runLoop(cmd *cobra.Command, p *program, o loopRunOptions, args []string) error {
	err := p.outsideOfRuns(cmd.Context(), "loop run", "loops can't start loops; run it yourself")
	if err != nil {
		return err
	}
	if o.Timeout, err = timespan("--timeout", o.timeout); err != nil {
		return err
	}
	if o.Iterations < 0 || o.Iterations == 0 && cmd.Flags().Changed("max-iterations") {
		return misuse("use a number above 0", "--max-iterations: %d is not a number of calls", o.Iterations)
	}
	if _, err := plan.NotifyArgs(cmp.Or(o.Notify, "true"), "", "", ""); err != nil {
		return misuse("use a command with arguments; it is not run in a shell", "--notify: %v", err)
	}
	if err := withEngine(o.on, true); err != nil {
		return err
	}
	if of, ok, err := p.specFile(args); err != nil {
		return err
	} else if ok {
		if err := withEngine(o.on, false); err != nil {
			return err
		}
		return p.runSpec(cmd, of, o)
	}
	if len(o.inputs) > 0 {
		return misuse(cmp.Or(ofLibrary(args), "for example 'wiki loop run loop.yaml --input task=TEXT'"), "--input requires a loop specification")
	}
	if file, ok, err := taskFile(args); err != nil {
		return err
	} else if ok {
		if err := withEngine(o.on, false); err != nil {
			return err
		}
		return p.runTask(cmd, file, o)
	}
	if o.reset || o.status || o.inPlace {
		return misuse("'wiki loop status' shows runs of plans and loops", "--reset, --status and --in-place require a task file: task.json or prd.json")
	}
	ctl, err := p.loops(cmd)
	if err != nil {
		return err
	}
	if o.Mode != "" && !contains(loopModes, o.Mode) {
		return misuse(oneOf(o.Mode, loopModes), "--mode: unknown mode %q", o.Mode)
	}
	l, err := p.loopOf(ctl, args)
	if err != nil {
		return err
	}
	if o.since != "" && (l == nil || l.Spec.Kind != plan.WikiLoop) {
		return misuse("for example 'wiki loop run documentation --since 1w'", "--since requires the documentation loop, or one with a writer")
	}
	if l != nil {
		if err := withEngine(o.on, false); err != nil {
			return err
		}
		return p.runNamed(cmd, ctl, l, o, args)
	}
	if len(args) == 0 && !o.resume {
		return p.offer(cmd, ctl)
	}
	err = p.runPlan(cmd, ctl, o, args)
	if hint := ofLibrary(args); hint != "" && errors.As(err, new(*repo.NoPlanError)) {
		return misuse(hint, "%w", err)
	}
	return err
}

// runNamed runs a loop by its kind.
func (p *program) runNamed(cmd *cobra.Command, ctl *control.Controller, l *repo.Loop, o loopRunOptions, args []string) error {
	if len(args) > 1 {
		return misuse("'wiki loop run "+args[0]+"' selects its work itself", "the %s loop takes no plan: unexpected argument %q", l.Spec.Name, args[1])
	}
	switch l.Spec.Kind {
	case plan.AuditLoop:
		return p.runAudit(cmd, ctl, l, o)
	case plan.WikiLoop:
		return p.runDocumentation(cmd, ctl, l, o)
	}
	return p.runPass(cmd, ctl, l, o)
}

var loopModes = []string{"manual", "shadow", "draft", "autonomous"}
