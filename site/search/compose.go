package search

import (
	"cmp"
	"slices"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/search/query"
)

// What a word in a field counts. A title says what a page is about, its text
// only what it mentions.
var fieldWeights = []struct {
	name   string
	weight float64
}{
	{fieldTitle, 8},
	{fieldNames, 4},
	{fieldHeadings, 2},
	{fieldBody, 1},
}

// What a match counts by how sure it is.
const (
	weightWritten = 1.0 // beside the stem, which the same word matches too
	weightStem    = 0.8
	weightOpen    = 0.3
	weightPart    = 0.3
	weightFuzzy   = 0.3
	weightExact   = 30 // the query is the page's whole name
)

// Queries are put together from bleve's parts and never parsed by it, so no
// text is an error. Two of its habits are avoided: a boolean query forgets a
// must clause that can match nothing, and an empty disjunction is an error.

// compose makes the query for at least least of q's words and all the rest of
// q. It returns nil when nothing can match.
func (ix *Index) compose(q *parsed, least int) (query.Query, error) {
	var all []query.Query
	if len(q.words) > 0 {
		var each []query.Query
		for i := range q.words {
			wq, err := ix.composeWord(&q.words[i])
			if err != nil {
				return nil, err
			}
			each = append(each, wq)
		}
		if least >= len(each) {
			all = append(all, each...)
		} else {
			d := bleve.NewDisjunctionQuery(each...)
			d.SetMin(float64(least))
			all = append(all, d)
		}
	}
	for _, p := range q.phrases {
		all = append(all, inFields(func(field string, weight float64) []query.Query {
			return []query.Query{phrase(field, p, weight)}
		}))
	}
	scored := len(all) > 0
	for _, t := range q.tags {
		all = append(all, is(fieldTag, t))
	}
	for _, t := range q.types {
		all = append(all, is(fieldType, t))
	}
	if !scored {
		all = append(all, bleve.NewMatchAllQuery())
	}
	main := both(all...)
	if q.exact == "" {
		return main, nil
	}
	// A page of exactly this name is found even if its words are too common
	// or too odd to be.
	exact := bleve.NewTermQuery(q.exact)
	exact.SetField(fieldExact)
	exact.SetBoost(weightExact)
	return bleve.NewDisjunctionQuery(main, exact), nil
}

// composeWord makes the query for one word in any field.
func (ix *Index) composeWord(w *word) (query.Query, error) {
	var failed error
	q := inFields(func(field string, weight float64) []query.Query {
		qs, err := ix.wordIn(w, field, weight)
		failed = cmp.Or(failed, err)
		return qs
	})
	return q, failed
}

func (ix *Index) wordIn(w *word, field string, weight float64) ([]query.Query, error) {
	var out []query.Query
	switch {
	case w.single():
		return ix.begins(field, w.pairs[0], weight)
	case len(w.pairs) == 1:
		return append(out, term(field, w.pairs[0], weight)), nil
	case w.pairs != nil:
		return append(out, phrase(field, w.pairs, weight)), nil
	}
	out = append(out, term(field, w.text, weight*weightWritten))
	if w.stem != w.text {
		out = append(out, term(field, w.stem, weight*weightStem))
	}
	if len(w.parts) > 0 {
		var parts []query.Query
		for _, p := range w.parts {
			parts = append(parts, term(field, p, weight*weightPart))
		}
		out = append(out, both(parts...))
	}
	if w.fuzz > 0 {
		f := bleve.NewFuzzyQuery(w.text)
		f.SetField(field)
		f.SetFuzziness(w.fuzz)
		f.SetBoost(weight * weightFuzzy)
		out = append(out, f)
	}
	if w.open {
		longer, err := ix.begins(field, w.text, weight*weightOpen)
		if err != nil {
			return nil, err
		}
		out = append(out, longer...)
	}
	return out, nil
}

// maxCompletions is how many words a beginning of one or two letters stands
// for, the most frequent ones; a longer one stands for all.
const maxCompletions = 64

// begins makes queries for the words that begin with prefix.
func (ix *Index) begins(field, prefix string, weight float64) ([]query.Query, error) {
	if len([]rune(prefix)) > 2 {
		q := bleve.NewPrefixQuery(prefix)
		q.SetField(field)
		q.SetBoost(weight)
		return []query.Query{q}, nil
	}
	dict, err := ix.bleve.FieldDictPrefix(field, []byte(prefix))
	if err != nil {
		return nil, err
	}
	defer dict.Close()
	type completion struct {
		term  string
		count uint64
	}
	var found []completion
	for {
		e, err := dict.Next()
		if err != nil {
			return nil, err
		}
		if e == nil {
			break
		}
		found = append(found, completion{e.Term, e.Count})
	}
	slices.SortFunc(found, func(a, b completion) int {
		return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.term, b.term))
	})
	out := []query.Query{term(field, prefix, weight)}
	for _, c := range found[:min(len(found), maxCompletions)] {
		if c.term != prefix {
			out = append(out, term(field, c.term, weight))
		}
	}
	return out, nil
}

// inFields makes one query of those that f gives for every field.
func inFields(f func(field string, weight float64) []query.Query) query.Query {
	var any []query.Query
	for _, fw := range fieldWeights {
		any = append(any, f(fw.name, fw.weight)...)
	}
	if len(any) == 0 {
		return bleve.NewMatchNoneQuery()
	}
	return bleve.NewDisjunctionQuery(any...)
}

func term(field, text string, weight float64) query.Query {
	q := bleve.NewTermQuery(text)
	q.SetField(field)
	q.SetBoost(weight)
	return q
}

func phrase(field string, terms []string, weight float64) query.Query {
	if len(terms) == 1 {
		return term(field, terms[0], weight)
	}
	q := bleve.NewPhraseQuery(terms, field)
	q.SetBoost(weight)
	return q
}

// is asks for a keyword, without a say in the score.
func is(field, value string) query.Query { return term(field, value, 0) }

func both(qs ...query.Query) query.Query {
	if len(qs) == 1 {
		return qs[0]
	}
	return bleve.NewConjunctionQuery(qs...)
}
