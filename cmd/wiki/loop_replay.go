package main

import (
	"path/filepath"
	"slices"

	runs "github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/loops/spec/record"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// replayVersion is the version of the JSON that wiki loop replay prints.
const replayVersion = 1

type replayDocument struct {
	Version int `json:"version"`
	record.Result
}

type replayOptions struct {
	record.Choice
	simulate, json             bool
	disturbance, action, trace string
}

func newLoopReplay(p *program) *cobra.Command {
	var o replayOptions
	c := &cobra.Command{
		Use:   "replay [RUN|FILE]",
		Short: "Replay a run or a record, or simulate a loop spec",
		Long: `Feed the journal of a run to the kernel again, print its decision after each
event, and compare it with what the runner did. No agent is called and nothing is
changed.

A FILE of LoopNet records (.json or .jsonl) is replayed as in LoopGym: the reset
shows the first iteration, each step the next, and a step's reward is its goal
score. --record names a record, --task a record or a loop; otherwise --seed
chooses one. An episode succeeds if its outcome is success or its last score
reaches the target, so a record of a failure may replay as a success.

With --simulate, FILE is a loop spec, and an environment that calls no model runs
it: what workers leave and how it is judged follows from hashes of spec, task and
seed. A step's reward is its quality, less 0.5 below the threshold. The figures
say nothing about models.`,
		Example: `  wiki loop replay latest
  wiki loop replay records.jsonl --task research-loop --json
  wiki loop replay loop.yaml --simulate --perturb stale_source --trace trace.json`,
		Annotations:       exits("0  the decisions are the same, or the episode was a success", "1  the decisions differ, or the episode was none"),
		Args:              takes(0, false, "RUN"),
		ValidArgsFunction: p.runIDs,
		RunE: func(cmd *cobra.Command, args []string) error {
			switch ext := fileOf(args); {
			case o.simulate:
				return runSimulation(cmd, p, args, o)
			case ext == ".json" || ext == ".jsonl":
				return runLoopReplay(cmd, p, args[0], o)
			}
			return replayRun(cmd, p, args)
		},
	}
	f := c.Flags()
	f.StringVar(&o.ID, "record", "", "replay the record with this `ID`")
	f.StringVar(&o.Task, "task", "", "replay the record, or one of the loop, with this `NAME`; name the simulated task")
	f.Uint64Var(&o.Seed, "seed", 0, "choose or simulate with this `SEED`")
	f.BoolVar(&o.simulate, "simulate", false, "run the spec in FILE in the simulated environment")
	f.StringVar(&o.disturbance, "perturb", "", "disturb the simulation: missing_source, stale_source, hitl_reject or tool_denylist")
	f.StringVar(&o.action, "output", "", "use `TEXT` as what the simulated worker leaves")
	f.StringVar(&o.trace, "trace", "", "write the simulation as a Loop Trace to `FILE`")
	f.BoolVar(&o.json, "json", false, "print the result of a record or simulation as JSON")
	c.RegisterFlagCompletionFunc("perturb", cobra.FixedCompletions(record.Perturbations, cobra.ShellCompDirectiveNoFileComp))
	return c
}

// fileOf is the extension of the file that is named, "" if it is a run.
func fileOf(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return filepath.Ext(args[0])
}

// onlyFlags refuses all flags but those that what is replayed has a use for.
func onlyFlags(cmd *cobra.Command, what string, known ...string) (err error) {
	own := cmd.LocalNonPersistentFlags()
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if own.Lookup(f.Name) != nil && !slices.Contains(known, f.Name) {
			err = misuse("see 'wiki loop replay --help'", "--%s is not for %s", f.Name, what)
		}
	})
	return err
}

func replayRun(cmd *cobra.Command, p *program, args []string) error {
	if err := onlyFlags(cmd, "a run"); err != nil {
		return err
	}
	ctl, id, err := p.givenRun(cmd, args)
	if err != nil {
		return err
	}
	_, events, err := ctl.Store.Read(id)
	if err != nil {
		return err
	}
	same := true
	for step := range runs.Replay(events) {
		p.out.Println(step.Text)
		same = same && step.Same
	}
	if !same {
		return found()
	}
	return nil
}
