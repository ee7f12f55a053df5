package main

import (
	"strings"
	"testing"
)

// TestOutputStaysInRepository has an output folder that leads out of the repository, as a
// whole or in parts.
func TestOutputStaysInRepository(t *testing.T) {
	rootCheck(t, []rootCase{
		{name: "the folder is a link out", run: "build", files: map[string]string{"_site": "-> ../victim/empty"}, code: rootRefuses, says: "_site"},
		{name: "the folder is a link out, with --force", run: "build --force", files: map[string]string{"_site": "-> ../victim"}, code: rootRefuses, says: "_site"},
		{name: "the folder is an absolute link out", run: "build", files: map[string]string{"_site": "-> VICTIM/empty"}, code: rootRefuses, says: "_site"},
		{name: "the folder is a link to nothing yet", run: "build", files: map[string]string{"_site": "-> ../victim/made"}, code: rootRefuses, says: "_site"},
		{name: "the folder is a link to nothing beside the repository", run: "build", files: map[string]string{"_site": "-> ../made"}, code: rootRefuses, says: "_site"},
		{name: "the folder is a chain of links", run: "build", files: map[string]string{"_site": "-> one", "one": "-> src/two", "src/two": "-> ../../victim/empty"}, code: rootRefuses, says: "_site"},
		{name: "the folder is a link to the parent", run: "build --force", files: map[string]string{"_site": "-> .."}, code: rootRefuses, says: "_site"},
		{name: "the folder is a link to itself", run: "build", files: map[string]string{"_site": "-> _site"}, code: rootRefuses, says: "_site"},
		{name: "the folder of an export is a link out", run: "export okf", files: map[string]string{"export": "-> ../victim/empty"}, code: rootRefuses, says: "export"},
		{name: "the folder of an export is a link out, with --force", run: "export llms --force", files: map[string]string{"export/llms": "-> ../../victim"}, code: rootRefuses, says: "export"},
		{name: "the folder is a pipe", run: "build", files: map[string]string{"_site": "fifo"}, code: rootRefuses, says: "_site"},
		{name: "the folder is a file", run: "build", files: map[string]string{"_site": "x"}, code: rootRefuses, says: "_site"},
		{name: "the folder is a device", run: "build", files: map[string]string{"_site": "-> /dev/null"}, code: rootRefuses, says: "_site"},
		{name: "a folder in it is a link out", first: "build", run: "build", files: map[string]string{"_site/_wiki": "-> ../../victim/empty"}, code: rootRefuses, says: "_wiki"},
		{name: "a folder in it is a link to nothing", first: "build", run: "build", files: map[string]string{"_site/_wiki": "-> ../../victim/made"}, code: rootRefuses, says: "_wiki"},
		{name: "a folder of pages in it is a link out", first: "build", run: "build", files: map[string]string{"wiki/sub/p.md": "# P\n", "_site/sub": "-> ../../victim/empty"}, code: rootRefuses, says: "sub"},
		{name: "a folder of tags in it is a link out", first: "build", run: "build", files: map[string]string{"wiki/p.md": "---\ntags: [x]\n---\n# P\n", "_site/tags": "-> VICTIM/empty"}, code: rootRefuses, says: "tags"},
		{name: "a file in it is a link out", first: "build", run: "build", files: map[string]string{"_site/index.html": "-> ../../victim/canary"}, code: rootAny},
		{name: "a file in it is a link to nothing", first: "build", run: "build", files: map[string]string{"_site/a.html": "-> ../../victim/made"}, code: rootAny},
		{name: "a file in it is a pipe", first: "build", run: "build", files: map[string]string{"_site/a.html": "fifo"}, code: rootAny},
		{name: "a file in it is endless", first: "build", run: "build", files: map[string]string{"_site/a.html": "-> /dev/zero"}, code: rootAny},
		{name: "the list of its files is a link out", first: "build", run: "build", files: map[string]string{"_site/.wiki-build.json": "-> ../../victim/manifest.json"}, code: rootAny},
		{name: "the list of its files is a link to nothing", first: "build", run: "build", files: map[string]string{"_site/.wiki-build.json": "-> ../../victim/made"}, code: rootAny},
		{name: "the list of its files is a pipe", first: "build", run: "build", files: map[string]string{"_site/.wiki-build.json": "fifo"}, code: rootAny},
		{name: "the list of its files is endless", first: "build", run: "build", files: map[string]string{"_site/.wiki-build.json": "-> /dev/zero"}, code: rootAny},
		{name: "the list of its files is huge", first: "build", run: "build", files: map[string]string{"_site/.wiki-build.json": "sparse"}, code: rootAny},
		{name: "the list of its files names others", first: "build", run: "build", code: rootAny, kept: "src/code.go", files: map[string]string{
			"_site/.wiki-build.json": `{"version": 1, "files": ["../../victim/canary", "VICTIM/secret.md", "../src/code.go", "_wiki/../../../victim/log.md", "..\\..\\victim\\canary", "./../../victim/index.md", "/etc/hostname", "", ".", ".."]}`,
		}},
		{name: "the list of its files names one behind a link", first: "build", run: "build", code: rootAny, files: map[string]string{"_site/.wiki-build.json": `{"version": 1, "files": ["gone/canary", "gone/empty/.keep", "gone"]}`, "_site/gone": "-> ../../victim"}},
		{name: "site.output below a link out", run: "build", files: map[string]string{"wiki.yaml": "site: {output: out/site}\n", "out": "-> ../victim/empty"}, code: rootRefuses, says: "out"},
		{name: "site.output below a link out, two folders deep", run: "build", files: map[string]string{"wiki.yaml": "site: {output: out/a/b/site}\n", "out/a": "-> ../../victim/empty"}, code: rootRefuses, says: "out/a"},
		{name: "site.output leads out", run: "build", files: map[string]string{"wiki.yaml": "site: {output: ../victim/empty}\n"}, code: rootRefuses, says: "../victim/empty"},
		{name: "site.output leads out and in again by a link", run: "build", files: map[string]string{"wiki.yaml": "site: {output: out/../made}\n", "out": "-> ../victim/empty"}, code: rootAny},
		{name: "site.output is the folder of git", run: "build --force", files: map[string]string{"wiki.yaml": "site: {output: .git}\n"}, code: rootRefuses, says: ".git"},
		{name: "the folder is a link to that of the pages", run: "build", files: map[string]string{"_site": "-> wiki"}, code: rootRefuses, says: "_site", kept: "wiki/index.md"},
		{name: "site.output is the folder of pages", run: "build", files: map[string]string{"wiki.yaml": "root: wiki\nsite: {output: wiki}\n"}, code: rootRefuses, kept: "wiki/index.md"},
		// What is right, and has to stay so.
		{name: "ok/the folder is a link within the repository", run: "build", files: map[string]string{"_site": "-> public", "public": "dir"}, has: "public/index.html"},
		{name: "ok/a folder above it is a link within the repository", run: "build", files: map[string]string{"wiki.yaml": "site: {output: out/site}\n", "out": "-> build/here", "build/here": "dir"}, has: "build/here/site/index.html"},
		{name: "a person gives a link to a folder that holds other files", run: "build -o given", files: map[string]string{"given": "-> ../victim/empty/.."}, code: rootRefuses},
		{name: "ok/a person gives a link to an empty folder", run: "build -o given", files: map[string]string{"given": "-> ../outside", "../outside": "dir"}, has: "given/index.html", asked: true},
		{name: "ok/a person gives a folder outside", run: "build -o VICTIM/given", asked: true, has: "../victim/given/index.html"},
		{name: "ok/twice", first: "build", run: "build", has: "_site/index.html"},
	})
}

