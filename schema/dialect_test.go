package schema

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/schema/schematest"
)

func TestReservedName(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		"index.md": true, "a/_index.md": true, "Home.md": true, "LOG.MD": true, "README": true, "x/overview.md": true, "00_SCHEMA.md": true,
		"AGENTS.md": true, "claude.md": true, "INSTRUCTIONS.md": true, "MOC.md": true, "_context.md": true, "purpose.md": true, "src/SUMMARY.md": true, "_Sidebar.md": true, "a/_Footer.md": true, "sidebar.md": false, "summary.md": false,
		"indexes.md": false, "index/a.md": false, "a.md": false, "": false, ".md": false, "my index.md": false,
	} {
		if got := ReservedName(path); got != want {
			t.Errorf("ReservedName(%q) = %v", path, got)
		}
	}
}

func TestDialects(t *testing.T) {
	t.Parallel()
	field, _ := reflect.TypeFor[Config]().FieldByName("Dialect")
	seen := map[string]bool{}
	for _, d := range Dialects() {
		if seen[d.Name] || !strings.Contains(field.Tag.Get("jsonschema"), d.Name) {
			t.Errorf("dialect %s is there twice, or the description of Config.Dialect doesn't name it", d.Name)
		}
		seen[d.Name] = true
		if same, ok := DialectByName(d.Name); !ok || same.Name != d.Name || len(d.Markers) == 0 || d.Title == "" {
			t.Errorf("dialect %s is incomplete", d.Name)
		}
		for _, f := range d.Folders {
			if f.Indexed && d.Index == "" {
				t.Errorf("%s: folder %s needs an index, and the dialect has none", d.Name, f.Path)
			}
		}
		for from, to := range d.Tags {
			if from != fieldKey(from) || d.Tags[fieldKey(to)] != "" {
				t.Errorf("%s: tag %s leads to %s", d.Name, from, to)
			}
		}
	}
	if _, ok := DialectByName("x"); ok {
		t.Error("a dialect of no name was found")
	}
}

func TestDialectFolder(t *testing.T) {
	t.Parallel()
	d, _ := DialectByName("nvk")
	for path, want := range map[string]string{"wiki/concepts": "wiki/concepts", "datasets/a b": "datasets/*", "datasets/x/samples": "datasets/*/samples", "wiki/x": "", "datasets/x/y/z": "", "": ""} {
		f, ok := d.Folder(path)
		if f.Path != want || ok != (want != "") {
			t.Errorf("Folder(%q) = %q, %v", path, f.Path, ok)
		}
	}
	if got := d.Tag("ML"); got != "machine-learning" {
		t.Errorf("tag ML is %q", got)
	}
}

// TestNvkFitsItsWiki holds the layout against a clean wiki and copies of it
// with one defect each.
func TestNvkFitsItsWiki(t *testing.T) {
	t.Parallel()
	root := schematest.Shared(t, "corpora/nvk-lint-fixtures")
	d, _ := DialectByName("nvk")
	missing := func(wiki string) (out []string) {
		for _, f := range d.Folders {
			if strings.Contains(f.Path, "*") || !f.Indexed {
				continue
			}
			dir := filepath.Join(root, wiki, filepath.FromSlash(f.Path))
			if _, err := os.Stat(dir); err != nil {
				if !f.Optional {
					out = append(out, f.Path)
				}
				continue
			}
			if _, err := os.Stat(filepath.Join(dir, d.Index+".md")); err != nil {
				out = append(out, f.Path+"/"+d.Index)
			}
		}
		return out
	}
	for wiki, want := range map[string][]string{
		"golden-wiki": nil, "defects/missing-index": {"raw/articles/_index"}, "defects/missing-inventory": {"inventory/_index"},
		"defects/missing-datasets": {"datasets/_index"}, "defects/stale-index": nil,
	} {
		if got := missing(wiki); !slices.Equal(got, want) {
			t.Errorf("%s: missing %v, want %v", wiki, got, want)
		}
	}
}
