package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control"
	"github.com/loopwiki/wiki/loops/control/process"
	runs "github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/schema"
	"github.com/spf13/cobra"
)

// carryOut runs a plan in this process and shows its progress.
func (p *program) carryOut(cmd *cobra.Command, ctl *control.Controller, work *control.Work, o loopRunOptions) error {
	live, done := p.liveView(o)
	s, err := ctl.Run(cmd.Context(), work, o.Flags, o.id, live)
	done()
	return p.runEnded(ctl, s, err, o)
}

// goOn resumes a run in this process.
func (p *program) goOn(cmd *cobra.Command, ctl *control.Controller, id string, answer *loops.Answer, o loopRunOptions) error {
	if answer != nil {
		if ok, err := p.answerElsewhere(cmd, ctl, id, answer, o.json); ok || err != nil {
			return err
		}
	} else if ok, err := p.elsewhere(cmd, ctl, id, o.json, "resume"); ok || err != nil {
		return err
	}
	live, done := p.liveView(o)
	s, err := ctl.Resume(cmd.Context(), id, answer, o.Notify, live)
	done()
	return p.runEnded(ctl, s, err, o)
}

// resumePlan resumes the last run of a plan.
func (p *program) resumePlan(cmd *cobra.Command, ctl *control.Controller, plan string, o loopRunOptions) error {
	id, err := ctl.Store.Find(plan)
	if err != nil {
		return err
	}
	return p.resumeRun(cmd, ctl, id, o)
}

// resumeRun resumes a run, in this process or in the background.
func (p *program) resumeRun(cmd *cobra.Command, ctl *control.Controller, id string, o loopRunOptions) error {
	if !o.detach {
		return p.goOn(cmd, ctl, id, nil, o)
	}
	return p.detached(id, process.New(ctl.Repo).DetachResume(cmd.Context(), id, ctl.Self[0], undetached(os.Args[1:])))
}

// runEnded prints the result of a run, with the paths of its incidents last.
func (p *program) runEnded(ctl *control.Controller, s loops.State, err error, o loopRunOptions) error {
	if err != nil {
		return err
	}
	sum := runs.Summary(s, ctl.Alive)
	if o.json {
		if err := p.jsonLine(sum); err != nil {
			return err
		}
	} else {
		p.printRun(sum)
		if next := nextStep(sum); next != "" {
			p.out.Printf("  %s\n", next)
		}
		for _, patch := range s.Proposals {
			p.out.Printf("  proposed for a page that people changed: git apply %s\n", p.shorten(filepath.Join(ctl.Store.Folder(s.Start.Run), filepath.FromSlash(patch))))
		}
		if ctl.Store.Folder(s.Start.Run) != "" && sum.Exit != 0 {
			p.out.Printf("  evidence: %s\n", p.shorten(ctl.Store.Folder(s.Start.Run)))
		}
		for _, i := range s.Incidents {
			p.out.Printf("  incident: %s\n", p.shorten(filepath.Join(ctl.Root, ".loopwiki", "incidents", i.ID)))
		}
	}
	return ended(sum.Exit)
}

// dryRun prints what a run would do, without calling an agent.
func (p *program) dryRun(cmd *cobra.Command, ctl *control.Controller, work *control.Work, o loopRunOptions) error {
	text, err := ctl.DryRun(cmd.Context(), work, o.Flags)
	if err == nil {
		_, err = p.out.WriteString(text)
	}
	return err
}

// detach starts the run in the background, and reports why it did not start.
func (p *program) detach(cmd *cobra.Command, ctl *control.Controller, work *control.Work) error {
	id, err := process.New(ctl.Repo).Detach(cmd.Context(), work.Plan.Name, ctl.Self[0], undetached(os.Args[1:]))
	return p.detached(id, err)
}

// detached prints that a run is in the background, or why it is not.
func (p *program) detached(id string, err error) error {
	var failed *process.NotBegunError
	if errors.As(err, &failed) {
		_, _ = p.err.Write(failed.Said)
		return ended(failed.Code)
	}
	if err != nil {
		return err
	}
	p.out.Println(id)
	p.say("running in the background; 'wiki loop logs %s -f' follows it, 'wiki loop stop %s' stops it", id, id)
	return nil
}

// undetached is a command line without --detach. Arguments after -- are not flags.
func undetached(args []string) []string {
	var out []string
	for i, a := range args {
		if a == "--" {
			return append(out, args[i:]...)
		}
		if a != "--detach" && !strings.HasPrefix(a, "--detach=") {
			out = append(out, a)
		}
	}
	return out
}

// offer lists what can be run.
func (p *program) offer(cmd *cobra.Command, ctl *control.Controller) error {
	lines, err := ctl.Offer(cmd.Context())
	if err != nil {
		return err
	}
	for _, l := range lines {
		p.out.Println(l)
	}
	if len(lines) == 0 {
		p.say("nothing to run; 'wiki plan new TITLE' creates a plan")
	}
	return nil
}

// planPaths completes plans, and files.
func (p *program) planPaths(cmd *cobra.Command) ([]string, cobra.ShellCompDirective) {
	names, _ := p.planNames(cmd, nil, "")
	return names, cobra.ShellCompDirectiveDefault
}

// timespan reads a time, or a number of seconds.
func timespan(flag, text string) (schema.Timespan, error) {
	if text == "" {
		return 0, nil
	}
	var t schema.Timespan
	if err := t.UnmarshalText([]byte(text)); err == nil {
		return t, nil
	}
	if err := t.UnmarshalText([]byte(text + "s")); err == nil {
		return t, nil
	}
	return 0, misuse("use a time above 0, such as 90s, 10m or 1h30m, or a number of seconds", "%s: %q is not a duration", flag, text)
}
