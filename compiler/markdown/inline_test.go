package markdown

import (
	"strings"
	"testing"

	"github.com/loopwiki/wiki/schema"
)

// TestInlineHTML checks what the examples of the specification do not show.
func TestInlineHTML(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, src, want string }{
		{"URL in a label", "[https://a.b/c](https://d.e)", "<p>\n <a href=https://d.e>https://a.b/c</a>\n"},
		{"URL in brackets", "[see https://a.b/c] d", "<p>\n [see <a href=https://a.b/c>https://a.b/c</a>] d\n"},
		{"URL with brackets", "[https://a.b/c[1]](d)", "<p>\n <a href=d>https://a.b/c[1]</a>\n"},
		{"URL in brackets of full width", "（https://a.b/c）d", "<p>\n （<a href=https://a.b/c>https://a.b/c</a>）d\n"},
		{"URL of letters beyond ASCII", "https://a.b/ä/中", "<p>\n <a href=https://a.b/ä/中>https://a.b/ä/中</a>\n"},
		{"URL before a reference", "https://a.b/c&copy;", "<p>\n <a href=https://a.b/c>https://a.b/c</a>©\n"},
		{"URL in emphasis", "__https://a.b/c__", "<p>\n <strong><a href=https://a.b/c>https://a.b/c</a></strong>\n"},
		{"reference at the end", "a &#42;", "<p>\n a *\n"},
		{"reference by a prefix", "&notit; &ampx;", "<p>\n &notit; &ampx;\n"},
		{"reference beyond Unicode", "&#x110000; &#xD800; &#0;", "<p>\n \uFFFD \uFFFD \uFFFD\n"},
		{"image in an image", "![a ![b](c) *d*](e)", "<p>\n <img alt=a b d src=e></img>\n"},
		{"code over lines of a quote", "> `a\n> b`", "<blockquote>\n <p>\n  <code>a b</code>\n"},
		{"code over lines of an item", "- a `b\n  c`", "<ul>\n <li>\n  a <code>b c</code>\n"},
		{"tag over lines of a quote", "> a <kbd\n> title='c\n> d'>e</kbd>", "<blockquote>\n <p>\n  a <kbd title=c d>e</kbd>\n"},
		{"reference over lines of a quote", "> [a\n> b]\n\n[a b]: c", "<blockquote>\n <p>\n  <a href=c>a b</a>\n"},
		{"definition behind a tab", "> \t[a]: b\n\n[a]", "<blockquote>\n<p>\n <a href=b>a</a>\n"},
		{"backslash in an attribute", `a <a href="b\*">c</a>`, "<p>\n a <a href=b\\*>c</a>\n"},
		{"citation in a drawing", "a <svg><text>b (c.go:1) #d https://e.f</text></svg>", "<p>\n a\n <svg>\n  <text>\n   b (c.go:1) #d <a href=https://e.f>https://e.f</a>\n"},
		{"heading behind a tab", ">\t# a", "<blockquote>\n <h1>\n  a\n"},
		{"indented row of dashes", "a\n\t|-", "<p>\n a |-\n"},
		{"empty last cell", "|a||\n|-|-|\n", "<table>\n <thead>\n  <tr>\n   <th>\n    a\n   <th>\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := ours(t, tc.src)
			if got != tc.want {
				t.Errorf("%q: got\n%s\nwant\n%s", tc.src, got, tc.want)
			}
		})
	}
}

// TestCitationInText checks a citation that holds bytes which might begin a
// construct, with nothing behind it on its line.
func TestCitationInText(t *testing.T) {
	t.Parallel()
	p := pageOf("a.md", "a (b_c.go:12)")
	Parse(p, schema.Limits{})
	if out := string(Render(p, Options{}).HTML); !strings.Contains(out, `<cite class="citation">b_c.go:12</cite>`) {
		t.Errorf("no citation in %s", out)
	}
}

// TestHeadingSpan checks the places of headings that goldmark misplaces.
func TestHeadingSpan(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"# a":                "# a",
		"## a ##\nb":         "## a ##",
		"#":                  "#",
		"##\n\nb":            "##",
		">\t#":               "#",
		">\t##\nb":           "##",
		">\t## a\n> b":       "## a",
		"-\t# a\n":           "# a",
		"a\n=\nb":            "a\n=",
		"> a\n> b\n> -\n> c": "a\n> b\n> -",
		"#a\n=":              "#a\n=",
		"1. #\n":             "#",
	} {
		p := pageOf("a.md", src)
		Parse(p, schema.Limits{})
		if len(p.Headings) != 1 {
			t.Errorf("%q: headings %+v", src, p.Headings)
		} else if got := string(p.Headings[0].Span.In(p.Source)); got != want {
			t.Errorf("%q: heading %q, want %q", src, got, want)
		}
	}
}

// TestTagOverLines checks the place of an address in a tag over lines of a quote.
func TestTagOverLines(t *testing.T) {
	t.Parallel()
	p := pageOf("a.md", "> a <a title='b.md'\n> href='b.md'>c</a>")
	Parse(p, schema.Limits{})
	if len(p.Links) != 1 || p.Links[0].Target != "b.md" || p.Links[0].Dest.Start != strings.LastIndex(string(p.Source), "b.md") {
		t.Errorf("links %+v", p.Links)
	}
}
