package main

import (
	"io"
	"os"
	"sync"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control"
	runs "github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/schema/text"
	"golang.org/x/term"
)

// liveView shows a run: lines for events, and on a terminal one more line that
// says what happens at this moment. The function ends it.
func (p *program) liveView(o loopRunOptions) (*control.Live, func()) {
	live := &control.Live{Flush: p.out.Flush, Say: func(string) {}, Verbose: p.verbose}
	switch {
	case o.json:
		live.JSON = text.JSON(p.out)
		return live, func() {}
	case p.quiet:
		return live, func() {}
	case !p.redraws():
		live.Say = func(line string) { p.err.Println(line) }
		return live, func() {}
	}
	b := &bottomLine{out: p.err, columns: func() int { return columns(p.terminal) }}
	live.Say, live.Now, live.Calling = b.say, b.now, b.calling
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		t := time.NewTicker(time.Second)
		defer t.Stop()
		for {
			select {
			case <-stop:
				return
			case <-t.C:
				b.draw(time.Now())
			}
		}
	}()
	return live, func() { close(stop); <-stopped; b.clear() }
}

// redraws reports whether standard error is a terminal that takes the escape
// sequences by which a line changes in place.
func (p *program) redraws() bool {
	return p.live && !p.noColor && p.env("NO_COLOR") == "" && p.env("TERM") != "dumb"
}

// columns is how wide a terminal is at this moment.
func columns(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 0 {
			return n
		}
	}
	return 80
}

// bottomLine is the last line of the terminal, which changes in place. The run updates
// it and a timer draws it, so both take the lock.
type bottomLine struct {
	out     *text.Writer
	columns func() int

	mu     sync.Mutex
	state  *loops.State
	folder string // of the call in work
}

func (b *bottomLine) say(line string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.out.Printf("%s%s\n", wipe, line)
}

// now takes what the run has come to. The kernel never changes a state that it
// has returned.
func (b *bottomLine) now(s loops.State) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.state, b.folder = &s, ""
}

func (b *bottomLine) calling(folder string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.folder = folder
}

func (b *bottomLine) draw(at time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.state == nil {
		return
	}
	line := runs.Now(b.state, at.UTC())
	if b.folder != "" {
		if last := runs.LastOutput(b.folder); last != "" {
			line += "  " + last
		}
	}
	// The last column stays empty: some terminals begin a new line when it is full.
	b.out.Printf("%s%s", wipe, runs.Fit(runs.Printable(line), b.columns()-1))
}

func (b *bottomLine) clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.out.Printf("%s", wipe)
}
