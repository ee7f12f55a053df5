package compiler

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/zeebo/xxh3"
	"golang.org/x/sync/errgroup"
	"golang.org/x/text/unicode/norm"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/compiler/history"
	"github.com/loopwiki/wiki/compiler/markdown"
	"github.com/loopwiki/wiki/compiler/resolve"
	"github.com/loopwiki/wiki/schema"
)

// skippedFolder reports whether a folder, by its path below the root, holds no
// pages of the wiki and nothing that pages link to.
func skippedFolder(p string) bool {
	name := path.Base(p)
	return name == "node_modules" || strings.HasPrefix(name, ".")
}

// templateFolder reports whether a folder, by its path below the root, holds
// what pages are made from, or what Go's tests read: its markdown can be linked
// to, but is not a page. Templates are at the top only: further down a folder of
// that name is as often about templates.
func templateFolder(p string) bool {
	return path.Base(p) == "testdata" || strings.EqualFold(p, "templates") || strings.EqualFold(p, "_templates")
}

// vendored reports whether a folder, by its path below the root, holds packages that
// a package manager copied there: Go, Composer or Bundler. Pages of other people are
// no pages of the wiki, and what they link to is often left out of the copy.
func vendored(at *files.Root, p string) bool {
	switch path.Base(p) {
	case "vendor":
		return at.IsFile(path.Join(p, "modules.txt")) || at.IsFile(path.Join(p, "composer/installed.json"))
	case "bundle":
		return path.Base(path.Dir(p)) == "vendor"
	}
	return false
}

// vendored reports the same of the wiki's folders, except those that the
// configuration names as sources.
func (ld *loader) vendored(p string) bool {
	return vendored(ld.at, p) && !matchAny(ld.config.Sources, p)
}

// siteManifest is the file by which a build of the site knows the folder that
// it wrote.
const siteManifest = ".wiki-build.json"

// builtSite reports whether a folder with these entries is a site that was
// built: the markdown in it is copies of pages.
func builtSite(entries []fs.DirEntry) bool {
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == siteManifest })
}

// loader reads the files below one root.
type loader struct {
	config  *schema.Config
	profile schema.LinkProfile
	limits  schema.Limits
	// ignored asks git, for which two processes are started, when the answer matters.
	ignored func() history.IgnoredSet
	at      *files.Root // the folder of the pages
	overlay Overlay
	unread  []schema.Unread
	// packages are the folders whose markdown is not a page because they are vendored.
	packages []string
	hidden   []string // folders that configure a generator and hold no pages
	python   bool     // the site is made with Python-Markdown
}

// tooDeep reports whether a folder, by its path below the root, is nested deeper
// than the limit. What a site costs grows with the depth of its folders.
func (ld *loader) tooDeep(dir string) bool { return strings.Count(dir, "/") >= ld.limits.Depth }

// entry is one file below the root.
type entry struct {
	path string      // slash-separated, as on disk
	link bool        // a symbolic link to a file
	file fs.DirEntry // as its folder lists it, nil for a file of an overlay

	beyond string // the limit of the wiki for which it is not read, or nothing
}

// tree lists the files below the root, sorted: pages and others.
func (ld *loader) tree(ctx context.Context) (pages, files []entry, err error) {
	var walk func(dir string, templates bool) error
	walk = func(dir string, templates bool) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		entries, err := ld.at.ReadDir(dir)
		if err != nil && dir == "" {
			return err
		}
		if dir != "" && builtSite(entries) {
			return nil
		}
		for _, e := range entries {
			p := path.Join(dir, e.Name())
			if e.IsDir() {
				if e.Name() == ".vitepress" || e.Name() == ".vuepress" {
					ld.hidden = append(ld.hidden, p)
				}
				if skippedFolder(p) || ld.ignored().Has(p, true) || ld.leftOut(p+"/") {
					continue
				}
				if ld.tooDeep(p) {
					ld.unread = append(ld.unread, schema.Unread{Path: p, Limit: "limits.depth", Why: fmt.Sprintf(
						"the folder is nested deeper than limits.depth (%d) and was not read: move it up, or raise the limit in wiki.yaml", ld.limits.Depth)})
					continue
				}
				packages := ld.vendored(p)
				if packages {
					ld.packages = append(ld.packages, p)
				}
				if err := walk(p, templates || packages || templateFolder(p)); err != nil {
					return err
				}
				continue
			}
			en := entry{path: p, link: e.Type()&fs.ModeSymlink != 0, file: e}
			if !en.link && !e.Type().IsRegular() || ld.ignored().Has(p, false) || ld.leftOut(p) || en.link && ld.isFolderLink(p) {
				continue
			}
			switch page, file := classify(p, templates); {
			case page:
				pages = append(pages, en)
			case file:
				files = append(files, en)
			}
		}
		return nil
	}
	if err := walk("", false); err != nil {
		return nil, nil, err
	}
	pages, files = ld.overlaid(pages, files)
	byPath := func(a, b entry) int { return strings.Compare(a.path, b.path) }
	slices.SortFunc(pages, byPath)
	slices.SortFunc(files, byPath)
	slices.SortFunc(ld.unread, func(a, b schema.Unread) int { return strings.Compare(a.Path, b.Path) })
	return pages, files, nil
}

