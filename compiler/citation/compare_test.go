package citation_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/compiler/citation"
)

func TestCompare(t *testing.T) {
	t.Parallel()
	const then = "package a\n\nfunc first() {\n\tone()\n}\n\nfunc second() {\n\ttwo()\n}\n\nfunc third() {\n\tone()\n}"
	for _, c := range []struct {
		name     string
		from, to int
		change   func(string) string
		want     citation.Outcome
	}{
		{"nothing", 7, 9, func(s string) string { return s }, citation.Outcome{State: citation.Same, From: 7, To: 9}},
		{"lines before it", 7, 9, func(s string) string { return "// a\n// b\n" + s }, citation.Outcome{State: citation.Moved, From: 9, To: 11}},
		{"an equal line, told by its neighbours", 12, 12, func(s string) string { return strings.Replace(s, "\n\nfunc first", "\n\n\n\nfunc first", 1) }, citation.Outcome{State: citation.Moved, From: 14, To: 14}},
		{"a bracket alone, which tells nothing", 9, 9, func(s string) string { return "// a\n" + s }, citation.Outcome{State: citation.Same, From: 9, To: 9}},
		{"a bracket of it", 7, 9, func(s string) string { return strings.Replace(s, "two()\n}", "two()\n})", 1) }, citation.Outcome{State: citation.Same, From: 7, To: 9}},
		{"a bracket of it, and lines before", 7, 9, func(s string) string { return "a\nb\n" + strings.Replace(s, "two()\n}", "two()\n})", 1) }, citation.Outcome{State: citation.Moved, From: 9, To: 11}},
		{"a comment in it", 7, 9, func(s string) string { return strings.Replace(s, "two()", "two() // why", 1) }, citation.Outcome{State: citation.Same, From: 7, To: 9}},
		{"white space in it", 7, 9, func(s string) string { return strings.Replace(s, "\ttwo()", "    two()", 1) }, citation.Outcome{State: citation.Same, From: 7, To: 9}},
		{"a line of it", 7, 9, func(s string) string { return strings.Replace(s, "two()", "two(more)", 1) }, citation.Outcome{State: citation.Changed, From: 7, To: 9, Was: "two()", Now: "two(more)"}},
		{"a line of it, and lines before", 8, 8, func(s string) string { return "// a\n" + strings.Replace(s, "two()", "two(more)", 1) }, citation.Outcome{State: citation.Changed, From: 9, To: 9, Was: "two()", Now: "two(more)"}},
		{"all of it", 7, 10, func(s string) string { return strings.Replace(s, "func second() {\n\ttwo()\n}\n\n", "", 1) }, citation.Outcome{State: citation.Changed, Was: "func second() {"}},
		{"twice elsewhere", 8, 8, func(string) string { return "a\ntwo()\nb\ntwo()\nc" }, citation.Outcome{State: citation.Several, From: 4, To: 4}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text := func(s string) *citation.Text { return citation.NewText("a.go", strings.Split(s, "\n")) }
			got := citation.Compare(text(then), text(c.change(then)), c.from, c.to)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestCompareWithoutComments holds which changes of a line are none in code.
func TestCompareWithoutComments(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file, was, is string
		same          bool
	}{
		{"a.go", `print("a  b")`, `print("a b")`, false},
		{"a.rs", `vec![Span::raw("  "), x]`, `vec![Span::raw(" "), x]`, false},
		{"a.ts", "f('a  b')", "f('a b')", false},
		{"a.go", "f(`a  b`)", "f(`a b`)", false},
		{"a.go", `f(x,  "a  b")`, `f(x, "a  b") // why`, true},
		{"a.go", "a  :=\t1", "a := 1", true},
		{"a.go", `get("http: //a")`, `get("http: //b")`, false},
		{"a.go", `f("\"  ")`, `f("\" ")`, false},
		{"a.rs", "fn f<'a>(x:  i32)", "fn f<'a>(x: i32)", true},
		{"a.py", "x = 1  # it's one", "x = 1", true},
		{"a.rs", "let x: &'a str = y; // it's y", "let x: &'a str = y;", true},
		{"a.go", "x() // a", "x() // b", true},
	} {
		text := func(line string) *citation.Text { return citation.NewText(c.file, []string{line}) }
		got := citation.Compare(text(c.was), text(c.is), 1, 1)
		if same := got.State == citation.Same; same != c.same {
			t.Errorf("%s: %s > %s: same is %v", c.file, c.was, c.is, same)
		}
	}
}

func FuzzCompare(f *testing.F) {
	f.Add("a\nb\nc", "b\nc", uint8(2), uint8(3))
	f.Fuzz(func(t *testing.T, then, now string, from, to uint8) {
		a, b := citation.NewText("a.go", strings.Split(then, "\n")), citation.NewText("a.go", strings.Split(now, "\n"))
		if from < 1 || to < from || int(to) > a.Lines() {
			return
		}
		out := citation.Compare(a, b, int(from), int(to))
		if out.State != citation.Changed && (out.From < 1 || out.To < out.From) || out.State == citation.Moved && out.To > b.Lines() {
			t.Fatalf("%q %q %d-%d: %+v", then, now, from, to, out)
		}
	})
}
