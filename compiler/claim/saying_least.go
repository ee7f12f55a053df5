package claim

import (
	"slices"

	"github.com/loopwiki/wiki/schema"
)

// fewer are words that a limit begins with which names what is too little, where it is denied.
var fewer = wordSet(`less fewer below under smaller shorter lower lighter younger earlier cheaper`)

// atLeast reports whether a sentence denies what is below a limit, which then is the least: nothing
// leaves with less than 30 %, the pump does not start below 5 °C. What is denied must be done with
// so much; whatever else has a limit is another thing.
func (s *statement) atLeast(v *found) bool {
	if v.value.Quantity.Bound != schema.AtMost || !fewer[s.tokens[v.from].text] || v.from < 2 {
		return false
	}
	if before := &s.tokens[v.from-1]; before.text != "with" && before.text != "at" && (!before.is(isVerb) || before.is(isAuxiliary)) {
		return false
	}
	if slices.ContainsFunc(s.tokens, func(t token) bool { return wordIn(t.text, "unless", "except", "if", "when") }) {
		return false // in some cases it is done
	}
	denied := 0
	for i := v.from - 1; i >= 0 && !clauseMarks[s.tokens[i].text] && s.tokens[i].kind != 'p'; i-- {
		if s.tokens[i].is(isNegation) {
			denied++
		}
	}
	return denied == 1
}
