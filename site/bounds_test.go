package site

import (
	"fmt"
	"path"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/schema"
)

func siteOf(t *testing.T, files ...string) *Site {
	t.Helper()
	s, err := New(wikiOf(t, files...), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestDeepFoldersShowTheNearest(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("d/", 30) + "e"
	s := siteOf(t, "index.md", "# Home", deep+"/p.md", "# P")
	f := s.folders[deep]
	if c := s.crumbs(deep+"/p.html", f); len(c) != levels+1 || c[0].Title != s.words.Home || c[levels].Title != "e" || c[levels].Href != "index.html" {
		t.Errorf("crumbs: %+v", c)
	}
	if m := s.menuOf(s.branches[f]); len(m.Way) != levels || m.Way[levels-1].Rows[m.Way[levels-1].Open][0] != "e" {
		t.Errorf("%d levels: %+v", len(m.Way), m.Way)
	}
}

func TestOnlyTheMostUsedTagsHaveAPage(t *testing.T) {
	t.Parallel()
	var rare strings.Builder
	for i := range schema.MaxTagPages + 10 {
		fmt.Fprintf(&rare, "- rare%05d\n", i)
	}
	deep := strings.TrimSuffix(strings.Repeat("a/", schema.MaxTagLevels+1), "/")
	s := siteOf(t, "a.md", "---\ntags:\n- zoo\n- "+deep+"\n"+rare.String()+"---\n# A", "b.md", "---\ntags: [zoo, "+deep+"]\n---\n# B")
	pages := 0
	for name := range s.outputs {
		if strings.HasPrefix(name, "tags/") {
			pages++
		}
	}
	if pages != schema.MaxTagPages || len(s.tags) != schema.MaxTagPages+12 {
		t.Errorf("%d pages for %d tags", pages, len(s.tags))
	}
	for tag, want := range map[string]string{
		"zoo": "tags/zoo.html", "rare00000": "tags/rare00000.html", fmt.Sprintf("rare%05d", schema.MaxTagPages): fmt.Sprintf("search.html?q=rare%05d", schema.MaxTagPages),
		deep: "tags/" + strings.ReplaceAll(deep, "/", "-") + ".html",
	} {
		if got := s.tagHref("a.html", s.tagFiles[tag]); got != want {
			t.Errorf("%s leads to %s", tag, got)
		}
	}
	last := s.lists[s.tagsFile][len(s.lists[s.tagsFile])-1]
	if html, err := s.Render(last); err != nil || !strings.Contains(string(html), ">zoo<") {
		t.Errorf("%s does not list the last tag: %v", path.Base(last), err)
	}
}

func TestJumpsOfALongListAreBounded(t *testing.T) {
	t.Parallel()
	s := &Site{lists: map[string][]string{}}
	for i := range 1000 {
		s.lists["l.html"] = append(s.lists["l.html"], fmt.Sprintf("l-%d.html", i))
	}
	if got := s.jump("l-500.html", "l.html", 500); len(got) != 2*maxJump+3 || got[0].Title != "1" || got[len(got)-1].Title != "1000" {
		t.Errorf("%d jumps", len(got))
	}
}

func TestEmbedsOfLargePagesStayLinks(t *testing.T) {
	t.Parallel()
	large := "# Large\n\n" + strings.Repeat("many words ", schema.MaxEmbedBytes/11+1)
	s := siteOf(t, "a.md", "# A\n\n![[large]]\n\n![[small]]\n", "large.md", large, "small.md", "# Small\n\nshown")
	html, err := s.Render("a.html")
	if err != nil || strings.Contains(string(html), "many words") || !strings.Contains(string(html), "shown") {
		t.Errorf("%v: %d bytes", err, len(html))
	}
	if s.embedMost() != schema.MaxEmbedBytes {
		t.Errorf("%d bytes for one page", s.embedMost())
	}
}
