//go:build !linux

package selftest

import (
	"os/exec"
	"slices"
	"strings"
)

// alive lists the processes whose command line holds one of the texts.
func alive(texts ...string) ([]string, error) {
	out, err := exec.Command("ps", "-axww", "-o", "pid=,command=").Output()
	if err != nil {
		return nil, err
	}
	var found []string
	for line := range strings.Lines(string(out)) {
		if slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(line, t) }) {
			found = append(found, strings.TrimSpace(line))
		}
	}
	return found, nil
}
