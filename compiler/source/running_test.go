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

// TestPhrases holds how often lines stand in a text, and which of the equal ones each is.
func TestPhrases(t *testing.T) {
	t.Parallel()
	r := newRunning([]byte("a b\nc\n\na b\nc\n\na b\nd\n\nb\n"))
	p, count := newPhrases(), map[string]int{}
	var all []phrase
	for n := range len(r.lines) {
		if one, ok := p.add(r, n+1, count); ok {
			all = append(all, one)
		}
	}
	here, there := p.find(r), p.find(newRunning([]byte("a\nb c\n\na b\nc\n\na b d\n")))
	want := []struct{ rank, count standing }{
		{standing{1, 1}, standing{1, 2}}, // a b, before c
		{standing{1, 1}, standing{1, 2}}, // c
		{standing{2, 2}, standing{1, 2}},
		{standing{2, 2}, standing{1, 2}},
		{standing{3, 1}, standing{1, 1}}, // a b, before d
		{standing{1, 1}, standing{0, 1}}, // d
		{standing{1, 1}, standing{0, 0}}, // b
	}
	if len(all) != len(want) {
		t.Fatalf("%d phrases, want %d", len(all), len(want))
	}
	for i, one := range all {
		if rank, count := here.rank(one), there.count(one); rank != want[i].rank || count != want[i].count {
			t.Errorf("%d: rank %v, count %v; want %v, %v", i, rank, count, want[i].rank, want[i].count)
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
		p := newPhrases()
		var all []phrase
		for n := range len(r.lines) {
			if one, ok := p.add(r, n+1, count); ok {
				all = append(all, one)
			}
		}
		at := p.find(r)
		for _, one := range all {
			if n, rank := at.count(one), at.rank(one); rank.lines < 1 || rank.wrapped < 1 || rank.lines > n.lines || rank.wrapped > n.wrapped {
				t.Fatalf("%v in %q: rank %v of %v", one, r.text, rank, n)
			}
		}
	})
}
