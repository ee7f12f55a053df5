package search

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/schema"
)

// cacheVersion is the version of the file on disk; it changes with the format and with
// the analysis of text.
const cacheVersion = 2

// cacheLimit bounds the file on disk. The index of a wiki that would be larger is made
// each time.
var cacheLimit = files.Limit{Name: "search index", Bytes: 256 << 20, What: ".loopwiki/cache/search-*"}

// Open returns the index of a wiki: the one that an earlier call left in
// .loopwiki/cache if the pages are the same, else one of the wiki that compile
// returns, which it leaves there. A page is the same if its size and modification
// time are, or else its text. A file that can't be read or written only costs time.
// version names the program.
func Open(ctx context.Context, ws *compiler.Workspace, version string, compile func() (*compiler.Wiki, error)) (*Index, error) {
	ix := &Index{}
	listing, err := compiler.List(ctx, ws)
	if err == nil {
		defer listing.Close()
		c := cache{ws: ws, pages: listing.Pages, hash: listing.Hash, key: keyOf(ws, listing.Others, version), now: time.Now()}
		if s := c.load(); s != nil {
			ix.now.Store(s)
			return ix, nil
		}
		defer func() {
			if s := ix.now.Load(); s != nil {
				c.save(s)
			}
		}()
	}
	w, err := compile()
	if err != nil {
		return nil, err
	}
	return ix, ix.Update(ctx, w, nil)
}

// Of returns the index of a compiled wiki: the one in .loopwiki/cache if it is of the same
// pages, else a new one, which it leaves there, as [Open] does.
func Of(ctx context.Context, w *compiler.Wiki, version string) (*Index, error) {
	if len(w.Overlay()) > 0 {
		return Build(ctx, w) // others read the cache, and expect what is on disk
	}
	pages := w.Pages()
	c := cache{
		ws: w.Workspace(), pages: make([]compiler.Stamp, len(pages)), hash: func(i int) uint64 { return pages[i].Hash }, compiled: true,
		key: keyOf(w.Workspace(), w.Files(), version), now: time.Now(),
	}
	for i, p := range pages {
		c.pages[i] = compiler.Stamp{Path: p.Path, Size: int64(len(p.Source))}
	}
	ix := &Index{}
	if s := c.load(); s != nil {
		ix.now.Store(s)
		return ix, nil
	}
	if err := ix.Update(ctx, w, nil); err != nil {
		return nil, err
	}
	c.save(ix.now.Load())
	return ix, nil
}

type cache struct {
	ws       *compiler.Workspace
	pages    []compiler.Stamp
	hash     func(page int) uint64
	key      uint64
	now      time.Time // when the pages were looked at
	compiled bool      // the pages are those of a wiki; nobody knows when their files changed
}

// keyOf is everything but the pages that an index depends on.
func keyOf(ws *compiler.Workspace, others []string, version string) uint64 {
	config, err := json.Marshal(ws.Config)
	if err != nil {
		config = []byte(err.Error())
	}
	return xxh3.HashString(fmt.Sprintf("%d\n%s\n%s\n%s\n%s\n%q", cacheVersion, version, ws.RootPath, ws.Dialect.Name, config, others))
}

func (c *cache) name() string {
	return fmt.Sprintf("search-%08x", uint32(xxh3.HashString(c.ws.RootPath)))
}

// load returns the index on disk, nil if there is none for the current pages.
func (c *cache) load() *snapshot {
	data, err := c.ws.ReadCache(c.name(), cacheLimit)
	if err != nil || len(data) < 16 || xxh3.Hash(data[8:]) != binary.LittleEndian.Uint64(data) {
		return nil
	}
	d := decoder{string(data[8:]), 0}
	for _, p := range c.pages {
		d.room += 1000 + 4*int(p.Size)
	}
	if d.number() != c.key || int(d.number()) != len(c.pages) {
		return nil
	}
	s := &snapshot{}
	byPath := make([]*page, len(c.pages))
	touched := false
	for i, stamp := range c.pages {
		p := &page{Path: d.text(), state: state{hash: d.number()}}
		size, modified := int64(d.number()), int64(d.number())
		if p.Path != stamp.Path || size != stamp.Size {
			return nil
		}
		if modified != stamp.Modified {
			if touched = true; c.hash(i) != p.state.hash {
				return nil
			}
		}
		byPath[i] = p
	}
	s.most, s.cut = int(d.number()), int(d.number())
	for _, p := range byPath {
		d.page(p)
	}
	for range byPath {
		i := int(d.number())
		if i >= len(byPath) || byPath[i] == nil {
			return nil
		}
		s.order, s.pages, byPath[i] = append(s.order, i), append(s.pages, byPath[i]), nil
	}
	t := d.table(len(s.pages))
	if t == nil {
		return nil
	}
	s.table = func() *table { return t }
	if touched && !c.compiled {
		c.save(s) // so that the pages need not be read next time
	}
	return s
}

