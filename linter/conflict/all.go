package conflict

import (
	"slices"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// All returns what [Search] finds, in its order, and then those of [Matches] that it does not.
func All(w *compiler.Wiki, claims func(*schema.Page) []schema.Claim, sayings func(*schema.Page) []claim.Saying) []schema.Conflict {
	found, matches := joined(w, claims, sayings)
	return append(found, matches...)
}

// joined returns what is found and what is matched, each contradiction in one of them. What
// one of them doubts and the other reports is reported.
func joined(w *compiler.Wiki, claims func(*schema.Page) []schema.Claim, sayings func(*schema.Page) []claim.Saying) (found, matches []schema.Conflict) {
	reported := func(c *schema.Conflict) bool { return c.Score >= Warns }
	doubted := func(c *schema.Conflict) bool { return c.Score < Warns }
	found = Search(w, claims)
	matches = slices.DeleteFunc(Matches(w, sayings), linesOf(w, found, reported).have)
	likely := linesOf(w, matches, reported)
	found = slices.DeleteFunc(found, func(c schema.Conflict) bool { return doubted(&c) && likely.have(c) })
	unsure := linesOf(w, found, doubted)
	return found, slices.DeleteFunc(matches, func(c schema.Conflict) bool { return doubted(&c) && unsure.have(c) })
}

// linesOf returns the lines of some conflicts.
func linesOf(w *compiler.Wiki, all []schema.Conflict, of func(*schema.Conflict) bool) *knownLines {
	k := &knownLines{wiki: w, beside: map[pageLine]map[pageLine]bool{}}
	for i := range all {
		if of(&all[i]) {
			k.note(all[i].Sides)
		}
	}
	return k
}

// have reports whether the first two sides of a conflict are known to contradict each other.
func (k *knownLines) have(c schema.Conflict) bool {
	return k.beside[lineOf(k.wiki, &c.Sides[0])][lineOf(k.wiki, &c.Sides[1])]
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
