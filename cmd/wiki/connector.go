package main

import (
	"context"

	"github.com/loopwiki/wiki/loops/control"
	"github.com/loopwiki/wiki/loops/tracker"
	"github.com/loopwiki/wiki/schema"
	"github.com/spf13/cobra"
)

func newConnector(p *program) *cobra.Command {
	c := &cobra.Command{
		Use:   "connector",
		Short: "Read issue trackers, and make approved changes",
		Long: `Read the issue trackers configured in wiki.yaml under loops: connectors: GitHub
through gh, others through MCP servers, of which only the tools listed in
wiki.yaml are called. Issues are untrusted data. Only 'wiki connector call'
changes a tracker; it is run by a person, for a call that a person approved.`,
		Example: `  wiki connector list
  wiki connector items issues`,
		Annotations: exits("0  help was printed"),
		GroupID:     groupLoops,
		SuggestFor:  []string{"connectors", "issues", "tracker", "mcp-client"},
		Args:        cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return noCommand(cmd, args[0])
			}
			return cmd.Help()
		},
	}
	c.AddCommand(newConnectorList(p), newConnectorItems(p), newConnectorApprove(p), newConnectorCall(p))
	return c
}

// connector finds a connector of wiki.yaml.
func (p *program) connector(ctx context.Context, name string) (*control.Controller, tracker.Place, schema.LoopConnector, error) {
	ctl, err := p.controller(ctx)
	if err != nil {
		return nil, tracker.Place{}, schema.LoopConnector{}, err
	}
	c, ok := ctl.Config.Connectors[name]
	if !ok {
		names := sortedKeys(ctl.Config.Connectors)
		hint := "configure one in wiki.yaml: loops: {connectors: {issues: {kind: github}}}"
		if len(names) > 0 {
			hint = oneOf(name, names)
		}
		return nil, tracker.Place{}, c, misuse(hint, "unknown connector %q", name)
	}
	return ctl, p.trackers(ctl), c, nil
}

// trackers returns what the trackers of a repository need to start.
func (p *program) trackers(ctl *control.Controller) tracker.Place {
	return tracker.Place{Root: ctl.Root, Getenv: p.env, Version: buildVersion().Wiki, Now: ctl.Now}
}

// connectorNames completes the names of connectors.
func (p *program) connectorNames(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	ctl, err := p.loops(cmd)
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return sortedKeys(ctl.Config.Connectors), cobra.ShellCompDirectiveNoFileComp
}
