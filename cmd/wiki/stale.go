package main

import (
	"context"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/schema"
	"github.com/spf13/cobra"
)

// staleVersion is the version of the JSON that wiki stale prints.
const staleVersion = 1

type staleDocument struct {
	Version int              `json:"version"`
	Since   string           `json:"since" jsonschema:"the revision that was asked for; empty for since each page was verified"`
	Pages   []source.Work    `json:"pages"`             // heaviest first
	Skipped []schema.Skipped `json:"skipped,omitempty"` // what could not be known
}

func newStale(p *program) *cobra.Command {
	var since string
	var asJSON bool
	c := &cobra.Command{
		Use:   "stale [DIR]",
		Short: "List the pages that are to be compared with the code again",
		Long: `Stale lists the pages that are about code which changed, those first that most
likely mislead: pages that state a value which is gone, that name what is gone
or is called something else, whose symbol is declared otherwise now, or whose
symbol changed in any other way. Then come pages of which only dates are known:
a source was committed after the page was last known true.

Changed means since the page was verified ('wiki verify'), or with --since
since a revision, and then for pages that nobody verified, too. With --since,
pages follow that only mention a symbol that changed, link to its file or cite
it. Comments and formatting are no change.`,
		Example: `  wiki stale
  wiki stale --since origin/main
  wiki stale --json | jq -r '.pages[] | select(.weight >= 50) | .path'`,
		Annotations: exits("0  the pages were listed, none included"),
		GroupID:     groupAsk,
		SuggestFor:  []string{"outdated", "fresh", "freshness", "drift"},
		Args:        p.takesFolder,
		RunE:        func(cmd *cobra.Command, _ []string) error { return runStale(cmd.Context(), p, since, asJSON) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&since, "since", "", "what changed since `REV`, committed or not, instead of since pages were verified")
	f.BoolVar(&asJSON, "json", false, "print a JSON document")
	return c
}

func runStale(ctx context.Context, p *program, since string, asJSON bool) error {
	w, err := p.compile(ctx, compiler.Options{History: true})
	if err != nil {
		return err
	}
	ws := w.Workspace()
	lock, err := source.ReadLock(ws)
	if err != nil {
		return err
	}
	var changed *schema.Changes
	if since != "" {
		if changed, err = changes(ctx, ws, since); err != nil {
			return err
		}
	}
	pages, err := source.Stale(ctx, w, source.NewCode(w), lock, changed)
	if err != nil {
		return err
	}
	doc := staleDocument{staleVersion, since, pages, nil}
	if _, err := w.Repository(ctx); err != nil {
		doc.Skipped = append(doc.Skipped, schema.Skipped{Check: "history", Reason: err.Error()})
	}
	if asJSON {
		return p.json(doc)
	}
	for _, s := range doc.Skipped {
		p.say("skipped what only git knows: %s", s.Reason)
	}
	for _, w := range pages {
		p.out.Printf("%-10s %s: %s\n", w.Facet, w.Path, w.Reason)
		for _, t := range w.Targets {
			p.out.Printf("%10s %s\n", "", t)
		}
	}
	if len(pages) == 0 {
		p.say("no page is to be compared again")
	}
	return nil
}
