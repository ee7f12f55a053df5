package site

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/loopwiki/wiki/schema/writing"
	"github.com/loopwiki/wiki/site/index"
)

// Report says what a build did.
type Report struct {
	Files     int   // of the site
	Written   int   // new or changed
	Unchanged int   // already there with the same bytes
	Removed   int   // made by an earlier build and no longer part of the site
	Bytes     int64 // of all files of the site
}

// ErrForeignFolder is returned by Build for a folder that holds files which no
// build made.
var ErrForeignFolder = errors.New("the folder is not empty and was not made by a build")

// Build renders the site and writes it to dir, which is made if need be. A
// file that is there with the same bytes is not touched; one that an earlier
// build made and this one does not is removed; no other file is. progress may
// be nil and is called by several goroutines, one at a time.
func (s *Site) Build(ctx context.Context, dir string, progress func(done, total int)) (*Report, error) {
	if err := s.checkFolder(dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("make the output folder: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the output folder: %w", err)
	}
	defer root.Close()
	made, err := readManifest(root)
	if err != nil {
		return nil, err
	}
	if made == nil && !s.opt.Force {
		if empty, err := isEmpty(root); err != nil {
			return nil, err
		} else if !empty {
			return nil, fmt.Errorf("build into %s: %w; choose another folder, empty it, or force the build", dir, ErrForeignFolder)
		}
	}
	b := &build{site: s, root: root, progress: progress, total: len(s.files), docs: make([]*index.Analyzed, len(s.pages)), index: index.New(), fresh: made == nil}
	// Until the build is through, the folder may hold files of both.
	if err := writeManifest(root, union(made, s.files)); err != nil {
		return nil, err
	}
	if err := b.removeStale(made); err != nil {
		return nil, err
	}
	if err := b.run(ctx); err != nil {
		return nil, err
	}
	if err := writeManifest(root, s.files); err != nil {
		return nil, err
	}
	return &Report{
		Files: len(s.files), Written: int(b.written.Load()), Unchanged: len(s.files) - int(b.written.Load()),
		Removed: b.removed, Bytes: b.bytes.Load(),
	}, nil
}

// checkFolder refuses a folder that the wiki lies in or is: the sources would
// be written over.
func (s *Site) checkFolder(dir string) error {
	out, err := filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("find the output folder: %w", err)
	}
	wiki := realPath(s.wiki.Workspace().Root)
	rel, err := filepath.Rel(realPath(out), wiki)
	if err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return fmt.Errorf("build into %s: the wiki's own pages are in it; choose another folder", dir)
	}
	return nil
}

// realPath resolves links in the part of a path that exists.
func realPath(p string) string {
	if real, err := filepath.EvalSymlinks(p); err == nil {
		return real
	}
	parent := filepath.Dir(p)
	if parent == p {
		return p
	}
	return filepath.Join(realPath(parent), filepath.Base(p))
}

func isEmpty(root *os.Root) (bool, error) {
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return false, fmt.Errorf("read the output folder: %w", err)
	}
	return len(entries) == 0, nil
}

// build is one run of Build.
type build struct {
	site  *Site
	root  *os.Root
	docs  []*index.Analyzed // of every page, in order
	index *index.Index
	fresh bool // no build was here before: nothing is expected to be there
	total int

	written atomic.Int64
	bytes   atomic.Int64
	removed int

	mu       sync.Mutex // for progress
	done     int
	progress func(done, total int)
}

// removeStale removes what an earlier build made and this one does not, and
// the folders that are empty then. It comes before writing, so that a file
// can take the place of a folder.
func (b *build) removeStale(made []string) error {
	for _, name := range made {
		if _, ok := b.site.outputs[name]; ok || !filepath.IsLocal(filepath.FromSlash(name)) {
			continue
		}
		switch err := b.root.Remove(filepath.FromSlash(name)); {
		case err == nil:
			b.removed++
		case errors.Is(err, fs.ErrNotExist):
			continue
		default:
			return fmt.Errorf("remove %s of an earlier build: %w", name, err)
		}
		for d := path.Dir(name); d != "."; d = path.Dir(d) {
			if b.root.Remove(filepath.FromSlash(d)) != nil {
				break // not empty
			}
		}
	}
	return nil
}

