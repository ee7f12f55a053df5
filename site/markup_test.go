package site

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site/theme"
)

func TestStripMarkup(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"plain text":                            "plain text",
		"a **bold** and *it* and __b__ `code`":  "a bold and it and b code",
		"snake_case_name stays":                 "snake_case_name stays",
		"[label](target.md) and [[Page|shown]]": "label and shown",
		"[[Page]] ![[embed]] ![alt](x.png)":     "Page embed alt",
		"note[^1] and <kbd>key</kbd>":           "note and key",
		"<https://example.org/a>":               "https://example.org/a",
		"~~gone~~ ==marked== a < b &amp; c":     "gone marked a < b & c",
		`\*not bold\* a \[b\]`:                  "*not bold* a [b]",
		"- [ ] task\n- [x] done":                " task\n done",
		"> quoted\n> more":                      " quoted\n more",
		"| a | b |":                             " a   b  ",
		"unclosed [[link and [label and `code":  "unclosed [[link and [label and code",
		"[ref][target] [x]":                     "[ref][target] [x]",
		`[[a\|b]]`:                              "b",
	} {
		if got := stripMarkup(in); got != want {
			t.Errorf("stripMarkup(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestSentence(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("very ", 100)
	for _, c := range []struct{ text, link, before, marked, after string }{
		{"First one. Then see [[A]] for more. Last one.", "[[A]]", "Then see ", "A", " for more."},
		{"[[A]] begins. Second.", "[[A]]", "", "A", " begins."},
		{"Version 1.2 of [the page](a.md), e.g. here.", "[the page](a.md)", "Version 1.2 of ", "the page", ", e.g. here."},
		{"文書。これは[[A]]です。次。", "[[A]]", "これは", "A", "です。"},
		{"See **[[A]]** and [[B|other]].", "[[A]]", "See ", "A", " and other."},
		{long + "[[A]]" + long, "[[A]]", "…" + strings.Repeat("very ", 31), "A", strings.Repeat("very ", 31) + "very…"},
	} {
		at := strings.Index(c.text, c.link)
		span, block := schema.Span{Start: at, End: at + len(c.link)}, schema.Span{End: len(c.text)}
		before, marked, after := sentence(&schema.Page{Source: []byte(c.text)}, span, block, c.marked)
		if diff := cmp.Diff([]string{c.before, c.marked, c.after}, []string{before, marked, after}); diff != "" {
			t.Errorf("the sentence of %q in %.60q (-want +got):\n%s", c.link, c.text, diff)
		}
	}
}

func FuzzSentence(f *testing.F) {
	f.Add("First. See [[A]] there. Last.", 11, 16)
	f.Add("\ue0f0 \ue0f1 [[", 0, 3)
	f.Add("知識。[a](b)", 3, 9)
	f.Fuzz(func(t *testing.T, text string, from, to int) {
		if from < 0 || to < from || to > len(text) {
			return
		}
		span, block := schema.Span{Start: from, End: to}, schema.Span{End: len(text)}
		before, marked, after := sentence(&schema.Page{Source: []byte(text)}, span, block, "x")
		for _, s := range []string{before, marked, after} {
			if !utf8.ValidString(s) || strings.ContainsAny(s, string(linkStart)+string(linkEnd)+"\n") || len(s) > 2*maxSentence {
				t.Errorf("sentence(%q) has %q", text, s)
			}
		}
	})
}

func TestFinish(t *testing.T) {
	t.Parallel()
	words := theme.WordsFor("en")
	for in, want := range map[string]string{
		`<p>a <b>b</b></p>`: `<p>a <b>b</b></p>`,
		`<a class="wikilink" href="?wiki-plain">x <i>y</i></a> <a href="z">z</a>`:   `<span class="plain">x <i>y</i></span> <a href="z">z</a>`,
		`<img src="?wiki-plain" alt="A &lt;b&gt;" loading="lazy">`:                  `<span class="plain">A &lt;b&gt;</span>`,
		`<a href="?wiki-broken">x</a>`:                                              `<span class="broken" title="Broken link">x</span>`,
		`<table><tr><td>x</td></tr></table>`:                                        `<div class="table" tabindex="0" role="group"><table><tr><td>x</td></tr></table></div>`,
		`<table><tr><td><div class="table"><table></table></div></td></tr></table>`: `<div class="table" tabindex="0" role="group"><table><tr><td><div class="table"><table></table></div></td></tr></table></div>`,
		`<a href="z"><sup data-source="a b">[a b]</sup></a>`:                        `<a href="z"><sup data-source="a b">[a b]</sup></a>`,
		`</table>`: `</table>`,
		`<div class="table" tabindex="0"><table></table></div>`: `<div class="table" tabindex="0"><table></table></div>`,
		`<sup class="source" data-source="a b">[a b]</sup>`:     `<sup class="source"><a href="#source-a%20b">[a b]</a></sup>`,
		`<sup class="source" data-source="no">[no]</sup>`:       `<sup class="source" data-source="no">[no]</sup>`,
		`<a title="a > b" href="?wiki-plain">x</a>`:             `<span class="plain">x</span>`,
		`a < b`: `a < b`,
		`</a>`:  `</a>`,
	} {
		out, _ := finish(nil, []byte(in), words, []theme.Source{{ID: "a b"}}, "")
		if got := string(out); got != want {
			t.Errorf("finish(%s)\n got %s\nwant %s", in, got, want)
		}
	}
}

func TestSplitTitle(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][3]string{
		"<h1 id=\"a-b\">A <i>b</i></h1>\n<p>x</p>": {"a-b", "A <i>b</i>", "\n<p>x</p>"},
		`<p>x</p><h1 id="a">A</h1>`:                {"", "", `<p>x</p><h1 id="a">A</h1>`},
		`<h1 id="a">open`:                          {"", "", `<h1 id="a">open`},
		``:                                         {"", "", ""},
	} {
		id, title, rest := splitTitle([]byte(in))
		if diff := cmp.Diff(want, [3]string{id, title, string(rest)}); diff != "" {
			t.Errorf("splitTitle(%q):\n%s", in, diff)
		}
	}
}

func TestHighlight(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		language, code, want string
		ok                   bool
	}{
		{"go", "x := \"<a>\" // c\n", `x := <span class="t-s">&#34;&lt;a&gt;&#34;</span> <span class="t-c">// c</span>` + "\n", true},
		{"GO", "return\r\n", "<span class=\"t-k\">return</span>\n", true},
		{"", "x", "", false},
		{"tasks", "x", "", false},
		{"no such language at all", "x", "", false},
		{"go", strings.Repeat("x", maxHighlightLine+1), "", false},
		{"go", strings.Repeat("x\n", maxHighlightBytes), "", false},
	} {
		got, ok := highlight(c.language, []byte(c.code))
		if got != c.want || ok != c.ok {
			t.Errorf("highlight(%q, %.20q) = %q, %v, want %q, %v", c.language, c.code, got, ok, c.want, c.ok)
		}
	}
}

func TestHighlightingOfAPageIsBounded(t *testing.T) {
	t.Parallel()
	e := embeds{total: &embedTotal{}}
	code := []byte(strings.Repeat("return 1\n", 1000))
	coloured := 0
	for range 100 {
		if _, ok := e.highlight("go", code); ok {
			coloured += len(code)
		}
	}
	if coloured == 0 || coloured > maxPageHighlight {
		t.Errorf("%d bytes of one page are coloured, at most %d should be", coloured, maxPageHighlight)
	}
}

// TestHostileCode colours the largest code that is coloured, of the kinds
// that backtracking expressions like least.
func TestHostileCode(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"go", "perl", "ruby"} {
		for _, unit := range []string{"(", "<a ", "{{"} {
			line := strings.Repeat(unit, 400/len(unit)) + "\n"
			code := strings.Repeat(line, maxHighlightBytes/len(line))
			if len(code) > maxHighlightBytes || longestLine([]byte(code)) > maxHighlightLine {
				t.Fatal("the code is not coloured at all")
			}
			highlight(language, []byte(code))
		}
	}
}
