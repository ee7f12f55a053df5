package rules

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/schematest"
)

// judged are the errors on wikis that nobody here wrote, counted by rule and
// with what each stands for. Every one of them was read and found right: the
// images and tours that are left out of the copies, links that their authors
// left broken on purpose, anchors of headings that were worded otherwise, and a
// page kept for history that says it supersedes the one that superseded it.
var judged = map[string]map[string]int{
	"olas":     {"broken-link": 1, "relation-cycle": 1},
	"golden":   {},
	"vault":    {"broken-link": 3, "broken-wikilink": 2},
	"docs":     {"broken-image": 103, "link-escapes-root": 25},
	"codebase": {"broken-link": 174, "broken-anchor": 85},
}

func TestCorpora(t *testing.T) {
	t.Parallel()
	for _, c := range compilertest.Corpora {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			w := compilertest.Compile(t, schematest.Shared(t, c.Path))
			res := lint(t, w)
			checkFindings(t, w, res)
			got := map[string]int{}
			for _, d := range res.Findings {
				if d.Severity == schema.Error {
					got[d.Rule] += d.Count
				}
			}
			if fmt.Sprint(got) != fmt.Sprint(judged[c.Name]) {
				t.Errorf("errors by rule: %v, judged %v", got, judged[c.Name])
				for _, d := range res.Findings {
					if d.Severity == schema.Error && judged[c.Name][d.Rule] != got[d.Rule] {
						t.Logf("%s:%d:%d: %s [%s]", d.Path, d.From.Line, d.From.Column, d.Message, d.Rule)
					}
				}
			}
		})
	}
}

// TestSeededDefects finds what somebody put wrong into copies of a clean wiki,
// each at its line, and nothing worse.
func TestSeededDefects(t *testing.T) {
	t.Parallel()
	for defect, want := range map[string][]string{
		"bad-frontmatter": {"raw/articles/2026-01-01-sample-article.md:4 field-type"},
		"broken-link":     {"wiki/concepts/sample-concept.md:19 broken-link", "wiki/concepts/sample-concept.md:25 broken-link"},
		"broken-inline-body-link": {"inventory/items/trx4m-ring-and-pinion.md:44 broken-link",
			"wiki/concepts/sample-concept.md:19 broken-link", "wiki/concepts/sample-concept.md:25 broken-link"},
		"duplicate-tags":     {"raw/articles/2026-01-01-sample-article.md:6 tag-taxonomy"},
		"dead-index-entry":   {"raw/articles/_index.md:8 broken-link"},
		"misplaced-file":     {"_index.md:16 broken-link", "wiki/concepts/_index.md:5 broken-link", "wiki/references/sample-reference.md:27 broken-link"},
		"missing-index":      {"raw/_index.md:4 broken-link"},
		"missing-inventory":  {"_index.md:31 broken-link"},
		"missing-datasets":   {"_index.md:32 broken-link"},
		"missing-volatility": {"wiki/concepts/sample-concept.md:1 missing-field"},
	} {
		t.Run(defect, func(t *testing.T) {
			t.Parallel()
			golden := lint(t, compilertest.Compile(t, schematest.Shared(t, "corpora/nvk-lint-fixtures/golden-wiki")))
			var clean []string
			for _, d := range golden.Findings {
				clean = append(clean, d.Fingerprint)
			}
			res := lint(t, compilertest.Compile(t, schematest.Shared(t, filepath.Join("corpora/nvk-lint-fixtures/defects", defect))))
			var got []string
			for _, d := range res.Findings {
				at := fmt.Sprintf("%s:%d %s", d.Path, d.From.Line, d.Rule)
				known := slices.Contains(clean, d.Fingerprint) || d.Rule == "unreachable" // what a missing index cuts off
				if !known && d.Rule != "unlinked-mention" && d.Rule != "dead-end" {
					got = append(got, at)
				}
			}
			if strings.Join(got, "\n") != strings.Join(want, "\n") {
				t.Errorf("found\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

// BenchmarkLint compiles a generated wiki and runs every rule that is on;
// beside it goldmark reads and parses the same pages.
func BenchmarkLint(b *testing.B) {
	dir := b.TempDir()
	compilertest.Generate(b, dir, 2000)
	b.Run("goldmark", func(b *testing.B) {
		for b.Loop() {
			compilertest.Goldmark(b, dir, "")
		}
	})
	b.Run("wiki", func(b *testing.B) {
		for b.Loop() {
			if _, err := linter.Run(b.Context(), compilertest.Compile(b, dir), linter.Config{Today: today}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkAllRules runs every rule that is on over a generated wiki.
func BenchmarkAllRules(b *testing.B) {
	dir := b.TempDir()
	compilertest.Generate(b, dir, 2000)
	w := compilertest.Compile(b, dir)
	for b.Loop() {
		if _, err := linter.Run(b.Context(), w, linter.Config{Today: today}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(w.Pages()))*float64(b.N)/b.Elapsed().Seconds(), "pages/s")
}
