package search

import (
	"cmp"
	"context"
	"hash/maphash"
	"math/bits"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
)

// Index finds pages of one wiki. Any number of goroutines may use it. The zero
// Index is empty; the first Update fills it.
type Index struct {
	updating  sync.Mutex // one update at a time
	collector *Collector
	now       atomic.Pointer[snapshot]
}

// snapshot is the index at one moment. It does not change.
type snapshot struct {
	pages []*page // in the order of the index; see [Order]
	order []int   // of the pages, their numbers in order of path
	byID  map[schema.PageID]*page
	table func() *table
	most  int // bytes of a page's text that are indexed
	cut   int // pages that are longer
}

// page is the data about a page without its wiki. Exported fields are stored on disk.
type page struct {
	ID       schema.PageID
	Path     string
	Title    string
	Summary  string
	Past     string
	Names    [][]string // the words of title, aliases and file name
	Aliases  []string
	Filters  []string
	Sections []compiler.Section

	state    state
	analyzed *Analyzed
}

// state is what an indexed page depends on: its text, and the data about it from other
// pages.
type state struct {
	hash   uint64
	title  string
	past   string // "superseded", "deprecated" or empty
	labels uint64
	most   int
}

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
	if ix.collector == nil {
		ix.collector = NewCollector()
	}
	old := ix.now.Load()
	s := &snapshot{pages: make([]*page, len(w.Pages())), byID: make(map[schema.PageID]*page, len(w.Pages())), most: mostOf(w)}
	if old != nil {
		s.most = old.most
	}
	again := make(map[schema.PageID]bool, len(changed))
	for _, id := range changed {
		again[id] = true
	}
	var g errgroup.Group
	n := runtime.GOMAXPROCS(0)
	for k := range n {
		g.Go(func() error {
			for i := k; i < len(s.pages) && ctx.Err() == nil; i += n {
				p := w.Pages()[i]
				if old != nil && !again[p.ID] {
					s.pages[i] = old.byID[p.ID]
				}
				labels := Labels(w, p, func(schema.PageID) bool { return true })
				st := state{p.Hash, p.Title, Past(w, p), hashOf(labels), s.most}
				if s.pages[i] == nil || s.pages[i].state != st {
					s.pages[i] = ix.read(w, p, labels, st)
				}
			}
			return ctx.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	s.order = Order(w, w.Pages(), func(schema.PageID) bool { return true })
	docs, byPath := make([]*Analyzed, len(s.pages)), s.pages
	s.pages = make([]*page, len(docs))
	for k, i := range s.order {
		p := byPath[i]
		s.pages[k], docs[k], s.byID[p.ID] = p, p.analyzed, p
		if len(w.Pages()[i].Source) > s.most {
			s.cut++
		}
	}
	collector := ix.collector
	s.table = sync.OnceValue(func() *table { return collector.invert(docs) })
	ix.now.Store(s)
	return nil
}

// Close frees the index. Searches fail afterwards.
func (ix *Index) Close() error {
	ix.now.Store(nil)
	return nil
}

// Cut returns how many pages have more text than is searched, and how many bytes
// of each are.
func (ix *Index) Cut() (pages, bytes int) {
	if s := ix.now.Load(); s != nil {
		return s.cut, s.most
	}
	return 0, 0
}

// read makes a page's share of the index.
func (ix *Index) read(w *compiler.Wiki, p *schema.Page, labels []string, st state) *page {
	d := DocumentOf(w, p, cutTo(w.Text(p), st.most), labels)
	out := &page{
		ID: p.ID, Path: p.Path, Title: p.Title, Summary: d.Summary, Past: d.Past,
		Aliases: d.Names, Filters: d.Filters, Sections: d.Sections, state: st, analyzed: ix.collector.Analyze(d),
	}
	for _, n := range append([]string{p.Title, d.File}, d.Names...) {
		out.Names = append(out.Names, nameWords(n))
	}
	return out
}

// DocumentOf returns the searchable document of a page with this text and these labels
// of links to it, without Href and Folder.
func DocumentOf(w *compiler.Wiki, p *schema.Page, text []compiler.Section, labels []string) Document {
	d := Document{
		Title: p.Title, Summary: p.Meta.Summary, Past: Past(w, p), Labels: labels, Sections: text,
		Tags: []string{strings.TrimSuffix(p.Path, path.Ext(p.Path))}, Filters: filters(p),
		File: strings.TrimSuffix(path.Base(p.Path), path.Ext(p.Path)),
	}
	for _, a := range p.Meta.Aliases {
		d.Names = append(d.Names, a.Name)
	}
	for _, t := range p.Tags {
		if !slices.Contains(d.Tags, t.Name) {
			d.Tags = append(d.Tags, t.Name)
		}
	}
	return d
}

// Order returns the numbers of pages in the order of an index, in which equals are
// answered: pages to rely on before others, text before sources, then those that more
// shown pages link to, in steps of twice as many, so that a new link seldom moves a page.
func Order(w *compiler.Wiki, pages []*schema.Page, shown func(schema.PageID) bool) []int {
	order, last, links := make([]int, len(pages)), make([]int, len(pages)), make([]int, len(pages))
	for i, p := range pages {
		order[i] = i
		if Past(w, p) != "" {
			last[i] += 2
		}
		if p.Layer == schema.LayerSource {
			last[i]++
		}
		for _, from := range w.Graph().In(p.ID) {
			if shown(from) {
				links[i]++
			}
		}
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(last[a], last[b]), cmp.Compare(bits.Len(uint(links[b])), bits.Len(uint(links[a]))))
	})
	return order
}

