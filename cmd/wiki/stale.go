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
	Since   string           `json:"since" jsonschema:"the revision in --since; empty for the last verification of each page"`
	Pages   []source.Work    `json:"pages"`             // heaviest first
	Skipped []schema.Skipped `json:"skipped,omitempty"` // what could not be known
}

func newStale(p *program) *cobra.Command {
	var since string
	var asJSON bool
	c := &cobra.Command{
		Use:   "stale [DIR]",
		Short: "List pages whose sources changed since verification",
		Long: `List pages about code that changed, most likely misleading first: pages that
state a value the code no longer has, that name something removed or renamed,
whose symbol has a new declaration, or whose symbol changed otherwise. Then
follow pages for which only dates are known: a source was committed after the
last review.

Changes count from the last verification ('wiki verify'), for cited lines also
from the commit that wrote the citation, or with --since from a revision, which
includes pages that were never verified. With --since, pages that only mention a
changed symbol, link to its file or cite it are listed too. Changes to comments
and formatting are ignored.`,
		Example: `  wiki stale
  wiki stale --since origin/main
  wiki stale --json | jq -r '.pages[] | select(.weight >= 50) | .path'`,
		Annotations: exits("0  the pages were listed, if any"),
		GroupID:     groupAsk,
		SuggestFor:  []string{"outdated", "fresh", "freshness", "drift"},
		Args:        p.takesFolder,
		RunE:        func(cmd *cobra.Command, _ []string) error { return runStale(cmd.Context(), p, since, asJSON) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&since, "since", "", "count changes from `REV`, committed or not, instead of from the last verification")
	f.BoolVar(&asJSON, "json", false, "print the result as JSON")
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
		p.say("skipped checks that need git: %s", s.Reason)
	}
	for _, w := range pages {
		since := ""
		if w.Since != "" {
			since = " (since " + w.Since + ")"
		}
		p.out.Printf("%-10s %s: %s%s\n", w.Facet, w.Path, w.Reason, since)
		for _, t := range w.Targets {
			p.out.Printf("%10s %s\n", "", t)
		}
	}
	if len(pages) == 0 {
		p.say("no stale pages")
	}
	return nil
}
