package main

import (
	"maps"

	"github.com/loopwiki/wiki/cmd/wiki/internal/gendocs"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/linter/rules"
	"github.com/spf13/cobra"
)

//go:generate go run . gen ../../wiki

// newGen is for this repository only: it keeps the reference pages of the
// project's own wiki what the program says of itself.
func newGen(p *program) *cobra.Command {
	return &cobra.Command{
		Use:         "gen DIR",
		Short:       "Generate the reference pages of commands and rules",
		Long:        "Generate a page per command in DIR/commands, a page per rule in DIR/rules, and the page of limits.",
		Example:     "  go generate ./cmd/wiki",
		Annotations: exits("0  the pages are fresh"),
		Hidden:      true,
		Args:        takes(1, false, "DIR"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return reference(cmd.Root()).Write(p.path(args[0]))
		},
	}
}

// reference returns every reference page.
func reference(root *cobra.Command) gendocs.Pages {
	pages := gendocs.Commands(root)
	maps.Copy(pages, gendocs.Rules(linter.Rules(), rules.Examples))
	maps.Copy(pages, gendocs.Limits())
	return pages
}
