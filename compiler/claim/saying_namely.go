package claim

import (
	"slices"

	"github.com/loopwiki/wiki/schema"
)

// namely adds the names that a sentence puts in behind a noun of which they are all: four roles, namely
// learner, tutor and dean; the states of a ticket, which are new, open and closed.
func (x *sayer) namely(s *Saying, tokens []token) {
	st := &statement{x: &x.extraction, tokens: tokens, verb: -1}
	for i := 1; i+3 < len(tokens); i++ {
		from, noun := st.putIn(i)
		if from == 0 || tokens[noun].kind != 'w' || !plural(tokens[noun].text) {
			continue
		}
		items, to := st.namesFrom(from)
		if len(items) < 3 || to < len(tokens) && tokens[to].kind != 'p' || slices.Contains(items, "") ||
			slices.ContainsFunc(tokens[:i], func(t token) bool { return t.is(isNegation) || wordIn(t.text, "was", "were", "had") }) {
			continue
		}
		slices.Sort(items)
		set := schema.Value{Kind: schema.ValueSet, Items: slices.Compact(items), Closed: true, Words: []string{tokens[noun].word}}
		x.listing(s, st, from, to, set)
		return
	}
}

// putIn returns where the names begin that are put in at a token, and the noun that they are of; 0 for
// none. The noun stands before the mark, or before "of" and what it is of.
func (s *statement) putIn(i int) (from, noun int) {
	switch {
	case s.word(i) == "namely":
		from = i + 1
	case s.word(i) == "which" && s.word(i+1) == "are":
		from = i + 2
	default:
		return 0, 0
	}
	noun = i - 1
	if s.word(noun) == "," {
		noun--
	}
	for k := noun - 1; k > 0 && k > noun-4; k-- {
		if s.word(k) == "of" {
			noun = k - 1
			break
		}
	}
	return from, max(noun, 0)
}
