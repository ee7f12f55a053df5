package task

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// Standing is how a task file stands.
type Standing struct {
	Version int             `json:"version"`
	File    string          `json:"file" jsonschema:"path of the task file"`
	Title   string          `json:"title"`
	Format  string          `json:"format" jsonschema:"lodeloop, ralph or agent-loop"`
	Stories []StoryStanding `json:"stories"`
	// Breaker is of lodeloop alone.
	Breaker *BreakerStanding `json:"breaker,omitempty" jsonschema:"ends runs without progress; lodeloop only"`
	// Last is nil where nothing was run.
	Last *schema.RunSummary `json:"last_run,omitempty"`

	note string
}

// StoryStanding is a story of a task file.
type StoryStanding struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	Passes bool   `json:"passes"`
}

// BreakerStanding is the breaker that the next run begins with.
type BreakerStanding struct {
	State      string `json:"state" jsonschema:"CLOSED, HALF_OPEN or OPEN"`
	Reason     string `json:"reason,omitempty"`
	NoProgress int    `json:"no_progress" jsonschema:"iterations in a row without progress"`
	SameError  int    `json:"same_error" jsonschema:"iterations in a row with the same error"`
}

// Standing says how the task file stands. last is its last run, nil if there is none.
func (t *Task) Standing(last *schema.RunSummary) (*Standing, error) {
	s := &Standing{Version: 1, File: t.File, Title: t.Plan.Title, Format: string(t.Plan.Format), Stories: []StoryStanding{}, Last: last}
	for _, c := range t.Plan.Chunks {
		s.Stories = append(s.Stories, StoryStanding{c.ID, c.Title, c.Done})
	}
	if t.Plan.Format == loops.LodeloopTask {
		root, err := files.Open(t.Workdir)
		if err != nil {
			return nil, err
		}
		defer root.Close()
		src, err := readIn(root, path.Join(plan.LodeloopFolder, plan.LodeloopCircuit))
		if err != nil {
			return nil, err
		}
		c := loops.Breaker{State: loops.Closed}
		if src != nil {
			if c, err = plan.ReadCircuit(src); err != nil {
				s.note = fmt.Sprintf("note: %v; it is recreated\n", err)
			}
		}
		s.Breaker = &BreakerStanding{string(c.State), c.Reason, c.NoProgress, c.Same}
	}
	return s, nil
}

// String returns the standing for people.
func (s *Standing) String() string {
	var b, stories strings.Builder
	done := 0
	for _, c := range s.Stories {
		word := "open  "
		if c.Passes {
			word = "passes"
			done++
		}
		text.Fprintf(&stories, "  %s %s %s\n", word, c.ID, c.Title)
	}
	text.Fprintf(&b, "%s: %s\nstories  %d of %d pass\n%s%s", filepath.Base(s.File), s.Title, done, len(s.Stories), text.Block(stories.String()), text.Block(s.note))
	if c := s.Breaker; c != nil {
		text.Fprintf(&b, "breaker  %s", c.State)
		if c.Reason != "" {
			text.Fprintf(&b, ", %s", c.Reason)
		}
		text.Fprintf(&b, " (%d without progress, %d with the same error)\n", c.NoProgress, c.SameError)
	}
	if s.Last != nil {
		text.Fprintf(&b, "last run %s: %s\n", s.Last.ID, s.Last.Status)
	} else {
		b.WriteString("last run none\n")
	}
	return b.String()
}
