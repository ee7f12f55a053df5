package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema/schematest"
)

// Eight processes that add pages, entries of the index and of the log at the same time
// lose nothing and tear nothing: for a second, with -long for sixty.
func TestProcessesAppendAtOnce(t *testing.T) {
	t.Parallel()
	dir := compilertest.Write(t, "-- wiki.yaml --\nroot: wiki\n-- wiki/index.md --\n# Index\n\n- [[concepts/first]]\n-- wiki/concepts/first.md --\n---\ntype: concept\n---\n# First\n-- wiki/log.md --\n# Log\n\n## [2026-01-01] create | Wiki\n\nText.\n")
	last := time.Now().Add(time.Second)
	if schematest.Long() {
		last = time.Now().Add(time.Minute)
	}
	var wg sync.WaitGroup
	made := make([]int, 8)
	for worker := range made {
		wg.Go(func() {
			for i := 0; i == 0 || time.Now().Before(last); i++ {
				args := []string{"-C", dir, "log", "ingest", fmt.Sprintf("Entry %d.%d end", worker, i), "-m", "First line.\nSecond line.", "--today", "2026-01-02"}
				if worker%2 == 0 {
					args = []string{"-C", dir, "new", "concept", fmt.Sprintf("Page %d x %d", worker, i), "--today", "2026-01-02"}
				}
				out, err := exec.Command("wiki", args...).CombinedOutput()
				if err != nil {
					t.Errorf("%v: %s", err, out)
					return
				}
				made[worker]++
			}
		})
	}
	wg.Wait()
	read := func(name string) string {
		src, err := os.ReadFile(filepath.Join(dir, "wiki", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(src)
	}
	log, index := read("log.md"), read("index.md")
	for worker, n := range made {
		for i := range n {
			if worker%2 == 1 {
				if c := strings.Count(log, fmt.Sprintf("\n\n## [2026-01-02] ingest | Entry %d.%d end\n\nFirst line.\nSecond line.\n", worker, i)); c != 1 {
					t.Errorf("entry %d.%d is in the log %d times", worker, i, c)
				}
				continue
			}
			name := fmt.Sprintf("page-%d-x-%d", worker, i)
			if c := strings.Count(index, name+"]]"); c != 1 {
				t.Errorf("%s is in the index %d times", name, c)
			}
			if _, err := os.Stat(filepath.Join(dir, "wiki", "concepts", name+".md")); err != nil {
				t.Error(err)
			}
		}
	}
	if rest := regexp.MustCompile(`(?m)^- \[\[concepts/(first|page-\d-x-\d+)\]\].*$`).ReplaceAllString(index, ""); strings.TrimSpace(strings.TrimPrefix(rest, "# Index")) != "" {
		t.Errorf("the index has torn lines: %q", rest)
	}
	t.Logf("changes by process: %v", made)
}
