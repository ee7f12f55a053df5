package markdown

import (
	"fmt"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/schema"
)

// hostile builds pages of about n bytes that are quadratic, or worse, for a
// careless parser.
var hostile = []struct {
	name string
	page func(n int) string
}{
	{"brackets", repeat("[")},
	{"image brackets", repeat("![")},
	{"brackets over lines", func(n int) string { return strings.Repeat("[a\n", n/14) + strings.Repeat("b][]", n/14) }},
	{"urls in brackets", repeat("[http://a](")},
	{"url references", func(n int) string { return "http://a" + strings.Repeat("&a;", n/3) }},
	{"citations in parentheses", repeat("(a_b.go:1) ")},
	{"numeric references", repeat("&#35;")},
	{"code over lines", repeat("> `a\n> b`\n")},
	{"brackets closed", func(n int) string { return strings.Repeat("[", n/2) + strings.Repeat("]", n/2) }},
	{"wikilink openers", repeat("[[")},
	{"wikilink openers with text", repeat("[[a ")},
	{"wikilinks", repeat("[[a]]\n")},
	{"wikilinks on one line", repeat("[[a]] ")},
	{"link openers", repeat("[a](")},
	{"link openers with angle", repeat("[a](<b")},
	{"link openers with title", repeat("[a](b \"")},
	{"link openers with paren title", repeat("[a](b (c\\(")},
	{"links", repeat("[a](b) ")},
	{"nested images", func(n int) string { return strings.Repeat("![", n/6) + strings.Repeat("](x)", n/6) }},
	{"emphasis openers", repeat("*a ")},
	{"emphasis", repeat("_a_ ")},
	{"emphasis closers", repeat("a* ")},
	{"emphasis mixed", func(n int) string { return strings.Repeat("_a ", n/6) + strings.Repeat("b* ", n/6) }},
	{"emphasis nested", func(n int) string { return strings.Repeat("*a **a ", n/14) + strings.Repeat("a** a*", n/14) }},
	{"stars", repeat("*")},
	{"star runs", repeat("**a*a**")},
	{"underscores", repeat("_")},
	{"snake case", repeat("a_b")},
	{"equals", repeat("a==b ")},
	{"tildes", repeat("~~a ~b")},
	{"backticks", repeat("`")},
	{"backtick runs", func(n int) string {
		var b strings.Builder
		for i := 1; b.Len() < n; i++ {
			b.WriteString(strings.Repeat("`", i%200+1) + " ")
		}
		return b.String()
	}},
	{"angles", repeat("<")},
	{"tags", repeat("<a ")},
	{"tags in text", func(n int) string { return "x " + strings.Repeat("<a b='", n/6) }},
	{"attributes", func(n int) string { return "x <a" + strings.Repeat(" b", n/2) }},
	{"comments", repeat("<!--")},
	{"comments in text", func(n int) string { return "x" + strings.Repeat("<!-- ", n/5) }},
	{"instructions", func(n int) string { return "x" + strings.Repeat("<? <![CDATA[ <!A ", n/17) }},
	{"html blocks", repeat("<div>\n\n")},
	{"html lines", repeat("<div\n")},
	{"open elements", repeat("<b>")},
	{"open elements in blocks", repeat("<div><p><span>\n")},
	{"dollars", repeat("$")},
	{"dollar openers", repeat("$a ")},
	{"dollars in prose", repeat("$some words$")},
	{"dollars of prose that end far", func(n int) string { return strings.Repeat("$some words ", n/12) + "x$" }},
	{"display dollars", repeat("$$ ")},
	{"display lines", repeat("$$\n\n")},
	{"percents", repeat("%%")},
	{"percent lines", repeat("%% a\n")},
	{"percent after", func(n int) string { return strings.Repeat("a %% b\n\n", n/9) + "%%" }},
	{"carets", repeat("^[")},
	{"citations", repeat("^[a.md:1] ")},
	{"note references", repeat("[^a]")},
	{"notes", func(n int) string {
		var b strings.Builder
		for i := 0; b.Len() < n; i++ {
			fmt.Fprintf(&b, "[^%d]\n\n[^%d]: a\n", i, i)
		}
		return b.String()
	}},
	{"definitions", func(n int) string {
		var b strings.Builder
		for i := 0; b.Len() < n; i++ {
			fmt.Fprintf(&b, "[%d]: a\n", i)
		}
		return b.String()
	}},
	{"definitions with titles", repeat("[a]: b 'c\n")},
	{"entities", repeat("&")},
	{"entity openers", repeat("&amp")},
	{"backslashes", repeat("\\")},
	{"www", repeat("www.")},
	{"www words", repeat("www.a ")},
	{"www quotes", repeat("www.a\"")},
	{"mail", repeat("a@")},
	{"mail hosts", repeat("a@b.")},
	{"urls", repeat("http://a ")},
	{"url parens", func(n int) string { return "http://a" + strings.Repeat("(", n/2) + strings.Repeat(")", n/2) }},
	{"hashes", repeat("#a ")},
	{"colons", repeat("a:: ")},
	{"field brackets", repeat("[a:: ")},
	{"parens", repeat("(a")},
	{"quotes", repeat("> ")},
	{"quote lines", func(n int) string { return strings.Repeat(strings.Repeat("> ", 90)+"a\n", n/182) }},
	{"deep quotes", func(n int) string { return strings.Repeat(strings.Repeat("> ", 200)+"a\n", n/402) }},
	{"lists on a line", func(n int) string { return strings.Repeat("- ", n/2) + "a" }},
	{"short lists on lines", func(n int) string { return strings.Repeat(strings.Repeat("- ", 90)+"a\n", n/182) }},
	{"indented lists", func(n int) string {
		var b strings.Builder
		for i := 0; b.Len() < n; i++ {
			b.WriteString(strings.Repeat("  ", i) + "- a\n")
		}
		return b.String()
	}},
	{"list items", repeat("- a\n")},
	{"ordered items", repeat("1. a\n")},
	{"spaces", func(n int) string { return "- a\n" + strings.Repeat(" ", n) + "b" }},
	{"spaces in quotes", func(n int) string {
		return strings.Repeat("> ", 90) + "a\n" + strings.Repeat("> ", 90) + strings.Repeat(" ", n) + "b"
	}},
	{"blank lines", repeat("\n")},
	{"blank item", func(n int) string { return "- a" + strings.Repeat("\n", n) }},
	{"wide table", func(n int) string {
		return strings.Repeat("|a", n/4) + "|\n" + strings.Repeat("|-", n/4) + "|\n"
	}},
	{"long table of short rows", func(n int) string {
		return strings.Repeat("|a", 400) + "|\n" + strings.Repeat("|-", 400) + "|\n" + strings.Repeat("|\n", n/2)
	}},
	{"narrow table", func(n int) string { return "|a|b|\n|-|-|\n" + strings.Repeat("|c|d|\n", n/6) }},
	{"table pipes in code", func(n int) string { return "|a|b|\n|-|-|\n" + strings.Repeat("|`\\|`|d|\n", n/9) }},
	{"delimiter rows", repeat("|-|\n")},
	{"headings", repeat("# a\n")},
	{"numbered headings", func(n int) string {
		var b strings.Builder
		for i := 0; b.Len() < n; i++ {
			fmt.Fprintf(&b, "# a\n# a-%d\n", i)
		}
		return b.String()
	}},
	{"underlines", repeat("a\n=\n")},
	{"fences", repeat("```\n")},
	{"open fence", func(n int) string { return "```\n" + strings.Repeat("a\n", n/2) }},
	{"callouts", repeat("> [!a]\n\n")},
	{"block ids", repeat("a ^b\n\n")},
	{"block id lines", repeat("a ^b\n")},
	{"long line", repeat("word ")},
	{"short lines", repeat("a\n")},
	{"carriage returns", repeat("a\r")},
	{"lines of links", repeat("[a]\n[b](\n")},
}

