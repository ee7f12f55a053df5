package rules

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/schematest"
)

const nvkFixtures = "corpora/nvk-lint-fixtures"

// seeded are defects in copies of a clean wiki: the expected finding, as path:line rule,
// and other findings that it causes.
var seeded = map[string]struct{ defect, besides []string }{
	"bad-frontmatter": {defect: []string{"raw/articles/2026-01-01-sample-article.md:4 field-type"}},
	"broken-link":     {defect: []string{"wiki/concepts/sample-concept.md:19 broken-link", "wiki/concepts/sample-concept.md:25 broken-link"}},
	"broken-inline-body-link": {defect: []string{"inventory/items/trx4m-ring-and-pinion.md:44 broken-link",
		"wiki/concepts/sample-concept.md:19 broken-link", "wiki/concepts/sample-concept.md:25 broken-link"}},
	"duplicate-tags":   {defect: []string{"raw/articles/2026-01-01-sample-article.md:6 tag-taxonomy"}},
	"dead-index-entry": {defect: []string{"raw/articles/_index.md:8 index-dead-entry"}},
	"stale-index":      {defect: []string{"raw/articles/_index.md:8 index-missing-entry"}, besides: []string{"raw/articles/2026-01-03-unlisted.md:10 unused-source"}},
	"orphan-source":    {defect: []string{"raw/articles/2026-01-03-orphan.md:10 unused-source"}, besides: []string{"raw/articles/_index.md:7 index-missing-entry"}},
	"misplaced-file": {defect: []string{"wiki/references/sample-concept.md:3 misplaced-page"},
		besides: []string{"_index.md:16 broken-link", "wiki/concepts/_index.md:5 broken-link", "wiki/references/sample-reference.md:27 broken-link"}},
	"missing-index":       {defect: []string{"raw/articles/_index.md:1 missing-index"}, besides: []string{"raw/_index.md:4 broken-link"}},
	"missing-inventory":   {defect: []string{"inventory/_index.md:1 missing-index"}, besides: []string{"_index.md:31 broken-link"}},
	"missing-datasets":    {defect: []string{"datasets/_index.md:1 missing-index"}, besides: []string{"_index.md:32 broken-link"}},
	"missing-volatility":  {defect: []string{"wiki/concepts/sample-concept.md:1 missing-field"}},
	"dangling-source-ref": {defect: []string{"inventory/items/trx4m-ring-and-pinion.md:23 source-missing", "wiki/concepts/sample-concept.md:7 source-missing"}},
	"stale-article":       {defect: []string{"wiki/concepts/sample-concept.md:13 review-overdue"}},
	"retracted-marker":    {defect: []string{"wiki/concepts/sample-concept.md:32 retracted-source"}},
	"unknown-file":        {defect: []string{"raw/stray.txt:1 unknown-file"}},
}

// TestSeededDefects finds each defect at its line, and no error but those that
// it brings along.
func TestSeededDefects(t *testing.T) {
	t.Parallel()
	for name, want := range seeded {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := compilertest.Compile(t, schematest.Shared(t, filepath.Join(nvkFixtures, "defects", name)))
			res := lint(t, w)
			checkFindings(t, w, res)
			all := slices.Concat(want.defect, want.besides)
			var got []string
			for _, d := range res.Findings {
				at := fmt.Sprintf("%s:%d %s", d.Path, d.From.Line, d.Rule)
				got = append(got, at)
				if d.Severity == schema.Error && !slices.Contains(all, at) {
					t.Errorf("an error that is none: %s: %s", at, d.Message)
				}
			}
			for _, at := range all {
				if !slices.Contains(got, at) {
					t.Errorf("%s was not found; found were\n%s", at, strings.Join(got, "\n"))
				}
			}
		})
	}
}

// TestGoldenIsClean checks that the wiki without defects has no finding that
// asks for a change.
func TestGoldenIsClean(t *testing.T) {
	t.Parallel()
	res := lint(t, compilertest.Compile(t, schematest.Shared(t, filepath.Join(nvkFixtures, "golden-wiki"))))
	for _, d := range res.Findings {
		if d.Severity > schema.Info {
			t.Errorf("%s:%d: %s: %s [%s]", d.Path, d.From.Line, d.Severity, d.Message, d.Rule)
		}
	}
}
