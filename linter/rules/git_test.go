package rules

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/loopwiki/wiki/compiler"
	src "github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/schema/schematest"
)

// compileHistory makes a git repository of the files in dir and compiles the
// wiki in it. Each line of history is a commit: its day, then add FILE…, which
// with no file adds all that are not there yet, edit FILE…, which appends a
// line, write FILE…, which makes them what FILE@DAY holds, move FROM TO or
// delete FILE…; verify says with wiki.lock that all pages are true. A commit of a day
// that is written - is left to be made.
func compileHistory(t *testing.T, dir, history string) *compiler.Wiki {
	t.Helper()
	schematest.NeedGit(t)
	gitIn(t, dir)("init", "-q", "--template=")
	later := laterFiles(t, dir)
	for line := range strings.Lines(history) {
		words := strings.Fields(line)
		if len(words) < 2 {
			t.Fatalf("no commit: %q", line)
		}
		git, files := gitOn(t, dir, words[0]), words[2:]
		if words[0] == "-" {
			git = func(...string) {}
		}
		switch words[1] {
		case "add":
			git(append([]string{"add", "-A"}, files...)...)
		case "edit":
			for _, f := range files {
				full := filepath.Join(dir, filepath.FromSlash(f))
				text, err := os.ReadFile(full)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(full, append(text, words[0]+"\n"...), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			git(append([]string{"add"}, files...)...)
		case "write":
			for _, f := range files {
				text, ok := later[f+"@"+words[0]]
				if !ok {
					t.Fatalf("there is no %s@%s", f, words[0])
				}
				if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(f)), text, 0o666); err != nil {
					t.Fatal(err)
				}
			}
			git(append([]string{"add"}, files...)...)
		case "verify":
			verify(t, compileAt(t, dir), words[0])
			git("add", "-A")
		case "move":
			if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, filepath.FromSlash(files[1]))), 0o777); err != nil {
				t.Fatal(err)
			}
			git("mv", files[0], files[1])
		case "delete":
			git(append([]string{"rm", "-q"}, files...)...)
		default:
			t.Fatalf("no commit: %q", line)
		}
		git("commit", "-q", "-m", words[1])
	}
	return compileAt(t, dir)
}

// laterFiles takes the files out of dir that are named FILE@DAY.
func laterFiles(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	later := map[string][]byte{}
	err := filepath.WalkDir(dir, func(full string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.Contains(d.Name(), "@") {
			return err
		}
		name, err := filepath.Rel(dir, full)
		if err == nil {
			later[filepath.ToSlash(name)], err = os.ReadFile(full)
		}
		return errors.Join(err, os.Remove(full))
	})
	if err != nil {
		t.Fatal(err)
	}
	return later
}

// verify writes a wiki.lock that says that all pages are true.
func verify(t *testing.T, w *compiler.Wiki, on string) {
	t.Helper()
	bounds, err := src.Bind(t.Context(), w, src.NewCode(w), nil)
	if err != nil {
		t.Fatal(err)
	}
	when, err := time.Parse(day, on)
	if err != nil {
		t.Fatal(err)
	}
	var all []src.Binding
	for i := range bounds {
		if b, ok := bounds[i].Stamp(when); ok {
			all = append(all, b)
		}
	}
	file := filepath.Join(src.LockFolder(w.Workspace()), src.LockName)
	if err := os.WriteFile(file, (&src.Lock{}).With(all, nil).Format(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// compileAt compiles the wiki in dir with its git history.
func compileAt(t *testing.T, dir string) *compiler.Wiki {
	t.Helper()
	ws, err := compiler.Detect(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	w, err := compiler.Compile(t.Context(), ws, compiler.Options{History: true, Today: today})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// gitIn returns a function that runs git in dir, with a neutral user and no user
// configuration.
func gitIn(t *testing.T, dir string) func(args ...string) { return gitOn(t, dir, "2026-01-02") }

// gitOn is gitIn with commits made on a day.
func gitOn(t *testing.T, dir, day string) func(args ...string) {
	return func(args ...string) {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@example.org",
			"GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@example.org", "GIT_AUTHOR_DATE="+day+"T00:00:00Z", "GIT_COMMITTER_DATE="+day+"T00:00:00Z")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
}
