package query

import (
	"cmp"
	"context"
	"math"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/schema"
)

// Retriever searches the wiki of a worktree. It caches nothing: pages change
// during a run.
type Retriever struct{ Worktree string }

var _ loops.Retriever = Retriever{}

const (
	mostPassages = 12
	maxPassage   = 3 << 10 // bytes of one section
	// The parameters of BM25 as they are usually set: S. Robertson, H. Zaragoza,
	// "The Probabilistic Relevance Framework: BM25 and Beyond" (2009).
	bm25K = 1.2
	bm25B = 0.75
	// headingWeight is how often a word of a heading or a title counts.
	headingWeight = 3
)

// passage is a section of a page, and how often each word is in it.
type passage struct {
	loops.Passage
	words map[string]int
	size  int // of all words
	score float64
}

// Retrieve implements [loops.Retriever].
func (r Retriever) Retrieve(ctx context.Context, query string, size int) ([]loops.Passage, error) {
	w, err := repo.Wiki(ctx, r.Worktree)
	if w == nil || err != nil {
		return nil, err
	}
	return Passages(w, query, size), nil
}

// Passages returns the sections of a wiki's pages that are about a question,
// best first, of at most size bytes together.
func Passages(w *compiler.Wiki, query string, size int) []loops.Passage {
	all := sectionsOf(w)
	rank(all, query)
	var out []loops.Passage
	for _, p := range all {
		if p.score <= 0 || len(out) == mostPassages {
			break
		}
		cost := len(p.Path) + len(p.Heading) + len(p.Text)
		if cost > size {
			continue // a shorter one may fit
		}
		size -= cost
		out = append(out, p.Passage)
	}
	return out
}

// sectionsOf cuts the pages of a wiki at their headings. What pages were made of
// and what happened once is not what the wiki says.
func sectionsOf(w *compiler.Wiki) []*passage {
	var out []*passage
	for _, p := range w.Pages() {
		if p.Layer != schema.LayerWiki || p.Meta.Type == "log" || strings.Contains("/"+strings.ToLower(p.Path), "/90_log/") || path.Base(p.Path) == "log.md" {
			continue
		}
		name := path.Join(w.Workspace().RootPath, p.Path)
		at, heading := p.Body, ""
		add := func(end int) {
			text := strings.TrimSpace(strings.ToValidUTF8(string(p.Source[at:end]), ""))
			if text == "" {
				return
			}
			s := &passage{Passage: loops.Passage{Path: name, Heading: heading, Text: cut(text, maxPassage)}, words: make(map[string]int)}
			s.count(text, 1)
			s.count(heading, headingWeight)
			s.count(p.Title, headingWeight)
			s.count(p.Path, 1)
			out = append(out, s)
		}
		for _, h := range p.Headings {
			if start := int(h.Span.Start); start >= at && h.Level <= 3 {
				add(start)
				at, heading = int(h.Span.End), h.Text
			}
		}
		add(len(p.Source))
	}
	return out
}

func (p *passage) count(text string, weight int) {
	for _, w := range wordsOf(text) {
		p.words[w] += weight
		p.size += weight
	}
}

// cut shortens a text at the end of a line.
func cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	text = strings.ToValidUTF8(text[:most], "")
	if at := strings.LastIndexByte(text, '\n'); at > most/2 {
		text = text[:at]
	}
	return text + "\n…"
}

// rank scores sections by BM25, best first; equals stay in the wiki's order.
func rank(all []*passage, query string) {
	total := 0
	for _, p := range all {
		total += p.size
	}
	mean := float64(total) / float64(max(1, len(all)))
	terms := wordsOf(query)
	slices.Sort(terms)
	for _, term := range slices.Compact(terms) {
		in := 0
		for _, p := range all {
			if p.words[term] > 0 {
				in++
			}
		}
		n := float64(len(all))
		idf := math.Log(1 + (n-float64(in)+0.5)/(float64(in)+0.5))
		for _, p := range all {
			if f := float64(p.words[term]); f > 0 {
				p.score += idf * f * (bm25K + 1) / (f + bm25K*(1-bm25B+bm25B*float64(p.size)/mean))
			}
		}
	}
	slices.SortStableFunc(all, func(a, b *passage) int { return cmp.Compare(b.score, a.score) })
}

// common are words that say nothing about what a text is about.
var common = map[string]bool{
	"the": true, "and": true, "for": true, "that": true, "this": true, "with": true, "not": true, "are": true, "was": true, "but": true, "has": true,
	"have": true, "its": true, "from": true, "can": true, "all": true, "one": true, "which": true, "what": true, "when": true, "than": true, "then": true, "into": true,
}

// wordsOf returns the words of a text in lower case; those of identifiers stand for
// themselves and as a whole: parsePrice is parseprice, parse and price.
func wordsOf(text string) []string {
	var out []string
	add := func(w string) {
		w = strings.ToLower(w)
		if len(w) > 4 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") {
			w = w[:len(w)-1]
		}
		if len(w) > 2 && !common[w] {
			out = append(out, w)
		}
	}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		add(word)
		begin, lower := 0, false
		for i, r := range word {
			if unicode.IsUpper(r) && lower {
				add(word[begin:i])
				begin = i
			}
			lower = unicode.IsLower(r)
		}
		if begin > 0 {
			add(word[begin:])
		}
	}
	return out
}
