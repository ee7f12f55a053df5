package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
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

// cut returns the piece of a page that answers the query best: the most
// different words of it close together, the first of equals. A page that was
// found by its name shows how it begins.
func cut(q *parsed, p *schema.Page, sections []compiler.Section) snippet {
	var best window
	reach := snippetReach
	consider := func(text, anchor string) {
		if reach <= 0 {
			return
		}
		text = squeeze(text[:min(len(text), reach)])
		reach -= len(text)
		w := bestWindow(text, matchesIn(q, text), len(q.words)+len(q.phrases))
		if w.score > best.score {
			w.anchor = anchor
			best = w
		}
	}
	for _, s := range sections {
		consider(s.Text, s.ID)
	}
	if best.score == 0 {
		consider(p.Meta.Summary, "")
	}
	if best.score == 0 {
		best.text = opening(p, sections)
	}
	return best.snippet()
}

// opening returns how a page begins.
func opening(p *schema.Page, sections []compiler.Section) string {
	if p.Meta.Summary != "" {
		return squeeze(p.Meta.Summary)
	}
	for _, s := range sections {
		text := s.Text[:min(len(s.Text), 4*snippetWidth)]
		if text = squeeze(text); text != "" {
			return text
		}
	}
	return ""
}

// squeeze makes one line of valid UTF-8 of a text.
func squeeze(s string) string { return strings.Join(strings.Fields(strings.ToValidUTF8(s, "")), " ") }

// matchesIn returns the places of text that answer the query, in order.
func matchesIn(q *parsed, text string) []match {
	tokens := pageAnalyzer.Analyze([]byte(text))
	var out []match
	var written []int // index of the first token of every position
	for i := 0; i < len(tokens); {
		written = append(written, i)
		j := i
		m := match{start: tokens[i].Start, end: tokens[i].End}
		for ; j < len(tokens) && tokens[j].Position == tokens[i].Position; j++ {
			for w := range q.words {
				if weight := q.words[w].matches(string(tokens[j].Term)); weight > m.weight {
					m.asked, m.weight = w, weight
				}
			}
		}
		if m.weight > 0 {
			out = append(out, m)
		}
		i = j
	}
	for n, phrase := range q.phrases {
		for i := 0; i+len(phrase) <= len(written); i++ {
			same := 0
			for same < len(phrase) && string(tokens[written[i+same]].Term) == phrase[same] {
				same++
			}
			if same == len(phrase) {
				end := tokens[written[i+same-1]].End
				out = append(out, match{tokens[written[i]].Start, end, len(q.words) + n, 2})
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