func repeat(s string) func(int) string {
	return func(n int) string { return strings.Repeat(s, n/len(s)) }
}

// TestHostile reads each page at a size at which a parser that is quadratic
// does not end before the test is stopped. How long each takes is measured by
// BenchmarkHostile.
func TestHostile(t *testing.T) {
	t.Parallel()
	size := 256 << 10
	if testing.Short() {
		size = 16 << 10
	}
	for _, h := range hostile {
		t.Run(h.name, func(t *testing.T) {
			t.Parallel()
			p := pageOf("a.md", h.page(size))
			Parse(p, schema.Limits{})
			out := Render(p, Options{})
			if len(out.HTML) > 40*len(p.Source)+maxCells*20 {
				t.Errorf("%d bytes became %d", len(p.Source), len(out.HTML))
			}
		})
	}
}

// TestBounds checks that what is beyond a bound is said, and the page still read.
func TestBounds(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, src, message string }{
		{"quotes", strings.Repeat("> ", 200) + "a", "nested deeper"},
		{"items", strings.Repeat("- ", 200) + "a", "nested deeper"},
		{"columns", strings.Repeat("|a", 501) + "|\n" + strings.Repeat("|-", 501) + "|\n", "501 columns"},
		{"filled cells", strings.Repeat("|a", 400) + "|\n" + strings.Repeat("|-", 400) + "|\n" + strings.Repeat("|\n", 5000), "400 columns"},
		{"emphasis", strings.Repeat("*a **a ", 200) + strings.Repeat("a** a*", 200), "100 deep"},
		{"images", strings.Repeat("![", 200) + strings.Repeat("](x)", 200), "100 deep"},
		{"brackets", strings.Repeat("[ ", 10_001), "10,000 brackets"},
		{"references", "[x]: /" + strings.Repeat("y", 50_000) + "\n\n" + strings.Repeat("[x] ", 1000), "links by reference"},
		{"markers", strings.Repeat("> ", 2000), "line begins"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := pageOf("a.md", "# Title\n\n"+tc.src+"\n\n## Part\n")
			Parse(p, schema.Limits{})
			if len(p.Faults) != 1 || p.Faults[0].Kind != schema.FaultTooComplex || !strings.Contains(p.Faults[0].Message, tc.message) {
				t.Fatalf("faults %+v, want %q", p.Faults, tc.message)
			}
			if p.Title != "Title" || len(p.Headings) != 2 || len(p.Links) != 0 {
				t.Errorf("title %q, %d headings, %d links", p.Title, len(p.Headings), len(p.Links))
			}
			if html := string(Render(p, Options{}).HTML); !strings.Contains(html, `<h2 id="part">Part</h2>`) {
				t.Errorf("rendered without its headings: %.200s", html)
			}
		})
	}
	p := pageOf("a.md", "# A\n")
	Parse(p, schema.Limits{PageBytes: 2})
	if len(p.Faults) != 1 || !strings.Contains(p.Faults[0].Message, "page_bytes") {
		t.Errorf("faults of a large page: %+v", p.Faults)
	}
}

// BenchmarkHostile reads each page at the largest size a page may have.
func BenchmarkHostile(b *testing.B) {
	for _, h := range hostile {
		p := pageOf("a.md", h.page(10<<20-4096))
		b.Run(h.name, func(b *testing.B) {
			for b.Loop() {
				Parse(&schema.Page{Path: p.Path, Source: p.Source, Body: p.Body, Lines: p.Lines}, schema.Limits{})
			}
		})
	}
}
