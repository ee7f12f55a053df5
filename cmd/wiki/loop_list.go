package main

import (
	"github.com/loopwiki/wiki/loops/control"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

// loopsVersion is the version of the JSON that wiki loop list --loops prints.
const loopsVersion = 1

type loopsDocument struct {
	Version int          `json:"version"`
	Loops   []loopListed `json:"loops" jsonschema:"in order of name"`
}

type loopListed struct {
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	Kind     string   `json:"kind" jsonschema:"code, report, audit or wiki"`
	Mode     string   `json:"mode,omitempty" jsonschema:"the mode in the spec"`
	Path     string   `json:"path" jsonschema:"path of the spec, relative to the repository's root"`
	Builtin  bool     `json:"builtin"`
	Triggers []string `json:"triggers"`
	Errors   int      `json:"errors" jsonschema:"errors in the spec; a loop with errors is not run"`
}

func newLoopList(p *program) *cobra.Command {
	var asJSON, specs bool
	c := &cobra.Command{
		Use:   "list",
		Short: "List all runs, or all loops",
		Long: `List all runs of this repository, oldest first, one per line. With --loops, list
the loops instead: the built-in ones and those in agents/loops.`,
		Example:     "  wiki loop list\n  wiki loop list --loops\n  wiki loop list --json | jq '[.runs[].spend.usd] | add'",
		Annotations: exits("0  the list was printed"),
		SuggestFor:  []string{"ls", "runs"},
		Args:        takes(0, false),
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctl, err := p.loops(cmd)
			if err != nil {
				return err
			}
			if specs {
				return p.listLoops(ctl, asJSON)
			}
			p.refresh(cmd.Context(), ctl, "")
			all, err := ctl.Summaries()
			if err != nil {
				return err
			}
			if asJSON {
				return p.json(newRunsDocument(all))
			}
			for _, r := range all {
				p.printRun(r)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&specs, "loops", false, "list loops instead of runs")
	c.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	return c
}

// listLoops prints all loops.
func (p *program) listLoops(ctl *control.Controller, asJSON bool) error {
	all, err := ctl.Loops()
	if err != nil {
		return err
	}
	doc := loopsDocument{Version: loopsVersion, Loops: []loopListed{}}
	for _, l := range all {
		d := loopListed{Name: l.Spec.Name, Title: l.Spec.Title, Kind: string(l.Spec.Kind), Mode: string(l.Spec.Mode), Path: l.Spec.Path, Builtin: l.Builtin, Triggers: []string{}}
		for _, t := range l.Spec.Triggers {
			d.Triggers = append(d.Triggers, t.Text)
		}
		for _, f := range l.Faults {
			if plan.Refused([]plan.Fault{f}) {
				d.Errors++
			}
		}
		doc.Loops = append(doc.Loops, d)
	}
	if asJSON {
		return p.json(doc)
	}
	for _, d := range doc.Loops {
		wrong := ""
		if d.Errors > 0 {
			wrong = "  " + text.Count(d.Errors, "error")
		}
		p.out.Printf("%-14s %-6s %-10s %s%s\n", d.Name, d.Kind, d.Mode, d.Path, wrong)
	}
	return nil
}
