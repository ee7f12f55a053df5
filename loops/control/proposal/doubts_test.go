package proposal

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/linter/judge"
	_ "github.com/loopwiki/wiki/linter/rules"
	"github.com/loopwiki/wiki/loops/audit"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/schema"
)

const doubtful = `-- wiki.yaml --
version: 1
-- wiki/gateway.md --
# Gateway

The gateway drops its old readings after step 4 of the plan.
-- wiki/audit.md --
# Audit

See [[gateway]]. The gateway drops its old readings after step 7 of the plan.
-- wiki/index.md --
# Index

- [[gateway]]
- [[audit]]
`

// An auditor is shown the doubts that nobody has decided, with both places, and
// what a judge has decided is a finding of the linter or not shown at all.
func TestAuditEvidenceHoldsDoubts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		ruling linter.Ruling
		doubts int
		lint   int
	}{{"nobody judged", linter.Unjudged, 1, 0}, {"can't tell", linter.Unclear, 1, 0}, {"both hold", linter.Compatible, 0, 0}, {"not the same", linter.Unrelated, 0, 0}, {"contradicts", linter.Contradictory, 0, 1}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			dir := compilertest.Write(t, doubtful)
			keepVerdict(t, dir, c.ruling)
			r := &audit.Repository{}
			if err := New(&repo.Repo{Root: dir, Now: time.Now}).wikiEvidence(t.Context(), dir, r); err != nil {
				t.Fatal(err)
			}
			judged := 0
			for _, f := range r.Lint {
				if strings.HasPrefix(f.Message, "judged-contradiction: ") {
					judged++
				}
			}
			if len(r.Doubts) != c.doubts || judged != c.lint {
				t.Fatalf("%d doubts and %d judged contradictions, want %d and %d: %+v %+v", len(r.Doubts), judged, c.doubts, c.lint, r.Doubts, r.Lint)
			}
			if c.doubts == 0 {
				return
			}
			prompt := audit.Request{}.Prompt(&audit.Evidence{Repository: r}).Text
			for _, want := range []string{
				"## Possible contradictions between pages",
				"wiki/audit.md:3: The gateway drops its old readings after step 7 of the plan.",
				"wiki/gateway.md:3: The gateway drops its old readings after step 4 of the plan.",
			} {
				if !strings.Contains(prompt, want) {
					t.Errorf("the prompt lacks %q", want)
				}
			}
		})
	}
}

// alike is a judge with one answer.
type alike string

func (alike) Name() string { return "alike" }

func (a alike) Ask(_ context.Context, prompt string) ([]byte, error) {
	quotes := []string{"step 4", "step 7"}
	if strings.Index(prompt, quotes[1]) < strings.Index(prompt, quotes[0]) {
		slices.Reverse(quotes)
	}
	return fmt.Appendf(nil, `{"verdicts": [{"id": 1, "ruling": %q, "quote_a": %q, "quote_b": %q}]}`, string(a), quotes[0], quotes[1]), nil
}

// keepVerdict writes the verdict that a judge gives who answers everything alike.
func keepVerdict(t *testing.T, dir string, ruling linter.Ruling) {
	t.Helper()
	if ruling == linter.Unjudged {
		return
	}
	name := map[linter.Ruling]string{linter.Compatible: "both-hold", linter.Unrelated: "not-the-same", linter.Unclear: "cannot-tell", linter.Contradictory: "contradicts"}[ruling]
	w := compilertest.Compile(t, dir)
	court := (&judge.Judge{Backend: alike(name), Budget: 5}).Of(w)
	if _, err := linter.Run(t.Context(), w, linter.Config{Judge: court}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, filepath.FromSlash(schema.VerdictsFile))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, court.Next.JSONL(), 0o666); err != nil {
		t.Fatal(err)
	}
}
