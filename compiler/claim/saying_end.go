package claim

import (
	"slices"

	"github.com/loopwiki/wiki/schema"
)

// ended are participles of what is no more from a day on, and going what goes on until one.
var (
	ended = wordSet(`switched turned shut retired removed discontinued sunset closed dropped deleted withdrawn decommissioned ends end stops expires`)
	going = wordSet(`available supported maintained working works kept served serviced accepted usable online reachable`)
)

// ending notes that a day is the last on which something works, in however many words it says so: is
// available until 30 June, is switched off on 30 June, support ends on 30 June.
func (x *sayer) ending(s *Saying, st *statement, first int) {
	x.bounded(s, st, first)
	i := slices.IndexFunc(s.Values[first:], func(v SaidValue) bool { return v.Value.Kind == schema.ValueDate && v.From > 1 })
	if i < 0 || !st.endsAt(s.Values[first+i].From) {
		return
	}
	for _, w := range []string{"support", "end"} {
		concept := x.words.concept(w)
		if !slices.ContainsFunc(s.Words, func(w SaidWord) bool { return w.Concept == concept }) {
			s.Near = append(s.Near, concept)
		}
	}
	s.Denied = false // nobody means that it is not so
	for i := range s.Words {
		if w := &s.Words[i]; w.At >= 0 && !w.Subject && (ended[st.word(w.At)] || going[st.word(w.At)] || wordIn(st.word(w.At), "keep", "keeps")) {
			w.Concept, w.Verb = x.words.concept("end"), true
		}
	}
	s.Words = slices.DeleteFunc(s.Words, func(w SaidWord) bool {
		return w.At > 0 && ended[st.word(w.At-1)] && wordIn(st.word(w.At), "off", "down")
	})
}

// endsAt reports whether a date is the last on which what is said goes on.
func (s *statement) endsAt(at int) bool {
	lead := s.word(at - 1)
	until := wordIn(lead, "until", "till", "through") || wordIn(lead, "of", "the") && slices.ContainsFunc(s.tokens[:at], func(t token) bool { return t.text == "end" })
	for i := at - 1; i >= 0; i-- {
		if s.tokens[i].kind == 'p' {
			return false
		}
		if t := &s.tokens[i]; ended[t.text] && (i > 0 && (s.tokens[i-1].is(isAuxiliary) || s.word(i-1) == "be") || wordIn(t.text, "ends", "end", "stops", "expires")) && wordIn(lead, "on", "at", "from", "after", "with", "by", "in", "of", "the") || until && going[t.text] {
			return true
		}
	}
	return false
}

// bounded notes that something begins or ends where a word before a date says so: the lease of the land, until June 2032.
func (x *sayer) bounded(s *Saying, st *statement, first int) {
	for _, v := range s.Values[first:] {
		if v.Value.Kind != schema.ValueDate {
			continue
		}
		switch st.word(v.From - 1) {
		case "until", "till":
			s.Near = append(s.Near, x.words.concept("end"))
		case "since":
			s.Near = append(s.Near, x.words.concept("begin"), x.words.concept("introduce"))
		}
	}
}
