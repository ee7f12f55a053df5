package search

import (
	"context"
	"fmt"
	"maps"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/analyzer/keyword"
	"github.com/blevesearch/bleve/v2/index/scorch"
	"github.com/blevesearch/bleve/v2/mapping"
	zap "github.com/blevesearch/zapx/v17"
	"golang.org/x/sync/errgroup"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
)

// The fields of an indexed page.
const (
	fieldTitle    = "title"
	fieldNames    = "names" // aliases, tags, path
	fieldHeadings = "headings"
	fieldBody     = "body"
	fieldExact    = "exact" // title, aliases and file name, each as one term
	fieldTag      = "tag"   // every tag and those above it
	fieldType     = "type"
	fieldStanding = "standing"
)

// The values of fieldStanding.
const (
	standingGood = "good"
	standingPast = "past" // superseded or deprecated
)

// entry is a page as indexed.
type entry struct {
	Title    string   `json:"title"`
	Names    []string `json:"names"`
	Headings []string `json:"headings"`
	Body     []string `json:"body"`
	Exact    []string `json:"exact"`
	Tag      []string `json:"tag"`
	Type     string   `json:"type"`
	Standing string   `json:"standing"`
}

// Index finds pages of one wiki. Any number of goroutines may use it. The zero
// Index is empty; the first Update fills it.
type Index struct {
	updating sync.Mutex // one update at a time; taken before mu

	mu      sync.RWMutex
	bleve   bleve.Index
	wiki    *compiler.Wiki
	indexed map[schema.PageID]state
	past    int // pages that are superseded or deprecated
	most    int // bytes of a page's text that are indexed
	cut     int // pages that are longer
	batches int // since the index was last built anew
}

// state is what an indexed page depends on: its text, and what the rest of
// the wiki says of it.
type state struct {
	hash  uint64
	title string
	past  string // "superseded", "deprecated" or empty
}

const (
	// A batch takes in so many pages, or less when their text has more than so
	// many bytes: while it is made, every word of it takes a hundred bytes.
	batchSize  = 512
	batchBytes = 1 << 20
	// maxBatches bounds the segments that updates leave behind: in memory
	// nothing merges them, and every query visits each.
	maxBatches = 400
)

// A segment in memory is made with room for a hundred documents more than it has,
// which is most of its size where documents are large.
func init() { zap.NewSegmentBufferNumResultsBump = 0 }

// Build indexes every page of w.
func Build(ctx context.Context, w *compiler.Wiki) (*Index, error) {
	ix := &Index{}
	if err := ix.Update(ctx, w, nil); err != nil {
		return nil, err
	}
	return ix, nil
}

// Update makes the index one of w. changed names the pages that were changed,
// made or removed since the last Update; others that differ are found too.
// Searches go on meanwhile and see the index before or after, nothing between.
func (ix *Index) Update(ctx context.Context, w *compiler.Wiki, changed []schema.PageID) error {
	ix.updating.Lock()
	defer ix.updating.Unlock()
	states := statesOf(w)
	ix.mu.RLock()
	todo, gone := ix.differences(states, changed)
	chunks := batchesOf(todo, w)
	if ix.bleve == nil {
		ix.most = mostOf(w)
	}
	anew := ix.bleve == nil || ix.batches+len(chunks) > maxBatches
	ix.mu.RUnlock()
	if anew {
		return ix.rebuild(ctx, w, states)
	}
	// The text of the pages is read before searches are held up.
	var batches []*bleve.Batch
	for _, chunk := range chunks {
		b, err := ix.batch(ctx, ix.bleve, w, chunk, states)
		if err != nil {
			return err
		}
		batches = append(batches, b)
	}
	if len(gone) > 0 {
		b := ix.bleve.NewBatch()
		for _, id := range gone {
			b.Delete(docID(id))
		}
		batches = append(batches, b)
	}
	ix.mu.Lock()
	defer ix.mu.Unlock()
	for _, b := range batches {
		if err := ix.bleve.Batch(b); err != nil {
			ix.indexed = nil // nothing is known any more: all pages differ next time
			return fmt.Errorf("updating the search index: %w", err)
		}
	}
	ix.settle(w, states)
	ix.batches += len(batches)
	return nil
}

// Close frees the index. Searches fail afterwards.
func (ix *Index) Close() error {
	ix.updating.Lock()
	defer ix.updating.Unlock()
	ix.mu.Lock()
	defer ix.mu.Unlock()
	if ix.bleve == nil {
		return nil
	}
	err := ix.bleve.Close()
	ix.bleve, ix.wiki, ix.indexed = nil, nil, nil
	return err
}

