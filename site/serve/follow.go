package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
)

// changes collects the pages that the search index has not seen yet.
type changes struct {
	mu  sync.Mutex
	ids map[schema.PageID]bool
}

func (c *changes) add(ids []schema.PageID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ids == nil {
		c.ids = make(map[schema.PageID]bool)
	}
	for _, id := range ids {
		c.ids[id] = true
	}
}

func (c *changes) take() []schema.PageID {
	c.mu.Lock()
	defer c.mu.Unlock()
	ids := slices.Sorted(maps.Keys(c.ids))
	c.ids = nil
	return ids
}

// follow compiles what changes on disk until ctx ends.
func (s *Server) follow(ctx context.Context) {
	for ctx.Err() == nil {
		what := watchedPaths(s.now.Load().wiki.Workspace())
		s.followPaths(ctx, what)
	}
}

// followPaths follows the files of one workspace, until ctx ends or the
// configuration says that the files are others.
func (s *Server) followPaths(ctx context.Context, what watched) {
	watching, stop := context.WithCancel(ctx)
	reports := make(chan change)
	var done sync.WaitGroup
	done.Go(func() { watch(watching, what, &s.restsOn, s.config, s.opt.Poll, s.log, reports) })
	defer done.Wait()
	defer stop()
	for {
		select {
		case <-ctx.Done():
			return
		case c := <-reports:
			s.take(ctx, c)
			if watchedPaths(s.now.Load().wiki.Workspace()) != what {
				return
			}
		}
	}
}

// take makes what changed on disk the next generation.
func (s *Server) take(ctx context.Context, c change) {
	began := time.Now()
	if c.known {
		s.askFollowUp()
		if c.same() {
			return
		}
	}
	g := s.now.Load()
	root := g.wiki.Workspace().Root
	if c.absent {
		s.fail(goneError(root))
		return
	}
	next, err := s.compile(ctx, g, c)
	switch {
	case ctx.Err() != nil:
		return
	case !isFolder(root):
		// The folder was removed during the read, so the result is not a wiki.
		s.fail(goneError(root))
		return
	case err != nil:
		s.fail(err)
		return
	}
	ids := differentPages(g.wiki, next)
	if len(ids) == 0 && !c.anew && !c.theme && (c.first || !s.otherFiles(next, c.paths)) && g.problem == "" {
		return // saved as it was
	}
	if err := s.publish(func(g *generation) (*generation, error) {
		known := withoutPages(g.known, g.wiki, ids)
		p, err := s.layOut(next, known)
		return &generation{wiki: next, known: known, pages: p}, err
	}, nil); err != nil {
		s.fail(err)
		return
	}
	s.log.Info("changed", "pages", len(ids), "took", time.Since(began).Round(time.Millisecond))
	s.changed.add(ids)
	s.askFollowUp()
}

func goneError(root string) error { return fmt.Errorf("the folder of the wiki is gone: %s", root) }

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// compile returns the wiki as it is on disk.
func (s *Server) compile(ctx context.Context, g *generation, c change) (*compiler.Wiki, error) {
	if (c.anew || g.problem != "") && s.opt.Load != nil {
		s.config = stampOf(watchedPaths(g.wiki.Workspace()).config)
		return s.opt.Load(ctx)
	}
	return g.wiki.Recompile(ctx, c.paths)
}

// otherFiles reports whether any of the paths is, or was, no page: an image
// that is changed has no hash to tell.
func (s *Server) otherFiles(w *compiler.Wiki, paths []string) bool {
	byPath := make(map[string]bool)
	for _, p := range w.Pages() {
		byPath[p.Path] = true
	}
	return slices.ContainsFunc(paths, func(name string) bool { return !byPath[name] })
}

// differentPages returns the pages of which one of two wikis has another
// text, or none, in order.
func differentPages(a, b *compiler.Wiki) []schema.PageID {
	var ids []schema.PageID
	for _, p := range a.Pages() {
		if q := b.Page(p.ID); q == nil || q != p && q.Hash != p.Hash || q != nil && q.Path != p.Path {
			ids = append(ids, p.ID)
		}
	}
	for _, p := range b.Pages() {
		if a.Page(p.ID) == nil {
			ids = append(ids, p.ID)
		}
	}
	slices.Sort(ids)
	return ids
}

