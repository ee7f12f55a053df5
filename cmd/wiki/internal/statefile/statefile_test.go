package statefile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestReplaceAndRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name := filepath.Join("state", "file.json")
	if _, err := Read(dir, name); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
	for _, text := range []string{"first", "second, longer", "3"} {
		if err := Replace(dir, name, []byte(text)); err != nil {
			t.Fatal(err)
		}
		if got, err := Read(dir, name); err != nil || string(got) != text {
			t.Errorf("got %q, %v", got, err)
		}
	}
	left, err := os.ReadDir(filepath.Join(dir, "state"))
	if err != nil || len(left) != 1 {
		t.Errorf("beside the file there is %v, %v", left, err)
	}
}

func TestNoLinkLeadsOut(t *testing.T) {
	t.Parallel()
	outside, dir := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(outside, "file"), []byte("secret"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(dir, "state")); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	if err := os.Symlink(filepath.Join(outside, "file"), filepath.Join(dir, "file")); err != nil {
		t.Fatal(err)
	}
	if b, err := Read(dir, "file"); err == nil {
		t.Errorf("read %q from outside", b)
	}
	if b, err := Read(dir, filepath.Join("state", "file")); err == nil {
		t.Errorf("read %q from outside", b)
	}
	if err := Replace(dir, filepath.Join("state", "file"), nil); err == nil {
		t.Error("wrote outside")
	}
	if err := Replace(dir, "file", []byte("own")); err != nil { // the link itself is replaced
		t.Error(err)
	}
	if b, err := os.ReadFile(filepath.Join(outside, "file")); err != nil || string(b) != "secret" {
		t.Errorf("outside there is now %q, %v", b, err)
	}
}
