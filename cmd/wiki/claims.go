package main

import (
	"context"
	"strings"

	"github.com/loopwiki/wiki/cmd/wiki/internal/card"
	"github.com/loopwiki/wiki/cmd/wiki/internal/claims"
	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter/conflict"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

type claimsOptions struct {
	entity string
	json   bool
}

func newClaims(p *program) *cobra.Command {
	var o claimsOptions
	c := &cobra.Command{
		Use:   "claims [PAGE]",
		Short: "Say what was understood of what pages state",
		Long: `Claims prints what the rules about contradictions see: every statement that was
understood, who it is about and how that was found, its value in the unit that
values are compared in, the conditions it holds under, and what it was compared
with, with the reason why that is a contradiction or is none. What is found to
contradict by the words around it alone, as 'wiki lint' warns, is among them.

PAGE is named as for 'wiki show'. With --entity only what is said of one thing
is printed: a page by any of its names, a key such as pool.max_size, or an id.
A claim that was compared with others is printed with them.`,
		Example: `  wiki claims services/gateway.md
  wiki claims --entity "API gateway"
  wiki claims --json | jq '.clusters[] | select(.conflict)'`,
		Annotations: exits("0  the claims were printed"),
		GroupID:     groupAsk,
		SuggestFor:  []string{"facts", "statements", "claim"},
		Args:        takes(0, false, "PAGE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runClaims(cmd.Context(), p, o, p.takesFolderOr(args))
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return p.pagePaths(cmd.Context()), cobra.ShellCompDirectiveNoFileComp
		},
	}
	c.Flags().StringVar(&o.entity, "entity", "", "print only what is said of `X`")
	c.Flags().BoolVar(&o.json, "json", false, "print a JSON document")
	return c
}

func runClaims(ctx context.Context, p *program, o claimsOptions, args []string) error {
	if o.entity != "" && len(args) > 0 {
		return misuse("leave one of them out", "--entity can not be used with PAGE")
	}
	w, err := p.compile(ctx, compiler.Options{History: true})
	if err != nil {
		return err
	}
	wanted, mute := func(*conflict.Placed) bool { return true }, func(*schema.Page) bool { return true }
	switch {
	case len(args) > 0:
		page, err := card.Find(w, args[0])
		if err != nil {
			return err
		}
		wanted, mute = func(c *conflict.Placed) bool { return c.Page == page.ID }, func(p *schema.Page) bool { return p == page }
	case o.entity != "":
		wanted, mute = ofEntity(w, o.entity)
	}
	d := claims.Of(w, wanted, mute)
	if o.json {
		return p.json(d)
	}
	if o.entity != "" && len(d.Claims)+len(d.Mute) == 0 {
		return misuse("'wiki claims' lists all that is said, and of whom", "nothing is said of %q that was understood", o.entity)
	}
	printClaims(p.out, d)
	return nil
}

// ofEntity picks the claims about what goes by a name, and the page about it.
func ofEntity(w *compiler.Wiki, name string) (claim func(*conflict.Placed) bool, own func(*schema.Page) bool) {
	page, _ := card.Find(w, name) // a key has none
	return func(c *conflict.Placed) bool {
		kind, id, _ := strings.Cut(c.Entity, ":")
		return page != nil && (kind == "page" && id == string(page.ID) || c.Entity == "" && c.Name == page.Title) ||
			c.Name != "" && strings.EqualFold(c.Name, name) || id != "" && strings.EqualFold(id, name)
	}, func(p *schema.Page) bool { return p == page }
}

func printClaims(w *text.Writer, d *claims.Document) {
	for i := range d.Claims {
		c := &d.Claims[i]
		if i == 0 || d.Claims[i-1].Path != c.Path {
			w.Printf("%s\n", c.Path)
		}
		name := c.Subject.Name
		if c.Subject.Entity == "" && len(c.Subject.Names) > 0 {
			name = strings.Join(c.Subject.Names, " / ")
		}
		w.Printf("  %d:%d  %s of %s: %s\n", c.Line, c.Column, c.Attr.Name, orDash(name), c.Text)
		w.Printf("       subject   %s (%s)\n", orDash(c.Subject.Entity), c.Subject.By)
		w.Printf("       value     %s (%s%s)\n", c.Value.Text, c.Value.Kind, dimension(c.Value.Dimension))
		if len(c.Scope) > 0 {
			w.Printf("       when      %s\n", strings.Join(c.Scope, ", "))
		}
		w.Printf("       from      %s\n", strings.Join(append([]string{c.From}, c.Section...), " / "))
		if c.Cluster < 0 {
			w.Printf("       compared  with none: %s\n", c.Why)
		}
	}
	for i := range d.Clusters {
		printCluster(w, d, &d.Clusters[i])
	}
	for _, m := range d.Mute {
		w.Printf("%s claims nothing about the present: %s\n", m.Path, m.Reason)
	}
}

func printCluster(w *text.Writer, d *claims.Document, c *claims.Cluster) {
	verdict := "no contradiction"
	if c.Conflict {
		verdict = "CONTRADICTION"
	}
	w.Printf("\n%s of %s: %s, %s\n", c.Attr, c.Name, verdict, c.Why)
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