// Labels returns what links from pages that are shown call a page, each once.
func Labels(w *compiler.Wiki, p *schema.Page, shown func(schema.PageID) bool) []string {
	var out []string
	for _, l := range w.Backlinks(p.ID) {
		if !shown(l.From) {
			continue
		}
		if label := w.Page(l.From).Links[l.Link].Label; label != "" && label != p.Title && !slices.Contains(out, label) {
			if out = append(out, label); len(out) == maxLabels {
				break
			}
		}
	}
	return out
}

// maxLabels is how many different names that links give to a page are searched.
const maxLabels = 50

var seed = maphash.MakeSeed()

func hashOf(list []string) uint64 { return maphash.Comparable(seed, strings.Join(list, "\x00")) }

// cutTo returns the first most bytes of a text.
func cutTo(text []compiler.Section, most int) []compiler.Section {
	for i := range text {
		s := &text[i]
		s.Text = strings.ToValidUTF8(s.Text[:min(len(s.Text), most)], "")
		if most -= len(s.Heading) + len(s.Text); most <= 0 {
			return text[:i+1]
		}
	}
	return text
}

// filters returns what a query may ask of a page: tag:x with its tags and those above them,
// type:x, and path:x with the folders that it is in.
func filters(p *schema.Page) []string {
	var out []string
	for _, t := range tagsOf(p) {
		out = append(out, "tag:"+t)
	}
	if t := normalKeyword(p.Meta.Type); t != "" {
		out = append(out, "type:"+t)
	}
	for dir := path.Dir(p.Path); dir != "." && dir != "/"; dir = path.Dir(dir) {
		out = append(out, "path:"+normalTag(dir))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// tagsOf returns the tags of a page and those above them.
func tagsOf(p *schema.Page) []string {
	var out []string
	for _, t := range p.Tags {
		tag := normalTag(t.Name)
		if levels := strings.SplitN(tag, "/", schema.MaxTagLevels+1); len(levels) > schema.MaxTagLevels {
			tag = strings.Join(levels[:schema.MaxTagLevels], "/")
		}
		for tag != "" {
			out = append(out, tag)
			above := strings.LastIndexByte(tag, '/')
			tag = tag[:max(0, above)]
		}
	}
	return out
}

// Past names why a page is no longer to be relied on, if it is not.
func Past(w *compiler.Wiki, p *schema.Page) string {
	switch {
	case w.Freshness(p).State != schema.FreshSuperseded:
		return ""
	case strings.EqualFold(p.Meta.Status.Word, "deprecated"):
		return "deprecated"
	}
	return "superseded"
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
