// Package compilertest turns archives, corpora and numbers into wikis on disk,
// and those into compiled ones, for the tests of every room.
package compilertest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/loopwiki/wiki/compiler"
)

// Need skips the test when ok is false, saying why. When the environment
// variable WIKI_REQUIRE lists what, it fails the test instead.
func Need(tb testing.TB, what string, ok bool, reason string) {
	tb.Helper()
	switch {
	case ok:
	case slices.Contains(strings.Split(os.Getenv("WIKI_REQUIRE"), ","), what):
		tb.Fatalf("%s is required here: %s", what, reason)
	default:
		tb.Skip(reason)
	}
}

// NeedGit skips the test when there is no git.
func NeedGit(tb testing.TB) {
	tb.Helper()
	_, err := exec.LookPath("git")
	Need(tb, "git", err == nil, "git is not installed")
}

// Shared returns the path of a folder of the shared test data, which lies
// beside the repository or where WIKI_SHARED says, and skips the test when it
// is not there. The folder is read-only data.
func Shared(tb testing.TB, path string) string {
	tb.Helper()
	dir := os.Getenv("WIKI_SHARED")
	if dir == "" {
		top, err := os.Getwd()
		for ; err == nil; top = filepath.Dir(top) {
			if _, missing := os.Stat(filepath.Join(top, "go.mod")); missing == nil || filepath.Dir(top) == top {
				break
			}
		}
		dir = filepath.Join(top, "..", "shared")
	}
	full := filepath.Join(dir, filepath.FromSlash(path))
	_, err := os.Stat(full)
	Need(tb, "shared", err == nil, "the shared test data is not here: "+path)
	return full
}

// Corpus is one of the shared wikis that nobody here wrote.
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
// page, headings, lists, a table, code, frontmatter, and eight links to other
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
