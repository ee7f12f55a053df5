package claim

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// role is a role or a team that a clause names: the head of security, Team Harbour.
type role struct {
	from, to int      // its tokens, without an article
	words    []string // what tells which, then what it is: security head
	definite bool     // the, or a proper name
	only     bool
	person   bool // only its name is said, or that of a team or a program
}

// others are words of which nobody can tell whom they mean without the page.
var others = wordSet(`other another same next new more own respective relevant appropriate former previous acting any every each no all some neither either your their his her its my`)

// doer adds what the role whose noun stands at a token does, or has done to something.
func (x *sayer) doer(s *Saying, st *statement, i int) {
	if i+1 < len(st.tokens) && st.tokens[i+1].is(isActor) {
		return // the team lead
	}
	if r, ok := st.roleAt(i); ok {
		x.active(s, st, &r)
		x.passive(s, st, &r)
	}
}

// person adds what a person, or a team of which only the name is said, does: behind by.
func (x *sayer) person(s *Saying, st *statement, by int) {
	from, to := st.name(by + 1)
	if to == from || to > from+3 || st.tokens[from].link >= 0 || listed(st.tokens, to) || st.goesOn(to) ||
		slices.ContainsFunc(st.tokens[from:to], func(t token) bool { return t.is(isActor) || t.kind != 'w' }) {
		return
	}
	x.passive(s, st, &role{from: from, to: to, words: split(st.source(from, to)), definite: true, person: true})
}

// sending are verbs of what goes to somebody.
var sending = wordSet(`send sends sent go goes report reports reported forward forwarded escalate escalated mail mailed deliver delivered address addressed pass passed page paged assign assigned`)

// receiver adds to which role something goes: alerts are sent to the shift lead.
func (x *sayer) receiver(s *Saying, st *statement, i int) {
	r, ok := st.roleAt(i)
	at := r.from - 1
	for at > 0 && st.tokens[at].is(isDeterminer) {
		at--
	}
	if !ok || at < 1 || st.word(at) != "to" || i+1 < len(st.tokens) && st.tokens[i+1].is(isActor) || st.past || st.negative || st.goesOn(r.to) {
		return
	}
	for k := at - 1; k > 0 && k > at-4; k-- {
		if !sending[st.word(k)] {
			continue
		}
		if st.unsure(k) {
			return
		}
		v := SaidValue{Class: "class:who:" + x.words.concept("receive"), From: r.from, To: r.to, May: st.besides(), Value: schema.Value{Kind: schema.ValueName, Words: r.words}}
		x.part(s, st, &filler{value: v, verb: x.words.concept("receive"), from: k, to: at + 1})
		return
	}
}

// besides reports whether a sentence tells of one of several who get something.
func (s *statement) besides() bool {
	return slices.ContainsFunc(s.tokens, func(t token) bool {
		return wordIn(t.text, "also", "too", "copy", "cc", "copies", "additionally", "can", "may")
	})
}

// sentTo adds to which person something goes whose name stands behind a token: errors are reported to Petra Quist.
func (x *sayer) sentTo(s *Saying, st *statement, to int) {
	from, end := st.name(to + 1)
	if end < from+2 || end > from+3 || st.past || st.negative || st.unsure(to-1) || st.tokens[from].link >= 0 || listed(st.tokens, end) || st.goesOn(end) ||
		slices.ContainsFunc(st.tokens[from:end], func(t token) bool { return t.is(isActor) || t.kind != 'w' }) {
		return
	}
	v := SaidValue{Class: "class:who:" + x.words.concept("receive"), From: from, To: end, May: st.besides(), Value: schema.Value{Kind: schema.ValueName, Words: split(st.source(from, end))}}
	x.part(s, st, &filler{value: v, verb: x.words.concept("receive"), from: to - 1, to: to + 1})
}

