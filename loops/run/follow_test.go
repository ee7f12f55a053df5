package run

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/loopwiki/wiki/loops"
)

// scripted follows an output of words: each line says what it is.
type scripted struct{ repeats, failing, waiting, logged bool }

func (s *scripted) Line(line []byte, stderr bool) {
	switch word := string(line); {
	case stderr:
		s.logged = true
	case word == "repeats":
		s.repeats = true
	default:
		s.failing, s.waiting = word == "fails", word == "asks"
	}
}

func (s *scripted) Ends() string {
	if s.repeats {
		return "again and again"
	}
	return ""
}

func (s *scripted) Failing() bool { return s.failing }
func (s *scripted) Waiting() bool { return s.waiting }

// TestOutputIsWatched lets a call print, second by second, with a silence timeout of ten.
func TestOutputIsWatched(t *testing.T) {
	t.Parallel()
	for name, row := range map[string]struct {
		prints  string // a word per second; . prints nothing, _ the beginning of a line
		end     loops.Ended
		at      int // the second in which it is ended
		waiting bool
	}{
		"ends well":                      {prints: "asks answers asks answers"},
		"its tools repeat an error":      {prints: "asks repeats answers", end: loops.EndedRepeats, at: 2},
		"a line is not complete":         {prints: "asks _repeats . .", waiting: true},
		"its vendor fails for a while":   {prints: "asks fails fails fails fails fails fails answers fails fails fails fails fails"},
		"its vendor fails for ten":       {prints: "asks fails fails . . fails fails . fails fails fails fails fails", end: loops.EndedSilence, at: 12},
		"is silent when it asked":        {prints: "answers . asks . . . .", waiting: true},
		"is silent when a tool ran":      {prints: "asks . answers . . . ."},
		"is killed when it asked":        {prints: "asks . . . . answers", waiting: true},
		"is killed, and asks in the end": {prints: "answers . . . . asks ."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			s := &scripted{}
			now := time.Date(2026, 7, 4, 8, 0, 0, 0, time.UTC)
			w := watcher{Follower: s, out: tail{path: filepath.Join(dir, "stdout")}, log: tail{path: filepath.Join(dir, "stderr")}, silence: 10 * time.Second, heard: now}
			defer w.out.close()
			defer w.log.close()
			if e := w.look(now); e != nil {
				t.Fatal(e)
			}
			out, err := os.Create(filepath.Join(dir, "stdout"))
			if err != nil {
				t.Fatal(err)
			}
			defer out.Close()
			var end *enough
			at := 0
			for _, word := range strings.Fields(row.prints) {
				at++
				if partial, ok := strings.CutPrefix(word, "_"); ok {
					out.WriteString(partial)
				} else if word != "." {
					out.WriteString(word + "\n")
				}
				now = now.Add(time.Second)
				if errors.As(w.look(now), &end) {
					break
				}
			}
			switch {
			case end == nil && row.end != "", end != nil && (end.end != row.end || at != row.at):
				t.Errorf("ended as %v in second %d, want %s in %d", end, at, row.end, row.at)
			case w.waiting != row.waiting:
				t.Errorf("its vendor had to answer: %v, want %v", w.waiting, row.waiting)
			}
		})
	}
}

func TestStandardErrorIsWatched(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "stderr"), []byte("a line\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &scripted{}
	w := watcher{Follower: s, out: tail{path: filepath.Join(dir, "stdout")}, log: tail{path: filepath.Join(dir, "stderr")}}
	defer w.log.close()
	if err := w.look(time.Now()); err != nil || !s.logged {
		t.Errorf("%v, logged %v", err, s.logged)
	}
}
