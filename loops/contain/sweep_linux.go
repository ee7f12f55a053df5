package contain

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Sweep kills what carries the mark of a run in its environment, with its
// process group and everything below it, until nothing is found. This process
// and those above it are left alone: they may be started by the run.
func (c *container) Sweep(ctx context.Context, mark string) (int, error) {
	if mark == "" {
		return 0, errors.New("sweep: no run given")
	}
	killed := map[int]bool{}
	spared := lineage()
	for begin := time.Now(); ; {
		found := marked(c.marks(mark), spared)
		if len(found) == 0 {
			return len(killed), nil
		}
		if time.Since(begin) > obstinate {
			return len(killed), fmt.Errorf("sweep: can't kill processes %v of run %s", slices.Sorted(maps.Keys(found)), mark)
		}
		for pid, group := range found {
			killed[pid] = true
			if _, leads := found[group]; leads { // a group that is led by another is not all of the run
				_ = syscall.Kill(-group, syscall.SIGKILL)
			}
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		select {
		case <-ctx.Done():
			return len(killed), ctx.Err()
		case <-time.After(beat):
		}
	}
}

// lineage is this process and those above it.
func lineage() map[int]bool {
	spared := map[int]bool{1: true}
	for pid := os.Getpid(); pid > 1 && !spared[pid]; {
		spared[pid] = true
		p, err := readProcess(pid)
		if err != nil {
			break
		}
		pid = p.parent
	}
	return spared
}

// marked returns the live processes of a run, and what is below them, with their
// process groups. Processes of other users do not show their environment.
func marked(marks []string, spared map[int]bool) map[int]int {
	found := map[int]int{}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return found
	}
	add := func(pid int) {
		if p, err := readProcess(pid); err == nil && !p.dead() && !spared[pid] {
			found[pid] = p.group
		}
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil || spared[pid] || !mine(e) {
			continue
		}
		env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
		if err != nil || !hasAll(strings.Split(string(env), "\x00"), marks) {
			continue
		}
		add(pid)
		for _, d := range descendants(pid) {
			add(d)
		}
	}
	return found
}

// hasAll reports whether an environment has all marks.
func hasAll(env, marks []string) bool {
	return !slices.ContainsFunc(marks, func(m string) bool { return !slices.Contains(env, m) })
}
