package site

import (
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
)

func TestAddressesOfFrontMatter(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ path, front, want string }{
		{"a/b.md", "permalink: /x/y", "x/y.html"},
		{"a/b.md", "permalink: x/y.html", "x/y.html"},
		{"a/b.md", "permalink: /x/", "x/index.html"},
		{"a/b.md", "permalink: /", "index.html"},
		{"a/b.md", "permalink: https://wiki.example/x/", "x/index.html"},
		{"a/b.md", "permalink: ../../../etc/x", "etc/x.html"},
		{"a/b.md", `permalink: "..\\..\\x"`, "_.-..-x.html"},
		{"a/b.md", "permalink: /_wiki/x", "wiki_/x.html"},
		{"a/b.md", "permalink: /.git/x", "_git/x.html"},
		{"a/b.md", "permalink: /con", "con_.html"},
		{"a/b.md", "slug: other", "a/other.html"},
		{"a/b.md", "slug: /other", "other.html"},
		{"a/b.md", "slug: guides/other", "guides/other.html"},
		{"a/b.md", "permalink: /one\nslug: two", "one.html"},
		{"a/b.md", "slug: b", "a/b.html"},
		{"a/b.md", "permalink: false", "a/b.html"},
		{"a/b.md", "permalink: ''", "a/b.html"},
		{"a/b.md", "permalink: [x]", "a/b.html"},
		{"a/b.md", "permalink: https://elsewhere.example/x", "a/b.html"},
		{"a/b.md", "permalink: /posts/{{ title }}/", "a/b.html"},
		{"a/b.md", "permalink: " + strings.Repeat("x/", 400), "a/b.html"},
		{"a/b.md", "permalink: /search.html", "a/b.html"},
		{"raw/b.md", "permalink: /x", "raw/b.html"},
		{"a/index.md", "permalink: /a/", "a/index.html"},
		{"a/index.md", "slug: /a", "a/index.html"},
		{"a/index.md", "slug: /x", "x.html"},
	} {
		archive := "-- wiki.yaml --\nsite: {url: \"https://wiki.example\"}\n-- " + c.path + " --\n---\n" + c.front + "\n---\n# B\n"
		s := layOut(t, compilertest.Compile(t, compilertest.Write(t, archive)), Options{})
		if got := s.FileOf(schema.PageID(strings.TrimSuffix(c.path, ".md"))); got != c.want {
			t.Errorf("%s with %q is at %q, want %q", c.path, c.front, got, c.want)
		}
	}
}

func TestPagesWithAnAddressAreReachedByTheirPathToo(t *testing.T) {
	t.Parallel()
	archive := "-- a.md --\n---\npermalink: /b/\n---\n# A\n-- c.md --\nSee [[a]] and [its part](a.md#a).\n"
	s := layOut(t, compilertest.Compile(t, compilertest.Write(t, archive)), Options{})
	if html := render(t, s, "a.html"); !strings.Contains(html, `href="b/index.html"`) {
		t.Errorf("a.html does not lead to the page:\n%s", html)
	}
	if html := render(t, s, "c.html"); strings.Count(html, `href="b/index.html`) < 2 {
		t.Errorf("links do not lead to the address:\n%s", html)
	}
	dir := t.TempDir()
	buildTo(t, s, dir)
	crawlSite(t, dir)
}

// TestAddressesCollide has pages that ask for one address, for each other's, and for that
// of a page that asks for none.
func TestAddressesCollide(t *testing.T) {
	t.Parallel()
	archive := "-- a.md --\n---\npermalink: /same\n---\n# A\n-- b.md --\n---\nslug: SAME\n---\n# B\n-- c.md --\n---\npermalink: /d\n---\n# C\n-- d.md --\n---\npermalink: /c\n---\n# D\n" +
		"-- e.md --\n# E\n-- f.md --\n---\npermalink: /e\n---\n# F\n-- p.md --\n---\npermalink: /q\nprivate: true\n---\n# P\n-- q.md --\n---\npermalink: /p\n---\n# Q\n"
	s := layOut(t, compilertest.Compile(t, compilertest.Write(t, archive)), Options{})
	for id, want := range map[schema.PageID]string{"a": "same.html", "b": "b.html", "c": "d.html", "d": "c.html", "e": "e.html", "f": "f.html", "q": "p.html"} {
		if got := s.FileOf(id); got != want {
			t.Errorf("%s is at %q, want %q", id, got, want)
		}
	}
	want := []string{
		`b.md: slug "SAME" is the address of another file of the site; the page is at b.html`,
		`f.md: permalink "/e" is the address of e.md; the page is at f.html`,
	}
	if got := buildTo(t, s, t.TempDir()).Notes; !slices.Equal(got, want) {
		t.Errorf("notes %q, want %q", got, want)
	}
}
