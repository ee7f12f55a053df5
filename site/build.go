package site

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/schema/writing"
	"github.com/loopwiki/wiki/site/search"
)

// Report says what a build did.
type Report struct {
	Files     int   // of the site
	Written   int   // new or changed
	Unchanged int   // already there with the same bytes
	Removed   int   // made by an earlier build and no longer part of the site
	Bytes     int64 // of all files of the site
	// Notes list, one per line, what is not published unchanged, and why.
	Notes []string
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
	root, err := s.output(dir)
	if err != nil {
		return nil, fmt.Errorf("create the output folder: %w", err)
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
	b := &build{site: s, root: root, progress: progress, total: len(s.files), docs: make([]*search.Analyzed, len(s.pages)), index: search.NewCollector(), fresh: made == nil}
	// Until the build is through, the folder may hold files of both.
	if err := writeManifest(root, union(made, s.files)); err != nil {
		return nil, err
	}
	keep := func(name string) bool { return s.outputs[name] != nil || strings.HasPrefix(name, indexDir) }
	if err := b.removeStale(made, keep); err != nil {
		return nil, err
	}
	if err := b.run(ctx); err != nil {
		return nil, err
	}
	all, err := b.writeIndex(ctx, made)
	if err != nil {
		return nil, err
	}
	if err := writeManifest(root, all); err != nil {
		return nil, err
	}
	return &Report{
		Files: len(all), Written: int(b.written.Load()), Unchanged: len(all) - int(b.written.Load()),
		Removed: b.removed, Bytes: b.bytes.Load(), Notes: slices.Concat(s.refused, s.attachedNotes(), b.remoteNotes(), s.failed.notes()),
	}, nil
}

// output creates and opens the output folder. A folder not named on the command line
// can't leave Options.Within.
func (s *Site) output(dir string) (*files.Root, error) {
	if s.opt.Within == "" {
		return files.Make(dir, 0o755)
	}
	return files.MakeBelow(s.opt.Within, dir, 0o755)
}

// checkFolder refuses a folder that the wiki is in or is, where the sources
// would be written over, and the folder of a git repository.
func (s *Site) checkFolder(dir string) error {
	out, err := filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("find the output folder: %w", err)
	}
	real := realPath(out)
	for part := range strings.SplitSeq(filepath.ToSlash(out+"/"+real), "/") {
		if strings.EqualFold(part, ".git") {
			return fmt.Errorf("can't build into %s: it is part of a .git folder; choose another folder", dir)
		}
	}
	wiki := realPath(s.wiki.Workspace().Root)
	rel, err := filepath.Rel(real, wiki)
	if err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return fmt.Errorf("can't build into %s: it contains the wiki's pages; choose another folder", dir)
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

func isEmpty(root *files.Root) (bool, error) {
	entries, err := root.ReadDir(".")
	if err != nil {
		return false, fmt.Errorf("read the output folder: %w", err)
	}
	return len(entries) == 0, nil
}

// build is one run of Build.
type build struct {
	site  *Site
	root  *files.Root
	docs  []*search.Analyzed // of every page, in order
	index *search.Collector
	fresh bool // no build was here before: nothing is expected to be there
	total int

	written atomic.Int64
	bytes   atomic.Int64

	remotePages, remoteImages, remoteRecordings atomic.Int64

	removed int

	mu       sync.Mutex // for progress
	done     int
	progress func(done, total int)
}

// removeStale removes what an earlier build made and this one does not, and
// the folders that are empty then. It comes before writing, so that a file
// can take the place of a folder.
func (b *build) removeStale(made []string, keep func(name string) bool) error {
	for _, name := range made {
		if keep(name) || !filepath.IsLocal(filepath.FromSlash(name)) || b.root.Linked(name) {
			continue // what is behind a link is none of a build's
		}
		switch err := b.root.Remove(name); {
		case err == nil:
			b.removed++
		case errors.Is(err, fs.ErrNotExist):
			continue
		default:
			return fmt.Errorf("remove %s of an earlier build: %w", name, err)
		}
		for d := path.Dir(name); d != "."; d = path.Dir(d) {
			if b.root.Remove(d) != nil {
				break // not empty
			}
		}
	}
	return nil
}

// run renders and writes everything but the search index, in parallel.
func (b *build) run(ctx context.Context) error {
	number := map[string]int{}
	for i, p := range b.site.pages {
		number[b.site.place[p.ID]] = i
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, names := range batches(b.site.files) {
		g.Go(func() error { return b.batch(ctx, names, number) })
	}
	return g.Wait()
}

// writeIndex writes the search index, now that the text of all pages is known, removes what
// is left of that of an earlier build, and returns the paths of all files.
func (b *build) writeIndex(ctx context.Context, made []string) ([]string, error) {
	parts := map[string][]byte{}
	if !b.site.opt.Live {
		parts = b.site.indexOf(b.index, b.docs)
	}
	names := indexPaths(parts)
	all := union(b.site.files, names)
	if err := writeManifest(b.root, union(made, all)); err != nil {
		return nil, err
	}
	b.mu.Lock()
	b.total = len(all)
	b.mu.Unlock()
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for _, names := range batches(names) {
		g.Go(func() error {
			in, err := b.folder(names[0])
			if err != nil {
				return err
			}
			defer in.Close()
			for _, name := range names {
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := b.write(in, name, parts[path.Base(name)]); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	keep := func(name string) bool { return !strings.HasPrefix(name, indexDir) || parts[path.Base(name)] != nil }
	return all, b.removeStale(made, keep)
}

// batchSize is how many files of a folder are made in turn. Systems make the
// files of one folder one at a time, so that goroutines that share a folder
// mostly wait for each other.
const batchSize = 256

// batches are files, those of a folder together.
func batches(files []string) [][]string {
	var out [][]string
	open := map[string]int{} // the batch of each folder that is not full, counted from one
	for _, name := range files {
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
		if out, ok := b.site.outputs[name].(fileOutput); ok {
			if err := b.copyFile(ctx, in, name, out.path); err != nil {
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
func (b *build) folder(name string) (*files.Root, error) {
	dir := path.Dir(name)
	if err := b.root.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("create the folder of %s: %w", name, err)
	}
	in, err := b.root.Sub(dir)
	if err != nil {
		return nil, fmt.Errorf("open the folder of %s: %w", name, err)
	}
	return in, nil
}

// page renders the i-th page and keeps what the search index needs of it.
func (b *build) page(in *files.Root, name string, i int) error {
	p := b.site.pages[i]
	buf := pageBuffers.Get().(*pageBuffer)
	defer pageBuffers.Put(buf)
	content, text, remote, err := b.site.appendPage(buf.file[:0], p, name)
	if err != nil {
		return fmt.Errorf("render %s: %w", p.Path, err)
	}
	buf.file = content
	if remote != (remoteMedia{}) {
		b.remotePages.Add(1)
		b.remoteImages.Add(int64(remote.images))
		b.remoteRecordings.Add(int64(remote.recordings))
	}
	b.docs[i] = b.index.Analyze(b.site.document(p, text))
	return b.write(in, name, content)
}

// write writes a file to the folder that it is in, unless it is there already.
func (b *build) write(in *files.Root, name string, content []byte) error {
	changed, err := writeFile(in, name, content, b.fresh)
	if err != nil {
		return err
	}
	b.count(changed, int64(len(content)))
	return nil
}

// count notes a file that is as it should be.
func (b *build) count(changed bool, size int64) {
	if changed {
		b.written.Add(1)
	}
	b.bytes.Add(size)
	if b.progress != nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.done++
		b.progress(b.done, b.total)
	}
}

// writeFile writes a file, given by its path in the site, to the folder that it
// is in if its bytes differ. One that exists is replaced in one step, so that a
// reader never sees half of it; a link in its place is replaced, not followed.
// With fresh set it is not looked for first.
func writeFile(in *files.Root, name string, content []byte, fresh bool) (changed bool, err error) {
	defer writing.Begin()()
	file := path.Base(name)
	info, err := fs.FileInfo(nil), fs.ErrNotExist
	if !fresh {
		info, err = in.Lstat(file)
	}
	if errors.Is(err, fs.ErrNotExist) {
		if err = in.Create(file, content, 0o644); err == nil {
			return true, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return false, fmt.Errorf("write %s: %w", name, err)
		}
		info, err = in.Lstat(file)
	}
	if err != nil {
		return false, fmt.Errorf("inspect %s: %w", name, err)
	}
	if info.Mode().IsRegular() && info.Size() == int64(len(content)) {
		old, err := in.ReadFile(file, files.Limit{Name: "site", Bytes: info.Size()})
		if err == nil && bytes.Equal(old, content) {
			return false, nil
		}
	}
	temporary := ".wiki-build-" + file
	if err := in.Remove(temporary); err != nil && !errors.Is(err, fs.ErrNotExist) { // of a build that was killed, or somebody's link
		return false, fmt.Errorf("write %s: %w", name, err)
	}
	if err := in.Create(temporary, content, 0o644); err != nil {
		return false, fmt.Errorf("write %s: %w", name, err)
	}
	if err := in.Rename(temporary, file); err != nil {
		return false, errors.Join(fmt.Errorf("write %s: %w", name, err), in.Remove(temporary))
	}
	return true, nil
}
