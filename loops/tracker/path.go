package tracker

import (
	"os/exec"
	"path/filepath"
)

// lookPath finds a program in a PATH. What is not absolute in it is passed over: a
// program of the repository must not take the place of one of the machine.
func lookPath(path, name string) (string, error) {
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if found, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return found, nil
		}
	}
	return "", &exec.Error{Name: name, Err: exec.ErrNotFound}
}
