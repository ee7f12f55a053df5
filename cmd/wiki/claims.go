package main

import (
	"context"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/card"
	"github.com/loopwiki/wiki/linter/claims"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

type claimsOptions struct {
	entity      string
	pairs, json bool
}

func newClaims(p *program) *cobra.Command {
	var o claimsOptions
	c := &cobra.Command{
		Use:   "claims [PAGE]",
		Short: "List the claims extracted from pages",
		Long: `List the claims that the contradiction rules compare: table cells, fields, items
of the form "key: value" and sentences with a number, each with its subject, its
value in a common unit, and how it was found. With --pairs, list the pairs of
claims that were considered, with the evidence that they are about the same
thing and why each was reported, doubted or dropped.

PAGE is named as for 'wiki show'. With --entity, list only the claims about one
thing: a page by any of its names, or the name of a table row.`,
		Example: `  wiki claims services/gateway.md
  wiki claims services/gateway.md --pairs
  wiki claims --entity "API gateway"
  wiki claims --json | jq '.clusters[] | select(.conflict)'`,
		Annotations: exits("0  the claims were listed"),
		GroupID:     groupAsk,
		SuggestFor:  []string{"facts", "statements", "claim"},
		Args:        takes(0, false, "PAGE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runClaims(cmd.Context(), p, o, p.takesFolderOr(args))
		},
		ValidArgsFunction: p.onePage,
	}
	c.Flags().StringVar(&o.entity, "entity", "", "list only claims about `X`")
	c.Flags().BoolVar(&o.pairs, "pairs", false, "list the pairs that were considered, with their evidence")
	c.Flags().BoolVar(&o.json, "json", false, "print the result as JSON")
	return c
}

func runClaims(ctx context.Context, p *program, o claimsOptions, args []string) error {
	if o.entity != "" && len(args) > 0 {
		return misuse("use one of them", "--entity and PAGE can't be used together")
	}
	w, err := p.compile(ctx, compiler.Options{History: true})
	if err != nil {
		return err
	}
	wanted, mute := func(*schema.Claim, schema.PageID) bool { return true }, func(*schema.Page) bool { return true }
	switch {
	case len(args) > 0:
		page, err := card.Find(w, args[0])
		if err != nil {
			return err
		}
		wanted, mute = func(c *schema.Claim, _ schema.PageID) bool { return c.Page == page.ID }, func(p *schema.Page) bool { return p == page }
	case o.entity != "":
		wanted, mute = ofEntity(w, o.entity)
	}
	d := claims.Of(w, wanted, mute)
	switch {
	case o.json:
		return p.json(d)
	case o.entity != "" && len(d.Claims)+len(d.Mute) == 0:
		return misuse("'wiki claims' lists all claims and their subjects", "no claims about %q", o.entity)
	case o.pairs:
		for i := range d.Clusters {
			printPair(p.out, d, &d.Clusters[i])
		}
		p.out.Printf("%s considered\n", text.Count(len(d.Clusters), "pair"))
	default:
		printClaims(p.out, d)
	}
	return nil
}

// ofEntity selects the claims about the entity with a name, and its page.
func ofEntity(w *compiler.Wiki, name string) (wanted func(*schema.Claim, schema.PageID) bool, own func(*schema.Page) bool) {
	page, _ := card.Find(w, name)
	return func(c *schema.Claim, about schema.PageID) bool {
		return page != nil && about == page.ID || len(c.Subject.Names) > 0 && strings.EqualFold(c.Subject.Names[0], name)
	}, func(p *schema.Page) bool { return p == page }
}

func printClaims(w *text.Writer, d *claims.Document) {
	for i := range d.Claims {
		c := &d.Claims[i]
		if i == 0 || d.Claims[i-1].Path != c.Path {
			w.Printf("%s\n", c.Path)
		}
		name := c.Subject.Name
		w.Printf("  %d:%d  %s of %s: %s\n", c.Line, c.Column, c.Attr.Name, orDash(name), c.Text)
		w.Printf("       subject   %s (%s)\n", orDash(c.Subject.Entity), c.Subject.By)
		w.Printf("       value     %s (%s%s)\n", c.Value.Text, c.Value.Kind, dimension(c.Value.Dimension))
		if len(c.Scope) > 0 {
			w.Printf("       when      %s\n", strings.Join(c.Scope, ", "))
		}
		w.Printf("       from      %s\n", strings.Join(append([]string{c.From}, c.Section...), " / "))
	}
	for _, m := range d.Mute {
		w.Printf("%s not compared: %s\n", m.Path, m.Reason)
	}
}

func printPair(w *text.Writer, d *claims.Document, c *claims.Cluster) {
	w.Printf("%s of %s: %s\n", c.Attr, orDash(c.Name), c.Why)
	for _, n := range c.Claims {
		s := &d.Claims[n]
		w.Printf("  %s:%d:%d  %s\n", s.Path, s.Line, s.Column, s.Text)
	}
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func dimension(s string) string {
	if s == "" {
		return ""
	}
	return ", " + s
}
