package history

import (
	"maps"
	"path/filepath"
	"testing"
)

func TestIgnored(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.write(".gitignore", "*.log\n/ig/\n.wiki/\n!keep.log\n/d/only-files/*\n")
	for _, f := range []string{"a.md", "keep.log", "top.log", "tracked.log", "ig/x.md", "ig/deep/y.md", "d/z.log", "d/ok.md",
		"d/e/only.log", "d/only-files/x.md", "d/ü b/c.log", "ignore/x.md", ".wiki/p.md", ".wiki/raw/q.md"} {
		r.write(f, "x")
	}
	r.git("add", "-f", "tracked.log", ".gitignore")
	r.gitAt(1, "commit", "-qm", "x")
	set, err := Ignored(t.Context(), r.dir)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		path string
		dir  bool
		want bool
	}{
		{"top.log", false, true}, {"a.md", false, false}, {"keep.log", false, false}, {"tracked.log", false, false},
		{"ig", true, true}, {"ig", false, false}, {"ig/x.md", false, true}, {"ig/deep/y.md", false, true}, {"ig/deep", true, true},
		{"ig/not/yet.md", false, true}, {"ignore/x.md", false, false}, {"ignore", true, false},
		{"d", true, false}, {"d/z.log", false, true}, {"d/ok.md", false, false}, {"d/ü b/c.log", false, true},
		{"d/e", true, false}, {"d/e/only.log", false, true}, {"d/e/new.md", false, false},
		{"d/only-files/x.md", false, true}, {".wiki", true, true}, {".", true, false}, {"", true, false},
	}
	for _, tt := range tests {
		if got := set.Has(tt.path, tt.dir); got != tt.want {
			t.Errorf("Has(%q, %v) = %v", tt.path, tt.dir, got)
		}
	}
	if set.Self || set.Len() == 0 {
		t.Errorf("self %v, %d entries", set.Self, set.Len())
	}

	below, err := Ignored(t.Context(), filepath.Join(r.dir, "d"))
	if err != nil || below.Self || !below.Has("z.log", false) || below.Has("ok.md", false) || below.Has("d/z.log", false) {
		t.Errorf("asked of a folder: %+v, %v", below, err)
	}
}

// A folder that a rule above it ignores is compiled anyway when it is
// the wiki, whether or not some of its pages are tracked.
func TestIgnoredItself(t *testing.T) {
	t.Parallel()
	tests := []struct {
		rules, tracked string
		dir            string
		self           bool
		ignored        string
	}{
		{rules: ".wiki/\n", dir: ".wiki", self: true},
		{rules: ".wiki\n", dir: ".wiki/raw", self: true},
		{rules: ".wiki/\n", tracked: ".wiki/p.md", dir: ".wiki", self: true},
		{rules: ".wiki/\n", tracked: ".wiki/p.md", dir: ".wiki/raw", self: true},
		{rules: "raw/\n", dir: ".wiki", ignored: "raw/q.md"},
		{rules: ".wiki/*\n!.wiki/p.md\n", dir: ".wiki", ignored: "raw/q.md"},
		{rules: "*.md\n", dir: ".wiki", ignored: "p.md"},
		{rules: ".wiki\n!.wiki\n", dir: ".wiki"},
	}
	for _, tt := range tests {
		r := newRepo(t)
		r.write(".gitignore", tt.rules)
		r.write(".wiki/p.md", "p")
		r.write(".wiki/raw/q.md", "q")
		if tt.tracked != "" {
			r.git("add", "-f", tt.tracked)
		}
		set, err := Ignored(t.Context(), filepath.Join(r.dir, tt.dir))
		if err != nil {
			t.Errorf("%+v: %v", tt, err)
			continue
		}
		if set.Self != tt.self || (set.Len() > 0) != (tt.ignored != "") || tt.ignored != "" && !set.Has(tt.ignored, false) {
			t.Errorf("%+v: %+v", tt, set)
		}
	}
}

func TestWouldIgnorePathsThatAreNotThere(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.write(".gitignore", "*.log\n/ig/\n")
	r.write("d/kept.log", "x")
	r.git("add", "-f", ".gitignore", "d/kept.log")
	r.gitAt(1, "commit", "-qm", "x")
	got, err := WouldIgnore(t.Context(), filepath.Join(r.dir, "d"), []string{"new.log", "new.md", "kept.log", "../ig/deep/ü.md", "../x.md"})
	if want := map[string]bool{"new.log": true, "../ig/deep/ü.md": true}; err != nil || !maps.Equal(got, want) {
		t.Errorf("ignored %v, %v, want %v", got, err, want)
	}
	if got, err := WouldIgnore(t.Context(), r.dir, []string{"x.md"}); err != nil || len(got) > 0 {
		t.Errorf("ignored %v, %v, want nothing", got, err)
	}
}
