package source

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
)

// Altered is a file of which more changed than comments and formatting.
type Altered struct {
	Path string // below the repository
	// Read is set if it is known which of its symbols changed, as it is of a new
	// file, or if it is prose, which has none. Of a file that is gone it is not.
	Read bool
	// Outward is set if more changed than what functions do inside: a file is new, gone or
	// renamed, or a symbol, a declaration or a value is another. Of a file whose symbols
	// can't be read it is set.
	Outward bool
	Gone    bool // no file has this path any more
}

// prose are the extensions of what people read and no program does.
var prose = map[string]bool{".md": true, ".mdx": true, ".markdown": true, ".txt": true, ".rst": true, ".adoc": true}

// Substance takes the files out of changes of which only comments and formatting
// changed, and lists the others in order of their paths.
func Substance(ctx context.Context, w *compiler.Wiki, code *Code, changes *schema.Changes) (*schema.Changes, []Altered, error) {
	base, err := w.Base(ctx, changes.Revision)
	if err != nil {
		return nil, nil, err
	}
	l := &worklist{wiki: w, code: code}
	out := &schema.Changes{Revision: changes.Revision, Files: map[string]schema.Change{}}
	var all []Altered
	for _, file := range slices.Sorted(maps.Keys(changes.Files)) {
		change := changes.Files[file]
		old, now := l.versions(ctx, base, file, change)
		if old != nil && now != nil && change.Before == "" && old.Whole.Facets.Tokens == now.Whole.Facets.Tokens {
			continue
		}
		out.Files[file] = change
		all = append(all, Altered{
			Path: code.tree.Below(file), Read: now != nil && (now.Language != "text" || prose[strings.ToLower(path.Ext(file))]),
			Gone: change.Gone, Outward: old == nil || now == nil || change.Before != "" || outward(old, now),
		})
	}
	return out, all, ctx.Err()
}

// outward reports whether two versions of a file differ in more than what its functions do
// inside.
func outward(old, now *File) bool {
	if old.Language == "text" || now.Language == "text" || old.Whole.Facets.Literals != now.Whole.Facets.Literals {
		return true
	}
	declared := func(f *File) []string {
		var out []string
		for i := range f.Symbols {
			out = append(out, f.Symbols[i].Name+" "+f.Symbols[i].Facets.Signature.String())
		}
		slices.Sort(out)
		return out
	}
	return !slices.Equal(declared(old), declared(now))
}