// classify reports whether the file at a path is a page, or another file that
// pages can link to; templates is set below a folder of templates.
func classify(p string, templates bool) (page, file bool) {
	name := path.Base(p)
	if strings.HasPrefix(name, ".") {
		return false, false
	}
	if resolve.PageExtension(name) != "" && !templates {
		return true, false
	}
	return false, p != ConfigName
}

// isFolderLink reports whether a symbolic link leads to a folder. Such links
// are not followed: they can form loops.
func (ld *loader) isFolderLink(p string) bool {
	return ld.at.IsDir(p)
}

// leftOut reports whether the configuration leaves a path out.
func (ld *loader) leftOut(p string) bool {
	return matchAny(ld.config.Ignore, strings.TrimSuffix(p, "/"))
}

// matchAny reports whether one of the globs matches p or a folder above it.
func matchAny(globs []string, p string) bool {
	for _, g := range globs {
		g = strings.TrimSuffix(strings.TrimPrefix(g, "/"), "/")
		if ok, _ := doublestar.Match(g, p); ok {
			return true
		}
		if ok, _ := doublestar.Match(g+"/**", p); ok {
			return true
		}
	}
	return false
}

// reader reads pages for one goroutine. It keeps the folder of the last page
// open: the system then looks up one name for the next page, not the whole path.
type reader struct {
	*loader
	dir string
	in  *files.Root // nil for none
}

func (rd *reader) close() {
	if rd.in != nil {
		rd.in.Close()
		rd.in = nil
	}
}

// folder opens the folder of a page.
func (rd *reader) folder(p string) (*files.Root, error) {
	dir := path.Dir(p)
	if dir == "." {
		return rd.at, nil
	}
	if rd.in == nil || rd.dir != dir {
		rd.close()
		in, err := rd.at.Sub(dir)
		if err != nil {
			return nil, err
		}
		rd.dir, rd.in = dir, in
	}
	return rd.in, nil
}

// read reads and parses one page. Errors become faults of the page.
func (rd *reader) read(e entry) *schema.Page {
	ld := rd.loader
	p := &schema.Page{Path: e.path, ID: pageID(e.path), Layer: layer(e.path, ld.config), Outline: ld.profile.Outline, Python: ld.python}
	src, err := rd.bytes(e)
	p.Source, p.Hash, p.Lines = src, xxh3.Hash(src), schema.NewLineIndex(src)
	if err != nil {
		p.Title = stem(e.path)
		p.Faults = append(p.Faults, schema.Fault{Kind: schema.FaultUnreadable, Message: err.Error()})
		return p
	}
	readFrontmatter(p)
	markdown.Parse(p, ld.limits)
	if ld.profile.LabelFirst {
		labelFirst(p)
	}
	return p
}

// pageID returns the id of the page at a path.
func pageID(p string) schema.PageID {
	return schema.PageID(norm.NFC.String(strings.TrimSuffix(p, ".md")))
}

func stem(p string) string {
	base := path.Base(p)
	return strings.TrimSuffix(base, resolve.PageExtension(base))
}

