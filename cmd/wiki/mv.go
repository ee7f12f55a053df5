package main

import (
	"context"
	"errors"
	"io/fs"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/edit"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

type moveOptions struct {
	diff, dryRun, json, noRedirect bool
}

func newMove(p *program) *cobra.Command {
	var o moveOptions
	c := &cobra.Command{
		Use:   "mv OLD NEW",
		Short: "Move or rename pages and folders, and update all links",
		Long: `Move or rename a page, a folder or another file of the wiki, and update all
links to it and all relative links in it: wikilinks, embeds, markdown links,
HTML, and paths and names in front matter. Links keep their style where
possible. No other link changes its meaning: a link that would resolve to the
new name is qualified, and if that is impossible nothing is changed.

If NEW is a folder, OLD is moved into it. If OLD was already moved to NEW, only
the links are updated. Paths are relative to the current folder or, if OLD is
not there, to the wiki root; .md is optional.

A page's old address is added to redirect_from in its front matter, and
'wiki build' redirects it to the page.`,
		Example: `  wiki mv 10_DOMAIN/limit.md 10_DOMAIN/rate-limit.md
  wiki mv drafts/pricing 20_SYSTEM/
  wiki mv concepts ideas --diff     # what it would change
  wiki mv notes/a.md notes/b.md --json | jq '.links[].path'`,
		Annotations: exits("0  moved, or can be moved with --dry-run or --diff"),
		GroupID:     groupMake,
		SuggestFor:  []string{"move", "rename", "ren"},
		Args:        takes(2, false, "OLD", "NEW"),
		RunE:        func(cmd *cobra.Command, args []string) error { return runMove(cmd.Context(), p, o, args[0], args[1]) },
		ValidArgsFunction: func(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveDefault
			}
			return p.pagePaths(cmd.Context()), cobra.ShellCompDirectiveDefault
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.BoolVar(&o.diff, "diff", false, "print the changes as a diff, without making them")
	f.BoolVarP(&o.dryRun, "dry-run", "n", false, "list the moves and updated links, without making changes")
	f.BoolVar(&o.noRedirect, "no-redirect", false, "do not add the old address to redirect_from")
	f.BoolVar(&o.json, "json", false, "print the result as JSON")
	return c
}

func runMove(ctx context.Context, p *program, o moveOptions, from, to string) error {
	w, err := p.compile(ctx, compiler.Options{})
	if err != nil {
		return err
	}
	old, next, err := p.endsOf(w.Workspace(), from, to)
	if err != nil {
		return err
	}
	moves, done, err := edit.Plan(w, old, next)
	if errors.Is(err, fs.ErrNotExist) {
		return misuse("OLD is a page, a file or a folder of the wiki; see 'wiki search' and 'wiki doctor'", "no page, file or folder %s in the wiki", old)
	}
	if err != nil {
		return err
	}
	if done {
		p.say("%s was already moved to %s; only updating links", old, next)
	}
	moved, err := edit.Move(ctx, w, moves, edit.MoveOptions{Done: done, Redirect: !o.noRedirect && !done})
	if err == nil && !o.diff && !o.dryRun {
		if err = moved.Changes.Write(); err == nil {
			p.relock(w.Workspace(), moved)
		}
	}
	if errors.Is(err, fs.ErrExist) {
		return misuse("choose another name; existing files are never overwritten", "cannot move %s to %s: %w", old, next, err)
	}
	if err != nil {
		return err
	}
	p.sayMoved(w.Workspace(), moved, old)
	switch {
	case o.json:
		return p.json(newMoveDocument(moved, !o.diff && !o.dryRun))
	case o.diff:
		p.printDiff(moved.Changes.Diff(prefix(w.Workspace())))
		return nil
	}
	verb := "moved"
	if o.dryRun {
		verb = "would move"
	}
	for _, m := range moved.Moves {
		if !done {
			p.out.Printf("%s %s to %s\n", verb, m.From, m.To)
		}
	}
	if n := len(moved.Links); n > 0 {
		p.say("%s %s in %s", map[bool]string{false: "rewrote", true: "would rewrite"}[o.dryRun], text.Count(n, "link"), text.Count(pagesOf(moved.Links), "page"))
	}
	return nil
}

// pagesOf counts the pages with links in a list.
func pagesOf(links []edit.Relinked) int {
	pages := map[string]bool{}
	for _, l := range links {
		pages[l.Path] = true
	}
	return len(pages)
}
