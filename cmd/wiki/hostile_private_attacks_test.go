package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestPublicPagesStayPublished checks what only looks as if a page was withheld.
func TestPublicPagesStayPublished(t *testing.T) {
	t.Parallel()
	type page struct {
		file, text string // %s is the head of its markers
		warned     bool   // lint names a line of it
		silent     bool   // lint does not name line 2
	}
	var pages []page
	for _, line := range []string{
		"draft: false", "draft: no", "draft: off", "draft: 0", "draft: null", "draft: ~", "draft:", "draft: \"\"", "draft: \"false\"", "draft: []", "draft: FALSE", "draft: 'no'", "draft: n",
		"publish: true", "publish: yes", "publish: 1", "published: true", "published: 2024-01-02", "published: 2099-01-01", "published: 2024-01-02T03:04:05Z", "published: January 2024", "date: 2099-01-01", "created: 2099-12-31",
		"hidden: false", "private: no", "internal: off", "status: active", "status: wip", "status: published", "state: Texas", "state: open", "public: true", "dg-publish: true", "visibility: public",
		"internal_id: 7", "private_key_path: x", "drafts: 3", "draft_of: other", "publisher: false", "hidden_costs: true", "published_by: nobody", "unlisted: false", "unlisted: no",
		"title: \"Draft\"", "title: \"draft: true\"", "description: \"draft: true\"", "description: |\n  draft: true\n  private: yes", "tags: [drafting]", "note: private", "type: internal", "# draft: true", "aliases: [draft]",
		"related:\n  - draft", "draft: false # not private", "draft: \"off\"", "draft: &a false", "x: 'a\n\n  draft: true\n  b'",
	} {
		pages = append(pages, page{text: "---\n" + line + "\n---\n# Heading\n\n%stext\n", silent: line == "draft: false" || line == "publish: true" || line == "hidden: false"})
	}
	pages = append(pages,
		page{text: "---\ntags: [draft]\n---\n# Heading\n\n%stext\n", warned: true},
		page{text: "---\ntags: [other, private]\n---\n# Heading\n\n%stext\n", warned: true},
		page{text: "+++\ndraft = false\n+++\n# Heading\n\n%stext\n", silent: true},
		page{text: "+++\npublished = 2024-01-02\n+++\n# Heading\n\n%stext\n"},
		page{text: "+++\ntitle = \"draft = true\"\n+++\n# Heading\n\n%stext\n"},
		page{text: "{\n\"draft\": false\n}\n\n# Heading\n\n%stext\n", silent: true},
		page{text: "{\"title\": \"draft: true\", \"note\": \"\\\"draft\\\": true\"}\n\n# Heading\n\n%stext\n"},
		page{text: "{{< shortcode draft=\"true\" >}}\n\n# Heading\n\n%stext\n"},
		page{text: "{% set draft = true %}\n\n# Heading\n\n%stext\n"},
		page{text: "# Heading\n\ndraft: true\n\n%stext\n"},
		page{text: "# Heading\n\n%stext\n\n---\n\ndraft: true\n\n---\n\nprivate: yes\n"},
		page{text: "# Heading\n\n---\ndraft: true\n---\n\n%stext\n"},
		page{text: "# Drafts in Hugo\n\n```yaml\n---\ntitle: x\ndraft: true\n---\n```\n\n%stext\n"},
		page{text: "---\ntitle: Drafts in Hugo\n---\n\n```toml\n+++\ndraft = true\n+++\n```\n\n%stext\n"},
		page{text: "```yaml\n---\ndraft: true\n---\n```\n\n# Heading\n\n%stext\n"},
		page{text: "<!-- draft: true -->\n# Heading\n\n%stext\n"},
		page{text: "<!-- made by hand -->\n---\ntitle: x\ndraft: false\n---\n# Heading\n\n%stext\n"},
		page{text: "---\ntitle: x\n---\n# Heading\n\n%stext is `draft: true`.\n\n    draft: true\n\n- draft: true\n- private: yes\n"},
		page{text: "---\ntitle: x\n---\n\n---\n\n%stext\n\n---\n\ndraft: true\n"},
		page{text: "---\n\nPages with a thematic break say what they mean in sentences.\n\n---\n\n%stext\n\ndraft: true\n"},
		page{text: "| key | value |\n|---|---|\n| draft | true |\n\n%stext\n"},
		page{file: "draft.md", text: "# Heading\n\n%stext\n"},
		page{file: "private/page.md", text: "# Heading\n\n%stext\n"},
		page{file: "drafts/hidden.md", text: "# Draft\n\n%stext\n"},
		page{text: "---\nlong: " + strings.Repeat("draft true ", 60000) + "\n---\n# Heading\n\n%stext\n"},
	)
	files := map[string]string{"wiki/index.md": "# Index\n"}
	for i := range pages {
		if pages[i].file == "" {
			pages[i].file = fmt.Sprintf("n%d.md", i)
		}
		files["wiki/"+pages[i].file] = strings.ReplaceAll(pages[i].text, "%s", privateHead(i)+publicTail)
	}
	w := newPrivateWiki(t, files)
	said := w.build()
	findings := w.lint()
	for i, p := range pages {
		t.Run(fmt.Sprintf("%s/%.40q", p.file, p.text), func(t *testing.T) {
			html := strings.TrimSuffix(p.file, ".md") + ".html"
			marker := privateHead(i) + publicTail
			if !w.has(html) {
				t.Fatalf("not published:\n%.200s\n%s", p.text, said)
			}
			if !strings.Contains(w.file(html), marker) || !strings.Contains(w.file(p.file), marker) || !strings.Contains(w.index(), marker) {
				t.Errorf("published without its text:\n%.200s", p.text)
			}
			if named := findings[p.file+":2"]; p.warned && len(named) == 0 {
				t.Errorf("lint does not name the tag of\n%s", p.text)
			} else if p.silent && len(named) > 0 {
				t.Errorf("lint says of line 2 of\n%s%v", p.text, named)
			}
		})
	}
	if strings.Contains(said, "not published") {
		t.Errorf("every page is public; the build says %s", said)
	}
}

