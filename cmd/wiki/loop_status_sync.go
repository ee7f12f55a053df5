package main

import (
	"github.com/loopwiki/wiki/loops/control"
	"github.com/loopwiki/wiki/loops/control/statebranch"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

// syncState exchanges what loops remember with the state branch.
func (p *program) syncState(cmd *cobra.Command, ctl *control.Controller) error {
	if err := p.outsideOfRuns(cmd.Context(), "loop status --sync", "run it yourself, outside of the loop"); err != nil {
		return err
	}
	done, err := statebranch.New(ctl.Repo).Sync(cmd.Context())
	if err != nil {
		return err
	}
	for _, note := range done.Notes {
		p.say("note: %s", note)
	}
	p.say("%s changed by the branch %s", text.Count(done.Taken, "file"), statebranch.Name)
	if done.Ahead && done.Remote != "" {
		p.say("%s is ahead of %s: git push %[2]s %[1]s", statebranch.Name, done.Remote)
	}
	return nil
}
