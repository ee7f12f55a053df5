package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"
)

// The most that is read of a query. What lies beyond is left out: nobody
// types it, and every word costs.
const (
	maxQuery = 1000 // bytes
	maxWords = 24
)

// parsed is a query as understood.
type parsed struct {
	words   []word
	phrases [][]string // of words as written
	tags    []string
	types   []string
	exact   string // the whole, as a name would be normalised; empty when there are filters or phrases
}

func (q *parsed) empty() bool {
	return len(q.words) == 0 && len(q.phrases) == 0 && len(q.tags) == 0 && len(q.types) == 0
}

// word is one thing to look for. All of it is folded.
type word struct {
	text  string   // as written
	stem  string   // equal to text when it has none
	parts []string // stems of the parts of an identifier
	pairs []string // of running CJK text, in order; text is empty then
	open  bool     // may be the beginning of a word
	fuzz  int      // edits allowed
}

// parse understands any string.
func parse(query string) *parsed {
	query = strings.ToValidUTF8(query, " ")
	if len(query) > maxQuery {
		query = strings.ToValidUTF8(query[:maxQuery], "")
	}
	q := &parsed{}
	var loose strings.Builder // what is not a phrase or a filter
	open := true              // the query ends within a word
	for rest := query; ; {
		chunk, quoted, tail, ok := nextChunk(rest)
		if !ok {
			break
		}
		rest = tail
		switch {
		case quoted:
			q.addPhrase(chunk)
			open = false
		case q.addFilter(chunk):
			open = false
		default:
			loose.WriteString(chunk)
			loose.WriteByte(' ')
			open = true
		}
	}
	q.words = words(loose.String())
	if n := len(q.words); n > 0 && open && endsInWord(query) {
		q.words[n-1].open = true
	}
	q.words = withoutFiller(q.words)
	if len(q.phrases) == 0 && len(q.tags) == 0 && len(q.types) == 0 {
		q.exact = normalName(query)
	}
	return q
}

// nextChunk cuts the next word or quoted phrase off s. A quote that is never
// closed reaches to the end, as it does while someone types it.
func nextChunk(s string) (chunk string, quoted bool, rest string, ok bool) {
	s = strings.TrimLeftFunc(s, unicode.IsSpace)
	if s == "" {
		return "", false, "", false
	}
	for _, q := range [][2]string{{`"`, `"`}, {"“", "”"}, {"「", "」"}} {
		if inner, found := strings.CutPrefix(s, q[0]); found {
			phrase, rest, _ := strings.Cut(inner, q[1])
			return phrase, true, rest, true
		}
	}
	end := strings.IndexFunc(s, unicode.IsSpace)
	if end < 0 {
		end = len(s)
	}
	// A quote begins a phrase also where no space is before it, but not
	// within a filter: tag:"two words" is one.
	if i := strings.IndexByte(s[:end], '"'); i > 0 {
		if s[i-1] != ':' {
			return s[:i], false, s[i:], true
		}
		value, rest, _ := strings.Cut(s[i+1:], `"`)
		return s[:i] + value, false, rest, true
	}
	return s[:end], false, s[end:], true
}

func (q *parsed) addPhrase(text string) {
	terms := plainWords(text)
	if len(terms) > maxWords {
		terms = terms[:maxWords]
	}
	if len(terms) > 0 {
		q.phrases = append(q.phrases, terms)
	}
}

// addFilter takes chunk as tag:x or type:x if it is one.
func (q *parsed) addFilter(chunk string) bool {
	key, value, ok := strings.Cut(chunk, ":")
	if !ok || value == "" || len(q.tags)+len(q.types) >= maxWords {
		return false
	}
	switch strings.ToLower(key) {
	case "tag":
		value = normalTag(value)
		if value == "" {
			return false
		}
		q.tags = append(q.tags, value)
	case "type":
		q.types = append(q.types, normalKeyword(value))
	default:
		return false
	}
	return true
}

// words cuts running text into what to look for.
func words(text string) []word {
	var out []word
	var last *analysis.Token
	for _, t := range plainAnalyzer.Analyze([]byte(text)) {
		if isCJK(t) {
			// Pairs that overlap are one run of text, to be found as such.
			if last != nil && t.Start < last.End && len(out) > 0 && out[len(out)-1].pairs != nil {
				w := &out[len(out)-1]
				w.pairs = append(w.pairs, string(t.Term))
			} else {
				out = append(out, word{pairs: []string{string(t.Term)}})
			}
			last = t
			continue
		}
		last = nil
		folded := fold(t.Term)
		if folded == "" {
			continue
		}
		w := word{text: folded, stem: stem(folded)}
		for _, part := range identifierParts(t.Term) {
			w.parts = append(w.parts, stem(fold(part)))
		}
		out = append(out, w)
	}
	return unique(out)
}