// belongs adds whose something is said to be: belongs to Petra Quist, its owner, Petra Quist.
func (x *sayer) belongs(s *Saying, st *statement, i int) {
	at := i + 1
	switch {
	case wordIn(st.word(i), "belongs", "belong") && st.word(i+1) == "to":
		at++
	case wordIn(st.word(i), "owner", "maintainer") && st.word(i+1) == "," && i > 0 && wordIn(st.word(i-1), "its", "the", "their"):
		at++
	default:
		return
	}
	from, to := st.name(at)
	if to < from+2 || to > from+3 || st.past || st.negative || st.tokens[from].link >= 0 || listed(st.tokens, to) || st.goesOn(to) {
		return
	}
	words := x.words.roleWords(st.source(from, to))
	if words == nil {
		words = split(st.source(from, to))
	}
	v := SaidValue{Class: "class:who:" + x.words.concept("own"), From: from, To: to, Value: schema.Value{Kind: schema.ValueName, Words: words}}
	x.part(s, st, &filler{value: v, verb: x.words.concept("own"), from: i, to: at})
}

// named adds what somebody does with whose name a sentence begins: Petra Quist approves changes.
func (x *sayer) named(s *Saying, st *statement) {
	t := st.tokens
	to := 0
	for to < len(t) && to < 4 && t[to].capital && t[to].kind == 'w' && t[to].link < 0 && !t[to].is(isActor|isDeterminer|isPronoun|isCondition|isNumber) && !t[to].calendar() && x.words.classes[t[to].text] == "" {
		to++
	}
	if to < 2 || to > 3 || to >= len(t) || t[to].kind != 'w' || t[to].is(isActor|isJoiner) {
		return
	}
	x.active(s, st, &role{from: 0, to: to, words: split(st.source(0, to)), definite: true, person: true})
}

// roleAt returns the role whose noun stands at a token.
func (s *statement) roleAt(head int) (r role, ok bool) {
	t := s.tokens
	from := head
	for from > 0 && head-from < 4 && s.modifies(from-1) {
		from--
	}
	before := from - 1
	switch {
	case before < 0, t[before].is(isCondition|isJoiner|isWeak|isNumber) || t[before].kind == 'p':
		proper := t[head].capital && (head+1 < len(t) && t[head+1].capital || head > from && t[head-1].capital)
		r.definite = plural(t[head].text) || proper // Team Harbour
	case t[before].is(isDeterminer):
		if others[t[before].text] {
			return r, false
		}
		r.definite = !wordIn(t[before].text, "a", "an")
		before--
	case !wordIn(t[before].text, "only", "by", "have", "let", "ask", "get", "tell", "make"):
		return r, false
	}
	for before > 0 && t[before].is(isNumber) {
		before--
	}
	if r.only = before >= 0 && s.restricts(before); before > 0 && wordIn(t[before].text, "and", "or") && (t[before-1].is(isActor) || t[before-1].capital) {
		return r, false // the lead and the manager
	}
	r.from, r.to = from, head+1
	for _, w := range t[from:head] {
		if others[w.text] {
			return r, false
		}
		if !w.is(isNumber) {
			r.words = append(r.words, w.text)
		}
	}
	what := t[head].text
	if single, cut := strings.CutSuffix(what, "s"); cut && s.x.words.actors[single] && !s.x.words.ranks[what] {
		what = single
	}
	if more, to, fits := s.roleOf(head); fits {
		r.words, r.to = append(r.words, more...), to
	} else if more != nil || to > r.to {
		return r, false
	}
	if r.to < len(t) && t[r.to].link >= 0 && t[r.to].link == t[r.to-1].link {
		return r, false
	}
	r.words = append(r.words, what)
	return r, s.x.words.specific(r.words) || r.only
}

// modifies reports whether a token can stand before the noun of a role: billing, release, on-call.
func (s *statement) modifies(i int) bool {
	t := &s.tokens[i]
	return t.kind == 'w' && !t.is(isDeterminer|isPronoun|isAuxiliary|isCondition|isNegation|isJoiner|isWeak|isNumber) && !clauseMarks[t.text] &&
		!wordIn(t.text, "only", "have", "let", "ask", "get", "tell", "make", "by", "will", "of", "then", "than", "as") && (i > 0 || !t.is(isVerb) || t.is(isActor))
}

