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
//	3    something is missing from the environment: git, a browser, a free port
//	130  interrupted
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
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

// interruptible returns a context that the first interrupt cancels, with the
// signal as its cause. The second one ends the process at once, as if nobody
// had listened.
func interruptible() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 1)
	heard := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup asks to outlive the terminal
		heard = append(heard, syscall.SIGHUP)
	}
	signal.Notify(signals, heard...)
	go func() {
		if s, ok := <-signals; ok {
			signal.Stop(signals)
			cancel(signalled{s})
		}
	}()
	return ctx, func() { signal.Stop(signals) }
}

// signalled is why a context was cancelled.
type signalled struct{ os.Signal }

func (s signalled) Error() string { return s.String() }

// code is the exit status by which shells know a process that a signal ended.
func (s signalled) code() int {
	if s.Signal == syscall.SIGTERM {
		return 143
	}
	return 130
}
