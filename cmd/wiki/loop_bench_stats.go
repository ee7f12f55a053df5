package main

import (
	"maps"
	"slices"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops/spec/record"
	"github.com/spf13/cobra"
)

// benchStatsVersion is the version of the JSON that wiki loop bench stats prints.
const benchStatsVersion = 1

type benchStatsDocument struct {
	Version int `json:"version"`
	record.Statistics
}

func newLoopBenchStats(p *program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "stats FILE",
		Short: "Describe the records of a corpus",
		Long: `Describe the records of a corpus (ln/record-v1): how the runs ended, by which
patterns, and their iterations, cost, goal scores and LES. Records that are not
valid are left out; 'wiki loop bench verify' lists them.`,
		Example:     "  wiki loop bench stats records.jsonl\n  wiki loop bench stats records.jsonl --json | jq .outcomes",
		Annotations: exits("0  the statistics were printed", "1  no record is valid"),
		Args:        takes(1, false, "FILE"),
		RunE: func(_ *cobra.Command, args []string) error {
			records, err := p.readRecords(args[0])
			if err != nil {
				return err
			}
			s := record.Describe(records)
			if asJSON {
				return p.json(benchStatsDocument{benchStatsVersion, s})
			}
			p.out.Printf("records    %d, %d captured\n", s.Records, s.Captured)
			for _, of := range []struct {
				name   string
				counts map[string]int
			}{{"outcome", s.Outcomes}, {"ended by", s.Reasons}, {"failure", s.Failures}, {"pattern", s.Patterns}, {"source", s.Sources}, {"split", s.Splits}} {
				for _, name := range slices.Sorted(maps.Keys(of.counts)) {
					p.out.Printf("%-10s %4d  %s\n", of.name, of.counts[name], name)
				}
			}
			for _, of := range []struct {
				name string
				record.Spread
			}{{"iterations", s.Iterations}, {"cost, USD", s.USD}, {"goal score", s.Final}, {"LES", s.LES}} {
				p.out.Printf("%-10s from %g to %g, mean %g\n", of.name, of.Min, of.Max, of.Mean)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	return c
}

// readRecords reads the valid records of a file, at least one.
func (p *program) readRecords(file string) ([]record.Record, error) {
	src, err := files.ReadGiven(p.path(file))
	if err != nil {
		return nil, err
	}
	items, err := record.Read(file, src)
	if err != nil {
		return nil, err
	}
	c := record.Check(items, false)
	if len(c.Errors) > 0 {
		p.say("%s: %s (%d in all); see 'wiki loop bench verify %s'", file, c.Errors[0], len(c.Errors), file)
	}
	if len(c.Records) == 0 {
		p.err.Printf("%s: no valid record (ln/record-v1)\n", file)
		return nil, found()
	}
	return c.Records, nil
}
