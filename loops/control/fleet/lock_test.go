//go:build unix

package fleet

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// Files of one name in two folders are two fleets, and one file is one by all its names.
func TestLockKnowsFilesApart(t *testing.T) {
	cache, first, second := t.TempDir(), t.TempDir(), t.TempDir()
	for _, dir := range []string{first, second} {
		if err := os.WriteFile(filepath.Join(dir, "fleet.yaml"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(first)
	release, err := Lock("fleet.yaml", cache)
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if _, err := Lock(filepath.Join(first, "fleet.yaml"), cache); !errors.As(err, new(*BusyError)) {
		t.Errorf("the same file by another name: %v", err)
	}
	t.Chdir(second)
	other, err := Lock("fleet.yaml", cache)
	if err != nil {
		t.Fatal(err)
	}
	other()
}
