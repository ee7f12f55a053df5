package main

import (
	"errors"

	"github.com/loopwiki/wiki/loops/control"
	"github.com/loopwiki/wiki/loops/control/cast"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/spf13/cobra"
)

// runAudit lets an auditor turn findings into plans. The run waits if there are any.
func (p *program) runAudit(cmd *cobra.Command, ctl *control.Controller, l *repo.Loop, o loopRunOptions) error {
	switch {
	case o.Maker != "" || o.Checker != "":
		return misuse("use --agent to set the auditor", "--maker and --checker can't be used with audit: it has neither role")
	case o.resume:
		return p.resumePlan(cmd, ctl, l.Spec.Name, o)
	case o.dryRun:
		text, err := ctl.AuditDryRun(cmd.Context(), l, o.Flags)
		if err == nil {
			_, err = p.out.WriteString(text)
		}
		return noAuditor(err)
	case o.detach:
		return p.detach(cmd, ctl, control.AuditWork(l))
	}
	live, done := p.liveView(o)
	s, err := ctl.Audit(cmd.Context(), l, o.Flags, o.id, live)
	done()
	if err != nil {
		return noAuditor(err)
	}
	for _, r := range s.Dropped {
		p.say("dropped: %s", r)
	}
	if len(s.Proposed) == 0 && s.End.Why != "" {
		p.say("%s", s.End.Why)
	}
	if !o.json {
		p.printProposed(ctl, &s)
	}
	return p.runEnded(ctl, s, nil, o)
}

// noAuditor makes a missing auditor a fault of the environment, not of the command
// line.
func noAuditor(err error) error {
	var nobody *cast.NobodyError
	if errors.As(err, &nobody) {
		return &fault{code: exitEnvironment, err: err, hint: nobody.Hint()}
	}
	return err
}
