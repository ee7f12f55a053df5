package main

import (
	"github.com/loopwiki/wiki/loops/control"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/spf13/cobra"
)

// loopPassVersion is the version of the JSON that wiki loop run prints for a loop.
const loopPassVersion = 1

type loopPassDocument struct {
	Version int            `json:"version"`
	Loop    string         `json:"loop"`
	Path    string         `json:"path" jsonschema:"path of the spec, relative to the repository's root"`
	Mode    string         `json:"mode"`
	Items   []loopPassItem `json:"items" jsonschema:"in the order of selection"`
	Runs    []string       `json:"runs" jsonschema:"ids of the runs, in the order of their start"`
	Why     string         `json:"why,omitempty" jsonschema:"why it ended before the last item"`
	State   string         `json:"state,omitempty" jsonschema:"file with the result of each item"`
	Report  string         `json:"report,omitempty" jsonschema:"file with a classifier's report"`
	Exit    int            `json:"exit"`
}

type loopPassItem struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	Choice string `json:"choice" jsonschema:"selected, skipped, escalated or deferred"`
	Reason string `json:"reason"`
}

// loopOf finds the loop that the arguments of run name, nil if they name none.
// "execution" alone is not a loop here: it takes the next pending plan.
func (p *program) loopOf(ctl *control.Controller, args []string) (*repo.Loop, error) {
	if len(args) == 0 || args[0] == "execution" {
		return nil, nil
	}
	l, _, err := ctl.FindLoop(p.path("."), args[0])
	return l, err
}

// runPass carries out what a loop selects.
func (p *program) runPass(cmd *cobra.Command, ctl *control.Controller, l *repo.Loop, o loopRunOptions) error {
	if o.detach || o.resume {
		return misuse("'wiki loop schedule' runs it unattended, 'wiki loop resume RUN' resumes one of its runs", "--detach and --resume require a plan: this loop starts a run per item")
	}
	pass, err := ctl.OpenPass(cmd.Context(), l, o.Flags)
	if err != nil {
		return err
	}
	if o.dryRun {
		if o.json {
			return p.jsonLine(passDocument(pass))
		}
		return p.showSelection(pass)
	}
	live, done := p.liveView(o)
	err = ctl.RunPass(cmd.Context(), pass, live)
	done()
	if err != nil {
		return err
	}
	if o.json {
		err = p.jsonLine(passDocument(pass))
	} else {
		p.showPass(pass)
	}
	if err != nil {
		return err
	}
	return ended(pass.Exit)
}

func passDocument(pass *control.Pass) loopPassDocument {
	doc := loopPassDocument{Version: loopPassVersion, Loop: pass.Loop.Spec.Name, Path: pass.Loop.Spec.Path, Mode: string(pass.Mode), Items: []loopPassItem{}, Runs: []string{}, Why: pass.Why, State: pass.File, Report: pass.Report, Exit: pass.Exit}
	for _, c := range pass.Survey.Chosen {
		doc.Items = append(doc.Items, loopPassItem{c.Item.ID, c.Item.Title, string(c.Choice), c.Reason})
	}
	for _, s := range pass.Runs {
		doc.Runs = append(doc.Runs, s.Start.Run)
	}
	return doc
}

// showSelection prints how each line of the spec is enforced, and what would be selected.
func (p *program) showSelection(pass *control.Pass) error {
	spec := pass.Loop.Spec
	p.out.Printf("loop      %s: %s\nkind      %s\nmode      %s\n\n", spec.Path, spec.Title, spec.Kind, pass.Mode)
	for _, b := range spec.Bound {
		p.out.Printf("%4d  %s\n      %s\n", b.Line, b.Text, b.To)
	}
	p.out.Println()
	for _, c := range pass.Survey.Chosen {
		p.out.Printf("%-9s %s  %s\n", c.Choice, c.Item.ID, c.Reason)
	}
	return nil
}

// showPass prints the result of each item.
func (p *program) showPass(pass *control.Pass) {
	for _, it := range pass.State.Items {
		p.out.Printf("%-9s %s  %s\n", it.Status, it.ID, it.Reason)
		if it.Status != plan.ItemSkipped && it.Status != plan.ItemPending {
			p.out.Printf("          %s\n", it.NextAction)
		}
	}
	if len(pass.State.Items) == 0 {
		p.say("nothing selected, nothing escalated to a person")
	}
	if pass.Report != "" {
		p.out.Printf("report: %s\n", p.shorten(pass.Report))
	}
	if pass.Why != "" {
		p.out.Printf("ended: %s\n", pass.Why)
	}
	p.out.Printf("state: %s\n", p.shorten(pass.File))
}
