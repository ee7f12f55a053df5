package main

import (
	"context"
	"text/tabwriter"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/tracker"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

// itemsVersion is the version of the JSON that wiki connector items prints.
const itemsVersion = 1

type itemsDocument struct {
	Version   int          `json:"version"`
	Connector string       `json:"connector"`
	Items     []loops.Item `json:"items" jsonschema:"in order of id; untrusted"`
}

func newConnectorItems(p *program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "items NAME",
		Short: "List the open items of a tracker",
		Long: `List the open items of the tracker NAME in wiki.yaml: at most 100, each with at
most 16 KiB of text. Possible secrets are removed.`,
		Example: `  wiki connector items issues
  wiki connector items issues --json | jq -r '.items[].title'`,
		Annotations:       exits("0  the items were listed, if any", "3  the tracker does not answer, or its program is missing"),
		Args:              takes(1, false, "NAME"),
		ValidArgsFunction: p.connectorNames,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runConnectorItems(cmd.Context(), p, args[0], asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	return c
}

func runConnectorItems(ctx context.Context, p *program, name string, asJSON bool) error {
	_, at, conf, err := p.connector(ctx, name)
	if err != nil {
		return err
	}
	source, err := tracker.Open(at, name, conf)
	if err != nil {
		return err
	}
	items, err := source.Items(ctx)
	if err != nil {
		return err
	}
	if asJSON {
		return p.json(itemsDocument{itemsVersion, name, items})
	}
	t := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	for _, it := range items {
		text.Fprintf(t, "%s\t%s", it.ID, it.Title)
		if it.URL != "" {
			text.Fprintf(t, "\t%s", it.URL)
		}
		text.Fprintf(t, "\n")
	}
	return t.Flush()
}
