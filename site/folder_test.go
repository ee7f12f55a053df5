package site

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
)

// wikiOf compiles the files of a wiki, given by name and text.
func wikiOf(t *testing.T, files ...string) *compiler.Wiki {
	t.Helper()
	var archive strings.Builder
	for i := 0; i < len(files); i += 2 {
		fmt.Fprintf(&archive, "-- %s --\n%s\n", files[i], files[i+1])
	}
	return compilertest.Compile(t, compilertest.Write(t, archive.String()))
}

// outline draws the menu of a file: all of it, before its script cuts the last list.
func outline(t *testing.T, s *Site, name string) string {
	t.Helper()
	_, menu := menuFor(t, s, name)
	var b strings.Builder
	var list func(depth int)
	draw := func(depth int, rows []row, open int, more string) {
		for i, r := range rows {
			b.WriteString(strings.Repeat("  ", depth) + r[0])
			if len(r) > 2 {
				b.WriteString("/")
			}
			if i == open {
				b.WriteString(" open")
			}
			if r[1] == escapePath(name) {
				b.WriteString(" here")
			}
			b.WriteString("\n")
			if i == open {
				list(depth + 1)
			}
		}
		if more != "" {
			b.WriteString(strings.Repeat("  ", depth) + "…\n")
		}
	}
	list = func(depth int) {
		if depth < len(menu.Way) {
			draw(depth, menu.Way[depth].Rows, menu.Way[depth].Open, menu.Way[depth].More)
		} else {
			draw(depth, menu.rows, -1, "")
		}
	}
	list(0)
	return b.String()
}

func TestSidebarShowsTheWay(t *testing.T) {
	t.Parallel()
	files := []string{
		"index.md", "# Home", "about.md", "# About",
		"a/one.md", "# One", "a/b/index.md", "# B", "a/b/two.md", "# Two", "a/b/three.md", "# Three", "a/c/four.md", "# Four", "a/b/d/six.md", "# Six", "z/five.md", "# Five",
	}
	for i := range 14 {
		files = append(files, fmt.Sprintf("m/%02d/page.md", i), "# Page")
	}
	s := layOut(t, wikiOf(t, files...), Options{})
	for page, want := range map[schema.PageID]string{
		"index":     "a/\nm/\nz/\nAbout\n",
		"about":     "a/\nm/\nz/\nAbout here\n",
		"a/one":     "a/ open\n  b/\n  c/\n  One here\nm/\nz/\nAbout\n",
		"a/b/two":   "a/ open\n  b/ open\n    d/\n    Three\n    Two here\n  c/\n  …\nm/\nz/\nAbout\n",
		"a/b/index": "a/ open\n  b/ open here\n    d/\n    Three\n    Two\n  c/\n  …\nm/\nz/\nAbout\n",
		"m/13/page": "a/\nm/ open\n  02/\n  03/\n  04/\n  05/\n  06/\n  07/\n  08/\n  09/\n  10/\n  11/\n  12/\n  13/ open\n    Page here\n  …\nz/\nAbout\n",
	} {
		if diff := cmp.Diff(want, outline(t, s, s.place[page])); diff != "" {
			t.Errorf("%s (-want +got):\n%s", page, diff)
		}
	}
}

func TestHomeWithoutAnIndex(t *testing.T) {
	t.Parallel()
	s := layOut(t, wikiOf(t, "book/v1/one.md", "# Chapter one\n\n[[two]]", "book/v1/two.md", "# Chapter two\n\n[[one]]", "book/v1/more/three.md", "# Chapter three\n\n[[one]]"), Options{})
	home := render(t, s, homeName)
	for _, want := range []string{`Pages in v1`, `<a href="book/v1/one.html">Chapter one</a>`, `<a href="book/v1/more/index.html">more/</a>`} {
		if !strings.Contains(home, want) {
			t.Errorf("the first page does not have %s:\n%s", want, home)
		}
	}
	if strings.Contains(home, s.words.MostLinked) {
		t.Error("of three pages, the most linked are listed again")
	}
}

func TestEmbeddedHeadingsJoinTheOutline(t *testing.T) {
	t.Parallel()
	s := layOut(t, wikiOf(t,
		"index.md", "# Home\n\n## Deep\n\n### Deeper\n\n![[other]]\n\n#### After\n\nText.",
		"other.md", "# Other\n\n## Part\n\n### Piece\n\n## Part two\n\nText.",
	), Options{})
	got := render(t, s, homeName)
	for _, want := range []string{`<h4 id="embed-1-part"`, `<h5 id="embed-1-piece"`, `<h4 id="embed-1-part-two"`, `<h4 id="after"`} {
		if !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	for _, c := range []struct {
		src   string
		under int
		want  string
	}{
		{"<h1>a</h1><h6 id=x>b</h6>", 1, "<h2>a</h2><h6 id=x>b</h6>"},
		{"<h3>a</h3>", 1, "<h2>a</h2>"},
		{"<h2>a</h2>", 6, "<h6>a</h6>"},
		{"<hr><p>a</p><h", 3, "<hr><p>a</p><h"},
		{"", 3, ""},
	} {
		if got := string(demote([]byte(c.src), c.under)); got != c.want {
			t.Errorf("%q under %d is %q, want %q", c.src, c.under, got, c.want)
		}
	}
}
