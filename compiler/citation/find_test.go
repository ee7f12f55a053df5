package citation_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/compiler/citation"
	"github.com/loopwiki/wiki/compiler/markdown"
	"github.com/loopwiki/wiki/schema"
)

var remotes = []citation.Remote{
	{Address: "https://github.com/acme/shop", Branches: []string{"main"}},
	{Address: "https://git.example.org/acme/shop", Branches: []string{"main"}},
}

func parse(text string) *schema.Page {
	p := &schema.Page{Path: "p.md", Source: []byte(text)}
	markdown.Parse(p, schema.Limits{})
	return p
}

func find(page *schema.Page) []citation.Citation {
	return citation.Find(page, func() []citation.Remote { return remotes })
}

func TestFindForms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"See src/a.go:12.", "src/a.go 12"},
		{"See `src/a.go:12-20`.", "src/a.go 12-20"},
		{"See src/a.go:12–20, then.", "src/a.go 12-20"},
		{"See (src/a.go:12-20)", "src/a.go 12-20"},
		{"`src/a.go:12:5`", "src/a.go 12"},
		{"`src/a.go:12,30-34`", "src/a.go 12; src/a.go 30-34"},
		{"`src/a.go:L12-L20`", "src/a.go 12-20"},
		{"`src/a.go#L12`", "src/a.go 12"},
		{"src/a.go#L12-L20", "src/a.go 12-20"},
		{"src/a.go#L12C3-L20C5", "src/a.go 12-20"},
		{"src/a.go lines 12-20", "src/a.go 12-20"},
		{"`src/a.go` (line 12)", "src/a.go 12"},
		{"`src/a.go`, lines 12–20", "src/a.go 12-20"},
		{"| a | Name.java:67 |", "Name.java 67"},
		{"[the limit](../src/a.go#L12)", "../src/a.go 12"},
		{"[a.go:12](../src/a.go#L12)", "../src/a.go 12"},
		{"[a.go:12](../src/a.go#L14)", "a.go 12; ../src/a.go 14"},
		{"https://github.com/acme/shop/blob/main/src/a.go#L3-L7", "src/a.go 3-7"},
		{"[x](https://git.example.org/acme/shop/-/blob/main/src/a.go#L3-7)", "src/a.go 3-7"},
		{"[x](https://git.example.org/acme/shop/src/branch/main/src/a.go#L3-L7)", "src/a.go 3-7"},
		{"[a.go](file://src/a.go#L1-L9)", "src/a.go 1-9"},
		{"`app/[id]/(main)/page.tsx:4`", "app/[id]/(main)/page.tsx 4"},
		{"Makefile:4 and src/größe.py:8", "Makefile 4; src/größe.py 8"},
		{"[S: src/a.go:12][S: src/b.go:7-9]", "src/a.go 12; src/b.go 7-9"},
		{"src/a.go:0", "src/a.go -1"},
		{"src/a%20b.go:2", "src/a b.go 2"},

		{"https://github.com/acme/shop/blob/v1.2/src/a.go#L3", ""},
		{"https://github.com/other/shop/blob/main/src/a.go#L3", ""},
		{"https://example.org/a.html#L3", ""},
		{"src/a.go@1a2b3c4:12", ""},
		{"At 12:30 on port :8080, ratio 1:2", ""},
		{"a version such as go.mod:1.2.3", ""},
		{"src/a.go:12px", ""},
		{"the deadline 3", ""},
		{"line 62 src/a.go, line 68-69 src/b.go", ""},
		{"```\nsrc/a.go:12\n```", ""},
		{"<!-- src/a.go:12 -->", ""},
	} {
		page := parse("# P\n\n" + c.text + "\n")
		var got []string
		for _, f := range find(page) {
			lines := fmt.Sprint(f.From)
			if f.To != f.From {
				lines = fmt.Sprintf("%d-%d", f.From, f.To)
			}
			got = append(got, f.Path+" "+lines)
		}
		if diff := cmp.Diff(c.want, strings.Join(got, "; ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.text, diff)
		}
	}
}

func TestLinesEditsNumbersAlone(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"See `src/a.go:12-20`.", "See `src/a.go:112-120`."},
		{"src/a.go#L12C3-L20C5 it is", "src/a.go#L112C3-L120C5 it is"},
		{"[a.go:12-20](https://github.com/acme/shop/blob/main/a.go#L12-L20)", "[a.go:112-120](https://github.com/acme/shop/blob/main/a.go#L112-L120)"},
		{"`src/a.go` (lines 12–20)", "`src/a.go` (lines 112–120)"},
	} {
		page := parse(c.text)
		found := find(page)
		if len(found) != 1 {
			t.Errorf("%s: %d citations", c.text, len(found))
			continue
		}
		got := c.text
		edits := found[0].Lines("p.md", 112, 120)
		for i := len(edits) - 1; i >= 0; i-- {
			got = got[:edits[i].Span.Start] + edits[i].Text + got[edits[i].Span.End:]
		}
		if got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.text, got, c.want)
		}
	}
}

func TestAddress(t *testing.T) {
	t.Parallel()
	for clone, want := range map[string]string{
		"https://github.com/acme/shop.git":     "https://github.com/acme/shop",
		"git@github.com:acme/shop.git":         "https://github.com/acme/shop",
		"ssh://git@git.example.org:2222/a/b/c": "https://git.example.org/a/b/c",
		"https://user@gitlab.com/a/b/":         "https://gitlab.com/a/b",
		"/srv/git/shop.git":                    "",
		"../shop":                              "",
	} {
		if got := citation.Address(clone); got != want {
			t.Errorf("%s: got %q, want %q", clone, got, want)
		}
	}
}

func FuzzFind(f *testing.F) {
	f.Add("[a.go:12](a/b.go#L12-L14) `x.ts:1,2-3` src/(a)/b.c line 9 https://github.com/acme/shop/blob/main/a.go#L3")
	f.Fuzz(func(t *testing.T, text string) {
		page := parse(text)
		for _, c := range find(page) {
			if c.Span.Start < 0 || c.Span.End > len(page.Source) || c.Span.Len() <= 0 {
				t.Fatalf("%q: %v", text, c.Span)
			}
			for _, e := range c.Lines("p.md", 1<<30, 1<<30) {
				if strings.Trim(string(e.Span.In(page.Source)), "0123456789") != "" {
					t.Fatalf("%q: an edit replaces %q", text, e.Span.In(page.Source))
				}
			}
		}
	})
}
