package edit_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/compiler/edit"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/schematest"
)

func at(p string, start, end int, text string) schema.Edit {
	return schema.Edit{Path: p, Span: schema.Span{Start: start, End: end}, Text: text}
}

func TestApply(t *testing.T) {
	t.Parallel()
	const src = "\ufeffone\r\ntwo\r\n"
	for _, tt := range []struct {
		name  string
		edits []schema.Edit
		want  string // empty is an error
	}{
		{"none", nil, src},
		{"in any order", []schema.Edit{at("", 8, 11, "2"), at("", 3, 6, "1")}, "\ufeff1\r\n2\r\n"},
		{"at one place, as given", []schema.Edit{at("", 3, 3, "b"), at("", 3, 3, "a")}, "\ufeffbaone\r\ntwo\r\n"},
		{"before a replacement", []schema.Edit{at("", 3, 6, "1"), at("", 3, 3, "a")}, "\ufeffa1\r\ntwo\r\n"},
		{"touching", []schema.Edit{at("", 3, 6, "1"), at("", 6, 8, "-")}, "\ufeff1-two\r\n"},
		{"overlapping", []schema.Edit{at("", 3, 6, "1"), at("", 5, 8, "-")}, ""},
		{"within", []schema.Edit{at("", 3, 8, "1"), at("", 4, 4, "-")}, ""},
		{"outside", []schema.Edit{at("", 3, 14, "1")}, ""},
		{"before the beginning", []schema.Edit{at("", -1, 1, "1")}, ""},
		{"backwards", []schema.Edit{at("", 4, 3, "1")}, ""},
	} {
		got, err := edit.Apply([]byte(src), tt.edits)
		if string(got) != tt.want || (err != nil) != (tt.want == "") {
			t.Errorf("%s: %q, %v, want %q", tt.name, got, err, tt.want)
		}
	}
}

// TestDiffIsRead checks that git apply makes of a diff what Write makes.
func TestDiffIsRead(t *testing.T) {
	t.Parallel()
	schematest.NeedGit(t)
	line := rapid.SampledFrom([]string{"a\n", "b\n", "c\r\n", "\n", "-- d\n", "+++ e\n", "ä\n"})
	text := rapid.Custom(func(t *rapid.T) string {
		s := strings.Join(rapid.SliceOfN(line, 1, 30).Draw(t, "lines"), "")
		if rapid.Bool().Draw(t, "no newline") {
			s = strings.TrimRight(s, "\r\n") + "."
		}
		return s
	})
	rapid.Check(t, func(rt *rapid.T) {
		dir, err := os.MkdirTemp(t.TempDir(), "")
		if err != nil {
			rt.Fatal(err)
		}
		for _, name := range []string{"a b.md", "sub/ü.md", "c.md"} {
			compilertest.WriteTo(t, dir, "-- "+name+" --\n")
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text.Draw(rt, name)), 0o666); err != nil {
				rt.Fatal(err)
			}
		}
		c := edit.New(compilertest.Compile(t, dir))
		old, _ := c.Content("a b.md")
		check(rt, c.Edit(at("a b.md", 0, len(old), text.Draw(rt, "new"))))
		check(rt, c.Create("new/n.md", []byte(text.Draw(rt, "made"))))
		if rapid.Bool().Draw(rt, "move") {
			check(rt, c.Move(schema.Move{From: "c.md", To: "d/c.md"}, schema.Move{From: "a b.md", To: "sub/a.md"}))
		}
		copied := t.TempDir()
		check(rt, os.CopyFS(copied, os.DirFS(dir)))
		check(rt, c.Write())
		cmd := exec.Command("git", "apply", "--whitespace=nowarn", "-")
		cmd.Dir, cmd.Stdin = copied, strings.NewReader(c.Diff(""))
		if out, err := cmd.CombinedOutput(); err != nil {
			rt.Fatalf("git apply: %s\n%s", out, c.Diff(""))
		}
		if diff := cmp.Diff(tree(t, dir), tree(t, copied)); diff != "" {
			rt.Fatalf("(-written +applied):\n%s\n%s", diff, c.Diff(""))
		}
	})
}

