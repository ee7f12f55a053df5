package main

import (
	"github.com/loopwiki/wiki/loops/control"
	"github.com/spf13/cobra"
)

// runPlan carries out the plan that the arguments of run name, or the next one.
func (p *program) runPlan(cmd *cobra.Command, ctl *control.Controller, o loopRunOptions, args []string) error {
	work, err := ctl.Find(cmd.Context(), p.path("."), args)
	if err != nil {
		return err
	}
	switch {
	case o.resume:
		return p.resumePlan(cmd, ctl, work.Plan.Name, o)
	case o.dryRun:
		return p.dryRun(cmd, ctl, work, o)
	case engine(ctl, o.on) == temporal:
		return p.submit(cmd, ctl, work, o)
	case o.detach:
		return p.detach(cmd, ctl, work)
	case len(args) == 1 && args[0] == "execution":
		return p.carryOn(cmd, ctl, work, o)
	}
	return p.carryOut(cmd, ctl, work, o)
}
