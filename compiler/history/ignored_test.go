package history

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
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

func TestUncommitted(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	for _, f := range []string{"w/same.md", "w/edited.md", "w/staged.md", "w/gone.md", "w/removed.md", "w/old name.md", "outside.md"} {
		r.write(f, prose(f))
	}
	r.write(".gitignore", "*.log\n")
	r.commit(1)
	for _, f := range []string{"w/edited.md", "w/staged.md", "outside.md", "w/new.md", "w/sub/new er.md", "w/added.md", "w/x.log"} {
		r.write(f, "changed")
	}
	r.git("add", "w/staged.md", "w/added.md")
	r.git("rm", "-q", "w/removed.md")
	r.git("mv", "w/old name.md", "w/new name.md")
	if err := os.Remove(filepath.Join(r.dir, "w/gone.md")); err != nil {
		t.Fatal(err)
	}
	got, err := Uncommitted(t.Context(), filepath.Join(r.dir, "w"))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]ChangeKind{
		"edited.md": Modified, "staged.md": Modified, "gone.md": Deleted, "removed.md": Deleted, "new.md": Untracked,
		"sub/new er.md": Untracked, "added.md": Added, "old name.md": Deleted, "new name.md": Added,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestUncommittedBeforeTheFirstCommitAndInAConflict(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.write("a.md", "base\n")
	got, err := Uncommitted(t.Context(), r.dir)
	if diff := cmp.Diff(map[string]ChangeKind{"a.md": Untracked}, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	r.commit(1)
	r.git("checkout", "-q", "-b", "side")
	r.write("a.md", "side\n")
	r.commit(2)
	r.git("checkout", "-q", "main")
	r.write("a.md", "main\n")
	r.commit(3)
	r.git("merge", "-q", "--no-commit", "-s", "ours", "side")
	r.git("merge", "--abort")
	r.git("-c", "alias.m=!git merge -q side || true", "m")
	got, err = Uncommitted(t.Context(), r.dir)
	if diff := cmp.Diff(map[string]ChangeKind{"a.md": Conflicted}, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
}

func FuzzParseStatus(f *testing.F) {
	f.Add("1 .M N... 100644 100644 100644 a b w/a b.md\x00? new\n.md\x00u UU N... 1 2 3 4 a b c x.md\x00")
	f.Add("? \x001 . ")
	f.Fuzz(func(t *testing.T, out string) {
		if changes, err := parseStatus(out); err == nil {
			for path, kind := range changes {
				if kind == "" || len(path) > len(out) {
					t.Errorf("%q is %q", path, kind)
				}
			}
		}
	})
}
