package main

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops/control"
	"github.com/loopwiki/wiki/loops/control/fleet"
	"github.com/loopwiki/wiki/loops/control/repo"
	runs "github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/schema/yaml"
	"github.com/spf13/cobra"
)

type loopFleetOptions struct{ status, json bool }

func newLoopFleet(p *program) *cobra.Command {
	var o loopFleetOptions
	c := &cobra.Command{
		Use:   "fleet FILE",
		Short: "Run the plans of many repositories, within common limits",
		Long: `Run the plans of the repositories in FILE, by priority, as many at a time as its
limits allow. Each run is a process of its own, or is on the Temporal server that
its repository's wiki.yaml names. At the end, or with --status without starting
anything, print one row per plan:

  version: 1
  limits: {at_once: 4, per_repository: 1, day_usd: 20}
  repositories:
    - path: ../shop                   # all its plans
    - {path: ../site, plans: [fonts]}

A plan that needs a person first is left alone, and its row says why: the
repository is missing, has uncommitted changes or an open incident; the plan has
errors, was not approved, or depends on one that is not merged. A run is started
only if its whole budget is left of the day's money.

Ctrl-C stops the runs. Run the fleet again to go on: interrupted runs are
resumed, those in work are watched, and none is started twice. Run a failed plan
again with 'wiki loop run'. The exit code is that of the worst plan, in the order
4, 3, 2, 5, 1, 130, 6.`,
		Example: `  wiki loop fleet plans.yaml
  wiki loop fleet plans.yaml --status
  wiki loop fleet plans.yaml --status --json | jq '.rows[] | select(.status == "blocked")'`,
		Annotations: exits("0  all plans met their goals; with --status, the table was printed", "1  a goal is not met, or a person rejected a run",
			"3  something is missing, such as a repository, or it has uncommitted changes; or another process runs FILE",
			"4  a run was stopped, or an incident is open", "5  a budget is used up, or the money of the day", "6  a plan waits for approval, a merge or an agent's vendor"),
		SuggestFor: []string{"many", "repositories", "repos"},
		Args:       takes(1, false, "FILE"),
		RunE:       func(cmd *cobra.Command, args []string) error { return runLoopFleet(cmd.Context(), p, args[0], o) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.BoolVar(&o.status, "status", false, "print how the plans stand, without starting anything")
	f.BoolVar(&o.json, "json", false, "print the result as JSON")
	return c
}

func runLoopFleet(ctx context.Context, p *program, file string, o loopFleetOptions) error {
	f, err := p.fleet(file)
	if err != nil {
		return err
	}
	if o.status {
		report, err := f.Status(ctx)
		if err != nil {
			return err
		}
		return p.printFleet(report, o.json)
	}
	if err := p.outsideOfRuns(ctx, "loop fleet", "loops can't start loops; run it yourself"); err != nil {
		return err
	}
	if err := repo.Supported(); err != nil {
		return err
	}
	cache := repo.Cache(p.env)
	if cache == "" {
		return &runs.MissingError{What: "no folder for the lock of the fleet: neither HOME nor XDG_CACHE_HOME is set", Hint: "set HOME"}
	}
	release, err := fleet.Lock(p.path(file), cache)
	if err != nil {
		return err
	}
	defer release()
	unhurried.Store(true)
	defer unhurried.Store(false)
	p.watchFleet(f)
	report, err := f.Run(ctx)
	if err != nil {
		return err
	}
	if err := p.printFleet(report, o.json); err != nil {
		return err
	}
	if ctx.Err() != nil {
		p.say("stopped; 'wiki loop fleet %s' goes on", file)
		return context.Cause(ctx)
	}
	return ended(report.Exit)
}

// fleet reads a fleet file. Its repositories may be anywhere: the file is the person's own.
func (p *program) fleet(file string) (*fleet.Fleet, error) {
	full, err := filepath.Abs(p.path(file))
	if err != nil {
		return nil, err
	}
	src, err := files.ReadGiven(full)
	if err != nil {
		return nil, err
	}
	conf, faults := yaml.LoadFleet(src)
	if len(faults) > 0 {
		return nil, &fault{code: exitUsage, err: &compiler.ConfigError{Path: file, Source: src, Faults: faults}, hint: "'wiki schema fleet' lists all keys"}
	}
	dirs := make([]string, len(conf.Repositories))
	for i, r := range conf.Repositories {
		dirs[i] = filepath.FromSlash(r.Path)
		if rest, ok := strings.CutPrefix(r.Path, "~/"); ok && p.env("HOME") != "" {
			dirs[i] = filepath.Join(p.env("HOME"), filepath.FromSlash(rest))
		}
		if !filepath.IsAbs(dirs[i]) {
			dirs[i] = filepath.Join(filepath.Dir(full), dirs[i])
		}
	}
	f := fleet.New(conf, dirs)
	f.Elsewhere = fleetElsewhere{}
	f.Open, f.At = p.openRepository, func(dir string) string { return shellWord(from(dir)) }
	return f, nil
}

// openRepository opens the repository of a folder for its loops.
func (p *program) openRepository(ctx context.Context, dir string) (*repo.Repo, error) {
	ws, err := compiler.Detect(dir, "")
	if err != nil {
		return nil, err
	}
	r, err := repo.Open(ctx, dir, p.env)
	if err != nil {
		return nil, err
	}
	ctl, err := p.equip(control.New(r), ws)
	if err != nil {
		return nil, err
	}
	if ctl.Within() {
		return nil, errors.New("this command was started by a program of one of its runs")
	}
	return ctl.Repo, nil
}
