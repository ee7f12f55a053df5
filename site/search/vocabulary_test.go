package search

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
	x := NewCollector()
	for _, text := range texts {
		want := map[string]uint64{}
		Terms(text, func(term string) { want[term] = min(want[term]+1, maxWeight) })
		got := map[string]uint64{}
		x.Analyze(Document{Sections: []compiler.Section{{Text: text}}}).unpack(func(_ int, id, weight uint32) { got[x.terms[id]] = uint64(weight) })
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("terms of %q (-want +got):\n%s", text, diff)
		}
	}
}