// withoutPages drops what is known of pages whose text changed: the positions are
// outdated.
func withoutPages(known Known, w *compiler.Wiki, ids []schema.PageID) Known {
	gone := make(map[string]bool)
	for _, id := range ids {
		if p := w.Page(id); p != nil {
			gone[p.Path] = true
		}
	}
	return Known{
		Findings: slices.DeleteFunc(slices.Clone(known.Findings), func(d schema.Diagnostic) bool { return gone[d.Path] }),
		Contradictions: slices.DeleteFunc(slices.Clone(known.Contradictions), func(c schema.Contradiction) bool {
			return slices.ContainsFunc(c.Sides, func(s schema.Side) bool { return gone[s.Path] })
		}),
		Mentions: slices.DeleteFunc(slices.Clone(known.Mentions), func(m schema.Mention) bool { return gone[m.Path] }),
		Watched:  known.Watched, Problem: known.Problem, Files: known.Files, // which have no places on pages
	}
}

// publish makes the result of next the current generation and notifies the tabs. next
// may return nil to change nothing; tell may change the notification.
func (s *Server) publish(next func(*generation) (*generation, error), tell func(*event)) error {
	s.publishing.Lock()
	defer s.publishing.Unlock()
	old := s.now.Load()
	g, err := next(old)
	if err != nil || g == nil {
		return err
	}
	g.number, g.cache = old.number+1, newCache()
	s.now.Store(g)
	e := event{Generation: s.name(g), Problem: g.said()}
	if tell != nil {
		e.Before = s.name(old)
		tell(&e)
	}
	s.hub.send(e)
	return nil
}

// fail keeps the last valid wiki and shows the error above it.
func (s *Server) fail(err error) {
	s.log.Error("can not show what is on disk", "err", err)
	s.publishing.Lock()
	defer s.publishing.Unlock()
	g := *s.now.Load()
	if g.problem == err.Error() {
		return
	}
	g.problem = err.Error()
	// The same pages under the same name: tabs show the problem and stay.
	s.now.Store(&g)
	s.hub.send(event{Generation: s.name(&g), Problem: g.said()})
}

// askFollowUp requests the work that readers don't wait for.
func (s *Server) askFollowUp() {
	select {
	case s.after <- struct{}{}:
	default: // asked already
	}
}

// followUp lints and indexes the present wiki whenever it is another, until
// ctx ends. What is under way for an older one is given up.
func (s *Server) followUp(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.after:
		}
		if !s.followUpOne(ctx) {
			return
		}
	}
}

// followUpOne lints and indexes the present wiki until that is done or
// something else is asked for. It returns false when ctx ended.
func (s *Server) followUpOne(ctx context.Context) bool {
	now, cancel := context.WithCancel(ctx)
	defer cancel()
	w := s.now.Load().wiki
	var under sync.WaitGroup
	under.Go(func() { s.lint(now, w) })
	under.Go(func() { s.index(now, w) })
	done := make(chan struct{})
	go func() { under.Wait(); close(done) }()
	select {
	case <-done:
	case <-s.after:
		s.askFollowUp()
		cancel()
		<-done
	case <-ctx.Done():
		<-done
		return false
	}
	return true
}

// lint shows the findings of w on its pages.
func (s *Server) lint(ctx context.Context, w *compiler.Wiki) {
	if s.opt.Lint == nil {
		return
	}
	began := time.Now()
	known := s.opt.Lint(ctx, w)
	if ctx.Err() != nil {
		return
	}
	rests := stampsOf(known.Files, began)
	s.restsOn.Store(&rests)
	var files []string
	err := s.publish(func(g *generation) (*generation, error) {
		if g.wiki != w {
			return nil, nil // it is about another wiki by now, and asked for again
		}
		if g.known.same(known) {
			same := *g // nothing to show, so nothing to tell
			same.linted = true
			s.now.Store(&same)
			return nil, nil
		}
		p, err := s.layOut(w, known)
		if err == nil {
			files = otherFiles(g, known, p)
		}
		return &generation{wiki: w, known: known, linted: true, pages: p, problem: g.problem}, err
	}, func(e *event) { e.Files = files })
	if err != nil {
		s.fail(err)
	}
}

// index brings the search index up to w.
func (s *Server) index(ctx context.Context, w *compiler.Wiki) {
	if s.opt.Search == nil {
		return
	}
	ids := s.changed.take()
	began := time.Now()
	if err := s.opt.Search.Update(ctx, w, ids); err != nil {
		s.changed.add(ids)
		if !errors.Is(err, context.Canceled) {
			s.log.Error("updating the search index", "err", err)
		}
		return
	}
	s.log.Debug("indexed", "pages", cmp.Or(len(ids), len(w.Pages())), "took", time.Since(began).Round(time.Millisecond))
	select {
	case <-s.indexed:
	default:
		close(s.indexed)
	}
}
