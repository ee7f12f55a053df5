package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/exchange"
	"github.com/loopwiki/wiki/schema/schematest"
)

// privateLeak is a way in which a page that is withheld might be told of by what is public.
// In its files %s stands for the head of the private markers, %p for the public one.
type privateLeak struct {
	name  string
	files map[string]string
}

var privateLeaks = []privateLeak{
	{"assets in raw HTML, fields and links", map[string]string{
		"%d/p.md":      "---\ndraft: yes\nimage: %sfield.png\ncover: \"[[%scover.png]]\"\nsources: [%ssource.pdf]\n---\n# P\n\n<img src=\"%simg.png\"> <a href=\"%sdoc.pdf\">d</a> <video src=\"%sclip.mp4\"></video> <picture><source srcset=\"%sset.png 2x\"></picture>\n\n![r][ref] <%sauto.txt>\n\n[ref]: %sref.png\n",
		"%d/%simg.png": "x", "%d/%sdoc.pdf": "x", "%d/%sclip.mp4": "x", "%d/%sset.png": "x", "%d/%sref.png": "x", "%d/%sfield.png": "x", "%d/%scover.png": "x", "%d/%ssource.pdf": "x", "%d/%sauto.txt": "x",
	}},
	{"redirects from aliases and former names", map[string]string{
		"%d/p.md": "---\nprivate: yes\naliases: [%salias, \"%salias two\"]\nalias: %ssingle\nredirect_from: [old/%sformer.md, /%srooted/]\npermalink: /%slink/\nslug: %sslug\nid: %sid\n---\n# P\n",
	}},
	{"the index of a folder gives its title to lists and crumbs", map[string]string{
		"%d/index.md": "---\ntitle: \"%stitle\"\ndescription: \"%sdesc\"\ndraft: on\n---\n# %shead\n", "%d/page.md": "# Page\n\n%ptext\n", "%d/deep/_index.md": "---\ntitle: \"%sdeep\"\nhidden: 1\n---\n", "%d/deep/page.md": "# Page\n\n%ptext\n",
	}},
	{"a folder that holds nothing public", map[string]string{"%d/%sfolder/%sdeeper/p.md": "---\ndraft: yes\n---\n# P\n", "%d/%sfolder/q.md": "---\nstatus: private\n---\n# Q\n"}},
	{"labels, tooltips and excerpts of links", map[string]string{
		"%d/secretone.md": "---\ntitle: \"%stitle\"\ndescription: \"%sdesc\"\ndraft: y\n---\n# %shead\n\n%sfirst words.\n",
		"%d/page.md":      "# Page\n\n%ptext [[secretone]] [](secretone.md) [[secretone#^]] [x](secretone.md \"\") ![[secretone]] ![](secretone.md) [[%d/secretone]] <secretone.md>\n\n[secretone]: secretone.md\n\n[secretone][] [secretone]\n",
	}},
	{"fields of public pages that name it", map[string]string{
		"%d/secrettwo.md": "---\ntitle: \"%stitle\"\ndraft: \"true\"\n---\n# %shead\n\n%stext\n",
		"%d/page.md":      "---\nsupersedes: \"[[secrettwo]]\"\nrelated: [secrettwo]\nsources: [secrettwo.md, \"[[secrettwo]]\"]\nparent: secrettwo\n---\n# Page\n\n%ptext\n",
		"%d/old.md":       "---\nsuperseded_by: \"[[secrettwo]]\"\ncontradicted_by: [secrettwo]\nverified_against: secrettwo.md\n---\n# Old\n\n%ptext\n",
	}},
	{"its fields name public pages", map[string]string{
		"%d/p.md":         "---\ntitle: \"%stitle\"\ndraft: 1\nsupersedes: \"[[pagethree]]\"\nreplaces: pagethree.md\ncontradicts: [pagethree]\nrelated: [pagethree]\nparent: pagethree\nup: \"[[pagethree]]\"\n---\n# %shead\n\n[[pagethree]] by %sbacklink. pagethree as %smention.\n",
		"%d/pagethree.md": "# Pagethree\n\n%ptext\n",
	}},
	{"it contradicts a public page", map[string]string{
		"%d/p.md":    "---\ntitle: \"%stitle\"\ndraft: off\npublish: off\n---\n# %shead\n\nThe port of Barge is 9090, says %sclaim.\n",
		"%d/page.md": "# Page\n\n%ptext\n\nThe port of Barge is 8080.\n",
	}},
	{"two private pages contradict each other", map[string]string{
		"%d/p.md": "---\ninternal: on\n---\n# %sa\n\nThe port of %sferry is 9090.\n", "%d/q.md": "---\nhidden: on\n---\n# %sb\n\nThe port of %sferry is 8080.\n",
	}},
	{"tags and their parents that only it has", map[string]string{"%d/p.md": "---\ntags: [%sparent/%schild, shared/%sleaf]\ntopics: [%stopic]\ndraft: yes\n---\n# P\n\n#%sbody/%snested\n", "%d/page.md": "---\ntags: [shared]\n---\n# Page\n\n%ptext\n"}},
	{"words of its own in the search index", map[string]string{"%d/p.md": "---\npublished: off\n---\n# P\n\n## %sheading {#%sanchor}\n\n`%scode` **%sbold** [^n] $%smath$ ==%smark==\n\n[^n]: %snote\n\n```%slang\n%sfence\n```\n\n| %scell |\n|---|\n| %srow |\n"}},
	{"a page that repeats another", map[string]string{"%d/p.md": "---\ndraft: yes\n---\n# Page\n\n![[page]] %stext\n", "%d/page.md": "# Page\n\n%ptext ![[%d/p]] ![[%d/p#Page]]\n"}},
	{"an embed of a public page that embeds it", map[string]string{"%d/secretfour.md": "---\nprivate: true\n---\n# A\n\n## Part\n\n%stext ^one\n", "%d/middle.md": "# Middle\n\n%ptext ![[secretfour]] ![[secretfour#Part]] ![[secretfour#^one]]\n", "%d/outer.md": "# Outer\n\n%ptext ![[middle]]\n"}},
	{"a link to its file as if it were another", map[string]string{
		"%d/secretfive.md": "---\ndraft: yes\n---\n# %shead\n\n%stext\n",
		"%d/page.md":       "# Page\n\n%ptext [a](secretfive.md?raw=1) [b](./x/../secretfive.md#L1) <img src=\"secretfive.md\"> ![](SecretFive.MD) [c](secretfive%2Emd) <a href=\"./secretfive.md\" download>d</a> [e](/%d/secretfive.md) ![[secretfive.md]] <audio src=\"secretfive.md\"></audio>\n",
	}},
	{"a file beside it in another format of pages", map[string]string{"%d/secretsix.mdx": "---\ndraft: true\n---\n# %shead\n", "%d/page.md": "# Page\n\n%ptext\n", "%d/secretseven.MARKDOWN": "---\ndraft: yes\n---\n# %shead\n"}},
	{"names like public ones", map[string]string{"%d/Same.md": "---\ndraft: yes\ntitle: Same\naliases: [Other]\n---\n# Same\n\n%stext\n", "%d/sub/same.md": "---\naliases: [Other]\n---\n# Same\n\n%ptext [[Other]] [[Same]] ![[Same]]\n"}},
	{"neighbours of public pages", map[string]string{"%d/a.md": "# A\n\n%ptext\n", "%d/b.md": "---\ndraft: yes\ntitle: \"%stitle\"\n---\n", "%d/c.md": "# C\n\n%ptext\n"}},
	{"a raw source that is kept back", map[string]string{"raw/%d.md": "---\ntitle: \"%stitle\"\ndraft: yes\n---\n# %shead\n\n%stext\n", "%d/page.md": "---\nsources: [raw/%d.md]\n---\n# Page\n\n%ptext [[raw/%d]]\n"}},
	{"names of files", map[string]string{"%d/%sname.md": "---\ndraft: yes\n---\n# P\n", "%d/page.md": "# Page\n\n%ptext\n", "%d/%sother.md": "---\nstate: draft\n---\n# P\n"}},
	{"a log and a schema that are kept back", map[string]string{"%d/log.md": "---\ndraft: yes\n---\n# Log\n\n## 2026-02-01 %sentry\n\n- %sline\n", "%d/00_SCHEMA.md": "---\nprivate: y\n---\n# %shead\n"}},
	{"values of fields as facts of public pages", map[string]string{"%d/p.md": "---\ndraft: yes\nowner: %sowner\nstatus: stable\ntype: %stype\nverified: 2026-01-01\nverified_by: %sperson\n---\n# P\n\nowner:: %sinline\n", "%d/page.md": "---\ntype: concept\n---\n# Page\n\n%ptext\n"}},
}

