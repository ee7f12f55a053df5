package source

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
)

func TestCited(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"wiki.yaml":           "title: W\n",
		"wiki/index.md":       "# Index\n\n## Opening *hours*\n\nThe shop opens\nat nine.\n\n## Prices\n\nNone.\n",
		"wiki/raw/mail.md":    "# Mail\n\n> The shop opens at **ten** o'clock.\nBye.\n",
		"wiki/raw/scan.pdf":   "%PDF\x00",
		"src/a.go":            "package a\n",
		"wiki/10_DOMAIN/a.md": "# A\n",
	} {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	ws, err := compiler.Detect(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	w, err := compiler.Compile(t.Context(), ws, compiler.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := NewCited(w)
	for _, row := range []struct{ cites, quote, wrong string }{
		{"raw/mail.md", "", ""},
		{"../raw/mail.md:3", "", ""},
		{"mail.md:3-4", "The shop opens at ten o'clock", ""},
		{"raw/mail.md:4", "The shop opens at ten o'clock", "does not say"},
		{"raw/mail.md", "The shop never opens", "does not say"},
		{"raw/mail.md:3-9", "", "has 4 lines"},
		{"raw/mail.md:4-3", "", "no line 4 to 3"},
		{"raw/male.md", "", "is not there"},
		{"../../../etc/passwd", "", "is not there"},
		{"raw/scan.pdf", "", ""},
		{"raw/scan.pdf:1", "", "no text that could be cited"},
		{"src/a.go:1", "", ""},
		{"src/a.go:2", "", "has 1 lines"},
		{"index.md#Opening hours", "opens at nine", ""},
		{"index.md#Prices", "opens at nine", "does not say"},
		{"index.md#Closing", "", "has no heading"},
	} {
		got := c.Wrong("10_DOMAIN", schema.ParseAnchor(row.cites), row.quote)
		if (got == "") != (row.wrong == "") || !strings.Contains(got, row.wrong) {
			t.Errorf("%s %q: %q, want %q", row.cites, row.quote, got, row.wrong)
		}
	}
}

func TestQuoteBefore(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`He wrote "the shop opens at ten" `:         "the shop opens at ten",
		`He wrote “the shop opens at ten.” (`:       "the shop opens at ten",
		`The so-called "shop" `:                     "",
		`"the shop opens at ten" is what he wrote `: "",
		"\"the shop opens at ten\"\n\n":             "the shop opens at ten",
		"never opened\" ":                           "",
	} {
		if got := QuoteBefore([]byte(text), len(text)); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
