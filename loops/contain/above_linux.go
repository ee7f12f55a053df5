package contain

import (
	"bytes"
	"fmt"
	"os"
	"slices"
)

// Above reports whether a supervisor of this place's runs is above this process: what
// asks was started by a program of a run, whatever its environment says. A program
// can't leave: orphans become children of the supervisor, whose command line it
// can't change. What it has others start, such as cron or a service, is not below.
func Above(self []string, place string) bool {
	if len(self) < 2 || place == "" {
		return false
	}
	want := append(slices.Clone(self[1:]), place)
	for pid := range lineage() {
		line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if err != nil || pid == os.Getpid() {
			continue
		}
		var args []string
		for a := range bytes.SplitSeq(bytes.TrimSuffix(line, []byte{0}), []byte{0}) {
			args = append(args, string(a))
		}
		if len(args) > 0 && slices.Equal(args[1:], want) {
			return true
		}
	}
	return false
}
