package checkin_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/loopwiki/wiki/loops/control/checkin"
)

func TestMarkdown(t *testing.T) {
	t.Parallel()
	r := checkin.Report{
		At: time.Date(2026, 3, 1, 23, 30, 0, 0, time.FixedZone("east", 2*3600)), Atomic: 2, Composed: 1,
		Checks: []checkin.Check{
			{Name: "lint", Command: "wiki lint", OK: true, Detail: "no findings\n"},
			{Name: "specs", Command: "wiki loop spec validate a.yaml", Detail: "a.yaml: x | y\n" + strings.Repeat("long ", 40)},
			{Name: "links", OK: true, Detail: "0 files"}, // nothing to repeat
		},
	}
	want := `# Daily check-in — 2026-03-01 UTC

**Status:** RED (2/3 checks passed)

**Loop library:** 2 atomic + 1 composed specs

## Checks

| Check | Result | Detail |
|---|---|---|
| lint | pass | no findings |
| specs | **FAIL** | a.yaml: x \| y ` + strings.Repeat("long ", 21) + `…` + ` |
| links | pass | 0 files |

## Reproduce locally

` + "```sh" + `
wiki lint
wiki loop spec validate a.yaml
` + "```" + `

_Generated 2026-03-01T21:30:00Z by wiki loop checkin_
`
	if diff := cmp.Diff(want, r.Markdown()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	r.Checks = r.Checks[:1]
	if text := r.Markdown(); !r.OK() || !strings.Contains(text, "**Status:** GREEN (1/1 checks passed)") {
		t.Errorf("all passed, but:\n%s", text)
	}
}
