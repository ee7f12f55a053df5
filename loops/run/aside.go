package run

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
)

// ProposalFolder is where patches for the pages of people lie in a run's folder.
const ProposalFolder = "proposals"

// maxProposal is how large such a patch may be, in bytes.
const maxProposal = 8 << 20

// setAside takes the pages that people changed out of a writer's tree. The gates
// judged them with all else; what the writer made of them is kept as a patch, which
// a person can apply.
func (d *Driver) setAside(ctx context.Context, c loops.Command) (loops.Event, error) {
	e := loops.Event{Kind: loops.PutAside, Tree: c.Tree}
	s := &d.state
	changes, err := d.place.Diff(ctx, s.Tree, c.Tree)
	if err != nil {
		return e, err
	}
	for _, change := range changes {
		if change.Status == "M" && slices.Contains(s.Start.Documentation.Edited, change.Path) {
			e.Files = append(e.Files, change.Path)
		}
	}
	if len(e.Files) == 0 {
		return e, nil
	}
	slices.Sort(e.Files)
	files, err := d.before(ctx, s.Tree, e.Files)
	if err != nil {
		return e, err
	}
	if e.Tree, err = d.place.Add(ctx, c.Tree, files); err != nil {
		return e, err
	}
	patch, err := d.place.Patch(ctx, e.Tree, c.Tree, maxProposal)
	if err != nil {
		return e, err
	}
	name := filepath.Join(d.folder(), ProposalFolder, fileName(c.Key)+".patch")
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return e, err
	}
	e.Patch = d.relative(name)
	return e, replace(name, []byte(patch))
}

// before reads files of a tree.
func (d *Driver) before(ctx context.Context, tree string, names []string) (map[string][]byte, error) {
	parent, done, err := d.Scratch()
	if err != nil {
		return nil, err
	}
	defer done()
	dir := filepath.Join(parent, "tree")
	if err := d.place.Export(ctx, tree, dir); err != nil {
		return nil, fmt.Errorf("export tree %s: %w", tree, err)
	}
	root, err := files.Open(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	out := make(map[string][]byte)
	for _, n := range names {
		if out[n], err = root.ReadFile(filepath.FromSlash(n), files.Text); err != nil {
			return nil, err
		}
	}
	return out, nil
}
