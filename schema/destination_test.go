package schema

import "testing"

func TestRelativePath(t *testing.T) {
	t.Parallel()
	for _, c := range [][3]string{
		{"a.md", "b.md", "b.md"}, {"x/a.md", "x/b.md", "b.md"}, {"x/a.md", "b.md", "../b.md"}, {"a.md", "x/b.md", "x/b.md"},
		{"x/y/a.md", "x/z/b.md", "../z/b.md"}, {"x/a.md", "../src/b.go", "../../src/b.go"}, {"x/a.md", "x", "../x"}, {"x/a.md", "x/y", "y"},
	} {
		if got := RelativePath(c[0], c[1]); got != c[2] {
			t.Errorf("from %s to %s: %q, want %q", c[0], c[1], got, c[2])
		}
	}
}

func TestEscapeDestination(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{"a b(1).md": "a%20b%281%29.md", "C#%.md": "C%23%25.md", "né.md": "né.md", "a*b": "a%2Ab", "a\nb": "a%0Ab"} {
		if got := EscapeDestination(in, "*"); got != want {
			t.Errorf("%q is %q, want %q", in, got, want)
		}
	}
	if got := EscapeDestination("a*b", ""); got != "a*b" {
		t.Errorf("%q", got)
	}
}
