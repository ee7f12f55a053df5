// Wiki compiles a folder of markdown into a linked, checked, searchable body
// of knowledge: it lints the pages as a compiler does code, renders them as a
// static site, and answers questions about them.
//
// Every command is one file of this package. It turns flags and arguments into
// calls of the rooms beside cmd and prints what they return; nothing else
// happens here. Data goes to standard output, words for people to standard
// error. No other package of the module reads the arguments or the environment
// of the process, or ends it.
//
// # Exit status
//
//	0    done, nothing to complain about
//	1    findings, or a goal that was not met
//	2    usage, configuration or unreadable input
//	3    something is missing from the environment: git, a browser, a free port, disk space
//	130  interrupted
package main

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/loopwiki/wiki/schema/writing"
)

func main() {
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		tuneMemory()
	}
	ctx, stop := interruptible()
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv)
	stop()
	os.Exit(code)
}

// After a signal a command has so long to end by itself, and files that are
// being written then have so long to be completed. Both together are less than
// a second.
const (
	exitPatience = 600 * time.Millisecond
	lastMoments  = 300 * time.Millisecond
)

// unhurried is set by a command that has to end processes of its own after a signal. It takes
// as long as this needs, and the second signal ends it at once.
var unhurried atomic.Bool

// interruptible returns a context that the first interrupt cancels, with the
// signal as its cause. The process ends soon after it whatever the command
// does, and at the second one at once, but not while a file is being written.
//
// What supervises a program of a loop has to end that program first, and takes
// as long as this needs; there the second signal ends the process as if nobody
// had listened.
func interruptible() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 2)
	heard := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup asks to outlive the terminal
		heard = append(heard, syscall.SIGHUP)
	}
	signal.Notify(signals, heard...)
	supervises := len(os.Args) > 1 && os.Args[1] == superviseName
	ended := make(chan struct{})
	go func() {
		select {
		case <-ended:
		case s := <-signals:
			if supervises {
				signal.Stop(signals)
			}
			writing.Interrupt()
			cancel(signalled{s})
			if !supervises {
				endSoon(signalled{s}, signals, ended)
			}
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		close(ended)
	}
}

// endSoon ends the process unless the command ends by itself.
func endSoon(s signalled, signals <-chan os.Signal, ended <-chan struct{}) {
	patience := time.After(exitPatience)
	if unhurried.Load() {
		patience = nil
	}
	select {
	case <-ended:
		return
	case <-signals:
	case <-patience:
	}
	writing.Wait(lastMoments)
	os.Exit(s.code())
}

// signalled is the cause of a context cancelled by a signal.
type signalled struct{ os.Signal }

func (s signalled) Error() string { return s.String() }

// code is the exit code by which shells know a process that a signal ended.
func (s signalled) code() int {
	if s.Signal == syscall.SIGTERM {
		return 143
	}
	return 130
}
