package main

import (
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/modes"
	"github.com/loopwiki/wiki/loops/mode"
	"github.com/spf13/cobra"
)

func newLoopGrant(p *program) *cobra.Command {
	var by, reason string
	c := &cobra.Command{
		Use:   "grant LOOP MODE --by NAME --reason TEXT",
		Short: "Let a loop go a step further on its own",
		Long: `Grant writes into .loopwiki/modes.yaml that a loop may go as far as MODE: manual,
shadow, draft or autonomous, with who says so, why, and the score at that time.
Commit it: a grant counts when it is committed.

One step at a time is granted, and only when it is earned; 'wiki loop mode' says
what is missing. A step down, and shadow, need nothing. It is for people: within
a run of a loop it is refused.`,
		Example: `  wiki loop grant execution shadow --by ada --reason "let us see what it does"
  wiki loop grant execution draft --by ada --reason "five of five as we did it"`,
		Annotations: exits("0  the grant is written", "2  it is not earned, or within a run"),
		SuggestFor:  []string{"promote", "allow"},
		Args:        takes(2, false, "LOOP", "MODE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runLoopGrant(cmd, p, args[0], args[1], by, reason)
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 1 {
				return loopModes, cobra.ShellCompDirectiveNoFileComp
			}
			return []string{"execution"}, cobra.ShellCompDirectiveNoFileComp
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&by, "by", "", "the `NAME` of who answers for it")
	f.StringVar(&reason, "reason", "", "`TEXT` that says why")
	return c
}

func runLoopGrant(cmd *cobra.Command, p *program, loop, to, by, reason string) error {
	if err := p.outsideOfRuns(cmd.Context(), "loop grant", "a person decides this, outside of the loop"); err != nil {
		return err
	}
	switch {
	case !contains(loopModes, to):
		return misuse(oneOf(to, loopModes), "unknown mode %q", to)
	case strings.TrimSpace(by) == "":
		return misuse("add --by NAME: somebody answers for it", "loop grant needs --by")
	case strings.TrimSpace(reason) == "":
		return misuse("add --reason TEXT, for those who come across it", "loop grant needs --reason")
	}
	place, err := p.loops(cmd)
	if err != nil {
		return err
	}
	score, err := modes.New(place.Repo).Grant(cmd.Context(), loop, loops.Mode(to), by, reason)
	if err != nil {
		return err
	}
	p.say("%s is granted %s, on %s; commit %s: it counts from then on", loop, to, score, mode.File)
	return nil
}
