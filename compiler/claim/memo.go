package claim

import (
	"strings"
	"sync/atomic"

	"github.com/zeebo/xxh3"
)

// classes are what is known of a word, as bits.
type classes uint32

const (
	isDeterminer classes = 1 << iota
	isPronoun
	isAuxiliary
	isNegation
	isSubordinate
	isConjunction
	isJoiner
	isEmpty
	isQuantified
	isUnsaid
	isScope
	isCondition
	isWeak
	isNumber
	isVerb
	isLight
	isPhrase       // one of the lexicon's phrases begins with it
	isOpposite     // another word denies it
	isMoment       // a time or a date may begin with it
	isFigure       // a number may begin with it
	isCircumstance // what restricts nothing may begin with it
	isFilled       // a verb with a slot
	isActor        // a role or a team
	isWay          // a verb behind which names of some kinds stand
)

// met is a word that was met, and what it is.
type met struct {
	raw  string // as written
	text string // in lower case, without 's
	word string // the concept
	classes
}

// memo remembers the words met last, so that the few hundred that make up most of
// any text are looked up in all lists once. Its size is bounded, and it may be used
// from several goroutines.
type memo [4096]atomic.Pointer[met]

// longestWord bounds, in bytes, what is remembered.
const longestWord = 32

// meet returns what is known of a word.
func (l *Lexicon) meet(raw []byte) *met {
	if l.memo == nil { // the lexicon is being read
		return l.look(string(raw))
	}
	slot := &l.memo[xxh3.Hash(raw)%uint64(len(l.memo))]
	if m := slot.Load(); m != nil && m.raw == string(raw) {
		return m
	}
	m := l.look(string(raw))
	if len(raw) <= longestWord {
		slot.Store(m)
	}
	return m
}

// meetName is [Lexicon.meet] of a word that is part of a longer text.
func (l *Lexicon) meetName(raw string) *met {
	var b [longestWord]byte
	return l.meet(append(b[:0], raw...))
}

// look looks a word up.
func (l *Lexicon) look(raw string) *met {
	m := &met{raw: raw}
	m.text = strings.ToLower(m.raw)
	m.text = strings.TrimSuffix(strings.TrimSuffix(m.text, "'s"), "’s")
	m.word, m.classes = l.concept(m.text), l.classOf(m.text)
	return m
}

// leastIdentifier is from how many bytes on a word with digits is a number or an identifier, of which pages have more than of
// words: of the words of the lists, Q3 and 21st are shorter.
const leastIdentifier = 5

// classOf looks a word up in all lists.
func (l *Lexicon) classOf(w string) (c classes) {
	if len(w) >= leastIdentifier && !l.extended && strings.ContainsAny(w, "0123456789") {
		if conditionWords[w] {
			c = isScope
		}
		return c
	}
	for _, of := range [...]struct {
		list map[string]bool
		is   classes
	}{{determiners, isDeterminer}, {pronouns, isPronoun}, {auxiliaries, isAuxiliary}, {negations, isNegation}, {subordinate, isSubordinate}, {conjunctions, isConjunction},
		{joiners, isJoiner}, {emptyWords, isEmpty}, {quantified, isQuantified}, {unsaid, isUnsaid}, {conditionWords, isScope}, {l.condition, isCondition}, {l.weak, isWeak}} {
		if of.list[w] {
			c |= of.is
		}
	}
	if numberWord(w) != "" {
		c |= isNumber
	}
	concept := l.concept(w)
	for _, of := range [...]struct {
		is  classes
		yes bool
	}{{isVerb, l.verbs[concept] && !l.nouns[strings.TrimSuffix(w, "s")] && !l.nouns[w]}, {isLight, l.light[concept]}, {isPhrase, len(l.phrases[w]) > 0}, {isOpposite, l.opposite[concept] != opposite{} || denied(w) != ""},
		{isFilled, l.filled[stem(l.form(w))]},
		{isActor, l.actors[w]}, {isWay, l.ways[concept] != nil},
		{isCircumstance, len(l.circumstances[w]) > 0 || w == "to" || w == "for"},
		{isFigure, numberWord(w) != "" || adverbs[w] != "" || ordinals[w] != "" || wordIn(w, "a", "an", "every", "half", "single")}} {
		if of.yes {
			c |= of.is
		}
	}
	name, _, _ := strings.Cut(w, "-")
	if _, season := seasons[w]; season || momentWords[w] || weekdays[name] > 0 || months[w] > 0 {
		c |= isMoment
	}
	return c
}

// is reports whether a word is of a class.
func (c classes) is(of classes) bool { return c&of != 0 }

// is reports whether a token is a word of a class.
func (t *token) is(c classes) bool { return t.classes.is(c) }
