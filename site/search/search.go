package search

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/search/query"

	"github.com/loopwiki/wiki/schema"
)

// Results answer a query.
type Results struct {
	Query   string   `json:"query"`
	Total   int      `json:"total"` // pages found, of which Results are the best
	Results []Result `json:"results"`
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
	// Anchor is the HTML id of the heading the snippet stands under, empty at
	// the head of a page.
	Anchor string        `json:"-"`
	Page   schema.PageID `json:"-"`
}

const (
	// DefaultResults is how many results an n of 0 gives.
	DefaultResults = 10
	maxResults     = 1000
	// demotion is what is left of the score of a page that is superseded or
	// deprecated: enough to be found, too little to come before one that is not.
	demotion = 0.3
)

// Search returns the n best pages for a query, best first, equals in order of
// path. Any string is a query; one that asks for nothing finds nothing. An
// error means that ctx ended or that the index is closed or empty.
func (ix *Index) Search(ctx context.Context, queryText string, n int) (Results, error) {
	if n <= 0 {
		n = DefaultResults
	}
	n = min(n, maxResults)
	res := Results{Query: strings.ToValidUTF8(queryText, "\uFFFD"), Results: []Result{}}
	q := parse(queryText)
	if q.empty() {
		return res, ctx.Err()
	}
	ix.mu.RLock()
	defer ix.mu.RUnlock()
	if ix.bleve == nil {
		return res, fmt.Errorf("searching for %q: the index is not built", queryText)
	}
	hits, total, err := ix.find(ctx, q, n)
	if err != nil {
		return res, fmt.Errorf("searching for %q: %w", queryText, err)
	}
	res.Total = total
	for _, h := range hits {
		share := h.score / hits[0].score
		if hits[0].score == 0 {
			share = 1 // nothing but filters was asked for
		}
		p := ix.wiki.Page(h.id)
		if p == nil {
			continue
		}
		s := cut(q, p, ix.wiki.Text(p))
		if q.names(p.Title) {
			s.anchor = "" // who asks for the page by its title wants its beginning
		}
		res.Results = append(res.Results, Result{
			Path: p.Path, Title: p.Title, Score: math.Round(share*1e4) / 1e4, Status: ix.indexed[h.id].past,
			Snippet: s.text, Matches: s.matches, Anchor: s.anchor, Page: h.id,
		})
	}
	return res, nil
}

// hit is a page found and its score.
type hit struct {
	id    schema.PageID
	score float64
}

// find asks for every word first, and for less while nothing is found. It
// leaves in q the words as they were finally understood.
func (ix *Index) find(ctx context.Context, q *parsed, n int) ([]hit, int, error) {
	hits, total, err := ix.run(ctx, q, len(q.words), n)
	if err != nil || total > 0 || len(q.words) == 0 {
		return hits, total, err
	}
	unknown, err := ix.loosenUnknown(ctx, q)
	if err != nil {
		return nil, 0, err
	}
	if unknown {
		if hits, total, err = ix.run(ctx, q, len(q.words), n); err != nil || total > 0 {
			return hits, total, err
		}
	}
	for i, w := range q.words {
		q.words[i] = w.loosen()
	}
	steps := []int{len(q.words), (len(q.words) + 1) / 2, 1}
	for _, least := range slices.Compact(steps) {
		if hits, total, err = ix.run(ctx, q, least, n); err != nil || total > 0 {
			return hits, total, err
		}
	}
	return nil, 0, nil
}

// loosenUnknown allows typos in the words that no page has, and reports
// whether there are any.
func (ix *Index) loosenUnknown(ctx context.Context, q *parsed) (bool, error) {
	found := false
	for i, w := range q.words {
		if edits(w.text) == 0 {
			continue
		}
		_, total, err := ix.run(ctx, &parsed{words: []word{w}}, 1, 0)
		if err != nil {
			return false, err
		}
		if total == 0 {
			q.words[i], found = w.loosen(), true
		}
	}
	return found, nil
}

// run finds the n best pages that have at least least of the words, all of
// the phrases and all that the filters ask for.
//
// Pages that are past are asked for separately, so that their lower score
// counts before the best are taken and not after.
func (ix *Index) run(ctx context.Context, q *parsed, least, n int) ([]hit, int, error) {
	main, err := ix.compose(q, least)
	if err != nil || main == nil {
		return nil, 0, err
	}
	if ix.past == 0 {
		return ix.ask(ctx, main, n, 1)
	}
	good, total, err := ix.ask(ctx, both(main, is(fieldStanding, standingGood)), n, 1)
	if err != nil {
		return nil, 0, err
	}
	past, more, err := ix.ask(ctx, both(main, is(fieldStanding, standingPast)), n, demotion)
	if err != nil {
		return nil, 0, err
	}
	all := append(good, past...)
	slices.SortFunc(all, better)
	return all[:min(n, len(all))], total + more, nil
}

// better orders hits by score, and equals by path.
func better(a, b hit) int {
	return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.id, b.id))
}

// slack is how many hits more than needed are asked for, so that equals are
// cut off in order of path and not of the last bit of their scores.
const slack = 16

func (ix *Index) ask(ctx context.Context, q query.Query, n int, weight float64) ([]hit, int, error) {
	req := bleve.NewSearchRequestOptions(q, n+slack, 0, false)
	req.SortBy([]string{"-_score", "_id"})
	if n == 0 {
		req.Size, req.Score = 0, "none"
	}
	res, err := ix.bleve.SearchInContext(ctx, req)
	if err != nil {
		return nil, 0, err
	}
	hits := make([]hit, len(res.Hits))
	for i, h := range res.Hits {
		hits[i] = hit{pageID(h.ID), significant(h.Score * weight)}
	}
	slices.SortFunc(hits, better)
	return hits[:min(n, len(hits))], int(res.Total), nil
}

// significant rounds to six digits, so that the order in which floats were
// added makes no difference.
func significant(x float64) float64 {
	if x <= 0 || math.IsInf(x, 0) || math.IsNaN(x) {
		return 0
	}
	unit := math.Pow(10, math.Floor(math.Log10(x))-5)
	return math.Round(x/unit) * unit
}