// rebuild indexes everything into a new index and puts it in place.
func (ix *Index) rebuild(ctx context.Context, w *compiler.Wiki, states map[schema.PageID]state) error {
	fresh, err := bleve.NewUsing("", newMapping(), scorch.Name, scorch.Name, nil)
	if err != nil {
		return fmt.Errorf("creating the search index: %w", err)
	}
	if err := ix.fill(ctx, fresh, w, states); err != nil {
		fresh.Close()
		return fmt.Errorf("building the search index: %w", err)
	}
	ix.mu.Lock()
	old := ix.bleve
	ix.bleve, ix.batches = fresh, 0
	ix.settle(w, states)
	ix.mu.Unlock()
	if old != nil {
		return old.Close()
	}
	return nil
}

// fill indexes every page, reading the text of one batch while bleve takes in
// those before.
func (ix *Index) fill(ctx context.Context, into bleve.Index, w *compiler.Wiki, states map[schema.PageID]state) error {
	chunks := batchesOf(slices.Sorted(maps.Keys(states)), w)
	group, ctx := errgroup.WithContext(ctx)
	ready := make(chan *bleve.Batch, 1)
	group.Go(func() error {
		defer close(ready)
		for _, chunk := range chunks {
			b, err := ix.batch(ctx, into, w, chunk, states)
			if err != nil {
				return err
			}
			select {
			case ready <- b:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	// One batch becomes one segment on one core; the order of segments does
	// not show in any answer.
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() error {
			for b := range ready {
				if err := into.Batch(b); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return group.Wait()
}

// mostOf returns how many bytes of each page of a wiki are indexed, so that all of
// them together are not too many. In most wikis that is every byte.
func mostOf(w *compiler.Wiki) int {
	sizes := make([]int, len(w.Pages()))
	total, unspaced := 1, 0
	for i, p := range w.Pages() {
		sizes[i] = len(p.Source)
		total += len(p.Source)
		for _, c := range p.Source {
			if c >= 0xe3 && c <= 0xed { // begins a character of three bytes, such as Han and kana
				unspaced += 3
			}
		}
	}
	slices.Sort(sizes)
	// Text without spaces has a term for each character: four times as many.
	left := max(schema.MaxSearched*total/(total+3*unspaced), len(sizes)*schema.MaxSearchedPage)
	// A phrase is compared with all places of its terms on a page.
	most := schema.MaxSearchedOne * total / (total + 7*unspaced)
	for i, n := range sizes {
		if share := left / (len(sizes) - i); n > share {
			return min(share, most)
		}
		left -= n
	}
	return most
}

// Cut returns how many pages have more text than is searched, and how many bytes
// of each are.
func (ix *Index) Cut() (pages, bytes int) {
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	return ix.cut, ix.most
}

// batchesOf cuts pages into batches.
func batchesOf(ids []schema.PageID, w *compiler.Wiki) [][]schema.PageID {
	var out [][]schema.PageID
	from, size := 0, 0
	for i, id := range ids {
		n := 0
		if p := w.Page(id); p != nil {
			n = len(p.Source)
		}
		if i > from && (i-from == batchSize || size+n > batchBytes) {
			out = append(out, ids[from:i])
			from, size = i, 0
		}
		size += n
	}
	if from < len(ids) {
		out = append(out, ids[from:])
	}
	return out
}

// settle records what the index now holds. The caller holds mu.
func (ix *Index) settle(w *compiler.Wiki, states map[schema.PageID]state) {
	ix.wiki, ix.indexed, ix.past, ix.cut = w, states, 0, 0
	for _, p := range w.Pages() {
		if len(p.Source) > ix.most {
			ix.cut++
		}
	}
	for _, s := range states {
		if s.past != "" {
			ix.past++
		}
	}
}

// differences returns, sorted, the pages to index again and those to remove.
func (ix *Index) differences(states map[schema.PageID]state, changed []schema.PageID) (todo, gone []schema.PageID) {
	again := make(map[schema.PageID]bool, len(changed))
	for _, id := range changed {
		again[id] = true
	}
	for id, s := range states {
		if old, ok := ix.indexed[id]; !ok || old != s || again[id] {
			todo = append(todo, id)
		}
	}
	for id := range ix.indexed {
		if _, ok := states[id]; !ok {
			gone = append(gone, id)
		}
	}
	slices.Sort(todo)
	slices.Sort(gone)
	return todo, gone
}

func statesOf(w *compiler.Wiki) map[schema.PageID]state {
	states := make(map[schema.PageID]state, len(w.Pages()))
	for _, p := range w.Pages() {
		states[p.ID] = state{hash: p.Hash, title: p.Title, past: pastStatus(w, p)}
	}
	return states
}

// pastStatus names why a page is no longer to be relied on, if it is not.
func pastStatus(w *compiler.Wiki, p *schema.Page) string {
	switch {
	case w.Freshness(p).State != schema.FreshSuperseded:
		return ""
	case strings.EqualFold(p.Meta.Status.Word, "deprecated"):
		return "deprecated"
	}
	return "superseded"
}

// batch reads the text of pages, in parallel, and makes a batch of it.
func (ix *Index) batch(ctx context.Context, into bleve.Index, w *compiler.Wiki, ids []schema.PageID, states map[schema.PageID]state) (*bleve.Batch, error) {
	entries := make([]*entry, len(ids))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, id := range ids {
		group.Go(func() error {
			if p := w.Page(id); p != nil && ctx.Err() == nil {
				entries[i] = newEntry(p, w.Text(p), states[id].past, ix.most)
			}
			return ctx.Err()
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	b := into.NewBatch()
	for i, e := range entries {
		if e == nil {
			continue
		}
		if err := b.Index(docID(ids[i]), e); err != nil {
			return nil, fmt.Errorf("indexing %s: %w", ids[i], err)
		}
	}
	return b, nil
}

// docID is what bleve knows a page by. The page of a file called .md has an empty
// id, and bleve takes none.
func docID(id schema.PageID) string { return "/" + string(id) }

// pageID undoes docID.
func pageID(doc string) schema.PageID { return schema.PageID(doc[1:]) }

func newEntry(p *schema.Page, text []compiler.Section, past string, most int) *entry {
	e := &entry{Title: p.Title, Type: normalKeyword(p.Meta.Type), Standing: standingGood}
	if past != "" {
		e.Standing = standingPast
	}
	base := strings.TrimSuffix(path.Base(p.Path), path.Ext(p.Path))
	e.Exact = append(e.Exact, normalName(p.Title), normalName(base))
	e.Names = append(e.Names, strings.Split(strings.TrimSuffix(p.Path, path.Ext(p.Path)), "/")...)
	for _, a := range p.Meta.Aliases {
		e.Names = append(e.Names, a.Name)
		e.Exact = append(e.Exact, normalName(a.Name))
	}
	for _, t := range p.Tags {
		e.Names = append(e.Names, t.Name)
		tag := normalTag(t.Name)
		if levels := strings.SplitN(tag, "/", schema.MaxTagLevels+1); len(levels) > schema.MaxTagLevels {
			tag = strings.Join(levels[:schema.MaxTagLevels], "/")
		}
		for tag != "" {
			e.Tag = append(e.Tag, tag)
			above := strings.LastIndexByte(tag, '/')
			tag = tag[:max(0, above)]
		}
	}
	if p.Meta.Summary != "" {
		e.Body = append(e.Body, p.Meta.Summary)
	}
	for _, s := range text {
		if s.Heading != "" && s.Heading != p.Title {
			e.Headings = append(e.Headings, s.Heading)
		}
		if s.Text != "" {
			e.Body = append(e.Body, s.Text[:min(len(s.Text), most)])
		}
		if most -= len(s.Heading) + len(s.Text); most <= 0 {
			break
		}
	}
	return e
}

// newMapping describes the fields. Nothing is stored: the wiki has the text.
func newMapping() mapping.IndexMapping {
	field := func(analyzer string, positions bool) *mapping.FieldMapping {
		f := bleve.NewTextFieldMapping()
		f.Analyzer = analyzer
		f.Store, f.DocValues, f.IncludeInAll = false, false, false
		f.IncludeTermVectors = positions // phrases need them
		return f
	}
	page := bleve.NewDocumentStaticMapping()
	for _, name := range []string{fieldTitle, fieldNames, fieldHeadings, fieldBody} {
		page.AddFieldMappingsAt(name, field(analyzerName, true))
	}
	for _, name := range []string{fieldExact, fieldTag, fieldType, fieldStanding} {
		page.AddFieldMappingsAt(name, field(keyword.Name, false))
	}
	// The field of all fields is made even when none is included in it.
	page.AddSubDocumentMapping("_all", bleve.NewDocumentDisabledMapping())
	m := bleve.NewIndexMapping()
	m.DefaultMapping = page
	m.DefaultAnalyzer = analyzerName
	m.ScoringModel = "bm25"
	m.StoreDynamic, m.IndexDynamic, m.DocValuesDynamic = false, false, false
	return m
}
