package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/loopwiki/wiki/schema/text"
)

const (
	// snippetWidth is the length of a snippet in bytes, without its ellipses.
	snippetWidth = 200
	// snippetReach is how much of a page's text is looked at for a snippet, in bytes.
	snippetReach = 256 << 10
	ellipsis     = "…"
)

// snippet is a piece of running text and what of it answers a query.
type snippet struct {
	text    string
	matches [][2]int
	anchor  string
}

// match is one place of a text that answers a word or a phrase of a query.
type match struct {
	start, end int
	asked      int // which word, or which phrase after the words
	weight     float64
}

// window is a run of matches that fits into a snippet.
type window struct {
	text    string
	anchor  string
	matches []match
	score   float64
}

// marks are the terms that a query was taken to ask for.
type marks map[string]mark

type mark struct {
	asked  int // which word
	weight float64
}

// marks lists the terms that the words of a query stood for.
func (t *table) marks(words []word, r ranking) marks {
	m := marks{}
	for i, list := range r.meanings {
		for _, x := range list {
			if term := t.terms[x.term]; x.weight > m[term].weight {
				m[term] = mark{i, x.weight}
			}
		}
	}
	return m
}

// of returns what a word of a text answers.
func (m marks) of(p place) mark {
	var best mark
	for _, t := range p.terms {
		if x := m[t]; x.weight > best.weight {
			best = x
		}
	}
	return best
}

// all reports whether every one of so many words is in a text.
func (m marks) all(text string, words int) bool {
	found := map[int]bool{}
	eachPlace(text, func(p place) {
		if x := m.of(p); x.weight > 0 {
			found[x.asked] = true
		}
	})
	return words > 0 && len(found) == words
}

// cutOut returns the piece of a page that answers the query best: the most
// different words of it close together, the first of equals. A page that was
// found by its name shows how it begins.
func cutOut(q *parsed, m marks, p *page) snippet {
	var best window
	reach := snippetReach
	consider := func(text, anchor string) {
		if reach <= 0 {
			return
		}
		text = squeeze(text[:min(len(text), reach)])
		reach -= len(text)
		w := bestWindow(text, matchesIn(q, m, text), len(q.words)+len(q.phrases))
		if w.score > best.score {
			w.anchor = anchor
			best = w
		}
	}
	for _, s := range p.Sections {
		consider(s.Text, s.ID)
	}
	if best.score == 0 {
		consider(p.Summary, "")
	}
	if best.score == 0 {
		best.text = opening(p)
	}
	return best.snippet()
}

// opening returns how a page begins.
func opening(p *page) string {
	if p.Summary != "" {
		return squeeze(p.Summary)
	}
	for _, s := range p.Sections {
		text := s.Text[:min(len(s.Text), 4*snippetWidth)]
		if text = squeeze(text); text != "" {
			return text
		}
	}
	return ""
}

// squeeze makes one line of valid UTF-8 of a text.
func squeeze(s string) string { return text.Collapse(strings.ToValidUTF8(s, "")) }

// matchesIn returns the places of text that answer the query, in order.
func matchesIn(q *parsed, m marks, text string) []match {
	var out []match
	var all []place
	eachPlace(text, func(p place) {
		all = append(all, p)
		if x := m.of(p); x.weight > 0 {
			out = append(out, match{p.from, p.to, x.asked, x.weight})
		}
	})
	for n, phrase := range q.phrases {
		for i := 0; i+len(phrase) <= len(all); i++ {
			same := 0
			for same < len(phrase) && all[i+same].text == phrase[same] {
				same++
			}
			if same == len(phrase) {
				out = append(out, match{all[i].from, all[i+same-1].to, len(q.words) + n, 2})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b match) int { return a.start - b.start })
	return out
}

// bestWindow slides over the matches. asked is how many different things they
// can answer.
func bestWindow(text string, ms []match, asked int) window {
	best := window{text: text}
	sums := make([]float64, asked)
	from := 0
	for to := range ms {
		sums[ms[to].asked] += ms[to].weight
		for from < to && ms[to].end-ms[from].start > snippetWidth {
			sums[ms[from].asked] -= ms[from].weight
			from++
		}
		score := 0.01 * float64(min(to-from, 10)) // repetition counts a little
		for _, s := range sums {
			score += min(s, 2)
		}
		if score > best.score+1e-9 {
			best.score, best.matches = score, ms[from:to+1]
		}
	}
	return best
}

// snippet cuts the window out of its text, at words, with some text before
// the first match.
func (w window) snippet() snippet {
	start, end := 0, len(w.text)
	if len(w.matches) > 0 {
		first, last := w.matches[0].start, w.matches[len(w.matches)-1].end
		spare := max(0, snippetWidth-(last-first))
		start = max(0, first-spare/3)
		if start > 0 {
			start = wordStart(w.text, start, first)
		}
	}
	if end > start+snippetWidth {
		end = wordEnd(w.text, start, start+snippetWidth)
	}
	s := snippet{anchor: w.anchor}
	var lead int
	if start > 0 {
		s.text, lead = ellipsis, len(ellipsis)
	}
	s.text += w.text[start:end]
	if end < len(w.text) {
		s.text += ellipsis
	}
	for _, m := range w.matches {
		from, to := runeStart(w.text, max(m.start, start)), runeStart(w.text, min(m.end, end))
		if from >= to {
			continue
		}
		r := [2]int{from - start + lead, to - start + lead}
		if n := len(s.matches); n > 0 && r[0] < s.matches[n-1][1] {
			s.matches[n-1][1] = max(s.matches[n-1][1], r[1])
			continue
		}
		s.matches = append(s.matches, r)
	}
	return s
}

// wordStart moves at forward to the start of a word, but not past limit.
func wordStart(text string, at, limit int) int {
	if i := strings.IndexByte(text[at:min(limit, len(text))], ' '); i >= 0 {
		return at + i + 1
	}
	return runeStart(text, at)
}

// wordEnd moves at back to the end of a word, not further than halfway to start.
func wordEnd(text string, start, at int) int {
	middle := start + (at-start)/2
	if i := strings.LastIndexByte(text[middle:at], ' '); i >= 0 {
		at = middle + i
	}
	at = runeStart(text, at)
	return start + len(strings.TrimRightFunc(text[start:at], unicode.IsSpace))
}

// runeStart moves at back to the start of a character.
func runeStart(text string, at int) int {
	at = max(0, min(at, len(text)))
	for at > 0 && at < len(text) && !utf8.RuneStart(text[at]) {
		at--
	}
	return at
}
