package query

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// lay writes files below a new folder.
func lay(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestRetrieve(t *testing.T) {
	t.Parallel()
	dir := lay(t, map[string]string{
		"wiki.yaml":                       "",
		"wiki/index.md":                   "# Shop\n\n- [[price]]\n- [[basket]]\n",
		"wiki/10_DOMAIN/price.md":         "---\ntitle: Price\n---\n# Price\n\nA number of cents.\n\n## Refusals\n\nparsePrice refuses what is below zero.\n\n```\n# no heading: prices below zero\n```\n\n## Rounding\n\nHalf to even.\n",
		"wiki/10_DOMAIN/basket.md":        "# Basket\n\nWhat a customer wants. It holds prices.\n" + strings.Repeat("A line about nothing in particular.\n", 200),
		"wiki/90_LOG/2026-07-01-price.md": "---\ntype: log\n---\n# Price below zero\n\nPrices below zero were refused.\n",
		"wiki/log.md":                     "# Log\n\nprice below zero\n",
		"wiki/raw/price.md":               "# price below zero\n",
	})
	r := Retriever{dir}
	ask := func(query string, size int) (out []string) {
		found, err := r.Retrieve(t.Context(), query, size)
		if err != nil {
			t.Fatal(err)
		}
		used := 0
		for _, p := range found {
			used += len(p.Path) + len(p.Heading) + len(p.Text)
			out = append(out, strings.TrimSuffix(p.Path+" / "+p.Heading, " / "))
			if !strings.Contains(p.Text, "\n…") && len(p.Text) > maxPassage {
				t.Errorf("%s is %d bytes long", p.Path, len(p.Text))
			}
		}
		if used > size {
			t.Errorf("%d bytes of %d", used, size)
		}
		return out
	}
	got := ask("Refuse a price below zero in parsePrice", 16<<10)
	if len(got) == 0 || got[0] != "wiki/10_DOMAIN/price.md / Refusals" {
		t.Errorf("got %q", got)
	}
	if slices.ContainsFunc(got, func(s string) bool {
		return strings.Contains(s, "LOG") || strings.Contains(s, "raw") || strings.Contains(s, "log.md")
	}) {
		t.Errorf("what happened once is found: %q", got)
	}
	if diff := cmp.Diff(got, ask("Refuse a price below zero in parsePrice", 16<<10)); diff != "" {
		t.Error(diff)
	}
	if got := ask("refusals of parse price", 100); len(got) == 0 {
		t.Errorf("%q in 100 bytes", got)
	}
	if got := ask("nothing here speaks of quaternions", 16<<10); len(got) > 1 {
		t.Errorf("%q", got)
	}
	if found, err := (Retriever{t.TempDir()}).Retrieve(t.Context(), "price", 1000); err != nil || len(found) > 0 {
		t.Errorf("of no wiki: %v, %v", found, err)
	}
}

func TestWordsOf(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][]string{
		"The prices of parsePrice": {"price", "parseprice", "parse", "price"},
		"HTTPServer, snake_case":   {"httpserver", "snake", "case"},
		"a of on":                  nil,
		"class Größe":              {"class", "größe"},
	} {
		if diff := cmp.Diff(want, wordsOf(in)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", in, diff)
		}
	}
}

func BenchmarkRetrieve(b *testing.B) {
	dir := b.TempDir()
	for i := range 200 {
		file := filepath.Join(dir, "wiki", fmt.Sprintf("page-%d.md", i))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			b.Fatal(err)
		}
		text := fmt.Sprintf("# Page %d\n\n", i) + strings.Repeat(fmt.Sprintf("## Part\n\nWhat is said of prices and topic%d, at some length, in words.\n\n", i%17), 12)
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "wiki.yaml"), nil, 0o666); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := (Retriever{dir}).Retrieve(b.Context(), "prices of topic3", 16<<10); err != nil {
			b.Fatal(err)
		}
	}
}
