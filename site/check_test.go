package site

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/compiler/files"
)

func TestCheckFindsNothingInABuiltSite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := layOut(t, fixture(t), Options{})
	report := buildTo(t, s, dir)
	got, err := Check(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Problems) > 0 || got.Files != report.Files+1 || got.Pages < 30 || got.Links < 500 {
		t.Errorf("checked %+v of a site of %d files", got, report.Files)
	}
}

func TestCheckFollowsLinks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, link, kind string }{
		{"a page", "b.html", ""},
		{"a page of a folder", "sub/c%20d.html", ""},
		{"an index page", "sub/", ""},
		{"the folder of the page", ".", ""},
		{"a file with a query", "x.png?v=1", ""},
		{"an anchor of the page", "#here", ""},
		{"the top", "#top", ""},
		{"the page", "", ""},
		{"an anchor", "b.html#there%20too", ""},
		{"an anchor by name", "b.html#named", ""},
		{"a part of a file that is no page", "x.png#part", ""},
		{"another host", "https://example.org/none", ""},
		{"mail", "mailto:a@example.org", ""},
		{"nothing", "none.html", "broken-link"},
		{"another case", "B.html", "broken-link"},
		{"a folder without an index", "empty/", "broken-link"},
		{"above the site", "../x.html", "broken-link"},
		{"no address", "%zz", "broken-link"},
		{"the root of the host", "/b.html", "absolute-link"},
		{"no anchor", "b.html#none", "broken-anchor"},
		{"no anchor of the page", "#none", "broken-anchor"},
	} {
		dir := compilertest.Write(t, "-- a.html --\n<p id=here><a href=\""+c.link+"\">x</a> <img src=x.png>\n-- b.html --\n<h2 id=\"there too\">x</h2><a name=named></a>\n-- sub/c d.html --\n-- sub/index.html --\n-- index.html --\n-- empty/x --\n-- x.png --\n")
		got, err := Check(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		kind := ""
		for _, p := range got.Problems {
			kind = p.Kind
			if p.File != "a.html" || len(got.Problems) > 1 {
				t.Errorf("%s: problems %+v", c.name, got.Problems)
			}
		}
		if kind != c.kind {
			t.Errorf("%s (%s): %q, want %q", c.name, c.link, kind, c.kind)
		}
	}
}

func TestCheckMeasuresAndComparesNames(t *testing.T) {
	t.Parallel()
	dir := compilertest.Write(t, "-- a/x.txt --\n12345678901234567890\n-- b.txt --\n1\n-- .git/B.TXT --\n")
	if err := os.MkdirAll(filepath.Join(dir, "A"), 0o755); err != nil {
		t.Fatal(err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) < 4 {
		t.Skip("the file system has no letter case")
	}
	root, err := files.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	c := &checker{root: root, number: map[string]int32{}, folded: map[string]string{}, limits: limits{file: 20, site: 22}}
	if err := c.list("."); err != nil {
		t.Fatal(err)
	}
	c.join()
	want := []Problem{
		{"large-site", "", "the site has 23 B; GitHub Pages publishes up to 22 B"},
		{"case-collision", "a", "differs from A by letter case alone, and replaces it on many systems"},
		{"large-file", "a/x.txt", "has 21 B; GitHub refuses files above 20 B"},
	}
	if diff := cmp.Diff(want, c.out.Problems); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

// TestCheckAgreesWithTheCrawl breaks a built site and has both find it.
func TestCheckAgreesWithTheCrawl(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	buildTo(t, layOut(t, fixture(t), Options{}), dir)
	if err := os.Remove(filepath.Join(dir, "10_DOMAIN", "storage.html")); err != nil {
		t.Fatal(err)
	}
	files := tree(t, dir)
	pages, want := map[string]*crawled{}, []string{}
	for name, content := range files {
		if strings.HasSuffix(name, ".html") {
			pages[name] = crawl(t, content)
		}
	}
	for name, page := range pages {
		for _, l := range page.links {
			if follow(files, pages, name, l) != "" {
				want = append(want, name)
			}
		}
	}
	got, err := Check(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, p := range got.Problems {
		found = append(found, p.File)
	}
	slices.Sort(want)
	if want = slices.Compact(want); len(want) < 5 || !slices.Equal(slices.Compact(found), want) {
		t.Errorf("the check finds %v, the crawl %v", found, want)
	}
}
