package main

import (
	"fmt"
	"slices"
	"time"

	"github.com/loopwiki/wiki/loops/tracker"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

// mostCalls is the most calls that one approval allows.
const mostCalls = 100

type approveOptions struct {
	by, reason, today string
	arguments, open   []string
	calls             int
}

func newConnectorApprove(p *program) *cobra.Command {
	var o approveOptions
	c := &cobra.Command{
		Use:   "approve NAME [TOOL]",
		Short: "Approve a tracker's tool that is not read-only",
		Long: `Print the description of a tool of the tracker NAME, and record in
.loopwiki/approvals.jsonl that a person approves it. Commit that file. Without
TOOL, the tool that lists items is approved. An approval is valid for the
program, the repository's scripts on its command line, the arguments, and the
tool's current description; if one of them changes, the tool must be approved
again.

With TOOL, a tool that changes the tracker is approved for 'wiki connector
call': with exactly the arguments in --arg, with any value for those named by
--any, and for one call, or the number in --calls. It is refused within a run:
agents can't approve.`,
		Example: `  wiki connector approve linear --by ada --reason 'it only lists'
  wiki connector approve issues comment --arg issue=12 --any body`,
		Annotations:       exits("0  the tool is approved, or needs no approval"),
		Args:              takes(1, false, "NAME", "TOOL"),
		ValidArgsFunction: p.connectorNames,
	}
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if err := p.outsideOfRuns(cmd.Context(), "connector approve", "run it yourself, outside of the loop"); err != nil {
			return err
		}
		return runConnectorApprove(cmd, p, args, o)
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&o.by, "by", "", "`NAME` of the person who approves; git's user.name by default")
	f.StringVar(&o.reason, "reason", "", "why it may be called, as `TEXT`")
	f.StringArrayVar(&o.arguments, "arg", nil, "with TOOL, approve the argument `NAME=VALUE`; repeatable")
	f.StringArrayVar(&o.open, "any", nil, "with TOOL, approve any value for the argument `NAME`; repeatable")
	f.IntVar(&o.calls, "calls", 1, "with TOOL, approve `N` calls")
	f.StringVar(&o.today, "today", "", "use `DAY` as today's date")
	return c
}

func runConnectorApprove(cmd *cobra.Command, p *program, args []string, o approveOptions) error {
	ctx := cmd.Context()
	day, err := p.today(o.today)
	if err != nil {
		return err
	}
	a := tracker.Approval{Connector: args[0], Reason: o.reason, Date: day.Format(time.DateOnly)}
	ctl, at, conf, err := p.connector(ctx, a.Connector)
	if err != nil {
		return err
	}
	if a.By, err = personOr(cmd, ctl, o.by); err != nil {
		return err
	}
	if len(args) == 2 {
		a.Tool = args[1]
		if err := o.scope(&a); err != nil {
			return err
		}
		asked, err := tracker.AskWriting(ctx, at, a.Connector, a.Tool, conf, tracker.Scope{Arguments: a.Arguments, Open: a.Open, Calls: a.Calls})
		if err != nil {
			return err
		}
		a.Digest = asked.Digest
		p.out.Printf("%s\n\n%s\n", a.Tool, text.Block(asked.Description))
		return p.approved(ctl.Root, a)
	}
	if len(o.arguments)+len(o.open) > 0 || cmd.Flags().Changed("calls") {
		return misuse("name the tool: wiki connector approve "+a.Connector+" TOOL", "--arg, --any and --calls require TOOL")
	}
	asked, err := tracker.Ask(ctx, at, a.Connector, conf)
	if err != nil {
		return err
	}
	p.out.Printf("%s\n\n%s\n", asked.Tool, text.Block(asked.Description))
	if asked.ReadOnly {
		p.say("no approval needed: the server declares the tool read-only")
		return nil
	}
	a.Tool, a.Digest = asked.Tool, asked.Digest
	return p.approved(ctl.Root, a)
}

// scope sets the arguments and the number of calls that an approval allows.
func (o approveOptions) scope(a *tracker.Approval) (err error) {
	if o.calls < 1 || o.calls > mostCalls {
		return misuse(fmt.Sprintf("use a number from 1 to %d", mostCalls), "--calls %d is out of range", o.calls)
	}
	if a.Arguments, err = assignments(o.arguments); err != nil {
		return err
	}
	a.Calls, a.Open = o.calls, slices.Compact(slices.Sorted(slices.Values(o.open)))
	for _, name := range a.Open {
		if _, fixed := a.Arguments[name]; fixed {
			return misuse("remove one of them", "the argument %s is in both --arg and --any", name)
		}
	}
	return nil
}

// approved records an approval.
func (p *program) approved(root string, a tracker.Approval) error {
	if err := tracker.Approve(root, a); err != nil {
		return err
	}
	p.say("approved by %s; commit %s", a.By, tracker.ApprovalsFile)
	return nil
}
