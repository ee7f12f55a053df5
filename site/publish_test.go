package site

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/compiler/exchange/llms"
)

const publishedWiki = `-- wiki.yaml --
title: Harbor & co
description: How it is built.
site: {url: "https://wiki.example/x"}
-- index.md --
---
created: 2025-02-01
---
# Start

See [[one]], [the other](sub/two%20(b).md), [the web](https://example.org/a?b=c) and [[nothing]].
-- one.md --
---
title: "One [draft] of <two>"
summary: The first.
tags: [first]
updated: 2026-03-02
---
# One

[[index]]
-- sub/two (b).md --
---
updated: 2026-03-05
---
# Two

| limit | value |
|---|---|
| size | 10 MB |

Back to [[one]] and [[one#One]].
-- raw/paper.md --
# Paper
`

func TestFeed(t *testing.T) {
	t.Parallel()
	s := layOut(t, compilertest.Compile(t, compilertest.Write(t, publishedWiki)), Options{})
	text := render(t, s, feedName)
	var feed struct {
		ID      string `xml:"id"`
		Updated string `xml:"updated"`
		Author  string `xml:"author>name"`
		Entries []struct {
			ID      string `xml:"id"`
			Title   string `xml:"title"`
			Updated string `xml:"updated"`
			Summary string `xml:"summary"`
		} `xml:"entry"`
	}
	if err := xml.Unmarshal([]byte(text), &feed); err != nil {
		t.Fatal(err)
	}
	if feed.ID != "https://wiki.example/x/" || feed.Author != "Harbor & co" || feed.Updated != "2026-03-05T00:00:00Z" || len(feed.Entries) != 3 {
		t.Fatalf("feed %+v", feed)
	}
	newest, before := feed.Entries[0], feed.Entries[1]
	if newest.ID != "https://wiki.example/x/sub/two%20(b).html" || before.Title != "One [draft] of <two>" || before.Summary != "The first." {
		t.Errorf("entries %+v", feed.Entries)
	}
	for _, e := range feed.Entries {
		if _, err := time.Parse(time.RFC3339, e.Updated); err != nil {
			t.Error(err)
		}
	}
	if html := render(t, s, "sub/two (b).html"); !strings.Contains(html, `<link rel="alternate" type="application/atom+xml" title="Recent changes" href="../feed.xml">`) {
		t.Error("pages do not name the feed")
	}
	if html := render(t, s, recentName); !strings.Contains(html, `<a href="feed.xml">Subscribe (Atom feed)</a>`) {
		t.Error("the list of changes does not lead to the feed")
	}
	without := strings.Replace(publishedWiki, `site: {url: "https://wiki.example/x"}`, "", 1)
	s = layOut(t, compilertest.Compile(t, compilertest.Write(t, without)), Options{})
	if slices.Contains(s.Files(), feedName) || strings.Contains(render(t, s, "one.html"), "atom") {
		t.Error("a site without an address has a feed")
	}
}

func TestLLMs(t *testing.T) {
	t.Parallel()
	s := layOut(t, compilertest.Compile(t, compilertest.Write(t, publishedWiki)), Options{})
	want := `# Harbor & co

> How it is built.

## Full text

- [llms-full.txt](llms-full.txt)

## All pages

- [Start](index.md)
- [One \[draft\] of <two>](one.md): The first.

## sub

- [Two](sub/two%20%28b%29.md)

## Optional

- [Paper](raw/paper.md)
`
	if got := render(t, s, llms.IndexName); got != want {
		t.Errorf("llms.txt is\n%s\nwant\n%s", got, want)
	}
	full := render(t, s, llms.FullName)
	for _, text := range []string{"<page href=\"index.html\">", "<page href=\"sub/two%20(b).html\">", "| size | 10 MB |"} {
		if !strings.Contains(full, text) {
			t.Errorf("llms-full.txt lacks %s", text)
		}
	}
	if strings.Contains(full, "# Paper") {
		t.Error("llms-full.txt has a raw source")
	}
}

func TestLLMsListsTypesOfAFlatWiki(t *testing.T) {
	t.Parallel()
	s := layOut(t, compilertest.Compile(t, compilertest.Write(t, "-- a.md --\n---\ntype: concept\n---\n# A\n-- b.md --\n---\ntype: person\n---\n# B\n-- c.md --\n---\ntype: concept\n---\n# C\n")), Options{})
	if got := render(t, s, llms.IndexName); !strings.Contains(got, "## concept\n\n- [A](a.md)\n- [C](c.md)\n\n## person\n\n- [B](b.md)\n") {
		t.Errorf("llms.txt is\n%s", got)
	}
}

