package claim

import (
	"slices"
	"strings"
)

// A circumstance is what stands in a sentence beside its statement. Most restrict it, and
// are conditions: for members, in winter, on the backup dish. Those that are left out here
// restrict nothing, whoever reads them: why it is so, what for, since when, who says
// so, what the writer thinks of it.

// longestPhrase bounds, in tokens, a circumstance without a comma behind it.
const longestPhrase = 10

// plainer returns a sentence without what restricts nothing, valid until the next call. Most
// sentences are returned as they are.
func (x *extraction) plainer(tokens []token) []token {
	first := 0
	for first < len(tokens) && tokens[first].classes&isCircumstance == 0 && tokens[first].text != "," && tokens[first].text != "(" {
		first++
	}
	if first == len(tokens) {
		return tokens
	}
	out := append(x.scratch.plain[:0], tokens[:first]...)
	defer func() { x.scratch.plain = out }()
	for i := first; i < len(tokens); {
		n := x.circumstance(tokens, out, i)
		if n == 0 {
			out = append(out, tokens[i])
			n = 1
		} else if i+n < len(tokens) && tokens[i+n].text == "," && (len(out) == 0 || out[len(out)-1].text == ",") {
			n++ // the comma behind it
		}
		i += n
	}
	return out
}

// circumstance returns how many tokens at i restrict nothing. before is what is kept of
// those before i.
func (x *extraction) circumstance(tokens, before []token, i int) int {
	t := &tokens[i]
	opening := len(before) == 0 || before[len(before)-1].text == ","
	switch {
	case t.link >= 0:
	case t.text == ",":
		return x.inserted(tokens, i)
	case t.text == "(":
		return x.bracketed(tokens, i)
	case !t.is(isCircumstance):
	case t.text == "to":
		return x.purpose(tokens, before, i)
	case t.text == "for":
		if n := reasons(tokens[i:]); n > 0 {
			return n
		}
		fallthrough
	default:
		return x.known(tokens, i, opening)
	}
	return 0
}

// known returns how long the longest circumstance of the lexicon at i is.
func (x *extraction) known(tokens []token, i int, opening bool) (most int) {
	for _, p := range x.words.circumstances[tokens[i].text] {
		n := len(p.words)
		if !startsWith(tokens[i:], p.words) || n <= most {
			continue
		}
		switch end := i + n; {
		case p.words[0] == "since" && i > 0 && tokens[i-1].text == "," && end < len(tokens) && x.opens(tokens[end:]):
			n = 0 // a clause of its own
		case p.words[0] == "free" && !slices.ContainsFunc(tokens, func(t token) bool { return t.kind == 'n' || t.is(isNumber) && !t.is(isDeterminer) }):
			n = 0 // which is what is said
		case p.name == "reason" && opening:
			n = introduced(tokens, i, end)
		case p.name == "reason":
			n = closing(tokens, i, end)
		case opening, end == len(tokens), tokens[end].text == ",", n == 1 && strings.HasSuffix(p.words[0], "ly"):
		default:
			n = 0 // in all cases
		}
		most = max(most, n)
	}
	return most
}

// introduced returns how long a circumstance is that a clause begins with and that goes on
// behind end: to its comma, or to the article of the subject.
func introduced(tokens []token, from, end int) int {
	for i := end + 1; i < len(tokens) && i < from+longestPhrase; i++ {
		t := &tokens[i]
		switch {
		case t.text == ",":
			return i - from
		case t.is(isAuxiliary|isConjunction|isPronoun|isNegation) || t.kind == 'n' && !yearOrVersion(tokens, i):
			return 0
		case t.is(isDeterminer) && tokens[i-1].text != "of" && !tokens[i-1].is(isCondition|isJoiner):
			return i - from
		}
	}
	return 0
}

// closing returns how long a circumstance is that a clause ends with and that goes on behind
// end: to the comma, or to what may restrict the statement after all.
func closing(tokens []token, from, end int) int {
	i := end
	for i < len(tokens) && tokens[i].text != "," && tokens[i].text != "(" && tokens[i].text != ":" {
		t := &tokens[i]
		if restricting[t.text] && i > end {
			break
		}
		if t.kind == 'n' && !yearOrVersion(tokens, i) || t.is(isNumber) && t.text != "a" && t.text != "an" || t.is(isJoiner|isNegation) {
			return 0
		}
		i++
	}
	if i == end || i-from > longestPhrase {
		return 0
	}
	return i - from
}

// restricting are the words of a circumstance that may belong to the statement.
var restricting = wordSet(`in at on during when if unless with without except outside inside among via through until under while where only`)

