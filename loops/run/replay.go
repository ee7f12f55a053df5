package run

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
)

// ReplayStep is one event of a journal, and what the kernel decides by it.
type ReplayStep struct {
	Text string
	// Same is false if the runner did something then that the kernel does not
	// decide now.
	Same bool
}

// Replay feeds the events of a journal to the kernel again.
func Replay(events []loops.Event) iter.Seq[ReplayStep] {
	return func(yield func(ReplayStep) bool) {
		var s loops.State
		var due []loops.Command
		for i, e := range events {
			step := ReplayStep{Same: true}
			if e.Kind == loops.Began && e.Command != nil {
				at := slices.IndexFunc(due, func(c loops.Command) bool {
					return c.Key == e.Key && c.Kind == e.Command.Kind && c.Tree == e.Command.Tree
				})
				step.Same = at >= 0
				if at >= 0 {
					due = slices.Delete(due, at, at+1)
				}
			}
			next, out := loops.Step(s, e)
			s = next
			due = append(due, out...)
			var what []string
			for _, c := range out {
				what = append(what, string(c.Kind)+" "+c.Key)
			}
			step.Text = fmt.Sprintf("%4d %-11s %-9s %s", i+1, e.Kind, s.Status, strings.Join(what, ", "))
			if !step.Same {
				step.Text += "  DIFFERS: the runner did " + e.Key + " here"
			}
			if !yield(step) {
				return
			}
		}
	}
}
