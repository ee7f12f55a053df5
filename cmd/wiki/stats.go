package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

func newStats(p *program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "stats [DIR]",
		Short: "Count pages, words, links and problems",
		Long: `Count the pages of the wiki, their words, their links by kind and by problem,
and the connected components of the graph.`,
		Example:     "  wiki stats\n  wiki stats --json | jq .wikilinks.broken",
		Annotations: exits("0  the numbers were printed"),
		GroupID:     groupAsk,
		SuggestFor:  []string{"count", "status", "info"},
		Args:        p.takesFolder,
		RunE:        func(cmd *cobra.Command, _ []string) error { return runStats(cmd.Context(), p, asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	return c
}

func runStats(ctx context.Context, p *program, asJSON bool) error {
	w, err := p.compile(ctx, compiler.Options{})
	if err != nil {
		return err
	}
	s := w.Stats()
	if asJSON {
		return p.json(s)
	}
	row := func(name string, value any, more string, args ...any) {
		p.out.Println(strings.TrimRight(fmt.Sprintf("%-18s%-8v", name, value)+text.Sprintf(more, args...), " "))
	}
	l, m := s.Wikilinks, s.MarkdownLinks
	row("root", s.Root, "")
	row("dialect", s.Dialect, "")
	row("pages", s.Pages, "%d with front matter, %d raw sources", s.Frontmatter, s.SourcePages)
	row("other files", s.Files, "")
	row("words", s.Words, "")
	row("wikilinks", l.Total, "%d embeds, %d broken, %d ambiguous, %d in the wrong case", l.Embeds, l.Broken, l.Ambiguous, l.Case)
	row("markdown links", m.Internal, "%d broken, %d broken on GitHub, %d in the wrong case", m.Broken, m.BrokenGitHub, m.Case)
	row("external links", m.External, "")
	row("orphans", s.Orphans, "%d with index, log and readme pages", s.OrphansAll)
	row("components", s.Components, "")
	row("duplicate titles", s.DuplicateTitles, "")
	return nil
}
