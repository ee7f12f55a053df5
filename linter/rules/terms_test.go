package rules

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
)

// TestManyTerms looks for thousands of terms in pages made of nothing else:
// each page reports a bounded number, and one cause is one finding.
func TestManyTerms(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("-- wiki.yaml --\nterms:\n")
	for i := range 3000 {
		fmt.Fprintf(&b, "  term%d of it: word%d\n", i, i)
	}
	fmt.Fprintf(&b, "-- a.md --\n# A\n\nThe term7 of\nit, term8 of, term2999 of it.\n-- many.md --\n%s\n", strings.Repeat("term1 of it \"term1 of it\" ", 5000))
	found := lint(t, compilertest.Compile(t, compilertest.Write(t, b.String())), "forbidden-term").Findings
	if len(found) != 3 || found[0].Message != `"term7 of it" is a term to avoid (wiki.yaml); write "word7"` || found[0].Fixes != nil ||
		len(found[1].Fixes) != 1 || found[1].Fixes[0].Edits[0].Text != "word2999" || found[2].Count != mostOnPage {
		t.Errorf("findings %+v", found)
	}
}

// A term that is both avoided and preferred is left alone, so that no fix undoes
// another.
func TestContradictoryTermsHaveNoFix(t *testing.T) {
	t.Parallel()
	dir := compilertest.Write(t, "-- wiki.yaml --\nterms: {job: task, task: job, chore: job}\n-- a.md --\n# A\n\nA job, a task, a chore.\n")
	w := compilertest.Compile(t, dir)
	if n := applySafe(t, w, lint(t, w, "forbidden-term")); n != 1 {
		t.Errorf("%d fixes, want 1", n)
	}
	got, err := os.ReadFile(filepath.Join(dir, "a.md"))
	if err != nil {
		t.Fatal(err)
	}
	if want := "# A\n\nA job, a task, a job.\n"; string(got) != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
