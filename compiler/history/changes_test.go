package history

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/schema"
)

func (r *repo) since(dir, rev string) map[string]schema.Change {
	r.Helper()
	c, err := Since(r.Context(), filepath.Join(r.dir, dir), rev)
	if err != nil {
		r.Fatal(err)
	}
	return c.Files
}

func TestSince(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.write("w/edited.md", "one\ntwo\nthree\nfour\nfive\n")
	r.write("w/moved.md", prose("moved"))
	r.write("w/gone.md", "gone\n")
	r.write("w/same.md", "same\n")
	r.write("w/with space.md", "a\nb\n")
	r.write("src/a.go", "package a\n")
	r.write(".gitignore", "*.log\n")
	r.commit(1)
	r.git("checkout", "-q", "-b", "topic")
	r.write("w/edited.md", "one\nTWO\nthree\nfive\n++ six\n")
	r.git("mv", "w/moved.md", "w/other.md")
	r.git("rm", "-q", "w/gone.md")
	r.write("w/with space.md", "a\nB\n")
	r.commit(2)
	r.write("src/a.go", "package b\n")
	r.write("w/ünträcked.md", "new\n")
	r.write("w/x.log", "ignored\n")
	r.write("w/pic.png", "\x00\x01")
	r.git("add", "w/pic.png")
	r.git("checkout", "-q", "main")
	r.write("w/same.md", "changed on main meanwhile\n")
	r.git("commit", "-q", "-m", "meanwhile", "w/same.md")
	r.git("checkout", "-q", "topic")

	want := map[string]schema.Change{
		"edited.md":     {Lines: []schema.LineRange{{From: 2, To: 2}, {From: 3, To: 4}, {From: 5, To: 5}}},
		"moved.md":      {Gone: true},
		"other.md":      {Before: "moved.md"},
		"gone.md":       {Gone: true},
		"with space.md": {Lines: []schema.LineRange{{From: 2, To: 2}}},
		"ünträcked.md":  {Whole: true},
		"pic.png":       {Whole: true},
		"../src/a.go":   {Lines: []schema.LineRange{{From: 1, To: 1}}},
	}
	got := r.since("w", "main")
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if c := got["edited.md"]; c.Touches(1, 1) || !c.Touches(1, 2) || !c.Touches(4, 4) || c.Touches(6, 9) || !got["pic.png"].Touches(7, 7) {
		t.Errorf("the lines of %+v are taken for others", c)
	}
}

func TestSinceErrors(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.write("a.md", "a\n")
	r.commit(1)
	r.write("a.md", "b\n")
	first := r.git("rev-parse", "HEAD")
	r.commit(2)
	r.git("checkout", "-q", "--orphan", "alone")
	r.git("commit", "-q", "-m", "alone")
	shallow := newRepo(t)
	shallow.git("fetch", "-q", "--depth=1", "file://"+r.dir, "main")
	shallow.git("reset", "-q", "--hard", "FETCH_HEAD")
	for _, c := range []struct {
		repo *repo
		rev  string
		want error
	}{
		{r, "nope", ErrUnknownRevision},
		{r, "", ErrUnknownRevision},
		{r, "--output=stolen", ErrUnknownRevision},
		{r, "main", ErrNoMergeBase},
		{shallow, first, ErrShallow},
	} {
		if _, err := Since(t.Context(), c.repo.dir, c.rev); !errors.Is(err, c.want) || !strings.Contains(err.Error(), ";") {
			t.Errorf("%q: got %v, want %v", c.rev, err, c.want)
		}
	}
	if _, err := os.Stat(filepath.Join(r.dir, "stolen")); err == nil {
		t.Error("a revision was taken for an option")
	}
	if _, err := Since(t.Context(), t.TempDir(), "main"); !errors.Is(err, ErrNoRepository) {
		t.Errorf("outside of a repository: %v", err)
	}
}

// A repository's configuration and the names of its files change nothing.
func TestSinceWhateverIsConfigured(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no such file names there")
	}
	r := newRepo(t)
	names := []string{"q\"u\to \\ te.md", " and b", "é\x01.md", "b/a.md"}
	for _, name := range names {
		r.write(name, "one\ntwo\nthree\nfour\n")
		r.write(name+".bin", "\x00one")
	}
	r.commit(1)
	for _, name := range names {
		r.write(name, "one\nTWO\nthree\nFOUR\n")
		r.write(name+".bin", "\x00two")
	}
	for key, value := range map[string]string{"diff.noprefix": "true", "diff.mnemonicPrefix": "true", "diff.wsErrorHighlight": "all",
		"diff.interHunkContext": "9", "diff.context": "9", "diff.algorithm": "patience", "diff.renames": "false", "core.autocrlf": "true",
		"diff.colorMoved": "zebra", "color.ui": "always", "core.quotePath": "true", "diff.indentHeuristic": "false"} {
		r.git("config", key, value)
	}
	got := r.since(".", "main")
	for _, name := range names {
		if diff := cmp.Diff(schema.Change{Lines: []schema.LineRange{{From: 2, To: 2}, {From: 4, To: 4}}}, got[name]); diff != "" || !got[name+".bin"].Whole {
			t.Errorf("%q: %s, %+v", name, diff, got[name+".bin"])
		}
	}
}

// Whatever comes in, the parser ends and its ranges are ranges.
func FuzzParseDiff(f *testing.F) {
	f.Add(":100644 100644 9405325 0000000 M\x00x.md\x00\x00diff --git a/x.md b/x.md\n--- a/x.md\n+++ b/x.md\n@@ -2 +2 @@ a\n-b\n+B\n@@ -4 +3,0 @@ c\n-d\n@@ -5,0 +5 @@ e\n+++ f\n")
	f.Add(":100644 100644 bca70f3 bca70f3 R100\x00ren am.md\x00new n.md\x00\x00diff --git a/ren am.md b/new n.md\nsimilarity index 100%\n")
	f.Add(":000000 100644 0 b A\x00b.bin\x00\x00diff --git a/b.bin b/b.bin\nBinary files /dev/null and b/b.bin differ\n")
	f.Fuzz(func(t *testing.T, diff string) {
		files := map[string]schema.Change{}
		if err := parseDiff(strings.NewReader(diff), files); err != nil {
			return
		}
		for path, c := range files {
			for _, l := range c.Lines {
				if l.From < 0 || l.To < l.From-1 && l.To != 1 {
					t.Errorf("%q: lines %+v", path, l)
				}
			}
		}
	})
}
