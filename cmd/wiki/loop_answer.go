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
		Short: "Decide for what a run asks a person about, and let it go on",
		Long: `Approve answers the question for which a run waits with yes, and goes on with
the run: a verdict that no agent gave, a goal that is reached although the
goal-checker says otherwise, or that a writer may work on pages with more
findings than are left to one. The answer stands in the journal with the name.

Of a run that is over and met it says that a person accepts what it made, which
'wiki loop mode' counts. One in draft is pushed to its branch then, and a pull
request is opened, if the repository has a remote and the program gh is here.

Plans that 'wiki plan from' or an audit wrote are carried out, one after the
other, until one is not met. Those that depend on one of them wait until it is
merged; one with rejected: in it is left out. The branch with the log and the
pages of an audit is accepted with them.`,
		Example:     "  wiki loop approve latest --by ada --reason 'read the diff'",
		Annotations: exits(exitsOfRuns...),
	})
}

func newLoopReject(p *program) *cobra.Command {
	return newLoopAnswer(p, false, &cobra.Command{
		Use:   "reject [RUN]",
		Short: "End a run as rejected, or say that what it made is not wanted",
		Long: `Reject ends a run. Its branch and its evidence stay. Plans that 'wiki plan from'
or an audit wrote are removed, but for those that were changed or committed
since; findings of an audit are written to .loopwiki/rejected.json and do not
come back.

Of a run that is over it says that a person does not want what it made: two of
the last ten take a loop a step back, see 'wiki loop mode'.`,
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
		if err := p.outsideOfRuns(cmd.Context(), cmd.Name(), "a person decides, outside of the loop"); err != nil {
			return err
		}
		place, id, err := p.givenRun(cmd, args)
		if err != nil {
			return err
		}
		if by == "" {
			if by, err = place.Git(cmd.Context(), "config", "user.name"); err != nil || by == "" {
				return misuse("give --by NAME", "who decides?")
			}
		}
		err = p.decide(cmd, place, id, &loops.Answer{Approve: approve, By: by, Reason: reason}, o)
		var f *fault
		if !approve && errors.As(err, &f) && f.code == loops.Rejected.Exit() && f.err == nil {
			return nil // that is what was asked for
		}
		return err
	}
	f := c.Flags()
	f.SortFlags = false
	if approve {
		f.StringVarP(&o.Agent, "agent", "a", "", "let `AGENT`, or AGENT:MODEL, carry out the plans that are approved")
	}
	f.StringVar(&by, "by", "", "the `NAME` of who decides; git's user.name otherwise")
	f.StringVar(&reason, "reason", "", "`TEXT` that says why")
	f.BoolVar(&o.json, "json", false, "print every event as a line of JSON, and the summary last")
	return c
}

// decide tells a run what a person decided. Plans that are approved are carried out.
func (p *program) decide(cmd *cobra.Command, place *control.Controller, id string, answer *loops.Answer, o loopRunOptions) error {
	before, _, err := place.Store.Read(id)
	if err != nil {
		return err
	}
	if before.Status.Over() && (!before.Planning() || before.Left()) {
		return p.judge(cmd, place, id, answer, o.json)
	}
	if err := p.goOn(cmd, place, id, answer, o); err != nil || !answer.Approve || !before.Planning() || before.Status.Over() {
		return err
	}
	after, _, err := place.Store.Read(id)
	if err == nil && after.Left() && after.Status == loops.GoalMet {
		err = p.judge(cmd, place, id, answer, o.json)
	}
	if err != nil { // the plans are approved whatever becomes of the branch
		p.say("%v", err)
	}
	work, later, err := place.Approved(cmd.Context(), &before)
	if err != nil {
		return err
	}
	for _, path := range later {
		p.say("%s waits until what it depends on is merged; 'wiki loop run %s' starts it then", path, path)
	}
	var left *survey.LeftOutError
	for _, w := range work {
		if err := p.carryOut(cmd, place, w, o); errors.As(err, &left) {
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
