//go:build unix

package contain

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/loopwiki/wiki/loops"
)

// Supervise is the other end of Run: what this binary does when it is executed
// as the container's self. It reads what to run from in, which stays open for as
// long as the runner lives, and writes how it ended to out.
func Supervise(ctx context.Context, in io.Reader, out io.Writer) error {
	d := json.NewDecoder(in)
	var q request
	if err := d.Decode(&q); err != nil {
		return fmt.Errorf("read what to run: %w", err)
	}
	if q.Stage == stageLaunch {
		return launch(q)
	}
	// What the program is started by must be the thread that lives as long as
	// this process: the kernel ends the program with it.
	runtime.LockOSThread()
	var r reply
	s := &supervisor{request: q, begin: time.Now()}
	if err := s.run(ctx, d); err != nil {
		r.Error = err.Error()
	}
	r.Exit = s.exit
	r.Exit.Level, r.Exit.Took = q.Level, loops.Duration(time.Since(s.begin))
	return json.NewEncoder(out).Encode(r)
}

// supervisor runs one program.
type supervisor struct {
	request
	begin time.Time
	exit  loops.Exit

	main    int                          // the program, or the sandbox around it
	ended   bool                         // main is gone
	reaped  chan waited                  // closed when there is no child anymore
	gone    <-chan struct{}              // the runner closed its pipe
	events  chan loops.Ended             // reasons to stop
	heard   atomic.Int64                 // when the program last wrote, since begin
	streams [2]*output                   // stdout, stderr
	pumps   sync.WaitGroup               // that read them
	readers []*os.File                   // what they read
	strays  map[int]bool                 // what had to be killed
	told    map[int]bool                 // what was asked to end
	status  chan string                  // what the launcher said
	first   sync.Once                    // of what it writes to its standard output
	own     atomic.Pointer[map[int]bool] // processes that it had then: they are no tools
}

// waited is a child that ended.
type waited struct {
	pid    int
	status syscall.WaitStatus
}

func (s *supervisor) run(ctx context.Context, control *json.Decoder) error {
	if err := adopt(); err != nil {
		return fmt.Errorf("adopt orphans: %w", err)
	}
	s.exit.Code, s.strays, s.told = -1, map[int]bool{}, map[int]bool{}
	s.events = make(chan loops.Ended, 8)
	redactor := loops.NewRedactor(s.Redact)
	for i, path := range []string{s.Process.Stdout, s.Process.Stderr} {
		o, err := newOutput(path, redactor, s.Process.MaxOutput)
		if err != nil {
			return err
		}
		s.streams[i] = o
	}
	s.listen(control)
	notStarted, err := s.start()
	if err == nil && notStarted == nil {
		watching, cancel := context.WithCancel(ctx)
		s.clocks(watching)
		s.exit.Why = s.wait(ctx)
		cancel()
		err = s.end()
		notStarted = s.launched(&err)
	}
	if notStarted != nil {
		s.exit = loops.Exit{Why: loops.NotStarted, Code: -1, Error: redacted(redactor, notStarted)}
	}
	return errors.Join(err, s.finish())
}

// redacted returns what an error says; a program's name may hold a secret, too.
func redacted(r *loops.Redactor, err error) string {
	text, _ := r.Text(err.Error())
	return text
}

// finish completes the files.
func (s *supervisor) finish() error {
	var errs []error
	for _, o := range s.streams {
		cut, err := o.finish()
		s.exit.Cut = s.exit.Cut || cut
		s.exit.Redacted += o.clean.Listed()
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// listen waits for the runner to say stop, or to be gone.
func (s *supervisor) listen(d *json.Decoder) {
	gone := make(chan struct{})
	s.gone = gone
	go func() {
		defer close(gone)
		for {
			var c control
			if d.Decode(&c) != nil {
				return
			}
			if c.Stop {
				s.because(loops.EndedStopped)
			}
		}
	}()
}

// because asks the program to be ended. Only the first reason counts.
func (s *supervisor) because(why loops.Ended) {
	select {
	case s.events <- why:
	default:
	}
}

// start starts the program. The first error says why it can't be, the second
// that the supervisor could not do its own part.
func (s *supervisor) start() (notStarted, err error) {
	p := s.Process
	if info, err := os.Stat(p.Dir); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("working directory %s: not a directory", p.Dir)
	}
	if s.Program, notStarted = lookUp(p.Argv[0], p.Dir, s.Env); notStarted != nil {
		return notStarted, nil
	}
	path := p.Stdin
	if path == "" {
		path = os.DevNull
	}
	stdin, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open its input: %w", err)
	}
	defer stdin.Close()
	writers := make([]*os.File, 2)
	for i := range writers {
		r, w, err := os.Pipe()
		if err != nil {
			return nil, fmt.Errorf("create a pipe: %w", err)
		}
		defer w.Close()
		s.readers, writers[i] = append(s.readers, r), w
	}
	if s.Level == loops.Bare {
		s.main, notStarted = fork(s.Program, p.Argv, s.Env, p.Dir, stdin, writers[0], writers[1])
	} else {
		err = s.startLauncher(stdin, writers[0], writers[1])
	}
	if err != nil || notStarted != nil {
		return notStarted, err
	}
	s.reaped = make(chan waited, 16)
	go reap(s.reaped)
	for i, r := range s.readers {
		s.pumps.Go(func() { s.pump(r, s.streams[i]) })
	}
	return nil, nil
}

