package main

import (
	"context"
	"strings"

	"github.com/loopwiki/wiki/schema/text"
	"github.com/loopwiki/wiki/site/pack"
	"github.com/loopwiki/wiki/site/search"
	"github.com/spf13/cobra"
)

type contextOptions struct {
	budget        int
	private, json bool
	overview      bool // without a query
}

func newContext(p *program) *cobra.Command {
	var o contextOptions
	c := &cobra.Command{
		Use:   "context [QUERY…]",
		Short: "Print what the wiki says about a question, within a token budget",
		Long: `Print the sections of pages that answer a question, best first, for the prompt of
an agent: sections with their file and lines, until the budget is used up. Long
sections are cut at paragraphs, and each part names the lines of the section.
Sections of superseded, stale or contested pages come later and say so, and an
open contradiction is quoted with both of its sides.

The budget is in tokens. It counts everything that is printed, estimated from
above: texts in English or Chinese, code and tables have fewer tokens, by up to a
quarter. QUERY is that of 'wiki search'. Without one, print an overview: the
start page, then the beginnings of the pages that most pages link to.`,
		Example: `  wiki context how long do clients wait before a retry
  wiki context --budget 1500 rate limit tag:gateway
  wiki context --budget 1000  # an overview
  wiki context --json rate limit | jq -r '.sections[] | "\(.path):\(.from)"'`,
		Annotations: exits("0  sections were printed", "1  nothing was found, or nothing fits the budget"),
		GroupID:     groupAsk,
		SuggestFor:  []string{"pack", "prompt", "recall"},
		Args:        takes(0, true, "QUERY"),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.overview = len(args) == 0
			return runContext(cmd.Context(), p, o, strings.Join(args, " "))
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.IntVar(&o.budget, "budget", pack.DefaultBudget, "print at most `N` tokens")
	f.BoolVar(&o.private, "private", false, "use pages that are not published, too")
	f.BoolVar(&o.json, "json", false, "print the result as JSON")
	return c
}

func runContext(ctx context.Context, p *program, o contextOptions, query string) error {
	switch {
	case strings.TrimSpace(query) == "" && !o.overview:
		return misuse("pass words of the question: wiki context retries", "the query is empty")
	case o.budget < pack.LeastBudget:
		return misuse("use "+text.Count(pack.LeastBudget, "token")+" or more", "--budget: %d is too small", o.budget)
	}
	w, err := p.load(ctx)
	if err != nil {
		return err
	}
	if err := hasPages(w); err != nil {
		return err
	}
	found := pack.Overview(w)
	if !o.overview {
		ix, err := search.Of(ctx, w, buildVersion().String())
		if err != nil {
			return err
		}
		if found, err = ix.Search(ctx, query, pack.Pages); err != nil {
			return err
		}
	}
	f := &follower{program: p}
	known := f.contradictions(ctx, w)
	if known.Problem != "" {
		p.say("contradictions are incomplete: %s", known.Problem)
	}
	out := pack.Make(pack.Input{Wiki: w, Found: found, Budget: o.budget, Private: o.private, Current: o.overview, Contradictions: known.Contradictions, Watched: f.watched(ctx, w, pack.PagesOf(w, found))})
	if o.json {
		err = p.json(out)
	} else {
		p.out.Printf("%s", text.Block(out.Render()))
	}
	if err == nil && len(out.Sections) == 0 {
		return &fault{code: exitFindings}
	}
	return err
}
