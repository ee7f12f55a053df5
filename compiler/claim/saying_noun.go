package claim

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// hyphen reports whether a token is the hyphen between a number and what it counts: 32-bit.
func (s *statement) hyphen(i int) bool {
	t := s.tokens
	return t[i].text == "-" && i > 0 && i+1 < len(t) && t[i-1].kind == 'n' && t[i-1].span.End == t[i].span.Start && t[i].span.End == t[i+1].span.Start
}

// articles are words behind which a verb is a noun: on every build agent, the start. After that
// and this a verb may follow.
var articles = wordSet(`the a an every its their our your`)

// nounBehind reports whether a word that may be a verb is a noun by what stands before it.
func (s *statement) nounBehind(i int) bool { return i > 0 && articles[s.tokens[i-1].text] }

// perPiece takes the conditions off a price that only name what it is paid for: 540 EUR for each
// production server.
func (s *statement) perPiece(said *Saying, first int) {
	priced := false
	for _, v := range said.Values[first:] {
		priced = priced || isMoney(&v.Value)
	}
	if !priced {
		return
	}
	t := s.tokens
	for i := 1; i+2 < len(t); i++ {
		if !wordIn(t[i].text, "each", "every", "per") || !t[i+1].is(isScope) || t[i+2].kind != 'w' || t[i+2].is(isCondition|isVerb|isJoiner|isAuxiliary) {
			continue
		}
		said.Scope = slices.DeleteFunc(slices.Clone(said.Scope), func(c string) bool { return c == t[i+1].text })
	}
}

// isMoney reports whether a value is an amount of money, or one of a time.
func isMoney(v *schema.Value) bool {
	d := strings.TrimPrefix(string(v.Quantity.Dimension), "rate:")
	return v.Kind == schema.ValueQuantity && strings.HasPrefix(d, "money:")
}

// releaseOf adds the number of the release that a row is of to the labels, where its column says
// that it is one.
func (x *sayer) releaseOf(s *Saying, t *schema.Table, row []schema.Cell) {
	number := strings.TrimPrefix(strings.ToLower(plainText(row[0].Text)), "v")
	if _, _, ok := versionInterval(number); ok && strings.Contains(number, ".") && !isVersion(number) && anyWord(t.Head[0].Text, releaseHeads) {
		s.Words = append(s.Words, SaidWord{Concept: number, Link: -1, At: -1, Label: true})
	}
}
