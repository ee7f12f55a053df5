package site

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/loopwiki/wiki/compiler/compilertest"
)

func TestBuildWritesOnlyWhatChanged(t *testing.T) {
	t.Parallel()
	w := fixture(t)
	dir := t.TempDir()
	first := buildTo(t, layOut(t, w, Options{}), dir)
	if first.Written != first.Files || first.Unchanged != 0 {
		t.Errorf("first build: %+v", first)
	}
	old := time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)
	before := tree(t, dir)
	for name := range before {
		if err := os.Chtimes(filepath.Join(dir, filepath.FromSlash(name)), old, old); err != nil {
			t.Fatal(err)
		}
	}
	again := buildTo(t, layOut(t, w, Options{}), dir)
	if again.Written != 0 || again.Unchanged != again.Files || again.Removed != 0 {
		t.Errorf("build of the same wiki: %+v", again)
	}
	root := w.Workspace().Root
	if err := os.WriteFile(filepath.Join(root, "con.md"), []byte("# A device\n\nMore.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(root, "clash", "a", "index.md")); err != nil {
		t.Fatal(err)
	}
	third := buildTo(t, layOut(t, compilertest.Compile(t, root), Options{}), dir)
	if third.Removed < 3 || third.Written == 0 || third.Written > third.Files/2 {
		t.Errorf("build after one page changed and one went: %+v", third)
	}
	if files := len(tree(t, dir)); files != third.Files+1 {
		t.Errorf("%d files are there, %d and the manifest wanted", files, third.Files)
	}
	if _, err := os.Stat(filepath.Join(dir, "clash", "a")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the folder of the page that went is still there (%v)", err)
	}
	info, err := os.Stat(filepath.Join(dir, "assets", "diagram.png"))
	if err != nil || !info.ModTime().Equal(old) {
		t.Errorf("a file that did not change was written (%v)", err)
	}
}

func TestBuildRefusesTheFolderOfGit(t *testing.T) {
	t.Parallel()
	s := layOut(t, fixture(t), Options{Force: true})
	top := t.TempDir()
	if err := os.MkdirAll(filepath.Join(top, ".git", "hooks"), 0o755); err != nil {
		t.Fatal(err)
	}
	dirs := []string{".git", ".git/hooks", ".git/new/site", ".GIT"}
	if err := os.Symlink(".git", filepath.Join(top, "link")); err == nil {
		dirs = append(dirs, "link", "link/site")
	}
	for _, dir := range dirs {
		if _, err := s.Build(t.Context(), filepath.Join(top, dir), nil); err == nil || !strings.Contains(err.Error(), "; choose another folder") {
			t.Errorf("build into %s: %v", dir, err)
		}
	}
	if left, err := os.ReadDir(filepath.Join(top, ".git", "hooks")); err != nil || len(left) > 0 {
		t.Errorf("the refused builds left %v, %v", left, err)
	}
}

