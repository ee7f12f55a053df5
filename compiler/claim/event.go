package claim

import (
	"slices"

	"github.com/loopwiki/wiki/schema"
)

// ending makes one word of the verbs that say, with a word behind them and of a thing with a date,
// that it ends: it is switched off, shut down, phased out.
func (s *statement) ending(terms []schema.Term) []schema.Term {
	verb := slices.IndexFunc(terms, func(t schema.Term) bool { return t.Part == schema.PartVerb && off[t.Word] != "" })
	if verb < 0 {
		return terms
	}
	for i := s.verb; i+1 < len(s.tokens); i++ {
		if t := &s.tokens[i]; t.word == terms[verb].Word && s.tokens[i+1].text == off[t.word] {
			particle := s.tokens[i+1].word
			terms[verb].Word = s.x.words.concept("end")
			return slices.DeleteFunc(terms, func(t schema.Term) bool { return t.Word == particle && t.Link < 0 })
		}
	}
	return terms
}

// off are verbs that say of a thing that it ends, by what they are said with.
var off = map[string]string{stem("switch"): "off", stem("turn"): "off", stem("shut"): "down", stem("phase"): "out", stem("take"): "down", stem("go"): "away"}
