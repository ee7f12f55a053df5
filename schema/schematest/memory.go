package schematest

import (
	"fmt"
	"os"
)

// Tests runs a package's tests: a [testing.M], or a fake.
type Tests interface{ Run() int }

// InMemory is for TestMain of a package whose tests create many files: it puts their
// temporary folders into memory, if there is room and TMPDIR is not set.
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
