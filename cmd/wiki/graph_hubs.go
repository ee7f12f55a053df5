package main

import (
	"context"

	"github.com/loopwiki/wiki/compiler"
	"github.com/spf13/cobra"
)

func newGraphHubs(p *program) *cobra.Command {
	var most int
	c := &cobra.Command{
		Use:         "hubs [DIR]",
		Short:       "List the most linked pages",
		Long:        "List the pages with the most incoming links and their number, most first.",
		Example:     "  wiki graph hubs\n  wiki graph hubs -n 3",
		Annotations: exits("0  the pages were listed"),
		Args:        p.takesFolder,
		RunE:        func(cmd *cobra.Command, _ []string) error { return runGraphHubs(cmd.Context(), p, most) },
	}
	c.Flags().IntVarP(&most, "max", "n", 10, "print at most `N` pages")
	return c
}

func runGraphHubs(ctx context.Context, p *program, most int) error {
	if most < 1 {
		return misuse("use a number above 0", "-n: %d is not a number of pages", most)
	}
	w, err := p.compile(ctx, compiler.Options{})
	if err != nil {
		return err
	}
	for _, id := range w.Graph().Hubs(most) {
		p.out.Printf("%6d  %s\n", len(w.Graph().In(id)), w.Page(id).Path)
	}
	return nil
}
