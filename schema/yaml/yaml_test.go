package yaml

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/schema"
)

// show writes a node as one line: kind, text and what its span covers.
func show(n *schema.Node, src string, base int) string {
	if n == nil {
		return "-"
	}
	cover := src[n.Span.Start-base : n.Span.End-base]
	switch n.Kind {
	case schema.KindMap:
		var parts []string
		for _, p := range n.Pairs {
			parts = append(parts, fmt.Sprintf("%s: %s", p.Key, show(p.Value, src, base)))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case schema.KindList:
		var parts []string
		for _, it := range n.Items {
			parts = append(parts, show(it, src, base))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	s := fmt.Sprintf("%s(%s)", n.Kind, n.Text)
	if cover != n.Text {
		s += fmt.Sprintf("<%q>", cover)
	}
	return s
}

func TestParseValues(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, src, want string }{
		{"empty", "", "-"},
		{"comments only", "# a\n\n  # b\n", "-"},
		{"scalars", "a: x\nb: 12\nc: 1.5\nd: true\ne: ~\nf: 2026-01-02\ng: yes\nh:\n",
			"{a: text(x), b: integer(12), c: number(1.5), d: boolean(true), e: null(~), f: date(2026-01-02), g: text(yes), h: null()}"},
		{"date-times", "a: 2026-01-02T10:11:12Z\nb: 2024-03-23 15:14\nc: 2026-13-02\nd: \"2026-01-02\"\n",
			`{a: date(2026-01-02T10:11:12Z), b: date(2024-03-23 15:14), c: text(2026-13-02), d: text(2026-01-02)<"\"2026-01-02\"">}`},
		{"crlf", "a: x\r\nb:\r\n  - y\r\n  - z\r\nc: |\r\n  one\r\n  two\r\n",
			`{a: text(x), b: [text(y), text(z)], c: text(one` + "\n" + `two` + "\n" + `)<"|\r\n  one\r\n  two">}`},
		{"byte order mark", "\ufeffa: x\n", "{a: text(x)}"},
		{"unicode", "標題: 知識 # c\n\"é\": 'ü'\n", `{標題: text(知識), é: text(ü)<"'ü'">}`},
		{"flow", "a: [x, 'y', [z]]\nb: {c: d, e}\n", `{a: [text(x), text(y)<"'y'">, [text(z)]], b: {c: text(d), e: null()}}`},
		{"flow over lines", "a: [\n  x,\n  y\n]\nb: z\n", `{a: [text(x), text(y)], b: text(z)}`},
		{"flow, a map at the top", "{a: 1, b: two\n    words., c: 3}\n", `{a: integer(1), b: text(two words.)<"two\n    words.">, c: integer(3)}`},
		{"flow, folded text", "k: {a: 1, b: it's\n    two, c: [\n      x]}\nl: 2\n", `{k: {a: integer(1), b: text(it's two)<"it's\n    two">, c: [text(x)]}, l: integer(2)}`},
		{"flow, folded twice", "{a: b, c: d\n e\n f, g: h\n i}", `{a: text(b), c: text(d e f)<"d\n e\n f">, g: text(h i)<"h\n i">}`},
		{"flow, folded after blanks", "{a: 1, b: two  \t\n  words, c: é é\r\n  x, d: 4}\r\n", `{a: integer(1), b: text(two words)<"two  \t\n  words">, c: text(é é x)<"é é\r\n  x">, d: integer(4)}`},
		{"flow, folded beside quotes", "{a: '{', b: \"[\\\"\", # no, [\n c: two\n words}", `{a: text({)<"'{'">, b: text([")<"\"[\\\"\"">, c: text(two words)<"two\n words">}`},
		{"list of maps", "a:\n  - b: 1\n    c: [x]\n  - d\n  -\n", `{a: [{b: integer(1), c: [text(x)]}, text(d), null()]}`},
		{"list at its key's depth", "a:\n- x\n- y\nb: z\n", `{a: [text(x), text(y)], b: text(z)}`},
		{"escapes", `a: "x\ty\u00e9"` + "\nb: 'it''s'\n", `{a: text(x	yé)<"\"x\\ty\\u00e9\"">, b: text(it's)<"'it''s'">}`},
		{"plain over lines", "a: x\n  y z\nb: w\n", `{a: text(x y z)<"x\n  y z">, b: text(w)}`},
		{"folded", "a: >-\n  x\n  y\n\nb: z\n", `{a: text(x y)<">-\n  x\n  y">, b: text(z)}`},
		{"fence in a block", "a: |\n  ---\n  x\nb: z\n", `{a: text(---` + "\nx\n" + `)<"|\n  ---\n  x">, b: text(z)}`},
		{"templates", "title: {{title}}\ntags: [x]\nlist:\n  - {% a: b %}\nt: 'x\\'\nraw: {{ a: \"b\" | c }}\n",
			`{title: text({{title}}), tags: [text(x)], list: [text({% a: b %})], t: text(x\)<"'x\\'">, raw: text({{ a: "b" | c }})}`},
		{"anchors", "a: &x [1, 2]\nb: *x\nc: &y z\nd: *y\n", `{a: [integer(1), integer(2)], b: [integer(1)<"*x">, integer(2)<"*x">], c: text(z), d: text(z)<"*y">}`},
		{"merge", "a: &x {p: 1, q: 2}\nb:\n  <<: *x\n  q: 3\n", `{a: {p: integer(1), q: integer(2)}, b: {q: integer(3), p: integer(1)<"*x">}}`},
		{"tags", "a: !!str 12\nb: !custom x\n", `{a: text(12), b: text(x)}`},
		{"unquoted wikilink", "a: [[x]]\n", `{a: [[text(x)]]}`},
		{"url", "a: https://x.org:80/y#z\n", `{a: text(https://x.org:80/y#z)}`},
		{"quotes inside", "a: don't \"do\" it\n", `{a: text(don't "do" it)}`},
		{"a list", "- a\n- b: c\n", `[text(a), {b: text(c)}]`},
		{"one word", "hello\n", `text(hello)`},
		{"nul", "a: x\x00y\nb: z\n", "{a: text(x\x00y), b: text(z)}"},
		{"bad utf-8", "a: x\xffy\nb: z\n", "{a: text(x\ufffdy)<\"x\\xffy\">, b: text(z)}"},
		{"lone carriage returns", "a: x\rb: y\r", "{a: text(x), b: text(y)}"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, slow := range []bool{false, true} {
				n, faults := parse([]byte(tt.src), 100, slow)
				if len(faults) > 0 {
					t.Errorf("slow=%v: unexpected faults %v", slow, faults)
				}
				if diff := cmp.Diff(tt.want, show(n, tt.src, 100)); diff != "" {
					t.Errorf("slow=%v (-want +got):\n%s", slow, diff)
				}
			}
		})
	}
}
