package conflict

import (
	"testing"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
)

// What one of grammar and words doubts is no doubt where the other is sure.
func TestNoDoubtOfWhatIsReported(t *testing.T) {
	t.Parallel()
	doubts := 0
	for _, set := range []string{"brook-meter", "pewter-hr", "quill-db"} {
		w := compilertest.Compile(t, "testdata/"+set+"/wiki")
		all := All(w, claim.English().Claims, claim.English().Sayings)
		reported := linesOf(w, all, func(c *schema.Conflict) bool { return c.Score >= Warns })
		for _, c := range all {
			if c.Score >= Warns {
				continue
			}
			if doubts++; reported.have(c) {
				t.Errorf("%s: %s and %s are reported and doubted", set, c.Sides[0].Text, c.Sides[1].Text)
			}
		}
	}
	if doubts == 0 {
		t.Error("nothing is doubted")
	}
}
