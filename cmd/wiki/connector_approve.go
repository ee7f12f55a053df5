package main

import (
	"fmt"
	"slices"
	"time"

	"github.com/loopwiki/wiki/loops/tracker"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

// mostCalls is how many calls one approval may let be made.
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
		Short: "Let a tool be called that is not read-only",
		Long: `Approve prints what the tracker NAME says of a tool, and writes into
.loopwiki/approvals.jsonl that a person lets it be called. Commit that file.
Without TOOL it is the one that lists items. It holds for the program, the
scripts of the repository on its command line, the arguments and the tool as it
is described now: when one of them changes, the tool is not called before a
person approves it again.

TOOL is one that changes something, for 'wiki connector call'. It is approved
for the arguments that are given with --arg, as they are; one named with --any
may be anything; and for one call, or as many as --calls says. Agents can not
approve: it is refused within a run.`,
		Example: `  wiki connector approve linear --by ada --reason 'it only lists'
  wiki connector approve issues comment --arg issue=12 --any body`,
		Annotations:       exits("0  it is approved, or needs no approval"),
		Args:              takes(1, false, "NAME", "TOOL"),
		ValidArgsFunction: p.connectorNames,
	}
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if err := p.outsideOfRuns(cmd.Context(), "connector approve", "a person decides this, outside of the loop"); err != nil {
			return err
		}
		return runConnectorApprove(cmd, p, args, o)
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&o.by, "by", "", "`NAME` of who approves; git's user.name by default")
	f.StringVar(&o.reason, "reason", "", "why it may be called, `TEXT`")
	f.StringArrayVar(&o.arguments, "arg", nil, "of TOOL: let `NAME=VALUE` be given, and no other value")
	f.StringArrayVar(&o.open, "any", nil, "of TOOL: let the argument `NAME` be anything")
	f.IntVar(&o.calls, "calls", 1, "of TOOL: let it be called `N` times")
	f.StringVar(&o.today, "today", "", "take this `DAY` for the present one")
	return c
}

func runConnectorApprove(cmd *cobra.Command, p *program, args []string, o approveOptions) error {
	ctx := cmd.Context()
	day, err := p.today(o.today)
	if err != nil {
		return err
	}
	a := tracker.Approval{Connector: args[0], Reason: o.reason, Date: day.Format(time.DateOnly)}
	place, at, conf, err := p.connector(ctx, a.Connector)
	if err != nil {
		return err
	}
	if a.By, err = whoever(cmd, place, o.by, "who approves?"); err != nil {
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
		return p.approved(place.Root, a)
	}
	if len(o.arguments)+len(o.open) > 0 || cmd.Flags().Changed("calls") {
		return misuse("name the tool: wiki connector approve "+a.Connector+" TOOL", "--arg, --any and --calls are for a tool that changes something")
	}
	asked, err := tracker.Ask(ctx, at, a.Connector, conf)
	if err != nil {
		return err
	}
	p.out.Printf("%s\n\n%s\n", asked.Tool, text.Block(asked.Description))
	if asked.ReadOnly {
		p.say("it needs no approval: its server says that it only reads")
		return nil
	}
	a.Tool, a.Digest = asked.Tool, asked.Digest
	return p.approved(place.Root, a)
}

// scope says in an approval what may be called.
func (o approveOptions) scope(a *tracker.Approval) (err error) {
	if o.calls < 1 || o.calls > mostCalls {
		return misuse(fmt.Sprintf("give a number from 1 to %d", mostCalls), "--calls: %d is no number of calls", o.calls)
	}
	if a.Arguments, err = assignments(o.arguments); err != nil {
		return err
	}
	a.Calls, a.Open = o.calls, slices.Compact(slices.Sorted(slices.Values(o.open)))
	for _, name := range a.Open {
		if _, fixed := a.Arguments[name]; fixed {
			return misuse("leave one of the two", "the argument %s has a value, and may be anything", name)
		}
	}
	return nil
}

// approved writes an approval down.
func (p *program) approved(root string, a tracker.Approval) error {
	if err := tracker.Approve(root, a); err != nil {
		return err
	}
	p.say("approved by %s; commit %s", a.By, tracker.ApprovalsFile)
	return nil
}
