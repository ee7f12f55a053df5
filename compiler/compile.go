package compiler

import (
	"context"
	"time"

	"github.com/loopwiki/wiki/schema"
)

// Options say how to compile.
type Options struct {
	// History asks git when pages were created and changed.
	History bool
	// Today decides what has expired; the zero Time leaves every page unexpired.
	Today time.Time
	// Progress, when set, is called from time to time with the number of pages
	// read so far and in all.
	Progress func(done, total int)
}

// Detect finds the wiki that belongs to dir: its root, its configuration and
// its dialect. root, when not empty, overrides the detection; it is relative
// to dir.
func Detect(dir, root string) (*Workspace, error) { return nil, nil }

// Compile reads every page of the workspace, in parallel, and links them.
func Compile(ctx context.Context, ws *Workspace, opt Options) (*Wiki, error) { return nil, nil }

// Recompile returns the wiki after the files at the given paths below the root
// were changed, made or removed. Only they are read again; all other pages are
// shared with w, which stays valid.
func (w *Wiki) Recompile(ctx context.Context, paths []string) (*Wiki, error) { return nil, nil }

// Freshness says when a page was made, changed and last known true, from its
// frontmatter and from git.
func (w *Wiki) Freshness(p *schema.Page) schema.Freshness { return schema.Freshness{} }