// TestLLMsFullIsCut has more text than one file may have: in one folder too much, in others
// little.
func TestLLMsFullIsCut(t *testing.T) {
	t.Parallel()
	var archive strings.Builder
	for i := range 12 {
		fmt.Fprintf(&archive, "-- big/%02d.md --\n# Big %d\n\n%s\n", i, i, strings.Repeat("All work and no play.\n\n", 40_000))
	}
	archive.WriteString("-- top.md --\n# Top\n-- small/a.md --\n# A\n-- small/deep/b.md --\n# B\n")
	s := layOut(t, compilertest.Compile(t, compilertest.Write(t, archive.String())), Options{})
	want := []string{"big/llms-full-2.txt", "big/llms-full.txt", "llms-full.txt", "small/llms-full.txt"}
	if got := slices.Sorted(slices.Values(s.texts)); !slices.Equal(got, want) {
		t.Fatalf("files %v, want %v", got, want)
	}
	pages := 0
	for _, name := range want {
		text := render(t, s, name)
		if len(text) > llms.MaxFull+llms.MaxFull/100 {
			t.Errorf("%s has %d bytes", name, len(text))
		}
		pages += strings.Count(text, "<page href=")
		if !strings.Contains(render(t, s, llms.IndexName), "("+name+")") {
			t.Errorf("llms.txt does not name %s", name)
		}
	}
	if pages != 15 {
		t.Errorf("%d pages are in the files, want 15", pages)
	}
}

func TestData(t *testing.T) {
	t.Parallel()
	s := layOut(t, compilertest.Compile(t, compilertest.Write(t, publishedWiki)), Options{})
	var d PageData
	if err := json.Unmarshal([]byte(render(t, s, "one.json")), &d); err != nil {
		t.Fatal(err)
	}
	if d.Version != DataVersion || d.Title != "One [draft] of <two>" || d.HTML != "one.html" || d.Markdown != "one.md" || d.Updated != "2026-03-02" || d.Language != "en" || !slices.Equal(d.Tags, []string{"first"}) {
		t.Errorf("data %+v", d)
	}
	if want := []string{"index.html"}; !slices.Equal(d.Links, want) {
		t.Errorf("links %+v, want %+v", d.Links, want)
	}
	if want := []string{"index.html", "sub/two%20(b).html"}; !slices.Equal(d.Backlinks, want) {
		t.Errorf("backlinks %+v, want %+v", d.Backlinks, want)
	}
	if err := json.Unmarshal([]byte(render(t, s, "index.json")), &d); err != nil {
		t.Fatal(err)
	}
	if want := []string{"one.html", "sub/two%20(b).html", "https://example.org/a?b=c"}; !slices.Equal(d.Links, want) {
		t.Errorf("links of the index %q, want %q", d.Links, want)
	}
}

// TestDataAndListsLeadToFiles follows the addresses in all data and in llms.txt.
func TestDataAndListsLeadToFiles(t *testing.T) {
	t.Parallel()
	s := layOut(t, fixture(t), Options{})
	dir := t.TempDir()
	buildTo(t, s, dir)
	files := tree(t, dir)
	followed := 0
	lead := func(from, href string) {
		if href == "" || strings.Contains(href, "://") {
			return
		}
		file, _, _ := strings.Cut(href, "#")
		to, err := url.PathUnescape(file)
		if _, ok := files[path.Join(path.Dir(from), to)]; !ok || err != nil {
			t.Errorf("%s leads to %s, which is not there", from, href)
		}
		followed++
	}
	for name := range files {
		if name == llms.IndexName {
			for _, m := range regexp.MustCompile(`\]\(([^)]*)\)`).FindAllStringSubmatch(files[name], -1) {
				lead(name, m[1])
			}
		}
		if !strings.HasSuffix(name, ".json") || name == manifestName {
			continue
		}
		var d PageData
		if err := json.Unmarshal([]byte(files[name]), &d); err != nil {
			t.Fatal(err)
		}
		for _, href := range slices.Concat([]string{d.HTML, d.Markdown}, d.Links, d.Backlinks) {
			lead(name, href)
		}
		for _, src := range d.Sources {
			lead(name, src.Href)
		}
	}
	if followed < 50 {
		t.Errorf("only %d addresses were followed", followed)
	}
}
