package ingest

import (
	"strings"
	"testing"
)

func TestReadHTML(t *testing.T) {
	t.Parallel()
	for html, want := range map[string]string{
		"<title>T</title><p>a <!-- x --> b":                                   "# T\n\na b\n",
		"<h1>A</h1><p>1. no list<br>- nor this":                               "# A\n\n1\\. no list\\\n\\- nor this\n",
		"<title>T</title><ol><li>a<ul><li>b</ul><li><p>c<p>d</ol>":            "# T\n\n1. a\n\n   - b\n2. c\n\n   d\n",
		"<title>T</title><blockquote>a<p>b</blockquote><hr>":                  "# T\n\n> a\n>\n> b\n\n***\n",
		"<title>T</title><pre class=language-sh>```\nx</pre>":                 "# T\n\n````sh\n```\nx\n````\n",
		"<title>T</title><p>[[x]] ^[a.md] *b* `c` #t $y$ <b>z</b>!":           "# T\n\n\\[\\[x\\]\\] \\^\\[a.md\\] \\*b\\* \\`c\\` \\#t \\$y\\$ **z**!\n",
		"<title>T</title><p>&lt;script&gt; &amp;amp;":                         "# T\n\n\\<script> &amp;amp;\n",
		"<title>T</title><a href='data:x'>a</a> <a href='http://u:p@h'>b</a>": "# T\n\na b\n",
		"<title>T</title><a href='https://h/a b'>c</a>":                       "# T\n\n[c](<https://h/a%20b>)\n",
		"<title>T</title><table><tr><td>only<td></table>":                     "# T\n\nonly\n",
		"<title>T</title><main>in</main>out":                                  "# T\n\nin\n",
		"<title>T</title><p hidden>no<p style='display: none'>no<p>yes":       "# T\n\nyes\n",
		"<title>T</title><dl><dt>a<dd>b</dl>":                                 "# T\n\n**a**\n\nb\n",
		"<hr><p>title: Evil<p>aliases: pay<hr><p>b":                           "***\n\ntitle: Evil\n\naliases: pay\n\n***\n\nb\n",
		"<title>A&#27;[2J\u202eb\u200bc</title><code>d&#27;e</code>":          "# A\\[2Jbc\n\n`de`\n",
		"": "\n",
	} {
		r, err := ReadHTML([]byte(html), nil)
		if err != nil {
			t.Errorf("%s: %v", html, err)
		} else if string(r.Text) != want {
			t.Errorf("%s:\n%q\nwant\n%q", html, r.Text, want)
		}
	}
}

// TestReadHTMLNests checks that what is made of a page is not many times as large: each
// quote and list would stand before every line that is in it.
func TestReadHTMLNests(t *testing.T) {
	t.Parallel()
	for _, open := range []string{"<blockquote>", "<ul><li>", "<ol><li><blockquote>"} {
		page := "<title>T</title>" + strings.Repeat(open, 450/strings.Count(open, "<")) + strings.Repeat("a<br>", 2000)
		r, err := ReadHTML([]byte(page), nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, most := len(r.Text), 12*len(page); got > most {
			t.Errorf("%s: %d bytes of a page of %d", open, got, len(page))
		}
	}
}

func TestReadHTMLOrigin(t *testing.T) {
	t.Parallel()
	for html, want := range map[string]string{
		"<!-- saved from url=(0019)https://example.org -->":           "https://example.org",
		"<link rel=canonical href=https://example.org/a>":             "https://example.org/a",
		"<meta property=og:url content=https://example.org/b>":        "https://example.org/b",
		"<link rel=canonical href=javascript:alert(1)>":               "",
		"<!-- saved from url=(0019)https://me:secret@example.org -->": "",
	} {
		r, err := ReadHTML([]byte(html), nil)
		if err != nil || r.Origin != want {
			t.Errorf("%s: %q, %v", html, r.Origin, err)
		}
	}
}

func FuzzReadHTML(f *testing.F) {
	f.Add([]byte("<h1>A</h1><ul><li><a href=/x>b</a><table><tr><td>c<td>d<tr><td>|</table></ul><pre>```</pre>"))
	f.Fuzz(func(t *testing.T, src []byte) {
		r, err := ReadHTML(src, func(s string) string { return "assets/x.png" })
		if err != nil {
			return
		}
		text := string(r.Text)
		inFence := ""
		for line := range strings.Lines(text) {
			trimmed := strings.TrimLeft(line, " >-0123456789.")
			if strings.HasPrefix(trimmed, "```") {
				mark := trimmed[:len(trimmed)-len(strings.TrimLeft(trimmed, "`"))]
				if inFence == "" {
					inFence = mark
				} else if strings.TrimSpace(trimmed) == inFence {
					inFence = ""
				}
				continue
			}
			if inFence == "" && (strings.Contains(line, "<!--") || strings.Contains(line, "<script")) {
				t.Errorf("markup of the page is in %q", line)
			}
		}
	})
}
