package claim

import (
	"slices"

	"github.com/loopwiki/wiki/schema"
)

// stateWords are words for a state in which a thing is, as a field gives it, each of one of the states that they are
// compared as. Sooner says that a thing may be so for a while only: it was switched off for the night.
type stateWords struct {
	words  []string
	state  string
	sooner bool
}

var (
	closings = statesOf("retired", false, "retired", "decommissioned", "discontinued", "superseded", "withdrawn", "abandoned", "phased out", "taken out of service", "defunct", "out of service", "out of use", "obsolete", "sunset")
	halts    = statesOf("retired", true, "shut down", "switched off", "turned off", "taken down", "taken offline", "removed", "archived", "replaced by", "closed down")
	lives    = statesOf("live", false, "live", "in production", "in use", "in service", "in operation", "operational", "active", "fully supported", "up and running", "in force", "in effect")
	pauses   = statesOf("suspended", false, "suspended", "on hold", "paused", "mothballed")
	grades   = slices.Concat(statesOf("deprecated", false, "deprecated"), statesOf("alpha", false, "alpha"), statesOf("beta", false, "beta"), statesOf("preview", false, "preview"), statesOf("pilot", false, "pilot"),
		statesOf("production", false, "production"), statesOf("prototype", false, "prototype"), statesOf("experimental", false, "experimental"), statesOf("stable", false, "stable"), statesOf("ga", false, "ga", "generally available"))
	allStates = slices.Concat(closings, halts, lives, pauses, grades)
)

func statesOf(state string, sooner bool, names ...string) (out []stateWords) {
	for _, name := range names {
		out = append(out, stateWords{split(name), state, sooner})
	}
	return out
}

// stateAt returns the longest of some words for states that begin at a token, and where they end.
func (s *statement) stateAt(i int, among []stateWords) (found *stateWords, to int) {
	for k := range among {
		w := &among[k]
		if !startsWith(s.tokens[i:], w.words) || i+len(w.words) <= to {
			continue
		}
		if t := &s.tokens[i]; t.link >= 0 || t.capital && i > 0 && !wordIn(t.text, "ga", "beta", "alpha") {
			continue
		}
		found, to = w, i+len(w.words)
	}
	return found, to
}

// inState adds in which state a sentence says that something is: the export is still in beta, has been generally available
// since May, was retired in March, is no longer in use.
func (x *sayer) inState(s *Saying, st *statement) {
	if len(s.Scope) > len(x.scope)+1 {
		return
	}
	for i := range st.tokens {
		if word, from, to, subject := st.isState(i); word != "" {
			x.giveState(s, st, word, from, to, subject)
			return
		}
	}
	x.madeState(s, st)
}

// linking are words between which and a state stands nothing but what says since when or how.
var linking = wordSet(`is are been remains stays became was were went got`)

// isState returns the state that a token begins, the tokens that say it, and where what is in that state ends; no state where
// the token begins none.
func (s *statement) isState(i int) (state string, from, to, subject int) {
	if s.lead > i {
		return "", 0, 0, 0
	}
	w, to := s.stateAt(i, allStates)
	if w == nil && s.former && wordIn(s.word(i), "used", "supported", "maintained", "available") {
		w, to = &stateWords{state: "retired"}, i+1
	}
	if w == nil {
		return s.goesOnRunning(i)
	}
	if i == 0 {
		if s.sinceWhen(to) && to < len(s.tokens) && w.state != "production" {
			return w.state, i, to, 0
		}
		return "", 0, 0, 0
	}
	if slices.ContainsFunc(s.tokens[max(0, i-7):i], func(t token) bool {
		return wordIn(t.text, "while", "when", "if", "until", "unless", "once", "whenever")
	}) {
		return "", 0, 0, 0 // in which case it is
	}
	k := i - 1
	for k > 0 && (wordIn(s.word(k), "in", "a", "an", "still", "now", "currently", "already", "yet", "only", "the", "public", "closed", "private", "since", "finally", "officially", "fully", "again") || s.word(k) == "longer" && s.word(k-1) == "no" || s.word(k) == "no" && s.word(k+1) == "longer") {
		k--
	}
	switch {
	case s.word(k) == "(" && k > 0 && k == i-1 && wordIn(s.word(to), ")", ","):
		return w.state, i, to, k
	case wordIn(s.word(k), ":", "–", "—") && k > 0 && (to == len(s.tokens) || s.tokens[to].kind == 'p' || s.sinceWhen(to)) && s.verb < 0:
		return w.state, i, to, k
	case !linking[s.word(k)], w.sooner && !s.forGood(to):
		return "", 0, 0, 0
	case s.past && !s.former && !(wordIn(s.word(k), "was", "were") && w.state == "retired"):
		return "", 0, 0, 0
	case wordIn(s.word(k), "was", "were") && w.state != "retired", s.word(k) == "went" && s.word(i) != "live":
		return "", 0, 0, 0
	case wordIn(s.word(to), "phase", "stage"):
		to++
	}
	if s.word(to-1) != "by" && to < len(s.tokens) && s.tokens[to].kind == 'w' && !s.tokens[to].is(isCondition|isWeak|isConjunction|isJoiner) && !s.sinceWhen(to) && !wordIn(s.word(to), "for", "again", "by") {
		return "", 0, 0, 0
	}
	if state = w.state; s.former {
		if state != "live" && state != "retired" && state != "production" && state != "stable" {
			return "", 0, 0, 0
		}
		state = "retired"
	}
	return state, i, to, k
}

