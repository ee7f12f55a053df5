//go:build unix

package contain

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema/schematest"
)

// TestMain lets the test binary play every part: the supervisor, a runner that
// is killed, and one of many that want a lock.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "__supervise":
			if err := Supervise(context.Background(), os.Stdin, os.Stdout); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(3)
			}
			os.Exit(0)
		case "__runner":
			os.Exit(runner(os.Args[2], loops.Level(os.Args[3])))
		case "__asker":
			os.Exit(asker(os.Args[2]))
		case "__locker":
			os.Exit(locker(os.Args[2], os.Args[3]))
		}
	}
	os.Exit(schematest.InMemory(m).Run())
}

// runner runs the process that a file describes.
func runner(path string, level loops.Level) int {
	text, err := os.ReadFile(path)
	var p loops.Process
	if err == nil {
		err = json.Unmarshal(text, &p)
	}
	if err == nil {
		_, err = New(self(), Options{AtMost: level}).Run(context.Background(), p)
	}
	fmt.Fprintln(os.Stderr, err)
	return 1
}

func self() []string { return []string{os.Args[0], "__supervise"} }

// asker reports whether a supervisor of a place is above it.
func asker(place string) int {
	if Above(self(), place) {
		return 0
	}
	return 7
}
