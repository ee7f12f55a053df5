package main

import (
	"context"
	"fmt"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/card"
	"github.com/spf13/cobra"
)

// pathDocument is the JSON of graph path.
type pathDocument struct {
	Version int      `json:"version" jsonschema:"version of this document, 1"`
	From    string   `json:"from"`
	To      string   `json:"to"`
	Path    []string `json:"path" jsonschema:"paths of the pages, both ends included; empty if there is no path"`
}

func newGraphPath(p *program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "path FROM TO",
		Short: "Find the shortest path between two pages",
		Long: `Find the shortest path from one page to another by following links, and list its
pages, one per line, including both ends.`,
		Example:     "  wiki graph path index vocabulary",
		Annotations: exits("0  a path was found", "1  there is no path"),
		Args:        takes(2, false, "FROM", "TO"),
		RunE:        func(cmd *cobra.Command, args []string) error { return runGraphPath(cmd.Context(), p, asJSON, args) },
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 1 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return p.pagePaths(cmd.Context()), cobra.ShellCompDirectiveNoFileComp
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	return c
}

func runGraphPath(ctx context.Context, p *program, asJSON bool, args []string) error {
	w, err := p.compile(ctx, compiler.Options{})
	if err != nil {
		return err
	}
	from, err := card.Find(w, args[0])
	if err != nil {
		return err
	}
	to, err := card.Find(w, args[1])
	if err != nil {
		return err
	}
	doc := pathDocument{Version: 1, From: from.Path, To: to.Path, Path: []string{}}
	for _, id := range w.Graph().Path(from.ID, to.ID) {
		doc.Path = append(doc.Path, w.Page(id).Path)
	}
	if asJSON {
		if err := p.json(doc); err != nil {
			return err
		}
	} else {
		for _, path := range doc.Path {
			p.out.Println(path)
		}
	}
	if len(doc.Path) == 0 {
		return &fault{code: exitFindings, err: fmt.Errorf("no path of links from %s to %s", from.Path, to.Path), hint: "'wiki show " + from.Path + "' lists its links"}
	}
	return nil
}
