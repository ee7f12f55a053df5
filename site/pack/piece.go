package pack

import (
	"bytes"
	"cmp"
	"math"
	"slices"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site/search"
)

// pieceTokens is how long a section is kept whole. What answers a question is seldom longer
// than a paragraph, and a pack of a few long sections misses it.
const pieceTokens = 180

// pieces cuts a section at blank lines, and what is still too long at lines, but never in
// fenced code, which would lose its fence. Without words that say which part is wanted it stays whole. White space around pieces
// belongs to none; a section of nothing else has none.
func (in *Input) pieces(source []byte, at schema.Span) []schema.Span {
	at = trimmed(source, at)
	if at.Start == at.End {
		return nil
	}
	if len(in.Found.Wanted) == 0 || Tokens(string(at.In(source))) <= pieceTokens {
		return []schema.Span{at}
	}
	var out []schema.Span
	size := 0 // of the last piece
	add := func(s schema.Span, n int) {
		if last := len(out) - 1; last >= 0 && size+n <= pieceTokens {
			out[last].End, size = s.End, size+n
			return
		}
		out, size = append(out, s), n
	}
	for _, block := range blocks(source, at) {
		if n := Tokens(string(block.In(source))) + 1; n <= pieceTokens {
			add(block, n)
			continue
		}
		var code fence
		for line := range bytes.Lines(block.In(source)) {
			end, n := block.Start+len(line), Tokens(string(line))
			switch s := trimmed(source, schema.Span{Start: block.Start, End: end}); {
			case code.goesOn(line):
				out[len(out)-1].End, size = max(s.End, out[len(out)-1].End), size+n
			case s.Start < s.End:
				add(s, n)
			}
			block.Start = end
		}
	}
	return out
}

// blocks returns what blank lines outside of fenced code separate.
func blocks(source []byte, at schema.Span) []schema.Span {
	var out []schema.Span
	from, here := at.Start, at.Start
	var code fence
	end := func(to int) {
		if s := trimmed(source, schema.Span{Start: from, End: to}); s.Start < s.End {
			out = append(out, s)
		}
		from = to
	}
	for line := range bytes.Lines(at.In(source)) {
		here += len(line)
		if !code.goesOn(line) && len(bytes.TrimSpace(line)) == 0 {
			end(here)
		}
	}
	end(at.End)
	return out
}

// fence is the mark of the fenced code that lines are read in, nil outside.
type fence []byte

// goesOn takes the next line, and reports whether it belongs to code that began before it.
func (f *fence) goesOn(line []byte) bool {
	text := bytes.TrimSpace(line)
	if *f != nil {
		if bytes.HasPrefix(text, *f) {
			*f = nil
		}
		return true
	}
	if bytes.HasPrefix(text, []byte("```")) || bytes.HasPrefix(text, []byte("~~~")) {
		*f = text[:3]
	}
	return false
}

// trimmed returns a span without the blank lines before it and white space behind it. The
// first line keeps its indentation.
func trimmed(source []byte, at schema.Span) schema.Span {
	text := at.In(source)
	at.End = at.Start + len(bytes.TrimRight(text, " \t\r\n"))
	text = at.In(source)
	lead := len(text) - len(bytes.TrimLeft(text, " \t\r\n"))
	at.Start += bytes.LastIndexByte(text[:lead], '\n') + 1
	return at
}

// wordCounts is how often a part of a section has each word of a query.
type wordCounts struct {
	text, head []float64 // by word; head is 1 if it is in the headings
	length     float64   // in terms
}

func (c *wordCounts) none() bool {
	return !slices.ContainsFunc(c.text, func(n float64) bool { return n > 0 })
}

// asking says what each term asks for.
type asking map[string][]asked

// asked is a word of the query, by number, and how much of it a term is.
type asked struct {
	word   int
	weight float64
}

func (in *Input) asking() asking {
	out := asking{}
	for i, w := range in.Found.Wanted {
		for term, weight := range w.Terms {
			out[term] = append(out[term], asked{i, weight})
		}
	}
	return out
}

// count counts the words of so many that are in a text below headings.
func (a asking) count(words int, head, body string) wordCounts {
	c := wordCounts{text: make([]float64, words), head: make([]float64, words)}
	search.Terms(body, func(term string) {
		c.length++
		for _, w := range a[term] {
			c.text[w.word] += w.weight
		}
	})
	search.Terms(head, func(term string) {
		for _, w := range a[term] {
			c.head[w.word] = max(c.head[w.word], w.weight)
		}
	})
	return c
}

// BM25 of parts of sections.
const (
	k1 = 1.2
	b  = 0.75
)

// rank sorts parts of sections, best first: by their page and their words, and those of a page
// that has better ones a little lower.
func (in *Input) rank(all []Section) {
	total, best := 0.0, 0.0
	for i := range all {
		total += all[i].words.length
	}
	mean := max(1, total/float64(max(1, len(all))))
	rates := make([]float64, len(all))
	for i := range all {
		c := &all[i].words
		for k, w := range in.Found.Wanted {
			n := c.text[k] + c.head[k]
			rates[i] += w.Rarity * n / (n + k1*(1-b+b*c.length/mean))
		}
		best = max(best, rates[i])
	}
	for i := range all {
		if best > 0 {
			all[i].score += rates[i] / best
		}
		all[i].score *= all[i].trust
	}
	sorted := func() { slices.SortStableFunc(all, func(a, b Section) int { return cmp.Compare(b.score, a.score) }) }
	sorted()
	if len(in.Found.Wanted) == 0 {
		return
	}
	seen := map[string]float64{}
	for i := range all {
		s := &all[i]
		s.score *= math.Pow(again, seen[s.Path])
		seen[s.Path]++
	}
	sorted()
}
