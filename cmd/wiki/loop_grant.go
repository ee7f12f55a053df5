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
		Short: "Promote a loop to a more autonomous mode",
		Long: `Allow a loop to run in MODE: manual, shadow, draft or autonomous. The grant is
recorded in .loopwiki/modes.yaml with the person, the reason and the loop's
current score, and takes effect when it is committed.

A loop is promoted one mode at a time, once its score allows it; 'wiki loop mode'
lists what is missing. Shadow and lower modes need no score. It is refused within
a run: only people grant modes.`,
		Example: `  wiki loop grant execution shadow --by ada --reason "let us see what it does"
  wiki loop grant execution draft --by ada --reason "five of five accepted"`,
		Annotations: exits("0  the grant was recorded", "2  the score is too low, or within a run"),
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
	f.StringVar(&by, "by", "", "`NAME` of the person responsible")
	f.StringVar(&reason, "reason", "", "the reason, as `TEXT`")
	return c
}

func runLoopGrant(cmd *cobra.Command, p *program, loop, to, by, reason string) error {
	if err := p.outsideOfRuns(cmd.Context(), "loop grant", "run it yourself, outside of the loop"); err != nil {
		return err
	}
	switch {
	case !contains(loopModes, to):
		return misuse(oneOf(to, loopModes), "unknown mode %q", to)
	case strings.TrimSpace(by) == "":
		return misuse("name the person responsible", "--by NAME is required")
	case strings.TrimSpace(reason) == "":
		return misuse("for example --reason \"five of five runs accepted\"", "--reason TEXT is required")
	}
	ctl, err := p.loops(cmd)
	if err != nil {
		return err
	}
	score, err := modes.New(ctl.Repo).Grant(cmd.Context(), loop, loops.Mode(to), by, reason)
	if err != nil {
		return err
	}
	p.say("%s may run in %s, on %s; commit %s for it to take effect", loop, to, score, mode.File)
	return nil
}
