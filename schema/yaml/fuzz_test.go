package yaml

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/schematest"
)

// seeds are blocks of the shapes that wikis hold, valid and not.
var seeds = []string{
	"title: Foo\ntags: [a, \"b c\", 'd']\ndate: 2026-01-02\n",
	"title: Foo: bar\nother: x\n", "a: @x\nb: y\n", "a: `x`\n", "tags: [a\nb: c\n", "a: \"x\nb: c\n", "\ta: b\n",
	"a:\n  - b: c\n    d: e\n  - f\n", "a: |\n  ---\n  x\n", "a: {{x}}\n", "a: &x [*x]\n", "a: &x y\nb: *x\n<<: {q: 1}\n",
	"a: !t x\n", "? a\n: b\n", "- a\n- b\n", "[a, b]: c\n", "{a: b, c: [d]}\n", "a: b\r\nc: d\r\n", "\ufeffa: b\n",
	"a: x\n  y\n", "a: 'it''s'\n", "a: \"\\u00e9\\\n  x\"\n", "é: ü # c\n", "a:b\n", "a:\n- x\n -y\n", "a: b\na: c\n", "a: x\x00\n", "a: \xff\n",
	"a: [[x]], [[y]]\n", "{a: b, c: d\n  e, f: 'g\n h', i: [j\n k, l]}\n", "a: [b, c\n  d\n", "{a: 1, b: two\n words", "a: ![[x]]\n", "---\na: b\n---\nc: d\n", "%YAML 1.2\n---\na: b\n...\n", "a: >+\n\n  x\n\n", "a: |2\n   x\n",
}

func FuzzParse(f *testing.F) {
	for _, s := range schematest.Vary(400, seeds...) {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 4096 {
			return
		}
		before := bytes.Clone(src)
		watch := time.AfterFunc(10*time.Second, func() { panic(fmt.Sprintf("no end after 10 s: %q", before)) })
		defer watch.Stop()
		const base = 7
		n, faults := parse(src, base, false)
		if !bytes.Equal(src, before) {
			t.Fatal("the source was changed")
		}
		whole := schema.Span{Start: base, End: base + len(src)}
		checkNode(t, n, whole)
		for _, f := range faults {
			if !within(f.Span, whole) || f.Message == "" {
				t.Fatalf("fault %+v outside %+v", f, whole)
			}
		}
		slow, slowFaults := parse(src, base, true)
		if len(faults) > 0 && len(slowFaults) > 0 || bytes.Contains(src, []byte("<<")) {
			return // the parser takes A<< for a merge key
		}
		if diff := cmp.Diff(slow, n); diff != "" {
			t.Fatalf("the exact reader differs (-general +exact):\n%s\nfaults %v, %v", diff, slowFaults, faults)
		}
	})
}

func within(in, out schema.Span) bool {
	return out.Start <= in.Start && in.Start <= in.End && in.End <= out.End
}

func checkNode(t interface{ Fatalf(string, ...any) }, n *schema.Node, in schema.Span) {
	if n == nil {
		return
	}
	if !within(n.Span, in) {
		t.Fatalf("span %v of a %v leaves %v", n.Span, n.Kind, in)
	}
	for _, it := range n.Items {
		checkNode(t, it, n.Span)
	}
	for _, p := range n.Pairs {
		if p.Value == nil {
			t.Fatalf("key %q has no value", p.Key)
		}
		if p.KeySpan.Len() < 0 || p.KeySpan.Start < in.Start || p.KeySpan.End > in.End {
			t.Fatalf("span %v of key %q leaves %v", p.KeySpan, p.Key, in)
		}
		if p.KeySpan != p.Value.Span { // else brought in by an alias
			checkNode(t, p.Value, in)
		}
	}
}

// TestFastReaderEqualsParser holds the exact reader and the general parser equal on
// random blocks of the shapes that people write.
func TestFastReaderEqualsParser(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		src := blocks(0).Draw(t, "block")
		if rapid.Bool().Draw(t, "crlf") {
			src = strings.ReplaceAll(src, "\n", "\r\n")
		}
		fast, fastFaults := parse([]byte(src), 3, false)
		slow, slowFaults := parse([]byte(src), 3, true)
		if (len(fastFaults) > 0) != (len(slowFaults) > 0) {
			t.Fatalf("faults differ on %q:\nexact %v\ngeneral %v", src, fastFaults, slowFaults)
		}
		if len(fastFaults) > 0 {
			return
		}
		if diff := cmp.Diff(slow, fast); diff != "" {
			t.Fatalf("%q (-general +exact):\n%s", src, diff)
		}
		checkNode(t, fast, schema.Span{Start: 3, End: 3 + len(src)})
	})
}

// blocks generates maps with the given indentation.
func blocks(indent int) *rapid.Generator[string] {
	scalar := rapid.OneOf(
		rapid.SampledFrom([]string{"x", "a b", "12", "-3", "1.5", "true", "~", "2026-01-02", "2026-01-02 10:11", "https://x.y/z#q", "don't", "a:b", "a#b",
			"知識 x", "\"q\"", "'q r'", "\"a: b\"", "'#'", "[]", "[a]", "[a, b c]", "[\"a\", 'b']", "[[x]]", "[[x], y]", "{{t}}", "{% r %}", "x, y", "a  b",
			"é", "~x", ".5", "/a/b.md", "(c)", "$x", "x|y", "a & b", "50%", "a@b.c", "x # c", "\"x\" # c", "[a] # c", "*x", "&a b", "!t x", "| ", "-x", "?x", ":x", "{a: b}", "+1", "x\\y", "<b>", "=x", "null", "x:", "x: y"}),
		rapid.StringMatching(`[a-z0-9 :#'",\[\]{}.\-/é|>&*!%@]{1,8}`),
	)
	return rapid.Custom(func(t *rapid.T) string {
		var b strings.Builder
		pad := strings.Repeat(" ", indent)
		for i := range rapid.IntRange(1, 4).Draw(t, "keys") {
			key := rapid.SampledFrom([]string{"a", "key", "two words", "x-y", "日本", "k.l", "n1"}).Draw(t, "key") + string(rune('a'+i))
			switch rapid.IntRange(0, 9).Draw(t, "shape") {
			case 0:
				b.WriteString(pad + key + ":\n")
			case 1:
				b.WriteString(pad + key + ":\n")
				in := strings.Repeat(" ", indent+rapid.SampledFrom([]int{0, 2, 4}).Draw(t, "in"))
				for range rapid.IntRange(1, 3).Draw(t, "items") {
					b.WriteString(in + "- " + scalar.Draw(t, "item") + "\n")
				}
			case 2:
				if indent < 6 {
					b.WriteString(pad + key + ":\n" + blocks(indent+2).Draw(t, "map"))
				}
			case 3:
				if indent < 6 {
					m := blocks(indent+4).Draw(t, "map")
					b.WriteString(pad + key + ":\n" + pad + "  - " + strings.TrimLeft(m, " "))
				}
			case 4:
				b.WriteString(pad + "# comment\n\n" + pad + key + ": x\n")
			default:
				b.WriteString(pad + key + ": " + scalar.Draw(t, "value") + "\n")
			}
		}
		return b.String()
	})
}
