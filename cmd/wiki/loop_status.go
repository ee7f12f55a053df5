package main

import (
	"fmt"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control"
	"github.com/loopwiki/wiki/loops/control/modes"
	runs "github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/schema"
	"github.com/spf13/cobra"
)

func newLoopStatus(p *program) *cobra.Command {
	var asJSON, sync bool
	c := &cobra.Command{
		Use:   "status",
		Short: "Show running, waiting and interrupted runs",
		Long: `Show the runs that are running, waiting for approval or for a vendor, or
interrupted, the result of the last run, and the loops that were demoted.

With --sync, first exchange incidents, runs and proposals with the branch
wiki-state, where runs in CI keep them: take over what 'git fetch' brought, and
commit what this clone has beside it. Nothing is fetched or pushed. If the branch
was in use and is gone or went back, the line is stopped.`,
		Example: `  wiki loop status
  wiki loop status --json | jq '.runs[] | select(.status == "waiting")'
  git fetch && wiki loop status --sync && git push origin wiki-state`,
		Annotations: exits("0  the status was printed", "3  this clone does not have all branches", "4  stopped: the state branch lost records"),
		Args:        takes(0, false),
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctl, err := p.loops(cmd)
			if err == nil && sync {
				err = p.syncState(cmd, ctl)
			}
			if err != nil {
				return err
			}
			p.refresh(cmd.Context(), ctl, "")
			now, err := ctl.Current()
			if err != nil {
				return err
			}
			if asJSON {
				return p.json(newRunsDocument(now))
			}
			if err := p.printStatus(ctl, now); err != nil {
				return err
			}
			return p.printDemotions(cmd, ctl)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	c.Flags().BoolVar(&sync, "sync", false, "first exchange runs and incidents with the fetched branch wiki-state")
	return c
}

// runsDocument is the JSON of loop status and loop list.
type runsDocument struct {
	Version int                 `json:"version"`
	Runs    []schema.RunSummary `json:"runs"`
}

func newRunsDocument(runs []schema.RunSummary) runsDocument {
	if runs == nil {
		runs = []schema.RunSummary{}
	}
	return runsDocument{1, runs}
}

func (p *program) printStatus(ctl *control.Controller, now []schema.RunSummary) error {
	if len(now) == 0 {
		p.say("no runs yet; start one with 'wiki loop run PLAN'")
		return nil
	}
	for _, r := range now {
		p.printRun(r)
		if s, _, err := ctl.Store.Read(r.ID); err == nil && r.Status == string(loops.Running) {
			p.out.Printf("  %s\n", runs.Now(&s, ctl.Now().UTC()))
		}
		if next := runs.NextStep(r); next != "" {
			p.out.Printf("  %s\n", next)
		}
	}
	return nil
}

// printDemotions prints the loops that were demoted.
func (p *program) printDemotions(cmd *cobra.Command, ctl *control.Controller) error {
	lines, err := modes.New(ctl.Repo).SteppedBack(cmd.Context())
	for _, line := range lines {
		p.say("%s", line)
	}
	return err
}

// printRun prints a run in one line.
func (p *program) printRun(r schema.RunSummary) {
	done := 0
	for _, c := range r.Chunks {
		if c.Status == string(loops.ChunkDone) {
			done++
		}
	}
	chunks := fmt.Sprintf("  %d/%d chunks", done, len(r.Chunks))
	if len(r.Chunks) == 0 && (loops.Proposes(r) || r.Kind == loops.DocumentationLoop) {
		chunks = ""
	}
	p.out.Printf("%-12s %s%s  $%.2f  %s\n", r.Status, r.ID, chunks, r.Spend.USD, r.Started.Local().Format(time.DateTime))
}
