package schematest

import (
	"fmt"
	"os"
)

// Tests are those of a package: a [testing.M], or what stands for it.
type Tests interface{ Run() int }

// InMemory is for TestMain of a package whose tests make so many files that a disk takes
// longer than they do: it has their temporary folders in memory, if there is room and
// nobody asked for another place by TMPDIR.
func InMemory(of Tests) Tests { return inMemory{of} }

type inMemory struct{ of Tests }

func (t inMemory) Run() int {
	room := memory()
	if room == "" || os.Getenv("TMPDIR") != "" {
		return t.of.Run()
	}
	dir, err := os.MkdirTemp(room, "wiki-test-")
	if err != nil {
		return t.of.Run()
	}
	defer os.RemoveAll(dir)
	if err := os.Setenv("TMPDIR", dir); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return t.of.Run()
}
