package compiler_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
)

// TestCases is the table of spellings that other tools read wrongly: each row
// is one line of a page, and what its links lead to.
func TestCases(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, body := range map[string]string{
		"page.md": "# Page\n\n## Outer\n\n### Inner\n\n## Other\n\n### Inner\n\nblock ^b1\n", "path.md": "# Path\n",
		"C#.md": "# C#\n", "C.md": "# C\n", "a b.md": "# Spaces\n", "emoji 🎉.md": "# Emoji\n", "100%.md": "# Percent\n",
		"issue #7.md": "# Issue\n", "caf\u00e9.md": "# NFC\n", "no\u0308te.md": "# NFD\n", "日本語.md": "# 日本語\n\n## 見出し\n",
		"v1.2.md": "# Version\n", "sub/page two.md": "# Two\n", "pic.png": "",
	} {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	rows := []struct{ line, want string }{
		{"[[page]](a note in brackets)", "page.md"},
		{"[[Title]](path.md)", "path.md"},
		{"[[page]](page two.md)", "page.md"},
		{"| [[page\\|label]] | x |\n|---|---|\n| [[path\\|b]] | [[C#\\|c]] |", "page.md path.md C#.md"},
		{"[[page#Outer#Inner]]", "page.md#inner"},
		{"[[page#Other#Inner]]", "page.md#inner-1"},
		{"[[page#^b1]]", "page.md#^b1"},
		{"[[C#]]", "C#.md"},
		{"[[C#C]]", "C.md#c"},
		{"[[ a b ]]", "a b.md"},
		{"[x](a%20b.md) [y](<a b.md>)", "a b.md a b.md"},
		{"[[emoji 🎉]] [x](emoji%20🎉.md)", "emoji 🎉.md emoji 🎉.md"},
		{"[[100%]] [x](100%25.md) [y](100%.md)", "100%.md 100%.md 100%.md"},
		{"[[issue #7]] [x](issue%20%237.md)", "issue #7.md issue #7.md"},
		{"[[cafe\u0301]] [[n\u00f6te]]", "caf\u00e9.md no\u0308te.md"},
		{"[[no\u0308te]]", "no\u0308te.md"},
		{"[[日本語#見出し]] [x](日本語.md#見出し)", "日本語.md#見出し 日本語.md#見出し"},
		{"[[v1.2]] [[v1.2.md]]", "v1.2.md v1.2.md"},
		{"![[pic.png|200]] ![alt](pic.png)", "pic.png pic.png"},
		{"`[[page]]` $a[[page]]$ %%[[page]]%% <!-- [[page]] -->", ""},
		{"[ref][p] and [p][]\n\n[p]: path.md", "path.md path.md"},
		{"[[page|a | b]]", "page.md"},
		{"\\[[page]]", ""},
		{"[[Page]]", "page.md"},
	}
	for _, prefix := range []string{"", "\xef\xbb\xbf", "---\ntitle: x\n---\n"} {
		for _, newline := range []string{"\n", "\r\n"} {
			for _, row := range rows {
				body := strings.ReplaceAll(prefix+row.line+"\n", "\n", newline)
				if err := os.WriteFile(filepath.Join(dir, "case.md"), []byte(body), 0o644); err != nil {
					t.Fatal(err)
				}
				w := compilertest.Compile(t, dir)
				var got []string
				p := w.Page("case")
				for l, r := range w.Links(p) {
					s := r.Path
					if !r.OK() {
						s = "broken"
					}
					if r.Anchor != "" {
						s += "#" + r.Anchor
					}
					if r.AnchorMissing {
						s += " (no anchor)"
					}
					got = append(got, s)
					if c := l.Span.In(p.Source); len(c) < 3 || c[0] != '[' && c[0] != '!' {
						t.Errorf("%q: link spans %q", body, c)
					}
				}
				if strings.Join(got, " ") != row.want {
					t.Errorf("%q\n got %q\nwant %q", body, strings.Join(got, " "), row.want)
				}
			}
		}
	}
}
