package history

import (
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func TestLoad(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		build func(r *repo)
		want  string
	}{
		{"one file", func(r *repo) {
			r.write("a.md", "1")
			r.commit(1)
			r.write("a.md", "2")
			r.commit(2)
		}, "a.md 01-01 01-02 2\n"},
		{"commits without files do not count", func(r *repo) {
			r.write("a.md", "1")
			r.commit(1)
			r.commit(2)
			r.commit(3)
			r.write("b.md", "1")
			r.commit(4)
		}, "a.md 01-01 01-01 1\nb.md 01-04 01-04 1\n"},
		{"chain of renames, one with an edit, back to the first name", func(r *repo) {
			r.write("a.md", prose("a"))
			r.commit(1)
			r.git("mv", "a.md", "b.md")
			r.write("b.md", prose("a")+"more\n")
			r.commit(2)
			r.write("c/x.md", "x")
			r.git("mv", "b.md", "c/c.md")
			r.commit(3)
			r.git("mv", "c/c.md", "a.md")
			r.commit(4)
		}, "a.md 01-01 01-04 4 <c/c.md <b.md <a.md\nc/x.md 01-03 01-03 1\n"},
		{"names changed with each other in one commit are two edits", func(r *repo) {
			r.write("a.md", prose("a"))
			r.commit(1)
			r.write("b.md", prose("b"))
			r.commit(2)
			r.git("mv", "a.md", "t")
			r.git("mv", "b.md", "a.md")
			r.git("mv", "t", "b.md")
			r.git("rm", "-q", "--cached", "a.md", "b.md")
			r.commit(3)
			r.write("c.md", "c")
			r.commit(4)
		}, "a.md 01-01 01-03 2\nb.md 01-02 01-03 2\nc.md 01-04 01-04 1\n"},
		{"a new file under a name that another gave up", func(r *repo) {
			r.write("a.md", prose("a"))
			r.commit(1)
			r.git("mv", "a.md", "b.md")
			r.commit(2)
			r.write("a.md", prose("new"))
			r.commit(3)
			r.write("a.md", prose("new")+"x\n")
			r.commit(4)
		}, "a.md 01-03 01-04 2\nb.md 01-01 01-02 2 <a.md\n"},
		{"deleted and made again", func(r *repo) {
			r.write("a.md", prose("a"))
			r.write("b.md", prose("b"))
			r.commit(1)
			r.git("rm", "-q", "a.md", "b.md")
			r.commit(2)
			r.write("a.md", prose("other"))
			r.commit(3)
			r.write("a.md", prose("other")+"x\n")
			r.commit(4)
		}, "a.md 01-03 01-04 2\n"},
		{"a copy is a new file", func(r *repo) {
			r.write("a.md", prose("a"))
			r.commit(1)
			r.git("config", "diff.renames", "copies")
			r.write("b.md", prose("a"))
			r.write("a.md", prose("a")+"x\n")
			r.commit(2)
		}, "a.md 01-01 01-02 2\nb.md 01-02 01-02 1\n"},
		{"renames are found when the user has switched them off", func(r *repo) {
			r.git("config", "diff.renames", "false")
			r.git("config", "diff.renameLimit", "1")
			for _, n := range []string{"a", "b", "c"} {
				r.write(n+".md", prose(n))
			}
			r.commit(1)
			for _, n := range []string{"a", "b", "c"} {
				r.git("mv", n+".md", n+"2.md")
				r.write(n+"2.md", prose(n)+"x\n")
			}
			r.commit(2)
		}, "a2.md 01-01 01-02 2 <a.md\nb2.md 01-01 01-02 2 <b.md\nc2.md 01-01 01-02 2 <c.md\n"},
		{"empty files are not taken for each other", func(r *repo) {
			r.write("a.md", "")
			r.commit(1)
			r.git("rm", "-q", "a.md")
			r.write("b.md", "")
			r.commit(2)
		}, "b.md 01-02 01-02 1\n"},
		{"line endings rewritten", func(r *repo) {
			r.git("config", "core.autocrlf", "false")
			r.write("a.md", "a\r\nb\r\n")
			r.commit(1)
			r.write("a.md", "a\nb\n")
			r.commit(2)
		}, "a.md 01-01 01-02 2\n"},
		{"a nested repository is not part of it", func(r *repo) {
			r.write("a.md", "1")
			r.commit(1)
			r.git("init", "-q", "sub")
			r.write("sub/x.md", "x")
			r.git("-C", "sub", "add", ".")
			r.gitAt(2, "-C", "sub", "commit", "-qm", "x")
			r.commit(3)
		}, "a.md 01-01 01-01 1\n"},
		{"the first commit counts when log.showRoot is off", func(r *repo) {
			r.git("config", "log.showRoot", "false")
			r.write("a.md", "1")
			r.commit(1)
		}, "a.md 01-01 01-01 1\n"},
		{"no commit yet", func(r *repo) { r.write("a.md", "1") }, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := newRepo(t)
			tt.build(r)
			h := r.load(".")
			if diff := cmp.Diff(tt.want, summary(h)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestLoadFields(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.write("a.md", "1")
	first := r.commit(1)
	r.write("a.md", "2")
	second := r.commit(2)
	want := &History{Head: second, Files: map[string]*File{"a.md": {
		Created: Commit{first, date(1), "Ana Ü"}, Changed: Commit{second, date(2), "Ana Ü"},
		Edited: Commit{second, date(2), "Ana Ü"}, Commits: 2,
		Versions: []Version{{second, "a.md"}, {first, "a.md"}},
	}}}
	if diff := cmp.Diff(want, r.load("."), cmpopts.IgnoreUnexported(History{}), cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
}

func TestLoadNamesOfAnyBytes(t *testing.T) {
	t.Parallel()
	names := []string{"with space.md", "日本語.md", "#a%20[b].md", "-rf.md", "ü/é è.md", "R100.md"}
	if runtime.GOOS == "linux" {
		names = append(names, "a\"b\".md", "two\nlines.md", "tab\t.md", "not\xff\xfeutf8.md", "\x01deadbeef", ":(glob)*.md", `back\slash.md`)
	}
	r := newRepo(t)
	for _, n := range names {
		r.write(n, prose(n))
	}
	r.commit(1)
	for _, n := range names {
		r.write(n, prose(n)+"x\n")
	}
	r.commit(2)
	r.git("mv", "--", "-rf.md", "# moved.md")
	r.commit(3)
	h := r.load(".")
	if len(h.Files) != len(names) {
		t.Errorf("%d files, want %d: %q", len(h.Files), len(names), sortedKeys(h.Files))
	}
	for _, n := range names {
		want := 2
		if n == "-rf.md" {
			n, want = "# moved.md", 3
		}
		if f := h.Files[n]; f == nil || f.Commits != want || !f.Created.Time.Equal(date(1)) {
			t.Errorf("%q: %+v", n, f)
		}
	}
}

// Two branches: main renames the page, side edits it under its old name, later.
func TestLoadMerge(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.write("a.md", prose("a"))
	r.write("kept.md", prose("kept"))
	r.write("conflict.md", "base\n")
	r.commit(1)
	r.git("checkout", "-q", "-b", "side")
	r.git("checkout", "-q", "main")
	r.git("mv", "a.md", "b.md")
	r.write("conflict.md", "main\n")
	r.write("kept.md", prose("kept")+"main\n")
	r.commit(2)
	r.git("checkout", "-q", "side")
	r.write("a.md", prose("a")+"edit\n")
	r.write("conflict.md", "side\n")
	r.write("new.md", prose("new"))
	r.git("rm", "-q", "kept.md")
	r.commit(3)
	r.git("checkout", "-q", "main")
	r.git("merge", "-q", "--no-commit", "-s", "ours", "side")
	r.write("b.md", prose("a")+"edit\n")
	r.write("new.md", prose("new"))
	r.write("conflict.md", "both\n")
	r.write("made.md", prose("made by the merge"))
	r.commit(4)
	want := "b.md 01-01 01-04 4 <a.md\nconflict.md 01-01 01-04 4\nkept.md 01-01 01-02 2\nmade.md 01-04 01-04 1\nnew.md 01-03 01-03 1\n"
	if diff := cmp.Diff(want, summary(r.load("."))); diff != "" {
		t.Error(diff)
	}
}

// A file that both branches rename apart in a merge keeps its first name's history.
func TestLoadRenamedByMerge(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.write("a.md", prose("a"))
	r.write("x.md", "1")
	r.commit(1)
	r.git("checkout", "-q", "-b", "side")
	r.write("x.md", "2")
	r.commit(2)
	r.git("checkout", "-q", "main")
	r.write("y.md", "1")
	r.commit(3)
	r.git("merge", "-q", "--no-commit", "--no-ff", "side")
	r.git("mv", "a.md", "b.md")
	r.commit(4)
	want := "b.md 01-01 01-04 2 <a.md\nx.md 01-01 01-02 2\ny.md 01-03 01-03 1\n"
	if diff := cmp.Diff(want, summary(r.load("."))); diff != "" {
		t.Error(diff)
	}
}

func TestLoadFolder(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.write("out.md", prose("out"))
	r.write("src/main.go", "package main")
	r.write("wiki/in.md", prose("in"))
	r.write("wiki/sub/x.md", prose("x"))
	r.commit(1)
	r.git("mv", "out.md", "wiki/moved.md")
	r.commit(2)
	r.git("mv", "wiki/in.md", "wiki/sub/in.md")
	r.write("src/main.go", "package main // x")
	head := r.commit(3)
	r.write("src/other.go", "package main")
	r.commit(4)

	h := r.load("wiki")
	want := "moved.md 01-02 01-02 1\nsub/in.md 01-01 01-03 2 <in.md\nsub/x.md 01-01 01-01 1\n"
	if diff := cmp.Diff(want, summary(h)); diff != "" {
		t.Error(diff)
	}
	if h.Head == head || h.Head == "" {
		t.Errorf("head %q is not the last commit of the repository", h.Head)
	}
	whole, err := LoadRepository(t.Context(), filepath.Join(r.dir, "wiki", "sub"))
	if err != nil {
		t.Fatal(err)
	}
	want = "../../src/main.go 01-01 01-03 2\n../../src/other.go 01-04 01-04 1\n../moved.md 01-01 01-02 2 <../../out.md\nin.md 01-01 01-03 2 <../in.md\nx.md 01-01 01-01 1\n"
	if diff := cmp.Diff(want, summary(whole)); diff != "" {
		t.Error(diff)
	}
	if runtime.GOOS != "windows" {
		link := filepath.Join(t.TempDir(), "link")
		if err := os.Symlink(filepath.Join(r.dir, "wiki"), link); err != nil {
			t.Fatal(err)
		}
		viaLink, err := Load(t.Context(), link)
		if err != nil || summary(viaLink) != summary(h) {
			t.Errorf("through a symbolic link: %v, %v", viaLink, err)
		}
	}
}

func TestLoadShallowAndPartial(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.write("a.md", prose("a"))
	r.write("b.md", prose("b"))
	r.commit(1)
	r.git("mv", "a.md", "a2.md")
	r.git("mv", "b.md", "b2.md")
	r.write("b2.md", prose("b")+"edited\n")
	r.commit(2)
	r.write("a2.md", prose("a")+"edited\n")
	r.commit(3)
	r.git("config", "uploadpack.allowFilter", "true")
	url := "file://" + filepath.ToSlash(r.dir)

	shallow := newRepo(t)
	shallow.git("clone", "-q", "--depth=1", url, "c")
	h := shallow.load("c")
	if !h.Shallow || summary(h) != "a2.md 01-03 01-03 1\nb2.md 01-03 01-03 1\n" {
		t.Errorf("shallow %v:\n%s", h.Shallow, summary(h))
	}
	if full := r.load("."); full.Shallow || full.ExactRenames {
		t.Errorf("a full clone is taken for %+v", full)
	}

	part := newRepo(t)
	part.git("clone", "-q", "--no-checkout", "--filter=blob:none", url, "c")
	missing := func() int {
		return strings.Count("\n"+part.git("-C", "c", "rev-list", "--objects", "--all", "--missing=print"), "\n?")
	}
	before := missing()
	h = part.load("c")
	if want := "a2.md 01-01 01-03 3 <a.md\nb2.md 01-02 01-02 1\n"; !h.ExactRenames || summary(h) != want {
		t.Errorf("exact renames %v:\n%s", h.ExactRenames, cmp.Diff(want, summary(h)))
	}
	if after := missing(); before == 0 || before != after {
		t.Errorf("%d objects were missing, now %d: something was fetched", before, after)
	}
}

// What a file was edited by, which paths nothing has now, and commits by the
// beginning of their id.
func TestEditedAndDeleted(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.write("kept.md", prose("kept"))
	r.write("edited.md", prose("edited"))
	r.write("moved.md", prose("moved"))
	r.write("both.md", prose("both"))
	r.write("deleted.md", prose("deleted"))
	r.commit(1)
	r.git("mv", "moved.md", "there.md")
	r.git("mv", "both.md", "here.md")
	r.write("here.md", prose("both")+"more\n")
	r.write("edited.md", prose("edited")+"more\n")
	r.commit(2)
	r.git("rm", "-q", "deleted.md")
	r.git("mv", "there.md", "moved-again.md")
	r.commit(3)

	h := r.load(".")
	edited := map[string]string{}
	for path, f := range h.Files {
		edited[path] = ""
		if f.Edited.ID != "" {
			edited[path] = f.Edited.Time.Format("01-02")
		}
	}
	want := map[string]string{"kept.md": "", "edited.md": "01-02", "moved-again.md": "", "here.md": "01-02"}
	if diff := cmp.Diff(want, edited); diff != "" {
		t.Error(diff)
	}
	gone := map[string]string{}
	for path, c := range h.Gone {
		gone[path] = c.Time.Format("01-02")
	}
	want = map[string]string{"moved.md": "01-02", "both.md": "01-02", "deleted.md": "01-03", "there.md": "01-03"}
	if diff := cmp.Diff(want, gone); diff != "" {
		t.Error(diff)
	}
	if c, ok := h.Commit(h.Head[:12]); !ok || c.ID != h.Head {
		t.Errorf("Commit(%q) = %+v, %v", h.Head[:12], c, ok)
	}
	for _, prefix := range []string{"", h.Head[:3], "zzzz", h.Head + "0"} {
		if c, ok := h.Commit(prefix); ok {
			t.Errorf("Commit(%q) = %+v", prefix, c)
		}
	}
}
