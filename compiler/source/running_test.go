package source

import (
	"strings"
	"testing"
)

// TestRunningText holds which lines of a text are one block.
func TestRunningText(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, want string }{
		{"", "/"},
		{"a b\n c", "/ a b c /"},
		{"a\n\n\nb", "/ a / b /"},
		{"> a\n> b", "/ a b /"},
		{"- a\n  b\n* c", "/ a b / c /"},
		{"1. a\n2. b", "/ 1. a / 2. b /"},
		{"in\n2026 a", "/ in 2026 a /"},
		{"# a\nb", "/ # a / b /"},
		{"|a|b |\n|  c | d |", "/ a b / c d /"},
		{"```go\na\nb\n```\nc\nd", "/ ```go / a / b / ``` / c d /"},
	} {
		got := newRunning([]byte(c.text))
		if text := strings.TrimSpace(strings.ReplaceAll(got.text, blockEnd, "/")); text != c.want {
			t.Errorf("%q: got %q, want %q", c.text, text, c.want)
		}
		if n := strings.Count(c.text, "\n") + 1; len(got.lines) != n && c.text != "" {
			t.Errorf("%q: %d lines", c.text, len(got.lines))
		}
	}
}

func FuzzRunningText(f *testing.F) {
	f.Add("a b\nc\n\n| d | e |\n```\nf\n```\n")
	f.Fuzz(func(t *testing.T, text string) {
		r := newRunning([]byte(text))
		count := map[string]int{}
		for _, word := range eachWord(r.text) {
			count[word]++
		}
		p := phrases{byKey: map[string][]int{}, byLine: map[string][]int{}}
		for n := range len(r.lines) {
			if one, _, ok := r.phrase(n+1, count); ok {
				p.add(one)
			}
		}
		for i, n := range p.count(r, nil) {
			if n.lines < 1 || n.wrapped < 1 {
				t.Fatalf("%q does not stand in %q", p.all[i].text, r.text)
			}
		}
	})
}
