package control

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/run"
)

// Live prints events while a run goes on.
type Live struct {
	JSON  io.Writer // a line of JSON for each event; nil for none
	Say   func(line string)
	Now   func(s loops.State) // sees every state; it may be nil
	Flush func() error
	// Calling learns where the output of a call grows; it may be nil.
	Calling func(folder string)
	// Verbose says what agents print, line by line, as they print it.
	Verbose bool

	unfollow func()
}

// attach lets a driver tell of its run.
func (l *Live) attach(d *run.Driver) {
	d.Watch = l.Watch
	d.Calls = func(folder string) {
		if l.Calling != nil {
			l.Calling(folder)
		}
		if l.Verbose {
			l.Follow(folder)
		}
	}
}

// note says what is worth knowing of the worktree of a run.
func (l *Live) note(text string) { l.Say("note: " + text) }

// Watch prints one event.
func (l *Live) Watch(e loops.Event, s *loops.State) {
	if l.unfollow != nil && e.Kind != loops.Began {
		l.unfollow()
		l.unfollow = nil
	}
	if l.JSON != nil {
		if text, err := json.Marshal(e); err == nil {
			fmt.Fprintf(l.JSON, "%s\n", text)
			_ = l.Flush() // who closed the pipe does not end the run
		}
	}
	if l.Now != nil {
		l.Now(*s)
	}
	if line := run.Line(e, s); line != "" {
		l.Say(line)
	}
}

// Follow says what a call of an agent prints, until something else happens. dir
// is where its output goes.
func (l *Live) Follow(dir string) {
	stop, done := make(chan struct{}), make(chan struct{})
	l.unfollow = func() { close(stop); <-done }
	go func() {
		defer close(done)
		t := time.NewTicker(100 * time.Millisecond)
		defer t.Stop()
		tails := []*tail{{file: filepath.Join(dir, "stdout")}, {file: filepath.Join(dir, "stderr")}}
		for last := false; ; {
			for _, f := range tails {
				f.say(l.Say, last)
			}
			if last {
				return
			}
			select {
			case <-stop:
				last = true
			case <-t.C:
			}
		}
	}()
}

// tail is a file that grows.
type tail struct {
	file string
	read int64
	rest string // a line without its end
}

// mostAtOnce is how much of a file is read at once, in bytes.
const mostAtOnce = 1 << 20

// say says the lines that came to the file.
func (t *tail) say(say func(string), last bool) {
	f, _, err := files.OpenPath(t.file)
	if err != nil {
		return // it does not exist yet
	}
	defer f.Close()
	for {
		src, err := io.ReadAll(io.NewSectionReader(f, t.read, mostAtOnce))
		t.read += int64(len(src))
		t.rest += string(src)
		for {
			line, rest, ok := strings.Cut(t.rest, "\n")
			if !ok {
				break
			}
			say(line)
			t.rest = rest
		}
		if err != nil || len(src) < mostAtOnce {
			break
		}
	}
	if last && t.rest != "" {
		say(t.rest)
		t.rest = ""
	}
}
