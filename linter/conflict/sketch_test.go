package conflict

import (
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema/schematest"
)

// What a sketch lets pass is what looking all words up lets pass.
func TestSketchesHideNoWord(t *testing.T) {
	t.Parallel()
	m := newMatcher(compilertest.Compile(t, schematest.Shared(t, "eval/contradictions/wiki")))
	var all []*told
	for _, x := range m.all {
		if len(all) == 0 || all[len(all)-1] != x.said {
			all = append(all, x.said)
		}
	}
	alike := func(a, b string) bool {
		return len(a) >= leastRoot && len(b) >= leastRoot && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a))
	}
	said, taken, roots := 0, 0, 0
	for i, s := range all {
		for _, u := range all[max(0, i-40):i] {
			for k := range s.words {
				w := &s.words[k]
				has, soft, root := u.has(w.Concept), u.soft[w.Concept], false
				for _, o := range u.words {
					root = root || alike(w.Concept, o.Concept)
				}
				if u.says(w) != has || u.grants(w) != soft || u.resembles(w) != root {
					t.Errorf("%q beside %q: %t, %t and %t, want %t, %t and %t", w.Concept, u.Span.In(u.page.Source), u.says(w), u.grants(w), u.resembles(w), has, soft, root)
				}
				for n, yes := range map[*int]bool{&said: has, &taken: soft, &roots: root} {
					if yes {
						*n++
					}
				}
			}
		}
	}
	if said == 0 || taken == 0 || roots == 0 {
		t.Errorf("%d said, %d taken for granted and %d of a root: want some of each", said, taken, roots)
	}
}