// bytes reads a file. One reached through a symbolic link is read only if it
// is below the root.
func (rd *reader) bytes(e entry) ([]byte, error) {
	if src := rd.overlay[e.path]; src != nil {
		return src, nil
	}
	if e.beyond != "" {
		return nil, fmt.Errorf("the pages up to this one have more than %s together, and it was not read: leave files out with `ignore:`, or raise the limit in wiki.yaml", e.beyond)
	}
	in, name, err := rd.at, e.path, error(nil)
	if !e.link {
		in, err = rd.folder(e.path)
		name = path.Base(e.path)
	}
	var src []byte
	if err == nil {
		src, err = in.ReadFile(name, files.Page)
	}
	var large *files.TooLargeError
	var odd *files.NotRegularError
	switch {
	case err == nil:
		return src, nil
	case errors.As(err, &large):
		return nil, fmt.Errorf("%s is larger than %d bytes and was not read: split it", e.path, files.Page.Bytes)
	case errors.As(err, &odd):
		return nil, fmt.Errorf("%s is %s, not a regular file", e.path, odd.Is)
	case e.link || outside(err):
		return nil, fmt.Errorf("%s is a symbolic link that leads out of the wiki or nowhere: link to a file below the wiki's root", e.path)
	}
	return nil, fmt.Errorf("%s cannot be read: %s", e.path, reason(err))
}

// reason returns the system's error message without the path.
func reason(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}

// errTooMuch says that the pages together are beyond limits.wiki_bytes or limits.wiki_links.
var errTooMuch = errors.New("the pages are too much together")

// readAll reads pages in parallel, in the order of the entries. Pages beyond the limits
// of the wiki are left out, last ones first; held is the size of the wiki's other pages.
func (ld *loader) readAll(ctx context.Context, entries []entry, held int64, progress func(done, total int)) ([]*schema.Page, error) {
	pages, err := ld.readParallel(ctx, entries, held, progress)
	if errors.Is(err, errTooMuch) {
		return ld.readInOrder(ctx, entries, held)
	}
	return pages, err
}

func (ld *loader) readParallel(ctx context.Context, entries []entry, held int64, progress func(done, total int)) ([]*schema.Page, error) {
	pages := make([]*schema.Page, len(entries))
	workers := min(runtime.GOMAXPROCS(0), max(1, len(entries)))
	var next, done, size, links atomic.Int64
	size.Store(held)
	g, ctx := errgroup.WithContext(ctx)
	for range workers {
		g.Go(func() error {
			rd := reader{loader: ld}
			defer rd.close()
			for {
				i := int(next.Add(1)) - 1
				if i >= len(entries) {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				pages[i] = rd.read(entries[i])
				if size.Add(int64(len(pages[i].Source))) > int64(ld.limits.WikiBytes) ||
					links.Add(int64(len(pages[i].Links))) > int64(ld.limits.WikiLinks) {
					return errTooMuch
				}
				if n := done.Add(1); progress != nil && n%256 == 0 {
					progress(int(n), len(entries))
				}
			}
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return pages, nil
}

// readInOrder reads pages until one does not fit into the limits, and none from
// there on. The sizes of files are looked at before they are read.
func (ld *loader) readInOrder(ctx context.Context, entries []entry, held int64) ([]*schema.Page, error) {
	pages := make([]*schema.Page, len(entries))
	rd := reader{loader: ld}
	defer rd.close()
	links, beyond := 0, ""
	for i, e := range entries {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if held += ld.sizeOf(e); beyond == "" && held > int64(ld.limits.WikiBytes) {
			beyond = fmt.Sprintf("limits.wiki_bytes (%d)", ld.limits.WikiBytes)
		}
		e.beyond = beyond
		pages[i] = rd.read(e)
		if links += len(pages[i].Links); beyond == "" && links > ld.limits.WikiLinks {
			beyond = fmt.Sprintf("limits.wiki_links (%d)", ld.limits.WikiLinks)
			e.beyond = beyond
			pages[i] = rd.read(e)
		}
	}
	return pages, nil
}

// sizeOf returns the bytes that would be read of a file.
func (ld *loader) sizeOf(e entry) int64 {
	if src := ld.overlay[e.path]; src != nil {
		return int64(len(src))
	}
	if info, err := ld.at.Stat(e.path); err == nil && info.Size() <= schema.MaxPageFile {
		return info.Size()
	}
	return 0
}
