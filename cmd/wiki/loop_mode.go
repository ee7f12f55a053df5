package main

import (
	"errors"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control"
	"github.com/loopwiki/wiki/loops/control/modes"
	"github.com/loopwiki/wiki/loops/control/publish"
	"github.com/loopwiki/wiki/schema"
	"github.com/spf13/cobra"
)

// modesDocument is what loop mode prints as JSON.
type modesDocument struct {
	Version int               `json:"version" jsonschema:"version of this document, 1"`
	Loops   []schema.LoopMode `json:"loops" jsonschema:"how far each loop may go, and why"`
}

func newLoopMode(p *program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "mode",
		Short: "Say how far each loop may go on its own, and what the next step takes",
		Long: `Mode says how far each loop may go: manual, shadow, draft or autonomous. A step
is granted by a person on the score of the runs in the mode before: at least five
that are judged, of the last ten, 80 % of them accepted, none with an incident of
scope, tampering or containment, and no accepted change above the limit of
budget: change_usd. A person accepts or rejects a run with 'wiki loop approve'
and 'wiki loop reject'; accepted is also what was merged, or what stands in the
commits made since. A run that does not reach its goal counts as not accepted.

The way back is the runner's: two of the last ten rejected, such an incident, or
changes above their limit take a loop one step back. A loop that nobody granted
a mode may go as far as draft: a person starts it and reads the branch.`,
		Example:     "  wiki loop mode\n  wiki loop mode --json | jq '.loops[].missing'",
		Annotations: exits("0  the modes were printed"),
		SuggestFor:  []string{"modes", "score"},
		Args:        takes(0, false),
		RunE: func(cmd *cobra.Command, _ []string) error {
			place, err := p.loops(cmd)
			if err != nil {
				return err
			}
			modes, err := modes.New(place.Repo).Modes(cmd.Context())
			if err != nil {
				return err
			}
			if asJSON {
				return p.json(modesDocument{1, modes})
			}
			for i := range modes {
				p.printMode(&modes[i])
			}
			if len(modes) == 0 {
				p.say("no loop has run yet; it may go as far as draft")
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON document")
	return c
}

func (p *program) printMode(m *schema.LoopMode) {
	p.out.Printf("%-14s%s%s\n", m.Loop, m.Mode, modeWhy(m))
	p.out.Printf("  score    %s\n", modes.ScoreLine(m.Score))
	for _, o := range m.Open {
		p.out.Printf("  open     %s, %.0f %% of it is what was committed since\n", o.Run, 100*o.Agreement)
	}
	switch {
	case m.Next == "":
	case len(m.Missing) == 0:
		p.out.Printf("  earned   %s: wiki loop grant %s %s --by NAME --reason TEXT\n", m.Next, m.Loop, m.Next)
	}
	for _, missing := range m.Missing {
		p.out.Printf("  missing  for %s: %s\n", m.Next, missing)
	}
}

// modeWhy says why a loop may go as far as it may.
func modeWhy(m *schema.LoopMode) string {
	text := "  granted by " + m.By
	switch {
	case !m.Granted:
		text = "  by a person's own command; nobody granted it anything"
	case m.Back:
		text = "  a step back: " + m.Reason
	}
	if m.Granted {
		text += ", " + m.Since.UTC().Format(time.DateOnly)
	}
	if m.Pending {
		text += "; a grant is not committed yet"
	}
	return text
}

// judge writes down what a person made of a run that is over, and says what
// follows: to people only where standard output is for events.
func (p *program) judge(cmd *cobra.Command, place *control.Controller, id string, a *loops.Answer, asJSON bool) error {
	url, err := publish.New(place.Repo).Judge(cmd.Context(), id, a)
	var closed *publish.UnpublishedError
	if err != nil && !errors.As(err, &closed) {
		return err
	}
	word := "rejected"
	if a.Approve {
		word = "accepted"
	}
	tell := p.say
	if !asJSON {
		tell = func(format string, args ...any) { p.out.Printf(format+"\n", args...) }
	}
	tell("%-12s %s", word, id)
	switch {
	case closed != nil:
		p.say("%v; to open one: %s", closed, closed.Hint())
	case url != "":
		tell("  pull request: %s", url)
	}
	said, err := modes.New(place.Repo).StepBack(cmd.Context())
	for _, line := range said {
		p.say("%s", line)
	}
	return err
}
