package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/card"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

type showOptions struct {
	json  bool
	today string
}

func newShow(p *program) *cobra.Command {
	var o showOptions
	c := &cobra.Command{
		Use:   "show PAGE",
		Short: "Show a page's metadata, links and backlinks",
		Long: `Show what the wiki knows about a page: its metadata and freshness, its links and
how each one resolved, and its backlinks with the text around them.

PAGE is a path, an id, a title, an alias, or a unique end of a path.`,
		Example: `  wiki show 10_DOMAIN/vocabulary.md
  wiki show "How this wiki works"
  wiki show vocabulary --json | jq -r '.backlinks[].path'`,
		Annotations:       exits("0  the page was found"),
		GroupID:           groupAsk,
		SuggestFor:        []string{"page", "backlinks", "cat", "get", "read"},
		Args:              takes(1, false, "PAGE"),
		RunE:              func(cmd *cobra.Command, args []string) error { return runShow(cmd.Context(), p, o, args[0]) },
		ValidArgsFunction: p.onePage,
	}
	c.Flags().BoolVar(&o.json, "json", false, "print the result as JSON")
	c.Flags().StringVar(&o.today, "today", "", "use `DAY` as today's date for expiry")
	return c
}

func runShow(ctx context.Context, p *program, o showOptions, name string) error {
	today, err := p.today(o.today)
	if err != nil {
		return err
	}
	w, err := p.compile(ctx, compiler.Options{History: true, Today: today})
	if err != nil {
		return err
	}
	page, err := card.Find(w, name)
	if err != nil {
		return err
	}
	watched, err := watchedPages(ctx, w)
	if err != nil {
		return err
	}
	c := card.Of(w, page, watched[page.Path])
	if o.json {
		return p.json(c)
	}
	printCard(p.out, c)
	return nil
}

func printCard(w *text.Writer, c card.Card) {
	w.Printf("%s\n  %s\n\n", c.Title, c.Path)
	fact := func(name, value string) {
		if value != "" {
			w.Printf("  %-12s%s\n", name, value)
		}
	}
	fact("type", c.Type)
	fact("status", c.Status)
	fact("freshness", strings.TrimSuffix(c.Freshness+": "+c.Reason, ": "))
	fact("summary", c.Summary)
	fact("created", c.Created)
	fact("updated", c.Updated)
	fact("verified", strings.TrimSuffix(c.Verified+" by "+c.VerifiedBy, " by "))
	if a := c.Against; a != nil {
		fact("against", againstInWords(a))
	}
	fact("expires", c.Expires)
	fact("words", fmt.Sprint(c.Words))
	fact("tags", strings.Join(c.Tags, ", "))
	fact("aliases", strings.Join(c.Aliases, ", "))
	fact("sources", strings.Join(c.Sources, ", "))
	w.Printf("\nLINKS %d\n", len(c.Links))
	for _, l := range c.Links {
		to := l.Path + " (" + l.By + ")"
		switch {
		case l.Broken != "":
			to = "broken: " + l.Broken
		case l.By == "external" || l.By == "self":
			to = l.By
		}
		if l.NoAnchor {
			to += ", heading or block not found"
		}
		w.Printf("  %d:%d  %s -> %s\n", l.Line, l.Column, l.Raw, to)
	}
	w.Printf("\nBACKLINKS %d\n", len(c.Backlinks))
	for _, b := range c.Backlinks {
		w.Printf("  %s:%d:%d  %s\n", b.Path, b.Line, b.Column, b.Context)
	}
}

// againstInWords describes the code that a page was verified against.
func againstInWords(a *card.Against) string {
	text := text.Count(a.Symbols, "symbol") + " on " + a.Verified
	if len(a.By) > 0 {
		text += " by " + strings.Join(a.By, ", ")
	}
	if a.Changed > 0 {
		text += fmt.Sprintf("; %d changed since", a.Changed)
	}
	return text
}
