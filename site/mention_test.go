package site

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
)

// mentionsIn takes every page called "Write cache" in the text of another for a mention.
func mentionsIn(w *compiler.Wiki, name, of string) (out []schema.Mention) {
	for _, p := range w.Pages() {
		if i := strings.Index(string(p.Source), name); i >= 0 && p.Path != of {
			out = append(out, schema.Mention{Path: p.Path, Span: schema.Span{Start: i, End: i + len(name)}, Of: of})
		}
	}
	return out
}

func TestMentionsAreShownWithTheirSentence(t *testing.T) {
	t.Parallel()
	w := wikiOf(t,
		"cache.md", "# Write cache\n\nHolds what is not on disk yet.",
		"one.md", "# One\n\nFirst line. All of\nit goes through the **Write cache** at\nlast. Then nothing.\n\nAnother paragraph.",
		"table.md", "# Table\n\n| part | size |\n|---|---|\n| Write cache | 4 GB |",
		"item.md", "# Item\n\n- before\n- the Write cache fills\n- after",
		"secret.md", "---\nvisibility: private\n---\n# Secret\n\nThe Write cache of the vault.",
		"quiet.md", "---\nvisibility: unlisted\n---\n# Quiet\n\nThe Write cache, quietly.",
	)
	s := layOut(t, w, Options{Mentions: append(mentionsIn(w, "Write cache", "cache.md"), mentionsIn(w, "Another paragraph", "secret.md")...)})
	v := s.view(w.Page("cache"), s.place["cache"])
	var got [][]string
	for _, m := range v.Mentions {
		got = append(got, []string{m.Title, m.Href, m.Before, m.Marked, m.After})
	}
	want := [][]string{
		{"Item", "item.html", "the ", "Write cache", " fills"},
		{"One", "one.html", "All of it goes through the ", "Write cache", " at last."},
		{"Table", "table.html", "", "Write cache", " · 4 GB"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("mentions (-want +got):\n%s", diff)
	}
	for _, name := range s.Files() {
		if out := render(t, s, name); strings.Contains(out, "vault") || strings.Contains(out, "ecret") {
			t.Errorf("%s has something of the private page", name)
		}
	}
	if html := render(t, s, "cache.html"); !strings.Contains(html, `<h2 id="wiki.mentions-of-page">Mentioned in <span class="count">3</span>`) {
		t.Errorf("no list of mentions:\n%s", html)
	}
}

func TestManyMentionsAreCounted(t *testing.T) {
	t.Parallel()
	files := []string{"cache.md", "# Write cache"}
	for i := range maxMentions + 5 {
		files = append(files, strings.Repeat("a", i+1)+".md", "# A\n\nThe Write cache.")
	}
	w := wikiOf(t, files...)
	s := layOut(t, w, Options{Mentions: mentionsIn(w, "Write cache", "cache.md")})
	if v := s.view(w.Page("cache"), s.place["cache"]); len(v.Mentions) != maxMentions || v.MoreMentions != 5 || v.MentionPages != maxMentions+5 {
		t.Errorf("%d mentions, %d more, %d in all", len(v.Mentions), v.MoreMentions, v.MentionPages)
	}
}
