package serve

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/fsnotify/fsnotify"
)

// Times of the watcher.
const (
	// settleTime is how long files must be quiet before a change counts:
	// longer than the steps of a save, shorter than a blink.
	settleTime = 30 * time.Millisecond
	// patience bounds the wait while files keep changing.
	patience = 300 * time.Millisecond
	// pollTime is the time between two looks at the files where the system
	// does not report changes.
	pollTime = 400 * time.Millisecond
	// checkTime is the interval of checks of the folder itself, whose parents are not
	// watched.
	checkTime = 500 * time.Millisecond
	// recent is how long before its watch a file must have been changed for
	// anyone who compiled it to have seen that surely.
	recent = time.Minute
)

// change is a change on disk.
type change struct {
	paths  []string // files of the wiki, sorted
	anew   bool     // the configuration changed, or the folder came back
	theme  bool     // the folder that overrides the theme changed
	absent bool     // the wiki's folder is gone
	known  bool     // what people said of the wiki's faults changed
	first  bool     // paths may have been changed before the watch began, or not
}

func (c *change) empty() bool { return c.same() && !c.known }

// same reports whether the pages are as they were.
func (c *change) same() bool { return len(c.paths) == 0 && !c.anew && !c.theme && !c.absent }

// watched says what a watcher looks at. All paths are absolute.
type watched struct {
	root   string
	config string    // wiki.yaml, whether it is there or not
	known  [3]string // files on which findings depend, whether they are there or not
	theme  string    // empty when the theme is not overridden
	output string    // where builds are written; not looked at
}

// watcher reports changes of files.
type watcher struct {
	what   watched
	log    *slog.Logger
	wiki   *tree
	theme  *tree // nil without one
	config stamp
	known  map[string]stamp
	rests  *atomic.Pointer[map[string]stamp] // more files on which findings depend, as they were
	root   os.FileInfo                       // nil while the folder is gone
	moved  bool                              // the folder was taken from its place, which ends its watch, even if it is back
	notify *fsnotify.Watcher                 // nil when polling
	out    chan<- change
	began  time.Time
	dirty  map[*tree]map[string]bool // folders to look at
	// replaced holds the absolute paths of folders that may be other ones
	// than those watched by their names.
	replaced map[string]bool
	pending  change
}

// watch reports changes to out until ctx ends; config is wiki.yaml when it was read. It
// polls if poll is set, or the system can't watch.
func watch(ctx context.Context, what watched, rests *atomic.Pointer[map[string]stamp], config stamp, poll bool, log *slog.Logger, out chan<- change) {
	w := &watcher{what: what, rests: rests, config: config, log: log, out: out, began: time.Now(), dirty: make(map[*tree]map[string]bool), replaced: make(map[string]bool)}
	w.wiki = newTree(what.root, func(dir string) bool {
		return what.output != "" && filepath.Join(what.root, filepath.FromSlash(dir)) == what.output
	})
	if what.theme != "" {
		w.theme = newTree(what.theme, nil)
	}
	if !poll {
		n, err := fsnotify.NewBufferedWatcher(4096) // only used on Windows; elsewhere the kernel's is large
		if err != nil {
			log.Warn("the system does not report file changes; polling instead", "every", pollTime, "err", err)
		}
		w.notify = n
	}
	w.begin()
	if w.pending.empty() || w.report(ctx) {
		w.run(ctx)
	}
	if w.notify != nil {
		w.notify.Close()
	}
}

// begin records the present state, so that only later changes are reported.
func (w *watcher) begin() {
	w.root, _ = os.Stat(w.what.root)
	w.checkKnown()
	if w.notify != nil && w.what.config != "" {
		w.add(filepath.Dir(w.what.config))
	}
	for _, t := range w.trees() {
		w.look(t, nil)
	}
	w.pending = change{absent: w.root == nil, first: true, paths: w.wiki.since(w.began.Add(-recent))}
	w.checkConfig()
}

func (w *watcher) trees() []*tree {
	if w.theme == nil {
		return []*tree{w.wiki}
	}
	return []*tree{w.wiki, w.theme}
}

