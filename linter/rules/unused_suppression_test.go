package rules

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

// TestSuppressionsWithoutTheirReason checks that findings that mislead need a reason,
// and that a suppression without one is reported.
func TestSuppressionsWithoutTheirReason(t *testing.T) {
	t.Parallel()
	all := linter.Rules()
	unused := all[slices.IndexFunc(all, func(r *linter.Rule) bool { return r.ID == "unused-suppression" })]
	stale := &linter.Rule{ID: "stale", Group: linter.Sources, Severity: schema.Error, NeedsReason: true, CheckPage: func(p *linter.Pass, page *schema.Page) {
		if i := strings.Index(string(page.Source), "stale"); i == 0 {
			p.Report(page.Path, schema.Span{Start: i, End: i + 5}, "no longer so")
		}
	}}
	const lacks = "suppressing stale requires a reason; write it after --, or as reason: in the front matter"
	for page, want := range map[string][]string{
		"stale <!-- wiki-lint-disable-line stale -- it is a quotation -->": nil,
		"stale <!-- wiki-lint-disable-line stale -->":                      {"stale: no longer so", "unused-suppression: " + lacks},
		"stale <!-- wiki-lint-disable-line stale -- -->":                   {"stale: no longer so", "unused-suppression: " + lacks},
		"stale <!-- wiki-lint-disable-line -->": {"stale: no longer so",
			"unused-suppression: suppressing a contradiction or an outdated claim requires a reason; write it after --, or as reason: in the front matter"},
		"stale <!-- wiki-lint-disable-line -- all of it is quoted -->":            nil,
		"fresh <!-- wiki-lint-disable-line stale -->":                             {"unused-suppression: " + lacks},
		"fresh <!-- wiki-lint-disable-line stale -- once -->":                     {"unused-suppression: stale reports nothing here; remove the suppression"},
		"fresh <!-- wiki-lint-disable-line stale, unused-suppression -- once -->": nil, // as it says itself
	} {
		w := compilertest.Compile(t, compilertest.Write(t, "-- a.md --\n"+page+"\n"))
		res, err := linter.Run(t.Context(), w, linter.Config{Rules: []*linter.Rule{stale, unused}})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, d := range res.Findings {
			got = append(got, fmt.Sprintf("%s: %s", d.Rule, d.Message))
			if d.Rule == unused.ID && strings.Contains(d.Message, "reason") && len(d.Fixes) > 0 {
				t.Errorf("%s: a fix takes away what only lacks its reason", page)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s:\n%s", page, diff)
		}
	}
}
