package compiler_test

import (
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
)

// What a package manager copied holds no pages, and links into it resolve.
func TestVendoredFoldersHaveNoPages(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, archive, pages, vendored string }{
		{"go", "-- vendor/modules.txt --\n-- vendor/example.com/m/README.md --\n[a](docs/a.md)\n", "index.md", "vendor"},
		{"go below", "-- tools/vendor/modules.txt --\n-- tools/vendor/example.com/m/a.md --\n", "index.md", "tools/vendor"},
		{"composer", "-- vendor/composer/installed.json --\n{}\n-- vendor/acme/log/README.md --\n", "index.md", "vendor"},
		{"bundler", "-- vendor/bundle/ruby/gems/rake/README.md --\n-- vendor/own.md --\n", "index.md vendor/own.md", "vendor/bundle"},
		{"a page's own folder", "-- vendor/acme.md --\n-- bundle/b.md --\n", "bundle/b.md index.md vendor/acme.md", ""},
		{"named as sources", "-- wiki.yaml --\nsources: [vendor/**]\n-- vendor/modules.txt --\n-- vendor/m/a.md --\n", "index.md vendor/m/a.md", ""},
	} {
		w := compilertest.Compile(t, compilertest.Write(t, "-- index.md --\n[m](vendor/example.com/m/README.md)\n"+c.archive))
		var pages []string
		for _, p := range w.Pages() {
			pages = append(pages, p.Path)
			for l, res := range w.Links(p) {
				if c.name == "go" && !res.OK() {
					t.Errorf("%s: %s leads nowhere", c.name, l.Raw)
				}
			}
		}
		if got := strings.Join(pages, " "); got != c.pages {
			t.Errorf("%s: the pages are %s, want %s", c.name, got, c.pages)
		}
		if got := strings.Join(w.Vendored(), " "); got != c.vendored {
			t.Errorf("%s: vendored are %q, want %q", c.name, got, c.vendored)
		}
	}
}
