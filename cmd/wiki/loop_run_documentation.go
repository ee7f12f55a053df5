package main

import (
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/control/worklist"
	"github.com/spf13/cobra"
)

// runDocumentation updates the wiki after merged changes.
func (p *program) runDocumentation(cmd *cobra.Command, ctl *control.Controller, l *repo.Loop, o loopRunOptions) error {
	switch {
	case o.resume:
		return p.resumeDocumentation(cmd, ctl, l, o)
	case o.dryRun:
		text, err := ctl.DryDocumentation(cmd.Context(), l, o.since, o.Flags)
		if err == nil {
			_, err = p.out.WriteString(text)
		}
		return err
	case o.detach:
		return p.detach(cmd, ctl, &control.Work{Plan: &loops.Plan{Name: l.Spec.Name}})
	}
	live, done := p.liveView(o)
	s, err := ctl.Document(cmd.Context(), l, o.since, o.Flags, o.id, live)
	done()
	if err != nil {
		return err
	}
	if d := s.Start.Documentation; d.From == worklist.FirstCommit && l.Spec.ReadsChanges() {
		p.say("first run of this loop: it covers all commits; use --since 1w for the last week")
	}
	for _, left := range s.Start.Documentation.Left {
		p.say("left to a person: %s", left)
	}
	if d := s.Start.Documentation; len(d.Pages) == 0 && len(d.Moved) == 0 && !o.json {
		p.out.Printf("nothing to do: %s\n", s.End.Why)
		return ended(s.Status.Exit())
	}
	return p.runEnded(ctl, s, nil, o)
}

// resumeDocumentation resumes the last run of a loop with a writer.
func (p *program) resumeDocumentation(cmd *cobra.Command, ctl *control.Controller, l *repo.Loop, o loopRunOptions) error {
	all, err := ctl.Summaries()
	if err != nil {
		return err
	}
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].Loop == l.Spec.Name {
			return p.goOn(cmd, ctl, all[i].ID, nil, o)
		}
	}
	return misuse("start one with 'wiki loop run "+l.Spec.Name+"'", "no run of %s to resume", l.Spec.Name)
}