func TestBuildKeepsWhatItDidNotMake(t *testing.T) {
	t.Parallel()
	w := fixture(t)
	s := layOut(t, w, Options{})
	dir := t.TempDir()
	mine := filepath.Join(dir, "mine.txt")
	if err := os.WriteFile(mine, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Build(t.Context(), dir, nil); !errors.Is(err, ErrForeignFolder) {
		t.Fatalf("build into a folder of somebody else: %v", err)
	}
	if files := tree(t, dir); len(files) != 1 {
		t.Fatalf("the refused build left %d files", len(files))
	}
	buildTo(t, layOut(t, w, Options{Force: true}), dir)
	if err := os.WriteFile(filepath.Join(dir, "clash", "theirs.html"), []byte("theirs"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(w.Workspace().Root, "clash")); err != nil {
		t.Fatal(err)
	}
	buildTo(t, layOut(t, compilertest.Compile(t, w.Workspace().Root), Options{}), dir)
	files := tree(t, dir)
	if files["mine.txt"] != "mine" || files["clash/theirs.html"] != "theirs" || files["clash/a.html"] != "" {
		t.Error("a build removed files it did not make, or kept one that it made")
	}
}

func TestBuildRefusesTheWikisOwnFolder(t *testing.T) {
	t.Parallel()
	w := fixture(t)
	root := w.Workspace().Root
	for _, dir := range []string{root, filepath.Dir(root)} {
		if _, err := layOut(t, w, Options{Force: true}).Build(t.Context(), dir, nil); err == nil {
			t.Errorf("build into %s, where the pages are: no error", dir)
		}
	}
	if _, err := os.Stat(filepath.Join(root, manifestName)); err == nil {
		t.Error("the refused build left a manifest")
	}
}

func TestBuildStaysInItsFolder(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("links in the file system need a privilege on windows")
	}
	w := fixture(t)
	outside, dir := t.TempDir(), t.TempDir()
	buildTo(t, layOut(t, w, Options{}), dir)
	if err := os.RemoveAll(filepath.Join(dir, "clash")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "clash")); err != nil {
		t.Fatal(err)
	}
	if _, err := layOut(t, w, Options{}).Build(t.Context(), dir, nil); err == nil {
		t.Error("build through a link that leads out of the folder: no error")
	}
	if files := tree(t, outside); len(files) > 0 {
		t.Errorf("the build wrote outside: %d files", len(files))
	}
	manifest := `{"version":1,"files":["../victim","/victim","clash/a.html"]}`
	if err := os.WriteFile(filepath.Join(dir, manifestName), []byte(manifest), 0o644); err != nil {
		t.Fatal(err)
	}
	victim := filepath.Join(filepath.Dir(dir), "victim")
	if err := os.WriteFile(victim, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := layOut(t, w, Options{}).Build(t.Context(), dir, nil); err == nil {
		t.Error("build through a link: no error")
	}
	if _, err := os.Stat(victim); err != nil {
		t.Errorf("a manifest made the build remove a file outside: %v", err)
	}
}

func TestLinkedFilesOutsideAreNotPublished(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("links in the file system need a privilege on windows")
	}
	dir, outside := t.TempDir(), filepath.Join(t.TempDir(), "secret.txt")
	if err := os.WriteFile(outside, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	compilertest.WriteTo(t, dir, "-- a.md --\n# A\n\n[x](leak.txt) ![[leak.txt]]\n")
	if err := os.Symlink(outside, filepath.Join(dir, "leak.txt")); err != nil {
		t.Fatal(err)
	}
	out := t.TempDir()
	s := layOut(t, compilertest.Compile(t, dir), Options{})
	_, err := s.Build(t.Context(), out, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range tree(t, out) {
		if content == "secret" {
			t.Errorf("%s is a file outside of the wiki", name)
		}
	}
}

func TestBuildStopsAndReports(t *testing.T) {
	t.Parallel()
	w := fixture(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := layOut(t, w, Options{}).Build(ctx, t.TempDir(), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a build that was stopped: %v", err)
	}
	last, calls, total := 0, 0, 0
	s := layOut(t, w, Options{})
	if _, err := s.Build(t.Context(), t.TempDir(), func(done, all int) { last, total = done, all; calls++ }); err != nil {
		t.Fatal(err)
	}
	if last != total || calls != total || total != len(s.Files()) {
		t.Errorf("progress ended at %d of %d after %d calls", last, total, calls)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, manifestName), []byte(`{"version":99}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Build(t.Context(), dir, nil); err == nil {
		t.Error("a manifest of a newer version: no error")
	}
}

func TestOutputAmongThePages(t *testing.T) {
	t.Parallel()
	w := fixture(t)
	root := w.Workspace().Root
	out := filepath.Join(root, "_site")
	first := buildTo(t, layOut(t, w, Options{}), out)
	again := buildTo(t, layOut(t, compilertest.Compile(t, root), Options{}), out)
	if again.Files != first.Files || again.Written != 0 {
		t.Errorf("the second build has its own output in it: first %+v, then %+v", first, again)
	}
}