// rootOdd are entries instead of a file that is read: what they are, and how put makes them.
var rootOdd = map[string]string{"a pipe": "fifo", "endless": "-> /dev/zero", "huge": "sparse", "a folder": "dir", "a link to itself": "", "a socket": "socket"}

// rootOddCases has a case per entry that is not a regular, bounded file.
func rootOddCases(file, run string, beside map[string]string) []rootCase {
	var cases []rootCase
	for what, text := range rootOdd {
		name := file[strings.LastIndex(file, "/")+1:]
		if text == "" {
			text = "-> " + name
		}
		files := map[string]string{file: text}
		for n, t := range beside {
			files[n] = t
		}
		cases = append(cases, rootCase{name: file + " is " + what, run: run, files: files, code: rootRefuses, says: name})
	}
	return cases
}

// TestConfigurationStaysInRepository has configuration, themes and state that lie elsewhere,
// or are not files.
func TestConfigurationStaysInRepository(t *testing.T) {
	theme := map[string]string{"wiki.yaml": "site: {theme: theme}\n"}
	with := func(name, text string) map[string]string {
		return map[string]string{"wiki.yaml": theme["wiki.yaml"], name: text}
	}
	cases := []rootCase{
		{name: "wiki.yaml is a link out", run: "build", files: map[string]string{"wiki.yaml": "-> ../victim/wiki.yaml"}, code: rootRefuses, says: "wiki.yaml"},
		{name: "wiki.yaml is a link out, lint", run: "lint", files: map[string]string{"wiki.yaml": "-> VICTIM/wiki.yaml"}, code: rootRefuses, says: "wiki.yaml"},
		{name: "wiki.yaml is a link to what is no YAML", run: "doctor", files: map[string]string{"wiki.yaml": "-> ../victim/canary"}, code: rootAny, says: "wiki.yaml"},
		{name: "wiki/wiki.yaml is a link out", run: "build", files: map[string]string{"wiki/wiki.yaml": "-> ../../victim/wiki.yaml"}, code: rootRefuses, says: "wiki.yaml"},
		{name: "wiki.yaml is a chain of links out", run: "stats", files: map[string]string{"wiki.yaml": "-> src/one", "src/one": "-> ../../victim/wiki.yaml"}, code: rootRefuses, says: "wiki.yaml"},
		{name: "the theme is a link out", run: "build", files: with("theme", "-> ../victim/theme"), code: rootRefuses, says: "theme"},
		{name: "the theme is below a link out", run: "build", files: map[string]string{"wiki.yaml": "site: {theme: my/theme}\n", "my": "-> ../victim"}, code: rootRefuses, says: "my"},
		{name: "the theme leads out", run: "build", files: map[string]string{"wiki.yaml": "site: {theme: ../victim/theme}\n"}, code: rootRefuses, says: "theme"},
		{name: "the theme is absolute", run: "build", files: map[string]string{"wiki.yaml": "site: {theme: VICTIM/theme}\n"}, code: rootRefuses, says: "theme"},
		{name: "a template is a link out", run: "build", files: with("theme/page.html", "-> ../../victim/canary"), code: rootRefuses, says: "page.html"},
		{name: "templates are a link out", run: "build", files: with("theme/templates", "-> ../../victim/theme/templates"), code: rootRefuses, says: "templates"},
		{name: "an asset is a link out", run: "build", files: with("theme/assets/site.css", "-> ../../../victim/canary"), code: rootRefuses, says: "site.css"},
		{name: "assets are a link out", run: "build", files: with("theme/assets", "-> VICTIM/theme/assets"), code: rootRefuses, says: "assets"},
		{name: "custom.css is a link out", run: "build", files: with("theme/custom.css", "-> ../../victim/canary"), code: rootRefuses, says: "custom.css"},
		{name: "wiki.lock is a link out, lint", run: "lint", files: map[string]string{"wiki/wiki.lock": "-> ../../victim/canary"}, code: rootAny, says: "wiki.lock"},
		{name: "wiki.lock is a link out, verify", run: "verify --all", files: map[string]string{"wiki/wiki.lock": "-> ../../victim/canary", "wiki.lock": "-> ../victim/canary"}, code: rootRefuses, says: "wiki.lock"},
		{name: "wiki.lock is a link to nothing, verify", run: "verify --all", files: map[string]string{"wiki/wiki.lock": "-> ../../victim/made", "wiki.lock": "-> ../victim/made"}, code: rootRefuses, says: "wiki.lock"},
		{name: ".loopwiki is a link out, baseline", run: "lint --baseline-write", files: map[string]string{".loopwiki": "-> ../victim/empty"}, code: rootRefuses, says: ".loopwiki"},
		{name: ".loopwiki is a link to nothing, baseline", run: "lint --baseline-write", files: map[string]string{".loopwiki": "-> ../victim/made"}, code: rootRefuses, says: ".loopwiki"},
		{name: ".loopwiki is a link out, lint", run: "lint", files: map[string]string{".loopwiki": "-> ../victim"}, code: rootRefuses, says: ".loopwiki"},
		{name: ".loopwiki is a link out, acknowledge", run: "lint --ack wiki/a.md:3 --reason why --by me --today 2026-03-01", files: map[string]string{".loopwiki": "-> ../victim/empty"}, code: rootRefuses, says: ".loopwiki"},
		{name: ".loopwiki is a link out, loop status", run: "loop status", files: map[string]string{".loopwiki": "-> ../victim"}, code: rootAny},
		{name: ".loopwiki is a link out, search", run: "search Barge", files: map[string]string{".loopwiki": "-> ../victim/empty"}, code: rootAny},
		{name: ".loopwiki is a link out, build", run: "build", files: map[string]string{".loopwiki": "-> ../victim/empty"}, code: rootAny},
		{name: "the baseline is a link out", run: "lint", files: map[string]string{".loopwiki/baseline.json": "-> ../../victim/baseline.json"}, code: rootRefuses, says: "baseline.json"},
		{name: "the baseline is a link out, written", run: "lint --baseline-write", files: map[string]string{".loopwiki/baseline.json": "-> ../../victim/baseline.json"}, code: rootRefuses, says: "baseline.json"},
		{name: "the baseline is a link to nothing, written", run: "lint --baseline-write", files: map[string]string{".loopwiki/baseline.json": "-> ../../victim/made"}, code: rootRefuses, says: "baseline.json"},
		{name: "acknowledged.yaml is a link out", run: "lint", files: map[string]string{".loopwiki/acknowledged.yaml": "-> ../../victim/canary"}, code: rootRefuses, says: "acknowledged.yaml"},
		{name: "acknowledged.yaml is a link to nothing, written", run: "lint --ack wiki/a.md:3 --reason why --by me --today 2026-03-01", files: map[string]string{".loopwiki/acknowledged.yaml": "-> ../../victim/made"}, code: rootRefuses, says: "acknowledged.yaml"},
		{name: "acknowledged.yaml is a link out, build", run: "build", files: map[string]string{".loopwiki/acknowledged.yaml": "-> ../../victim/canary"}, code: rootAny, says: "acknowledged.yaml"},
		{name: "verdicts.jsonl is a link out", run: "lint --judge=cached", files: map[string]string{".loopwiki/verdicts.jsonl": "-> ../../victim/canary"}, code: rootAny, says: "verdicts.jsonl"},
		{name: "the cache is a link out", run: "search Barge", files: map[string]string{".loopwiki/cache": "-> ../../victim/empty"}, code: rootAny},
		{name: "the cache is a link out, build", run: "build", files: map[string]string{".loopwiki/cache": "-> ../../victim/empty"}, code: rootAny},
		{name: ".loopwiki/.gitignore is a link to nothing", run: "lint --baseline-write", files: map[string]string{".loopwiki/.gitignore": "-> ../../victim/made", ".loopwiki/runs/a": "a run\n"}, code: rootAny},
		{name: "runs are a link out", run: "loop gc", files: map[string]string{".loopwiki/runs": "-> ../../victim"}, code: rootAny},
		{name: "a run is a link out", run: "loop list", files: map[string]string{".loopwiki/runs/2026-03-01T000000Z-x": "-> ../../../victim"}, code: rootAny},
		{name: "incidents are a link out", run: "andon status", files: map[string]string{".loopwiki/incidents": "-> ../../victim"}, code: rootAny},
		{name: "--baseline given by a person", run: "lint --baseline VICTIM/baseline.json", code: rootAny},
		{name: "ok/wiki.yaml is a link within the repository", run: "build", files: map[string]string{"wiki.yaml": "-> src/config.yaml", "src/config.yaml": "title: Mine\n"}, has: "_site/index.html"},
		{name: "ok/a theme is a link within the repository", run: "build", files: map[string]string{"wiki.yaml": "site: {theme: theme}\n", "theme": "-> src/theme", "src/theme/custom.css": "p { color: red }\n"}, has: "_site/_wiki/custom.css"},
		{name: "ok/a theme's file is a link within the repository", run: "build", files: map[string]string{"wiki.yaml": "site: {theme: theme}\n", "theme/custom.css": "-> ../src/my.css", "src/my.css": "p { color: red }\n"}, has: "_site/_wiki/custom.css"},
		{name: "ok/.loopwiki is a link within the repository", run: "lint --baseline-write", files: map[string]string{".loopwiki": "-> state", "state": "dir"}, has: "state/baseline.json"},
	}
	cases = append(cases, rootOddCases("wiki.yaml", "build", nil)...)
	cases = append(cases, rootOddCases("wiki/wiki.yaml", "lint", nil)...)
	cases = append(cases, rootOddCases(".loopwiki/baseline.json", "lint", nil)...)
	cases = append(cases, rootOddCases(".loopwiki/acknowledged.yaml", "lint", nil)...)
	cases = append(cases, rootOddCases("theme/page.html", "build", theme)...)
	cases = append(cases, rootOddCases("theme/custom.css", "build", theme)...)
	cases = append(cases, rootOddCases("theme/assets/site.js", "build", theme)...)
	for _, c := range rootOddCases("wiki/wiki.lock", "lint", map[string]string{"wiki/wiki.yaml": "title: W\n"}) {
		c.code = rootAny // a lock that can't be read is a finding
		cases = append(cases, c)
	}
	rootCheck(t, cases)
}

