package main

import (
	"github.com/loopwiki/wiki/loops/spec/bench"
	"github.com/spf13/cobra"
)

func newLoopBench(p *program) *cobra.Command {
	c := &cobra.Command{
		Use:   "bench",
		Short: "Compare loops: suites, submissions, records, leaderboard",
		Long: `Compare loops by the tasks of LoopBench: run a spec on them in a simulated
environment, verify submissions and records of others, and rank them.`,
		Example: `  wiki loop bench run loop.yaml --suite suite-repair -o submission.json
  wiki loop bench verify submission.json
  wiki loop bench leaderboard entries.json > LIVE.md`,
		Annotations: exits("0  help was printed"),
		SuggestFor:  []string{"benchmark", "loopbench"},
		Args:        cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return noCommand(cmd, args[0])
			}
			return cmd.Help()
		},
	}
	c.AddCommand(newLoopBenchSuites(p), newLoopBenchRun(p), newLoopBenchVerify(p), newLoopBenchStats(p), newLoopBenchLeaderboard(p))
	return c
}

// suitesVersion is the version of the JSON that wiki loop bench suites prints.
const suitesVersion = 1

type suitesDocument struct {
	Version int           `json:"version"`
	Suites  []bench.Suite `json:"suites"`
}

func newLoopBenchSuites(p *program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "suites",
		Short: "List the suites and their tasks",
		Long: `List the suites and their tasks: the goal score to reach, the most iterations,
and what speed and cost are measured against.`,
		Example:     "  wiki loop bench suites\n  wiki loop bench suites --json | jq -r '.suites[].tasks[].id'",
		Annotations: exits("0  the suites were printed"),
		Args:        takes(0, false),
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				return p.json(suitesDocument{suitesVersion, bench.Suites()})
			}
			for _, s := range bench.Suites() {
				p.out.Printf("%s  %s\n", s.ID, s.Label)
				for _, t := range s.Tasks {
					p.out.Printf("  %-12s goal %.2f in %d iterations, %s\n", t.ID, t.Target, t.Budget, t.EnvID)
				}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	return c
}