// run renders and writes everything: first the files, in parallel, and the
// search index when the text of all pages is known.
func (b *build) run(ctx context.Context) error {
	number := map[string]int{}
	for i, p := range b.site.pages {
		number[b.site.place[p.ID]] = i
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, names := range b.batches() {
		g.Go(func() error { return b.batch(ctx, names, number) })
	}
	if err := g.Wait(); err != nil {
		return err
	}
	if b.site.opt.Live {
		return nil
	}
	content, err := b.site.indexOf(b.index, b.docs)
	if err != nil {
		return err
	}
	in, err := b.folder(indexName)
	if err != nil {
		return err
	}
	defer in.Close()
	return b.write(in, indexName, content)
}

// batchSize is how many files of a folder are made in turn. Systems make the
// files of one folder one at a time, so that goroutines that share a folder
// mostly wait for each other.
const batchSize = 256

// batches are all files but the search index, those of a folder together.
func (b *build) batches() [][]string {
	var out [][]string
	open := map[string]int{} // the batch of each folder that is not full, counted from one
	for _, name := range b.site.files {
		if name == indexName {
			continue
		}
		dir := path.Dir(name)
		i := open[dir]
		if i == 0 || len(out[i-1]) == batchSize {
			out = append(out, nil)
			i = len(out)
			open[dir] = i
		}
		out[i-1] = append(out[i-1], name)
	}
	return out
}

// batch renders and writes files of one folder.
func (b *build) batch(ctx context.Context, names []string, number map[string]int) error {
	in, err := b.folder(names[0])
	if err != nil {
		return err
	}
	defer in.Close()
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		if i, ok := number[name]; ok {
			if err := b.page(in, name, i); err != nil {
				return err
			}
			continue
		}
		content, err := b.site.Render(name)
		if err != nil {
			return err
		}
		if err := b.write(in, name, content); err != nil {
			return err
		}
	}
	return nil
}

// folder opens the folder of a file, which it makes if need be.
func (b *build) folder(name string) (*os.Root, error) {
	dir := filepath.FromSlash(path.Dir(name))
	if err := b.root.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("make the folder of %s: %w", name, err)
	}
	in, err := b.root.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open the folder of %s: %w", name, err)
	}
	return in, nil
}

// page renders the i-th page and keeps what the search index needs of it.
func (b *build) page(in *os.Root, name string, i int) error {
	p := b.site.pages[i]
	buf := pageBuffers.Get().(*pageBuffer)
	defer pageBuffers.Put(buf)
	content, text, err := b.site.appendPage(buf.file[:0], p, name)
	if err != nil {
		return fmt.Errorf("render %s: %w", p.Path, err)
	}
	buf.file = content
	b.docs[i] = b.index.Analyze(b.site.document(p, text))
	return b.write(in, name, content)
}

// write writes a file to the folder that it is in, unless it is there already.
func (b *build) write(in *os.Root, name string, content []byte) error {
	changed, err := writeFile(in, name, content, b.fresh)
	if err != nil {
		return err
	}
	if changed {
		b.written.Add(1)
	}
	b.bytes.Add(int64(len(content)))
	if b.progress != nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.done++
		b.progress(b.done, b.total)
	}
	return nil
}

// writeFile writes a file, given by its path in the site, to the folder that it
// is in if its bytes differ. One that exists is replaced in one step, so that a
// reader never sees half of it. With fresh set it is not looked for first.
func writeFile(in *os.Root, name string, content []byte, fresh bool) (changed bool, err error) {
	defer writing.Begin()()
	file := path.Base(name)
	if fresh {
		switch err := writeNew(in, file, content); {
		case err == nil:
			return true, nil
		case !errors.Is(err, fs.ErrExist):
			return false, fmt.Errorf("write %s: %w", name, err)
		}
	}
	info, err := in.Lstat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := in.WriteFile(file, content, 0o644); err != nil {
			return false, fmt.Errorf("write %s: %w", name, err)
		}
		return true, nil
	case err != nil:
		return false, fmt.Errorf("look at %s: %w", name, err)
	}
	if info.Mode().IsRegular() && info.Size() == int64(len(content)) {
		if old, err := in.ReadFile(file); err == nil && bytes.Equal(old, content) {
			return false, nil
		}
	}
	temporary := ".wiki-build-" + file
	if err := in.WriteFile(temporary, content, 0o644); err != nil {
		return false, fmt.Errorf("write %s: %w", name, err)
	}
	if err := in.Rename(temporary, file); err != nil {
		return false, errors.Join(fmt.Errorf("write %s: %w", name, err), in.Remove(temporary))
	}
	return true, nil
}

// writeNew writes a file that is not there; the error is fs.ErrExist when it is.
func writeNew(in *os.Root, file string, content []byte) error {
	f, err := in.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, in.Remove(file)) // half a file would be published
	}
	return nil
}
