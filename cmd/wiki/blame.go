package main

import (
	"cmp"
	"context"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/card"
	"github.com/loopwiki/wiki/linter/difference"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

func newBlame(p *program) *cobra.Command {
	asJSON := false
	c := &cobra.Command{
		Use:   "blame PAGE",
		Short: "Show since which commit a page states each of its claims",
		Long: `List the claims of a page with the commit that introduced each value, its author
and day, and the value before. Unlike git blame, wrapped lines, moved rows and
reworded sentences don't count as changes, and former names of the page are
followed.

PAGE is named as for 'wiki show'.`,
		Example:           "  wiki blame services/gateway.md\n  wiki blame services/gateway.md --json | jq '.claims[] | select(.was)'",
		Annotations:       exits("0  the claims were listed", "2  no such page", "3  git or the history is missing"),
		GroupID:           groupAsk,
		SuggestFor:        []string{"annotate", "praise"},
		Args:              takes(1, false, "PAGE"),
		RunE:              func(cmd *cobra.Command, args []string) error { return runBlame(cmd.Context(), p, asJSON, args[0]) },
		ValidArgsFunction: p.onePage,
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	return c
}

func runBlame(ctx context.Context, p *program, asJSON bool, name string) error {
	w, err := p.compile(ctx, compiler.Options{History: true})
	if err != nil {
		return err
	}
	page, err := card.Find(w, name)
	if err != nil {
		return err
	}
	b, err := difference.Blame(ctx, w, page)
	if err != nil {
		return gitFault(err, "")
	}
	if asJSON {
		return p.json(b)
	}
	for i := range b.Claims {
		printOrigin(p.out, &b.Claims[i])
	}
	if len(b.Claims) == 0 {
		p.say("no claims on %s", b.Path)
	}
	return nil
}

func printOrigin(w *text.Writer, o *difference.Origin) {
	commit := cmp.Or(o.Commit, "not committed")
	w.Printf("%-8.8s %-10s %-20.20s %4d  %s\n", commit, o.Date, o.Author, o.Line, difference.InWords(o.Claim))
	if o.Was != "" {
		w.Printf("%46swas %s\n", "", o.Was)
	}
}