// TestUnambiguousVisibilityHasNoFinding lints the two spellings that nobody can misread.
func TestUnambiguousVisibilityHasNoFinding(t *testing.T) {
	t.Parallel()
	files := map[string]string{"wiki/index.md": "# Index\n\n[[a]] [[b]] [[c]] [[d]] [[e]] [[f]]\n"}
	for name, front := range map[string]string{
		"a": "---\ndraft: true\n---\n", "b": "---\ndraft: false\n---\n", "c": "+++\ndraft = true\n+++\n", "d": "+++\ndraft = false\n+++\n", "e": "{\n\"draft\": true\n}\n\n", "f": "{\n\"draft\": false\n}\n\n",
	} {
		files["wiki/"+name+".md"] = front + "# Heading " + name + "\n\nSee [[index]].\n"
	}
	for key, found := range newPrivateWiki(t, files).lint() {
		for _, f := range found {
			if f.Line == 2 || strings.Contains(f.Message, "draft") && f.Rule != "link-to-inactive" {
				t.Errorf("%s: %s [%s]", key, f.Message, f.Rule)
			}
		}
	}
}

// TestUnlistedPagesAreNotListed builds pages that anyone who has their address may read.
func TestUnlistedPagesAreNotListed(t *testing.T) {
	t.Parallel()
	fronts := []string{"---\nunlisted: true\nTAGS---\n", "---\nunlisted: yes\nTAGS---\n", "---\nunlisted: \"true\"\nTAGS---\n", "---\nUnlisted: 1\nTAGS---\n", "---\nunlisted: [true]\nTAGS---\n", "---\nunlisted: on # yet\nTAGS---\n", "+++\nunlisted = true\ntags = [\"%stag\"]\n+++\n", "{\"unlisted\": true, \"tags\": [\"%stag\"]}\n\n"}
	files := map[string]string{"wiki.yaml": "site: {url: https://example.org/w/}\n", "wiki/index.md": "# Index\n\n- [[v]]\n", "wiki/v.md": "# V\n\nThe port of Foo is 8080.\n", "wiki/z.md": "# Z\n\n[[v]]\n"}
	for i, front := range fronts {
		head := privateHead(i) + privateTail
		text := strings.ReplaceAll(strings.ReplaceAll(front, "TAGS", "tags: [\"%stag\"]\ndescription: %sdesc\n"), "%s", head)
		files[fmt.Sprintf("wiki/u%d.md", i)] = text + fmt.Sprintf("# %[1]stitle\n\n%[1]stext. The port of Foo is 9090, says %[1]sclaim. [[v]] %[1]sbacklink\n", head)
	}
	w := newPrivateWiki(t, files)
	w.commit()
	w.build()
	seen := w.markers()
	for i, front := range fronts {
		t.Run(fmt.Sprintf("%.24q", front), func(t *testing.T) {
			name := fmt.Sprintf("u%d", i)
			if !w.has(name + ".html") {
				t.Fatal("it is not built")
			}
			if page := w.file(name + ".html"); !strings.Contains(page, privateHead(i)+privateTail+"text") || !regexp.MustCompile(`<meta name="?robots"? content="?[^>]*noindex`).MatchString(page) {
				t.Error("the page lacks its text, or noindex")
			}
			for _, at := range seen[privateHead(i)+privateTail] {
				if !strings.HasPrefix(at, name+".") {
					t.Errorf("it is listed: %s", at)
				}
			}
			address := regexp.MustCompile(`\b` + name + `\.(html|md)\b`)
			for _, list := range []string{"index.html", "pages.html", "recent.html", "sitemap.xml", "v.html", "z.html", "search.html", "404.html", "_wiki/search"} {
				text := ""
				if list == "_wiki/search" {
					text = w.index()
				} else {
					text = w.file(list)
				}
				if address.MatchString(text) {
					t.Errorf("%s leads to it", list)
				}
			}
		})
	}
}

