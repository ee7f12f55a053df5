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
		Short: "List pages without incoming links",
		Long: `List the path of every page that no other page links to, one per line. Index,
log, readme and similar pages are left out, unless --all is given.`,
		Example:     "  wiki graph orphans\n  wiki graph orphans --all | wc -l",
		Annotations: exits("0  the pages were listed, if any"),
		Args:        p.takesFolder,
		RunE:        func(cmd *cobra.Command, _ []string) error { return runGraphOrphans(cmd.Context(), p, all) },
	}
	c.Flags().BoolVar(&all, "all", false, "also list index, log and readme pages")
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
