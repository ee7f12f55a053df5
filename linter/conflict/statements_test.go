package conflict

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/compiler/compilertest"
)

// TestStatementsAreToldAgain tells every claim while the one before is forgotten, and again
// from its number, in any order.
func TestStatementsAreToldAgain(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"testdata/skerry-line/wiki", "testdata/kestrel-pay/wiki", compilertest.Write(t, stating(30))} {
		f := newFinder(compilertest.Compile(t, dir))
		f.locate(claim.Of)
		all := f.newStatements()
		var want []string
		for i, c := range f.claims {
			f.forget()
			s, spelt := all.tell(c)
			if s == nil {
				continue
			}
			all.note(i, s, spelt)
			if !slices.Contains(spelt, s) {
				spelt = append([]*said{s}, spelt...)
			}
			for _, s := range spelt {
				want = append(want, retold(s))
			}
		}
		f.forget()
		all.full = make([]*said, len(all.claim))
		if len(want) != len(all.claim) || len(want) < len(f.claims)/2 {
			t.Fatalf("%s: %d statements of %d claims, want %d", dir, len(all.claim), len(f.claims), len(want))
		}
		for _, n := range rand.New(rand.NewPCG(1, 1)).Perm(len(want)) {
			if got := retold(all.at(int32(n))); got != want[n] {
				t.Fatalf("%s: statement %d is %s, want %s", dir, n, got, want[n])
			}
		}
		for n := range want { // of which nothing was handed out twice
			if got := retold(all.at(int32(n))); got != want[n] {
				t.Fatalf("%s: statement %d became %s, want %s", dir, n, got, want[n])
			}
		}
	}
}

func retold(s *said) string {
	return fmt.Sprintf("%q", []any{s.Path, s.Text, fmt.Sprint(s.Value), s.explicit, s.own, s.names, s.words, s.verbs, s.cond, s.figures, s.hard, s.topic, s.verbal,
		fmt.Sprint(s.implicit, s.weak, s.attr, s.key, s.modal, s.named, s.row)})
}
