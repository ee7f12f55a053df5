package serve

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/loopwiki/wiki/compiler"
)

// Change is what changed on disk of a wiki that [Watch] follows.
type Change struct {
	Paths     []string // files below the root: changed, made or removed
	Reload    bool     // wiki.yaml is another, or the folder was replaced
	Judgement bool     // the baseline, the acknowledgements or wiki.lock are others
}

// Watch calls report, from one goroutine, for changes of a wiki's files until ctx ends.
func Watch(ctx context.Context, ws *compiler.Workspace, log *slog.Logger, report func(Change)) {
	what := watchedPaths(ws)
	changes := make(chan change)
	var rests atomic.Pointer[map[string]stamp]
	var done sync.WaitGroup
	done.Go(func() { watch(ctx, what, &rests, stampOf(what.config), false, log, changes) })
	defer done.Wait()
	for {
		select {
		case <-ctx.Done():
			return
		case c := <-changes:
			if !c.absent {
				report(Change{Paths: c.paths, Reload: c.anew, Judgement: c.known})
			}
		}
	}
}

// Judges reports whether an absolute path is a file on which findings depend: see
// [Change].Judgement.
func Judges(ws *compiler.Workspace, path string) bool {
	what := watchedPaths(ws)
	return slices.Contains(what.known[:], path)
}
