package rules

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/loopwiki/wiki/compiler/compilertest"
)

// lines are the lines of TestFixesEnd's pages: everything with a safe fix, side by side
// and nested.
var lines = []string{
	"[[glossary]] and [g](terms/glossary.md)", "[[old/rate-limits]]", "[x](gone/rate-limits.md#part)", "The Rate Limits of it.",
	"| [[GLOSSARY]] | rate limits |\n|---|---|\n| Glossary | [[rate-limits]] |", "[loose](rate-limits)", "[unused]: a.md",
	"[[a]] [self](a.md) [[rate-limits|Rate Limits]]", "[ref][used]\n\n[used]: terms/GLOSSARY.md", "`Glossary` <b>Glossary</b> Glossary",
	"![[LOGO.png]] ![l](Logo.PNG)", "# Rate Limits", "## Part", "> a rate limits\n> glossary", "- Glossary\n  - Rate-Limits",
	"- [[a]]\n- [[rate-limits|RL]] — what\n- [[gone]]", "- [A](a.md)\n* [R](rate-limits.md): x\n- [G](terms/gone.md)", "- [[a]] ([A](a.md))\n- **[[rate-limits]]** - y",
	"| page | summary |\n|---|---|\n| [a](a.md) | b |\n| [[rate-limits]] | c |\n| [[gone]] | |", "## 2026-01-02\n\n## 2026-01-01",
}

// heads are frontmatters with and without slips.
var heads = []string{
	"", "---\ntags: [go, Go, go]\n---\n", "---\ntittle: A\nupdated: 2026/1/5\n---\n", "\ufeff---\ntags:\n  - go\n  - go\n---\n",
	"---\ntitle: Glossary\ncreated: 5 January 2026\n---\n", "---\nrelated: \"[[glossary]]\"\nalises: [x]\n---\n",
	"---\nsupersedes: glossary\n---\n", "---\nsuperseded_by: [a, \"[[glossary]]\"]\n---\n", "---\r\ncontradicts:\r\n  - ./rate-limits.md\r\n---\r\n",
}

// TestFixesEnd applies all safe fixes to wikis of random lines: fixed findings stay
// fixed, and if one fix allows another, as a corrected title creates mentions, it ends
// within three rounds.
func TestFixesEnd(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			rt.Fatal(err)
		}
		for _, file := range []string{"a.md", "index.md", "log.md", "rate-limits.md", "window.md", "terms/Glossary.md", "logo.png"} {
			text := rapid.SampledFrom(heads).Draw(rt, file+" head") +
				strings.Join(rapid.SliceOfN(rapid.SampledFrom(lines), 0, 6).Draw(rt, file), "\n\n") + "\n"
			if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, file)), 0o777); err != nil {
				rt.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
				rt.Fatal(err)
			}
		}
		w := compilertest.Compile(t, dir)
		history := ""
		for round := 0; ; round++ {
			res := lint(t, w)
			history += fmt.Sprintf("round %d:\n%s", round, messages(res))
			if applySafe(t, w, res) == 0 {
				return
			}
			if round == 3 {
				rt.Fatalf("fixes are still left:\n%s", history)
			}
			if w, err = w.Recompile(t.Context(), pagePaths(w)); err != nil {
				rt.Fatal(err)
			}
		}
	})
}
