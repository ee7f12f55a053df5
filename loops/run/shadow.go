package run

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/loopwiki/wiki/loops"
)

// The files of a run in shadow: what it would have done, and what it was at when
// it ended without being done.
const (
	ShadowFile     = "shadow.patch"
	unfinishedFile = "unfinished.patch"
)

// maxShadow is how many bytes of a patch are kept.
const maxShadow = 16 << 20

var errNoDiscard = errors.New("can't remove a worktree from here")

// discard keeps what a run in shadow made, and then leaves nothing of it. It
// returns the patch, relative to the run's folder.
func (d *Driver) discard(ctx context.Context) (string, error) {
	if d.Discard == nil {
		return "", errNoDiscard
	}
	s := &d.state
	if err := d.keep(ctx, ShadowFile, s.Start.Base, s.Tree); err != nil {
		return "", err
	}
	now, err := d.place.Snapshot(ctx, "discard")
	if err != nil {
		return "", err
	}
	if now.Tree != s.Tree {
		if err := d.keep(ctx, unfinishedFile, s.Tree, now.Tree); err != nil {
			return "", err
		}
	}
	return ShadowFile, d.Discard(ctx, s.Start.Run)
}

// keep writes the difference of two trees into the run's folder.
func (d *Driver) keep(ctx context.Context, name, from, to string) error {
	text, err := d.place.Patch(ctx, from, to, maxShadow)
	if err != nil {
		return err
	}
	r := loops.NewRedactor(d.Redact)
	text, _ = r.Text(text)
	return replace(filepath.Join(d.folder(), name), []byte(text))
}
