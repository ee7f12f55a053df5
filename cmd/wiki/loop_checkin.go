package main

import (
	"slices"

	"github.com/loopwiki/wiki/loops/control/checkin"
	"github.com/spf13/cobra"
)

type checkinOptions struct {
	output, archive, specs string
	skip                   []string
}

// checkins are the names of the checks, in order.
var checkins = []string{"lint", "links", "specs", "selftest"}

func newLoopCheckin(p *program) *cobra.Command {
	var o checkinOptions
	c := &cobra.Command{
		Use:   "checkin",
		Short: "Check wiki, specs and containment once a day",
		Long: `Run the checks of a daily check-in, and write a report in markdown:

  lint      the wiki has no findings that fail
  links     the same for links alone
  specs     every loop spec in agents/loops is valid: YAML, JSON with a loop_name
  selftest  scripted agents that cheat are held; this takes some minutes

Each is an ordinary command, which the report names.`,
		Example: `  wiki loop checkin --output checkin.md
  wiki loop checkin --skip selftest --archive wiki/90_LOG/checkins`,
		Annotations: exits("0  every check passed", "1  a check failed"),
		SuggestFor:  []string{"daily", "check-in"},
		Args:        takes(0, false),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runLoopCheckin(cmd, p, o)
		},
	}
	f := c.Flags()
	f.StringVar(&o.output, "output", "", "write the report to `FILE`")
	f.StringVar(&o.archive, "archive", "", "write the report to `DIR`/YYYY-MM-DD.md")
	f.StringVar(&o.specs, "specs", "agents/loops", "look for loop specs below `DIR`")
	f.StringSliceVar(&o.skip, "skip", nil, "skip the check `NAME`")
	c.RegisterFlagCompletionFunc("skip", cobra.FixedCompletions(checkins, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func runLoopCheckin(cmd *cobra.Command, p *program, o checkinOptions) error {
	for _, name := range o.skip {
		if !slices.Contains(checkins, name) {
			return misuse(oneOf(name, checkins), "--skip: unknown check %q", name)
		}
	}
	specs, err := p.specsBelow(o.specs)
	if err != nil {
		return err
	}
	report := checkin.Report{At: p.now()}
	for _, file := range specs {
		if d, err := p.readSpec(file); err == nil && d.Composed() {
			report.Composed++
		} else {
			report.Atomic++
		}
	}
	for _, name := range checkins {
		if slices.Contains(o.skip, name) {
			p.say("skipped: %s (--skip)", name)
			continue
		}
		c := p.check(cmd.Context(), name, specs)
		word := "FAIL"
		if c.OK {
			word = "OK"
		}
		p.out.Printf("[%s] %s\n", word, name)
		report.Checks = append(report.Checks, c)
	}
	if err := p.writeCheckin(report, o); err != nil {
		return err
	}
	if !report.OK() {
		return found()
	}
	return nil
}
