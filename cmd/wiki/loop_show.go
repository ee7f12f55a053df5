package main

import (
	"path/filepath"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops/control/export"
	runs "github.com/loopwiki/wiki/loops/run"
	"github.com/spf13/cobra"
)

func newLoopShow(p *program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "show [RUN]",
		Short: "Show the report of a run",
		Long: `Show the report of a run: its roles, chunks, gates, incidents and cost, its LES
once it is over, and the paths of its evidence. RUN is an id, the beginning of
one, the name of a plan, or latest.`,
		Example:           "  wiki loop show latest\n  wiki loop show 2026-07-04T0800 --json | jq .status",
		Annotations:       exits("0  the run was printed"),
		Args:              takes(0, false, "RUN"),
		ValidArgsFunction: p.runIDs,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctl, id, err := p.givenRun(cmd, args)
			if err != nil {
				return err
			}
			p.refresh(cmd.Context(), ctl, id)
			s, events, err := ctl.Store.Read(id)
			if err != nil {
				return err
			}
			if asJSON {
				return p.json(runs.Summary(s, ctl.Alive))
			}
			folder := ctl.Store.Folder(id)
			text, err := files.ReadPath(filepath.Join(folder, runs.ReportFile), files.Run)
			if err != nil { // the run has not ended
				level, open := ctl.Container().Level()
				text = []byte(runs.Report(&s, "", level, open))
			}
			if _, err := p.out.Write(text); err != nil {
				return err
			}
			if scored, err := export.Of(events, p.portable(ctl, &s)); err == nil {
				if _, err := p.out.WriteString(scored.Text()); err != nil {
					return err
				}
			}
			j, err := ctl.Store.Judgement(id)
			if err != nil {
				return err
			}
			_, err = p.out.WriteString(j.Text() + runs.Evidence(folder, events))
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	return c
}