// fork starts a program in a process group of its own, with these files and no
// others.
func fork(path string, argv, env []string, dir string, files ...*os.File) (int, error) {
	fds := make([]uintptr, len(files))
	for i, f := range files {
		fds[i] = f.Fd()
	}
	pid, err := syscall.ForkExec(path, argv, &syscall.ProcAttr{Dir: dir, Env: env, Files: fds, Sys: ownGroup()})
	runtime.KeepAlive(files)
	if err != nil {
		return 0, fmt.Errorf("start %s: %w", argv[0], err)
	}
	return pid, nil
}

// lookUp finds a program as a shell in dir with the environment would.
func lookUp(name, dir string, env []string) (string, error) {
	if strings.Contains(name, "/") {
		if !filepath.IsAbs(name) {
			name = filepath.Join(dir, name)
		}
		if err := executable(name); err != nil {
			return "", fmt.Errorf("start %s: %w", name, err)
		}
		return name, nil
	}
	search, found := "/usr/local/bin:/usr/bin:/bin", error(nil)
	for _, kv := range env {
		if v, ok := strings.CutPrefix(kv, "PATH="); ok {
			search = v
		}
	}
	for _, folder := range filepath.SplitList(search) {
		if !filepath.IsAbs(folder) {
			continue // a folder below the worktree must not decide what runs
		}
		path := filepath.Join(folder, name)
		err := executable(path)
		if err == nil {
			return path, nil
		}
		if _, there := os.Stat(path); found == nil && there == nil {
			found = fmt.Errorf("start %s: %s: %w", name, path, err)
		}
	}
	if found != nil {
		return "", found
	}
	return "", fmt.Errorf("start %s: program not found in PATH=%s", name, search)
}

// executable reports why a file can't be executed.
func executable(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return os.ErrNotExist
	case err != nil:
		return err
	case info.IsDir():
		return errors.New("it is a directory")
	case info.Mode()&0o111 == 0:
		return errors.New("it is not executable; chmod +x it")
	}
	return nil
}

// reap takes every child that ends, orphans that were adopted among them, until
// there is none left.
func reap(to chan<- waited) {
	defer close(to)
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, 0, nil)
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return
		}
		to <- waited{pid, status}
	}
}

// pump passes on what the program writes.
func (s *supervisor) pump(r *os.File, o *output) {
	b := make([]byte, 64<<10)
	for {
		n, err := r.Read(b)
		if n > 0 {
			s.heard.Store(int64(time.Since(s.begin)))
			if s.Process.Tools && o == s.streams[0] {
				s.first.Do(s.noteOwn)
			}
			if o.take(b[:n]) {
				s.because(loops.EndedOutput)
			}
		}
		if err != nil {
			return
		}
	}
}

// clocks start what ends a program that does not end by itself.
func (s *supervisor) clocks(ctx context.Context) {
	p := s.Process
	time.AfterFunc(p.Wall, func() { s.because(loops.EndedWall) })
	if p.Silence > 0 {
		go s.silence(ctx)
	}
	if p.Progress > 0 && p.Watch != "" {
		go watch(ctx, p.Watch, p.Progress, func() { s.because(loops.EndedProgress) })
	}
}

func (s *supervisor) silence(ctx context.Context) {
	s.heard.Store(int64(time.Since(s.begin)))
	for {
		quiet := time.Since(s.begin) - time.Duration(s.heard.Load())
		if quiet >= s.Process.Silence {
			if !s.usesTool() {
				s.because(loops.EndedSilence)
				return
			}
			s.heard.Store(int64(time.Since(s.begin)))
			continue
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(s.Process.Silence - quiet):
		}
	}
}

// noteOwn remembers what runs when the program begins to speak.
func (s *supervisor) noteOwn() {
	own := make(map[int]bool)
	for _, pid := range s.processes() {
		own[pid] = true
	}
	s.own.Store(&own)
}

// usesTool reports whether the program started something since, and that runs.
func (s *supervisor) usesTool() bool {
	own := s.own.Load()
	return own != nil && slices.ContainsFunc(s.processes(), func(pid int) bool { return !(*own)[pid] })
}

// wait returns why the program is to be ended, or that it did by itself.
func (s *supervisor) wait(ctx context.Context) loops.Ended {
	for {
		select {
		case w, ok := <-s.reaped:
			if s.note(w); s.ended || !ok {
				return loops.Exited
			}
		case why := <-s.events:
			return why
		case <-s.gone:
			return loops.EndedStopped
		case <-ctx.Done():
			return loops.EndedStopped
		}
	}
}

// note keeps how the program ended.
func (s *supervisor) note(w waited) {
	if w.pid == 0 || w.pid != s.main {
		return
	}
	s.ended = true
	if w.status.Signaled() {
		s.exit.Code, s.exit.Signal = -1, w.status.Signal().String()
		return
	}
	s.exit.Code = w.status.ExitStatus()
}
