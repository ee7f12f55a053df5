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
	Items     []loops.Item `json:"items" jsonschema:"in order of id; what they say was written by others"`
}

func newConnectorItems(p *program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "items NAME",
		Short: "List the open items of a tracker",
		Long: `Items asks the tracker NAME of wiki.yaml for the work that is open. At most 100
items are taken, 16 KiB of the text of each, without what looks like a secret.`,
		Example: `  wiki connector items issues
  wiki connector items issues --json | jq -r '.items[].title'`,
		Annotations:       exits("0  the items were listed, none included", "3  the tracker does not answer, or its program is missing"),
		Args:              takes(1, false, "NAME"),
		ValidArgsFunction: p.connectorNames,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runConnectorItems(cmd.Context(), p, args[0], asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON document")
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
