package files_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/schema/schematest"
)

// repository makes a folder "repo" beside a folder "out" that nothing of the
// repository may reach.
func repository(t *testing.T) (repo, out string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	repo, out = filepath.Join(dir, "repo"), filepath.Join(dir, "out")
	for _, d := range []string{filepath.Join(repo, "in"), out} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{"repo/plain": "plain", "repo/in/file": "inside", "out/secret": "secret"} {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return repo, out
}

func link(t *testing.T, to, at string) {
	t.Helper()
	schematest.Symlink(t, to, at)
}

func open(t *testing.T, dir string) *files.Root {
	t.Helper()
	r, err := files.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// links are symbolic links of a repository. One with a text leads to a file
// that stays inside.
var links = []struct {
	name, to, text string
	file           string // what is read, below the repository; empty for the link
}{
	{name: "same", to: "plain", text: "plain"},
	{name: "down", to: "in/file", text: "inside"},
	{name: "in/up", to: "../plain", text: "plain"},
	{name: "folder", to: "in", text: "inside", file: "folder/file"},
	{name: "absolute", to: "$REPO/in/file", text: "inside"},
	{name: "absdir", to: "$REPO/in", text: "inside", file: "absdir/file"},
	{name: "roundabout", to: "../repo/plain", text: "plain"},
	{name: "out", to: "../out/secret"},
	{name: "absout", to: "$OUT/secret"},
	{name: "outdir", to: "../out", file: "outdir/secret"},
	{name: "in/deep", to: "../../out", file: "in/deep/secret"},
	{name: "new", to: "../out/new"},
	{name: "newdir", to: "../out/nowhere", file: "newdir/new"},
	{name: "device", to: "/dev/zero"},
	{name: "parent", to: "..", file: "parent/out/secret"},
	{name: "self", to: "self"},
	{name: "nothing", to: "in/none"},
}

func TestLinks(t *testing.T) {
	t.Parallel()
	for _, c := range links {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			repo, out := repository(t)
			to := strings.NewReplacer("$REPO", repo, "$OUT", out).Replace(c.to)
			link(t, to, filepath.Join(repo, filepath.FromSlash(c.name)))
			name := c.file
			if name == "" {
				name = c.name
			}
			r := open(t, repo)
			src, err := r.ReadFile(name, files.Text)
			if string(src) != c.text || (err == nil) != (c.text != "") {
				t.Errorf("read %q, %v; want %q", src, err, c.text)
			}
			if fsrc, ferr := fs.ReadFile(r.FS(files.Text), name); string(fsrc) != c.text || (ferr == nil) != (err == nil) {
				t.Errorf("the file system reads %q, %v", fsrc, ferr)
			}
			err = r.Replace(name, []byte("written"), 0o666)
			if (err == nil) != (c.text != "") {
				t.Errorf("write: %v", err)
			}
			if now, err := r.ReadFile(name, files.Text); c.text != "" && string(now) != "written" {
				t.Errorf("after writing: %q, %v", now, err)
			}
			if info, err := os.Lstat(filepath.Join(repo, filepath.FromSlash(c.name))); err != nil || info.Mode()&fs.ModeSymlink == 0 {
				t.Errorf("the link was replaced: %v, %v", info, err)
			}
			if f, err := r.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666); err == nil {
				f.Close()
				if c.text == "" {
					t.Error("opened for writing")
				}
			}
			if err := r.Create(name, nil, 0o666); err == nil {
				t.Error("made anew through a link")
			}
			untouched(t, out)
		})
	}
}

// untouched checks that nothing outside was changed.
func untouched(t *testing.T, out string) {
	t.Helper()
	entries, err := os.ReadDir(out)
	if err != nil || len(entries) != 1 {
		t.Errorf("outside there is %v, %v", entries, err)
	}
	if src, err := os.ReadFile(filepath.Join(out, "secret")); err != nil || string(src) != "secret" {
		t.Errorf("the file outside is %q, %v", src, err)
	}
}

