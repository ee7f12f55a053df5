package main

import (
	"cmp"

	"github.com/loopwiki/wiki/loops/spec/record"
	"github.com/spf13/cobra"
)

func runLoopReplay(cmd *cobra.Command, p *program, file string, o replayOptions) error {
	if err := onlyFlags(cmd, "records", "record", "task", "seed", "json"); err != nil {
		return err
	}
	records, err := p.readRecords(file)
	if err != nil {
		return err
	}
	r, err := record.Select(records, o.Choice)
	if err != nil {
		return misuse("'wiki loop bench stats' describes the file", "%s: %w", file, err)
	}
	return p.episode(r.Play(o.Choice, p.observed(o)), o)
}

func runSimulation(cmd *cobra.Command, p *program, args []string, o replayOptions) error {
	if err := onlyFlags(cmd, "a simulation", "simulate", "task", "seed", "perturb", "output", "trace", "json"); err != nil {
		return err
	}
	if len(args) == 0 {
		return misuse("name a loop spec: wiki loop replay loop.yaml --simulate", "FILE is missing")
	}
	d, err := p.specOrLibrary(args[0])
	if err != nil {
		return err
	}
	s, err := runnable(d)
	if err != nil {
		return err
	}
	e, err := record.NewSimulation(s, o.Choice, o.disturbance)
	if err != nil {
		return misuse(oneOf(o.disturbance, record.Perturbations), "--perturb: %w", err)
	}
	result := e.Play(o.action, p.observed(o))
	if o.trace != "" {
		if err := p.writeJSON(o.trace, e.Trace(p.now(), args[0])); err != nil {
			return err
		}
	}
	return p.episode(result, o)
}

// observed prints what an environment shows, for people.
func (p *program) observed(o replayOptions) func(record.Observation) {
	if o.json {
		return nil
	}
	return func(seen record.Observation) {
		if seen.Iteration > 0 {
			p.out.Printf("%4d  quality %.4f  reward %+.4f%s\n", seen.Iteration, seen.Quality, seen.Reward, spaced(seen.Output))
		}
	}
}

// spaced is text behind others, or nothing.
func spaced(text string) string {
	if text == "" {
		return ""
	}
	return "  " + text
}

// episode prints the result of one.
func (p *program) episode(r record.Result, o replayOptions) error {
	var err error
	if o.json {
		err = p.json(replayDocument{replayVersion, r})
	} else {
		word := "no success"
		if r.Success {
			word = "success"
		}
		p.out.Printf("%s: %s, %s, quality %.4f, total reward %.4f\n", cmp.Or(r.RecordID, r.EnvID), word, r.Reason, r.Quality, r.Reward)
	}
	if err == nil && !r.Success {
		return found()
	}
	return err
}