// TestAuthorLinksToUnlistedPagesWork is what an address is for.
func TestAuthorLinksToUnlistedPagesWork(t *testing.T) {
	t.Parallel()
	w := newPrivateWiki(t, map[string]string{"wiki/index.md": "# Index\n\nSee [[u|there]].\n", "wiki/u.md": "---\nunlisted: true\n---\n# U\n"})
	w.build()
	if !w.has("u.html") || !strings.Contains(w.file("index.html"), `href="u.html"`) {
		t.Error("the link of an author leads nowhere")
	}
}

// privateCommented holds comments of all forms; keep… is in code.
const privateCommented = `---
title: Commented
---
<!-- %sfirst -->
# Heading <!-- %shead -->

Text <!-- %sinline --> goes %%%sperc%% on <!-- %slines
over lines --> here vvkqpbone. <!----> vvkqpbtwo <!-- a --- %sdash -- -->

<!--
%sblock

%sblank
-->

%%
%spercblock

%spercblank
%%

- item <!-- %sitem --> vvkqpbthree
  <!-- %sinner -->
- > quote <!-- %squote -->

| a <!-- %scell --> | b |
|---|---|
| %%%scellperc%% | c |

<div>vvkqpbfour <!-- %sdiv --></div>

<details><summary>s</summary>

<!-- %sdetails -->
</details>

<!-- open
` + "```\n%sinfence\n```" + `
-->

[link](z.md "t") <!-- %slink --> [[z]] %%%sback%% and back.

` + "```html\n<!-- vvkqpbkeepfence -->\n%%vvkqpbkeepperc%%\n<!-- \n```\n\nvvkqpbvisible --> shown\n\n~~~\n<!-- vvkqpbkeeptilde -->\n~~~\n\n    <!-- vvkqpbkeepindent -->\n\n" +
	"`<!-- vvkqpbkeepspan -->` and `%%vvkqpbkeepspanperc%%` and \\<!-- vvkqpbkeepescaped --> and 50% off, 100%.\n\n" + "<!-- %sunclosed\n\nto the end %sunclosedtwo\n"