// run waits for changes, lets them settle and reports them.
func (w *watcher) run(ctx context.Context) {
	check := time.NewTicker(checkTime)
	defer check.Stop()
	poll := time.NewTimer(pollTime)
	defer poll.Stop()
	settled := time.NewTimer(time.Hour)
	settled.Stop()
	var since time.Time // of the first change that is not reported
	touch := func(touched bool) {
		if !touched {
			return
		}
		if since.IsZero() {
			since = time.Now()
		}
		settled.Reset(max(0, min(settleTime, patience-time.Since(since))))
	}
	for {
		var events chan fsnotify.Event
		var failures chan error
		if w.notify != nil {
			events, failures = w.notify.Events, w.notify.Errors
		}
		select {
		case <-ctx.Done():
			return
		case e := <-events:
			touch(w.event(e))
		case err := <-failures:
			touch(w.failure(err))
		case <-check.C:
			touch(w.checkRoot())
		case <-poll.C:
			began := time.Now()
			if w.notify == nil && w.root != nil {
				touch(w.lookAtAll())
			}
			poll.Reset(max(pollTime, 10*time.Since(began)))
		case <-settled.C:
			since = time.Time{}
			if !w.report(ctx) {
				return
			}
		}
	}
}

// event notes what an event is about, and reports whether it matters.
func (w *watcher) event(e fsnotify.Event) bool {
	if e.Op == fsnotify.Chmod || e.Name == "" {
		return false
	}
	if e.Name == w.what.config {
		return w.checkConfig()
	}
	matters := false
	for _, t := range w.trees() {
		name, ok := t.name(e.Name)
		if !ok {
			continue
		}
		dir := path.Dir(name)
		if _, known := t.dirs[dir]; !known && name != "." || name != "." && (t.skips(name) || ignoredFile(path.Base(name))) {
			continue
		}
		if name == "." {
			w.moved = w.moved || t == w.wiki && (e.Has(fsnotify.Rename) || e.Has(fsnotify.Remove))
			return w.checkRoot() || matters
		}
		w.mark(t, dir)
		if _, isDir := t.dirs[name]; isDir {
			// It may be another folder of the same name by now, and so may
			// those below it.
			for d := range t.dirs {
				if within(d, name) {
					w.mark(t, d)
					w.replaced[t.path(d)] = true
				}
			}
		} else if t == w.wiki && (e.Has(fsnotify.Write) || e.Has(fsnotify.Create)) {
			// Named by the system, so it counts even if its size and time
			// are the same, as after two saves within one tick of the clock.
			w.pending.paths = append(w.pending.paths, name)
		}
		matters = true
	}
	return matters
}

func (w *watcher) mark(t *tree, dir string) {
	if w.dirty[t] == nil {
		w.dirty[t] = make(map[string]bool)
	}
	w.dirty[t][dir] = true
}

// failure handles what the system says of itself.
func (w *watcher) failure(err error) bool {
	if errors.Is(err, fsnotify.ErrEventOverflow) {
		return w.lookAtAll() // some events are lost
	}
	w.log.Warn("watching files", "err", err)
	return false
}

// checkConfig reports whether wiki.yaml is another than before.
func (w *watcher) checkConfig() bool {
	now := stampOf(w.what.config)
	if now == w.config {
		return false
	}
	w.config, w.pending.anew = now, true
	return true
}

// checkKnown reports whether a file that findings depend on is another than
// before. Nobody waits for them, so that they are not watched but looked at.
func (w *watcher) checkKnown() bool {
	now := map[string]stamp{}
	for _, f := range w.what.known {
		now[f] = stampOf(f)
	}
	if rests := w.rests.Load(); rests != nil {
		for f, then := range *rests {
			now[f] = stampOf(f)
			if _, seen := w.known[f]; !seen && w.known != nil {
				w.known[f] = then
			}
		}
	}
	touched := false
	for f, is := range now {
		if was, seen := w.known[f]; seen && was != is {
			touched = true
		}
	}
	w.known, w.pending.known = now, w.pending.known || touched
	return touched
}

// checkRoot sees the folder of the wiki, or one above it, go, come back or be
// replaced, of which its own watch does not tell.
func (w *watcher) checkRoot() bool {
	touched := w.checkKnown()
	if w.notify == nil {
		touched = w.checkConfig() || touched
	}
	now, err := os.Stat(w.what.root)
	switch {
	case err != nil || !now.IsDir():
		if w.root == nil {
			return touched
		}
		w.unwatchAll(w.wiki)
		w.root, w.moved, w.pending = nil, false, change{absent: true}
	case w.root == nil || w.moved || !os.SameFile(w.root, now):
		w.unwatchAll(w.wiki)
		w.root, w.moved = now, false
		w.look(w.wiki, nil)
		w.pending.anew, w.pending.absent = true, false
	default:
		return touched
	}
	return true
}

