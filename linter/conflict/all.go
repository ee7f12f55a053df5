package conflict

import (
	"slices"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// All returns what [Search] finds, in its order, and then those of [Matches] that it does not.
func All(w *compiler.Wiki, claims func(*schema.Page) []schema.Claim, sayings func(*schema.Page) []claim.Saying) []schema.Conflict {
	out := Search(w, claims)
	return append(out, matchesBeside(w, out, sayings)...)
}

// matchesBeside returns the matches of a wiki that are between other lines than what is found.
func matchesBeside(w *compiler.Wiki, found []schema.Conflict, sayings func(*schema.Page) []claim.Saying) []schema.Conflict {
	known := knownLines{wiki: w, beside: map[pageLine]map[pageLine]bool{}}
	for i := range found {
		known.note(found[i].Sides)
	}
	return slices.DeleteFunc(Matches(w, sayings), func(c schema.Conflict) bool {
		return known.beside[lineOf(w, &c.Sides[0])][lineOf(w, &c.Sides[1])]
	})
}

// knownLines are the lines that are known to contradict each other, and those beside them: what
// is said in a sentence is not found twice.
type knownLines struct {
	wiki   *compiler.Wiki
	beside map[pageLine]map[pageLine]bool
}

// pageLine is a line of a page.
type pageLine struct {
	path string
	line int
}

func lineOf(w *compiler.Wiki, c *schema.Claim) pageLine {
	return pageLine{c.Path, w.Page(c.Page).Lines.Position(c.Span.Start).Line}
}

// note takes in that the sides of a conflict contradict each other.
func (k *knownLines) note(sides []schema.Claim) {
	for i := range sides {
		for j := range sides {
			if sides[i].Path == sides[j].Path {
				continue
			}
			a, b := lineOf(k.wiki, &sides[i]), lineOf(k.wiki, &sides[j])
			for _, da := range []int{-1, 0, 1} {
				at := pageLine{a.path, a.line + da}
				if k.beside[at] == nil {
					k.beside[at] = map[pageLine]bool{}
				}
				for _, db := range []int{-1, 0, 1} {
					k.beside[at][pageLine{b.path, b.line + db}] = true
				}
			}
		}
	}
}
