package site

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site/theme"
)

// titles are those of links, with their notes.
func titles(links []theme.Link) (out []string) {
	for _, l := range links {
		out = append(out, strings.TrimSpace(l.Title+" "+l.Note))
	}
	return out
}

func TestTypesHaveLists(t *testing.T) {
	t.Parallel()
	s := layOut(t, wikiOf(t,
		"a.md", "---\ntype: Concept\n---\n# A", "b.md", "---\ntype: concept\n---\n# B", "c.md", "---\ntype: how/to\n---\n# C",
		"d.md", "---\ntype: secret\nvisibility: private\n---\n# D", "e.md", "# E",
	), Options{})
	if got := render(t, s, "types.html"); !strings.Contains(got, `<a href="types/Concept.html">Concept</a> <small>2</small>`) || strings.Contains(got, "secret") {
		t.Errorf("types:\n%s", got)
	}
	if got := render(t, s, "types/Concept.html"); !strings.Contains(got, `<a href="../b.html">B</a>`) || strings.Contains(got, ">C<") {
		t.Errorf("the pages of a type:\n%s", got)
	}
	if got := render(t, s, "c.html"); !strings.Contains(got, `<a class="chip" href="types/how-to.html">how/to</a>`) || !strings.Contains(render(t, s, "pages.html"), `<a href="types.html">Types</a>`) {
		t.Errorf("a page with a type:\n%s", got)
	}
	one := layOut(t, wikiOf(t, "a.md", "---\ntype: concept\n---\n# A", "b.md", "# B"), Options{})
	if got := render(t, one, "a.html"); strings.Contains(got, "types") || !strings.Contains(got, `<span class="chip">concept</span>`) {
		t.Errorf("a wiki with one type:\n%s", got)
	}
}

func TestTagsAreBelowTheirParents(t *testing.T) {
	t.Parallel()
	s := layOut(t, wikiOf(t,
		"a.md", "---\ntags: [db/sql/fast, db/kv]\n---\n# A", "b.md", "---\ntags: [DB]\n---\n# B", "c.md", "---\ntags: [db/sql]\n---\n# C",
		"d.md", "---\ntags: [db/hidden]\nvisibility: private\n---\n# D",
	), Options{})
	var got []string
	for _, g := range s.tags {
		var pages []string
		for _, p := range g.pages {
			pages = append(pages, p.Title)
		}
		got = append(got, g.name+": "+strings.Join(pages, " "))
	}
	if diff := cmp.Diff([]string{"db: A B C", "db/kv: A", "db/sql: A C", "db/sql/fast: A"}, got); diff != "" {
		t.Errorf("tags (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"#db/kv 1", "#db/sql 2"}, titles(s.subTags("tags/db.html", s.tagFiles["db"]))); diff != "" {
		t.Errorf("below db (-want +got):\n%s", diff)
	}
	want := `<li><a href="../../../tags.html">Tags</a></li><li><a href="../../db.html">#db</a></li><li><a href="../sql.html">#db/sql</a></li>`
	if page := render(t, s, "tags/db/sql/fast.html"); !strings.Contains(page, want) {
		t.Errorf("the way to a tag:\n%s", page)
	}
}

func TestOpening(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"# T\n\nOne *fine*\nday. And more.\n\nLater.": "One fine day.",
		"## A\n### B\nRight [here](x.md).":            "Right here.",
		"# T\n\n- an item\n\nText.":                   "",
		"# T\n\n12. an item":                          "",
		"# T\n\n2024 was a year.":                     "2024 was a year.",
		"# T\n\n| a |\n|---|\n":                       "",
		"# T\n\n```\ncode\n```\n":                     "",
		"# T\n\n> [!note] N\n> text":                  "",
		"*Emphasis* begins.":                          "Emphasis begins.",
		"":                                            "",
		"# T":                                         "",
	} {
		if got := opening(&schema.Page{Source: []byte(src)}); got != want {
			t.Errorf("%q begins with %q, want %q", src, got, want)
		}
	}
	own := &schema.Page{Source: []byte("Text.")}
	own.Meta.Summary = "Mine,\nwritten."
	if got := leadOf(own); got != "Mine, written." {
		t.Errorf("a page's own summary is %q", got)
	}
}

func TestPageOfAFolderListsWhatItDoesNotLink(t *testing.T) {
	t.Parallel()
	files := []string{
		"index.md", "# Home\n\n[[f/index]]", "f/index.md", "# F\n\nSee [[one]].", "f/one.md", "# One", "f/two.md", "# Two\n\nThe second.",
		"f/private.md", "---\nvisibility: private\n---\n# Hidden", "f/sub/x.md", "# X",
	}
	s := layOut(t, wikiOf(t, files...), Options{})
	also := func(id schema.PageID) (*theme.Also, bool) {
		data, ok := alsoBlock.data(s, s.wiki.Page(id), s.place[id]).(theme.Also)
		return &data, ok
	}
	got, ok := also("f/index")
	if diff := cmp.Diff([]string{"sub/ 1 page", "Two The second."}, titles(got.Links)); !ok || diff != "" || got.More != "" {
		t.Errorf("also in the folder (-want +got):\n%s", diff)
	}
	for _, id := range []schema.PageID{"index", "f/one"} {
		if got, ok := also(id); ok {
			t.Errorf("%s lists %v", id, titles(got.Links))
		}
	}
}