// lookAtAll compares every file with its last known state.
func (w *watcher) lookAtAll() bool {
	touched := w.checkConfig()
	for _, t := range w.trees() {
		touched = w.look(t, nil) || touched
	}
	return touched
}

// look compares folders, or all of them for nil, with their last known state. It watches
// new ones and reports whether anything changed.
func (w *watcher) look(t *tree, dirs []string) bool {
	known := make(map[string]bool, len(t.dirs))
	for d := range t.dirs {
		known[d] = true
	}
	var changed, fresh []string
	if dirs == nil {
		changed, fresh = t.scanAll()
	}
	for _, d := range dirs {
		if _, still := t.dirs[d]; still || d == "." {
			c, f := t.scan(d)
			changed, fresh = append(changed, c...), append(fresh, f...)
			if w.replaced[t.path(d)] {
				fresh = append(fresh, d)
			}
		}
	}
	// A renamed folder is the same one to the system: the watch by its old
	// name must end before the one by its new name begins.
	for d := range known {
		if _, still := t.dirs[d]; !still {
			w.unwatch(t, d)
		}
	}
	for d := range known {
		if w.replaced[t.path(d)] {
			w.unwatch(t, d)
			delete(w.replaced, t.path(d))
		}
	}
	for len(fresh) > 0 && w.notify != nil {
		for _, d := range fresh {
			w.add(t.path(d))
		}
		// What was made between the listing of a new folder and its watch.
		var more []string
		for _, d := range fresh {
			c, f := t.scan(d)
			changed, more = append(changed, c...), append(more, f...)
		}
		fresh = more
	}
	if t == w.wiki {
		w.pending.paths = append(w.pending.paths, changed...)
	} else if len(changed) > 0 {
		w.pending.theme = true
	}
	return len(changed) > 0
}

// within reports whether dir is above or is below it.
func within(dir, above string) bool {
	return above == "." || dir == above || strings.HasPrefix(dir, above+"/")
}

// add watches a folder. Where the system has no room for more watches, files
// are looked at instead.
func (w *watcher) add(dir string) {
	if w.notify == nil {
		return
	}
	err := w.notify.Add(dir)
	if err == nil || errors.Is(err, os.ErrNotExist) {
		return
	}
	w.log.Warn("can't watch a folder; polling all files instead", "dir", dir, "every", pollTime, "err", err)
	w.notify.Close()
	w.notify = nil
}

// unwatch ends the watch of a folder, which would report names that are no
// longer its own.
func (w *watcher) unwatch(t *tree, dir string) {
	if w.notify != nil && t.path(dir) != filepath.Dir(w.what.config) {
		_ = w.notify.Remove(t.path(dir)) // the system may have ended it already
	}
}

// unwatchAll stops watching a tree and forgets its state.
func (w *watcher) unwatchAll(t *tree) {
	for d := range t.dirs {
		w.unwatch(t, d)
	}
	t.forget(".")
}

// report looks at the folders that were touched and sends what changed. It
// returns false when ctx ended.
func (w *watcher) report(ctx context.Context) bool {
	w.checkRoot()
	for _, t := range w.trees() {
		if dirs := slices.Sorted(maps.Keys(w.dirty[t])); len(dirs) > 0 {
			w.look(t, dirs)
		}
	}
	clear(w.dirty)
	c := w.pending
	w.pending = change{}
	c.paths = slices.DeleteFunc(c.paths, func(name string) bool {
		_, isDir := w.wiki.dirs[name]
		return isDir
	})
	slices.Sort(c.paths)
	c.paths = slices.Compact(c.paths)
	if c.empty() {
		return true
	}
	select {
	case w.out <- c:
		return true
	case <-ctx.Done():
		return false
	}
}

// stampOf returns the stamp of one file, zero if it does not exist.
func stampOf(name string) stamp {
	if name == "" {
		return stamp{}
	}
	info, err := os.Stat(name)
	if err != nil {
		return stamp{}
	}
	return stamp{size: info.Size(), mtime: info.ModTime()}
}

// stampsOf returns the stamps of files. A file that may have changed after it was read
// gets a stamp that equals no other.
func stampsOf(files []string, read time.Time) map[string]stamp {
	out := make(map[string]stamp, len(files))
	for _, f := range files {
		out[f] = stampOf(f)
		if !out[f].mtime.Before(read) {
			out[f] = stamp{}
		}
	}
	return out
}
