package source

import (
	"cmp"
	"context"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
)

// Extent says how far a change of a file goes.
type Extent int

// The extents, from nothing that a page could be wrong about to a file that came
// or went.
const (
	ExtentNone         Extent = iota // white space and comments
	ExtentBody                       // what stands inside of declarations
	ExtentDeclarations               // a declaration, a value, or a symbol that came or went
	ExtentFile                       // the file is new, gone or renamed
	ExtentUnknown                    // its symbols are not known, before or now
)

// Extents returns how far the change of every changed file goes, by its path as in
// the changes.
func Extents(ctx context.Context, w *compiler.Wiki, code *Code, changes *schema.Changes) (map[string]Extent, error) {
	base, err := w.Base(ctx, changes.Revision)
	if err != nil {
		return nil, err
	}
	l := &worklist{wiki: w, code: code}
	out := make(map[string]Extent, len(changes.Files))
	for file, change := range changes.Files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		_, was := w.Was(ctx, base, cmp.Or(change.Before, file))
		if change.Gone || change.Before != "" || !was {
			out[file] = ExtentFile
			continue
		}
		old, now := l.versions(ctx, base, file, change)
		out[file] = extent(old, now)
	}
	return out, nil
}

// extent compares two versions of a file; nil is one that can not be read.
func extent(old, now *File) Extent {
	switch {
	case old == nil || now == nil:
		return ExtentUnknown
	case old.Whole.Facets.Tokens == now.Whole.Facets.Tokens:
		return ExtentNone
	case old.Language == "text" || now.Language == "text":
		return ExtentUnknown
	case len(old.Symbols) != len(now.Symbols):
		return ExtentDeclarations
	}
	for i := range old.Symbols {
		a, b := &old.Symbols[i], &now.Symbols[i]
		if a.Name != b.Name || a.Facets.Signature != b.Facets.Signature || a.Facets.Literals != b.Facets.Literals {
			return ExtentDeclarations
		}
	}
	return ExtentBody
}
