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
