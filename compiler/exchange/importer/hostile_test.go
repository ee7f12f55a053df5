package importer_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/compiler/exchange/importer"
	"github.com/loopwiki/wiki/schema/schematest"
)

// plan plans an import into the existing folder root.
func plan(tb testing.TB, format, src, root string) *importer.Import {
	tb.Helper()
	ws, err := compiler.Detect(root, ".")
	if err != nil {
		tb.Fatal(err)
	}
	im, err := importer.Plan(tb.Context(), importer.Options{Format: format, Source: src, Target: ws, Root: root, Into: "."})
	if err != nil {
		tb.Fatal(err)
	}
	return im
}

func TestSymlinksInTheSourceAreRefused(t *testing.T) {
	t.Parallel()
	secret := compilertest.Write(t, "-- secret.md --\n# Secret\n-- pic.png --\nsecret\n")
	for _, format := range importer.Formats() {
		src := compilertest.Write(t, "-- a.md --\n# A\n\n[[linked]] ![[pic.png]] [[dir/secret]]\n-- inside.md --\n# Inside\n")
		schematest.Symlink(t, filepath.Join(secret, "secret.md"), filepath.Join(src, "linked.md"))
		schematest.Symlink(t, filepath.Join(secret, "pic.png"), filepath.Join(src, "pic.png"))
		schematest.Symlink(t, secret, filepath.Join(src, "dir"))
		schematest.Symlink(t, "inside.md", filepath.Join(src, "again.md"))
		root, im := take(t, format, src)
		got := tree(t, root)
		if len(got) != 2 || got["a.md"] == "" || got["inside.md"] == "" {
			t.Errorf("%s: imported %v", format, got)
		}
		refused := 0
		for _, n := range im.Notes {
			if strings.HasPrefix(n.Text, "refused: it is a symbolic link") {
				refused++
			}
		}
		if refused != 4 {
			t.Errorf("%s: %d links are named as refused, want 4: %v", format, refused, im.Notes)
		}
	}
}

func TestSymlinksInTheTargetAreNotWrittenThrough(t *testing.T) {
	t.Parallel()
	src := compilertest.Write(t, "-- sub/a.md --\n# A\n-- b.md --\n# B\n")
	outside, root := t.TempDir(), compilertest.Write(t, "-- index.md --\n# Index\n")
	schematest.Symlink(t, outside, filepath.Join(root, "sub"))
	schematest.Symlink(t, filepath.Join(outside, "b.md"), filepath.Join(root, "b.md"))
	im := plan(t, "obsidian", src, root)
	if len(im.Conflicts()) != 2 {
		t.Errorf("conflicts: %v", im.Conflicts())
	}
	if err := im.Write(); !errors.Is(err, fs.ErrExist) {
		t.Errorf("written: %v", err)
	}
	if got := tree(t, outside); len(got) != 0 {
		t.Errorf("outside of the target: %v", got)
	}
}

func TestFilesInTheWayStay(t *testing.T) {
	t.Parallel()
	src := compilertest.Write(t, "-- a.md --\n# A\n-- b.md --\n# B\n-- c/d.md --\n# D\n-- e.png --\nnew\n")
	archive := "-- a.md --\n# Mine\n-- b.md --\n# B\n-- c --\na file where a folder has to be\n-- e.png --\nold\n"
	root := compilertest.Write(t, archive)
	before := tree(t, root)
	im := plan(t, "foam", src, root)
	want := map[string]importer.State{"a.md": importer.Conflict, "b.md": importer.Same, "c/d.md": importer.Conflict, "e.png": importer.Conflict}
	for _, f := range im.Files {
		if f.State != want[f.Path] {
			t.Errorf("%s is %s, want %s", f.Path, f.State, want[f.Path])
		}
	}
	if err := im.Write(); !errors.Is(err, fs.ErrExist) {
		t.Errorf("written: %v", err)
	}
	after := tree(t, root)
	for name, text := range before {
		if after[name] != text {
			t.Errorf("%s was changed", name)
		}
	}
	if len(after) != len(before) {
		t.Errorf("files: %v", after)
	}
}

// FuzzImport takes hostile pages in: nothing outside of the target is written, and a
// second import changes nothing.
func FuzzImport(f *testing.F) {
	for _, seed := range []string{
		"alias:: a, [[b]]\n\n- x\n  id:: 60a79111-0000-4000-8000-000000000001\n- ((60a79111-0000-4000-8000-000000000001)) {{embed [[p]]}} [l](((60a79111-0000-4000-8000-000000000001)))\n",
		"# H\n\t- a\n\t- [[Mar 15th, 2021]] #[[b c]]\n", "[[p]]\n\n[p]: p.md\n", "[a](/p.md#x) ![[p#^b|3]] [[../../etc/passwd]]\n", "---\nokf_version: \"9\"\n---\n[x](//p.md)\n",
		"title:: \"\x00\u202e\n\n- id:: 1\r\n  collapsed:: true\r\n", "type:: [[\n((((\n{{embed ((", "---\na: [\n---\n[[a|b]]\n",
	} {
		for format := range importer.Formats() {
			f.Add([]byte(seed), byte(format), "pages/x___y.md")
		}
	}
	f.Fuzz(func(t *testing.T, page []byte, format byte, name string) {
		if len(page) > 4<<10 || !fs.ValidPath(name) || strings.ContainsAny(name, "\x00\\:") || len(name) > 60 {
			t.Skip()
		}
		top := t.TempDir()
		src := filepath.Join(top, "src")
		for path, data := range map[string][]byte{"p.md": page, name: page, "b.md": []byte("# B\n")} {
			full := filepath.Join(src, filepath.FromSlash(path))
			if os.MkdirAll(filepath.Dir(full), 0o755) != nil || os.WriteFile(full, data, 0o644) != nil {
				t.Skip()
			}
		}
		before := tree(t, src)
		root := filepath.Join(top, "wiki")
		formats := importer.Formats()
		opt := importer.Options{Format: formats[int(format)%len(formats)], Source: src, Root: root, Into: "."}
		im, err := importer.Plan(t.Context(), opt)
		if err != nil {
			t.Skip() // a root that can't be read
		}
		if err := im.Write(); err != nil {
			t.Fatal(err)
		}
		after := tree(t, src)
		for path, text := range before {
			if after[path] != text {
				t.Errorf("%s of the source was changed", path)
			}
		}
		entries, err := os.ReadDir(top)
		if err != nil || len(entries) > 2 {
			t.Errorf("files beside source and target: %v, %v", entries, err)
		}
		if len(im.Files) == 0 {
			return
		}
		again(t, opt.Format, src, root)
		for _, file := range im.Files {
			if _, err := os.Lstat(filepath.Join(root, filepath.FromSlash(file.Path))); err != nil {
				t.Errorf("%s: %v", file.Path, err)
			}
		}
	})
}
