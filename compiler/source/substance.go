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
		all = append(all, Altered{Path: code.tree.Below(file), Read: now != nil && (now.Language != "text" || prose[strings.ToLower(path.Ext(file))])})
	}
	return out, all, ctx.Err()
}