// restricts reports whether a word says that nobody else does it: only, nobody but.
func (s *statement) restricts(i int) bool {
	t := s.tokens
	return wordIn(t[i].text, "only", "solely", "exclusively") || t[i].text == "by" && i > 0 && wordIn(t[i-1].text, "only", "solely", "exclusively") ||
		i > 0 && (wordIn(t[i].text, "but", "except", "outside") || t[i].text == "than" && t[i-1].text == "other") && slices.ContainsFunc(t[:i], func(t token) bool { return wordIn(t.text, "nobody", "none", "no") })
}

// roleOf reads what stands behind the noun of a role and belongs to it: of security, on call,
// Harbour. fits is false where it is another thing.
func (s *statement) roleOf(head int) (words []string, to int, fits bool) {
	t, k := s.tokens, head+1
	switch {
	case k+1 < len(t) && t[k].text == "on" && wordIn(t[k+1].text, "call", "duty"):
		return []string{"on-" + t[k+1].text}, k + 2, true
	case k < len(t) && t[k].text == "of":
		if k++; k < len(t) && t[k].is(isDeterminer) {
			if others[t[k].text] {
				return nil, k + 1, false
			}
			k++
		}
		from := k
		for k < len(t) && k < from+3 && s.modifies(k) && (k == from || !t[k].is(isVerb) || k+1 < len(t) && t[k+1].is(isVerb|isAuxiliary)) {
			words = append(words, t[k].text)
			k++
		}
		return words, k, len(words) > 0
	}
	for k < len(t) && k < head+3 && t[k].capital && t[k].kind == 'w' && t[k].link == t[head].link && t[head].capital && !t[k].calendar() {
		words = append(words, t[k].text)
		k++
	}
	return words, k, true
}

// specific reports whether words name one role of a house: a manager is none.
func (l *Lexicon) specific(words []string) bool {
	return len(words) > 1 || len(words) == 1 && !l.ranks[words[0]]
}

// roleWords returns the words of a role, a team or a person as a field gives it, in the order
// of those of sentences.
func (l *Lexicon) roleWords(text string) []string {
	words := slices.DeleteFunc(split(plainText(text)), func(w string) bool { return determiners[w] })
	if i := slices.Index(words, "of"); i > 0 && l.actors[words[i-1]] {
		words = slices.Concat(words[:i-1], words[i+1:], words[i-1:i])
	} else if len(words) > 1 && l.actors[words[0]] && !l.actors[words[len(words)-1]] {
		words = append(words[1:], words[0])
	}
	if len(words) > 5 || len(words) == 0 || !l.specific(words) || slices.ContainsFunc(words, func(w string) bool { return others[w] || emptyWords[w] }) {
		return nil
	}
	return words
}

// active adds what a role is said to do: only the release manager promotes a build.
func (x *sayer) active(s *Saying, st *statement, r *role) {
	t, k := st.tokens, r.to
	if k+3 < len(t) && wordIn(t[k].text, "in", "at", "from", "for") {
		k = st.beyond(k + 1)
	}
	may, only, helped := false, r.only, false
	for ; k < len(t) && t[k].kind == 'w'; k++ {
		switch w := &t[k]; {
		case wordIn(w.text, "can", "may"):
			may, helped = true, true
		case wordIn(w.text, "allowed", "permitted", "entitled", "able", "authorised", "authorized", "right"):
			may, helped = true, true
		case wordIn(w.text, "must", "shall", "will", "to"):
			helped = true
		case wordIn(w.text, "alone", "only"):
			only = true
		case wordIn(w.text, "has", "have", "is", "are", "need", "needs") && k+1 < len(t) && (t[k+1].text == "to" || k+2 < len(t) && t[k+2].text == "to" || wordIn(t[k+1].text, "responsible", "accountable")):
		case wordIn(w.text, "always", "then", "finally", "usually", "normally", "personally", "directly"):
		default:
			act, known, to := x.words.act(t, k)
			if wordIn(w.text, "runs", "run") && collectives[r.words[len(r.words)-1]] {
				act, known, to = x.words.concept("own"), true, k+1 // what a team runs is its own
			}
			if act == "" || !x.does(st, r, k, helped) {
				return
			}
			v := SaidValue{Class: "class:who:" + act, From: r.from, To: r.to, Only: only, May: may || !known || !r.definite || st.tokens[0].is(isConjunction), Value: schema.Value{Kind: schema.ValueName, Words: r.words}}
			x.part(s, st, &filler{value: v, verb: act, from: k, to: to})
			x.besides(s, st, &v, to)
			return
		}
	}
}