func TestOutsideIsNamed(t *testing.T) {
	t.Parallel()
	repo, _ := repository(t)
	link(t, "in", filepath.Join(repo, "first"))
	link(t, "../../out", filepath.Join(repo, "in", "second"))
	r := open(t, repo)
	for _, name := range []string{"first/second/secret", "in/second/secret", "in/second"} {
		_, err := r.ReadFile(name, files.Text)
		var e *files.OutsideError
		if !errors.As(err, &e) || filepath.Base(e.Path) != "second" || e.Target != "../../out" || e.Hint() == "" || !strings.Contains(err.Error(), repo) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"../out/secret", "in/../../out/secret", filepath.Join(repo, "plain")} {
		if src, err := r.ReadFile(name, files.Text); err == nil && string(src) != "" && !strings.HasPrefix(name, repo) {
			t.Errorf("%s was read: %q", name, src)
		}
	}
	if _, err := files.OpenBelow(repo, filepath.Join(repo, "in", "second")); err == nil {
		t.Error("a folder outside was opened")
	}
	if _, err := files.OpenBelow(repo, filepath.Dir(repo)); err == nil {
		t.Error("the folder above was opened")
	}
}

// A root below another follows links that stay in the one above, a root of its
// own does not.
func TestOpenBelow(t *testing.T) {
	t.Parallel()
	repo, _ := repository(t)
	link(t, "../plain", filepath.Join(repo, "in", "up"))
	below, err := files.OpenBelow(repo, filepath.Join(repo, "in"))
	if err != nil {
		t.Fatal(err)
	}
	defer below.Close()
	if src, err := below.ReadFile("up", files.Text); string(src) != "plain" {
		t.Errorf("read %q, %v", src, err)
	}
	own, err := open(t, repo).Sub("in")
	if err != nil {
		t.Fatal(err)
	}
	defer own.Close()
	if src, err := own.ReadFile("up", files.Text); err == nil {
		t.Errorf("read %q outside of the folder", src)
	}
}

func TestMakeBelow(t *testing.T) {
	t.Parallel()
	repo, out := repository(t)
	link(t, "../out", filepath.Join(repo, "bad"))
	link(t, "../out/none", filepath.Join(repo, "dangling"))
	link(t, "in", filepath.Join(repo, "good"))
	for name, ok := range map[string]bool{"bad": false, "bad/sub": false, "dangling": false, "dangling/x": false, "../out": false, "plain": false, "good": true, "good/sub": true, "fresh/sub": true, ".": true} {
		r, err := files.MakeBelow(repo, filepath.Join(repo, name), 0o755)
		if (err == nil) != ok {
			t.Errorf("%s: %v", name, err)
		}
		if err == nil {
			r.Close()
		}
	}
	untouched(t, out)
}

func TestTooLarge(t *testing.T) {
	t.Parallel()
	repo, _ := repository(t)
	limit := files.Limit{Name: "test", Bytes: 10, What: "x"}
	for size, ok := range map[int64]bool{0: true, 9: true, 10: true, 11: false, 5 << 30: false} {
		f, err := os.Create(filepath.Join(repo, "large"))
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(f.Truncate(size), f.Close()); err != nil {
			t.Skip(err)
		}
		r := open(t, repo)
		src, err := r.ReadFile("large", limit)
		if (err == nil) != ok || ok && int64(len(src)) != size {
			t.Errorf("%d bytes: read %d, %v", size, len(src), err)
		}
		var e *files.TooLargeError
		if !ok && (!errors.As(err, &e) || !strings.Contains(e.Error(), "large") || !strings.Contains(e.Error(), "10 bytes")) {
			t.Errorf("%d bytes: %v", size, err)
		}
		in, err := r.FS(limit).Open("large")
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, in)
		if in.Close(); (err == nil) != ok || n > limit.Bytes {
			t.Errorf("%d bytes: streamed %d, %v", size, n, err)
		}
	}
	for _, l := range files.Table() {
		if l.Name == "" || l.Beyond == "" || l.Value <= 0 || l.Value > 1<<28 {
			t.Errorf("limit %+v", l)
		}
	}
}

