package main

import (
	"github.com/loopwiki/wiki/loops/control"
	"github.com/spf13/cobra"
)

// runPlan carries out the plan that the arguments of run name, or the next one.
func (p *program) runPlan(cmd *cobra.Command, place *control.Controller, o loopRunOptions, args []string) error {
	work, err := place.Find(cmd.Context(), p.path("."), args)
	if err != nil {
		return err
	}
	switch {
	case o.resume:
		return p.resumePlan(cmd, place, work.Plan.Name, o)
	case o.dryRun:
		return p.dryRun(cmd, place, work, o)
	case o.detach:
		return p.detach(cmd, place, work)
	case len(args) == 1 && args[0] == "execution":
		return p.carryOn(cmd, place, work, o)
	}
	return p.carryOut(cmd, place, work, o)
}