// TestCommentsAreNotPublished builds a page with comments, with and without the setting
// that keeps them in its source.
func TestCommentsAreNotPublished(t *testing.T) {
	t.Parallel()
	text := strings.ReplaceAll(privateCommented, "%s", privateHead(7)+privateTail)
	files := map[string]string{
		"wiki/index.md": "# Index\n\n[[c]] ![[c]]\n", "wiki/z.md": "# Z\n\n[[c]]\n", "wiki/c.md": text,
		"wiki/crlf.md": strings.ReplaceAll(text, "\n", "\r\n"),
	}
	kept := regexp.MustCompile(publicTail + `(one|two|three|four|keepfence|keepperc|visible|keeptilde|keepindent|keepspan|keepspanperc|keepescaped)\b`)
	for name, config := range map[string]string{"by default": "", "as written": "site: {sources: as-written}\n"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newPrivateWiki(t, files)
			if config != "" {
				w.write(map[string]string{"wiki.yaml": config})
			}
			if w.build(); t.Failed() {
				return
			}
			for _, at := range w.markers()[privateHead(7)+privateTail] {
				if source, _, _ := strings.Cut(at, " "); config == "" || !strings.HasSuffix(source, ".md") {
					t.Errorf("a comment is published: %s", at)
				}
			}
			for _, file := range []string{"c.md", "crlf.md"} {
				found := map[string]bool{}
				for _, m := range kept.FindAllString(w.file(file), -1) {
					found[m] = true
				}
				if len(found) != 12 {
					t.Errorf("%s lacks text that is no comment; it has %v", file, found)
				}
				if config != "" && w.file(file) != files["wiki/"+file] {
					t.Errorf("%s is not as written", file)
				}
			}
		})
	}
}

// TestDotFilesAreNotPages has pages whose name, or a folder's, begins with a dot.
func TestDotFilesAreNotPages(t *testing.T) {
	t.Parallel()
	head := privateHead(3) + privateTail
	files := map[string]string{"wiki/index.md": "# Index\n\n[[a]] [[.secret]] [a](.secret.md) ![[.dir/x]] [b](.dir/x.md) ![](.env) [c](a/.b.md) [d](.md) <a href=\".hidden.txt\">e</a> vvkqpbneedle\n", "wiki/a.md": "# A\n\nvvkqpbneedle\n"}
	for _, name := range []string{".md", ".secret.md", ".dir/x.md", ".dir/deep/y.md", "a/.b.md", "a/.c/d.md", ".index.md", ".env", ".hidden.txt", "..odd.md", ".README.md"} {
		files["wiki/"+name] = "---\ntags: [" + head + "tag]\n---\n# " + head + "title\n\n" + head + "text [[a]]\n"
	}
	w := newPrivateWiki(t, files)
	w.build()
	w.markers().hidden(t, privateHead(3))
	out, stderr, code := w.run("search", "vvkqpbneedle")
	if code != 0 || !strings.Contains(out, "a.md") {
		t.Errorf("search: exit status %d: %s%s", code, out, stderr)
	}
	if out, _, code := w.run("search", head+"text"); code != 1 || strings.Contains(out, head+"t") {
		t.Errorf("search finds a file that is no page: exit status %d: %s", code, out)
	}
	for key := range w.lint() {
		if strings.HasPrefix(key, ".") || strings.Contains(key, "/.") {
			t.Errorf("lint reports %s, which is no page", key)
		}
	}
}

