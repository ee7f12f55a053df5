package main

import (
	"errors"

	"github.com/loopwiki/wiki/loops/control"
	"github.com/loopwiki/wiki/loops/control/publish"
	"github.com/spf13/cobra"
)

// carryOn carries out a plan and, in autonomous, the pending ones after it, until
// one does not meet its goal or is not published, or a budget is used up.
func (p *program) carryOn(cmd *cobra.Command, ctl *control.Controller, work *control.Work, o loopRunOptions) error {
	items, most, err := ctl.Bounds()
	if err != nil {
		return err
	}
	for n := 1; ; n++ {
		if err := p.carryOut(cmd, ctl, work, o); err != nil || !publish.New(ctl.Repo).Published(work.Plan.Path) {
			return err
		}
		next, err := ctl.Find(cmd.Context(), p.path("."), nil)
		if none := (*control.NothingPendingError)(nil); errors.As(err, &none) {
			return nil
		}
		if err != nil {
			return err
		}
		if o.Opened++; most > 0 && o.Opened >= most {
			p.say("opened %d of %d pull requests; for the next plan, run 'wiki loop run %s'", o.Opened, most, next.Plan.Path)
			return nil
		}
		if items > 0 && n >= items {
			p.say("finished %d of %d items; for the next plan, run 'wiki loop run %s'", n, items, next.Plan.Path)
			return nil
		}
		work, o.id = next, ""
	}
}
