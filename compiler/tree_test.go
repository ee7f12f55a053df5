package compiler_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
)

func TestTree(t *testing.T) {
	t.Parallel()
	outer := t.TempDir()
	dir := filepath.Join(outer, "repo")
	compilertest.WriteTo(t, outer, `
-- secret.txt --
secret
-- repo/wiki.yaml --
root: docs/pages
-- repo/docs/pages/a.md --
# A
-- repo/src/a.go --
package a
`)
	if runtime.GOOS != "windows" {
		for link, to := range map[string]string{"src/out.txt": "../../secret.txt", "src/up": "../..", "src/in.go": "a.go"} {
			if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
				t.Fatal(err)
			}
		}
	}
	ws, err := compiler.Detect(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	w, err := compiler.Compile(t.Context(), ws, compiler.Options{})
	if err != nil {
		t.Fatal(err)
	}
	tree := compiler.NewTree(w)
	for file, want := range map[string]string{
		"a.md": "file", "../../src/a.go": "file", "../../src": "folder", "../../src/": "folder", "../..": "folder", ".": "folder",
		"../../src/A.go": "", "../../src/b.go": "", "../../src/a.go/x": "", "../../../secret.txt": "", "../../../repo/src/a.go": "",
		"/etc/passwd": "", "../../src/out.txt": "", "../../src/up/secret.txt": "", "b\x00": "",
	} {
		folder, ok := tree.Exists(file)
		got := map[bool]string{true: "folder", false: "file"}[folder]
		if !ok {
			got = ""
		}
		if got != want {
			t.Errorf("%q is %q, want %q", file, got, want)
		}
	}
	if text, ok := tree.Read("../../src/a.go", 100); !ok || string(text) != "package a\n" {
		t.Errorf("read %q, %v", text, ok)
	}
	if runtime.GOOS != "windows" {
		if _, ok := tree.Exists("../../src/in.go"); !ok {
			t.Error("a link within the repository is not followed")
		}
	}
	for _, file := range []string{"../../src", "../../../secret.txt", "../../src/out.txt", "../../src/up/secret.txt", "none"} {
		if text, ok := tree.Read(file, 100); ok {
			t.Errorf("%s was read: %q", file, text)
		}
	}
	if _, ok := tree.Read("../../src/a.go", 3); ok {
		t.Error("a file larger than the limit was read")
	}
	if !tree.Holds("../../src", ".go") || tree.Holds("../../src", ".c") || tree.Holds("../../none", ".go") {
		t.Error("Holds is wrong")
	}
	if up, down := tree.Above("src/a.go"), tree.Below("../../src/a.go"); up != "../../src/a.go" || down != "src/a.go" {
		t.Errorf("above %s, below %s", up, down)
	}
}
