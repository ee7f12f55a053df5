package contain

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

// The files of a launcher: what to run is on its input, the program's input
// and the way back to the supervisor come after the usual three.
const (
	launchInput  = 3
	launchStatus = 4
)

// What a launcher says: that it is about to become the program, that the program
// can't be started, or that the sandbox can't.
const (
	saysReady   = "ready\n"
	saysProgram = "program: "
	saysSandbox = "sandbox: "
)

// startLauncher starts this binary in between, within bubblewrap or to put
// landlock upon itself; it becomes the program.
func (s *supervisor) startLauncher(stdin, stdout, stderr *os.File) error {
	q := s.request
	q.Stage, q.Redact = stageLaunch, nil
	text, err := json.Marshal(q)
	if err != nil {
		return fmt.Errorf("write what to launch: %w", err)
	}
	in, inWriter, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("create a pipe: %w", err)
	}
	defer in.Close()
	status, statusWriter, err := os.Pipe()
	if err != nil {
		inWriter.Close()
		return fmt.Errorf("create a pipe: %w", err)
	}
	defer statusWriter.Close()
	argv := s.Self
	if s.Level == loops.Bubblewrap {
		argv = append(bubblewrapArgv(s.Bubblewrap, s.Process, s.Self[0], s.Program), s.Self...)
	}
	env := slices.DeleteFunc(slices.Clone(s.Env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return name != schema.RunVariable && name != placeVariable
	})
	s.main, err = fork(argv[0], argv, env, s.Process.Dir, in, stdout, stderr, stdin, statusWriter)
	if err != nil {
		inWriter.Close()
		status.Close()
		return err
	}
	go func() {
		_, _ = inWriter.Write(text) // a launcher that does not read it says nothing
		inWriter.Close()
	}()
	s.status = make(chan string, 1)
	go func() {
		said, _ := io.ReadAll(io.LimitReader(status, 64<<10))
		status.Close()
		s.status <- string(said)
	}()
	return nil
}

// launched returns why the program was not started, if it was not. A sandbox that
// failed is a fault of the supervisor's part.
func (s *supervisor) launched(err *error) error {
	if s.Level == loops.Bare {
		return nil
	}
	said := <-s.status
	if why, ok := strings.CutPrefix(said, saysSandbox); ok {
		*err = errors.Join(*err, errors.New("create a sandbox: "+why))
		return nil
	}
	ready, rest := strings.HasPrefix(said, saysReady), strings.TrimPrefix(said, saysReady)
	if why, ok := strings.CutPrefix(rest, saysProgram); ok {
		return errors.New(why)
	}
	if !ready && s.exit.Why == loops.Exited {
		*err = errors.Join(*err, fmt.Errorf("create a sandbox: %s exited before the program started; its output is in %s", s.Level, s.Process.Stderr))
	}
	return nil
}

// launch becomes the program. It returns only if it can't.
func launch(q request) error {
	status := os.NewFile(launchStatus, "status")
	say := func(kind string, err error) error {
		_, _ = io.WriteString(status, kind+err.Error())
		return err
	}
	if q.Level == loops.Landlock {
		if err := restrict(q.Process); err != nil {
			return say(saysSandbox, err)
		}
	}
	if err := syscall.Dup3(launchInput, 0, 0); err != nil {
		return say(saysSandbox, fmt.Errorf("pass the input: %w", err))
	}
	syscall.CloseOnExec(launchInput)
	syscall.CloseOnExec(launchStatus)
	if _, err := io.WriteString(status, saysReady); err != nil {
		return err
	}
	return say(saysProgram, fmt.Errorf("start %s: %w", q.Process.Argv[0], syscall.Exec(q.Program, q.Process.Argv, q.Env)))
}
