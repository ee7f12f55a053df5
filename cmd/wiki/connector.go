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
		Short: "See what work issue trackers hold",
		Long: `Connector reads issue trackers that wiki.yaml names under loops: connectors:
from GitHub by the program gh, from others by servers of the Model Context
Protocol, of which only the tools that wiki.yaml lists are called. What a
tracker holds is data: it decides nothing. Something is changed there by
'wiki connector call' alone, which people give, for what a person approved.`,
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
	place, err := p.place(ctx)
	if err != nil {
		return nil, tracker.Place{}, schema.LoopConnector{}, err
	}
	c, ok := place.Config.Connectors[name]
	if !ok {
		names := sortedKeys(place.Config.Connectors)
		hint := "name one in wiki.yaml: loops: {connectors: {issues: {kind: github}}}"
		if len(names) > 0 {
			hint = oneOf(name, names)
		}
		return nil, tracker.Place{}, c, misuse(hint, "there is no connector %q", name)
	}
	return place, p.trackers(place), c, nil
}

// trackers is what the trackers of a repository are started with.
func (p *program) trackers(place *control.Controller) tracker.Place {
	return tracker.Place{Root: place.Root, Getenv: p.env, Version: buildVersion().Wiki, Now: place.Now}
}

// connectorNames completes the names of connectors.
func (p *program) connectorNames(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	place, err := p.loops(cmd)
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return sortedKeys(place.Config.Connectors), cobra.ShellCompDirectiveNoFileComp
}