// besides adds what somebody is said to do behind a colon, and or a semicolon: checks the spelling and approves the name.
func (x *sayer) besides(s *Saying, st *statement, who *SaidValue, from int) {
	t := st.tokens
	for k := from; k+1 < len(t); k++ {
		if !t[k].is(isVerb) || !plural(t[k].text) || t[k].capital || !wordIn(st.word(k-1), "and", ";", ",", "then", ":", "–", "—") {
			continue
		}
		act, known, to := x.words.act(t, k)
		if act == "" || !t[k+1].is(isDeterminer) && !known && !wordIn(st.word(k-1), ":", "–", "—") {
			continue
		}
		end := k + 1
		for end < len(t) && !(t[end].is(isVerb) && plural(t[end].text) && wordIn(st.word(end-1), "and", ";", ",", "then")) && t[end].text != ";" {
			end++
		}
		v := *who
		v.Class, v.May = "class:who:"+act, !known || slices.ContainsFunc(t[who.To:k], func(t token) bool { return wordIn(t.text, "may", "can") })
		before := len(x.parts)
		x.part(s, st, &filler{value: v, verb: act, from: k, to: to})
		for i := range x.parts[before:] {
			p := &x.parts[before+i]
			p.Words = slices.DeleteFunc(p.Words, func(w SaidWord) bool { return w.At >= 0 && (w.At < k || w.At >= end) })
		}
	}
}

// beyond returns where what is told of a role's place ends: in the control room.
func (s *statement) beyond(from int) int {
	end := min(from+5, len(s.tokens))
	for k := from; k < end && s.tokens[k].kind == 'w'; k++ {
		if s.tokens[k].is(isAuxiliary) {
			return k
		}
	}
	for k := from; k < end && s.tokens[k].kind == 'w'; k++ {
		if k > from && s.tokens[k].is(isVerb) && plural(s.tokens[k].text) {
			return k
		}
	}
	return len(s.tokens)
}

// does reports whether the verb at a token is one of the role before it: promotes, or promote
// where another verb or more than one person asks for it.
func (x *sayer) does(st *statement, r *role, k int, helped bool) bool {
	w := &st.tokens[k]
	if w.capital || w.link >= 0 || strings.HasSuffix(w.text, "ing") || strings.HasSuffix(w.text, "ed") && !strings.HasSuffix(w.text, "eed") || st.past {
		return false
	}
	if wordIn(w.text, "responsible", "accountable") {
		return true
	}
	asked := slices.ContainsFunc(st.tokens[max(0, r.from-2):r.from], func(t token) bool { return wordIn(t.text, "have", "let", "make", "ask", "tell", "get") })
	return plural(w.text) || helped || asked || plural(st.tokens[r.to-1].text)
}

// passive adds by whom something is done: is signed off by the head of security.
func (x *sayer) passive(s *Saying, st *statement, r *role) {
	t, by := st.tokens, r.from-1
	for by >= 0 && (t[by].is(isDeterminer) || t[by].text == ":") {
		by--
	}
	if by < 1 || !wordIn(t[by].text, "by", "of", "from") || st.past || st.goesOn(r.to) {
		return
	}
	for k := by - 1; k >= 0 && k >= by-6 && t[k].kind != 'p'; k-- {
		act, known, to := x.words.act(t, k)
		if act == "" || t[k].kind != 'w' || t[k].is(isAuxiliary) {
			continue
		}
		noun := !participle(&t[k], st.x.words)
		if noun != (t[by].text != "by") && !(noun && known && !plural(t[k].text)) || noun && !known {
			continue
		}
		only := r.only || st.restricts(by)
		is := noun || k == 0 || t[k-1].text == ":"
		may := false
		for i := max(0, k-4); i < k; i++ {
			is = is || t[i].is(isAuxiliary) || wordIn(t[i].text, "be", "being", "get", "gets")
			may = may || wordIn(t[i].text, "can", "may")
			only = only || t[i].text == "only" && i+1 < k
			if wordIn(t[i].text, "also", "should", "could", "would", "might", "was", "were", "been", "not", "never") {
				return
			}
		}
		if is {
			if r.person && t[k].text == "kept" && r.to > r.from+1 {
				act, known = x.words.concept("own"), true // somebody keeps the list, with a first and a last name
			}
			if r.person && !known {
				return // a program, for all one knows
			}
			v := SaidValue{Class: "class:who:" + act, From: r.from, To: r.to, Only: only, May: may || !known || st.tokens[0].is(isConjunction), Value: schema.Value{Kind: schema.ValueName, Words: r.words}}
			x.part(s, st, &filler{value: v, verb: act, from: k, to: max(to, by)})
		}
		return
	}
}

