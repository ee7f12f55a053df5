package main

import (
	"github.com/loopwiki/wiki/compiler/scaffold"
	"github.com/loopwiki/wiki/loops/control/ready"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/spf13/cobra"
)

func newLoopSchedule(p *program) *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "schedule NAME|FILE",
		Short: "Write what starts a loop: a workflow, a timer or a line of cron",
		Long: `Schedule derives from the Trigger of a loop's spec what starts it: a workflow of
GitHub, a timer and a service of systemd, or lines of a crontab. The same spec
gives the same text. Nothing is installed: it is printed, with the name of each
file on standard error, for a person to read and to put in its place.

A trigger is a time ("every weekday at 08:00 local time", "weekly on Monday at
06:30 UTC", "every 6 hours", or the five fields of cron in backticks), or "after
each merge", or "on dispatch".`,
		Example: `  wiki loop schedule link-repair > .github/workflows/loop-link-repair.yml
  wiki loop schedule link-repair --format systemd
  wiki loop schedule link-repair --format cron`,
		Annotations: exits("0  it was printed"),
		SuggestFor:  []string{"cron", "timer", "workflow"},
		Args:        takes(1, false, "NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runLoopSchedule(cmd, p, format, args[0])
		},
		ValidArgsFunction: p.loopNames,
	}
	c.Flags().StringVarP(&format, "format", "f", "github", "print it for `FORMAT`: github, systemd or cron")
	return c
}

func runLoopSchedule(cmd *cobra.Command, p *program, format, name string) error {
	if !contains(plan.ScheduleFormats, format) {
		return misuse(oneOf(format, plan.ScheduleFormats), "--format: unknown format %q", format)
	}
	place, err := p.loops(cmd)
	if err != nil {
		return err
	}
	l, err := place.MustFindLoop(p.path("."), name)
	if err != nil {
		return err
	}
	uses := plan.ScheduleUses{Checkout: scaffold.CheckoutAction, Wiki: "loopwiki/wiki@" + actionRef(buildVersion()), Upload: scaffold.UploadAction}
	files, notes, err := ready.New(place.Repo).Schedule(cmd.Context(), l, format, uses)
	if err != nil {
		return err
	}
	for i, f := range files {
		if len(files) > 1 {
			if i > 0 {
				p.out.Println()
			}
			p.out.Printf("# file: %s\n", f.Name)
		}
		p.out.WriteString(f.Text)
		p.say("file: %s", f.Name)
	}
	for _, n := range notes {
		p.say("note: %s", n)
	}
	return nil
}
