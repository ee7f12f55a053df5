package main

import (
	"context"
	"text/tabwriter"

	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

// planListVersion is the version of the JSON that wiki plan list prints.
const planListVersion = 1

type planListDocument struct {
	Version int         `json:"version"`
	Plans   []planEntry `json:"plans" jsonschema:"in the order in which they are carried out"`
}

type planEntry struct {
	Name      string   `json:"name"`
	Path      string   `json:"path" jsonschema:"relative to the repository's root"`
	Title     string   `json:"title"`
	Status    string   `json:"status" jsonschema:"pending, running, done, blocked or rejected"`
	Why       string   `json:"why,omitempty"`
	Priority  int      `json:"priority" jsonschema:"1 is first"`
	Effort    string   `json:"effort"`
	Risk      string   `json:"risk"`
	Chunks    int      `json:"chunks"`
	Scope     []string `json:"scope"`
	DependsOn []string `json:"depends_on"`
	Faulty    bool     `json:"faulty" jsonschema:"whether the plan has errors and can't be run; see wiki plan lint"`
}

func newPlanList(p *program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "list",
		Short: "List plans and their status",
		Long: `List all plans in the order in which they are carried out: by priority, then
name, after the plans they depend on. The status is derived, not stored:

  pending   not started
  running   a run is working on it
  blocked   its run ended or waits, and needs a person
  done      its commits, with the trailer Loop-Plan, are on the default branch
  rejected  a person added rejected: with a reason`,
		Example: `  wiki plan list
  wiki plan list --json | jq -r '.plans[] | select(.status == "pending") | .path'`,
		Annotations: exits("0  the plans were listed, if any"),
		SuggestFor:  []string{"ls", "status"},
		Args:        takes(0, false),
		RunE:        func(cmd *cobra.Command, _ []string) error { return runPlanList(cmd.Context(), p, asJSON) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	return c
}

func runPlanList(ctx context.Context, p *program, asJSON bool) error {
	b, err := p.plans(ctx)
	if err != nil {
		return err
	}
	defer b.Close()
	files := map[string]plan.File{}
	var known []plan.Known
	for _, f := range b.Files {
		files[f.Plan.Name] = f
		known = append(known, plan.Known{Plan: f.Plan})
	}
	plan.Order(known)
	around := b.Around(p.env("PATH"))
	doc := planListDocument{planListVersion, []planEntry{}}
	for _, k := range known {
		f := files[k.Plan.Name]
		status, why := b.Status(f)
		_, faults := plan.Check(f.Path, f.Src, around)
		doc.Plans = append(doc.Plans, planEntry{
			Name: k.Plan.Name, Path: f.Path, Title: k.Plan.Title, Status: string(status), Why: why, Priority: k.Plan.Priority,
			Effort: k.Plan.Effort, Risk: k.Plan.Risk, Chunks: len(k.Plan.Chunks), Scope: k.Plan.Scope,
			DependsOn: append([]string{}, k.Plan.DependsOn...), Faulty: plan.Refused(faults),
		})
	}
	if b.Unknown != nil {
		p.say("can't tell which plans were merged: %v", b.Unknown)
	}
	if asJSON {
		return p.json(doc)
	}
	p.printPlans(doc.Plans)
	return nil
}

// printPlans prints one plan per line.
func (p *program) printPlans(plans []planEntry) {
	w := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	for _, e := range plans {
		why := e.Why
		if e.Faulty && (e.Status == string(plan.Pending) || e.Status == string(plan.Blocked)) {
			why = "has errors: 'wiki plan lint " + e.Name + "'"
		}
		if why != "" {
			why = " (" + why + ")"
		}
		text.Fprintf(w, "%s\tP%d\t%s\t%s%s\n", e.Status, e.Priority, e.Name, e.Title, why)
	}
	w.Flush()
	if len(plans) == 0 {
		p.say("no plans; 'wiki plan new TITLE' creates one")
	}
}
