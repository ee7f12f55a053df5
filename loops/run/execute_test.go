package run

import (
	"errors"
	"testing"
	"time"

	"github.com/loopwiki/wiki/loops"
)

// The journal of a run on another host grows by what it is sent, once, in order, and never by
// what contradicts it.
func TestExtend(t *testing.T) {
	t.Parallel()
	s := NewStore(t.TempDir())
	note := func(why string) loops.Event {
		return loops.Event{Kind: loops.Noted, At: time.Unix(0, 0).UTC(), Why: why}
	}
	a, b, c := note("a"), note("b"), note("c")
	for _, step := range []struct {
		name  string
		first int
		more  []loops.Event
		want  int // events afterwards
		bad   bool
	}{
		{"the first", 1, []loops.Event{a}, 1, false},
		{"one that is there, and the next", 1, []loops.Event{a, b}, 2, false},
		{"one behind a gap", 4, []loops.Event{c}, 2, true},
		{"another in its place", 2, []loops.Event{c}, 2, true},
		{"the next", 3, []loops.Event{c}, 3, false},
		{"nothing", 4, nil, 3, false},
	} {
		_, err := s.Extend("r", step.first, step.more)
		if (err != nil) != step.bad {
			t.Errorf("%s: %v", step.name, err)
		}
		var behind *BehindError
		if step.first > step.want+1 && (!errors.As(err, &behind) || behind.Have != step.want) {
			t.Errorf("%s: %v", step.name, err)
		}
		if got, _, err := ReadJournal(s.Folder("r") + "/journal.jsonl"); err != nil || len(got) != step.want {
			t.Errorf("%s: %d events, %v", step.name, len(got), err)
		}
	}
}
