package main

import (
	"github.com/loopwiki/wiki/loops/control/process"
	"github.com/spf13/cobra"
)

func newLoopGC(p *program) *cobra.Command {
	var dryRun bool
	c := &cobra.Command{
		Use:   "gc",
		Short: "Remove worktrees that nobody needs any more",
		Long: `Gc removes the worktrees of runs that are over and whose branch is merged or
empty, and temporary folders of runs that died. Everything else is kept, and
printed with its size and the reason. Work that is not committed is saved on a
branch first.`,
		Example:     "  wiki loop gc --dry-run",
		Annotations: exits("0  what could go is gone"),
		SuggestFor:  []string{"clean", "prune", "cleanup"},
		Args:        takes(0, false),
		RunE: func(cmd *cobra.Command, _ []string) error {
			place, err := p.loops(cmd)
			if err != nil {
				return err
			}
			left, err := process.New(place.Repo).GC(cmd.Context(), dryRun)
			if err != nil {
				return err
			}
			for _, l := range left {
				p.out.Println(l)
			}
			if len(left) == 0 {
				p.say("there is no worktree of a run")
			}
			return nil
		},
	}
	c.Flags().BoolVar(&dryRun, "dry-run", false, "say what would go, and remove nothing")
	return c
}
