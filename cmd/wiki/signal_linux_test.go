package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestSecondSignalEndsStuckCommand sends signals to commands that wait for a
// reader of their output, which no context ends.
func TestSecondSignalEndsStuckCommand(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	page := "# Page\n\n" + strings.Repeat("[[a name that no page has, and that is long]]\n", 5000)
	if err := os.WriteFile(filepath.Join(dir, "page.md"), []byte(page), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, signals := range [][]syscall.Signal{{syscall.SIGINT}, {syscall.SIGTERM}, {syscall.SIGINT, syscall.SIGINT}} {
		t.Run(fmt.Sprint(signals), func(t *testing.T) {
			t.Parallel()
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			c := exec.Command("wiki", "-C", dir, "show", "page", "--json")
			c.Stdout = w
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			w.Close()
			if _, err := r.Read(make([]byte, 1)); err != nil { // it writes, and more than a pipe holds
				t.Fatal(err)
			}
			for _, s := range signals {
				if err := c.Process.Signal(s); err != nil {
					t.Fatal(err)
				}
			}
			var exit *exec.ExitError
			if err := c.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 128+int(signals[0]) {
				t.Errorf("it ended with %v", err)
			}
		})
	}
}
