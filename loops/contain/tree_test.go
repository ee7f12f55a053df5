package contain

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops"
)

// edit does one thing to a folder that an agent may do.
func edit(r *rand.Rand, root string) {
	var files []string
	_ = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if d.Name() == ".git" {
			return skipDir(d)
		}
		if err == nil && !d.IsDir() {
			files = append(files, name)
		}
		return nil
	})
	fresh := filepath.Join(root, fmt.Sprintf("d%d", r.IntN(4)), fmt.Sprintf("f %d.é", r.IntN(9)))
	_ = os.MkdirAll(filepath.Dir(fresh), 0o755)
	text := []byte(strings.Repeat(fmt.Sprintf("line %d\r\n\x00", r.IntN(100)), 1+r.IntN(30)))
	if len(files) == 0 {
		_ = os.WriteFile(fresh, text, 0o644)
		return
	}
	old := files[r.IntN(len(files))]
	switch r.IntN(9) {
	case 0, 1:
		_ = os.WriteFile(fresh, text, 0o644)
	case 2:
		_ = os.Remove(old)
	case 3:
		_ = os.Rename(old, fresh)
	case 4:
		if info, err := os.Lstat(old); err == nil && info.Mode().IsRegular() {
			_ = os.Chmod(old, info.Mode().Perm()^0o111)
		}
	case 5:
		_ = os.Remove(old)
		_ = os.Symlink("../../../outside", old)
	case 6:
		_ = os.WriteFile(filepath.Join(filepath.Dir(old), "x.log"), text, 0o644) // ignored
	case 7: // a folder where a file was
		_ = os.Remove(old)
		_ = os.MkdirAll(old, 0o755)
		_ = os.WriteFile(filepath.Join(old, "in"), text, 0o644)
	case 8: // a file where a folder was
		if dir := filepath.Dir(old); dir != root {
			_ = os.RemoveAll(dir)
			_ = os.WriteFile(dir, text, 0o644)
		}
	}
}

// TestTreesAgreeWithGit does the same to the worktree and to a clone, and lets
// git add -A of the clone say what the tree is.
func TestTreesAgreeWithGit(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	clone := filepath.Join(s.dir, "clone")
	s.git(s.dir, "clone", "-q", s.top, clone)
	w := s.open(s.spec("r1"))
	base := strings.TrimSpace(s.git(s.top, "rev-parse", "HEAD^{tree}"))
	for seed := range uint64(12) {
		shot := s.snapshot(w, fmt.Sprint(seed))
		for _, root := range []string{w.Path(), clone} {
			r := rand.New(rand.NewPCG(seed, 7))
			for range 12 {
				edit(r, root)
			}
		}
		tree, changes, breaches, err := w.Compare(t.Context(), shot)
		if err != nil || len(breaches) > 0 {
			t.Fatalf("seed %d: %+v, %v", seed, breaches, err)
		}
		s.git(clone, "add", "-A")
		if want := strings.TrimSpace(s.git(clone, "write-tree")); tree != want {
			t.Fatalf("seed %d: the tree is %s; git says %s\n%s", seed, tree, want, s.git(clone, "status", "--short"))
		}
		want := s.git(clone, "diff", "--cached", "-M", "--name-status", "HEAD")
		var got strings.Builder
		for _, c := range changes {
			switch {
			case c.Ignored:
			case c.Status == "R":
				got.WriteString("R\t" + c.From + "\t" + c.Path + "\n")
			default:
				got.WriteString(c.Status + "\t" + c.Path + "\n")
			}
		}
		if norm(got.String()) != norm(want) {
			t.Errorf("seed %d: the changes are\n%s\ngit says\n%s", seed, norm(got.String()), norm(want))
		}
		patch := filepath.Join(s.dir, fmt.Sprintf("%d.patch", seed))
		if saved, err := w.Restore(t.Context(), shot.Tree, patch); err != nil || saved != patch {
			t.Fatalf("seed %d: restore saves %q, %v", seed, saved, err)
		}
		if now, changes, _, err := w.Compare(t.Context(), shot); err != nil || now != base || len(changes) > 0 {
			t.Fatalf("seed %d: restored to %s, %+v, %v", seed, now, changes, err)
		}
		if out := s.git(w.Path(), "status", "--porcelain", "--ignored"); out != "" {
			t.Fatalf("seed %d: restored, and there is\n%s", seed, out)
		}
		s.git(clone, "reset", "-q", "--hard")
		s.git(clone, "clean", "-qfdx")
		s.git(clone, "apply", "--index", patch)
		if again := strings.TrimSpace(s.git(clone, "write-tree")); again != tree {
			t.Fatalf("seed %d: the patch gives %s, not %s", seed, again, tree)
		}
		s.git(clone, "reset", "-q", "--hard")
		s.git(clone, "clean", "-qfdx")
	}
}