// TestPublicPagesDoNotLeakPrivatePages builds one wiki with all of them.
func TestPublicPagesDoNotLeakPrivatePages(t *testing.T) {
	t.Parallel()
	files := map[string]string{"wiki.yaml": "title: Leaks\nsite: {url: https://example.org/w/, repo: https://example.org/r}\n", "wiki/index.md": "# Index\n"}
	for i, leak := range privateLeaks {
		fill := strings.NewReplacer("%s", privateHead(i)+privateTail, "%p", privateHead(i)+publicTail, "%d", fmt.Sprintf("d%d", i))
		for name, text := range leak.files {
			files["wiki/"+fill.Replace(name)] = fill.Replace(text)
		}
	}
	w := newPrivateWiki(t, files)
	w.commit()
	w.build()
	w.exportAll()
	exported := w.markersIn("export")
	seen := w.markers()
	for i, leak := range privateLeaks {
		t.Run(leak.name, func(t *testing.T) {
			for _, text := range leak.files {
				if strings.Contains(text, "%ptext") && len(seen[privateHead(i)+publicTail]) == 0 || strings.Contains(text, "%ptext") && len(exported[privateHead(i)+publicTail]) == 0 {
					t.Error("its public page is not published, or not exported")
				}
			}
			seen.hidden(t, privateHead(i))
			exported.hidden(t, privateHead(i))
		})
	}
}