// goesOnRunning is [statement.isState] for what is said still to run.
func (s *statement) goesOnRunning(i int) (state string, from, to, subject int) {
	if s.word(i) == "still" && i > 0 && wordIn(s.word(i+1), "runs", "run", "works", "work") && !s.negative && !s.past {
		return "live", i, i + 2, i
	}
	return "", 0, 0, 0
}

// sinceWhen reports whether what stands at a token says from when on something is so, or nothing does.
func (s *statement) sinceWhen(at int) bool {
	return at >= len(s.tokens) || wordIn(s.word(at), "since", "in", "on", "until", "with", "as", "from", "after", "last", ",", "(", "permanently")
}

// forGood reports whether what stands at a token says when something ended, and not for how long it did.
func (s *statement) forGood(at int) bool {
	if wordIn(s.word(at), "permanently", "last", "with") || s.word(at) == "for" && s.word(at+1) == "good" || at > 0 && s.word(at-1) == "by" {
		return true
	}
	if !wordIn(s.word(at), "in", "on", "since", "after") {
		return false
	}
	for i := at + 1; i < len(s.tokens) && i < at+5; i++ {
		if t := &s.tokens[i]; months[t.text] > 0 || t.kind == 'n' && len(t.text) == 4 || wordIn(t.text, "release", "version") {
			return true
		}
	}
	return false
}

// stateText reads the state that a field or a cell gives with more besides: in use at all shelters; pilot, until May. A field
// that is called otherwise gives one too, if it says nothing else: agreement: in force.
func (x *sayer) stateText(s *Saying, span schema.Span) {
	if len(s.Values) == 0 || s.Values[0].Class != "name" || s.Values[0].Span != span {
		return
	}
	status := SaidWord{Concept: x.words.concept("status"), Link: -1, At: -1, Label: true}
	labelled := slices.ContainsFunc(s.Words, func(w SaidWord) bool { return w.Label && w.Concept == status.Concept })
	v := &s.Values[0]
	if labelled && len(v.Value.Words) < 2 {
		return
	}
	tokens := (&tokenizer{page: x.page, words: x.words, link: x.linkFrom(span.Start)}).read(span)
	st := &statement{x: &x.extraction, tokens: tokens, verb: -1}
	if len(tokens) == 0 {
		return
	}
	w, to := st.stateAt(0, allStates)
	switch {
	case w == nil && st.word(0) == "current" && labelled && st.word(1) == ",":
		w, to = &stateWords{state: "live"}, 1
	case w == nil:
		return
	}
	if labelled && (to == len(tokens) || st.sinceWhen(to) || wordIn(st.word(to), "at", "by", "for", ";", ".")) {
		v.Value.Words = []string{w.state}
	} else if !labelled && to == len(tokens) && !w.sooner && s.From == schema.OriginFrontmatter && len(s.Words) > 0 && len(w.words) > 1 {
		v.Value.Words = []string{w.state}
		s.Words = append(s.Words, status)
	}
}

// giveState adds a state as the status of what stands before a token.
func (x *sayer) giveState(s *Saying, st *statement, word string, from, to, subject int) {
	x.giveStatus(s, st, word, from, to, func(w SaidWord) bool { return w.At >= 0 && w.At < subject })
}

// giveStatus adds a state as the status of what some words name.
func (x *sayer) giveStatus(s *Saying, st *statement, word string, from, to int, names func(SaidWord) bool) {
	p := *s
	p.Part, p.Values, p.Lists, p.Facts, p.Denied = true, nil, nil, nil, false
	p.Near = slices.Clone(s.Near)
	p.Scope = slices.DeleteFunc(slices.Clone(s.Scope), func(c string) bool { return said(st.tokens[from:to], c) })
	p.Words = []SaidWord{{Concept: x.words.concept("status"), Link: -1, At: -1, Label: true}}
	for _, w := range s.Words {
		if names(w) {
			p.Words = append(p.Words, w)
		}
	}
	if from == 0 {
		p.OfPage = true
	} else if len(p.Words) == 1 && !p.OfPage {
		return
	}
	span := schema.Span{Start: st.tokens[from].span.Start, End: st.tokens[to-1].span.End}
	p.Values = []SaidValue{{Span: span, Text: string(span.In(x.page.Source)), Class: "name", From: from, To: to, Value: schema.Value{Kind: schema.ValueName, Words: []string{word}}}}
	x.parts = append(x.parts, p)
}

// makers are who a sentence says that it ended something, or uses it.
var makers = wordSet(`we they`)

// madeState adds the state of what somebody is said to have ended, or to use still: we switched off the old importer last
// year, we still use it.
func (x *sayer) madeState(s *Saying, st *statement) {
	if len(st.tokens) < 3 || !makers[st.word(0)] || st.negative {
		return
	}
	state, at := "", 1
	if wordIn(st.word(at), "have", "still", "finally") {
		at++
	}
	to := at
	if w, end := st.stateAt(at, slices.Concat(closings, halts)); w != nil && (!w.sooner || slices.ContainsFunc(st.tokens, func(t token) bool { return t.kind == 'n' && len(t.text) == 4 || wordIn(t.text, "last", "permanently") })) {
		state, to = w.state, end
	} else if st.word(at-1) == "still" && wordIn(st.word(at), "use", "run", "operate") {
		state, to = "live", at+1
	}
	if state == "" {
		return
	}
	end := to
	for end < len(st.tokens) && st.tokens[end].kind != 'p' && !st.tokens[end].is(isCondition|isConjunction) && !wordIn(st.word(end), "last", "in", "on", "every", "for", "to") {
		end++
	}
	x.giveStatus(s, st, state, at, to, func(w SaidWord) bool { return w.At >= to && w.At < end })
}
