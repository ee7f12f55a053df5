package conflict

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// refusals are words that say of what is beyond a limit that it is not let through; those that
// are also nouns do so as verbs only.
var refusals = map[string]bool{"refus": true, "reject": true, "den": true, "deny": true, "declin": true, "discard": true, "forbid": true,
	"drop": false, "turn": false, "skip": false, "block": false, "fail": false}

// limitOf returns which limit a mention says its value is. What is refused beyond a value is let
// through up to it, and what is refused below it, from it on.
func limitOf(a *mention) schema.Bound {
	bound := a.Value.Quantity.Bound
	if bound == schema.Exactly || beyond(a) || deniesWords(a.said) || !slices.ContainsFunc(a.said.Saying.Words, func(w claim.SaidWord) bool { return w.At >= a.To && refuses(a.said.Saying.Words, w) }) {
		return bound
	}
	if bound == schema.AtLeast {
		return schema.AtMost
	}
	return schema.AtLeast
}

// deniesWords reports whether a saying denies what its words say: is not rejected. [told.Denied]
// is also true of rejected.
func deniesWords(t *told) bool {
	return slices.ContainsFunc(strings.Fields(string(t.Span.In(t.page.Source))), func(w string) bool {
		return w == "not" || w == "never" || w == "no" || strings.HasSuffix(w, "n't")
	})
}

// refuses reports whether a word says that something is not let through: is rejected, is turned
// away.
func refuses(words []claim.SaidWord, said claim.SaidWord) bool {
	always, known := refusals[said.Concept]
	if said.Concept == "turn" {
		return slices.ContainsFunc(words, func(w claim.SaidWord) bool {
			return w.At == said.At+1 && (w.Concept == "away" || w.Concept == "down")
		})
	}
	return known && (always || said.Verb)
}

// labels reports whether a word of a saying is the number of a version, with a v before or without: version 1, the v1 API.
func labels(t *told, number string) bool {
	return number[0] >= '0' && number[0] <= '9' && (t.has(number) || t.has("v"+number))
}
