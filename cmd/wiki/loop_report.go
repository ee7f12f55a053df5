package main

import (
	"github.com/loopwiki/wiki/loops/control/export"
	"github.com/loopwiki/wiki/loops/control/modes"
	runs "github.com/loopwiki/wiki/loops/run"
	"github.com/spf13/cobra"
)

func newLoopReport(p *program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:         "report",
		Short:       "Summarize all runs: results, cost, rejections",
		Long:        "Summarize the runs of this repository: how they ended, what each accepted change\ncost, how often checkers rejected, what stopped the line, their LES, and, per\nloop and mode, how many runs people accepted.",
		Example:     "  wiki loop report\n  wiki loop report --json | jq .rejection_rate",
		Annotations: exits("0  the report was printed"),
		Args:        takes(0, false),
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctl, err := p.loops(cmd)
			if err != nil {
				return err
			}
			p.refresh(cmd.Context(), ctl, "")
			trend, err := ctl.Store.Trend(ctl.Alive)
			if err != nil {
				return err
			}
			if trend.Loops, err = modes.New(ctl.Repo).Scores(cmd.Context()); err != nil {
				return err
			}
			if trend.LES, err = export.Scores(ctl.Store); err != nil {
				return err
			}
			if asJSON {
				return p.json(trend)
			}
			_, err = p.out.WriteString(runs.TrendText(trend))
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	return c
}
