package compilertest

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// Goldmark is the limit that the wiki is measured against: it reads and parses
// every page below dir by goldmark with GitHub's extensions, on all processors,
// and nothing else. With a folder out it renders the pages and writes them
// there, too. It returns the number of pages.
func Goldmark(tb testing.TB, dir, out string) int {
	tb.Helper()
	var pages []string
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(name, ".md") {
			pages = append(pages, name)
		}
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	var next atomic.Int64
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			md := goldmark.New(goldmark.WithExtensions(extension.GFM))
			for i := next.Add(1) - 1; i < int64(len(pages)); i = next.Add(1) - 1 {
				if err := onePage(md, dir, out, pages[i]); err != nil {
					tb.Error(err)
				}
			}
		})
	}
	all.Wait()
	return len(pages)
}

func onePage(md goldmark.Markdown, dir, out, name string) error {
	src, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if out == "" {
		md.Parser().Parse(text.NewReader(src))
		return nil
	}
	var b bytes.Buffer
	if err := md.Convert(src, &b); err != nil {
		return err
	}
	rel, err := filepath.Rel(dir, name)
	if err != nil {
		return err
	}
	to := filepath.Join(out, strings.TrimSuffix(rel, ".md")+".html")
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.WriteFile(to, b.Bytes(), 0o644)
}
