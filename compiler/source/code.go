package source

import (
	"context"
	"path"
	"strings"
	"sync"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
	"github.com/zeebo/xxh3"
)

// Code looks up files of code around a wiki and what they declare. Every file
// is read and parsed once. It may be used by any number of goroutines.
type Code struct {
	tree  *compiler.Tree
	wiki  *compiler.Wiki
	mu    sync.Mutex
	files map[string]func() (*File, error)

	naming sync.Once
	names  map[string][]string // files that git tracks, by their base name
}

// NewCode returns the code around a wiki.
func NewCode(w *compiler.Wiki) *Code {
	return &Code{tree: compiler.NewTree(w), wiki: w, files: map[string]func() (*File, error){}}
}

// Locate returns where the file or folder lies that a page names, relative to
// the wiki's root: it counts from the page's folder, from the root, or from the
// repository. It is empty when there is none.
func (c *Code) Locate(page *schema.Page, name string) (file string, folder bool) {
	for _, p := range c.bases(page, name) {
		if folder, ok := c.tree.Exists(p); ok {
			return p, folder
		}
	}
	return "", false
}

// cites returns where the file lies that a reference names: as [Code.Locate] has it, an
// address from the repository's top, or the one file whose path ends so.
func (c *Code) cites(ctx context.Context, r *Reference) (file string, folder bool) {
	if r.Cite == nil {
		return c.Locate(r.Page, r.Anchor.Path)
	}
	if r.Cite.Blob {
		file = c.tree.Above(path.Clean(r.Anchor.Path))
		if folder, ok := c.tree.Exists(file); ok {
			return file, folder
		}
		return "", false
	}
	if r.Weak && document(r.Anchor.Path) && !strings.Contains(r.Anchor.Path, "/") {
		return "", false // README.md: that of the page's folder as often as that of the top
	}
	if file, folder = c.Locate(r.Page, r.Anchor.Path); file != "" {
		return file, folder
	}
	want := strings.TrimPrefix(path.Clean(r.Anchor.Path), "/")
	for _, f := range c.tracked(ctx)[path.Base(want)] {
		if f != want && !strings.HasSuffix(f, "/"+want) {
			continue
		}
		if file != "" {
			return "", false // of several
		}
		file = f
	}
	return file, false
}

// tracked returns the files that git tracks, by their base name.
func (c *Code) tracked(ctx context.Context) map[string][]string {
	c.naming.Do(func() {
		c.names = map[string][]string{}
		for _, f := range c.wiki.Tracked(ctx) {
			c.names[path.Base(f)] = append(c.names[path.Base(f)], f)
		}
	})
	return c.names
}

// bases returns what a path on a page may mean, relative to the wiki's root.
func (c *Code) bases(page *schema.Page, name string) []string {
	if strings.HasPrefix(name, "/") {
		name = strings.TrimPrefix(path.Clean(name), "/")
		return []string{name, c.tree.Above(name)}
	}
	return []string{path.Join(path.Dir(page.Path), name), path.Clean(name), c.tree.Above(path.Clean(name))}
}

// File returns what a file declares; its path is relative to the wiki's root.
// The error is an [UnverifiableError].
func (c *Code) File(ctx context.Context, file string) (*File, error) {
	c.mu.Lock()
	read := c.files[file]
	if read == nil {
		read = sync.OnceValues(func() (*File, error) { return c.read(ctx, file) })
		c.files[file] = read
	}
	c.mu.Unlock()
	return read()
}

func (c *Code) read(ctx context.Context, file string) (*File, error) {
	src, ok := c.tree.Read(file, MaxBytes+1)
	if !ok {
		return nil, &UnverifiableError{c.tree.Below(file), "text", "it can not be read"}
	}
	return parsed.parse(ctx, c.tree.Below(file), src)
}

// parsed keeps what files declare between compilations: most code stays as it
// is while pages are written.
var parsed = &cache{files: map[cacheKey]*File{}}

// cache keeps the files that were parsed last.
type cache struct {
	mu    sync.Mutex
	files map[cacheKey]*File
	bytes int
}

type cacheKey struct {
	path string
	hash uint64
}

// cacheBytes is how much source the cache holds at most; beyond, it begins anew.
const cacheBytes = 8 << 20

func (c *cache) parse(ctx context.Context, file string, src []byte) (*File, error) {
	key := cacheKey{file, xxh3.Hash(src)}
	c.mu.Lock()
	f := c.files[key]
	c.mu.Unlock()
	if f != nil {
		return f, nil
	}
	f, err := Parse(ctx, file, src)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.bytes += len(src); c.bytes > cacheBytes {
		clear(c.files)
		c.bytes = len(src)
	}
	c.files[key] = f
	return f, nil
}