// participle reports whether a verb is one of the passive.
func participle(t *token, l *Lexicon) bool {
	form := l.forms[t.text]
	return strings.HasSuffix(t.text, "ed") || form != "" && form != t.text && !plural(t.text) && !strings.HasSuffix(t.text, "ing")
}

// goesOn reports whether behind a name there is more of it, or another one: the manager console,
// the lead and the owner.
func (s *statement) goesOn(at int) bool {
	if at >= len(s.tokens) || s.tokens[at].kind == 'p' && s.tokens[at].text != "/" && s.tokens[at].text != "," && s.tokens[at].text != "&" {
		return false
	}
	t := &s.tokens[at]
	if wordIn(t.text, "and", "or", "/", "&", ",") {
		for i := at + 1; i < len(s.tokens) && i < at+6; i++ {
			if s.tokens[i].is(isActor) || i < at+3 && s.tokens[i].capital && s.tokens[i].link < 0 {
				return true
			}
		}
		return t.text == "/" || t.text == "&"
	}
	return t.kind != 'w' || !t.is(isCondition|isWeak|isJoiner|isAuxiliary|isNegation|isDeterminer|isPronoun|isEmpty) && !clauseMarks[t.text] && !strings.HasSuffix(t.text, "ly") && !wordIn(t.text, "before", "after", "within", "first", "only", "alone", "beforehand", "every", "once")
}

// act returns what the words at a token say is done, whether one role alone does it as a rule,
// and where they end.
func (l *Lexicon) act(t []token, at int) (act string, known bool, to int) {
	w := &t[at]
	if at+1 < len(t) {
		if act = l.acts[w.word+" "+t[at+1].text]; act != "" {
			return act, true, at + 2
		}
	}
	if act = l.acts[w.word]; act != "" {
		return act, true, at + 1
	}
	if w.is(isLight|isAuxiliary|isDeterminer|isCondition|isEmpty) || !w.is(isVerb) && !unlisted(t, at) {
		return "", false, at
	}
	return w.word, false, at + 1
}

// unlisted reports whether a word that the lexicon does not know is used as a verb: promotes the
// build, is promoted by.
func unlisted(t []token, at int) bool {
	w := &t[at]
	if w.kind != 'w' || w.capital || w.word == "" || at+1 >= len(t) {
		return false
	}
	if next := &t[at+1]; strings.HasSuffix(w.text, "ed") {
		return next.text == "by" || next.text == "only"
	} else {
		return at > 0 && (plural(w.text) || wordIn(t[at-1].text, "may", "can", "must", "to")) && next.is(isDeterminer)
	}
}

// described adds what a role does that a line describes which begins with it: **Operations manager:** approves the opening
// of every slope; Pavel Dusek, collection manager: signs every loan.
func (x *sayer) described(s *Saying, st *statement) {
	t := st.tokens
	colon := slices.IndexFunc(t, func(t token) bool { return wordIn(t.text, ":", "–", "—") })
	if colon < 1 || colon > longestTerm+3 || colon+2 >= len(t) || !t[colon-1].is(isActor) || st.past || st.negative {
		return
	}
	from := colon - 1
	for from > 0 && t[from-1].kind == 'w' {
		from--
	}
	words := x.words.roleWords(st.source(from, colon))
	if words == nil {
		return
	}
	v := SaidValue{From: from, To: colon, Value: schema.Value{Kind: schema.ValueName, Words: words}}
	x.besides(s, st, &v, colon+1)
}
