package compiler

import (
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/history"
)

// SourceFiles returns the files of the repository that git does not ignore, in order,
// relative to the wiki's root. enter and want are asked with paths below the
// repository. What is in the wiki is left out unless the wiki is the
// repository, and so are symbolic links. more reports that there are more than
// most, so that these are not all.
func (w *Wiki) SourceFiles(ctx context.Context, t *Tree, most int, enter, want func(string) bool) (files []string, more bool) {
	var ignored history.IgnoredSet
	if w.space.Git {
		ignored, _ = history.Ignored(ctx, w.space.Dir) // without an answer nothing is
	}
	folders := []string{"."}
	seen := 0
	for len(folders) > 0 && ctx.Err() == nil {
		dir := folders[len(folders)-1]
		folders = folders[:len(folders)-1]
		for name, mode := range t.list(dir) {
			p := path.Join(dir, name)
			if seen++; seen > most {
				return nil, true
			}
			switch {
			case mode.IsDir() && p != t.root && enter(p) && !ignored.Has(p, true):
				folders = append(folders, p)
			case mode&fs.ModeType == 0 && want(p) && !ignored.Has(p, false):
				files = append(files, t.Above(p))
			}
		}
	}
	slices.SortFunc(files, strings.Compare)
	return files, false
}
