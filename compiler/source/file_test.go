package source

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	ts "github.com/odvcencio/gotreesitter"
	"golang.org/x/tools/txtar"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/schematest"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// outline writes what a file declares, for people to read.
func outline(f *File) string {
	var b strings.Builder
	for _, s := range f.Symbols {
		fmt.Fprintf(&b, "%-8s %-14s %q", s.Kind, s.Name, s.Signature)
		for _, l := range s.Literals {
			b.WriteString(" " + l.Text)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// TestSymbols reads one file of every language; what is found stands beside it
// in testdata/symbols.txtar.
func TestSymbols(t *testing.T) {
	t.Parallel()
	golden := filepath.Join("testdata", "symbols.txtar")
	ar, err := txtar.ParseFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(ar.Files); i += 2 {
		f, err := Parse(t.Context(), ar.Files[i].Name, ar.Files[i].Data)
		if err != nil {
			t.Fatal(err)
		}
		got := outline(f)
		if *update {
			ar.Files[i+1].Data = []byte(got)
			continue
		}
		if want := string(ar.Files[i+1].Data); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", ar.Files[i].Name, got, want)
		}
	}
	if *update {
		if err := os.WriteFile(golden, txtar.Format(ar), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// facet says which facets of a symbol differ between two versions of a file.
func changed(t *testing.T, name, symbol, before, after string) string {
	t.Helper()
	one := func(src string) Facets {
		f, err := Parse(t.Context(), name, []byte(src))
		if err != nil {
			t.Fatalf("%s: %v", src, err)
		}
		if symbol == "" {
			return f.Whole.Facets
		}
		found := f.Lookup(symbol)
		if len(found) != 1 {
			t.Fatalf("%q names %d symbols of\n%s\n%s", symbol, len(found), src, outline(f))
		}
		return found[0].Facets
	}
	a, b := one(before), one(after)
	var out []string
	for _, c := range []struct {
		name string
		same bool
	}{{"tok", a.Tokens == b.Tokens}, {"sig", a.Signature == b.Signature}, {"lit", a.Literals == b.Literals}} {
		if !c.same {
			out = append(out, c.name)
		}
	}
	return strings.Join(out, " ")
}

func TestFacets(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ what, file, symbol, before, after, want string }{
		{"comment", "a.go", "F", "package p\nfunc F() { g() }\n", "package p\n// F is.\nfunc F() { /* now */ g() }\n", ""},
		{"formatting", "a.go", "F", "package p\nfunc F(a int, b int) { g(a, b) }\n", "package p\nfunc F(\n\ta int,\n\tb int,\n) {\n\tg(a,\n\t\tb)\n}\n", ""},
		{"another symbol", "a.go", "F", "package p\nfunc F() {}\nfunc G() {}", "package p\nconst C = 3\nfunc F() {}\nfunc G(int) {}", ""},
		{"body", "a.go", "F", "package p\nfunc F() { g() }", "package p\nfunc F() { h() }", "tok"},
		{"literal", "a.go", "F", "package p\nfunc F() { g(1) }", "package p\nfunc F() { g(2) }", "tok lit"},
		{"order of literals", "a.go", "F", "package p\nfunc F() { g(1, 2) }", "package p\nfunc F() { g(2, 1) }", "tok"},
		{"parameter", "a.go", "F", "package p\nfunc F(a int) { g() }", "package p\nfunc F(a int64) { g() }", "tok sig"},
		{"constant", "a.go", "Max", "package p\nconst Max = 10", "package p\nconst Max = 12", "tok lit"},
		{"one of a group", "a.go", "B", "package p\nconst (\n\tA = 1\n\tB = 2\n)", "package p\nconst (\n\tA = 9\n\tB = 2\n)", ""},
		{"field of a type", "a.go", "T", "package p\ntype T struct{ A int }", "package p\ntype T struct{ A, B int }", "tok sig"},
		{"quotes", "a.ts", "f", "function f() { return 'text' }", "function f() { return \"text\"; }", ""},
		{"arrow function", "a.ts", "f", "export const f = (a: number) => a + 1", "export const f = (a: number) => a + 2", "tok lit"},
		{"its parameter", "a.ts", "f", "export const f = (a: number) => a", "export const f = (b: number) => a", "tok sig"},
		{"indentation", "a.py", "f", "def f(a):\n    if a:\n        g()\n    h()\n", "def f(a):\n    if a:\n        g()\n        h()\n", "tok"},
		{"docstring", "a.py", "A.m", "class A:\n    def m(self): return 1\n", "class A:\n    # now\n    def m(self):\n        \"\"\"Says one.\"\"\"\n        return 1\n", ""},
		{"default", "a.py", "f", "def f(a=1): pass\n", "def f(a=2): pass\n", "tok sig lit"},
		{"key", "a.yaml", "server.port", "server:\n  port: 80\n  host: a\n", "server:\n  # well known\n  host: b\n  port: 80\n", ""},
		{"key's value", "a.yaml", "server.port", "server:\n  port: 80\n", "server: {port: 8080}\n", "tok lit"},
		{"json", "a.json", "a.b", `{"a":{"b":1,"c":[1]}}`, "{\n \"a\": {\"c\": [2], \"b\": 1}}", ""},
		{"toml", "a.toml", "a.b", "[a]\nb = 1\n", "[a]\nb = 2\n", "tok lit"},
		{"comment and formatting", "a.js", "f", "function f(a) { return a + 1 }", "// f adds.\nfunction f(a) {\n  return a + 1; // one\n}\n", ""},
		{"another symbol", "a.js", "f", "function f() {}", "const c = 2;\nfunction f() {}\nclass G { m() { return 3 } }", ""},
		{"comment and formatting", "a.ts", "A.m", "class A { m(a: number): number { return a } }", "class A {\n  /** Says a. */\n  m(\n    a: number,\n  ): number {\n    return a;\n  }\n}\n", ""},
		{"another member", "a.ts", "A.m", "class A { m() { return 1 } }", "class A { static y = 7; m() { return 1 } n() { return 2 } }", ""},
		{"comment and formatting", "a.py", "f", "def f(a, b): return a\n", "# f says.\ndef f(\n    a,\n    b,\n):\n    return a  # a\n", ""},
		{"another symbol", "a.py", "f", "def f(): return 1\n", "LIMIT = 9\ndef f(): return 1\nclass G:\n    x = 3\n", ""},
		{"comment and formatting", "A.java", "A.m", "class A { int m(int a) { return a + 1; } }", "/** A. */\nclass A {\n  // m adds\n  int m(int a)\n  {\n    return a + 1; /* one */\n  }\n}\n", ""},
		{"another member", "A.java", "A.m", "class A { int m() { return 1; } }", "class A { static final int X = 8; int m() { return 1; } int n() { return 2; } }", ""},
		{"comment and formatting", "a.rs", "f", "pub fn f(a: u8) -> u8 { a + 1 }", "/// Adds.\npub fn f(\n    a: u8,\n) -> u8 {\n    a + 1 // one\n}\n", ""},
		{"another symbol", "a.rs", "S.m", "struct S; impl S { fn m(&self) -> u8 { 1 } }", "const C: u8 = 4;\nstruct S;\nimpl S { fn n(&self) {}\n fn m(&self) -> u8 { 1 } }", ""},
		{"comment and formatting", "a.c", "f", "int f(int a) { return a + 1; }", "/* adds */\nint\nf(int a)\n{\n\treturn a + 1; // one\n}\n", ""},
		{"another symbol", "a.c", "MAX", "#define MAX 10\n", "#define MIN 2\n#define MAX 10\nint g(void) { return 3; }\n", ""},
		{"comment and formatting", "a.cpp", "n.A.m", "namespace n { class A { int m() { return 1; } }; }", "namespace n {\n// A is.\nclass A {\n  int m() {\n    return 1; // one\n  }\n};\n}\n", ""},
		{"comment and formatting", "a.toml", "a.b", "[a]\nb = 1\n", "# all\n[a]\nc = 3\nb   =   1 # one\n", ""},
		{"text", "Makefile", "", "a:  b\n\tc\n", "a: b\n  c", ""},
	} {
		if got := changed(t, c.file, c.symbol, c.before, c.after); got != c.want {
			t.Errorf("%s of %s: %q differ, want %q", c.what, c.file, got, c.want)
		}
	}
}

func TestUnverifiable(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, src, want string }{
		{"a.go", "package p\nfunc {", "a.go can not be read as go: "},
		{"a.json", `{"a": 1} 2`, "something follows the value"},
		{"a.json", strings.Repeat("[", 5000), "nested too deeply"},
		{"a.yaml", "a: 1\n---\nb: 2\n", "several documents"},
		{"a.py", ")]}" + strings.Repeat(" ((( def class ))) ]", 50), "a.py can not be read as python: "},
		{"a.bin", "a\x00b", "it is no text"},
		{"a.txt", strings.Repeat("a", MaxBytes+1), "it has more than 2 MB"},
	} {
		_, err := Parse(t.Context(), c.file, []byte(c.src))
		var u *UnverifiableError
		if !errors.As(err, &u) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want one with %q", c.file, err, c.want)
		}
	}
}

// TestNoGrammar holds that a grammar that is not there, or fails, is a reason and no
// finding.
func TestNoGrammar(t *testing.T) {
	t.Parallel()
	missing := &grammar{name: "python", load: func() *ts.Language { return nil }}
	if _, err := missing.read(t.Context(), []byte("x = 1")); err == nil || !strings.Contains(err.Error(), "without its grammar") {
		t.Errorf("a missing grammar: %v", err)
	}
	failing := reader{"odd", func(context.Context, []byte) (code, error) { panic("no such state") }}
	var u *UnverifiableError
	if _, err := failing.parse(t.Context(), "a.odd", nil); !errors.As(err, &u) || u.Language != "odd" || !strings.Contains(u.Reason, "no such state") {
		t.Errorf("a grammar that fails: %v", err)
	}
	slow := grammar{name: "python", load: python.load}
	slow.once.Do(func() { slow.pool = ts.NewParserPool(python.load(), ts.WithParserPoolTimeoutMicros(1)) })
	late := reader{"python", slow.read}
	if _, err := late.parse(t.Context(), "a.py", []byte(strings.Repeat("def f(a):\n    return [a, (a, {a: a})]\n", 20_000))); !errors.As(err, &u) {
		t.Errorf("a grammar that takes too long: %v", err)
	}
}

// TestDamaged holds that a symbol is not called missing in a file that makes only
// partly sense.
func TestDamaged(t *testing.T) {
	t.Parallel()
	f, err := Parse(t.Context(), "a.py", []byte(strings.Repeat("def f(a):\n    return a\n\n", 20)+"def broken(((:\n"))
	if err != nil || !f.Damaged {
		t.Fatalf("damaged is %v, %v", f != nil && f.Damaged, err)
	}
}

func TestLookup(t *testing.T) {
	t.Parallel()
	f, err := Parse(t.Context(), "a.go", []byte("package p\ntype S struct{}\nfunc (s *S) Run() {}\ntype T struct{}\nfunc (T) Run() {}\nfunc Go() {}\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		want int
	}{{"S.Run", 1}, {"(*S).Run", 1}, {"S::Run()", 1}, {"S#Run", 1}, {"Run", 2}, {"Go()", 1}, {"un", 0}, {"", 0}} {
		if got := len(f.Lookup(c.name)); got != c.want {
			t.Errorf("%q names %d symbols, want %d", c.name, got, c.want)
		}
	}
}

// What stands in a list or under an empty key cannot be named, so it is no symbol
// and nothing else is taken for it.
func TestKeysWithoutName(t *testing.T) {
	t.Parallel()
	for file, src := range map[string]string{
		"a.json": `{"": {"b": 1, "": {"b": 2}}, "a": {"": {"b": 3}}, "l": [{"b": 4}], "z": 5}`,
		"a.yaml": "\"\": {b: 1, \"\": {b: 2}}\na: {\"\": {b: 3}}\nl: [{b: 4}]\nz: 5\n",
	} {
		f, err := Parse(t.Context(), file, []byte(src))
		if err != nil {
			t.Fatal(file, err)
		}
		var names []string
		for _, s := range f.Symbols {
			names = append(names, s.Name)
		}
		if got := strings.Join(names, " "); got != "a l z" {
			t.Errorf("%s has the symbols %q, want a, l and z", file, got)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"package p\nfunc F() {}", "def f(): return 1", "a: [1, {b: 2}]", `{"a": [1]}`, `{"":[]}`, "'': {a: 1}", `"" = 1`, "class A { m() { return `a${b}` } }", "fn f() {}", "[a]\nb=1"} {
		for lang := range uint8(12) {
			f.Add(lang, s)
		}
	}
	for _, s := range []string{"const A = (1 << 20) * time.Second", "#define A (10 * 1024)\n", "a = timedelta(seconds=5) + 2 ** 3", "a: 512Mi", "A = Duration.ofMillis(1_000)"} {
		for lang := range uint8(13) {
			f.Add(lang, s)
		}
	}
	natural := []string{ // of each language
		"package p\n\nconst A, B = 1 << 20, \"x\"\n\nfunc (t *T) F() { return }\n", "export const a: number = 5;\ninterface I { m(): void }\n", "export const A = () => <p>{a}</p>;\n",
		"class A { m() { return `a${b}` } }\nlet x = 0x10;\n", "A = 2 ** 3\n\nclass B:\n    def f(self): return 1\n", "class A { static final int B = 1_000; void f() { } }", "const A: u8 = 1;\nimpl T { fn f() {} }\n",
		"#define A (10 * 1024)\nint f(void) { return 1; }\n", "struct a { int b; };\n", "a.b = 1\n\n[[c]]\nd = {e = 2}\n", "a: [1, {b: 2}]\nc:\n  d: 5s\n", `{"a": [1], "b": {"c": 2}}`, "namespace a { class B { void f() {} }; }\n",
	}
	n := 40
	if testing.Short() {
		n = 4
	}
	for lang, s := range natural {
		for _, s := range schematest.Vary(n, s) {
			f.Add(uint8(lang), s)
		}
	}
	extensions := []string{".go", ".ts", ".tsx", ".js", ".py", ".java", ".rs", ".c", ".h", ".toml", ".yaml", ".json", ".cpp"}
	f.Fuzz(func(t *testing.T, lang uint8, src string) {
		file, err := Parse(t.Context(), "a"+extensions[int(lang)%len(extensions)], []byte(src))
		if err != nil {
			return
		}
		for _, s := range file.Symbols {
			if s.Span.Start < 0 || s.Span.End > len(src) || s.Span.Len() < 0 || s.Name == "" {
				t.Fatalf("symbol %+v of %q", s, src)
			}
			for _, v := range s.Values {
				a, ok := v.amount()
				if v.Span.Start < s.Span.Start || v.Span.End > s.Span.End || v.Text != src[v.Span.Start:v.Span.End] || ok && !a.same(a) {
					t.Fatalf("value %+v of %+v in %q", v, s, src)
				}
			}
		}
	})
}

// A file of nothing but brackets takes a parser a gigabyte.
func TestParseRefusesDeepNesting(t *testing.T) {
	t.Parallel()
	for _, file := range []string{"a.js", "a.py", "a.go"} {
		_, err := Parse(t.Context(), file, []byte(strings.Repeat("{(", schema.MaxSourceNesting)))
		var refused *UnverifiableError
		if !errors.As(err, &refused) || !strings.Contains(err.Error(), "within each other") {
			t.Errorf("%s: got %v", file, err)
		}
	}
	if n := nesting([]byte("a)(b[c]{d(e)}")); n != 3 {
		t.Errorf("nesting %d", n)
	}
}
