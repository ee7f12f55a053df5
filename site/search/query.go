package search

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/loopwiki/wiki/schema/text"
)

// Limits on a query. The rest is ignored: nobody types it, and every word costs time.
const (
	maxQuery = 1000 // bytes
	maxWords = 24
)

// parsed is a query as understood.
type parsed struct {
	words   []word
	phrases [][]string // of words as written
	filters []string   // all of which a page must pass; see [filters]
	name    []string   // words of the page that the query may be the name of
}

func (q *parsed) empty() bool {
	return len(q.words) == 0 && len(q.phrases) == 0 && len(q.filters) == 0
}

// word is one word of a query, folded.
type word struct {
	text  string
	open  bool // may be the beginning of a word
	exact bool // of a phrase: stands for nothing but itself
	part  bool // of an identifier
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
	for _, p := range q.phrases {
		for _, t := range p {
			q.words = append(q.words, word{text: t, exact: true})
		}
	}
	typed := words(loose.String())
	if open && endsInWord(query) {
		for n := len(typed); n > 0; n-- {
			if typed[n-1].open = true; !typed[n-1].part {
				break
			}
		}
	}
	q.words = unique(append(q.words, typed...))
	if len(q.phrases) == 0 && len(q.filters) == 0 {
		q.name = wholeWords(q.words)
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

// addFilter takes chunk as tag:x, type:x or path:x if it is one.
func (q *parsed) addFilter(chunk string) bool {
	key, value, ok := strings.Cut(chunk, ":")
	if !ok || len(q.filters) >= maxWords {
		return false
	}
	switch key = strings.ToLower(key); key {
	case "tag", "path":
		value = normalTag(value)
	case "type":
		value = normalKeyword(value)
	default:
		return false
	}
	if value == "" {
		return false
	}
	q.filters = append(q.filters, key+":"+value)
	return true
}

// words cuts running text into what to look for: words, the parts of identifiers,
// and pairs of characters. One character alone is the beginning of a pair.
func words(s string) []word {
	var out []word
	text := norm.NFKC.String(s)
	eachRun(text, func(r run) {
		s := text[r.from:r.to]
		if r.unspaced {
			eachPair(s, func(from, to int) {
				pair := Fold(s[from:to])
				out = append(out, word{text: pair, open: utf8.RuneCountInString(pair) == 1})
			})
			return
		}
		part := false
		wordTerms(s, func(t string) {
			out = append(out, word{text: t, part: part})
			part = true
		})
	})
	return out
}

// unique drops repeated words and those beyond maxWords. Of equal words the last is
// kept, since it may be a prefix, and a whole word rather than a part.
func unique(in []word) []word {
	seen, whole := make(map[string]bool, len(in)), make(map[string]bool, len(in))
	for _, w := range in {
		whole[w.text] = whole[w.text] || !w.part
	}
	var out []word
	for _, w := range slices.Backward(in) {
		if !seen[w.text] && (!w.part || !whole[w.text]) {
			seen[w.text] = true
			out = append(out, w)
		}
	}
	slices.Reverse(out)
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
	case n >= 7:
		return 2
	case n >= 4:
		return 1
	}
	return 0
}

// plainWords returns the folded words of a text in order, and pairs of characters.
func plainWords(text string) []string {
	var out []string
	eachPlace(text, func(p place) { out = append(out, p.text) })
	return out
}

// wholeWords returns the words that are not parts of others.
func wholeWords(list []word) []string {
	var out []string
	for _, w := range list {
		if !w.part {
			out = append(out, w.text)
		}
	}
	return out
}

// nameWords returns the words of a name, as a query has them; nil when there are more than
// one has.
func nameWords(name string) []string {
	list := wholeWords(words(text.Collapse(name)))
	slices.Sort(list)
	if list = slices.Compact(list); len(list) > maxWords {
		return nil
	}
	return list
}

// normalKeyword is how types are compared.
func normalKeyword(s string) string { return Fold(strings.TrimSpace(s)) }

// normalTag is how tags are compared.
func normalTag(s string) string {
	return normalKeyword(strings.Trim(strings.TrimPrefix(strings.TrimSpace(s), "#"), "/"))
}
