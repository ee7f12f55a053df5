package markdown

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/schematest"
)

// corpus returns the folder of real wikis, or skips the test.
func corpus(t testing.TB) string {
	t.Helper()
	return schematest.Shared(t, "corpora")
}

// readPages reads every markdown file below root; a front matter block is cut
// off at its closing fence.
func readPages(t testing.TB, root string) []*schema.Page {
	t.Helper()
	var pages []*schema.Page
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".md" {
			return err
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, path)
		pages = append(pages, pageOf(filepath.ToSlash(rel), string(src)))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

// pageOf is a page as it is before Parse.
func pageOf(path, src string) *schema.Page {
	p := &schema.Page{Path: path, Source: []byte(src), Lines: schema.NewLineIndex([]byte(src))}
	rest, found := strings.CutPrefix(strings.TrimPrefix(src, "\ufeff"), "---\n")
	if !found {
		rest, found = strings.CutPrefix(strings.TrimPrefix(src, "\ufeff"), "---\r\n")
	}
	if found {
		if i := strings.Index("\n"+rest, "\n---"); i >= 0 {
			end := len(src) - len(rest) + i
			if j := strings.IndexByte(src[end:], '\n'); j >= 0 {
				p.Body = end + j + 1
			} else {
				p.Body = len(src)
			}
		}
	}
	return p
}

// BenchmarkParse reads real pages with goldmark and its GFM extension alone
// (bare), and with everything that this package finds (wiki).
func BenchmarkParse(b *testing.B) {
	var pages []*schema.Page
	size := 0
	for _, dir := range []string{"tasks-demo-vault", "codebase-wikis", "olas-wiki"} {
		pages = append(pages, readPages(b, filepath.Join(corpus(b), dir))...)
	}
	for _, p := range pages {
		size += len(p.Source)
	}
	b.Run("bare", func(b *testing.B) {
		md := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser()
		b.SetBytes(int64(size))
		b.ReportAllocs()
		for b.Loop() {
			for _, p := range pages {
				md.Parse(text.NewReader(p.Source[p.Body:]))
			}
		}
	})
	b.Run("wiki", func(b *testing.B) {
		b.SetBytes(int64(size))
		b.ReportAllocs()
		for b.Loop() {
			for _, p := range pages {
				Parse(&schema.Page{Path: p.Path, Source: p.Source, Body: p.Body, Lines: p.Lines}, schema.Limits{})
			}
		}
	})
}
