package main

import (
	"context"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/exchange"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

func newGraph(p *program) *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "graph",
		Short: "Export the link graph",
		Long: `Export the pages and their links for other programs: as JSON, for Graphviz, for
mermaid, or as GraphML. The subcommands answer single questions.`,
		Example: `  wiki graph --format dot | dot -Tsvg > graph.svg
  wiki graph path index vocabulary
  wiki graph orphans`,
		Annotations: exits("0  the graph was printed"),
		GroupID:     groupAsk,
		SuggestFor:  []string{"links", "map", "export"},
		Args:        cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if args = p.takesFolderOr(args); len(args) > 0 {
				return noCommand(cmd, args[0])
			}
			return runGraph(cmd.Context(), p, format)
		},
	}
	c.Flags().StringVarP(&format, "format", "f", "json", "print the graph as `FORMAT`: "+text.List(graphFormats(), "or"))
	c.AddCommand(newGraphPath(p), newGraphOrphans(p), newGraphHubs(p))
	return c
}

func runGraph(ctx context.Context, p *program, format string) error {
	if !contains(graphFormats(), format) {
		return misuse(oneOf(format, graphFormats()), "--format: unknown format %q", format)
	}
	w, err := p.compile(ctx, compiler.Options{})
	if err != nil {
		return err
	}
	return exchange.Graph(w, format, p.out)
}

func graphFormats() []string {
	var names []string
	for _, f := range exchange.Formats() {
		names = append(names, f.Name)
	}
	return names
}
