package index

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/compiler"
)

// Words that are read without a string each are those that Terms yields.
func TestPlainTextHasItsTerms(t *testing.T) {
	t.Parallel()
	texts := append([]string{strings.Repeat("a", maxShort), strings.Repeat("b", maxShort+1) + " Zz9 z"}, samples...)
	x := New()
	for _, text := range texts {
		want := map[string]uint64{}
		Terms(text, func(term string) { want[term]++ })
		got := map[string]uint64{}
		x.Analyze(Document{Sections: []compiler.Section{{Text: text}}}).unpack(func(id, weight uint64) { got[x.terms[id]] = weight })
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("terms of %q (-want +got):\n%s", text, diff)
		}
	}
}
