package main

import (
	"context"
	"strings"
	"text/tabwriter"

	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

func newConnectorList(p *program) *cobra.Command {
	return &cobra.Command{
		Use:         "list",
		Short:       "List the configured issue trackers",
		Long:        "List the connectors of wiki.yaml by name, without contacting the trackers.",
		Example:     "  wiki connector list",
		Annotations: exits("0  the connectors were listed, if any"),
		SuggestFor:  []string{"ls"},
		Args:        takes(0, false),
		RunE:        func(cmd *cobra.Command, _ []string) error { return runConnectorList(cmd.Context(), p) },
	}
}

func runConnectorList(ctx context.Context, p *program) error {
	ctl, err := p.controller(ctx)
	if err != nil {
		return err
	}
	all := ctl.Config.Connectors
	if len(all) == 0 {
		p.say("no connectors in wiki.yaml; add one, such as loops: {connectors: {issues: {kind: github, labels: [loop]}}}")
	}
	t := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	for _, name := range sortedKeys(all) {
		c := all[name]
		how := strings.Join(append([]string{c.Repository}, c.Labels...), " ")
		if len(c.Argv) > 0 {
			how = strings.Join(c.Argv, " ") + ", " + c.Items.Tool
		}
		if len(c.Writes) > 0 {
			how += "; writes " + strings.Join(c.Writes, ", ")
		}
		text.Fprintf(t, "%s\t%s\t%s\n", name, c.Kind, strings.TrimSpace(how))
	}
	return t.Flush()
}