// TestPagesStayInRepository has a wiki whose folder, pages or other files lie elsewhere.
func TestPagesStayInRepository(t *testing.T) {
	links := map[string]string{
		"wiki/secret.md": "-> ../../victim/secret.md", "wiki/dir": "-> ../../victim", "wiki/abs.md": "-> VICTIM/secret.md", "wiki/absdir": "-> VICTIM", "wiki/chain.md": "-> one.lnk", "wiki/one.lnk": "-> ../src/two", "src/two": "-> ../../victim/secret.md",
		"wiki/pic.png": "-> ../../victim/canary", "wiki/doc.txt": "-> VICTIM/canary", "wiki/proc.txt": "-> /proc/self/environ", "wiki/around.md": "-> ../../repo/../victim/secret.md",
		"wiki/index.md": "# Index\n\n[[a]] [[b]] [[secret]] [[abs]] [[chain]] [[around]] ![](pic.png) [d](doc.txt) [e](dir/canary) [f](dir/secret.md) ![[dir/log]] ![[secret]] [g](absdir/canary) [p](proc.txt) ![](../src/two) [h](../src/out/code.go) [i](../../victim/canary) ![](../../victim/canary)\n\nCode: `src/out/code.go`, [limit](../src/out/code.go#L4).\n",
		"wiki/c.md":     "---\nsources: [src/out/code.go#Limit, ../victim/code.go#Limit, src/two]\n---\n# C\n\n<!-- wiki:src src/out/code.go#Limit -->\nThe limit is 5. code:: src/out/code.go#Limit\n\n```go title=\"src/out/code.go\"\nconst Limit = 5\n```\n",
		"src/out":       "-> ../../victim", "plans/2026-03-x.md": "-> ../../victim/secret.md", "skills/out": "-> ../../victim/skill", "agents/loops/x.md": "-> ../../../victim/secret.md", "agents/LANGUAGE.md": "-> ../../victim/secret.md", "LANGUAGE.md": "-> ../victim/secret.md", "wiki/00_SCHEMA.md": "-> ../../victim/secret.md",
	}
	var cases []rootCase
	for _, run := range []string{"build", "lint --json", "lint --fix", "search Barge", "show secret", "graph", "stats", "claims", "query port+Barge --agent none", "verify --all", "stale", "doctor", "doctor --agents", "skill list", "skill lint", "plan list", "plan lint", "loop list", "loop ready x", "lint --explain orphan"} {
		cases = append(cases, rootCase{name: "links in the wiki: " + run, run: run, files: links, code: rootAny})
	}
	odd := map[string]string{
		"wiki/fifo.md": "fifo", "wiki/socket.md": "socket", "wiki/zero.md": "-> /dev/zero", "wiki/huge.md": "sparse", "wiki/dir.md": "dir", "wiki/self.md": "-> self.md", "wiki/ping.md": "-> pong.md", "wiki/pong.md": "-> ping.md", "wiki/loop": "-> .", "wiki/up": "-> ..", "wiki/sub/back": "-> ../sub", "wiki/sub/p.md": "# P\n",
		"wiki/pic.png": "fifo", "wiki/zero.png": "-> /dev/zero", "wiki/tty.txt": "-> /dev/tty", "wiki/random.svg": "-> /dev/urandom", "wiki/c.md": "---\nsources: [src/fifo.go#X, src/zero.go#X]\n---\n# C\n\n![](pic.png) ![](zero.png) [t](tty.txt) ![](random.svg) [[fifo]] [[zero]] [a](../src/zero.go) `src/fifo.go`\n", "src/fifo.go": "fifo", "src/zero.go": "-> /dev/zero", "wiki/.obsidian/app.json": "-> /dev/zero", "wiki/.obsidian/types.json": "fifo", "LANGUAGE.md": "fifo", ".gitignore": "-> /dev/zero", "wiki/.gitignore": "-> /dev/zero",
		"raw/sources.lock": "-> /dev/zero", "wiki/raw/sources.lock": "fifo", "plans/2026-03-x.md": "fifo", "plans/2026-03-y.md": "-> /dev/zero", "skills/x/SKILL.md": "fifo", "skills/y/SKILL.md": "-> /dev/zero", "AGENTS.md": "-> /dev/zero", "agents/loops/x.md": "fifo", "go.mod": "-> /dev/zero", "package.json": "fifo",
	}
	for _, run := range []string{"build", "lint", "search Barge", "verify --all", "stale", "doctor", "doctor --agents", "skill list", "plan list", "loop list"} {
		cases = append(cases, rootCase{name: "entries that are no files: " + run, run: run, files: odd, code: rootAny})
	}
	cases = append(cases,
		rootCase{name: "the wiki is a link out", run: "build", files: map[string]string{"wiki": "-> ../victim/wiki"}, code: rootRefuses, says: "wiki"},
		rootCase{name: "the wiki is a link out, lint", run: "lint", files: map[string]string{"wiki": "-> VICTIM/wiki"}, code: rootRefuses, says: "wiki"},
		rootCase{name: "root: is a link out", run: "build", files: map[string]string{"wiki.yaml": "root: docs\n", "docs": "-> ../victim/wiki"}, code: rootRefuses, says: "docs"},
		rootCase{name: "root: is below a link out", run: "search Index", files: map[string]string{"wiki.yaml": "root: docs/wiki\n", "docs": "-> ../victim"}, code: rootRefuses, says: "docs"},
		rootCase{name: "root: leads out", run: "build", files: map[string]string{"wiki.yaml": "root: ../victim/wiki\n"}, code: rootRefuses, says: "root"},
		rootCase{name: "root: is absolute", run: "build", files: map[string]string{"wiki.yaml": "root: VICTIM/wiki\n"}, code: rootRefuses, says: "root"},
		rootCase{name: "docs/wiki below a link out", run: "build", files: map[string]string{"wiki": "x", "docs": "-> ../victim"}, code: rootAny},
		rootCase{name: "ok/the wiki is a link within the repository", run: "build", files: map[string]string{"wiki": "-> src/pages", "src/pages/index.md": "# Index\n\n[[a]]\n", "src/pages/a.md": "# A\n"}, has: "_site/a.html"},
		rootCase{name: "ok/a page is a link within the wiki", run: "build", files: map[string]string{"wiki/other.md": "-> a.md", "wiki/pic.png": "-> sub/pic.png", "wiki/sub/pic.png": "x", "wiki/c.md": "# C\n\n![](pic.png)\n"}, has: "_site/pic.png"},
		rootCase{name: "ok/a page is a link, its own page is there", run: "build", files: map[string]string{"wiki/other.md": "-> a.md"}, has: "_site/other.html"},
	)
	rootCheck(t, cases)
}

