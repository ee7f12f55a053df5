package site

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/schematest"
)

// private is a page with a marker in every part that could be published.
const privatePage = `-- %[1]s/SECRETname.md --
---
title: SECRETtitle
aliases: [SECRETalias]
redirect_from: [/SECRETformer]
tags: [SECRETtag]
summary: SECRETsummary
updated: 2026-01-02
supersedes: "[[open]]"
%[2]s
---
# SECRETheading

SECRETtext about [[open|SECRETlabel]]. ![[SECRETasset.txt]]
-- %[1]s/SECRETasset.txt --
SECRETfile
`

const openPage = `-- wiki.yaml --
site: {repo: "https://git.example/r", url: "https://wiki.example"%s}
-- open.md --
---
title: Open
sources: [SECRETfolder/page.md]
---
# Open

See [[page]], [this page](SECRETfolder/page.md), ![[page]] and ^[SECRETfolder/page.md:3].
-- other.md --
# Other

See [[open]].
`

// leaks returns the files of a site that hold one of the words, by name or
// content, in lower case.
func leaks(tb testing.TB, s *Site, words ...string) (out []string) {
	tb.Helper()
	dir := tb.TempDir()
	buildTo(tb, s, dir)
	for name, content := range tree(tb, dir) {
		if strings.HasPrefix(name, indexDir) {
			content += unpacked(tb, content)
		}
		text := strings.ToLower(name + "\n" + content)
		if slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, strings.ToLower(w)) }) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// unpacked returns the terms of a file of the search index, forwards and backwards, which
// stand in it without what they share with the one before.
func unpacked(tb testing.TB, content string) string {
	tb.Helper()
	_, quoted, _ := strings.Cut(strings.TrimSuffix(content, ")\n"), ",")
	var text string
	if err := json.Unmarshal([]byte(quoted), &text); err != nil {
		tb.Fatalf("%.80s: %v", content, err)
	}
	const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	var out strings.Builder
	var last []rune
	for cell := range strings.FieldsSeq(text) {
		term, _, _ := strings.Cut(cell, ",")
		if n := strings.IndexByte(digits, (term + " ")[0]); n >= 0 && n <= len(last) {
			last = append(last[:n:n], []rune(term[1:])...)
			back := slices.Clone(last)
			slices.Reverse(back)
			out.WriteString("\n" + string(last) + "\n" + string(back))
		}
	}
	return out.String()
}

// TestUnpackedFindsTerms makes sure that a term that is packed is seen.
func TestUnpackedFindsTerms(t *testing.T) {
	t.Parallel()
	s := layOut(t, compilertest.Compile(t, compilertest.Write(t, "-- a.md --\nwordy wordless\n-- b.md --\nb\n")), Options{})
	if got := leaks(t, s, "wordless"); len(got) < 4 { // a page and its source, a shard and the lexicon
		t.Errorf("the term is in %v", got)
	}
}

func TestPrivatePagesLeaveNoTrace(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"private: yes", "draft: true", "publish: false", "visibility: private", "status: draft", "hidden: [1]"} {
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			archive := fmt.Sprintf(openPage, "") + fmt.Sprintf(privatePage, "SECRETfolder", key)
			s := layOut(t, compilertest.Compile(t, compilertest.Write(t, archive)), Options{})
			for _, word := range []string{"secretname", "secrettitle", "secretalias", "secretformer", "secrettag", "secretsummary", "secretheading", "secrettext", "secretasset", "secretfile"} {
				if files := leaks(t, s, word); len(files) > 0 {
					t.Errorf("%s stands in %v", word, files)
				}
			}
		})
	}
}

func TestLinksToPrivatePagesShowWhatWasWritten(t *testing.T) {
	t.Parallel()
	archive := fmt.Sprintf(openPage, "") + "-- SECRETfolder/page.md --\n---\ntitle: SECRETtitle\nprivate: yes\n---\nSECRETtext\n"
	s := layOut(t, compilertest.Compile(t, compilertest.Write(t, archive)), Options{})
	html := render(t, s, "open.html")
	for _, word := range []string{"SECRETtitle", "SECRETtext", "page.html", "/blob/HEAD/SECRETfolder"} {
		if strings.Contains(html, word) {
			t.Errorf("the page shows %s", word)
		}
	}
	if !strings.Contains(html, "this page") {
		t.Error("the label is gone")
	}
}

