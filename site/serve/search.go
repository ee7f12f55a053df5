package serve

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
)

// Searcher is a full-text index of a wiki.
type Searcher interface {
	// Update makes the index one of w. changed names the pages that differ
	// from those of the last Update; the first builds the index.
	Update(ctx context.Context, w *compiler.Wiki, changed []schema.PageID) error
	// Search returns the n best pages, best first, and how many there are.
	// It is called while Update runs, and not before the first has ended.
	Search(ctx context.Context, query string, n int) (total int, hits []Hit, err error)
}

// Hit is a page that a Searcher found.
type Hit struct {
	Page    schema.PageID
	Title   string
	Score   float64
	Snippet string
	Status  string // "superseded" or "deprecated", empty otherwise
	Anchor  string // the HTML id of the heading the snippet stands under
}

// answer is the JSON of /_wiki/search.
type answer struct {
	Query   string `json:"query"`
	Total   int    `json:"total"`
	Results []row  `json:"results"`
	// Indexing says that the index is being built, and that only names were looked at.
	Indexing bool `json:"indexing,omitempty"`
}

type row struct {
	Path    string  `json:"path"`
	Title   string  `json:"title"`
	Score   float64 `json:"score"`
	Snippet string  `json:"snippet"`
	Status  string  `json:"status,omitempty"`
	Href    string  `json:"href"` // relative to the site's root
}

// Bounds of a search.
const (
	defaultHits = 20
	maxHits     = 100
)

// serveSearch answers ?q=…&n=…. Until the index is built, the answer is pages with the
// words of the query in their names.
func (s *Server) serveSearch(w http.ResponseWriter, r *http.Request) {
	if s.opt.Search == nil {
		refuse(w, http.StatusNotFound, "there is no search index")
		return
	}
	values := r.URL.Query()
	query := values.Get("q")
	n, err := strconv.Atoi(values.Get("n"))
	if err != nil || n < 1 {
		n = defaultHits
	}
	select {
	case <-s.indexed:
	default:
		writeJSON(w, s.now.Load().named(query, min(n, maxHits)))
		return
	}
	total, hits, err := s.opt.Search.Search(r.Context(), query, min(n, maxHits))
	if err != nil {
		if r.Context().Err() == nil {
			s.log.Error("searching", "query", query, "err", err)
			refuse(w, http.StatusInternalServerError, "the search failed: "+err.Error())
		}
		return
	}
	g := s.now.Load()
	a := answer{Query: strings.ToValidUTF8(query, "\uFFFD"), Total: total, Results: []row{}}
	for _, h := range hits {
		p, file := g.wiki.Page(h.Page), g.pages.FileOf(h.Page)
		if p == nil || file == "" {
			a.Total-- // removed since it was indexed
			continue
		}
		a.Results = append(a.Results, row{
			Path: p.Path, Title: h.Title, Score: h.Score, Snippet: h.Snippet, Status: h.Status,
			Href: hrefOf(file, h.Anchor),
		})
	}
	writeJSON(w, a)
}

// named answers a query with pages that have all of its words in their titles or paths.
func (g *generation) named(query string, n int) answer {
	a := answer{Query: strings.ToValidUTF8(query, "\uFFFD"), Results: []row{}, Indexing: true}
	words := strings.Fields(strings.ToLower(query))
	for _, p := range g.wiki.Pages() {
		name := strings.ToLower(p.Title + "\n" + p.Path)
		file := g.pages.FileOf(p.ID)
		if len(words) == 0 || file == "" || slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(name, w) }) {
			continue
		}
		if a.Total++; len(a.Results) < n {
			a.Results = append(a.Results, row{Path: p.Path, Title: p.Title, Snippet: p.Meta.Summary, Href: hrefOf(file, "")})
		}
	}
	return a
}

// hrefOf returns the address of a file relative to the site's root.
func hrefOf(file, anchor string) string {
	parts := strings.Split(file, "/")
	for i, p := range parts {
		parts[i] = url.PathEscape(p)
	}
	href := strings.Join(parts, "/")
	if strings.Contains(parts[0], ":") {
		href = "./" + href // or it would be taken for a scheme
	}
	if anchor != "" {
		href += "#" + url.PathEscape(anchor)
	}
	return href
}
