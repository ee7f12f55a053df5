package search

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// Results answer a query.
type Results struct {
	Query   string   `json:"query"`
	Total   int      `json:"total"` // pages found, of which Results are the best
	Results []Result `json:"results"`
	// Wanted is what the words of the query were taken to ask for.
	Wanted []Wanted `json:"-"`
}

// Wanted is what a word of a query asks for: the terms that it stands for, each with a weight
// of at most 1, and how rare pages with any of them are.
type Wanted struct {
	Terms  map[string]float64
	Rarity float64
}

// Result is one page found.
type Result struct {
	Path    string  `json:"path"` // below the wiki's root
	Title   string  `json:"title"`
	Score   float64 `json:"score"`            // 1 for the best of an answer, down to 0
	Snippet string  `json:"snippet"`          // running text, without markup
	Status  string  `json:"status,omitempty"` // "superseded" or "deprecated": believe something else first

	// Matches are the half-open byte ranges of Snippet that answer the query,
	// in order, none overlapping.
	Matches [][2]int `json:"-"`
	// Anchor is the HTML id of the heading above the snippet, empty before the first
	// one.
	Anchor string        `json:"-"`
	Page   schema.PageID `json:"-"`
	// Sections are the scores of the page's sections, by the ids of their headings, 0 to 1
	// for the best section of the answer. Sections without a word of the query have none.
	Sections map[string]float64 `json:"-"`
}

const (
	// DefaultResults is how many results an n of 0 gives.
	DefaultResults = 10
	maxResults     = 1000
	// demotion is the factor for the score of a superseded or deprecated page: it is
	// still found, but after current ones.
	demotion = 0.3
)

// Search returns the n best pages for a query, best first, equals in the
// order of [Order]. Any string is a query; one that asks for nothing finds nothing. An
// error means that ctx ended or that the index is closed or empty.
func (ix *Index) Search(ctx context.Context, queryText string, n int) (Results, error) {
	if n <= 0 {
		n = DefaultResults
	}
	n = min(n, maxResults)
	res := Results{Query: strings.ToValidUTF8(queryText, "\uFFFD"), Results: []Result{}}
	q := parse(queryText)
	s := ix.now.Load()
	if s == nil {
		return res, fmt.Errorf("searching for %q: the index is not built", queryText)
	}
	if q.empty() {
		return res, ctx.Err()
	}
	r := s.table().rank(q.words)
	hits, err := s.find(ctx, q, r)
	if err != nil {
		return res, fmt.Errorf("searching for %q: %w", queryText, err)
	}
	res.Total = len(hits)
	marks := s.table().marks(q.words, r)
	for i, list := range r.meanings {
		w := Wanted{map[string]float64{}, r.rarities[i]}
		for _, m := range list {
			w.Terms[s.table().terms[m.term]] = m.weight
		}
		res.Wanted = append(res.Wanted, w)
	}
	best := 0.0
	for _, score := range r.units {
		best = max(best, score)
	}
	for _, h := range hits[:min(n, len(hits))] {
		p := s.pages[h.page]
		cut := cutOut(q, marks, p)
		if marks.all(p.Title, len(q.words)) {
			cut.anchor = "" // who asks for the page by its title wants its beginning
		}
		res.Results = append(res.Results, Result{
			Path: p.Path, Title: p.Title, Score: math.Round(h.score/hits[0].score*1e4) / 1e4, Status: p.Past,
			Snippet: cut.text, Matches: cut.matches, Anchor: cut.anchor, Page: p.ID, Sections: s.sections(h.page, r.units, best),
		})
	}
	return res, nil
}

// sections returns the scores of a page's sections, of which the best of all pages has 1.
func (s *snapshot) sections(page int, units []float64, best float64) map[string]float64 {
	starts := s.table().starts
	units = units[starts[page]:starts[page+1]]
	out := map[string]float64{}
	for i, sec := range s.pages[page].Sections {
		if i+1 < len(units) && units[i+1] > 0 { // the first unit is the page's head
			out[sec.ID] = max(out[sec.ID], units[i+1]/best)
		}
	}
	return out
}

// hit is a page found, by its number, and its score.
type hit struct {
	page  int
	score float64
}

// find returns all pages that have any of the words, all of the phrases and all
// that the filters ask for, best first.
func (s *snapshot) find(ctx context.Context, q *parsed, r ranking) ([]hit, error) {
	var hits []hit
	having := s.table().having(q.phrases)
	for i, p := range s.pages {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		score := r.scores[i]
		if len(q.words) == 0 {
			score = 1 // nothing but filters was asked for
		}
		if score == 0 || !p.passes(q) || having != nil && (!having[i] || !p.containsPhrases(q.phrases)) {
			continue
		}
		if p.named(q.name) {
			score *= weightTitle
		}
		if p.Past != "" {
			score *= demotion
		}
		hits = append(hits, hit{i, score})
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Compare(b.score, a.score) })
	return hits, nil
}

// named reports whether every word is one of a name of so many words. Of a page with
// several such names, they may be of any.
func (p *page) named(name []string) bool {
	for _, w := range name {
		if !slices.ContainsFunc(p.Names, func(n []string) bool { return len(n) == len(name) && slices.Contains(n, w) }) {
			return false
		}
	}
	return len(name) > 0
}

// passes reports whether the page passes all filters.
func (p *page) passes(q *parsed) bool {
	for _, f := range q.filters {
		if !slices.Contains(p.Filters, f) {
			return false
		}
	}
	return true
}

// having reports which documents contain all words of the phrases; nil without phrases.
func (t *table) having(phrases [][]string) []bool {
	if len(phrases) == 0 {
		return nil
	}
	has := make([]bool, len(t.starts)-1)
	for i := range has {
		has[i] = true
	}
	found := make([]bool, len(t.lengths))
	for _, term := range slices.Concat(phrases...) {
		clear(found)
		if at, ok := slices.BinarySearch(t.terms, term); ok {
			t.each(at, func(unit, _ uint32) { found[unit] = true })
		}
		t.eachDoc(func(d int, from, to uint32) { has[d] = has[d] && slices.Contains(found[from:to], true) })
	}
	return has
}

// containsPhrases reports whether the page has every phrase, in its text, headings or names.
func (p *page) containsPhrases(phrases [][]string) bool {
	left := slices.Clone(phrases)
	look := func(text string) {
		if text == "" || len(left) == 0 {
			return
		}
		said := plainWords(text)
		left = slices.DeleteFunc(left, func(phrase []string) bool {
			for i := 0; i+len(phrase) <= len(said); i++ {
				if slices.Equal(said[i:i+len(phrase)], phrase) {
					return true
				}
			}
			return false
		})
	}
	look(p.Title)
	look(p.Summary)
	for _, a := range p.Aliases {
		look(a)
	}
	for _, s := range p.Sections {
		look(s.Heading)
		look(s.Text)
	}
	return len(left) == 0
}
