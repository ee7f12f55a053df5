package edit

import (
	"context"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
)

// Transfer returns the changes that make the links of pages of one wiki lead to the same
// pages and files in another, which has these pages, at the paths that moves say, with
// the links that they have in the first one. A link keeps its style where that works in
// both; one that no spelling makes lead there is left as it is, and in Left. Nothing is
// to be written with the changes: they are of content that is in an overlay.
func Transfer(ctx context.Context, from, into *compiler.Wiki, moves []schema.Move) (*Moved, error) {
	out := &Moved{Changes: New(into), Moves: moves}
	r := &relinker{before: from, after: into, space: into.Workspace(), out: out, lenient: true,
		to: map[string]string{}, from: map[string]string{}, edits: map[schema.Edit]bool{}}
	for _, m := range moves {
		r.to[m.From], r.from[m.To] = m.To, m.From
	}
	return out, r.relink(ctx)
}

// respellLoosely is respell for a link with a fragment that only the first wiki reads, such
// as #A#B in a vault: in markdown it becomes the id that was found; else the page alone
// has to be the same.
func (r *relinker) respellLoosely(p, q *schema.Page, l *schema.Link, was, want *schema.Resolution) (e schema.Edit, ok bool) {
	if l.Field != "" || l.Dest.Len() == 0 {
		return e, false
	}
	names, rest := r.pathNames(q, l, was, want), suffixOf(l, was)
	if !l.Markdown() {
		names = r.wikiNames(q, l, was, want)
	} else if was.Anchor != "" {
		rest = "#" + was.Anchor
	}
	for _, name := range names {
		try := *l
		try.Raw, try.Target, try.Wiki = name+rest, name, nil
		if l.Markdown() && was.Anchor != "" {
			try.Fragment, try.Hash = was.Anchor, true
		}
		now := r.after.Resolve(q, &try)
		if now.Kind != want.Kind || now.Path != want.Path {
			continue
		}
		if l.Markdown() && was.Anchor != "" {
			return schema.Edit{Path: q.Path, Span: l.Dest, Text: escapeURL(name, "") + rest}, true
		}
		if text, ok := written(p, l, l.Dest, name, rest, false); ok {
			return schema.Edit{Path: q.Path, Span: l.Dest, Text: text}, true
		}
	}
	return e, false
}