// TestWritesStayInRepository runs what writes into a wiki, through links out of it.
func TestWritesStayInRepository(t *testing.T) {
	entry := map[string]string{"wiki/log.md": "-> ../../victim/log.md", "wiki/index.md": "-> ../../victim/index.md", "article.md": "# Article\n\nWords.\n"}
	var cases []rootCase
	for _, run := range []string{"ingest article.md --agent none", "new concept Rate+limit", "mv wiki/a.md wiki/moved.md", "lint --fix", "lint --fix-unsafe", "verify --all", "init", "init --agents", "log"} {
		cases = append(cases, rootCase{name: "index and log are links out: " + run, run: run, files: entry, code: rootAny})
	}
	cases = append(cases,
		rootCase{name: "raw is a link out", run: "ingest article.md --agent none", files: map[string]string{"article.md": "# Article\n", "raw": "-> ../victim/empty", "wiki/raw": "-> ../../victim/empty"}, code: rootRefuses, says: "raw"},
		rootCase{name: "raw is a link to nothing", run: "ingest article.md --agent none", files: map[string]string{"article.md": "# Article\n", "raw": "-> ../victim/made", "wiki/raw": "-> ../../victim/made"}, code: rootRefuses, says: "raw"},
		rootCase{name: "raw/sources.lock is a link out", run: "ingest article.md --agent none", files: map[string]string{"article.md": "# Article\n", "raw/sources.lock": "-> ../../victim/canary", "wiki/raw/sources.lock": "-> ../../../victim/canary"}, code: rootAny, says: "sources.lock"},
		rootCase{name: "raw/sources.lock is a link to nothing", run: "ingest article.md --agent none", files: map[string]string{"article.md": "# Article\n", "raw/sources.lock": "-> ../../victim/made", "wiki/raw/sources.lock": "-> ../../../victim/made"}, code: rootAny, says: "sources.lock"},
		rootCase{name: "the source has its place taken by a link", run: "ingest article.md --agent none", files: map[string]string{"article.md": "# Article\n", "raw/article.md": "-> ../../victim/made", "wiki/raw/article.md": "-> ../../../victim/made"}, code: rootAny},
		rootCase{name: "a folder that is taken in holds links out", run: "ingest papers --agent none", files: map[string]string{"papers/a.md": "# A\n", "papers/b.md": "-> ../../victim/secret.md", "papers/c": "-> ../../victim", "papers/d.md": "# D\n\n![](e.png)\n", "papers/e.png": "-> ../../victim/canary"}, code: rootAny},
		rootCase{name: "a page of HTML whose images are links out", run: "ingest saved.html --agent none", files: map[string]string{"saved.html": "<h1>A</h1><img src=\"saved_files/x.png\"><img src=\"../victim/canary\">", "saved_files/x.png": "-> ../../victim/canary"}, code: rootAny},
		rootCase{name: "plans are a link out", run: "plan new Validate+prices", files: map[string]string{"plans": "-> ../victim/empty"}, code: rootRefuses, says: "plans"},
		rootCase{name: "plans are a link to nothing", run: "plan new Validate+prices", files: map[string]string{"plans": "-> ../victim/made"}, code: rootRefuses, says: "plans"},
		rootCase{name: "a plan is a link to nothing", run: "plan new Prices --today 2026-03-01", files: map[string]string{"plans/2026-03-prices.md": "-> ../../victim/made"}, code: rootRefuses, says: "2026-03-prices.md"},
		rootCase{name: "loops are a link out", run: "loop new links --template link-repair", files: map[string]string{"agents/loops": "-> ../../victim/empty"}, code: rootRefuses, says: "agents/loops"},
		rootCase{name: "agents are a link out", run: "loop new links --template link-repair", files: map[string]string{"agents": "-> ../victim/empty"}, code: rootRefuses, says: "agents"},
		rootCase{name: "init, agents are a link out", run: "init --agents", files: map[string]string{"agents": "-> ../victim/empty", "skills": "-> ../victim/empty"}, code: rootAny, says: "agents"},
		rootCase{name: "init, AGENTS.md is a link out", run: "init --agents", files: map[string]string{"AGENTS.md": "-> ../victim/canary"}, code: rootAny, says: "AGENTS.md"},
		rootCase{name: "init, AGENTS.md is a link to nothing", run: "init --agents", files: map[string]string{"AGENTS.md": "-> ../victim/made"}, code: rootAny, says: "AGENTS.md"},
		rootCase{name: "init, workflows are a link out", run: "init --ci", files: map[string]string{".github": "-> ../victim/empty"}, code: rootAny, says: ".github"},
		rootCase{name: "init, wiki.yaml is a link to nothing", run: "init", files: map[string]string{"wiki.yaml": "-> ../victim/made"}, code: rootAny},
		rootCase{name: "init, the wiki is a link out", run: "init --root docs", files: map[string]string{"docs": "-> ../victim/empty"}, code: rootAny, says: "docs"},
		rootCase{name: "a template of pages is a link out", run: "new concept Rate+limit", files: map[string]string{"wiki/_templates/concept.md": "-> ../../../victim/secret.md", "wiki/templates/concept.md": "-> ../../../victim/secret.md", "_templates/concept.md": "-> ../../victim/secret.md"}, code: rootAny},
		rootCase{name: "a template of pages is endless", run: "new concept Rate+limit", files: map[string]string{"wiki/_templates/concept.md": "-> /dev/zero"}, code: rootAny},
		rootCase{name: "the folder of a type is a link out", run: "new concept Rate+limit", files: map[string]string{"wiki.yaml": "frontmatter: {types: {concept: {folder: concepts}}}\n", "wiki/concepts": "-> ../../victim/empty"}, code: rootRefuses},
		rootCase{name: "a page moves into a link out", run: "mv wiki/a.md wiki/out/", files: map[string]string{"wiki/out": "-> ../../victim/empty"}, code: rootRefuses, says: "out"},
		rootCase{name: "a page moves below a link out", run: "mv wiki/a.md wiki/out/deep/b.md", files: map[string]string{"wiki/out": "-> ../../victim/empty"}, code: rootRefuses, says: "out"},
		rootCase{name: "a page moves out", run: "mv wiki/a.md ../victim/a.md", code: rootRefuses, kept: "wiki/a.md"},
		rootCase{name: "a page moves onto a link to nothing", run: "mv wiki/a.md wiki/x.md", files: map[string]string{"wiki/x.md": "-> ../../victim/made"}, code: rootRefuses, says: "x.md", kept: "wiki/a.md"},
		rootCase{name: "what lies behind a link out moves in", run: "mv wiki/out/secret.md wiki/in.md", files: map[string]string{"wiki/out": "-> ../../victim"}, code: rootRefuses, says: "out"},
		rootCase{name: "pages to be mended are links out", run: "lint --fix", files: map[string]string{"wiki/c.md": "-> ../../victim/secret.md", "wiki/d.md": "# D\n\n[x](Index.md) [[C]]\n"}, code: rootAny},
		rootCase{name: "ok/raw is a link within the wiki", run: "ingest article.md --agent none", files: map[string]string{"article.md": "# Article\n", "wiki/raw": "-> store", "wiki/store": "dir"}, has: "wiki/store/sources.lock"},
		rootCase{name: "ok/plans are a link within the repository", run: "plan new Prices --today 2026-03-01", files: map[string]string{"plans": "-> work", "work": "dir"}, has: "work/2026-03-prices.md"},
		rootCase{name: "ok/a page moves", run: "mv wiki/a.md wiki/moved.md", has: "wiki/moved.md"},
	)
	rootCheck(t, cases)
}
