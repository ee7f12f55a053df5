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

// modesDocument is the JSON of loop mode.
type modesDocument struct {
	Version int               `json:"version" jsonschema:"version of this document, 1"`
	Loops   []schema.LoopMode `json:"loops" jsonschema:"the mode of each loop, and why"`
}

func newLoopMode(p *program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "mode",
		Short: "Show the mode of each loop, and what promotion needs",
		Long: `Show the mode of each loop: manual, shadow, draft or autonomous. A person
promotes a loop on the score of its last ten runs in the current mode: at least
five of them judged, 80 % of those accepted, no incident of scope, tampering or
containment, and no accepted change above budget.change_usd. Runs are accepted
or rejected with 'wiki loop approve' and 'wiki loop reject'; a change that was
merged, or made by a later commit, is accepted too. A run that does not meet its
goal counts as not accepted.

The runner demotes a loop by one mode after two rejections in the last ten runs,
after such an incident, or after changes above their limit. A loop without a
grant may run up to draft: a person starts it and reviews the branch.`,
		Example:     "  wiki loop mode\n  wiki loop mode --json | jq '.loops[].missing'",
		Annotations: exits("0  the modes were printed"),
		SuggestFor:  []string{"modes", "score"},
		Args:        takes(0, false),
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctl, err := p.loops(cmd)
			if err != nil {
				return err
			}
			modes, err := modes.New(ctl.Repo).Modes(cmd.Context())
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
				p.say("no loop has run yet; loops may run up to draft")
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	return c
}

func (p *program) printMode(m *schema.LoopMode) {
	p.out.Printf("%-14s%s%s\n", m.Loop, m.Mode, modeWhy(m))
	p.out.Printf("  score    %s\n", modes.ScoreLine(m.Score))
	for _, o := range m.Open {
		p.out.Printf("  open     %s, %.0f %% of it was committed since\n", o.Run, 100*o.Agreement)
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

// modeWhy explains the mode of a loop.
func modeWhy(m *schema.LoopMode) string {
	text := "  granted by " + m.By
	switch {
	case !m.Granted:
		text = "  no grant; a person starts each run"
	case m.Back:
		text = "  demoted: " + m.Reason
	}
	if m.Granted {
		text += ", " + m.Since.UTC().Format(time.DateOnly)
	}
	if m.Pending {
		text += "; a grant is not committed yet"
	}
	return text
}

// judge records a person's verdict on a finished run and prints what follows, on
// standard error if standard output is for events.
func (p *program) judge(cmd *cobra.Command, ctl *control.Controller, id string, a *loops.Answer, asJSON bool) error {
	url, err := publish.New(ctl.Repo).Judge(cmd.Context(), id, a)
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
		p.say("%v; to open it: %s", closed, closed.Hint())
	case url != "":
		tell("  pull request: %s", url)
	}
	said, err := modes.New(ctl.Repo).StepBack(cmd.Context())
	for _, line := range said {
		p.say("%s", line)
	}
	return err
}
