package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// exhaustCase is a wiki that exhausts time or memory.
type exhaustCase struct {
	make func(*exhaustFolder)
	also [][]string // commands beside lint and build
	only [][]string // commands in their place
	says string     // what lint has to say, as a regular expression
}

func (c exhaustCase) commands() [][]string {
	if c.only != nil {
		return c.only
	}
	return append([][]string{{"lint", "--severity", "info"}, {"build", "-o", "_site"}}, c.also...)
}

// exhaustFolder is a repository that a case fills. The wiki is in wiki/.
type exhaustFolder struct {
	t   *testing.T
	dir string
}

// exhaustNest is n lines of which each is indented further.
func exhaustNest(n int, item string) func() string {
	return func() string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.Repeat("  ", i) + item + "\n")
		}
		return b.String()
	}
}

// exhaustCases are the wikis. Those whose names begin with own are of other kinds than
// those that somebody named.
var exhaustCases = map[string]exhaustCase{
	"front-keys":          {make: func(f *exhaustFolder) { f.front(exhaustLines(60_000, "k%d: v\n"), "x") }, also: [][]string{{"show", "p"}}},
	"front-same-key":      exhaustOnFront(exhaustMany(100_000, "k: v\n")),
	"front-list":          exhaustOnFront(func() string { return "aliases:\n" + exhaustLines(70_000, "  - a%d\n") }),
	"front-flow-nesting":  exhaustOnFront(func() string { return "a: " + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + "\n" }),
	"front-block-nesting": exhaustOnFront(exhaustNest(1200, "k:")),
	"front-aliases-bomb":  exhaustOnFront(func() string { return "a0: &a0 [x]\n" + exhaustBomb() }),
	"front-long-line":     exhaustOnFront(func() string { return "title: " + strings.Repeat("long ", 180_000) + "\n" }),
	"front-no-end":        {make: func(f *exhaustFolder) { f.page("p.md", "---\n"+exhaustLines(900_000, "k: [\n")) }},
	"front-comments":      exhaustOnText(exhaustRepeat("%% x %% ", 120_000)),
	"front-brackets":      exhaustOnText(func() string { return "---\nk: " + strings.Repeat("[", 900_000) + "\n" }),
	"front-json": {make: func(f *exhaustFolder) {
		f.page("p.md", "{"+exhaustLines(200_000, "\"k%d\": [[[1]]],\n")+"\"z\": 1}\n# P\n")
	}},
	"front-toml":      {make: func(f *exhaustFolder) { f.page("p.md", "+++\n"+exhaustLines(100_000, "a%d.b.c.d = 1\n")+"+++\n# P\n") }},
	"front-redirects": exhaustOnFront(func() string { return "redirect_from:\n" + exhaustLines(50_000, "  - o/ld%d\n") }),
	"front-sources":   exhaustOnFront(func() string { return "sources:\n" + exhaustLines(30_000, "  - src/x%d.go#F\n") }),
	"front-dates":     exhaustOnFront(exhaustMany(50_000, "d%d: 2026-03-01\n")),
	"folders-deep":    {make: func(f *exhaustFolder) { f.page(strings.Repeat("d/", 700)+"p.md", "x\n") }, also: [][]string{exhaustSearch("needle"), {"stats"}}},
	"folders-wide": {make: func(f *exhaustFolder) {
		for i := range 15_000 {
			f.page(fmt.Sprintf("d%d/p.md", i), "# P\n")
		}
	}, also: [][]string{exhaustSearch("needle")}},
	"folders-empty": {make: func(f *exhaustFolder) {
		for i := range 30_000 {
			f.must(os.MkdirAll(filepath.Join(f.dir, fmt.Sprintf("wiki/e%d/e", i)), 0o777))
		}
	}},
	"tags-many": {make: func(f *exhaustFolder) {
		f.pages(500, func(i int) string {
			return "---\ntags: [" + strings.ReplaceAll(exhaustLines(100, fmt.Sprintf("t%dx%%d,", i)), "%!", "") + "]\n---\n# P\n"
		})
	}, also: [][]string{exhaustSearch("tag:t1x1")}},
	"tags-depth": exhaustOnFront(func() string { return "tags: [" + strings.Repeat("a/", 1000) + "a]\n" }),
	"tags-depth-many": {make: func(f *exhaustFolder) {
		f.pages(200, func(i int) string {
			return fmt.Sprintf("---\ntags: [t%d/%sz]\n---\n# P\n", i, strings.Repeat("a/", 300))
		})
	}},
	"tags-one-page": exhaustOnFront(func() string { return "tags: [" + exhaustLines(20_000, "t%d,") + "]\n" }),
	"tags-inline":   exhaustOnText(exhaustMany(60_000, "#t%d/a/b ")),
	"file-sparse": {make: func(f *exhaustFolder) {
		f.text("![](big.png) [b](big.bin)")
		f.sparse("wiki/big.png", 4<<30)
		f.sparse("wiki/big.bin", 4<<30)
	}, also: [][]string{{"doctor"}}},
	"file-sparse-page": {make: func(f *exhaustFolder) { f.sparse("wiki/big.md", 4<<30) }, also: [][]string{exhaustSearch("needle")}},
	"file-sparse-svg": {make: func(f *exhaustFolder) {
		f.text("![](big.svg) [h](big.html)")
		f.sparse("wiki/big.svg", 4<<30)
		f.sparse("wiki/big.html", 4<<30)
	}},
	"file-fifo": {make: func(f *exhaustFolder) {
		f.text("![](a.png) [x](b.pdf) ![[c.mp4]]")
		f.fifo("wiki/a.png")
		f.fifo("wiki/b.pdf")
		f.fifo("wiki/c.mp4")
		f.fifo("wiki/d.md")
	}, also: [][]string{exhaustSearch("needle")}},
	"file-device": {make: func(f *exhaustFolder) {
		f.text("![](a.png) [x](b.pdf)")
		f.link("/dev/zero", "wiki/a.png")
		f.link("/dev/urandom", "wiki/b.pdf")
		f.link("/dev/zero", "wiki/d.md")
	}, also: [][]string{exhaustSearch("needle")}},
	"file-many": {make: func(f *exhaustFolder) {
		f.text(exhaustLines(15_000, "![](a%d.png) "))
		for i := range 15_000 {
			f.page(fmt.Sprintf("a%d.png", i), "x")
		}
	}},
	"file-huge-picture": {make: func(f *exhaustFolder) {
		f.text("![](a.png)![](b.png)")
		f.page("a.png", exhaustPNG(1<<31-1, 1<<31-1))
		f.page("b.png", exhaustPNG(100_000, 100_000))
	}},
	"file-svg": {make: func(f *exhaustFolder) {
		f.text("![](a.svg)")
		f.page("a.svg", "<svg xmlns='http://www.w3.org/2000/svg'>"+strings.Repeat("<g><path d='M0 0'/>", 2_500_000))
	}},
	"file-svg-entities": {make: func(f *exhaustFolder) {
		f.text("![](a.svg)")
		f.page("a.svg", "<!DOCTYPE svg [<!ENTITY a0 'x'>"+exhaustEntities()+"]><svg xmlns='http://www.w3.org/2000/svg'><text>&a40;</text></svg>")
	}},
	"file-gzip": {make: func(f *exhaustFolder) {
		f.text("![](a.svgz) [x](b.json.gz)")
		f.page("a.svgz", exhaustGzip(2<<30))
		f.page("b.json.gz", exhaustGzip(1<<30))
	}},
	"file-csv-json": {make: func(f *exhaustFolder) {
		f.text("[a](a.csv) [b](b.json) ![[a.csv]]")
		f.page("a.csv", strings.Repeat("a,", 10<<20))
		f.page("b.json", strings.Repeat("[", 20<<20))
	}},
	"search-large":    {make: func(f *exhaustFolder) { f.pages(500, func(i int) string { return exhaustSame(i, 70_000) }) }, only: [][]string{exhaustSearch("same"), exhaustSearch(`"are many"`), {"query", "same words", "--agent", "none"}, {"build", "-o", "_site"}}},
	"search-distinct": {make: func(f *exhaustFolder) { f.pages(400, func(i int) string { return exhaustWords(70_000, i) }) }, only: [][]string{exhaustSearch("w31x"), {"stats"}}},
	"search-one-page": {make: func(f *exhaustFolder) { f.text(strings.Repeat("same needle ", 800_000)) }, also: [][]string{exhaustSearch("needle"), exhaustSearch(`"same needle"`)}},
	"search-query":    {make: func(f *exhaustFolder) {}, only: [][]string{exhaustSearch(strings.Repeat("needle ", 17_000)), exhaustSearch(strings.Repeat(`"`, 100_000)), exhaustSearch(strings.Repeat("tag:a ", 17_000)), exhaustSearch(strings.Repeat("x", 120_000)), {"show", strings.Repeat("x", 120_000)}, {"query", strings.Repeat("why ", 30_000), "--agent", "none"}}},
	"search-names": {make: func(f *exhaustFolder) {
		for _, n := range []string{".md", strings.Repeat("n", 252) + ".md", "a\nb.md", "\u0301\u0302.md", " .md", "\xff\xfe.md", "-.md", "\u202e.md", "CON.md", "a:b.md"} {
			f.page(n, "# N\n\nneedle\n")
		}
	}, also: [][]string{exhaustSearch("needle"), {"stats"}, {"graph"}}},
	"rule-counted-group": exhaustOnRules(func() string { return exhaustRule(1, "(a?){900}b") }),
	"rule-nested-repeat": exhaustOnRules(func() string { return exhaustRule(1, "((a{1,30}){1,30})?b") }),
	"rule-alternation":   exhaustOnRules(func() string { return exhaustRule(1, "("+strings.TrimSuffix(strings.Repeat("a*b|", 240), "|")+")c") }),
	"rule-many":          exhaustOnRules(func() string { return exhaustRule(500, "(a?){900}b%d") }),
	"rule-classes":       exhaustOnRules(func() string { return exhaustRule(1, `(\\pL?\\pN?[^x]?){300}b`) }),
	"glob-stars": {make: func(f *exhaustFolder) {
		f.file("wiki.yaml", "version: 1\nroot: wiki\nignore: ['"+strings.Repeat("**/", 300)+"x', '"+strings.Repeat("*a", 300)+"']\n")
		f.page(strings.Repeat("aaaa/", 200)+strings.Repeat("a", 200)+".md", "x")
	}},
	"glob-braces": {make: func(f *exhaustFolder) {
		f.file("wiki.yaml", "version: 1\nroot: wiki\nignore: ['"+strings.Repeat("{a,b,c}", 60)+"']\nsources: ['"+strings.Repeat("{a*,**/b}", 40)+"']\n")
		f.pages(2000, func(int) string { return "x" })
	}},
	"glob-many": {make: func(f *exhaustFolder) {
		f.file("wiki.yaml", "version: 1\nroot: wiki\nignore:\n"+exhaustLines(20_000, "  - '**/x%d/**/y*'\n"))
		f.pages(3000, func(int) string { return "x" })
	}},
	"config-huge":   exhaustOnFile(func(f *exhaustFolder, n string) { f.file(n, "version: 1\n"+exhaustLines(3_000_000, "x%d: {a: b}\n")) }, "wiki.yaml"),
	"config-fifo":   exhaustOnFile(exhaustFIFO, "wiki.yaml", []string{"doctor"}),
	"config-zero":   exhaustOnFile(exhaustZero, "wiki.yaml", []string{"doctor"}),
	"config-sparse": exhaustOnFile(exhaustSparse, "wiki.yaml"),
	"lock-huge": exhaustOnFile(func(f *exhaustFolder, n string) {
		f.file(n, "# wiki.lock v1\n"+exhaustLines(400_000, "p%d.md | src/x.go#F | tok=fa7efbc3988f20b6 sig=fef55d0eda8e7767 lit=b1bcde840eecf3e7 | reviewed=d7cbe5df5593fb3c | 2026-11-20\n"))
	}, "wiki.lock", []string{"verify", "--all"}, []string{"stale"}),
	"lock-fifo":     exhaustOnFile(exhaustFIFO, "wiki.lock", []string{"verify", "--all"}, []string{"stale"}),
	"lock-sparse":   exhaustOnFile(exhaustSparse, "wiki.lock"),
	"baseline-fifo": exhaustOnFile(exhaustFIFO, ".loopwiki/baseline.json"),
	"baseline-huge": exhaustOnFile(func(f *exhaustFolder, n string) {
		f.file(n, "{\"version\": 1, \"findings\": ["+exhaustLines(600_000, "{\"rule\": \"x\", \"fingerprint\": \"%d\"},"))
	}, ".loopwiki/baseline.json"),
	"acknowledged-zero": exhaustOnFile(exhaustZero, ".loopwiki/acknowledged.yaml"),
	"verdicts-fifo":     exhaustOnFile(exhaustFIFO, ".loopwiki/verdicts.jsonl", []string{"lint", "--judge=cached"}),
	"theme-zero":        exhaustTheme(exhaustZero),
	"theme-fifo":        exhaustTheme(exhaustFIFO),
	"theme-sparse":      exhaustTheme(exhaustSparse),
	"table-wide": exhaustOnText(func() string {
		return strings.Repeat("|a", 100_000) + "|\n" + strings.Repeat("|-", 100_000) + "|\n" + strings.Repeat("|b", 100_000) + "|"
	}),
	"table-long": exhaustOnText(func() string { return "|a|b|\n|-|-|\n" + exhaustLines(200_000, "|x%d|y|\n") }),
	"table-empty-cells": exhaustOnText(func() string {
		return strings.Repeat("|a", 490) + "|\n" + strings.Repeat("|-", 490) + "|\n" + exhaustLines(200_000, "|x\n")
	}),
	"headings":           {make: func(f *exhaustFolder) { f.text(exhaustLines(100_000, "## h%d\n\n")) }, also: [][]string{{"claims"}}},
	"headings-same":      exhaustOnText(exhaustMany(100_000, "# a\n")),
	"headings-colliding": exhaustOnText(func() string { return exhaustLines(40_000, "# a %d\n") + exhaustLines(40_000, "# a\n") }),
	"links":              {make: func(f *exhaustFolder) { f.text(exhaustLines(100_000, "[[index]] [x](index.md#h%d)\n")) }, also: [][]string{{"graph"}, {"show", "p"}}},
	"links-broken": {make: func(f *exhaustFolder) {
		f.pages(30_000, func(i int) string { return fmt.Sprintf("# Page %d\n", i) })
		f.text(exhaustLines(20_000, "[[page nmber %d]] "))
	}},
	"links-long": exhaustOnText(func() string {
		return strings.Repeat("[x](https://example.org/"+strings.Repeat("a%20", 250_000)+") ", 8)
	}),
	"links-reference": exhaustOnText(func() string {
		return exhaustLines(60_000, "[a%d] ") + "\n\n" + exhaustLines(60_000, "[a%d]: https://example.org\n")
	}),
	"links-reference-label": exhaustOnText(func() string { return "[x]: /" + strings.Repeat("y", 50_000) + "\n\n" + strings.Repeat("[x] ", 60_000) }),
	"footnotes":             exhaustOnText(func() string { return exhaustLines(50_000, "a[^%d] ") + "\n\n" + exhaustLines(50_000, "[^%d]: n\n\n") }),
	"footnote-again":        exhaustOnText(func() string { return strings.Repeat("a[^1] ", 100_000) + "\n\n[^1]: n [^1] [^2]\n[^2]: [^1]\n" }),
	"block-ids":             exhaustOnText(exhaustMany(80_000, "b ^b%d\n\n")),
	"alias-same": {make: func(f *exhaustFolder) {
		f.pages(8000, func(i int) string {
			return "---\ntitle: Same\nid: same\naliases: [Same, other]\n---\n[[Same]] [[other]]\n"
		})
	}, also: [][]string{{"show", "Same"}}},
	"embeds-fan": {make: func(f *exhaustFolder) {
		f.text(strings.Repeat("![[b]]\n\n", 1000))
		f.page("b.md", strings.Repeat("![[c]]\n\n", 1000))
		f.page("c.md", strings.Repeat("word ", 1000))
	}, also: [][]string{exhaustSearch("word")}},
	"embeds-doubling": {make: func(f *exhaustFolder) {
		for i := range 60 {
			f.page(fmt.Sprintf("e%d.md", i), fmt.Sprintf("# E\n\n![[e%d]]\n\n![[e%d]]\n", i+1, i+1))
		}
	}},
	"embeds-cycle": {make: func(f *exhaustFolder) {
		for i := range 2000 {
			f.page(fmt.Sprintf("e%d.md", i), fmt.Sprintf("![[e%d]]\n\n![[e%d#x]]\n", (i+1)%2000, (i+7)%2000))
		}
	}},
	"lines-blank":      exhaustOnText(exhaustRepeat("\n", 9_900_000)),
	"lines-spaces":     exhaustOnText(exhaustRepeat(" \t", 4_900_000)),
	"lines-one":        exhaustOnText(exhaustRepeat("word ", 1_900_000)),
	"lines-one-word":   {make: func(f *exhaustFolder) { f.text(strings.Repeat("w", 9_900_000)) }, also: [][]string{exhaustSearch("needle")}},
	"lines-short":      exhaustOnText(exhaustRepeat("a\n", 4_900_000)),
	"inline-emphasis":  exhaustOnText(exhaustRepeat("*a **b _c ", 300_000)),
	"inline-stars":     exhaustOnText(exhaustRepeat("*", 3_000_000)),
	"inline-brackets":  exhaustOnText(exhaustRepeat("[", 1_000_000)),
	"inline-images":    exhaustOnText(exhaustRepeat("![[", 500_000)),
	"inline-pairs":     exhaustOnText(func() string { return strings.Repeat("[a](", 300_000) + strings.Repeat(")", 300_000) }),
	"inline-backticks": exhaustOnText(func() string { return exhaustTicks(1500) }),
	"inline-angle":     exhaustOnText(exhaustRepeat("<a href=\"", 500_000)),
	"inline-entities":  exhaustOnText(exhaustRepeat("&amp;&#x10FFFF;&nosuch;", 250_000)),
	"inline-math":      exhaustOnText(exhaustRepeat("$a $$b ", 500_000)),
	"inline-comments":  exhaustOnText(exhaustRepeat("<!-- %% ", 500_000)),
	"inline-autolinks": exhaustOnText(exhaustRepeat("www.a.b/((a@b.c ", 300_000)),
	"blocks-quotes": exhaustOnText(func() string {
		return strings.Repeat(">", 1_000_000) + " a\n" + exhaustLines(1000, strings.Repeat("> ", 1000)+"\n")
	}),
	"blocks-lists":       exhaustOnText(exhaustNest(2000, "- a")),
	"blocks-list-long":   exhaustOnText(exhaustRepeat("- a\n", 1_000_000)),
	"blocks-markers":     exhaustOnText(exhaustRepeat("- ", 1_000_000)),
	"blocks-html":        exhaustOnText(exhaustRepeat("<div>\n\n<b>", 100_000)),
	"blocks-html-tables": exhaustOnText(exhaustRepeat("<table><tr><td>", 100_000)),
	"blocks-details":     exhaustOnText(exhaustRepeat("<details><summary>\n\n", 50_000)),
	"blocks-definitions": exhaustOnText(exhaustRepeat("a\n: b\n\n", 200_000)),
	"blocks-callouts":    exhaustOnText(exhaustRepeat("> [!note] a\n>> [!tip]- b\n\n", 50_000)),
	"code-languages":     exhaustOnText(func() string { return exhaustCode(3 << 20 / 10 * 3) }),
	"code-unclosed":      exhaustOnText(exhaustRepeat("```go\nfunc (\n~~~\n", 200_000)),
	"code-mermaid":       exhaustOnText(func() string { return "```mermaid\n" + exhaustLines(200_000, "a%d-->b\n") + "```\n" }),
	"near-duplicates": {make: func(f *exhaustFolder) {
		f.pages(1500, func(i int) string {
			return fmt.Sprintf("# P %d\n\n%s", i, strings.Repeat("The limit of the pool is 10 and the queue is short. ", 100))
		})
	}},
	"citations-one-line": {make: func(f *exhaustFolder) {
		f.file("src/a.go", strings.Repeat("package a\n", 20))
		f.text(strings.Repeat("src/a.go:3 word ", 10_000))
	}},
	"citations-equal-lines": {make: func(f *exhaustFolder) {
		f.file("src/a.go", strings.Repeat("package a\n", 20))
		f.text(strings.Repeat("src/a.go:3\n\n", 75_000))
		f.commit()
	}},
	"claims-many": {make: func(f *exhaustFolder) { f.text(exhaustLines(40_000, "The port of service s%d is 80.\n\n")) }, also: [][]string{{"claims"}}},
	"claims-conflicting": {make: func(f *exhaustFolder) {
		f.pages(3000, func(i int) string {
			return fmt.Sprintf("# P%d\n\nThe port of the gateway is %d. The timeout of the gateway is %d seconds.\n", i, i, i)
		})
	}, also: [][]string{{"claims", "--entity", "gateway"}}},
	"claims-dates": exhaustOnText(exhaustMany(60_000, "On 2026-03-01 it was 2025-%d and March 3rd, 2024.\n")),
	"unicode-cjk":  {make: func(f *exhaustFolder) { f.text(strings.Repeat("漢字かな交じり文を検索する", 240_000)) }, also: [][]string{exhaustSearch("漢字"), exhaustSearch("かな交じり")}},
	"unicode-combining": {make: func(f *exhaustFolder) {
		f.page("p.md", "# a"+strings.Repeat("\u0301\u0323", 500_000)+"\n\n[[a"+strings.Repeat("\u0323\u0301", 500_000)+"]]\n")
	}, also: [][]string{exhaustSearch("needle")}},
	"unicode-rtl":     exhaustOnText(exhaustRepeat("\u202eשלום \u2067عربي ", 200_000)),
	"unicode-fold":    exhaustOnText(exhaustRepeat("# İſßŉǰΐﬃ\u1e9e\n", 80_000)),
	"unicode-invalid": exhaustOnText(exhaustRepeat("\xff\xc0\x80\xed\xa0\x80", 1_000_000)),
	"unicode-nul":     exhaustOnText(exhaustRepeat("\x00", 9_000_000)),
	"pages-tiny":      {make: func(f *exhaustFolder) { f.pages(30_000, func(i int) string { return "x\n" }) }, also: [][]string{exhaustSearch("needle")}},
	"pages-index":     {make: func(f *exhaustFolder) { f.page("index.md", "# Index\n\n"+exhaustLines(100_000, "- [[p%d]]\n")) }},
	"pages-log": {make: func(f *exhaustFolder) {
		f.page("log.md", "# Log\n\n"+exhaustLines(80_000, "## [2026-03-01] ingest | p%d\n\nx\n\n"))
	}},
	"pages-star": {make: func(f *exhaustFolder) { f.pages(10_000, func(i int) string { return "[[index]]\n" }) }, also: [][]string{{"graph", "hubs"}, {"show", "index"}}},
	"pages-complete-graph": {make: func(f *exhaustFolder) {
		all := exhaustLines(500, "[[p%d]] ")
		f.pages(500, func(i int) string { return all })
	}, also: [][]string{{"graph"}, {"graph", "path", "p1", "p499"}}},

	// Of other kinds.
	"own-source-deep": {make: func(f *exhaustFolder) {
		for _, x := range []string{"go", "js", "py", "rs", "java", "c"} {
			f.file("src/a."+x, strings.Repeat("{([", 600_000))
		}
		f.front("sources: [src/a.go#X, src/a.js#X, src/a.py#X, src/a.rs#X, src/a.java#X, src/a.c#X]\n", "x")
	}, also: [][]string{{"verify", "--all"}, {"stale"}}},
	"own-source-glob": {make: func(f *exhaustFolder) {
		f.file("src/"+strings.Repeat("a/", 300)+"x.go", "package a\n")
		f.front("sources: ['"+strings.Repeat("**/a*/", 100)+"b']\ncovers: ['"+strings.Repeat("**/*a*/", 60)+"*']\n", "x")
	}, also: [][]string{{"verify", "--all"}}},
	"own-source-not-file": {make: func(f *exhaustFolder) {
		f.fifo("src/a.go")
		f.link("/dev/zero", "src/b.go")
		f.sparse("src/c.go", 4<<30)
		f.front("sources: [src/a.go#X, src/b.go#X, src/c.go#X, src/c.go]\n", "[x](../src/a.go#L1) [y](../src/b.go#L3) `src/c.go:7`")
	}, also: [][]string{{"verify", "--all"}, {"stale"}}},
	"own-state-fifo": {make: func(f *exhaustFolder) {
		for _, n := range exhaustState {
			f.fifo(n)
		}
	}, only: exhaustStateCommands},
	"own-state-zero": {make: func(f *exhaustFolder) {
		for _, n := range exhaustState {
			f.link("/dev/zero", n)
		}
	}, only: exhaustStateCommands},
	"own-state-sparse": {make: func(f *exhaustFolder) {
		for _, n := range exhaustState {
			f.sparse(n, 4<<30)
		}
	}, only: exhaustStateCommands},
	"own-wiki-files-fifo": {make: func(f *exhaustFolder) {
		for _, n := range exhaustBeside {
			f.fifo(n)
		}
	}, also: [][]string{{"doctor"}, exhaustSearch("needle"), {"stats"}}},
	"own-wiki-files-zero": {make: func(f *exhaustFolder) {
		for _, n := range exhaustBeside {
			f.link("/dev/zero", n)
		}
	}, also: [][]string{{"doctor"}, exhaustSearch("needle"), {"stats"}}},
	"own-link-loops": {make: func(f *exhaustFolder) {
		f.link(".", "wiki/a")
		f.link("..", "wiki/b")
		f.link("c", "wiki/c")
		f.link("/", "wiki/root")
		f.link("/proc/self/fd", "wiki/fd")
	}, also: [][]string{exhaustSearch("needle")}},
	"own-ingest-html": {make: func(f *exhaustFolder) {
		f.file("in.html", "<title>x</title>"+strings.Repeat("<div><table><tr><td>", 200_000))
	}, only: [][]string{{"ingest", "in.html", "--agent", "none", "--dry-run"}}},
	"own-ingest-folder": {make: func(f *exhaustFolder) {
		f.fifo("in/a.md")
		f.link("/dev/zero", "in/b.md")
		f.file("in/c.md", "# C\n")
		f.sparse("in/d.md", 4<<30)
	}, only: [][]string{{"ingest", "in", "--agent", "none", "--dry-run"}, {"ingest", "in/a.md", "--agent", "none"}, {"ingest", "in/b.md", "--agent", "none"}, {"ingest", "in/d.md", "--agent", "none"}}},
	"own-terms": {make: func(f *exhaustFolder) {
		f.file("wiki.yaml", "version: 1\nroot: wiki\nterms:\n"+exhaustLines(5000, "  term%d: other\n"))
		f.text(strings.Repeat("term1 word ", 400_000))
	}},
	"own-allowed-tags": {make: func(f *exhaustFolder) {
		f.file("wiki.yaml", "version: 1\nroot: wiki\ntags: ["+exhaustLines(5000, "tag%d,")+"]\n")
		f.front("tags: ["+exhaustLines(5000, "tgg%d,")+"]\n", "x")
	}},
	"own-naming-pattern": {make: func(f *exhaustFolder) {
		f.file("wiki.yaml", "version: 1\nroot: wiki\nnaming: '((a{0,30}){0,30})?b'\n")
		f.pages(3000, func(int) string { return "x" })
		f.page(strings.Repeat("a", 250)+".md", "x")
	}},
	"own-redirect-cycle": {make: func(f *exhaustFolder) {
		f.pages(4000, func(i int) string {
			return fmt.Sprintf("---\nredirect_from: [n00/p%d.md, n01/p%d.md, same]\n---\n# P\n", (i+1)%4000, (i+2)%4000)
		})
	}},
	"own-suppressions": exhaustOnText(exhaustMany(60_000, "<!-- wiki-lint-disable-next-line broken-wikilink -- r%d -->\n[[no]]\n\n")),
	"own-broken-anchors": {make: func(f *exhaustFolder) {
		f.page("h.md", exhaustLines(10_000, "# heading number %d\n"))
		f.text(exhaustLines(10_000, "[[h#haeding numbr %d]]\n"))
	}},
	"own-fields-unknown": {make: func(f *exhaustFolder) {
		f.file("wiki.yaml", "version: 1\nroot: wiki\nfrontmatter:\n  closed: true\n  fields:\n"+exhaustLines(3000, "    field%d: {type: text}\n"))
		f.front(exhaustLines(5000, "feild%d: x\n"), "x")
	}},
	"own-fix":              {make: func(f *exhaustFolder) { f.text(exhaustLines(30_000, "[[Index.md]] [x](INDEX.md) [[idnex]] %d\n")) }, only: [][]string{{"lint", "--fix-unsafe", "--diff"}}},
	"own-formats":          {make: func(f *exhaustFolder) { f.text(exhaustLines(60_000, "[[no%d]]\n")) }, only: [][]string{{"lint", "-f", "sarif"}, {"lint", "-f", "junit"}, {"lint", "-f", "github"}, {"lint", "-f", "markdown"}, {"lint", "--json"}}},
	"own-yaml-comments":    exhaustOnFront(exhaustMany(250_000, "#\n")),
	"own-yaml-merge":       exhaustOnFront(func() string { return "a: &a {x: 1}\n" + exhaustLines(30_000, "b%d:\n  <<: *a\n") }),
	"own-anchors-unclosed": exhaustOnFront(exhaustMany(100_000, "a%d: \"x\n")),
}