// filler are the English words that a question holds beside what it asks for.
var filler = func() analysis.TokenMap {
	m := analysis.NewTokenMap()
	if err := m.LoadBytes(en.EnglishStopWords); err != nil {
		panic("search: " + err.Error()) // the list is part of the library
	}
	return m
}()

// withoutFiller drops the words of a question that say nothing of what it asks
// for, unless there are no others. A word that is still being typed stays: "the"
// may become a theme.
func withoutFiller(in []word) []word {
	out := slices.DeleteFunc(slices.Clone(in), func(w word) bool { return !w.open && w.pairs == nil && filler[w.text] })
	if len(out) == 0 {
		return in
	}
	return out
}

// unique drops repeated words and what is more than maxWords. Of equal words
// the last stays, since it may be open.
func unique(in []word) []word {
	seen := make(map[string]bool, len(in))
	var out []word
	for i := len(in) - 1; i >= 0; i-- {
		key := in[i].text + "\x00" + strings.Join(in[i].pairs, " ")
		if !seen[key] {
			seen[key] = true
			out = append(out, in[i])
		}
	}
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out[:min(len(out), maxWords)]
}

// endsInWord reports whether the last character of the query belongs to a word.
func endsInWord(query string) bool {
	r, _ := utf8.DecodeLastRuneInString(query)
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) || r == '_'
}

// edits returns how many letters of a word may be wrong.
func edits(text string) int {
	switch n := utf8.RuneCountInString(text); {
	case n > 40: // no word; its automaton would be large
		return 0
	case n >= 8:
		return 2
	case n >= 4:
		return 1
	}
	return 0
}

// loosen returns the word with typos allowed.
func (w word) loosen() word {
	w.fuzz = edits(w.text)
	return w
}

// matches returns how well a form of a word of a page, as pageAnalyzer gives
// it, answers w: 0 not at all, up to 1.
func (w *word) matches(term string) float64 {
	switch {
	case w.pairs != nil:
		for _, p := range w.pairs {
			if term == p || w.single() && strings.HasPrefix(term, p) {
				return 1
			}
		}
		return 0
	case term == w.text:
		return 1
	case term == w.stem:
		return 0.9
	case w.open && strings.HasPrefix(term, w.text):
		return 0.8
	case w.fuzz > 0 && within(w.text, term, w.fuzz):
		return 0.5
	}
	for _, p := range w.parts {
		if term == p {
			return 0.4
		}
	}
	return 0
}

// names reports whether every word of the query stands in a title.
func (q *parsed) names(title string) bool {
	terms := pageAnalyzer.Analyze([]byte(title))
	for i := range q.words {
		if !slices.ContainsFunc(terms, func(t *analysis.Token) bool { return q.words[i].matches(string(t.Term)) > 0 }) {
			return false
		}
	}
	return len(q.words) > 0
}

// single reports whether the word is one CJK character.
func (w *word) single() bool {
	return len(w.pairs) == 1 && utf8.RuneCountInString(w.pairs[0]) == 1
}

// within reports whether a and b are at most k edits apart: letters inserted,
// deleted or replaced. It looks at a band of 2k+1 cells per row only.
func within(a, b string, k int) bool {
	x, y := []rune(a), []rune(b)
	if len(x)-len(y) > k || len(y)-len(x) > k {
		return false
	}
	const far = 1 << 20
	prev, cur := make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(x); i++ {
		from, to := max(1, i-k), min(len(y), i+k)
		best := i
		cur[0] = i
		if from > 1 {
			cur[from-1], best = far, far
		}
		for j := from; j <= to; j++ {
			cost := prev[j-1]
			if x[i-1] != y[j-1] {
				cost++
			}
			up := far
			if j <= i-1+k {
				up = prev[j] + 1
			}
			cur[j] = min(cost, up, cur[j-1]+1)
			best = min(best, cur[j])
		}
		if best > k {
			return false
		}
		prev, cur = cur, prev
	}
	return prev[len(y)] <= k
}

// normalName is how names are compared when the whole query may be one.
func normalName(s string) string { return strings.Join(plainWords(s), " ") }

// normalKeyword is how types are compared.
func normalKeyword(s string) string { return fold([]byte(strings.TrimSpace(s))) }

// normalTag is how tags are compared.
func normalTag(s string) string {
	return normalKeyword(strings.Trim(strings.TrimPrefix(strings.TrimSpace(s), "#"), "/"))
}
