package main

import (
	"context"
	"os"
	"slices"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/public"
	"github.com/loopwiki/wiki/linter/difference"
	"github.com/loopwiki/wiki/schema"
)

// changedSince returns what changed in the published pages since the revision that the
// options name, nil if they name none. Both states are compared as others may read them; a
// page that is held back now is not named.
func (p *building) changedSince(ctx context.Context, now *compiler.Wiki) (*schema.SinceRevision, error) {
	if p.since == "" {
		return nil, nil
	}
	ws := now.Workspace()
	revisions, err := difference.ReadRange(ctx, ws.Dir, []string{p.since})
	if err != nil {
		return nil, gitFault(err, "")
	}
	dir, err := os.MkdirTemp("", "wiki-since-*")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	read := func(ctx context.Context, at *compiler.Workspace, opt compiler.Options) (*compiler.Wiki, error) {
		w, err := p.compileAt(ctx, at, opt)
		if err != nil {
			return nil, err
		}
		return public.Wiki(ctx, w, func(page *schema.Page) bool {
			level, _ := page.Visibility.Level(ws.Config.Site.Drafts)
			return level == schema.Public
		})
	}
	r := difference.Reader{
		Workspace: ws, Today: p.today, Compile: read, PagesOnly: true,
		Temp: func() (string, error) { return os.MkdirTemp(dir, "") },
	}
	d, err := r.Compare(ctx, revisions)
	if err != nil {
		return nil, gitFault(err, "")
	}
	since := difference.ByPage(d)
	since.Pages = slices.DeleteFunc(since.Pages, func(c schema.PageChange) bool {
		return c.Kind == schema.ChangeRemoved && slices.ContainsFunc(now.Pages(), func(page *schema.Page) bool { return page.Path == c.Path })
	})
	return since, nil
}
