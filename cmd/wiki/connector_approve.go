package main

import (
	"fmt"
	"time"

	"github.com/loopwiki/wiki/cmd/wiki/internal/tracker"
	"github.com/spf13/cobra"
)

func newConnectorApprove(p *program) *cobra.Command {
	var by, reason, today string
	c := &cobra.Command{
		Use:   "approve NAME",
		Short: "Let a tool be called that its server does not call read-only",
		Long: `Approve prints what the server of the tracker NAME says of the tool that lists
its items, and writes into .loopwiki/approvals.jsonl that a person lets it be
called. Commit that file. It holds for the program, the arguments and the tool as
it is described now: when one of them changes, the tool is not called before a
person approves it again. Agents can not: it is refused within a run.`,
		Example:           "  wiki connector approve linear --by ada --reason 'it only lists'",
		Annotations:       exits("0  it is approved, or needs no approval"),
		Args:              takes(1, false, "NAME"),
		ValidArgsFunction: p.connectorNames,
	}
	c.RunE = func(cmd *cobra.Command, args []string) error {
		if err := p.outsideOfRuns(cmd.Context(), "connector approve", "a person decides this, outside of the loop"); err != nil {
			return err
		}
		day, err := p.today(today)
		if err != nil {
			return err
		}
		return runConnectorApprove(cmd, p, args[0], tracker.Approval{Connector: args[0], By: by, Reason: reason, Date: day.Format(time.DateOnly)})
	}
	f := c.Flags()
	f.StringVar(&by, "by", "", "`NAME` of who approves; git's user.name by default")
	f.StringVar(&reason, "reason", "", "why it may be called, `TEXT`")
	f.StringVar(&today, "today", "", "take this `DAY` for the present one")
	return c
}

func runConnectorApprove(cmd *cobra.Command, p *program, name string, a tracker.Approval) error {
	ctx := cmd.Context()
	place, at, conf, err := p.connector(ctx, name)
	if err != nil {
		return err
	}
	if a.By == "" {
		if a.By, err = place.Git(ctx, "config", "user.name"); err != nil || a.By == "" {
			return misuse("give --by NAME", "who approves?")
		}
	}
	asked, err := tracker.Ask(ctx, at, name, conf)
	if err != nil {
		return err
	}
	fmt.Fprintf(p.out, "%s\n\n%s\n", asked.Tool, asked.Description)
	if asked.ReadOnly {
		p.say("it needs no approval: its server says that it only reads")
		return nil
	}
	a.Tool, a.Digest = asked.Tool, asked.Digest
	if err := tracker.Approve(place.Root, a); err != nil {
		return err
	}
	p.say("approved by %s; commit %s", a.By, tracker.ApprovalsFile)
	return nil
}