// yearOrVersion reports whether a number says since when: since 2019, as of version 2.
func yearOrVersion(tokens []token, i int) bool {
	before := tokens[i-1].text
	return before == "version" || before == "release" || months[before] > 0 || before == "since" && len(tokens[i].text) == 4
}

// purpose returns how long "to" with a verb is that says what for: to save gas. What a thing
// takes, needs or has is there for what follows, which then is what is said.
func (x *extraction) purpose(tokens, before []token, i int) int {
	if i+1 >= len(tokens) || !x.infinitive(&tokens[i+1]) {
		return 0
	}
	if len(before) == 0 {
		for j := i + 2; j < len(tokens) && j < i+2*longestPhrase; j++ {
			if tokens[j].text == "," {
				return j - i
			}
			if tokens[j].kind == 'n' || tokens[j].is(isAuxiliary|isConjunction) && tokens[j].text != "as" {
				break
			}
		}
		return introduced(tokens, i, i+2)
	}
	verb := x.verb(before, 0)
	if verb < 0 || verb+1 >= len(before) || before[len(before)-1].is(isAuxiliary|isCondition) {
		return 0
	}
	valued := false
	for j := verb; j < len(before); j++ {
		switch before[j].word {
		case "take", "need", "requir", "have", "pric", "spend", "allow", "give", "get", "want", "leav", "wait", "last":
			return 0
		}
		valued = valued || before[j].kind == 'n' || before[j].is(isNumber|isFigure)
	}
	if !valued {
		return 0
	}
	return closing(tokens, i, i+1)
}

// infinitive reports whether a word can be the plain form of a verb.
func (x *extraction) infinitive(t *token) bool {
	return t.kind == 'w' && t.link < 0 && !t.capital && !t.is(isDeterminer|isNumber) && !plural(t.text) && !strings.HasSuffix(t.text, "ed") && !strings.HasSuffix(t.text, "ing") &&
		(t.text == "be" || t.is(isVerb) || x.words.purposes[t.text])
}

// reasons returns how long "for" with a reason is: for safety reasons, for reasons of hygiene.
func reasons(tokens []token) int {
	for i := 1; i < len(tokens) && i < 5; i++ {
		t := &tokens[i]
		if t.kind != 'w' || t.is(isCondition|isAuxiliary) {
			return 0
		}
		if !wordIn(t.text, "reasons", "reason", "sake", "simplicity", "convenience", "clarity", "completeness") {
			continue
		}
		if i++; i+1 < len(tokens) && tokens[i].text == "of" {
			for i += 2; i < len(tokens) && tokens[i].kind == 'w' && tokens[i-1].is(isDeterminer); i++ {
			}
		}
		return i
	}
	return 0
}

// inserted returns how long what stands between two commas before the verb is: a relative
// clause, what was done to the subject, what it is besides.
func (x *extraction) inserted(tokens []token, i int) int {
	if i == 0 || i > 6 || i+2 >= len(tokens) || tokens[0].is(isCondition|isConjunction) || x.verb(tokens[:i], 0) >= 0 {
		return 0
	}
	first := &tokens[i+1]
	if !wordIn(first.text, "which", "who", "whose") && !first.is(isDeterminer) && !(first.kind == 'w' && strings.HasSuffix(first.text, "ed")) {
		return 0
	}
	for j := i + 2; j+1 < len(tokens) && j < i+2*longestPhrase; j++ {
		if tokens[j].text != "," {
			continue
		}
		if verb := &tokens[j+1]; verb.is(isAuxiliary) || verb.kind == 'w' && verb.is(isVerb) && !verb.capital && !strings.HasSuffix(verb.text, "ing") {
			if wordIn(first.text, "which", "who", "whose") {
				x.asides = append(x.asides, slices.Concat(tokens[:i], tokens[i+2:j]))
			}
			return j + 1 - i
		}
		return 0
	}
	return 0
}

// bracketed returns how long brackets are that hold a sentence of its own, or the
// abbreviation of what stands before them.
func (x *extraction) bracketed(tokens []token, i int) int {
	end := i + 1
	for end < len(tokens) && tokens[end].text != ")" {
		if tokens[end].kind == 'n' {
			return 0
		}
		end++
	}
	if end == len(tokens) || end == i+1 {
		return 0
	}
	inner := tokens[i+1 : end]
	if len(inner) == 1 && initials(tokens[:i], inner[0].text) || inner[0].is(isDeterminer|isPronoun) && x.opens(inner) {
		return end + 1 - i
	}
	return 0
}

// initials reports whether a word is made of the first letters of the words before it.
func initials(words []token, of string) bool {
	n := len(of)
	if n < 2 || n > len(words) {
		return false
	}
	for i, t := range words[len(words)-n:] {
		if t.text == "" || t.text[0] != of[i] {
			return false
		}
	}
	return true
}
