// Package compilertest turns archives, corpora and numbers into wikis on disk,
// and those into compiled ones, for the tests of every room.
package compilertest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/loopwiki/wiki/compiler"
)

// Corpus is one of the shared wikis, all written by others.
type Corpus struct {
	Name string
	Path string // below the shared corpora
}

// Corpora are the five roots whose counts are known.
var Corpora = []Corpus{
	{"olas", "corpora/olas-wiki/.wiki"},
	{"vault", "corpora/tasks-demo-vault/vault"},
	{"docs", "corpora/tasks-demo-vault/docs"},
	{"golden", "corpora/nvk-lint-fixtures/golden-wiki"},
	{"codebase", "corpora/codebase-wikis"},
}

// Write unpacks a txtar archive into a new folder and returns it.
func Write(tb testing.TB, archive string) string {
	tb.Helper()
	dir := tb.TempDir()
	WriteTo(tb, dir, archive)
	return dir
}

// WriteTo unpacks a txtar archive into dir.
func WriteTo(tb testing.TB, dir, archive string) {
	tb.Helper()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		full := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(full, f.Data, 0o644); err != nil {
			tb.Fatal(err)
		}
	}
}

// Compile compiles the wiki whose root is dir.
func Compile(tb testing.TB, dir string) *compiler.Wiki {
	tb.Helper()
	return CompileWith(tb, dir, compiler.Options{})
}

// CompileWith compiles the wiki whose root is dir.
func CompileWith(tb testing.TB, dir string, opt compiler.Options) *compiler.Wiki {
	tb.Helper()
	ws, err := compiler.Detect(dir, ".")
	if err != nil {
		tb.Fatal(err)
	}
	w, err := compiler.Compile(tb.Context(), ws, opt)
	if err != nil {
		tb.Fatal(err)
	}
	return w
}

var words = strings.Fields(`the a of and to in page system cache request token limit value source build index
query service module record event state field user error handler config worker queue result change review model
context agent session memory schema graph claim evidence policy version release region client server stream`)

// Generate writes a wiki of n pages into dir: prose of about three kilobytes a
// page, headings, lists, a table, code, front matter, and eight links to other
// pages. The same n gives the same bytes.
func Generate(tb testing.TB, dir string, n int) {
	tb.Helper()
	r := rand.New(rand.NewPCG(1, uint64(n)))
	name := func(i int) string { return fmt.Sprintf("topic-%05d", i) }
	sentence := func(b *strings.Builder) {
		for k := range 8 + r.IntN(10) {
			if k > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(words[r.IntN(len(words))])
		}
		b.WriteString(". ")
	}
	for i := range n {
		var b strings.Builder
		fmt.Fprintf(&b, "---\ntitle: Topic %d\ntype: concept\ntags: [generated, group-%d]\nupdated: 2026-%02d-%02d\n---\n# Topic %d\n\n",
			i, i%40, 1+i%12, 1+i%28, i)
		for s := range 4 {
			fmt.Fprintf(&b, "## Part %d of %s\n\n", s, words[r.IntN(len(words))])
			for range 4 {
				sentence(&b)
				sentence(&b)
				fmt.Fprintf(&b, "See [[%s]] for more. ", name(r.IntN(n)))
				sentence(&b)
				b.WriteString("\n\n")
			}
			switch s {
			case 0:
				b.WriteString("- one `code` item\n- **two** with [[" + name(r.IntN(n)) + "|a label]]\n- three\n\n")
			case 1:
				b.WriteString("| name | value |\n|---|---|\n| limit | 42 |\n| queue | [[" + name(r.IntN(n)) + "]] |\n\n")
			case 2:
				b.WriteString("```go\nfunc limit() int { return 42 }\n```\n\n")
			}
		}
		dirName := filepath.Join(dir, fmt.Sprintf("area-%02d", i%25))
		if err := os.MkdirAll(dirName, 0o755); err != nil {
			tb.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dirName, name(i)+".md"), []byte(b.String()), 0o644); err != nil {
			tb.Fatal(err)
		}
	}
	var b strings.Builder
	b.WriteString("# Index\n\n")
	for i := range n {
		fmt.Fprintf(&b, "- [[%s]]\n", name(i))
	}
	if err := os.WriteFile(filepath.Join(dir, "index.md"), []byte(b.String()), 0o644); err != nil {
		tb.Fatal(err)
	}
}
