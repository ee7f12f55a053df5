package contain

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/loopwiki/wiki/loops"
)

// adopts says that orphans of the program become children of the supervisor.
const adopts = true

// Options of prctl(2).
const (
	prSetDumpable       = 4
	prSetChildSubreaper = 36
)

// adopt makes this process a subreaper, and keeps other processes from reading its
// memory, which has the secrets.
func adopt() error {
	if _, _, e := syscall.RawSyscall(syscall.SYS_PRCTL, prSetChildSubreaper, 1, 0); e != 0 {
		return e
	}
	if _, _, e := syscall.RawSyscall(syscall.SYS_PRCTL, prSetDumpable, 0, 0); e != 0 {
		return e
	}
	return nil
}

// ownGroup makes a child lead a process group, and die with the supervisor.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// processes returns everything alive below the supervisor.
func (s *supervisor) processes() []int { return descendants(os.Getpid()) }

// asked returns what is told to end. Bubblewrap's own two processes would take
// the others with them at once.
func (s *supervisor) asked() []int {
	all := s.processes()
	if s.Level != loops.Bubblewrap || s.ended {
		return all
	}
	own := map[int]bool{s.main: true}
	for _, pid := range children(s.main) {
		own[pid] = true
	}
	var asked []int
	for _, pid := range all {
		if !own[pid] {
			asked = append(asked, pid)
		}
	}
	if len(asked) == 0 {
		return all
	}
	return asked
}

// descendants returns what is alive below a process, parents first.
func descendants(pid int) []int {
	var found []int
	seen := map[int]bool{pid: true}
	for queue := []int{pid}; len(queue) > 0; queue = queue[1:] {
		for _, c := range children(queue[0]) {
			if seen[c] {
				continue
			}
			seen[c] = true
			queue = append(queue, c)
			if p, err := readProcess(c); err == nil && !p.dead() {
				found = append(found, c)
			}
		}
	}
	return found
}

// children returns the children of all threads of a process (proc(5)).
func children(pid int) []int {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	var found []int
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			continue // the thread ended
		}
		for _, field := range strings.Fields(string(text)) {
			if c, err := strconv.Atoi(field); err == nil {
				found = append(found, c)
			}
		}
	}
	return found
}

// process is what /proc/PID/stat says.
type process struct {
	pid, parent, group int
	state              byte
	start              string // in ticks since the machine started
}

// dead reports whether only its parent has to take note of it.
func (p process) dead() bool { return p.state == 'Z' || p.state == 'X' }

func readProcess(pid int) (process, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return process{}, err
	}
	// The second field is a name in parentheses, which may hold anything.
	fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
	if len(fields) < 20 || len(fields[0]) != 1 {
		return process{}, fmt.Errorf("read process %d: its stat has %d fields", pid, len(fields))
	}
	parent, err := strconv.Atoi(fields[1])
	if err != nil {
		return process{}, fmt.Errorf("read process %d: %w", pid, err)
	}
	group, err := strconv.Atoi(fields[2])
	if err != nil {
		return process{}, fmt.Errorf("read process %d: %w", pid, err)
	}
	return process{pid: pid, parent: parent, group: group, state: fields[0][0], start: fields[19]}, nil
}
