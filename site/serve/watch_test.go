package serve

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// files is a folder under test and what its watcher reports.
type files struct {
	t    *testing.T
	dir  string
	root string
	out  chan change
}

func quiet() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

// eachWay runs a test with the system's reports and without.
func eachWay(t *testing.T, test func(f *files)) {
	for _, poll := range []bool{false, true} {
		t.Run(map[bool]string{false: "notify", true: "poll"}[poll], func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			f := &files{t: t, dir: dir, root: filepath.Join(dir, "wiki"), out: make(chan change, 16)}
			f.write("index.md", "# Index\n")
			f.write("10_DOMAIN/a.md", "# A\n")
			f.write("10_DOMAIN/deep/er/b.md", "# B\n")
			f.write("_site/index.html", "built")
			ctx, cancel := context.WithCancel(t.Context())
			done := make(chan struct{})
			what := watched{root: f.root, config: filepath.Join(dir, "wiki.yaml"), output: filepath.Join(f.root, "_site")}
			go func() {
				defer close(done)
				watch(ctx, what, new(atomic.Pointer[map[string]stamp]), stampOf(what.config), poll, quiet(), f.out)
			}()
			t.Cleanup(func() { cancel(); <-done })
			f.expectFirst()
			test(f)
		})
	}
}

func (f *files) path(name string) string { return filepath.Join(f.root, filepath.FromSlash(name)) }

func (f *files) write(name, text string) {
	f.t.Helper()
	if err := os.MkdirAll(filepath.Dir(f.path(name)), 0o777); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(f.path(name), []byte(text), 0o666); err != nil {
		f.t.Fatal(err)
	}
}

