// Package writing keeps a process from ending while it writes a file.
//
// Writers call [Begin] around what must not be left half done: one file, or one
// change of several. When a signal arrives the process calls [Interrupt], so that
// long writers give up by themselves, and [Wait] before it ends.
package writing

import (
	"sync"
	"sync/atomic"
	"time"
)

var (
	gate        sync.RWMutex
	interrupted atomic.Bool
)

// Begin marks the beginning of a write and returns the function that marks its
// end. It blocks for good once [Wait] has been called: the process is ending. A
// writer doesn't call it again before the end.
func Begin() (end func()) {
	gate.RLock()
	return gate.RUnlock
}

// Interrupt asks long writers to give up.
func Interrupt() { interrupted.Store(true) }

// Interrupted reports whether the process was asked to end. A writer that
// changes many files looks at it between two of them, and undoes what it did.
func Interrupted() bool { return interrupted.Load() }

// Wait blocks new writes, and waits for pending ones, but no longer than limit. The
// process must exit afterwards.
func Wait(limit time.Duration) {
	idle := make(chan struct{})
	go func() {
		gate.Lock()
		close(idle)
	}()
	select {
	case <-idle:
	case <-time.After(limit):
	}
}