func TestDraftsAreBuiltOnDemandAndPrivatePagesNever(t *testing.T) {
	t.Parallel()
	archive := "-- wiki.yaml --\nsite: {drafts: true}\n-- a.md --\n---\ndraft: yes\n---\n# A\n-- b.md --\n---\nstatus: draft\n---\n# B\n" +
		"-- c.md --\n---\ndraft: true\nprivate: true\n---\n# C\n-- d.md --\n---\npublish: false\n---\n# D\n"
	s := layOut(t, compilertest.Compile(t, compilertest.Write(t, archive)), Options{})
	for id, want := range map[schema.PageID]bool{"a": true, "b": true, "c": false, "d": false} {
		if got := s.FileOf(id) != ""; got != want {
			t.Errorf("%s is built: %v, want %v", id, got, want)
		}
	}
}

func TestUnlistedPagesAreReachedByLinksOnly(t *testing.T) {
	t.Parallel()
	archive := "-- wiki.yaml --\nsite: {url: \"https://wiki.example\"}\n-- a.md --\n# A\n\nSee [[hush]].\n-- b.md --\n# B\n-- box/hush.md --\n---\ntitle: HUSHtitle\n" +
		"unlisted: true\ntags: [hushtag]\nupdated: 2026-01-01\n---\nHUSHtext links to [[b]].\n"
	s := layOut(t, compilertest.Compile(t, compilertest.Write(t, archive)), Options{})
	if got := leaks(t, s, "hushtitle", "hushtext", "hushtag"); !slices.Equal(got, []string{"box/hush.html", "box/hush.json", "box/hush.md"}) {
		t.Errorf("what an unlisted page says stands in %v", got)
	}
	if got := leaks(t, s, "hush.html"); !slices.Equal(got, []string{".wiki-build.json", "a.html", "a.json", "box/hush.html", "box/hush.json"}) {
		t.Errorf("an unlisted page is reached from %v", got)
	}
	if html := render(t, s, "box/hush.html"); !strings.Contains(html, `<meta name="robots" content="noindex">`) {
		t.Error("search engines are not told to pass it over")
	}
}

func TestUnlistedIndexPage(t *testing.T) {
	t.Parallel()
	archive := "-- index.md --\n---\nunlisted: yes\n---\n# HUSH\n-- box/index.md --\n---\nunlisted: yes\n---\n# HUSH\n-- box/a.md --\n# A\n"
	s := layOut(t, compilertest.Compile(t, compilertest.Write(t, archive)), Options{})
	if got := leaks(t, s, "hush"); !slices.Equal(got, []string{"box/index.html", "box/index.json", "box/index.md", "index.html", "index.json", "index.md"}) {
		t.Errorf("the title stands in %v", got)
	}
}

func TestPreviewMarksWithheldPages(t *testing.T) {
	t.Parallel()
	archive := "-- a.md --\n---\nprivate: alice\n---\n# A\n-- b.md --\n---\ndraft: true\n---\n# B\n-- c.md --\n---\nunlisted: true\n---\n# C\n"
	s := layOut(t, compilertest.Compile(t, compilertest.Write(t, archive)), Options{Live: true})
	for name, want := range map[string]string{"a.html": "Private (private: alice)", "b.html": "Draft (draft: true)", "c.html": "Unlisted (unlisted: true)"} {
		if html := render(t, s, name); !strings.Contains(html, ">"+want+"<") {
			t.Errorf("%s does not show %q", name, want)
		}
	}
}

func TestAttachedMarkdownCanBePrivate(t *testing.T) {
	t.Parallel()
	archive := "-- a.md --\n[one](templates/one.md) [two](templates/two.md)\n-- templates/one.md --\n+++\ndraft = \"yes\"\n+++\nSECRET\n-- templates/two.md --\nfine\n"
	s := layOut(t, compilertest.Compile(t, compilertest.Write(t, archive)), Options{})
	if got := leaks(t, s, "secret"); len(got) > 0 {
		t.Errorf("a private template stands in %v", got)
	}
}