// norm takes out of a list of changes how alike renamed files are, and git's quotes.
func norm(list string) string {
	var lines []string
	for line := range strings.Lines(list) {
		f := strings.Split(strings.TrimSpace(strings.ReplaceAll(strings.ReplaceAll(line, `"`, ""), `\303\251`, "é")), "\t")
		lines = append(lines, f[0][:1]+" "+strings.Join(f[1:], " "))
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func TestIgnoredFilesAreChanges(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	w := s.open(s.spec("r1"))
	s.write(w.Path(), "old.log", "1")
	s.write(w.Path(), "same.log", "1")
	shot := s.snapshot(w, "x")
	s.write(w.Path(), "old.log", "2")
	s.write(w.Path(), "secret/key", "k")
	s.write(w.Path(), "node_modules/m/index.js", "m")
	s.write(w.Path(), ".gitignore", "*.log\nnode_modules/\n.loopwiki/\nsecret/\nhidden/\n")
	s.write(w.Path(), "hidden/deep/evil.go", "evil")
	s.git(filepath.Join(w.Path(), "hidden/deep"), "init", "-q")
	_, changes, breaches, err := w.Compare(t.Context(), shot)
	if err != nil || len(breaches) > 0 {
		t.Fatalf("%+v, %v", breaches, err)
	}
	var got []string
	for _, c := range changes {
		got = append(got, fmt.Sprintf("%s %s %v", c.Status, c.Path, c.Ignored))
	}
	slices.Sort(got)
	if !slices.Contains(got, "A secret/key true") || !slices.Contains(got, "M old.log true") || !slices.Contains(got, "A hidden/deep/evil.go true") ||
		!slices.Contains(got, "M .gitignore false") || strings.Contains(fmt.Sprint(got), "node_modules") || strings.Contains(fmt.Sprint(got), "same.log") {
		t.Errorf("the changes are %q", got)
	}
	patch, err := w.Restore(t.Context(), shot.Tree, filepath.Join(s.dir, "p"))
	if err != nil {
		t.Fatal(err)
	}
	if text := s.read("", patch); !strings.Contains(text, `"secret/key"`) || !strings.Contains(text, "+evil") {
		t.Errorf("the patch is\n%s", text)
	}
	for name, want := range map[string]bool{"secret": false, "hidden": false, "same.log": true, "node_modules/m/index.js": true} {
		if fileThere(filepath.Join(w.Path(), name)) != want {
			t.Errorf("%s is there: %v", name, !want)
		}
	}
}

func TestRestoreFollowsNoLinkAndHidesValues(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	spec := s.spec("r1")
	spec.Redact = []string{"hunter2"}
	w := s.open(spec)
	shot := s.snapshot(w, "x")
	s.write(s.dir, "outside/b.go", "precious")
	_ = os.RemoveAll(filepath.Join(w.Path(), "sub"))
	if err := os.Symlink("../outside", filepath.Join(w.Path(), "sub")); err != nil {
		t.Fatal(err)
	}
	s.write(w.Path(), "pass", "hunter2\n")
	_ = os.MkdirAll(filepath.Join(w.Path(), "empty/er"), 0o755)
	patch, err := w.Restore(t.Context(), shot.Tree, filepath.Join(s.dir, "deep", "p"))
	if err != nil {
		t.Fatal(err)
	}
	if text := s.read("", patch); strings.Contains(text, "hunter2") || !strings.Contains(text, "[redacted]") {
		t.Errorf("the patch is\n%s", text)
	}
	if s.read(s.dir, "outside/b.go") != "precious" || s.read(w.Path(), "sub/b.go") != "package b\n" || fileThere(filepath.Join(w.Path(), "empty")) {
		t.Error("the worktree or what a link led to is wrong")
	}
	if again, err := w.Restore(t.Context(), shot.Tree, filepath.Join(s.dir, "q")); err != nil || again != "" {
		t.Errorf("nothing is taken away: %q, %v", again, err)
	}
}

func TestExportIsTheTreeAndNoWorktree(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	w := s.open(s.spec("r1"))
	base := s.snapshot(w, "x").Tree
	s.write(w.Path(), ".gitattributes", "*.go text eol=crlf\n") // not the tree's
	dir := filepath.Join(s.dir, "out", "e")
	if err := w.Export(t.Context(), base, dir); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(dir, "run.sh"))
	if err != nil || info.Mode().Perm()&0o100 == 0 || s.read(dir, "a.go") != "package a\n" || fileThere(filepath.Join(dir, ".git")) {
		t.Errorf("the export is wrong: %v", err)
	}
	if err := w.Export(t.Context(), base, dir); err == nil {
		t.Error("a folder that is there was taken")
	}
	if left, _ := os.ReadDir(filepath.Dir(dir)); len(left) != 1 {
		t.Errorf("beside the export is %v", left)
	}
}

func TestCheckoutsOfManyKinds(t *testing.T) {
	t.Parallel()
	for name, do := range map[string]func(*sandbox) string{
		"sparse": func(s *sandbox) string {
			s.git(s.top, "sparse-checkout", "set", "--cone", "nothing")
			return s.top
		},
		"crlf": func(s *sandbox) string { s.git(s.top, "config", "core.autocrlf", "true"); return s.top },
		"shallow": func(s *sandbox) string {
			s.git(s.top, "commit", "-q", "--allow-empty", "-m", "second")
			s.git(s.dir, "clone", "-q", "--depth=1", "file://"+strings.ReplaceAll(s.top, " ", "%20"), "shallow")
			return filepath.Join(s.dir, "shallow")
		},
		"linked": func(s *sandbox) string {
			s.git(s.top, "worktree", "add", "-q", "-b", "mine", filepath.Join(s.dir, "linked"))
			return filepath.Join(s.dir, "linked")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			s.top = do(s)
			w := s.open(s.spec("r1"))
			shot := s.snapshot(w, "x")
			if shot.Tree != strings.TrimSpace(s.git(s.top, "rev-parse", "HEAD^{tree}")) {
				t.Error("the tree of a new worktree is not its commit's")
			}
			s.write(w.Path(), "n.go", "package a\n")
			tree, changes, breaches, err := w.Compare(t.Context(), shot)
			if err != nil || len(changes) != 1 || len(breaches) > 0 {
				t.Fatalf("%+v, %+v, %v", changes, breaches, err)
			}
			if _, err := w.Commit(t.Context(), loops.CommitSpec{Tree: tree, Subject: "x", Key: "k"}); err != nil {
				t.Fatal(err)
			}
			if out := s.git(w.Path(), "status", "--porcelain"); out != "" {
				t.Errorf("status says %s", out)
			}
		})
	}
}
