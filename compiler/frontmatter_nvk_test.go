package compiler

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/schematest"
)

// TestNvkFields checks what the nvk dialect asks of the pages in each folder
// against a clean wiki, and against copies with one seeded defect.
func TestNvkFields(t *testing.T) {
	t.Parallel()
	root := schematest.Shared(t, "corpora/nvk-lint-fixtures")
	nvk, _ := schema.DialectByName("nvk")
	for wiki, want := range map[string][]string{
		"golden-wiki":                nil,
		"defects/stale-article":      nil,
		"defects/missing-volatility": {"wiki/concepts/sample-concept.md lacks verified", "wiki/concepts/sample-concept.md lacks volatility"},
		"defects/bad-frontmatter":    {"raw/articles/2026-01-01-sample-article.md is of type invalid"},
		"defects/misplaced-file":     {"wiki/references/sample-concept.md is of type concept"},
	} {
		dir := filepath.Join(root, filepath.FromSlash(wiki))
		var got []string
		err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || filepath.Ext(name) != ".md" {
				return err
			}
			src, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			rel, _ := filepath.Rel(dir, name)
			p := &schema.Page{Path: filepath.ToSlash(rel), Source: src}
			readFrontmatter(p)
			f, ok := nvk.Folder(path.Dir(p.Path))
			if !ok || p.Reserved() {
				return nil
			}
			for _, field := range f.Required {
				if p.Front.Get(field) == nil {
					got = append(got, p.Path+" lacks "+field)
				}
			}
			if len(f.Types) > 0 && !slices.Contains(f.Types, p.Meta.Type) {
				got = append(got, p.Path+" is of type "+p.Meta.Type)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", wiki, diff)
		}
	}
}