// TestServeMarksPrivatePages asks a preview for pages that are not published.
func TestServeMarksPrivatePages(t *testing.T) {
	t.Parallel()
	w := newPrivateWiki(t, map[string]string{
		"wiki/index.md": "# Index\n\n[[a]] [[b]] [[c]] [[d]] [[e]]\n", "wiki/a.md": "# Apple\n\nwords\n",
		"wiki/b.md": "---\ndraft: yes\n---\n# Berry\n\nwords\n", "wiki/c.md": "---\npublish: no\n---\n# Cherry\n\nwords\n",
		"wiki/d.md": "+++\nhidden = true\n+++\n# Date\n\nwords\n", "wiki/e.md": "---\na: [\nprivate: on\n---\n# Elder\n\nwords\n",
	})
	c := exec.Command("wiki", "serve", "--port", "0")
	c.Dir, c.Env = w.dir, w.env
	stderr, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Process.Kill(); _ = c.Wait() })
	address := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(stderr)
		for lines.Scan() {
			if at := regexp.MustCompile(`http://127\.0\.0\.1:\d+`).FindString(lines.Text()); at != "" {
				address <- at
			}
		}
	}()
	var at string
	select {
	case at = <-address:
	case <-time.After(time.Minute):
		t.Fatal("it does not listen")
	}
	get := func(name string) string {
		t.Helper()
		res, err := http.Get(at + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		b, err := io.ReadAll(res.Body)
		if err != nil || res.StatusCode != http.StatusOK {
			t.Fatalf("%s: %s %v", name, res.Status, err)
		}
		_, main, _ := strings.Cut(string(b), "<main")
		return regexp.MustCompile(`(?s)<script.*?</script>|<pre.*?</pre>|<[^>]*>`).ReplaceAllString(main, " ")
	}
	marked := regexp.MustCompile(`(?i)not published|unpublished|private|draft`)
	// Facts and findings speak of front matter too: the mark is above the text.
	above := func(text string) string { before, _, _ := strings.Cut(text, "words"); return before }
	if page := above(get("a.html")); marked.MatchString(page) {
		t.Errorf("a public page is marked: %s", page)
	}
	for _, name := range []string{"b", "c", "d", "e"} {
		page := get(name + ".html")
		if !strings.Contains(page, "words") {
			t.Errorf("%s.html lacks its text", name)
		}
		if !marked.MatchString(above(page)) {
			t.Errorf("%s.html is not marked: %s", name, above(page))
		}
	}
}

// TestBuildReportsUnpublishedPages counts pages by reason.
func TestBuildReportsUnpublishedPages(t *testing.T) {
	t.Parallel()
	w := newPrivateWiki(t, map[string]string{
		"wiki/index.md": "# Index\n", "wiki/a.md": "---\ndraft: true\n---\n# A\n", "wiki/b.md": "---\nstatus: draft\n---\n# B\n", "wiki/c.md": "---\nprivate: yes\n---\n# C\n",
		"wiki/d.md": "---\npublish: off\n---\n# D\n", "wiki/e.md": "---\na: [\ndraft: true\n---\n# E\n", "wiki/f.md": "---\nhidden: 1\n---\n# F\n", "wiki/g.md": "---\ndraft: true\nprivate: true\n---\n# G\n",
	})
	said := w.build()
	privateSays(t, said, 7)
	for line := range strings.Lines(said) {
		if strings.Contains(line, "not published") && (!strings.Contains(line, "draft") || !strings.Contains(line, "private")) {
			t.Errorf("it does not say why: %s", line)
		}
	}
}

// TestRebuildRemovesPagesMadePrivate builds twice; the page is withheld in between.
func TestRebuildRemovesPagesMadePrivate(t *testing.T) {
	t.Parallel()
	head := privateHead(5) + privateTail
	body := "aliases: [" + head + "alias]\ntags: [" + head + "tag]\n---\n# " + head + "title\n\n" + head + "text ![[" + head + "pic.png]]\n"
	w := newPrivateWiki(t, map[string]string{"wiki/index.md": "# Index\n\n[[p]]\n", "wiki/p.md": "---\n" + body, "wiki/" + head + "pic.png": head + "bytes"})
	w.commit()
	w.build()
	if len(w.markers()[head]) < 5 {
		t.Fatal("it was never published")
	}
	w.write(map[string]string{"wiki/p.md": "---\ndraft: yes\n" + body})
	w.build()
	w.markers().hidden(t, privateHead(5))
	entries, err := os.ReadDir(filepath.Join(w.dir, "_site", "tags"))
	if err == nil && len(entries) > 0 {
		t.Errorf("folders of tags are left: %v", entries)
	}
}
