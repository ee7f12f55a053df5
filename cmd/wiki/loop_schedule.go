package main

import (
	"github.com/loopwiki/wiki/loops/control/ready"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/spf13/cobra"
)

func newLoopSchedule(p *program) *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:   "schedule NAME|FILE",
		Short: "Generate a workflow, timer, crontab or git hook for a loop",
		Long: `Generate what starts a loop from the triggers in its spec: a workflow for GitHub,
Gitea or GitLab, a systemd timer and service, crontab lines, or a post-merge hook
of git. The same spec gives the same output. Nothing is installed: the files are
printed, and their names on standard error, for you to review and install.

Workflows install the agents, restore what loops remember from the branch
wiki-state, and publish from a job that runs no agent.

A trigger is a time ("every weekday at 08:00 local time", "weekly on Monday at
06:30 UTC", "every 6 hours", or five cron fields in backticks), "after each
merge", or "on dispatch".`,
		Example: `  wiki loop schedule link-repair > .github/workflows/loop-link-repair.yml
  wiki loop schedule link-repair --format systemd
  wiki loop schedule link-repair --format cron
  wiki loop schedule documentation --format hook > .git/hooks/post-merge`,
		Annotations: exits("0  the files were printed"),
		SuggestFor:  []string{"cron", "timer", "workflow"},
		Args:        takes(1, false, "NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runLoopSchedule(cmd, p, format, args[0])
		},
		ValidArgsFunction: p.loopNames,
	}
	c.Flags().StringVarP(&format, "format", "f", "github", "generate `FORMAT`: github, gitea, gitlab, systemd, cron or hook")
	return c
}

func runLoopSchedule(cmd *cobra.Command, p *program, format, name string) error {
	if !contains(plan.ScheduleFormats, format) {
		return misuse(oneOf(format, plan.ScheduleFormats), "--format: unknown format %q", format)
	}
	ctl, err := p.loops(cmd)
	if err != nil {
		return err
	}
	l, err := ctl.MustFindLoop(p.path("."), name)
	if err != nil {
		return err
	}
	files, notes, err := ready.New(ctl.Repo).Schedule(cmd.Context(), l, format, actionRef(buildVersion()))
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