// save writes the index to disk. Two processes that do this write the same data.
func (c *cache) save(s *snapshot) {
	if len(s.pages) != len(c.pages) {
		return
	}
	e := encoder{make([]byte, 8, 1<<20)}
	e.number(c.key)
	e.number(uint64(len(s.pages)))
	byPath := make([]*page, len(s.pages))
	for k, i := range s.order {
		byPath[i] = s.pages[k]
	}
	for i, p := range byPath {
		stamp := c.pages[i]
		if p.Path != stamp.Path {
			return
		}
		e.text(p.Path)
		e.number(p.state.hash)
		e.number(uint64(stamp.Size))
		e.number(uint64(settled(stamp.Modified, c.now)))
	}
	e.number(uint64(s.most))
	e.number(uint64(s.cut))
	for _, p := range byPath {
		e.page(p)
	}
	for _, i := range s.order {
		e.number(uint64(i))
	}
	e.table(s.table())
	if int64(len(e.b)) > cacheLimit.Bytes {
		return
	}
	binary.LittleEndian.PutUint64(e.b, xxh3.Hash(e.b[8:]))
	_ = c.ws.WriteCache(c.name(), e.b) // a folder that can't be written to has no cache
}

// settled is the modification time, or 0 if it is so recent that a later change of the
// file could have the same one.
func settled(modified int64, now time.Time) int64 {
	tick := 2 * time.Second // of the coarsest file systems
	if time.Duration(modified)%time.Millisecond != 0 {
		tick = 50 * time.Millisecond
	}
	if now.UnixNano()-modified < int64(tick) {
		return 0
	}
	return modified
}

// encoder writes what decoder reads: numbers as varints, texts behind their length.
type encoder struct{ b []byte }

func (e *encoder) number(v uint64) { e.b = binary.AppendUvarint(e.b, v) }

func (e *encoder) text(s string) {
	e.number(uint64(len(s)))
	e.b = append(e.b, s...)
}

func (e *encoder) texts(list []string) {
	e.number(uint64(len(list)))
	for _, s := range list {
		e.text(s)
	}
}

func (e *encoder) page(p *page) {
	e.texts([]string{string(p.ID), p.Title, p.Summary, p.Past})
	e.number(uint64(len(p.Names)))
	for _, n := range p.Names {
		e.texts(n)
	}
	e.texts(p.Aliases)
	e.texts(p.Filters)
	e.number(uint64(len(p.Sections)))
	for _, s := range p.Sections {
		e.text(s.Heading)
		e.text(s.ID)
		e.text(s.Text)
	}
}

func (e *encoder) table(t *table) {
	t.eachDoc(func(_ int, from, to uint32) {
		e.number(uint64(to - from))
		for _, n := range t.lengths[from:to] {
			e.number(uint64(n))
		}
	})
	e.texts(t.terms)
	e.texts(t.lists)
}

// decoder reads from the beginning of a text. If the text is truncated or invalid, it
// reads zeros.
type decoder struct {
	rest string
	room int // how many things more may follow, so that a small wiki takes little memory
}

func (d *decoder) number() uint64 {
	v, n := uvarint(d.rest)
	d.rest = d.rest[n:]
	return v
}

// count reads how many things follow, of at least a byte each.
func (d *decoder) count() int {
	n := int(min(d.number(), uint64(len(d.rest)), uint64(max(0, d.room))))
	d.room -= n
	return n
}

func (d *decoder) text() string {
	n := min(d.number(), uint64(len(d.rest)))
	s := d.rest[:n]
	d.rest = d.rest[n:]
	return s
}

func (d *decoder) texts() []string {
	out := make([]string, d.count())
	for i := range out {
		out[i] = d.text()
	}
	return out
}

func (d *decoder) page(p *page) {
	if head := d.texts(); len(head) == 4 {
		p.ID, p.Title, p.Summary, p.Past = schema.PageID(head[0]), head[1], head[2], head[3]
	}
	p.Names = make([][]string, d.count())
	for i := range p.Names {
		p.Names[i] = d.texts()
	}
	p.Aliases, p.Filters = d.texts(), d.texts()
	p.Sections = make([]compiler.Section, d.count())
	for i := range p.Sections {
		p.Sections[i] = compiler.Section{Heading: d.text(), ID: d.text(), Text: d.text()}
	}
}

// table reads the index of so many documents, nil when it does not hold together.
func (d *decoder) table(docs int) *table {
	t := &table{starts: make([]uint32, 1, docs+1)}
	for range docs {
		for range d.count() {
			t.lengths = append(t.lengths, uint32(d.number()))
		}
		t.starts = append(t.starts, uint32(len(t.lengths)))
	}
	t.terms, t.lists = d.texts(), d.texts()
	if d.rest != "" || len(t.terms) != len(t.lists) || !slices.IsSortedFunc(t.terms, strings.Compare) {
		return nil
	}
	t.prepare()
	return t
}
