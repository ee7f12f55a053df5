package run

import (
	"bytes"
	"context"
	"errors"
	"os"
	"time"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
)

// followEvery is how often the output of a call is read while it is written.
const followEvery = 250 * time.Millisecond

// maxLine is how long a line is that is looked at, in bytes.
const maxLine = 1 << 20

// follow runs a program, and ends it when its agent says that it has to end, or when its
// vendor fails for as long as it may be silent: what it prints then is no sign of life. It
// reports whether the vendor had to answer in the longest pause of the output.
func (d *Driver) follow(ctx context.Context, agent loops.Agent, p loops.Process) (exit loops.Exit, waiting bool, err error) {
	f := agent.Follow()
	if f == nil {
		exit, err = d.Container.Run(ctx, p)
		return exit, false, err
	}
	running, end := context.WithCancelCause(ctx)
	defer end(nil)
	w := watcher{Follower: f, out: tail{path: p.Stdout}, log: tail{path: p.Stderr}, silence: p.Silence}
	done := make(chan struct{})
	go func() {
		defer close(done)
		if e := w.watch(running); e != nil {
			end(e)
		}
	}()
	exit, err = d.Container.Run(running, p)
	var e *enough
	if errors.As(context.Cause(running), &e) && exit.Why == loops.EndedStopped && ctx.Err() == nil {
		exit.Why, exit.Error = e.end, e.why
	}
	end(nil)
	<-done
	return exit, w.waiting, err
}

// enough is why a call is ended by what it printed.
type enough struct {
	end loops.Ended
	why string
}

func (e *enough) Error() string { return string(e.end) + ": " + e.why }

// watcher reads what a program prints.
type watcher struct {
	loops.Follower
	out, log tail
	silence  time.Duration // 0: without limit
	failing  time.Time     // since when its vendor fails, zero if it does not
	heard    time.Time     // when it printed something last
	longest  time.Duration // pause of its output
	waiting  bool          // its vendor had to answer in that pause
}

// watch reads until the context ends, or there is enough of it.
func (w *watcher) watch(ctx context.Context) error {
	defer w.out.close()
	defer w.log.close()
	tick := time.NewTicker(followEvery)
	defer tick.Stop()
	w.heard = time.Now()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if e := w.look(time.Now()); e != nil {
			return e
		}
	}
}

// look reads what is new.
func (w *watcher) look(now time.Time) error {
	if pause := now.Sub(w.heard); pause > w.longest {
		w.longest, w.waiting = pause, w.Waiting()
	}
	out, log := w.out.lines(func(line []byte) { w.Line(line, false) }), w.log.lines(func(line []byte) { w.Line(line, true) })
	if out || log {
		w.heard = now
	}
	if why := w.Ends(); why != "" {
		return &enough{loops.EndedRepeats, why}
	}
	switch {
	case !w.Failing():
		w.failing = time.Time{}
	case w.failing.IsZero():
		w.failing = now
	case w.silence > 0 && now.Sub(w.failing) >= w.silence:
		return &enough{end: loops.EndedSilence}
	}
	return nil
}

// tail reads the lines of a file that is being written.
type tail struct {
	path string
	file *os.File
	rest []byte // of a line whose end is not there yet
}

// lines calls take with the lines that came since the last time, and reports whether
// anything came.
func (t *tail) lines(take func(line []byte)) (some bool) {
	if t.file == nil {
		f, _, err := files.OpenPath(t.path)
		if err != nil {
			return false // it is not there yet
		}
		t.file = f
	}
	var buffer [64 << 10]byte
	for {
		n, _ := t.file.Read(buffer[:])
		if n == 0 {
			return some
		}
		some = true
		t.rest = append(t.rest, buffer[:n]...)
		for {
			line, after, ok := bytes.Cut(t.rest, []byte("\n"))
			if !ok {
				break
			}
			t.rest = after
			take(line)
		}
		if len(t.rest) > maxLine {
			t.rest = nil // what follows of it is no event
		}
	}
}

func (t *tail) close() {
	if t.file != nil {
		t.file.Close()
	}
}
