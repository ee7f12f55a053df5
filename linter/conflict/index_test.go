package conflict

import (
	"fmt"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
)

// titleOf returns a title that is not a value: two words and a number.
func titleOf(n int) string {
	syllables := []string{"bra", "ke", "mol", "nu", "pi", "sto", "vel", "wa"}
	one, two := syllables[n%8]+syllables[n/8%8]+syllables[n/64%8], syllables[(n+3)%8]+syllables[(n/8+5)%8]+syllables[n/64%8]
	return fmt.Sprintf("%s %s %d", one, two, n)
}

// Texts differ and never exclude each other, so that no number of titles makes a form
// by itself: the bound keeps a wiki of thousands of pages from comparing all with all.
func TestKindsStopsAtTheBound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pages, kinds int
		form         bool
	}{
		{mostKinds, mostKinds, false},
		{mostKinds + 1, mostKinds + 1, true},
		{3 * mostKinds, mostKinds + 1, true},
	} {
		var archive strings.Builder
		for i := range c.pages {
			fmt.Fprintf(&archive, "-- p%03d.md --\n---\ntitle: %s\n---\n\nText.\n", i, titleOf(i))
		}
		w := compilertest.Compile(t, compilertest.Write(t, archive.String()))
		l := claim.NewLexicon(&schema.ClaimsConfig{})
		x := newIndex(&Input{Wiki: w, Lexicon: l, Facts: func(p *schema.Page) *claim.Facts { return l.Facts(p) }})
		var refs []ref
		for i := range x.groups {
			for k := range x.groups[i].Cells {
				refs = append(refs, ref{int32(i), int32(k)})
			}
		}
		if len(refs) != c.pages {
			t.Fatalf("%d pages have %d cells", c.pages, len(refs))
		}
		if kinds, form := x.kinds(refs...); len(kinds) != c.kinds || form != c.form {
			t.Errorf("%d titles: %d kinds, form %v; want %d, %v", c.pages, len(kinds), form, c.kinds, c.form)
		}
	}
}