// exportAll exports the wiki in all formats to the folder export.
func (w *privateWiki) exportAll() {
	w.t.Helper()
	for _, format := range exchange.ExportFormats() {
		if _, said, code := w.run("export", format, "-o", "export/"+format); code != 0 {
			w.t.Fatalf("wiki export %s: exit status %d:\n%s", format, code, said)
		}
	}
}

// TestHistoryDoesNotLeakPrivatePages has pages whose former names are in git.
func TestHistoryDoesNotLeakPrivatePages(t *testing.T) {
	t.Parallel()
	head := privateHead(1) + privateTail
	long := strings.Repeat("A page has to be as long as this for git to see that it was moved.\n", 20)
	w := newPrivateWiki(t, map[string]string{"wiki/index.md": "# Index\n", "wiki/" + head + "before.md": "---\ndraft: yes\n---\n# P\n\n" + long, "wiki/" + head + "gone.md": "---\ndraft: yes\n---\n# G\n"})
	w.commit()
	w.git("mv", "wiki/"+head+"before.md", "wiki/"+head+"between.md")
	w.git("commit", "-q", "-m", "move "+head+"subject")
	w.git("mv", "wiki/"+head+"between.md", "wiki/p.md")
	w.git("rm", "-q", "wiki/"+head+"gone.md")
	w.git("commit", "-q", "-m", "move "+head+"subject again", "--author", head+"author <a@example.org>")
	w.build()
	w.markers().hidden(t, privateHead(1))
}

// TestPrivateHomePage has a wiki whose own first page is withheld.
func TestPrivateHomePage(t *testing.T) {
	t.Parallel()
	head := privateHead(2) + privateTail
	w := newPrivateWiki(t, map[string]string{
		"wiki/index.md": "---\ntitle: \"" + head + "title\"\ndescription: \"" + head + "desc\"\ndraft: yes\n---\n# " + head + "head\n\n" + head + "text [[a]]\n",
		"wiki/a.md":     "# A\n\nvvkqpbtext [[index]]\n", "wiki/README.md": "---\nprivate: on\n---\n# " + head + "readme\n",
	})
	w.build()
	w.markers().hidden(t, privateHead(2))
	if !w.has("index.html") || !strings.Contains(w.file("a.html"), "vvkqpbtext") {
		t.Error("there is no home, or the public page is gone")
	}
}

// TestSiteDraftsPublishesNoPrivatePages has the setting that publishes drafts.
func TestSiteDraftsPublishesNoPrivatePages(t *testing.T) {
	t.Parallel()
	w := newPrivateWiki(t, map[string]string{
		"wiki.yaml": "site: {drafts: true}\n", "wiki/index.md": "# Index\n", "wiki/a.md": "---\ndraft: true\n---\n# A\n\nvvkqpbtext\n",
		"wiki/b.md": "---\nprivate: true\n---\n# B\n\n" + privateHead(3) + privateTail + "text\n", "wiki/c.md": "---\nvisibility: private\n---\n# C\n\n" + privateHead(3) + privateTail + "text\n",
	})
	w.build()
	w.markers().hidden(t, privateHead(3))
	if !w.has("a.html") {
		t.Error("the setting does not publish drafts any more")
	}
}

// TestSymlinksToPrivatePagesAreNotPublished has a link in the file system to a page that is withheld, under
// the name of a page and of other files.
func TestSymlinksToPrivatePagesAreNotPublished(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"other.md", "pic.png", "copy.txt"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			head := privateHead(4) + privateTail
			w := newPrivateWiki(t, map[string]string{"wiki/index.md": "# Index\n\n[[other]] ![](pic.png) [t](copy.txt)\n", "wiki/p.md": "---\ndraft: yes\n---\n# " + head + "head\n\n" + head + "text\n"})
			schematest.Symlink(t, "p.md", filepath.Join(w.dir, "wiki", name))
			w.build()
			w.markers().hidden(t, privateHead(4))
		})
	}
}
