package yaml

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/schema"
)

// TestRecovery checks what one invalid line costs, and its message.
func TestRecovery(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, src, want string
		faults          []string
	}{
		{"second colon", "title: Foo: bar\ntags: [a]\n", "{title: text(Foo: bar), tags: [text(a)]}",
			[]string{`"Foo: bar" the value contains ": "; put it in quotes`}},
		{"at sign", "author: @me\ntitle: x\n", "{author: text(@me), title: text(x)}",
			[]string{`"@me" a value can't begin with @: put it in quotes`}},
		{"backquote", "a: `x`\nb: y\n", "{a: text(`x`), b: text(y)}", []string{"\"`x`\" a value can't begin with `: put it in quotes"}},
		{"percent", "a: %x\nb: y\n", "{a: text(%x), b: text(y)}", []string{`"%x" a value can't begin with %: put it in quotes`}},
		{"emphasis", "a: **x** y\nb: y\n", "{a: text(**x** y), b: text(y)}",
			[]string{`"**x** y" a value can't begin with *, which marks an anchor, alias or tag: put it in quotes`}},
		{"ampersand", "a: & x\nb: y\n", "{a: text(& x), b: text(y)}",
			[]string{`"& x" a value can't begin with &, which marks an anchor, alias or tag: put it in quotes`}},
		{"unknown alias", "a: *x\nb: y\n", "{a: text(*x), b: text(y)}",
			[]string{`"*x" a value can't begin with *, which marks an anchor, alias or tag: put it in quotes`}},
		{"open list", "tags: [a, b\ntitle: x\n", "{tags: text([a, b), title: text(x)}",
			[]string{`"[a, b" [ is not closed: expected ], or put the whole value in quotes`}},
		{"text after a list", "a: [x] y\nb: z\n", "{a: text([x] y), b: text(z)}",
			[]string{`"[x] y" text after the closing ]: put the whole value in quotes`}},
		{"links", "a: [[x]], [[y]]\nb: z\n", "{a: text([[x]], [[y]]), b: text(z)}",
			[]string{`"[[x]], [[y]]" text after the closing ]: put the whole value in quotes`}},
		{"open quote", "a: \"x\nb: y\n", "{a: text(\"x), b: text(y)}",
			[]string{`"\"x" quoted text is not closed on its line: expected " at its end`}},
		{"text after a quote", "a: \"x\" y\nb: z\n", `{a: text("x" y), b: text(z)}`,
			[]string{`" y" text after the closing quote: put the whole value in quotes of the other kind`}},
		{"tab", "a:\n\t- b\nc: d\n", "{a: text(- b), c: text(d)}", []string{`"\t" the line is indented with a tab: expected spaces`}},
		{"item", "a:\n  - x\n  - @y\n  - z\nb: c\n", "{a: [text(x), text(@y), text(z)], b: text(c)}",
			[]string{`"@y" a value can't begin with @: put it in quotes`}},
		{"inner map", "a:\n  b: c: d\n  e: f\ng: h\n", "{a: {b: text(c: d), e: text(f)}, g: text(h)}",
			[]string{`"c: d" the value contains ": "; put it in quotes`}},
		{"list on the key's line", "a: - b\nc: d\n", "{a: text(- b), c: text(d)}",
			[]string{`"- b" a list can't begin on the line of its key; put it below, or put the value in quotes`}},
		{"bad first line", "@x\ntitle: y\n", "{title: text(y)}", []string{`"@x" a value can't begin with @: put it in quotes`}},
		{"two bad lines", "a: @x\nb: y\nc: d: e\n", "{a: text(@x), b: text(y), c: text(d: e)}",
			[]string{`"@x" a value can't begin with @: put it in quotes`, `"d: e" the value contains ": "; put it in quotes`}},
		{"duplicate", "a: x\nb: y\na: z\n", "{a: text(x), b: text(y), a: text(z)}",
			[]string{`"a" key "a" occurs twice and only the first is used; remove one of them`}},
		{"duplicate within", "a:\n  b: x\n  b: y\n", "{a: {b: text(x), b: text(y)}}",
			[]string{`"b" key "b" occurs twice and only the first is used; remove one of them`}},
		{"carriage returns", "title: Foo: bar\r\nx: y\r\n", "{title: text(Foo: bar), x: text(y)}",
			[]string{`"Foo: bar" the value contains ": "; put it in quotes`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			n, faults := Parse([]byte(tt.src), 0)
			if diff := cmp.Diff(tt.want, show(n, tt.src, 0)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.faults, faultLines(faults, tt.src)); diff != "" {
				t.Errorf("faults (-want +got):\n%s", diff)
			}
			for _, f := range faults {
				if f.Kind == schema.FaultDuplicateKey && (f.Related.Len() == 0 || f.Related.Start >= f.Span.Start) {
					t.Errorf("the first key is at %v, the second at %v", f.Related, f.Span)
				}
			}
		})
	}
}

