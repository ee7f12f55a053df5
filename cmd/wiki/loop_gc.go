package main

import (
	"github.com/loopwiki/wiki/loops/control/process"
	"github.com/spf13/cobra"
)

func newLoopGC(p *program) *cobra.Command {
	var dryRun bool
	c := &cobra.Command{
		Use:   "gc",
		Short: "Remove worktrees of finished runs",
		Long: `Remove the worktrees of finished runs whose branch is merged or empty, and the
temporary folders of killed runs. Other worktrees are kept, and listed with their
size and the reason. Uncommitted work is saved on a branch first.`,
		Example:     "  wiki loop gc --dry-run",
		Annotations: exits("0  the worktrees were removed"),
		SuggestFor:  []string{"clean", "prune", "cleanup"},
		Args:        takes(0, false),
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctl, err := p.loops(cmd)
			if err != nil {
				return err
			}
			left, err := process.New(ctl.Repo).GC(cmd.Context(), dryRun)
			if err != nil {
				return err
			}
			for _, l := range left {
				p.out.Println(l)
			}
			if len(left) == 0 {
				p.say("no worktrees of runs")
			}
			return nil
		},
	}
	c.Flags().BoolVar(&dryRun, "dry-run", false, "list what would be removed, without removing it")
	return c
}
