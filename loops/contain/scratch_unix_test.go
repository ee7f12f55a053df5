//go:build unix

package contain

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// Runs that begin at once sweep beside each other, and none takes away the folder that
// another one is about to lock.
func TestSweepsLeaveFoldersThatAreMade(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var makers, sweepers sync.WaitGroup
	over := make(chan struct{})
	for range 4 {
		sweepers.Go(func() {
			for {
				select {
				case <-over:
					return
				default:
					SweepScratch()
				}
			}
		})
		makers.Go(func() {
			for range 2000 {
				dir, done, err := Scratch()
				if err == nil {
					err = os.WriteFile(filepath.Join(dir, "file"), nil, 0o600)
				}
				if err != nil {
					t.Error(err)
					return
				}
				if err := done(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	makers.Wait()
	close(over)
	sweepers.Wait()
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("%d folders are left: %v", len(left), err)
	}
}