// TestHostileInput: what is made to hang a parser is read, or refused, in
// time.
func TestHostileInput(t *testing.T) {
	laughs := "a0: &a0 [x, x, x, x, x, x, x, x, x]\n"
	for i := range 9 {
		laughs += "a" + string(rune('1'+i)) + ": &a" + string(rune('1'+i)) + " [" + strings.Repeat("*a"+string(rune('0'+i))+", ", 9) + "x]\n"
	}
	tests := map[string]string{
		"laughs":         laughs,
		"dashes":         strings.Repeat("- ", 5<<20),
		"brackets":       strings.Repeat("[", 10<<20),
		"braces":         strings.Repeat("{", 10<<20),
		"key braces":     "a: " + strings.Repeat("{", 1<<19),
		"many keys":      strings.Repeat("k: v\n", 200_000),
		"many bad keys":  strings.Repeat("k: @v\n", 170_000),
		"slow keys":      strings.Repeat("k: \"\\t\"\n", 100_000),
		"one slow map":   "a:\n" + strings.Repeat(" k: \"\\t\"\n", 6_000),
		"closing":        "a: " + strings.Repeat("]", 60_000),
		"anchors":        "a: " + strings.Repeat("&a ", 20_000),
		"questions":      strings.Repeat("? ", 30_000),
		"colons":         "a: " + strings.Repeat("b: ", 300_000),
		"stairs":         stairs(1400),
		"items":          "a:\n" + strings.Repeat("- x\n", 250_000),
		"blank":          strings.Repeat("\n", 1<<20),
		"long line":      "a: " + strings.Repeat("x ", 500_000),
		"quotes":         strings.Repeat("\"", 1<<20),
		"bad quotes":     "a: [" + strings.Repeat("\"a\" \"", 150_000),
		"wide flow":      "a: [" + strings.Repeat("{b: c}, ", 8_000) + "x]\n",
		"merge":          "a: &a {b: c}\n" + strings.Repeat("<<: *a\n", 15_000),
		"carriage":       strings.Repeat("\r", 1<<20),
		"templates":      strings.Repeat("{{a}}: {{b}}\n", 50_000),
		"escaped quotes": "a: \"" + strings.Repeat("\\\"", 30_000),
	}
	for name, src := range tests {
		_, faults := Parse([]byte(src), 0)
		if len(faults) > maxFaults {
			t.Errorf("%s: %d faults", name, len(faults))
		}
	}
}

// stairs nests one key below the other.
func stairs(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	return b.String()
}

func BenchmarkParsePlain(b *testing.B) {
	src := []byte("title: \"Sample Concept\"\ncategory: concept\nsources:\n  - raw/articles/a.md\n  - \"raw/b c.md\"\ncreated: 2026-01-01\n" +
		"tags: [testing, patterns, evals]\nconfidence: high\nsummary: \"Testing patterns for tools — three layers.\"\n")
	for b.Loop() {
		if n, faults := Parse(src, 4); n == nil || len(faults) > 0 {
			b.Fatal(faults)
		}
	}
}
