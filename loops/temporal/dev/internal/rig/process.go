//go:build linux

package rig

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Process is a program that was started, in a process group of its own.
type Process struct {
	Name string
	cmd  *exec.Cmd
	log  *os.File
	done chan struct{}
	err  error // of the end, once done is closed
}

// Start starts a program whose output goes to logs/NAME.log, to the end of it if there
// is one. Its last environment wins; dir is its working directory.
func Start(name, dir, logs string, env []string, argv ...string) (*Process, error) {
	if err := os.MkdirAll(logs, 0o755); err != nil {
		return nil, err
	}
	log, err := os.OpenFile(filepath.Join(logs, name+".log"), os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	p := &Process{Name: name, log: log, done: make(chan struct{})}
	p.cmd = exec.Command(argv[0], argv[1:]...)
	p.cmd.Dir, p.cmd.Env = dir, env
	p.cmd.Stdout, p.cmd.Stderr = log, log
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := p.cmd.Start(); err != nil {
		log.Close()
		return nil, fmt.Errorf("can't start %s: %w", name, err)
	}
	go func() {
		p.err = p.cmd.Wait()
		log.Close()
		close(p.done)
	}()
	return p, nil
}

// PID is that of the process, which is its group's too.
func (p *Process) PID() int { return p.cmd.Process.Pid }

// Kill kills the process alone, as the kernel does when memory ends: what it started is
// left alone. It returns when the process is gone.
func (p *Process) Kill() {
	_ = p.cmd.Process.Signal(syscall.SIGKILL)
	<-p.done
}

// Stop asks the process to end, and kills its group if it has not after patience.
func (p *Process) Stop(patience time.Duration) error {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.done:
		return p.err
	case <-time.After(patience):
		_ = syscall.Kill(-p.PID(), syscall.SIGKILL)
		<-p.done
		return fmt.Errorf("%s did not end within %s of SIGTERM", p.Name, patience)
	}
}

// Alive says whether the process has not ended.
func (p *Process) Alive() bool {
	select {
	case <-p.done:
		return false
	default:
		return true
	}
}

// Await waits until a line of the output begins with a prefix, counted from the start
// of this process, and returns the line.
func (p *Process) Await(prefix string, patience time.Duration, from int64) (string, error) {
	end := time.Now().Add(patience)
	for {
		if line, ok := findLine(p.log.Name(), prefix, from); ok {
			return line, nil
		}
		select {
		case <-p.done:
			return "", fmt.Errorf("%s ended (%v) before it printed %q:\n%s", p.Name, p.err, prefix, tail(p.log.Name()))
		case <-time.After(20 * time.Millisecond):
		}
		if time.Now().After(end) {
			return "", fmt.Errorf("%s printed no %q within %s:\n%s", p.Name, prefix, patience, tail(p.log.Name()))
		}
	}
}

func findLine(name, prefix string, from int64) (string, bool) {
	f, err := os.Open(name)
	if err != nil {
		return "", false
	}
	defer f.Close()
	if _, err := f.Seek(from, 0); err != nil {
		return "", false
	}
	for s := bufio.NewScanner(f); s.Scan(); {
		if strings.HasPrefix(s.Text(), prefix) {
			return s.Text(), true
		}
	}
	return "", false
}

// tail is the end of a log, for a message.
func tail(name string) string {
	text, _ := os.ReadFile(name)
	return string(text[max(0, len(text)-2000):])
}

// Peak is the most memory that the process had in RAM at once, in bytes, so far; 0 if it
// has ended.
func (p *Process) Peak() int64 { return statusLine(p.PID(), "VmHWM:") }

// statusLine is a number of /proc/PID/status, in bytes; 0 if there is none.
func statusLine(pid int, key string) int64 {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, key); ok {
			kb, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return kb << 10
		}
	}
	return 0
}

// Server is a development server, on a port and a database that outlive the process.
type Server struct {
	Address string
	program string
	args    []string
	dir     string
	env     []string
	wrap    []string
	mu      sync.Mutex
	process *Process
	peak    int64
}

// NewServer starts the program with a database in a folder. wrap is put before the
// command, such as ip netns exec NAME.
func NewServer(program, dir string, env []string, wrap ...string) (*Server, error) {
	s := &Server{program: program, dir: dir, env: env, wrap: wrap, args: []string{"--port", "0"}}
	if err := s.Start(); err != nil {
		return nil, err
	}
	_, port, _ := strings.Cut(s.Address, ":")
	s.args = []string{"--port", port}
	return s, nil
}

// Start starts the server, again after Kill, and returns when it is ready.
func (s *Server) Start() error {
	argv := append(append(append([]string{}, s.wrap...), s.program, "--db", s.DB(), "--log", "warn"), s.args...)
	var from int64
	if at, err := os.Stat(filepath.Join(s.dir, "server.log")); err == nil {
		from = at.Size()
	}
	p, err := Start("server", s.dir, s.dir, s.env, argv...)
	if err != nil {
		return err
	}
	line, err := p.Await("ready: ", 90*time.Second, from)
	if err != nil {
		p.Kill()
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.process, s.Address = p, strings.Fields(line)[1]
	return nil
}

// Kill kills the server.
func (s *Server) Kill() {
	s.Peak()
	s.process.Kill()
}

// Stop ends the server as a person would.
func (s *Server) Stop() error {
	s.Peak()
	return ended(s.process.Stop(15 * time.Second))
}

// exitCode is the code of a program that ended, 0 if it ended well, -1 if it did not end
// by itself.
func exitCode(err error) int {
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	return -1
}

// Peak is the most memory that a process of this server had, in bytes.
func (s *Server) Peak() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.peak = max(s.peak, s.process.Peak())
	return s.peak
}

// DB is the file of its database.
func (s *Server) DB() string { return filepath.Join(s.dir, "temporald.db") }

// Listening are the addresses at which the server takes connections.
func (s *Server) Listening() ([]net.IP, error) {
	ours := map[string]bool{} // inodes of its sockets
	fds, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", s.process.PID()))
	if err != nil {
		return nil, err
	}
	for _, fd := range fds {
		if target, err := os.Readlink(fd); err == nil {
			ours[strings.TrimSuffix(strings.TrimPrefix(target, "socket:["), "]")] = true
		}
	}
	var out []net.IP
	for _, table := range []string{"tcp", "tcp6"} {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/net/%s", s.process.PID(), table))
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(text)) {
			const listens = "0A"
			f := strings.Fields(line)
			if len(f) < 10 || f[3] != listens || !ours[f[9]] {
				continue
			}
			address, _, _ := strings.Cut(f[1], ":")
			words, err := hex.DecodeString(address)
			if err != nil {
				return nil, err
			}
			for i := 0; i+4 <= len(words); i += 4 { // words of 32 bits, in the order of this machine
				binary.BigEndian.PutUint32(words[i:], binary.NativeEndian.Uint32(words[i:]))
			}
			out = append(out, words)
		}
	}
	return out, nil
}
