//go:build unix

package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/contain"
)

// TestSupervise runs a program below the command line as it is.
func TestSupervise(t *testing.T) {
	t.Parallel()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	wiki := filepath.Join(dir, "wiki")
	if err := os.Symlink(program, wiki); err != nil { // the test binary is wiki by that name
		t.Fatal(err)
	}
	p := loops.Process{
		Argv: []string{"sh", "-c", "echo $0 $KEY; exit 5", "said"}, Dir: dir, Env: []string{"KEY=correct-horse"}, Redact: []string{"correct-horse"},
		Stdout: filepath.Join(dir, "out"), Stderr: filepath.Join(dir, "err"), Wall: time.Minute, Mark: "supervise",
	}
	exit, err := contain.New([]string{wiki, superviseName}, contain.Options{}).Run(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	if exit.Why != loops.Exited || exit.Code != 5 || exit.Redacted != 1 {
		t.Errorf("%+v", exit)
	}
	if got, _ := os.ReadFile(p.Stdout); string(got) != "said [redacted]\n" {
		t.Errorf("it wrote %q", got)
	}
}