// exhaustState is what loops keep in a repository and read again.
var exhaustState = []string{
	".loopwiki/incidents/andon-open.json", ".loopwiki/incidents/STANDARDIZED_RULES.md", ".loopwiki/incidents/hypotheses.json", ".loopwiki/modes.yaml", ".loopwiki/approvals.jsonl",
	".loopwiki/calls.jsonl", ".loopwiki/rejected.json", ".loopwiki/runs/2026-01-01T000000Z-x/journal.jsonl", ".loopwiki/incidents/INC-20260101-000000-00000000/incident.json",
	"plans/2026-01-x.md", "skills/x/SKILL.md", "skills/y.md", "agents/loops/x.md", "agents/state/x.md", "task.json", "AGENTS.md", "SPEC.md", "set/labels.json", "history.jsonl",
}

var exhaustStateCommands = [][]string{
	{"andon", "status"}, {"andon", "show"}, {"loop", "status"}, {"loop", "list"}, {"loop", "list", "--loops"}, {"loop", "mode"}, {"loop", "report"}, {"loop", "show"}, {"loop", "run"}, {"loop", "ready", "x"}, {"loop", "run", "task.json", "--status"},
	{"loop", "gc", "--dry-run"}, {"plan", "lint"}, {"plan", "list"}, {"plan", "from", "SPEC.md", "--prompt"}, {"skill", "lint"}, {"skill", "list"}, {"doctor"}, {"eval", "contradictions", "set"}, {"eval", "documentation", "."}, {"connector", "list"}, {"lint"},
}

