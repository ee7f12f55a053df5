package main

import (
	"context"

	"github.com/loopwiki/wiki/compiler"
	"github.com/spf13/cobra"
)

func newGraphOrphans(p *program) *cobra.Command {
	var all bool
	c := &cobra.Command{
		Use:   "orphans [DIR]",
		Short: "List the pages that no other page links to",
		Long: `Orphans prints the path of every page that no other page links to, one per
line. Index, log and readme pages and the like have their place by their name and
are left out, unless --all asks for them.`,
		Example:     "  wiki graph orphans\n  wiki graph orphans --all | wc -l",
		Annotations: exits("0  the pages were listed, if any"),
		Args:        p.takesFolder,
		RunE:        func(cmd *cobra.Command, _ []string) error { return runGraphOrphans(cmd.Context(), p, all) },
	}
	c.Flags().BoolVar(&all, "all", false, "list index, log and readme pages too")
	return c
}

func runGraphOrphans(ctx context.Context, p *program, all bool) error {
	w, err := p.compile(ctx, compiler.Options{})
	if err != nil {
		return err
	}
	for _, id := range w.Graph().Orphans() {
		if page := w.Page(id); all || !page.Reserved() {
			p.out.Println(page.Path)
		}
	}
	return nil
}
