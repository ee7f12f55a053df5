package conflict

import (
	"slices"
	"sync"

	"github.com/loopwiki/wiki/compiler/claim"
)

// grades are labels of numbers that count nothing, as concepts.
var grades = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for _, word := range []string{"tier", "severity", "priority", "level", "grade", "rank", "criticality", "phase"} {
		set[claim.English().Concepts(word)[0]] = true
	}
	return set
})

// graded reports whether a label says that a number is a grade: tier 2.
func graded(a *mention) bool {
	return a.Counted == "" && slices.ContainsFunc(a.said.Saying.Words, func(w claim.SaidWord) bool { return w.Label && grades()[w.Concept] })
}

// countsElse reports whether a speaks of what b counts, and counts something else of it: an export has one
// commit, there are two exports.
func countsElse(a, b *mention) bool {
	return a.Counted != "" && b.Counted != "" && a.Counted != b.Counted && a.said.has(b.Counted)
}