// exhaustBeside is what is read beside pages, by name.
var exhaustBeside = []string{
	"LANGUAGE.md", "agents/LANGUAGE.md", "wiki/raw/sources.lock", "wiki/00_SCHEMA.md", "wiki/log.md", "CODEOWNERS", ".gitignore", "wiki/.gitignore", "wiki/.obsidian/app.json", "go.mod", "package.json",
	"wiki/_templates/concept.md", "wiki/.obsidian/types.json", "wiki/purpose.md", "README.md", ".markdownlint.json", ".loopwiki/.gitignore",
}

func exhaustTheme(put func(*exhaustFolder, string)) exhaustCase {
	return exhaustCase{make: func(f *exhaustFolder) {
		f.file("wiki.yaml", "version: 1\nroot: wiki\nsite:\n  theme: theme\n")
		for _, name := range []string{"templates/page.html", "templates/list.html", "assets/site.css", "assets/icon.svg", "assets/logo.png", "assets/search.js"} {
			put(f, "theme/"+name)
		}
	}}
}

// exhaustRule is the list of n rules with a pattern, which may have a number.
func exhaustRule(n int, pattern string) string {
	var b strings.Builder
	for i := range n {
		p := pattern
		if strings.Contains(p, "%d") {
			p = fmt.Sprintf(p, i)
		}
		fmt.Fprintf(&b, "  - id: my-rule-%d\n    message: no\n    severity: warning\n    forbid:\n      pattern: '%s'\n      in: source\n", i, strings.ReplaceAll(p, `\\`, `\`))
	}
	return b.String()
}

func exhaustBomb() string {
	var b strings.Builder
	for i := 1; i < 40; i++ {
		fmt.Fprintf(&b, "a%d: &a%d [%s]\n", i, i, strings.TrimSuffix(strings.Repeat(fmt.Sprintf("*a%d,", i-1), 9), ","))
	}
	return b.String()
}

func exhaustEntities() string {
	var b strings.Builder
	for i := 1; i <= 40; i++ {
		fmt.Fprintf(&b, "<!ENTITY a%d '&a%d;&a%d;'>", i, i-1, i-1)
	}
	return b.String()
}

func exhaustSame(i, n int) string {
	line := fmt.Sprintf("same words here are many and long %d ", i%3)
	return strings.Repeat(line, n/len(line))
}

// exhaustTicks is runs of backticks of which no two have a length.
func exhaustTicks(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat("`", i+1) + "a")
	}
	return b.String()
}

// exhaustCode is a block of n bytes in each of ten languages.
func exhaustCode(n int) string {
	var b strings.Builder
	for _, l := range []string{"go", "js", "python", "rust", "html", "css", "sql", "bash", "yaml", "cpp"} {
		line := "func x(a int) { return \"" + l + "\" + '<b>' /* c */ } # d\n"
		b.WriteString("```" + l + "\n" + strings.Repeat(line, n/len(line)) + "```\n\n")
	}
	return b.String()
}
