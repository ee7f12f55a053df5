package compiler

import (
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// Indexes returns the pages that list a folder, the dialect's own first. The folder is
// slash-separated, "." for the wiki's root.
func (w *Wiki) Indexes(dir string) []*schema.Page {
	var out []*schema.Page
	for _, name := range []string{w.Workspace().Dialect.Index, "index", "_index", "readme", "home"} {
		for _, p := range w.Pages() {
			stem := strings.TrimSuffix(path.Base(p.Path), path.Ext(p.Path))
			if name != "" && path.Dir(p.Path) == dir && strings.EqualFold(stem, name) && !slices.Contains(out, p) {
				out = append(out, p)
			}
		}
	}
	return out
}
