package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

// The exit codes of reaper that are not its program's.
const (
	leftAlive = 98 // something of the program outlived it by ten seconds
	wasKilled = 99 // the program was, by SIGKILL
)

// reaper is: reaper PROGRAM [ARG…]. It runs the program, adopts what that leaves
// behind, and fails if any of it lives ten seconds later: a busy machine takes long to
// end what was killed.
func reaper() {
	runtime.LockOSThread()       // the program is to end with this very thread
	const setChildSubreaper = 36 // prctl(2)
	if _, _, failed := syscall.Syscall(syscall.SYS_PRCTL, setChildSubreaper, 1, 0); failed != 0 {
		fmt.Fprintln(os.Stderr, failed)
		os.Exit(leftAlive)
	}
	c := exec.Command(os.Args[1], os.Args[2:]...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stdout, os.Stderr
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := c.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(leftAlive)
	}
	_ = c.Wait()
	for end := time.Now().Add(10 * time.Second); ; time.Sleep(2 * time.Millisecond) {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, syscall.WNOHANG, nil)
		if err == syscall.ECHILD {
			break
		}
		if pid == 0 && time.Now().After(end) {
			for _, c := range childrenOf(os.Getpid()) {
				words, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", c))
				fmt.Fprintf(os.Stderr, "still alive: %s\n", bytes.ReplaceAll(words, []byte{0}, []byte{' '}))
			}
			os.Exit(leftAlive)
		}
	}
	if s, ok := c.ProcessState.Sys().(syscall.WaitStatus); ok && s.Signaled() {
		if s.Signal() == syscall.SIGKILL {
			os.Exit(wasKilled)
		}
		os.Exit(128 + int(s.Signal()))
	}
	os.Exit(c.ProcessState.ExitCode())
}

// childrenOf returns the children of a process. Each of its threads has its own
// (proc(5)), and which thread starts a program is for Go's scheduler to say.
func childrenOf(pid int) []int {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	var found []int
	for _, list := range lists {
		text, _ := os.ReadFile(list) // not there: the thread has ended
		for _, f := range bytes.Fields(text) {
			if c, err := strconv.Atoi(string(f)); err == nil {
				found = append(found, c)
			}
		}
	}
	return found
}

// mortal is wiki, but that it dies by SIGKILL as soon as it has printed as many
// lines as DIES_AFTER says. With --json a line is printed when its event is
// written to the journal, and before anything else is done.
func mortal() {
	n, err := strconv.Atoi(os.Getenv("DIES_AFTER"))
	if err != nil {
		main()
		return
	}
	ctx, stop := interruptible()
	code := run(ctx, os.Args[1:], os.Stdin, &dying{os.Stdout, n}, os.Stderr, os.Getenv)
	stop()
	os.Exit(code)
}

type dying struct {
	to   io.Writer
	left int
}

func (d *dying) Write(p []byte) (int, error) {
	n, err := d.to.Write(p)
	if d.left -= bytes.Count(p, []byte("\n")); d.left <= 0 {
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {}
	}
	return n, err
}
