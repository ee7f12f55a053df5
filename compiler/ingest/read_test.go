package ingest

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/source"
)

func TestName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"a b.md": "a-b.md", "README.md": "papers-README.md", "index.MD": "papers-index.MD", "日本語.pdf": "日本語.pdf",
		"../x": "x", ".hidden": "hidden", "a/../b": "a-..-b", "[x]#y.md": "x-y.md", "": "source", "sources.lock": "source", "???": "source",
	} {
		if got := Name(name, "papers"); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

// TestReadOpensNothingOutside checks that nothing outside what is named is read.
func TestReadOpensNothingOutside(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	put("secret.png", "secret")
	put("in/a.md", "![x](../secret.png) ![y](y.png) ![z](link.png) ![w](https://example.org/w.png)\n")
	put("in/y.png", "y")
	put("in/page.html", "<img src=../secret.png><img src=link.png><img src=y.png>")
	if err := os.Symlink(filepath.Join(dir, "secret.png"), filepath.Join(dir, "in", "link.png")); err != nil {
		t.Skip("no symbolic links here")
	}
	for name, want := range map[string][]string{
		"in/a.md":      {"a.md", "y.png"},
		"in/page.html": {"assets/page/y.png", "page.html", "page.md"},
		"in":           {"in/a.md", "in/assets/page/y.png", "in/page.html", "in/page.md", "in/y.png"},
	} {
		b, err := Read(filepath.Join(dir, filepath.FromSlash(name)), filepath.Join(dir, "raw"))
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range b.Files {
			got = append(got, f.Name)
			if string(f.Src) == "secret" {
				t.Errorf("%s: %s was read", name, f.Name)
			}
		}
		if len(got) != len(want) {
			t.Fatalf("%s: %q, want %q", name, got, want)
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%s: %q, want %q", name, got, want)
			}
		}
	}
	var refused *RefusedError
	if _, err := Read(filepath.Join(dir, "in", "link.png"), dir); !errors.As(err, &refused) {
		t.Errorf("a link is read: %v", err)
	}
	big, err := os.Create(filepath.Join(dir, "big.bin"))
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(big.Truncate(source.MaxRaw+1), big.Close()); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(filepath.Join(dir, "big.bin"), dir); !errors.As(err, &refused) {
		t.Errorf("what is too large is read: %v", err)
	}
}

// TestReadPullCleans checks that what is one line of a page is asked about as its
// author wrote it: without its underscores a token is one no more, and is there.
func TestReadPullCleans(t *testing.T) {
	t.Parallel()
	view := `{"number": 7, "title": "use ghp_\u200babc\u0000 \u001b[31mnow", "body": "ghp_\u200babc", "url": "https://example.org/7\">x", "commits": [{"oid": "1", "messageHeadline": "add ghp_abc"}]}`
	p, err := ReadPull([]byte(view), nil, func(s string) string { return strings.ReplaceAll(s, "ghp_abc", "HIDDEN") })
	if err != nil {
		t.Fatal(err)
	}
	if want := "#7 use HIDDEN [31mnow"; p.Title != want {
		t.Errorf("title %q, want %q", p.Title, want)
	}
	text := string(p.Src)
	if strings.Contains(text, "abc\n- ") || strings.Contains(text, "ghp abc") || strings.ContainsAny(text, "\x00\x1b\u200b") || !strings.Contains(text, "> ghp_abc\n") {
		t.Errorf("%q", text)
	}
	if p.Origin != "" || !strings.Contains(text, "- address: unknown\n") {
		t.Errorf("an address that ends its own markup: %q, %q", p.Origin, text)
	}
	if _, err := ReadPull([]byte(`{"number": 7, "title": "\u0000\u200b"}`), nil, strings.TrimSpace); err == nil {
		t.Error("a title of which nothing is seen is taken")
	}
}

func FuzzReadPull(f *testing.F) {
	f.Add([]byte(`{"number":1,"title":"x","body":"y"}`), []byte(`[{"id":1,"body":"z"}][]`))
	f.Fuzz(func(t *testing.T, view, comments []byte) {
		p, err := ReadPull(view, comments, func(s string) string { return s })
		if err == nil && (p.Title == "" || len(p.Src) == 0) {
			t.Errorf("%+v", p)
		}
	})
}
