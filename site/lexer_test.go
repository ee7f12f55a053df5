package site

import (
	"html"
	"strings"
	"testing"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// samples are pieces of code that lead through many states of their lexers.
var samples = map[string]string{
	"go":         "// a comment\npackage main\n\nimport \"fmt\"\n\nfunc f(x int) (s string) {\n\ts = `raw {{.X}}` + 'c'\n\treturn fmt.Sprintf(\"%d\\n\", x+0x1F) // é\r}\n",
	"python":     "@wraps\nasync def f(x: int = 3) -> str:\n    \"\"\"Doc.\"\"\"\n    return f'{x!r:>10} {{y}}' if x else b'\\x00' # no\n",
	"typescript": "export const f = async <T>(x: T[]): Promise<`a${string}`> => ({ ...x, y: /re+/g.test('s') }); // ok\n",
	"bash":       "#!/bin/bash\nfor f in *.md; do\n  echo \"$f ${x:-$(date +%s)}\" | grep -c 'a' <<EOF\ntext $HOME\nEOF\ndone\n",
	"yaml":       "a: 1\nb:\n  - \"two\"\n  - |\n    text\n  - &x {c: *y, d: 2026-01-02} # why\n",
	"json":       "{\"a\": [1, 2.5e3, true, null], \"b\\n\": {}}",
	"html":       "<!doctype html><p class=\"a\">x &amp; y<script>let a = 1</script><style>a{b:c}</style>\n",
	"css":        "@media (min-width: 3em) { a:hover > b::after { color: #fff; width: calc(1px + 2%) } }\n",
	"sql":        "SELECT a.b, count(*) FROM t AS a WHERE x = 'it''s' AND y > 1.5 -- why\nGROUP BY 1;\n",
	"rust":       "#[derive(Debug)]\npub fn f<'a>(x: &'a str) -> Option<u8> { println!(\"{x:?}\"); None } /* a /* b */ c */\n",
	"c":          "#include <stdio.h>\n#define X(a) \\\n  (a)\nint main(void) { char c = '\\0'; return 0x1fUL; }\n",
	"java":       "@Override public <T extends A> void f(final int x) throws E { String s = \"a\\u00e9\"; int 1a = 0b1; }\n",
	"diff":       "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n same\n",
	"dockerfile": "FROM a:b AS c\nRUN apt-get update && \\\n    echo \"$X\"\nCMD [\"a\", \"b\"]\n",
	"make":       "X := $(shell a)\nall: b\n\t@echo $(X) # c\nifeq ($(X),1)\nendif\n",
	"toml":       "[a.b]\nc = 1979-05-27T07:32:00Z\nd = [\"x\", '''y''']\n",
	"ruby":       "class A < B\n  def f(x) = \"a#{x}\" + %w[a b].map(&:to_s).join <<~E\n    text\n  E\nend\n",
	"graphql":    "query Q($a: Int = 1) { f(x: $a, y: \"s\") @include(if: true) { ...F } } # 12\n",
	"markdown":   "# A *b*\n\n- [x] `c`\n\n```go\nfunc f() {}\n```\n",
	"properties": "a.b = c \\\n  d\n# e\n",
}

// reference is the output of chroma's own lexer.
func reference(t testing.TB, l chroma.Lexer, code string) string {
	t.Helper()
	next, err := chroma.Coalesce(l).Tokenise(nil, code)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for tok := next(); tok != chroma.EOF; tok = next() {
		if class := tokenClass(tok.Type); class != "" && strings.TrimSpace(tok.Value) != "" {
			b.WriteString(`<span class="t-` + class + `">` + html.EscapeString(tok.Value) + "</span>")
		} else {
			b.WriteString(html.EscapeString(tok.Value))
		}
	}
	return b.String()
}

// Every language is looked up as chroma reads it, also in code that is not its own.
func TestSieveEqualsLexer(t *testing.T) {
	t.Parallel()
	sifted := 0
	for language := range samples {
		known := lexers.Get(language)
		l := newLexer(known)
		if l.sieve() == nil {
			continue
		}
		sifted++
		for from, code := range samples {
			want := reference(t, known, code)
			for _, way := range []string{"chroma's way", "the sieve's"} {
				p := &painter{}
				ok, slow := l.colour(p, code)
				p.flush()
				if got := string(p.out); slow || ok && got != want || !ok && from == language {
					t.Errorf("%s in %s, %s: %v\n got %s\nwant %s", from, language, way, ok, got, want)
				}
				l.blocks.Store(siftAfter)
			}
		}
	}
	if sifted < len(samples)-3 {
		t.Errorf("only %d of %d languages are sifted", sifted, len(samples))
	}
}

// These two lexers go from one empty token to the next.
func TestEndlessLexersAreStopped(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"jsonata", "jungle"} {
		known := lexers.Get(language)
		for _, blocks := range []int32{0, siftAfter} {
			l := newLexer(known)
			l.blocks.Store(blocks)
			for _, code := range samples {
				l.colour(&painter{}, code)
			}
		}
	}
}

func FuzzSieve(f *testing.F) {
	for language, code := range samples {
		f.Add(language, code)
	}
	known := map[string]*lexer{}
	for language := range samples {
		known[language] = newLexer(lexers.Get(language))
	}
	f.Fuzz(func(t *testing.T, language, code string) {
		l := known[language]
		if l == nil || l.sieve() == nil || len(code) > 500 {
			return
		}
		code = strings.ReplaceAll(code, "\r\n", "\n") // as highlight does
		p := &painter{}
		if ok, slow := l.sieve().colour(p, code); !ok || slow {
			return
		}
		p.flush()
		if got, want := string(p.out), reference(t, l.Lexer, code); got != want {
			t.Errorf("%s in %q\n got %s\nwant %s", language, code, got, want)
		}
	})
}
