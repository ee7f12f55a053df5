//go:build linux

package rig

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// Fleet is a server, workers on it, and repositories whose plans they carry out. Workers
// live in folders of their own, as on hosts of their own.
type Fleet struct {
	*Shops
	Server *Server
	// Wrap is put before the commands of a person, such as ip netns exec NAME.
	Wrap []string
	// Programs is the folder of wiki, wiki-worker, wiki-temporal and wiki-temporald.
	Programs string

	mu      sync.Mutex
	workers map[int]*Process
	wraps   map[int][]string
	address map[int]string // of the server, as a worker sees it
	kills   []time.Time
	peak    int64
}

// NewFleet starts a server and makes the repositories; wrap is put before the commands of
// the server and of a person.
func NewFleet(programs, dir string, repositories, plans int, pace time.Duration, wrap ...string) (*Fleet, error) {
	home := filepath.Join(dir, "server")
	if err := os.MkdirAll(home, 0o755); err != nil {
		return nil, err
	}
	server, err := NewServer(filepath.Join(programs, "wiki-temporald"), home, Environ(home), wrap...)
	if err != nil {
		return nil, err
	}
	shops, err := NewShops(filepath.Join(dir, "shops"), repositories, plans, pace, server.Address)
	if err != nil {
		server.Kill()
		return nil, err
	}
	// The first wins; wiki finds its engine's program there.
	shops.Env[0] = "PATH=" + programs + string(os.PathListSeparator) + os.Getenv("PATH")
	shops.Env = append(shops.Env, "WIKI_TEMPORAL_ARTIFACTS="+filepath.Join(dir, "artifacts"))
	return &Fleet{
		Shops: shops, Server: server, Programs: programs, Wrap: wrap,
		workers: map[int]*Process{}, wraps: map[int][]string{}, address: map[int]string{},
	}, nil
}

// Place says how a worker is started: with wrap before its command, and the server at an
// address. Without, it is on the server's host.
func (f *Fleet) Place(n int, address string, wrap ...string) {
	f.address[n], f.wraps[n] = address, wrap
}

// Home of a worker: its clones, its worktrees and its log.
func (f *Fleet) workerHome(n int) string {
	return filepath.Join(f.Dir, "..", "workers", fmt.Sprintf("%02d", n))
}

// artifacts is where all workers put what runs leave.
func (f *Fleet) artifacts() string { return filepath.Join(f.Dir, "..", "artifacts") }

// Stub runs a command of the program that stands for hosts, and returns what it prints.
func (f *Fleet) Stub(command, arg string) (string, error) {
	code, out, err := f.Run("/", 30*time.Minute, filepath.Join(f.Programs, "stub"), command, f.Server.Address, arg)
	if err == nil && code != 0 {
		err = fmt.Errorf("stub %s: exit status %d: %s", command, code, out)
	}
	return out, err
}

// Work starts a worker, again after Kill. Without repositories it is one whose commands
// do nothing.
func (f *Fleet) Work(n int) error {
	home := f.workerHome(n)
	address := f.address[n]
	if address == "" {
		address = f.Server.Address
	}
	if len(f.Names) == 0 {
		return f.work(n, home, filepath.Join(f.Programs, "stub"), "work", address, fmt.Sprintf("host-%02d", n))
	}
	return f.work(n, home, append(slices.Clone(f.wraps[n]), filepath.Join(f.Programs, "wiki-worker"),
		"--address", address, "--root", filepath.Join(home, "clones"), "--artifacts", f.artifacts(), "--host", fmt.Sprintf("host-%02d", n))...)
}

func (f *Fleet) work(n int, home string, argv ...string) error {
	p, err := Start(fmt.Sprintf("worker-%02d", n), "/", home, f.Env, argv...)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.workers[n] = p
	return nil
}