// TestLinkedFilesAreAsPrivateAsTheirPages has links of the file system, next to the
// pages, to a page and to a hidden file.
func TestLinkedFilesAreAsPrivateAsTheirPages(t *testing.T) {
	t.Parallel()
	dir := compilertest.Write(t, "-- wiki.yaml --\nsite: {raw_files: [\"*.raw\"]}\n-- a.md --\n[1](copy.txt) ![](pic.png) [3](hard.txt) [4](b.raw) [5](env.txt) [6](fine.txt)\n"+
		"-- p.md --\n---\ndraft: yes\n---\nSECRET\n-- .env --\nSECRET\n-- own/fine.txt --\nSHOWN\n")
	for name, to := range map[string]string{"copy.txt": "p.md", "pic.png": "copy.txt", "b.raw": "p.md", "env.txt": ".env", "fine.txt": "own/fine.txt"} {
		schematest.Symlink(t, to, filepath.Join(dir, name))
	}
	if err := os.Link(filepath.Join(dir, "p.md"), filepath.Join(dir, "hard.txt")); err != nil {
		t.Skip(err)
	}
	s := layOut(t, compilertest.Compile(t, dir), Options{})
	if got := leaks(t, s, "secret"); len(got) > 0 {
		t.Errorf("a private page stands in %v", got)
	}
	if got := leaks(t, s, "shown"); !slices.Equal(got, []string{"fine.txt"}) {
		t.Errorf("the file that anybody may read stands in %v", got)
	}
}

func TestContradictionsOfPrivatePagesAreNotShown(t *testing.T) {
	t.Parallel()
	w := compilertest.Compile(t, compilertest.Write(t, "-- a.md --\n# A\n\nThe port is 1.\n-- b.md --\n---\nprivate: yes\n---\n# B\n\nThe port is SECRET.\n"+
		"-- c.md --\n---\ntitle: SECRET\nhidden: 1\n---\nThe port is SECRET too.\n-- d.md --\n---\nunlisted: true\n---\n# D\n\nThe port is HUSH.\n"))
	a, b, c, d := sideAt(t, w, "a", "1"), sideAt(t, w, "b", "SECRET"), sideAt(t, w, "c", "SECRET too"), sideAt(t, w, "d", "HUSH")
	s := layOut(t, w, Options{Contradictions: []schema.Contradiction{
		{About: "port", Sides: []schema.Side{a, b}}, {About: "port", Sides: []schema.Side{c, b, a}}, {About: "SECRET", Sides: []schema.Side{b, c}},
		{About: "SECRET", Sides: []schema.Side{b}}, {About: "port", Sides: []schema.Side{a, d}},
	}})
	if got := leaks(t, s, "secret", "contradictions.html"); len(got) > 0 {
		t.Errorf("what a private page says stands in %v", got)
	}
	if got := leaks(t, s, "hush"); !slices.Equal(got, []string{"d.html", "d.md"}) {
		t.Errorf("what an unlisted page says stands in %v", got)
	}
}

const commented = `# A <!-- SECRET -->

Text %%SECRET%% to [[b]] <!-- SECRET > more SECRET --> and on.

> <!-- SECRET
> SECRET -->
> quoted

| a | b |
|---|---|
| x <!-- SECRET --> | [[b]] |

- item
  <!-- SECRET
  SECRET -->

%%
SECRET
%%

` + "`<!-- KEPT -->` and\n\n```html\n<!-- KEPT -->\n%% KEPT %%\n```\n\n<!-- SECRET without an end\n\nSECRET\n"

func TestCommentsAreNotPublished(t *testing.T) {
	t.Parallel()
	archive := func(sources string) string {
		return "-- wiki.yaml --\nsite: {sources: " + sources + "}\n-- a.md --\n" + commented + "-- b.md --\n# B\n"
	}
	s := layOut(t, compilertest.Compile(t, compilertest.Write(t, archive("public"))), Options{})
	if got := leaks(t, s, "secret"); len(got) > 0 {
		t.Errorf("comments stand in %v:\n%s", got, render(t, s, "a.md"))
	}
	if got := strings.Count(render(t, s, "a.md"), "KEPT"); got != 3 {
		t.Errorf("%d of 3 comments in code are kept:\n%s", got, render(t, s, "a.md"))
	}
	s = layOut(t, compilertest.Compile(t, compilertest.Write(t, archive("as-written"))), Options{})
	if got := render(t, s, "a.md"); got != commented {
		t.Errorf("the source is not as written:\n%s", got)
	}
}

func TestCommentsOfPlainPagesAreNotPublished(t *testing.T) {
	t.Parallel()
	body := strings.Repeat(">", 2000) + " x\n\n# T <!-- SECRET -->\n\nShown. <!-- SECRET\nSECRET --> Shown.\n\n%% SECRET %%\n"
	s := layOut(t, compilertest.Compile(t, compilertest.Write(t, "-- a.md --\n"+body)), Options{})
	if got := leaks(t, s, "secret"); len(got) > 0 {
		t.Errorf("comments stand in %v", got)
	}
	if got := strings.Count(render(t, s, "a.html"), "Shown."); got != 2 {
		t.Errorf("the text is shown %d times, want 2", got)
	}
}
