package docs

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
)

// DefaultLimit is how many pages a work list has at most.
const DefaultLimit = 8

// File is a file that changed, and how far.
type File struct {
	Path string // below the repository
	// Weight is how likely pages about it are wrong now, from 0 to 1.
	Weight float64
}

// Item is a page that must be looked at again.
type Item struct {
	Page    string   `json:"page"`    // below the repository
	Score   float64  `json:"score"`   // for the order alone
	Reasons []Reason `json:"reasons"` // the best first
	Sources []string `json:"sources"` // what changed: paths below the repository, some with #symbol
	// Wrong is set if the page names what is gone, or states a value that the code
	// has no more.
	Wrong bool `json:"wrong,omitempty"`
}

// Reason is why a page is on a work list.
type Reason struct {
	Kind   Kind   `json:"kind"`
	Text   string `json:"text"`
	Source string `json:"source,omitempty"`
	score  float64
}

// habit is what having changed together is worth beside what a page says of
// itself: it orders pages, and finds those that say nothing.
const habit = 0.2

// list collects items.
type list struct {
	items map[string]*Item
	keep  func(page string) bool // which pages count
}

func (l *list) add(page string, score float64, r Reason) {
	it := l.items[page]
	if it == nil {
		it = &Item{Page: page}
		l.items[page] = it
	}
	it.Score += score
	r.score = score
	it.Reasons = append(it.Reasons, r)
	if r.Source != "" && !slices.Contains(it.Sources, r.Source) {
		it.Sources = append(it.Sources, r.Source)
	}
}

// sorted returns the items worth a look, the best first, at most limit.
func (l *list) sorted(limit int, floor float64) []Item {
	out := []Item{}
	for _, it := range l.items {
		if it.Score >= floor {
			out = append(out, *it)
		}
	}
	slices.SortFunc(out, func(a, b Item) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.Page, b.Page))
	})
	if limit > 0 && len(out) > limit {
		out = out[:limit]
	}
	for i := range out {
		slices.SortStableFunc(out[i].Reasons, func(a, b Reason) int { return cmp.Compare(b.score, a.score) })
	}
	return out
}

// Features says which reasons count; all of them unless one is left out.
type Features map[Kind]bool

// without reports whether a reason is left out.
func (f Features) without(k Kind) bool { return f[k] }

// Rank returns the pages that are bound to files that changed, or changed with
// them before, at most limit of them, 0 being all. Features left out are those
// that are true.
func (b *Bindings) Rank(past *Past, changed []File, limit int, leftOut Features) []Item {
	l := &list{items: map[string]*Item{}}
	b.rank(l, past, changed, leftOut)
	return l.sorted(limit, math.SmallestNonzeroFloat64)
}

// rank adds what files that changed mean for each page.
func (b *Bindings) rank(l *list, past *Past, changed []File, leftOut Features) {
	for i := range b.Pages {
		p := &b.Pages[i]
		scale := 1 / (1 + math.Sqrt(float64(p.size()))) // one change says less of a page about many files
		habits, best, often := 0.0, "", 0
		for _, f := range changed {
			if b.OfWiki(f.Path) {
				continue
			}
			if t, ok := p.to(f.Path); ok && !leftOut.without(t.kind) {
				l.add(p.Path, strength[t.kind]*f.Weight*scale, Reason{Kind: t.kind, Text: because(t, f.Path), Source: f.Path})
			}
			if past == nil || leftOut.without(Together) {
				continue
			}
			share, times := past.share(f.Path, p.Path)
			habits += share * f.Weight
			if times > often {
				best, often = f.Path, times
			}
		}
		if habits > 0 {
			l.add(p.Path, habit*habits/float64(len(changed)), Reason{Kind: Together, Text: fmt.Sprintf("it changed together with %s, or soon after, %d times before", best, often), Source: best})
		}
	}
}

func because(t tie, file string) string {
	switch t.kind {
	case BySource:
		if t.target != file {
			return fmt.Sprintf("its source %s contains %s", strings.TrimSuffix(t.target, "/"), file)
		}
		return "it names " + file + " as its source"
	case ByCitation:
		return "it cites " + file
	case ByLink:
		return "it links to " + file
	case ByMention:
		return "it mentions " + file
	}
	return "its name matches " + file
}