func check(t interface{ Fatal(...any) }, err error) {
	if err != nil {
		t.Fatal(err)
	}
}

// tree is the content of every file below dir.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(filepath.Join(dir, p))
		out[p] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestDiff(t *testing.T) {
	t.Parallel()
	c := edit.New(compilertest.Compile(t, compilertest.Write(t, "-- a.md --\none\ntwo\n-- b.md --\nb\n-- pic.png --\nx\n")))
	check(t, c.Edit(at("a.md", 4, 8, "2")))
	check(t, c.Edit(at("new \"q\".md", 0, 0, "made\n")))
	check(t, c.Move(schema.Move{From: "b.md", To: "x/b.md"}, schema.Move{From: "pic.png", To: "x/pic.png"}))
	const want = `diff --git a/wiki/a.md b/wiki/a.md
--- a/wiki/a.md
+++ b/wiki/a.md
@@ -1,2 +1,2 @@
 one
-two
+2
\ No newline at end of file
diff --git "a/wiki/new \"q\".md" "b/wiki/new \"q\".md"
new file mode 100644
--- /dev/null
+++ "b/wiki/new \"q\".md"
@@ -0,0 +1,1 @@
+made
diff --git a/wiki/b.md b/wiki/x/b.md
rename from wiki/b.md
rename to wiki/x/b.md
diff --git a/wiki/pic.png b/wiki/x/pic.png
rename from wiki/pic.png
rename to wiki/x/pic.png
`
	if diff := cmp.Diff(want, c.Diff("wiki/")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestWriteRefuses checks that nothing is written when one file is not as it was.
func TestWriteRefuses(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		meanwhile func(dir string) error
		want      string
	}{
		"changed":   {func(dir string) error { return os.WriteFile(filepath.Join(dir, "b.md"), []byte("other"), 0o666) }, "b.md was changed by someone else since it was read; nothing was written"},
		"removed":   {func(dir string) error { return os.Remove(filepath.Join(dir, "c.md")) }, "c.md was removed since it was read; nothing was written"},
		"made":      {func(dir string) error { return os.WriteFile(filepath.Join(dir, "new.md"), nil, 0o666) }, "new.md: file already exists; nothing was written"},
		"in place":  {func(dir string) error { return os.WriteFile(filepath.Join(dir, "d"), nil, 0o666) }, "can't create"},
		"exchanged": {swapLink, "b.md is not a regular file, and was not changed"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := compilertest.Write(t, "-- a.md --\na\n-- b.md --\nb\n-- c.md --\nc\n")
			c := edit.New(compilertest.Compile(t, dir))
			check(t, c.Edit(at("a.md", 0, 1, "A"), at("b.md", 0, 1, "B")))
			check(t, c.Move(schema.Move{From: "c.md", To: "d/c.md"}))
			check(t, c.Create("new.md", []byte("new")))
			if err := tt.meanwhile(dir); err != nil {
				t.Skip(err)
			}
			before := tree(t, dir)
			if err := c.Write(); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
			if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
				t.Errorf("something was written:\n%s", diff)
			}
		})
	}
}

// swapLink puts a symbolic link out of the wiki in a page's place.
func swapLink(dir string) error {
	out := filepath.Join(filepath.Dir(dir), filepath.Base(dir)+"-secret")
	if err := errors.Join(os.WriteFile(out, []byte("b\n"), 0o666), os.Remove(filepath.Join(dir, "b.md"))); err != nil {
		return err
	}
	return os.Symlink(out, filepath.Join(dir, "b.md"))
}

