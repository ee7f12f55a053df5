package mcp

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/history"
	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site/search"
)

// Known is what the linter knows of a wiki.
type Known struct {
	Findings       []schema.Diagnostic
	Contradictions []schema.Contradiction
	Watched        map[string]schema.Watched // by path of the page
	Problem        string                    // why some of it is missing, empty if nothing is
	Files          []string                  // absolute: the code that it depends on
}

// view is the wiki at one moment. It does not change.
type view struct {
	*compiler.Wiki
	lib *library
	all *compiler.Wiki // with the pages that are withheld
}

// private reports whether the published site would not show a page.
func (v *view) private(p *schema.Page) bool {
	level, _ := p.Visibility.Level(v.Config().Site.Drafts)
	return level != schema.Public
}

// library keeps the wiki as it is on disk.
type library struct {
	opt Options

	mu     sync.Mutex
	now    *view
	pages  []compiler.Stamp // when now was compiled
	others []string
	git    string
	config stamps

	indexing sync.Mutex
	index    *search.Index
	indexed  *view

	linted, compared linted
}

// stamps are the size and the modification time of files; those that are not there have
// none.
type stamps map[string][2]int64

func stampsOf(names []string) stamps {
	out := stamps{}
	for _, name := range names {
		out[name] = [2]int64{}
		if info, err := os.Lstat(name); err == nil {
			out[name] = [2]int64{info.Size(), info.ModTime().UnixNano()}
		}
	}
	return out
}

// changed reports whether a file is another one by now.
func (s stamps) changed() bool {
	return !maps.Equal(s, stampsOf(slices.Collect(maps.Keys(s))))
}

// current returns the wiki as it is now. Only files that changed since the last call are
// read again.
func (l *library) current(ctx context.Context) (*view, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.now == nil || l.config.changed() {
		return l.load(ctx)
	}
	ws := l.now.all.Workspace()
	git := make(chan string, 1)
	go func() {
		state, _ := history.State(ctx, ws.Dir)
		git <- state
	}()
	listing, err := compiler.List(ctx, ws)
	if <-git != l.git {
		if err == nil {
			listing.Close()
		}
		return l.load(ctx)
	}
	if err != nil {
		return nil, err
	}
	defer listing.Close()
	if slices.Equal(l.pages, listing.Pages) && slices.Equal(l.others, listing.Others) {
		return l.now, nil
	}
	paths := different(l.pages, listing.Pages, func(s compiler.Stamp) string { return s.Path })
	paths = append(paths, different(l.others, listing.Others, func(s string) string { return s })...)
	w, err := l.now.all.Recompile(ctx, paths)
	if err != nil {
		return nil, err
	}
	l.pages, l.others = listing.Pages, listing.Others
	return l.publish(ctx, w)
}

// different returns the paths of what only one of two lists has.
func different[T comparable](before, now []T, path func(T) string) []string {
	only := make(map[T]bool, len(before))
	for _, x := range before {
		only[x] = true
	}
	var out []string
	for _, x := range now {
		if !only[x] {
			out = append(out, path(x))
		}
		delete(only, x)
	}
	for x := range only {
		out = append(out, path(x))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// load compiles the wiki from scratch. What it compares with later is taken before, so
// that a change in between is seen by the next call.
func (l *library) load(ctx context.Context) (*view, error) {
	ws, err := l.opt.Detect()
	if err != nil {
		return nil, err
	}
	git, _ := history.State(ctx, ws.Dir) // without git there are no dates, and no error
	config := stampsOf([]string{filepath.Join(ws.Dir, compiler.ConfigName), filepath.Join(ws.Root, compiler.ConfigName)})
	listing, err := compiler.List(ctx, ws)
	if err != nil {
		return nil, err
	}
	defer listing.Close()
	w, err := l.opt.Compile(ctx, ws)
	if err != nil {
		return nil, err
	}
	l.pages, l.others, l.git, l.config = listing.Pages, listing.Others, git, config
	return l.publish(ctx, w)
}

// publish makes w the current wiki.
func (l *library) publish(ctx context.Context, w *compiler.Wiki) (*view, error) {
	v := &view{w, l, w}
	if l.opt.Public {
		without := compiler.Overlay{}
		for _, p := range w.Pages() {
			if v.private(p) {
				without[p.Path] = nil
			}
		}
		var err error
		if v.Wiki, err = w.WithOverlay(ctx, without); err != nil {
			return nil, err
		}
	}
	l.now = v
	return v, nil
}

// search returns the index of the view's pages.
func (v *view) search(ctx context.Context) (*search.Index, error) {
	l := v.lib
	l.indexing.Lock()
	defer l.indexing.Unlock()
	if l.indexed == v {
		return l.index, nil
	}
	var err error
	if l.index == nil {
		l.index, err = l.opt.Index(ctx, v.Wiki)
	} else {
		err = l.index.Update(ctx, v.Wiki, nil)
	}
	if err != nil {
		return nil, err
	}
	l.indexed = v
	return l.index, nil
}

// known returns what the linter knows of the view's pages.
func (v *view) known(ctx context.Context) Known {
	return v.lib.linted.of(ctx, v, v.lib.opt.Lint)
}

// contradictions returns the contradictions of known, which takes much longer.
func (v *view) contradictions(ctx context.Context) Known {
	return v.lib.compared.of(ctx, v, v.lib.opt.Contradictions)
}

// linted is what the linter said of a view, for as long as the files that it rests on are
// the same.
type linted struct {
	mu    sync.Mutex
	known Known
	view  *view
	rests stamps // beside the pages
}

// of returns what run says of a view.
func (l *linted) of(ctx context.Context, v *view, run func(context.Context, *compiler.Wiki) Known) Known {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.view == v && !l.rests.changed() {
		return l.known
	}
	ws := v.Workspace()
	home := ws.Dir
	if ws.ConfigPath != "" {
		home = filepath.Dir(ws.ConfigPath)
	}
	rests := stampsOf([]string{
		filepath.Join(home, filepath.FromSlash(schema.BaselineFile)), filepath.Join(home, filepath.FromSlash(schema.AcknowledgedFile)),
		filepath.Join(home, source.LockName), filepath.Join(ws.Dir, source.LockName),
	})
	k := run(ctx, v.Wiki)
	maps.Copy(rests, stampsOf(k.Files))
	if v.lib.opt.Public { // a place that is no page may be about one that is withheld
		k.Findings = slices.DeleteFunc(k.Findings, func(d schema.Diagnostic) bool {
			return !slices.ContainsFunc(v.Pages(), func(p *schema.Page) bool { return p.Path == d.Path })
		})
	}
	if ctx.Err() == nil {
		l.known, l.view, l.rests = k, v, rests
	}
	return k
}
