package selftest

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// alive lists the processes whose environment, command line or folder holds one
// of the texts.
func alive(texts ...string) ([]string, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
	var out []string
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || pid == os.Getpid() {
			continue
		}
		at := filepath.Join("/proc", e.Name())
		// One that ends meanwhile, or is another user's, can't be read.
		command, _ := os.ReadFile(filepath.Join(at, "cmdline"))
		env, _ := os.ReadFile(filepath.Join(at, "environ"))
		folder, _ := os.Readlink(filepath.Join(at, "cwd"))
		all := bytes.Join([][]byte{command, env, []byte(folder)}, []byte{0})
		for _, t := range texts {
			if bytes.Contains(all, []byte(t)) {
				out = append(out, e.Name()+" "+strings.TrimSpace(strings.ReplaceAll(string(command), "\x00", " ")))
				break
			}
		}
	}
	return out, nil
}