func TestWriteKeepsModeAndClears(t *testing.T) {
	t.Parallel()
	dir := compilertest.Write(t, "-- old/deep/a.md --\na\n-- old/deep/p.png --\nx\n-- b.md --\nb\n")
	if err := os.Chmod(filepath.Join(dir, "old/deep/a.md"), 0o640); err != nil {
		t.Fatal(err)
	}
	c := edit.New(compilertest.Compile(t, dir))
	check(t, c.Edit(at("old/deep/a.md", 0, 0, "\ufeff"), at("b.md", 0, 1, "B")))
	check(t, c.Move(schema.Move{From: "old/deep/a.md", To: "b.md"}, schema.Move{From: "b.md", To: "n/a.md"}, schema.Move{From: "old/deep/p.png", To: "n/p.png"}))
	check(t, c.Write())
	want := map[string]string{"b.md": "\ufeffa\n", "n/a.md": "B\n", "n/p.png": "x\n"}
	if diff := cmp.Diff(want, tree(t, dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := os.Stat(filepath.Join(dir, "old")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the empty folder is left: %v", err)
	}
	if info, err := os.Stat(filepath.Join(dir, "b.md")); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o640) {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

// TestMoveRefusesPathsOutsideTheWiki checks that no path leaves the wiki.
func TestMoveRefusesPathsOutsideTheWiki(t *testing.T) {
	t.Parallel()
	dir := compilertest.Write(t, "-- wiki/a.md --\na\n-- out.md --\nout\n")
	link := filepath.Join(dir, "wiki", "link")
	linked := os.Symlink(dir, link) == nil
	w := compilertest.Compile(t, filepath.Join(dir, "wiki"))
	for _, p := range []string{"../out.md", "/etc/x", "a/../../out.md", ".", ""} {
		c := edit.New(w)
		if c.Create(p, nil) == nil || c.Edit(at(p, 0, 0, "x")) == nil || c.Move(schema.Move{From: "a.md", To: p}) == nil || len(c.List()) > 0 {
			t.Errorf("%q was taken", p)
		}
	}
	if linked {
		c := edit.New(w)
		check(t, c.Create("link/b.md", []byte("b")))
		if err := c.Write(); err == nil {
			t.Error("it wrote through a symbolic link")
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "b.md")); err == nil {
		t.Error("b.md was made outside of the wiki")
	}
}

// TestOverlayIsWhatIsWritten holds the wiki in memory equal to the one on disk.
func TestOverlayIsWhatIsWritten(t *testing.T) {
	t.Parallel()
	dir := compilertest.Write(t, "-- a.md --\n[[b]]\n-- b.md --\n[a](a.md)\n-- p.png --\nx\n")
	w := compilertest.Compile(t, dir)
	c := edit.New(w)
	check(t, c.Move(schema.Move{From: "a.md", To: "x/a.md"}, schema.Move{From: "p.png", To: "x/p.png"}))
	check(t, c.Edit(at("x/a.md", 0, 0, "![](p.png) "), at("b.md", 4, 8, "x/a.md")))
	memory, err := w.WithOverlay(t.Context(), c.Overlay())
	check(t, err)
	check(t, c.Write())
	if diff := cmp.Diff(pages(compilertest.Compile(t, dir)), pages(memory)); diff != "" {
		t.Errorf("(-written +overlay):\n%s", diff)
	}
}

func pages(w *compiler.Wiki) map[string][]schema.Resolution {
	out := map[string][]schema.Resolution{}
	for _, p := range w.Pages() {
		key := p.Path + "\n" + string(bytes.ToValidUTF8(p.Source, nil))
		out[key] = nil
		for _, res := range w.Links(p) {
			out[key] = append(out[key], *res)
		}
	}
	return out
}

// TestWriteAtOnce checks that of several that change a file at once none loses what
// another wrote: who comes late is told so.
func TestWriteAtOnce(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("folders are not locked there")
	}
	for range 10 {
		dir := compilertest.Write(t, "-- log.md --\n# Log\n")
		all := make([]*edit.Changes, 4)
		for i := range all {
			all[i] = edit.New(compilertest.Compile(t, dir))
			check(t, all[i].Edit(at("log.md", 6, 6, fmt.Sprintf("entry %d\n", i))))
		}
		wrote := make([]bool, len(all))
		var g sync.WaitGroup
		for i := range all {
			g.Go(func() { wrote[i] = all[i].Write() == nil })
		}
		g.Wait()
		src, err := os.ReadFile(filepath.Join(dir, "log.md"))
		check(t, err)
		for i, ok := range wrote {
			if ok != strings.Contains(string(src), fmt.Sprintf("entry %d", i)) {
				t.Fatalf("%d says that it wrote: %v; the file is %q", i, ok, src)
			}
		}
	}
}
