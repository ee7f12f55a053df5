package markdown

import (
	"strings"
	"testing"

	"github.com/loopwiki/wiki/schema"
)

func TestCodeBlocks(t *testing.T) {
	t.Parallel()
	const open = `<pre><code class="language-go">`
	for _, c := range []struct{ name, src, want string }{
		{"plain", "```go\na\nb\n```", open + "a\nb\n</code></pre>\n"},
		{"title", "```go title=\"main.go\"\na\n```", `<figure class="code"><figcaption>main.go</figcaption>` + open + "a\n</code></pre></figure>\n"},
		{"title in words", "```go title='a <b>'\na\n```", `<figure class="code"><figcaption>a &lt;b&gt;</figcaption>` + open + "a\n</code></pre></figure>\n"},
		{"title without quotes", "```go title=main.go {1}\na\n```", `<figure class="code"><figcaption>main.go</figcaption>` + open + `<mark class="line">a</mark>` + "\n</code></pre></figure>\n"},
		{"no title", "```go title=\"\"\na\n```", open + "a\n</code></pre>\n"},
		{"lines", "```go {1,3-4}\na\nb\nc\nd\ne\n```", open + `<mark class="line">a</mark>` + "\nb\n" + `<mark class="line">c</mark>` + "\n" + `<mark class="line">d</mark>` + "\ne\n</code></pre>\n"},
		{"lines without a space", "```go{2}\na\nb\n```", open + "a\n" + `<mark class="line">b</mark>` + "\n</code></pre>\n"},
		{"lines that are not there", "```go {7-3,0,99999999999999999999}\na\n```", open + "a\n</code></pre>\n"},
		{"braces that are no lines", "```go {.numbered}\na\n```", open + "a\n</code></pre>\n"},
		{"diff", "```diff\n--- a\n+++ b\n-old\n+new\n same\n```", `<pre><code class="language-diff">--- a` + "\n+++ b\n" + `<del class="line">-old</del>` + "\n" + `<ins class="line">+new</ins>` + "\n same\n</code></pre>\n"},
		{"no diff", "```go\n-a\n```", open + "-a\n</code></pre>\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := &schema.Page{ID: "p", Path: "p.md", Source: []byte(c.src)}
			Parse(p, schema.Limits{})
			if got := string(Render(p, Options{}).HTML); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

// A token that goes on behind the end of a marked line is in both lines.
func TestMarkedLinesCloseTokens(t *testing.T) {
	t.Parallel()
	info := fenceInfo{lines: []lineRange{{2, 2}}}
	got := info.mark("<span class=\"t-c\">/* one\ntwo\nthree */</span> x\ny\n", false)
	const token = `<span class="t-c">`
	want := token + "/* one</span>\n" + `<mark class="line">` + token + "two</span></mark>\n" + token + "three */</span> x\ny\n"
	if got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	rows := fenceInfo{}
	if got, want := rows.mark("<span class=\"t-d\">-a\n-b\n</span><span class=\"t-i\">+c\n</span> d\n", true),
		"<del class=\"line\"><span class=\"t-d\">-a</span></del>\n<del class=\"line\"><span class=\"t-d\">-b</span></del>\n<ins class=\"line\"><span class=\"t-i\">+c</span></ins>\n d\n"; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestMarkedLinesKeepTheText(t *testing.T) {
	t.Parallel()
	info := fenceInfo{lines: []lineRange{{1, 3}}}
	for _, code := range []string{"", "\n", "a", "a\n\nb", "\n\n\n\n"} {
		got := info.mark(code, true)
		got = strings.NewReplacer(`<mark class="line">`, "", "</mark>", "").Replace(got)
		if got != code {
			t.Errorf("%q became %q", code, got)
		}
	}
}
