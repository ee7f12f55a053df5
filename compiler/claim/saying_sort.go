package claim

import (
	"slices"

	"github.com/loopwiki/wiki/schema"
)

// sortNouns are plural nouns for what others choose from, or go through: what they are said to be are names, in lower
// case too.
var sortNouns = wordSet(`zones states phases stages levels types kinds sorts roles classes environments plans tiers modes formats colours colors sizes categories queues topics regions statuses priorities
	channels grades severities shifts languages units methods sources targets areas districts teams models editions variants profiles layers`)

// sorts adds the names that a sentence gives to what there is of such a noun, or that something goes through: the zones
// of the park are north, south and lake; a plan goes through draft, review and archived. It reports whether there are
// any.
func (x *sayer) sorts(s *Saying, st *statement) bool {
	t := st.tokens
	for i := 1; i+4 < len(t); i++ {
		noun := ""
		switch {
		case t[i].text == "are":
			for k := i - 1; k >= 0 && k > i-6 && t[k].kind == 'w'; k-- {
				if sortNouns[t[k].text] && (k == i-1 || wordIn(t[k+1].text, "of", "in", "for")) {
					noun = t[k].word
				}
			}
		case t[i].text == "through" && wordIn(t[i-1].text, "goes", "go", "passes", "pass", "moves", "move", "runs", "run"):
			noun = x.words.concept("state")
		}
		if noun == "" || slices.ContainsFunc(t[:i], func(t token) bool { return t.is(isNegation|isNumber) || wordIn(t.text, "some", "other", "most", "all") }) {
			continue
		}
		items, to := st.namesFrom(i + 1)
		if len(items) < 3 || to < len(t) && t[to].kind != 'p' {
			continue
		}
		slices.Sort(items)
		before := len(s.Lists)
		x.listing(s, st, i+1, to, schema.Value{Kind: schema.ValueSet, Closed: true, Items: slices.Compact(items), Words: []string{noun}})
		return len(s.Lists) > before
	}
	return false
}
