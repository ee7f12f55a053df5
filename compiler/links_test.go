package compiler

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/schema"
)

// foreign compiles files and returns what the links of one page lead to, a line each.
func foreign(t *testing.T, files map[string]string, root, page string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	ws, err := Detect(dir, root)
	if err != nil {
		t.Fatal(err)
	}
	w, err := Compile(t.Context(), ws, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for l, r := range w.Links(w.Page(schema.PageID(page))) {
		to := r.Path
		switch {
		case !r.OK():
			to = "broken " + string(r.Broken)
		case r.AnchorMissing:
			to += " no anchor"
		case r.Anchor != "":
			to += "#" + r.Anchor
		}
		out = append(out, l.As(r).Target+" -> "+to)
	}
	return strings.Join(out, "\n")
}

// TestLinksOfOtherPrograms checks that links lead where the program leads them
// that the wiki was written with.
func TestLinksOfOtherPrograms(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, root, page string
		files            map[string]string
		want             string
	}{
		{"anchors of HTML", "", "a", map[string]string{"a.md": "<a name=\"old\"></a>\n\n> <i id='x y'>q</i>\n\n[1](#old) [2](#x%20y) [3](#none)\n\n<dl><dt id=T1>a</dt></dl>\n\n[4](#T1)\n"},
			" -> a.md#user-content-old\n -> a.md#user-content-x-y\n -> a.md no anchor\n -> a.md#user-content-T1"},
		{"slugs of GitHub", "", "a", map[string]string{"a.md": "# Q & A\n\n## C++ (old)\n\n[1](#q--a) [2](#q-a) [3](#c-old) [4](#C++%20(old))\n"},
			" -> a.md#q--a\n -> a.md no anchor\n -> a.md#c-old\n -> a.md no anchor"},
		{"slugs beside images", "", "a", map[string]string{"a.md": "# ![l](l.png) Project\n\n[1](#-project) [2](#project)\n", "l.png": ""},
			"l.png -> l.png\n -> a.md#-project\n -> a.md no anchor"},
		{"slugs beside images of a site", "", "a", map[string]string{"hugo.toml": "", "a.md": "# Project ![l](l.png)\n\n[1](#project-) [2](#project)\n", "l.png": ""},
			"l.png -> l.png\n -> a.md#project-\n -> a.md#project-"},
		{"slugs beside images in a vault", "", "a", map[string]string{".obsidian/app.json": "{}", "a.md": "# ![[l.png]] Project\n\n[[#Project]] [2](#Project)\n", "l.png": ""},
			"l.png -> l.png\n -> a.md#project\n -> a.md#project"},
		{"headings of HTML", "", "a", map[string]string{"a.md": "<h1 align=\"center\">My Project</h1>\n\n<h2 id=cpp>C++ &amp; <em>C</em></h2>\n\n# My project\n\n[1](#my-project) [2](#c--c) [3](#cpp) [4](#my-project-1) [5](#my-project-2)\n"},
			" -> a.md#user-content-my-project\n -> a.md#user-content-c--c\n -> a.md#user-content-cpp\n -> a.md#my-project-1\n -> a.md no anchor"},
		{"headings of HTML over lines", "", "a", map[string]string{"a.md": "<h1>\n  <br>\n  <!-- x -->Tool\n</h1>\n\n<h2>\n\nIn a paragraph\n\n</h2>\n\n</h2> Text <h2>Open\n\n[1](#----tool) [2](#in-a-paragraph) [3](#tool) [4](#open)\n"},
			" -> a.md#user-content-----tool\n -> a.md#user-content-in-a-paragraph\n -> a.md no anchor\n -> a.md no anchor"},
		{"headings of HTML behind an anchor", "", "a", map[string]string{"a.md": "<a name=x></a><h2>Behind it</h2>\n\n[1](#behind-it)\n\n`<h2>Code</h2>`\n\n[2](#code)\n"},
			" -> a.md#user-content-behind-it\n -> a.md no anchor"},
		{"slugs in a vault", "", "a", map[string]string{".obsidian/app.json": "{}", "a.md": "# Q & A\n\n[2](#q-a) [3](#Q%20&%20A)\n"}, " -> a.md#q--a\n -> a.md#q--a"},
		{"text fragments", "", "a", map[string]string{"a.md": "# One\n\n[1](#:~:text=x) [2](a.md#one:~:text=a,b) [3](#two:~:text=c)\n"},
			" -> a.md\na.md -> a.md#one\n -> a.md no anchor"},
		{"escaped marks", "", "a", map[string]string{"a.md": "[1](c%23.md) [2](c%23.md#h) [3](50%25.md)\n", "c#.md": "# H\n", "50%.md": ""},
			"c#.md -> c#.md\nc#.md -> c#.md#h\n50%.md -> 50%.md"},
		{"names with a dot", "", "a", map[string]string{"a.md": "[1](.env.example) [2](/.circleci/config.yml) [3](.gone) [4](.git/HEAD)\n", ".env.example": "", ".circleci/config.yml": "", ".git/HEAD": "x"},
			".env.example -> .env.example\n/.circleci/config.yml -> .circleci/config.yml\n.gone -> broken missing\n.git/HEAD -> broken missing"},
		{"raw sources beside", "", "a", map[string]string{"wiki/a.md": "[[memo-3]] [[notes/memo-4.md]] [[memo-5]]", "raw/memo-3.md": "", "sources/notes/memo-4.md": ""},
			"memo-3 -> ../raw/memo-3.md\nnotes/memo-4.md -> ../sources/notes/memo-4.md\nmemo-5 -> broken missing"},
		{"submodules", "wiki", "a", map[string]string{".gitmodules": "[submodule \"l\"]\n\tpath = deps/l\n", "wiki/a.md": "[1](../deps/l/x.c) [[deps/l/y.md]] [2](../deps/m/x.c)\n"},
			"../deps/l/x.c -> ../deps/l/x.c\ndeps/l/y.md -> ../deps/l/y.md\n../deps/m/x.c -> broken missing"},
		{"Dendron", "", "a", map[string]string{"dendron.yml": "", "a.md": "[[A note|b.c]] [[b.c|dendron://v/b.c#two]] ![[b.c#two,2:#^end]] ![[b.c#*]] [[b.c|b.d]]\n", "b.c.md": "## Two\n"},
			"b.c -> b.c.md\nb.c -> b.c.md#two\nb.c -> b.c.md#two\nb.c -> b.c.md\nb.d -> broken missing"},
		{"pages of the host", "", "a", map[string]string{".git/HEAD": "x", "a.md": "[1](../../issues) [2](../../issues/new?template=x.md#y) ![3](../../actions/workflows/ci.yml/badge.svg) [4](../issues) [5](../../../issues) [6](../../gone.md) [7](../../issues.md)\n"},
			"../../issues -> \n../../issues/new?template=x.md -> \n../../actions/workflows/ci.yml/badge.svg -> \n../issues -> broken escapes\n../../../issues -> broken escapes\n../../gone.md -> broken escapes\n../../issues.md -> broken escapes"},
		{"pages of the host from a folder", "", "docs/deep/a", map[string]string{".git/HEAD": "x", "b.md": "", "docs/deep/a.md": "[1](../../../../pulls) [2](../../wiki) [3](../../../wiki)\n"},
			"../../../../pulls -> \n../../wiki -> broken missing\n../../../wiki -> broken escapes"},
		{"pages of the host from a wiki", "docs/wiki", "a", map[string]string{".git/HEAD": "x", "docs/wiki/a.md": "[1](../../../../tree/main/src) [[../../../../tree/main/src]] [2](../../releases)\n"},
			"../../../../tree/main/src -> \n../../../../tree/main/src -> \n../../releases -> broken missing"},
		{"notes, folds and tabs of MkDocs", "docs/wiki", "a", map[string]string{"mkdocs.yml": "", "docs/wiki/a.md": "!!! note \"T\"\n\n    See [b][r] and [1](gone1.md).\n\n    ??? tip\n        [2](gone2.md)\n\n=== \"One\"\n\n    ```\n    [no](no.md)\n    ```\n    [3](gone3.md)\n\n===+ \"Two\"\n\n    - [4](gone4.md)\n\n[r]: b.md\n", "docs/wiki/b.md": ""},
			"b.md -> b.md\ngone1.md -> broken missing\ngone2.md -> broken missing\ngone3.md -> broken missing\ngone4.md -> broken missing"},
		{"notes of MkDocs in lists and code", "docs/wiki", "a", map[string]string{"mkdocs.yml": "", "docs/wiki/a.md": "1. x\n\n    ???+ note\n\n        [1](b.md)\n\ntext\n\n    !!! code\n\n        [no](no.md)\n\n```md\n!!! note\n\n    [no](no.md)\n```\n\n!!! alone\n\n[2](b.md)\n", "docs/wiki/b.md": ""},
			"b.md -> b.md\nb.md -> b.md"},
		{"no notes without MkDocs", "docs/wiki", "a", map[string]string{"docs/wiki/a.md": "!!! note\n\n    [no](no.md)\n\n[1](b.md)\n", "docs/wiki/b.md": ""}, "b.md -> b.md"},
		{"a GitHub wiki", "", "Home", map[string]string{"_Sidebar.md": "", "Home.md": "[1](Set-Up) [2](v1.2#two) [[Label|Set-Up]] [[Set Up]] [3](set%20up) [4](Gone) [[logo.png|alt=a logo]] [[Web|https://a.example]] [5](../issues) [6](../../issues)\n", "guides/Set-Up.md": "", "v1.2.md": "## Two\n", "logo.png": ""},
			"Set-Up -> guides/Set-Up.md\nv1.2 -> v1.2.md#two\nSet-Up -> guides/Set-Up.md\nSet Up -> guides/Set-Up.md\nset up -> guides/Set-Up.md\nGone -> broken missing\nlogo.png -> logo.png\nhttps://a.example -> \n../issues -> \n../../issues -> broken escapes"},
		{"no GitHub wiki", "", "Home", map[string]string{"Home.md": "[[Setup|Label]] [1](Setup)\n", "Setup.md": ""}, "Setup -> Setup.md\nSetup -> Setup.md"},
		{"Logseq", "", "pages/A", map[string]string{"logseq/config.edn": "", "pages/A.md": "## Head\n\t- [[B]]\n\t\t- [x](((11)))\n\t- [y]([[B]]) [z](((12)))\n", "pages/B.md": "- t\n  id:: 11\n"},
			"B -> pages/B.md\n((11)) -> pages/B.md\nB -> pages/B.md\n((12)) -> broken missing"},
		{"brackets that are no link", "", "a", map[string]string{"a.md": "[[ -z $x ]] [[ ! -e y ]] [[ ${a} == b ]] [[show [brief]]] [[no] vlan] [[Gone]]\n"},
			"-z $x -> broken template\n! -e y -> broken template\n${a} == b -> broken template\nshow [brief -> broken template\nGone -> broken missing"},
		{"tables of TOML", "", "a", map[string]string{"a.md": "{{< code-toggle >}}\n[[menus.main]]\nname = 'x'\n  [[Gone]]\n  b = 1\n{{< /code-toggle >}}\n\n[[menus.main]]\nis a page. [[Gone]]\na = 1\n[[b]]\nc = 1\n", "b.md": ""},
			"menus.main -> broken template\nGone -> broken template\nmenus.main -> broken missing\nGone -> broken missing\nb -> b.md"},
		{"candidates of srcset", "", "a", map[string]string{"a.md": "<img src=1.png srcset=\"2.png, 3.png 2x,4.png 300w\">\n", "2.png": ""},
			"2.png -> 2.png\n3.png -> broken missing\n4.png -> broken missing\n1.png -> broken missing"},
		{"pages with folders of their own", "", "guide/a", map[string]string{"guide/a.md": "[1](../b) [2](../b.md) [3](../gone)\n", "guide/b.md": ""},
			"../b -> guide/b.md\n../b.md -> broken missing\n../gone -> broken missing"},
		{"what tests read", "", "a", map[string]string{"a.md": "[1](x/testdata/b.md) [2](x/testdata/c.txt) [[b]]\n", "x/testdata/b.md": "", "x/testdata/c.txt": ""},
			"x/testdata/b.md -> x/testdata/b.md\nx/testdata/c.txt -> x/testdata/c.txt\nb -> x/testdata/b.md"},
		{"ids that Hugo and Docusaurus take", "", "a", map[string]string{"hugo.toml": "", "a.md": "# One {#first}\n\n## Two { .x #second }\n\n`term`\n: What it is.\n\n[1](#first) [2](#second) [3](#term) [4](#third)\n"},
			" -> a.md#one-first\n -> a.md#two--x-second-\n -> a.md#two--x-second-\n -> a.md no anchor"},
		{"ids that kramdown takes", "", "a", map[string]string{"_config.yml": "", "a.md": "# One\n{: #first .x}\n\n[1](#first) [2](b.html#two) [3](gone.html)\n", "b.md": "# B\n\n## Two\n"},
			" -> a.md#one\nb.html -> b.md#two\ngone.html -> broken missing"},
		{"ids that nobody takes", "", "a", map[string]string{"a.md": "# One {#first}\n\n[1](#first) [2](b.html)\n", "b.md": ""}, " -> a.md no anchor\nb.html -> broken missing"},
		{"slugs of MkDocs", "docs/wiki", "a", map[string]string{"mkdocs.yml": "", "docs/wiki/a.md": "# Q & A\n\n## Setup — first\n\n## Setup first\n\n## Über { id=\"up.1\" }\n\n[1](#q-a) [2](#setup-first) [3](#setup-first_1) [4](#up.1) [5](#uber) [6](#fn:1) [7](#setup-first_2)\n"},
			" -> a.md#q--a\n -> a.md#setup-first\n -> a.md#setup-first\n -> a.md#über--idup1-\n -> a.md#über--idup1-\n -> a.md\n -> a.md no anchor"},
		{"headings of files that mdBook includes", "", "src/a", map[string]string{"book.toml": "", "src/a.md": "{{#include parts/b.md:2:}}\n\n[1](#own) [2](#below) [3](#gone) [4](index.html)\n", "src/parts/b.md": "# Own\n\n{{#include c.md}}\n", "src/parts/c.md": "## Below\n\n{{#include b.md}}\n", "src/README.md": ""},
			" -> src/a.md\n -> src/a.md\n -> src/a.md no anchor\nindex.html -> src/README.md"},
		{"tabs of DocFX", "", "a", map[string]string{"docfx.json": "", "a.md": "# [Linux](#tab/linux)\n\n[!INCLUDE [b](inc/b.md)]\n\n[1](#two)\n", "inc/b.md": "## Two\n"}, " -> a.md\ninc/b.md -> inc/b.md\n -> a.md"},
		{"addresses of a site", "", "a", map[string]string{"a.md": "[1](/docs/b/) [2](/docs/c#h) [3](/blog/x) [4](/docs/gone)\n", "g/b/index.md": "", "g/c.md": "# H\n", "wiki.yaml": "links: {/docs: g, /blog/: -}\n"},
			"/docs/b/ -> g/b/index.md\n/docs/c -> g/c.md#h\n/blog/x -> \n/docs/gone -> broken missing"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := foreign(t, tt.files, tt.root, tt.page); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// TestFrontMatterOfTOML checks what is read of front matter between +++.
func TestFrontMatterOfTOML(t *testing.T) {
	t.Parallel()
	p := &schema.Page{Source: []byte("+++\ntitle = 'A # b' # c\ndate = 2024-05-01 10:00:00 +2\naliases = [\n  \"old\", # x\n  'older',\n]\ndescription = \"\"\"\nTwo\nlines\"\"\"\n[taxonomies]\ntags = [\"t\"]\n[extra]\ndraft = true\n+++\nBody\n")}
	readFrontmatter(p)
	if got := string(p.Source[p.Body:]); got != "Body\n" {
		t.Errorf("body %q", got)
	}
	if p.Title != "A # b" || p.Meta.Summary != "Two\nlines" || len(p.Meta.Aliases) != 2 || len(p.Tags) != 1 || !p.Meta.Draft || p.Meta.Created.String() != "2024-05-01" {
		t.Errorf("%q %q %v %v %v %v", p.Title, p.Meta.Summary, p.Meta.Aliases, p.Tags, p.Meta.Draft, p.Meta.Created)
	}
}

// TestLayersOfSources holds when sources/ and references/ are pages of the wiki.
func TestLayersOfSources(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		files map[string]string
		want  schema.Layer
	}{
		"links to pages":      {map[string]string{"sources/s.md": "[[a]]"}, schema.LayerWiki},
		"links to nothing":    {map[string]string{"sources/s.md": "[[gone]]", "sources/u.md": "[[a]]", "sources/v.md": ""}, schema.LayerSource},
		"listed as pages":     {map[string]string{"sources/s.md": "", "SCHEMA.md": "| Page type | Folder |\n|---|---|\n| source | `sources/` |\n"}, schema.LayerWiki},
		"raw links to a page": {map[string]string{"raw/README.md": "[[a]]", "sources/s.md": ""}, schema.LayerSource},
	} {
		dir := t.TempDir()
		tt.files["a.md"] = "# A\n"
		for file, text := range tt.files {
			_ = os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o755)
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		ws, err := Detect(dir, ".")
		if err != nil {
			t.Fatal(err)
		}
		w, err := Compile(t.Context(), ws, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := w.Page("sources/s").Layer; got != tt.want {
			t.Errorf("%s: %s", name, got)
		}
		if p := w.Page("raw/README"); p != nil && p.Layer != schema.LayerSource {
			t.Errorf("%s: raw/ is %s", name, p.Layer)
		}
	}
}