// Kill kills a worker, and notes when. What it started is left alone.
func (f *Fleet) Kill(n int) {
	f.mu.Lock()
	p := f.workers[n]
	f.peak = max(f.peak, p.Peak())
	f.mu.Unlock()
	p.Kill()
	f.note()
}

// KillServer kills the server, and starts it again at the same address.
func (f *Fleet) KillServer() error {
	f.Server.Kill()
	f.note()
	return f.Server.Start()
}

func (f *Fleet) note() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.kills = append(f.kills, time.Now())
}

// Kills are the times at which something was killed.
func (f *Fleet) Kills() []time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.kills)
}

// WorkerPeak is the most memory that a worker had, in bytes, without what it starts.
func (f *Fleet) WorkerPeak() int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, p := range f.workers {
		f.peak = max(f.peak, p.Peak())
	}
	return f.peak
}

// Close ends everything.
func (f *Fleet) Close() error {
	f.mu.Lock()
	workers := f.workers
	f.workers = map[int]*Process{}
	f.mu.Unlock()
	var errs []error
	for _, p := range workers {
		if p.Alive() {
			errs = append(errs, ended(p.Stop(20*time.Second)))
		}
	}
	return errors.Join(append(errs, f.Server.Stop())...)
}

// ended drops the error of a process that a signal ended as it should.
func ended(err error) error {
	if code := exitCode(err); code == 143 || code == 0 {
		return nil
	}
	return err
}

// Wiki runs wiki in a person's clone and returns its exit code and output.
func (f *Fleet) Wiki(repository string, args ...string) (code int, out string, err error) {
	argv := append(slices.Clone(f.Wrap), filepath.Join(f.Programs, "wiki"))
	return f.Run(f.Home(repository), 2*time.Minute, append(argv, args...)...)
}

// Interrupted notes that what runs now may have to be done again, as after a kill.
func (f *Fleet) Interrupted() { f.note() }

// Begin starts a plan on the workers and returns the id of its run.
func (f *Fleet) Begin(repository string, plan int) (string, error) {
	code, out, err := f.Wiki(repository, "loop", "run", PlanName(plan), "--detach")
	if err != nil || code != 0 {
		return "", fmt.Errorf("can't start %s of %s: exit status %d: %s %w", PlanName(plan), repository, code, out, err)
	}
	for word := range strings.FieldsSeq(out) {
		if strings.HasSuffix(word, PlanName(plan)) && strings.Contains(word, "Z-") {
			return word, nil
		}
	}
	return "", fmt.Errorf("no run in what starting %s printed: %s", PlanName(plan), out)
}

// Doubled are the commits of chunks that the origins have more than once, and the calls
// that were repeated without need.
func (f *Fleet) Doubled() ([]string, error) {
	var out []string
	for _, name := range f.Names {
		commits, err := f.Commits(name)
		if err != nil {
			return nil, err
		}
		for what, n := range commits {
			if n > 1 {
				out = append(out, fmt.Sprintf("%s: %d commits %s", name, n, what))
			}
		}
	}
	calls, err := f.Calls()
	if err != nil {
		return nil, err
	}
	slices.Sort(out)
	return append(out, Repeated(calls, f.Kills())...), nil
}

// Total is the number of commits of chunks that the origins have.
func (f *Fleet) Total() (n int, err error) {
	for _, name := range f.Names {
		commits, err := f.Commits(name)
		if err != nil {
			return 0, err
		}
		for _, count := range commits {
			n += count
		}
	}
	return n, nil
}

// Tails hands the ends of all logs to a function, for the message of a failure.
func (f *Fleet) Tails(say func(...any)) {
	logs, _ := filepath.Glob(filepath.Join(f.Dir, "..", "*", "*", "*.log"))
	more, _ := filepath.Glob(filepath.Join(f.Dir, "..", "*", "*.log"))
	for _, name := range append(logs, more...) {
		if text := tail(name); text != "" {
			say(name + ":\n" + text)
		}
	}
}
