// Package schematest turns what a test needs of its surroundings, such as git,
// a browser or the shared corpora, into a path to it, a skip that says why, or
// a failure where it must not be missing. It imports nothing of this module,
// so that the tests of every room can use it.
package schematest

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// Need skips the test when ok is false, saying why. When the environment
// variable WIKI_REQUIRE lists what, it fails the test instead.
func Need(tb testing.TB, what string, ok bool, reason string) {
	tb.Helper()
	switch {
	case ok:
	case slices.Contains(strings.Split(os.Getenv("WIKI_REQUIRE"), ","), what):
		tb.Fatalf("%s is required here: %s", what, reason)
	default:
		tb.Skip(reason)
	}
}

// NeedGit skips the test when there is no git.
func NeedGit(tb testing.TB) {
	tb.Helper()
	_, err := exec.LookPath("git")
	Need(tb, "git", err == nil, "git is not installed")
}

// Symlink makes name a symbolic link to target. It fails the test where that fails, but on
// Windows, where only some users may.
func Symlink(tb testing.TB, target, name string) {
	tb.Helper()
	switch err := os.Symlink(target, name); {
	case err == nil:
	case runtime.GOOS == "windows":
		tb.Skip(err)
	default:
		tb.Fatal(err)
	}
}

// Shared returns the path of a folder of the shared test data, which lies
// next to the repository or where WIKI_SHARED says, and skips the test when it
// is not there. The folder is read-only data.
func Shared(tb testing.TB, path string) string {
	tb.Helper()
	dir := os.Getenv("WIKI_SHARED")
	if dir == "" {
		top, err := os.Getwd()
		for ; err == nil; top = filepath.Dir(top) {
			if _, missing := os.Stat(filepath.Join(top, "go.mod")); missing == nil || filepath.Dir(top) == top {
				break
			}
		}
		dir = filepath.Join(top, "..", "shared")
	}
	full := filepath.Join(dir, filepath.FromSlash(path))
	_, err := os.Stat(full)
	Need(tb, "shared", err == nil, "the shared test data is not here: "+path)
	return full
}
