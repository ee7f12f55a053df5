package merge

import (
	"context"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/compiler/history"
)

// Resolution is what is known of the conflicts that a merge left in a repository.
type Resolution struct {
	// Left are the files that a person has to join, sorted, below the repository's top.
	Left   []string
	top    string
	joined map[string][]byte
}

// Conflicts joins the files that a merge left in conflict in a wiki's repository, as far as
// they are [Known]; pages only if they are the wiki's. Nothing is written. The errors are
// those of git.
func Conflicts(ctx context.Context, ws *compiler.Workspace) (*Resolution, error) {
	top, err := history.Toplevel(ctx, ws.Dir)
	if err != nil {
		return nil, err
	}
	unmerged, err := history.Unmerged(ctx, top)
	if err != nil {
		return nil, err
	}
	r := &Resolution{Left: []string{}, top: top, joined: map[string][]byte{}}
	for _, file := range slices.Sorted(maps.Keys(unmerged)) {
		joined, ok, err := []byte(nil), false, error(nil)
		if path.Ext(file) != ".md" || ws.RootPath == "." || strings.HasPrefix(file, ws.RootPath+"/") {
			joined, ok, err = join(ctx, top, file, unmerged[file])
		}
		switch {
		case err != nil:
			return nil, err
		case ok:
			r.joined[file] = joined
		default:
			r.Left = append(r.Left, file)
		}
	}
	return r, nil
}

// join joins the versions of a file by their ids: of the ancestor, ours and theirs. ok is
// false for one that a person has to join, and for one that a branch deleted.
func join(ctx context.Context, top, file string, ids [3]string) (joined []byte, ok bool, err error) {
	if !Known(file) || ids[1] == "" || ids[2] == "" {
		return nil, false, nil
	}
	texts := map[string][]byte{}
	err = history.Contents(ctx, top, slices.DeleteFunc(slices.Clone(ids[:]), func(id string) bool { return id == "" }), int(files.Text.Bytes), func(id string, content []byte) {
		texts[id] = slices.Clone(content)
	})
	if err != nil || texts[ids[1]] == nil || texts[ids[2]] == nil {
		return nil, false, err
	}
	joined, conflicts, err := Files(ctx, file, Versions{texts[ids[0]], texts[ids[1]], texts[ids[2]]})
	return joined, err == nil && conflicts == 0, err
}

// Resolved are the files that could be joined, sorted.
func (r *Resolution) Resolved() []string {
	return slices.AppendSeq([]string{}, slices.Values(slices.Sorted(maps.Keys(r.joined))))
}

// Write writes and stages what was joined.
func (r *Resolution) Write(ctx context.Context) error {
	if len(r.joined) == 0 {
		return nil
	}
	root, err := files.Open(r.top)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, file := range r.Resolved() {
		if err := root.Replace(file, r.joined[file], 0o666); err != nil {
			return err
		}
	}
	return history.Stage(ctx, r.top, r.Resolved())
}
