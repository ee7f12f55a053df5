package compiler

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/loopwiki/wiki/compiler/history"
	"github.com/loopwiki/wiki/compiler/identity"
	"github.com/loopwiki/wiki/compiler/resolve"
	"github.com/loopwiki/wiki/schema"
)

// Options say how to compile.
type Options struct {
	// History asks git when pages were created and changed.
	History bool
	// Today decides what has expired; the zero Time leaves every page unexpired.
	Today time.Time
	// Overlay replaces files on disk.
	Overlay Overlay
	// Progress, when set, is called from time to time, from several
	// goroutines, with the number of pages read so far and in all.
	Progress func(done, total int)
}

// Compile reads every page of the workspace, in parallel, and links them. The
// error is for a root that can't be read, or a context that was cancelled.
func Compile(ctx context.Context, ws *Workspace, opt Options) (*Wiki, error) {
	w := &Wiki{space: ws, today: opt.Today, overlay: opt.Overlay, whole: &whole{}}
	ld, closer, err := w.loader(ctx)
	if err != nil {
		return nil, err
	}
	defer closer()

	asked := make(chan struct{})
	if opt.History && ws.Git {
		go func() {
			defer close(asked)
			w.loadHistory(ctx)
		}()
	} else {
		close(asked)
	}
	pages, files, err := ld.tree(ctx)
	w.hidden = ld.hidden
	for _, f := range files {
		w.files = append(w.files, f.path)
	}
	if err == nil {
		ld.python = w.Generator().PythonSlugs
		w.pages, err = ld.readAll(ctx, pages, 0, opt.Progress)
	}
	<-asked
	if err != nil {
		return nil, err
	}
	w.unread, w.vendored = ld.unread, ld.packages
	w.number()
	w.link(resolve.NewIndex(w.pages, w.files, ws.Dialect.Profile, w.around()), nil)
	w.settleLayers()
	return w, nil
}

// loader prepares reading: what git ignores, and a handle no path leaves.
func (w *Wiki) loader(ctx context.Context) (*loader, func(), error) {
	at, err := w.space.OpenPages()
	if err != nil {
		return nil, nil, err
	}
	ld := &loader{config: w.space.Config, profile: w.space.Dialect.Profile, limits: w.space.Config.Limits.OrDefault(), at: at, overlay: w.overlay, python: w.Generator().PythonSlugs}
	ld.ignored = sync.OnceValue(func() history.IgnoredSet {
		w.skipped = nil
		if !w.space.Git {
			return history.IgnoredSet{}
		}
		ignored, err := history.Ignored(ctx, w.space.Root)
		if err != nil {
			w.skip("ignored-files", err.Error())
		}
		return ignored
	})
	return ld, func() { at.Close() }, nil
}

func (w *Wiki) skip(check, reason string) {
	w.skipped = append(w.skipped, schema.Skipped{Check: check, Reason: reason})
}

// loadHistory asks git. What it can't tell is a skipped check.
func (w *Wiki) loadHistory(ctx context.Context) {
	h, err := history.Load(ctx, w.space.Root)
	if err != nil {
		w.historySkipped = err.Error()
		return
	}
	if h.Shallow {
		w.historySkipped = "the clone is shallow, so dates of older pages are not known: run git fetch --unshallow"
	}
	w.history = h
}

// number builds the lookup from id to page.
func (w *Wiki) number() {
	w.index = make(map[schema.PageID]int, len(w.pages))
	for i, p := range w.pages {
		if _, taken := w.index[p.ID]; taken {
			// Two files whose names differ only in Unicode form: the second
			// keeps its extension in its id, so that neither is lost.
			q := *p
			q.ID = schema.PageID(p.Path)
			w.pages[i], p = &q, &q
		}
		w.index[p.ID] = i
	}
}

// link resolves the links of all pages, or, when old is given, only of those
// for which stale is true, and builds the graph.
func (w *Wiki) link(x *resolve.Index, stale func(i int) bool) {
	w.names, w.naming = x, &Naming{}
	if w.links == nil {
		n := len(w.pages)
		w.links, w.targets, w.reached = make([][]schema.Resolution, n), make([][]int32, n), make([][]int32, n)
	}
	var g errgroup.Group
	n := runtime.GOMAXPROCS(0)
	for k := range n {
		g.Go(func() error {
			for i := k; i < len(w.pages); i += n {
				if stale == nil || stale(i) {
					w.resolve(x, i)
				}
			}
			return nil
		})
	}
	_ = g.Wait() // resolving returns no error
	w.editions = sync.OnceValue(func() *identity.Set { return identity.Of(w.pages, w.space.Config.Identity) })
	w.included = sync.OnceValue(func() map[schema.PageID]bool {
		all := map[schema.PageID]bool{}
		for _, p := range w.pages {
			for _, q := range x.Includes(p) {
				all[q.ID] = true
			}
		}
		return all
	})
	w.listed = sync.OnceValue(func() map[schema.PageID]bool {
		all := x.Listed()
		w.listAround(all)
		return all
	})
	w.graph = newGraph(w)
}

// resolve finds what the links of page i lead to.
func (w *Wiki) resolve(x *resolve.Index, i int) {
	p := w.pages[i]
	links, targets := make([]schema.Resolution, len(p.Links)), make([]int32, len(p.Links))
	for j := range p.Links {
		links[j] = x.Resolve(p, &p.Links[j])
		targets[j] = -1
		if r := &links[j]; r.Kind == schema.TargetPage && r.Page != p.ID {
			if k, ok := w.index[r.Page]; ok {
				targets[j] = int32(k)
			}
		}
	}
	reached := slices.DeleteFunc(slices.Clone(targets), func(t int32) bool { return t < 0 })
	slices.Sort(reached)
	w.links[i], w.targets[i], w.reached[i] = links, targets, slices.Compact(reached)
}