func (f *files) do(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

// expect collects reports until all the paths are named, in one or several.
func (f *files) expect(want ...string) change {
	f.t.Helper()
	slices.Sort(want)
	var all change
	limit := time.After(30 * time.Second)
	for {
		select {
		case c := <-f.out:
			all.paths = append(all.paths, c.paths...)
			all.anew = all.anew || c.anew
			all.absent = c.absent
			slices.Sort(all.paths)
			all.paths = slices.Compact(all.paths)
			if slices.Equal(all.paths, want) && (len(want) > 0 || c.anew || c.absent) {
				return all
			}
		case <-limit:
			f.t.Fatalf("got %+v, want %v", all, want)
		}
	}
}

// expectFirst waits for the watch to begin. The files are new, so it may be
// that nobody saw them as they are.
func (f *files) expectFirst() {
	f.t.Helper()
	select {
	case c := <-f.out:
		if !c.first || !slices.Contains(c.paths, "a.md") && !slices.Contains(c.paths, "index.md") {
			f.t.Fatalf("the first report is %+v", c)
		}
	case <-time.After(30 * time.Second):
		f.t.Fatal("no report when the watch began")
	}
}

// silence expects nothing for longer than any report takes.
func (f *files) silence() {
	f.t.Helper()
	select {
	case c := <-f.out:
		f.t.Fatalf("got %+v, want nothing", c)
	case <-time.After(pollTime + settleTime + 300*time.Millisecond):
	}
}

func TestWatchEdits(t *testing.T) {
	t.Parallel()
	eachWay(t, func(f *files) {
		f.write("10_DOMAIN/a.md", "# A, longer\n")
		f.expect("10_DOMAIN/a.md")
		f.write("new.md", "# New\n")
		f.expect("new.md")
		f.do(os.Remove(f.path("new.md")))
		f.expect("new.md")
	})
}

func TestWatchSavesOfEditors(t *testing.T) {
	t.Parallel()
	eachWay(t, func(f *files) {
		// A temporary file put instead of the old one.
		f.write("10_DOMAIN/.a.md.tmp123", "# A by rename\n")
		f.do(os.Rename(f.path("10_DOMAIN/.a.md.tmp123"), f.path("10_DOMAIN/a.md")))
		f.expect("10_DOMAIN/a.md")
		// vim: a probe, the old file moved away, a new one written, the backup removed.
		f.write("10_DOMAIN/4913", "")
		f.do(os.Remove(f.path("10_DOMAIN/4913")))
		f.do(os.Rename(f.path("10_DOMAIN/a.md"), f.path("10_DOMAIN/a.md~")))
		f.write("10_DOMAIN/a.md", "# A by vim, longer\n")
		f.do(os.Remove(f.path("10_DOMAIN/a.md~")))
		f.expect("10_DOMAIN/a.md")
		// What is next to a file being edited is no change of the wiki.
		f.write("10_DOMAIN/.a.md.swp", "x")
		f.write("10_DOMAIN/#a.md#", "x")
		f.write(".obsidian/workspace.json", "{}")
		f.write("_site/index.html", "built again")
		f.silence()
	})
}

func TestWatchFolders(t *testing.T) {
	t.Parallel()
	eachWay(t, func(f *files) {
		f.write("20_SYSTEM/x/y/c.md", "# C\n")
		f.expect("20_SYSTEM/x/y/c.md")
		f.write("20_SYSTEM/x/y/c.md", "# C, longer\n")
		f.expect("20_SYSTEM/x/y/c.md")

		f.do(os.Rename(f.path("10_DOMAIN"), f.path("11_DOMAIN")))
		f.expect("10_DOMAIN/a.md", "10_DOMAIN/deep/er/b.md", "11_DOMAIN/a.md", "11_DOMAIN/deep/er/b.md")
		f.write("11_DOMAIN/deep/er/b.md", "# B, after the folder was renamed\n")
		f.expect("11_DOMAIN/deep/er/b.md")

		f.do(os.RemoveAll(f.path("11_DOMAIN/deep")))
		f.expect("11_DOMAIN/deep/er/b.md")
		f.write("11_DOMAIN/deep/er/b.md", "# B is back\n")
		f.expect("11_DOMAIN/deep/er/b.md")
		f.write("11_DOMAIN/deep/er/b.md", "# B is back and watched\n")
		f.expect("11_DOMAIN/deep/er/b.md")
	})
}

func TestWatchAFolderReplacedAtOnce(t *testing.T) {
	t.Parallel()
	eachWay(t, func(f *files) {
		f.write("other/deep/er/b.md", "# Another B\n")
		f.expect("other/deep/er/b.md")
		f.do(os.Rename(f.path("10_DOMAIN/deep"), filepath.Join(f.dir, "away")))
		f.do(os.Rename(f.path("other/deep"), f.path("10_DOMAIN/deep")))
		f.expect("10_DOMAIN/deep/er/b.md", "other/deep/er/b.md")
		f.write("10_DOMAIN/deep/er/b.md", "# Another B, changed\n")
		f.expect("10_DOMAIN/deep/er/b.md")
	})
}

func TestWatchConfiguration(t *testing.T) {
	t.Parallel()
	eachWay(t, func(f *files) {
		name := filepath.Join(f.dir, "wiki.yaml")
		f.do(os.WriteFile(name, []byte("title: A\n"), 0o666))
		if c := f.expect(); !c.anew {
			t.Errorf("a new wiki.yaml is %+v", c)
		}
		f.do(os.WriteFile(name+".new", []byte("title: Another\n"), 0o666))
		f.do(os.Rename(name+".new", name))
		if c := f.expect(); !c.anew {
			t.Errorf("a changed wiki.yaml is %+v", c)
		}
		f.do(os.WriteFile(filepath.Join(f.dir, "other.yaml"), []byte("x"), 0o666))
		f.silence()
	})
}

func TestWatchRootRemovedAndRestored(t *testing.T) {
	t.Parallel()
	eachWay(t, func(f *files) {
		away := filepath.Join(f.dir, "away")
		f.do(os.Rename(f.root, away))
		if c := f.expect(); !c.absent {
			t.Errorf("a folder that is gone is %+v", c)
		}
		f.silence()
		f.do(os.Rename(away, f.root))
		c := f.expectAnew()
		if c.absent {
			t.Errorf("a folder that came back is %+v", c)
		}
		f.write("10_DOMAIN/deep/er/b.md", "# B, after all came back\n")
		f.expect("10_DOMAIN/deep/er/b.md")
	})
}

// A folder that is back before anyone looks is the same folder, but the system
// may have ended its watch.
func TestWatchRootMovedBriefly(t *testing.T) {
	t.Parallel()
	eachWay(t, func(f *files) {
		away := filepath.Join(f.dir, "away")
		for range 3 {
			f.do(os.Rename(f.root, away))
			f.do(os.Rename(away, f.root))
		}
		time.Sleep(checkTime)
		for len(f.out) > 0 {
			<-f.out
		}
		f.write("index.md", "# Index, after all came back\n")
		f.expect("index.md")
	})
}

func (f *files) expectAnew() change {
	f.t.Helper()
	for {
		select {
		case c := <-f.out:
			if c.anew {
				return c
			}
		case <-time.After(30 * time.Second):
			f.t.Fatal("nothing was reported")
		}
	}
}

func TestWatchManyFilesAtOnce(t *testing.T) {
	t.Parallel()
	eachWay(t, func(f *files) {
		var want []string
		for i := range 300 {
			name := fmt.Sprintf("many/%d/page-%d.md", i%7, i)
			f.write(name, "# Page\n")
			want = append(want, name)
		}
		f.expect(want...)
	})
}

// Saves that follow each other closely are each reported.
func TestWatchReportsEverySave(t *testing.T) {
	f := &files{t: t, dir: t.TempDir(), out: make(chan change, 16)}
	f.root = filepath.Join(f.dir, "wiki")
	f.write("a.md", "# A\n")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		watch(ctx, watched{root: f.root}, new(atomic.Pointer[map[string]stamp]), stamp{}, false, quiet(), f.out)
	}()
	defer func() { cancel(); <-done }()
	f.expectFirst()
	for i := range 9 {
		f.write("a.md", "# A"+strings.Repeat("a", i)+"\n")
		f.expect("a.md")
		time.Sleep(20 * time.Millisecond)
		for len(f.out) > 0 {
			<-f.out
		}
	}
}

// A save of the same length within one tick of the file system's clock is
// still a change: the system names the file.
func TestWatchSameSizeSameTime(t *testing.T) {
	t.Parallel()
	f := &files{t: t, dir: t.TempDir(), out: make(chan change, 16)}
	f.root = filepath.Join(f.dir, "wiki")
	f.write("a.md", "# A\n")
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		watch(ctx, watched{root: f.root}, new(atomic.Pointer[map[string]stamp]), stamp{}, false, quiet(), f.out)
	}()
	defer func() { cancel(); <-done }()
	f.expectFirst()
	info, err := os.Stat(f.path("a.md"))
	f.do(err)
	f.write("a.md", "# B\n")
	f.do(os.Chtimes(f.path("a.md"), info.ModTime(), info.ModTime()))
	f.expect("a.md")
}
