package main

import (
	"errors"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control"
	"github.com/loopwiki/wiki/loops/control/survey"
	"github.com/spf13/cobra"
)

func newLoopApprove(p *program) *cobra.Command {
	return newLoopAnswer(p, true, &cobra.Command{
		Use:   "approve [RUN]",
		Short: "Approve a waiting run, or accept the result of a finished one",
		Long: `Approve a run that waits for a person, and resume it. It waits because no agent
gave a verdict, because the goal-checker disagrees with a goal that is met, or
because a writer's pages have more findings than a writer may fix. The answer is
recorded in the journal with your name.

For a finished run that met its goal, accept its result, which counts in 'wiki
loop mode'. In draft mode its branch is then pushed and a pull request opened, if
the repository has a remote and gh is installed.

Plans written by 'wiki plan from' or by an audit are carried out one after the
other, until one does not meet its goal. Plans that depend on another wait until
it is merged; plans with rejected: are skipped. The branch with the audit's log
and pages is accepted too.`,
		Example:     "  wiki loop approve latest --by ada --reason 'read the diff'",
		Annotations: exits(exitsOfRuns...),
	})
}

func newLoopReject(p *program) *cobra.Command {
	return newLoopAnswer(p, false, &cobra.Command{
		Use:   "reject [RUN]",
		Short: "Reject a waiting run, or the result of a finished one",
		Long: `Reject a waiting run and end it. Its branch and evidence are kept. Plans written
by 'wiki plan from' or by an audit are removed, unless they were changed or
committed; the findings of an audit are recorded in .loopwiki/rejected.json and
are not reported again.

For a finished run, reject its result. Two rejections in the last ten runs demote
the loop by one mode; see 'wiki loop mode'.`,
		Example:     "  wiki loop reject latest --by ada --reason 'not what we need'",
		Annotations: exits("0  the run is rejected"),
	})
}

func newLoopAnswer(p *program, approve bool, c *cobra.Command) *cobra.Command {
	var o loopRunOptions
	var by, reason string
	c.Args = takes(0, false, "RUN")
	c.ValidArgsFunction = p.runIDs
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if err := p.outsideOfRuns(cmd.Context(), cmd.Name(), "run it yourself, outside of the loop"); err != nil {
			return err
		}
		ctl, id, err := p.givenRun(cmd, args)
		if err != nil {
			return err
		}
		if by == "" {
			if by, err = ctl.Git(cmd.Context(), "config", "user.name"); err != nil || by == "" {
				return misuse("add --by, or set git's user.name", "--by NAME is required")
			}
		}
		err = p.decide(cmd, ctl, id, &loops.Answer{Approve: approve, By: by, Reason: reason}, o)
		var f *fault
		if !approve && errors.As(err, &f) && f.code == loops.Rejected.Exit() && f.err == nil {
			return nil // the run ended as asked
		}
		return err
	}
	f := c.Flags()
	f.SortFlags = false
	if approve {
		f.StringVarP(&o.Agent, "agent", "a", "", "let `AGENT`, or AGENT:MODEL, carry out the approved plans")
	}
	f.StringVar(&by, "by", "", "`NAME` of the person who decides; git's user.name by default")
	f.StringVar(&reason, "reason", "", "the reason, as `TEXT`")
	f.BoolVar(&o.json, "json", false, "print each event, and at the end the summary, as a line of JSON")
	return c
}

// decide gives a run the answer of a person. Approved plans are carried out.
func (p *program) decide(cmd *cobra.Command, ctl *control.Controller, id string, answer *loops.Answer, o loopRunOptions) error {
	p.refresh(cmd.Context(), ctl, id)
	before, _, err := ctl.Store.Read(id)
	if err != nil {
		return err
	}
	for i := range before.Failures {
		p.say("red on the base: %s", before.Failures[i].String())
	}
	for _, w := range before.Warnings {
		p.say("warning: %s", w)
	}
	if before.Status.Over() && (!before.Planning() || before.Left()) {
		return p.judge(cmd, ctl, id, answer, o.json)
	}
	if err := p.goOn(cmd, ctl, id, answer, o); err != nil || !answer.Approve || !before.Planning() || before.Status.Over() {
		return err
	}
	after, _, err := ctl.Store.Read(id)
	if err == nil && after.Left() && after.Status == loops.GoalMet {
		err = p.judge(cmd, ctl, id, answer, o.json)
	}
	if err != nil { // the plans are approved even if the branch is not
		p.say("%v", err)
	}
	work, later, err := ctl.Approved(cmd.Context(), &before)
	if err != nil {
		return err
	}
	for _, path := range later {
		p.say("%s waits until the plans it depends on are merged; then run 'wiki loop run %s'", path, path)
	}
	var left *survey.LeftOutError
	for _, w := range work {
		if err := p.carryOut(cmd, ctl, w, o); errors.As(err, &left) {
			p.say("%v", left) // the others are carried out
		} else if err != nil {
			return err
		}
	}
	if left != nil {
		return left
	}
	return nil
}
