package serve

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"

	"github.com/zeebo/xxh3"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site"
)

// pages is the site of one generation.
type pages interface {
	// Render returns one file; the error is fs.ErrNotExist if it does not exist.
	Render(name string) ([]byte, error)
	// Attached reports whether a file is the wiki's own and no page, and so
	// nothing the site wrote.
	Attached(name string) bool
	// Open opens a file that is published unchanged.
	Open(name string) (*os.File, error)
	// ContradictionFiles returns the files that list contradictions or lead to
	// such a list.
	ContradictionFiles() []string
	// HealthFile returns the file about the state of the wiki, or "".
	HealthFile() string
	// FileOf returns the file of a page, or "".
	FileOf(id schema.PageID) string
}

// runPages is a site that can show runs of loops.
type runPages interface {
	RunsAt() string
	RenderRuns(runs []schema.RunSummary, plans []schema.LoopPlan, incidents []schema.LoopIncident, specs schema.LoopSpecs) ([]byte, error)
	RenderSpec(of *schema.LoopSpec, points []schema.RunPoint) ([]byte, error)
	RenderBoard(b *schema.LoopBoard) ([]byte, error)
	RenderLoopPlan(p *schema.LoopPlan) ([]byte, error)
	RenderIncident(i *schema.LoopIncident) ([]byte, error)
	RenderRunCharts(points []schema.RunPoint, scores []schema.LoopScore) ([]byte, error)
	RenderFleet(r *schema.FleetReport) ([]byte, error)
	RenderRun(d *schema.RunDetail) ([]byte, error)
	RenderRunText(id string, t *schema.RunText) ([]byte, error)
}

// generation is what is served at one time: a wiki, its findings, and the files rendered
// so far. It is never changed, only replaced.
type generation struct {
	number  uint64
	wiki    *compiler.Wiki
	known   Known
	linted  bool // known is about wiki
	pages   pages
	problem string // why the files on disk are not what is shown, empty when they are
	cache   *cache
}

// said is the error shown above the page, or "".
func (g *generation) said() string { return cmp.Or(g.problem, g.known.Problem) }

// words are the strings of the interface in the language of the wiki.
func (g *generation) words() *site.Words {
	if cfg := g.wiki.Config(); cfg != nil {
		return site.WordsFor(cfg.Language)
	}
	return site.WordsFor("")
}

// render returns a file as it is sent.
func (g *generation) render(name string) (*file, error) {
	return g.cache.get(name, func() ([]byte, error) { return g.pages.Render(name) })
}

// file is one rendered file.
type file struct {
	body []byte
	etag string
}

// maxCache bounds the rendered files that are kept, in bytes: someone who
// crawls the whole site must not fill the memory.
const maxCache = 64 << 20

// cache keeps rendered files. A file asked for twice at once is rendered once.
type cache struct {
	mu    sync.Mutex
	size  int
	files map[string]*cached
}

type cached struct {
	once sync.Once
	file *file
	err  error
}

func newCache() *cache { return &cache{files: make(map[string]*cached)} }

func (c *cache) get(name string, render func() ([]byte, error)) (*file, error) {
	c.mu.Lock()
	e, ok := c.files[name]
	if !ok {
		e = &cached{}
		c.files[name] = e
	}
	c.mu.Unlock()
	e.once.Do(func() {
		e.err = fmt.Errorf("render %s: it did not end", name) // should render panic
		body, err := render()
		e.err = err
		if err == nil {
			e.file = &file{body: body, etag: fmt.Sprintf(`"%016x"`, xxh3.Hash(body))}
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		if err != nil || c.size+len(body) > maxCache {
			delete(c.files, name)
			return
		}
		c.size += len(body)
	})
	return e.file, e.err
}

// missing reports whether an error says that there is no such file.
func missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