func TestFolderInTheWay(t *testing.T) {
	t.Parallel()
	repo, _ := repository(t)
	r := open(t, repo)
	var e *files.NotRegularError
	if _, err := r.ReadFile("in", files.Text); !errors.As(err, &e) || !strings.Contains(err.Error(), "a folder") {
		t.Errorf("read: %v", err)
	}
	if err := r.Replace("in", nil, 0o666); !errors.As(err, &e) {
		t.Errorf("write: %v", err)
	}
	if _, err := r.ReadDir("plain"); err == nil {
		t.Error("listed a file")
	}
	if _, err := r.ReadFile("none", files.Text); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), filepath.Join(repo, "none")) {
		t.Errorf("no file: %v", err)
	}
}

func TestReplaceKeepsTheMode(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("files have no modes")
	}
	repo, _ := repository(t)
	r := open(t, repo)
	for name, mode := range map[string]fs.FileMode{"plain": 0o600, "in/file": 0o640} {
		if err := os.Chmod(filepath.Join(repo, name), mode); err != nil {
			t.Fatal(err)
		}
		if err := r.Replace(name, []byte("x"), 0o666); err != nil {
			t.Fatal(err)
		}
		if info, err := r.Stat(name); err != nil || info.Mode().Perm() != mode {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
	if err := r.Replace("a/b/c", []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	left, err := fs.Glob(r.FS(files.Text), files.Pending("*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
}

// A name that is now a file and now a link out of the root gives the file or an
// error, and never what is outside.
func TestOpenIsSafeAgainstSwappedSymlinks(t *testing.T) {
	t.Parallel()
	repo, out := repository(t)
	name := filepath.Join(repo, "in")
	moved := filepath.Join(repo, "moved")
	link(t, out, filepath.Join(repo, "bait"))
	for _, d := range []string{repo, out} {
		if err := os.WriteFile(filepath.Join(d, "secret"), []byte(filepath.Base(d)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(name, "secret"), []byte("inside"), 0o644); err != nil {
		t.Fatal(err)
	}
	stop, done := make(chan struct{}), make(chan error, 1)
	go func() {
		for {
			select {
			case <-stop:
				done <- nil
				return
			default:
			}
			if err := errors.Join(os.Rename(name, moved), os.Symlink(out, name), os.Remove(name), os.Rename(moved, name)); err != nil {
				done <- err
				return
			}
		}
	}()
	r := open(t, repo)
	for range 2000 {
		if src, err := r.ReadFile("in/secret", files.Text); err == nil && string(src) != "inside" {
			t.Errorf("read %q", src)
		}
		if err := r.Create("in/made", nil, 0o666); err == nil {
			_ = r.Remove("in/made")
		}
	}
	close(stop)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if entries, err := os.ReadDir(out); err != nil || len(entries) != 1 {
		t.Errorf("outside there is %v, %v", entries, err)
	}
}

// FuzzNames reads and writes any name below a root.
func FuzzNames(f *testing.F) {
	for _, l := range links {
		f.Add(l.name, l.to)
	}
	f.Add("a/../../out/secret", "..")
	f.Fuzz(func(t *testing.T, name, to string) {
		repo, out := repository(t)
		_ = os.Symlink(to, filepath.Join(repo, "in", "link"))
		r := open(t, repo)
		for _, n := range []string{name, "in/link", "in/link/" + name} {
			if src, err := r.ReadFile(n, files.Text); err == nil && string(src) == "secret" {
				t.Errorf("%q through a link to %q was read", n, to)
			}
			_ = r.Replace(n, []byte("x"), 0o666)
		}
		untouched(t, out)
	})
}

func TestMakingFoldersNamesTheLink(t *testing.T) {
	t.Parallel()
	repo, out := repository(t)
	link(t, out, filepath.Join(repo, "absolute"))
	link(t, "../out", filepath.Join(repo, "relative"))
	link(t, "../out/none", filepath.Join(repo, "dangling"))
	for _, name := range []string{"absolute", "absolute/x/y", "relative", "relative/x/y", "dangling", "dangling/x/y"} {
		var e *files.OutsideError
		if _, err := files.MakeBelow(repo, filepath.Join(repo, name), 0o755); !errors.As(err, &e) || e.Target == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	untouched(t, out)
}
