package main

import (
	"context"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

// planLintVersion is the version of the JSON that wiki plan lint prints.
const planLintVersion = 1

type planLintDocument struct {
	Version  int              `json:"version"`
	Errors   int              `json:"errors"`
	Warnings int              `json:"warnings"`
	Plans    []planLintResult `json:"plans"` // in order of path
}

type planLintResult struct {
	Path   string      `json:"path" jsonschema:"relative to the repository's root"`
	Name   string      `json:"name"`
	Faults []planFault `json:"faults" jsonschema:"in order of place"`
}

// planFault is a fault as programs read it.
type planFault struct {
	Code     string `json:"code" jsonschema:"stable id of the kind of fault"`
	Severity string `json:"severity" jsonschema:"error or warning; a plan with an error is not run"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Message  string `json:"message"`
	Hint     string `json:"hint,omitempty" jsonschema:"what to do about it"`
}

func newPlanLint(p *program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "lint [PLAN…]",
		Short: "Check plans for errors",
		Long: `Check plans for errors in form and content; by default, all plans that are not
done or rejected. Errors are: more than ten chunks; a scope that is everything or
leaves the repository; a goal that can't be run or can't fail; chunks that depend
on each other in a cycle, write outside the plan's scope, or name a missing
skill. Two pending plans with overlapping scopes are a warning.

PLAN is a path, or a name in plans/.`,
		Example: `  wiki plan lint
  wiki plan lint 2026-07-validate-prices
  wiki plan lint --json | jq -r '.plans[] | select(.faults == []) | .name'`,
		Annotations: exits("0  no plan has an error", "1  a plan has an error"),
		SuggestFor:  []string{"check", "validate"},
		Args:        cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return runPlanLint(cmd.Context(), p, asJSON, args)
		},
		ValidArgsFunction: p.planNames,
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	return c
}

func runPlanLint(ctx context.Context, p *program, asJSON bool, typed []string) error {
	b, err := p.plans(ctx)
	if err != nil {
		return err
	}
	defer b.Close()
	files := b.Open()
	if len(typed) > 0 {
		files = nil
	}
	for _, t := range typed {
		f, err := p.findPlan(b, t)
		if err != nil {
			return err
		}
		files = append(files, f)
	}
	doc := planLintDocument{Version: planLintVersion, Plans: []planLintResult{}}
	around := b.Around(p.env("PATH"))
	around.NoWriter = p.noWriter(ctx)
	for _, f := range files {
		_, faults := plan.Check(f.Path, f.Src, around)
		r := planLintResult{f.Path, f.Plan.Name, []planFault{}}
		for _, fault := range faults {
			r.Faults = append(r.Faults, planFault{fault.Code, fault.Severity.String(), fault.At.Line, fault.At.Column, fault.Message, fault.Hint})
			if fault.Severity == schema.Error {
				doc.Errors++
			} else {
				doc.Warnings++
			}
			if !asJSON {
				p.out.Printf("%s:%s\n", f.Path, fault)
			}
		}
		doc.Plans = append(doc.Plans, r)
	}
	if asJSON {
		err = p.json(doc)
	} else {
		p.say("%s: %s, %s", text.Count(len(files), "plan"), text.Count(doc.Errors, "error"), text.Count(doc.Warnings, "warning"))
	}
	if err == nil && doc.Errors > 0 {
		return found()
	}
	return err
}

// noWriter reports whether the repository has no agent for the role of the writer. A
// configuration that can't be read is for other commands to report.
func (p *program) noWriter(ctx context.Context) bool {
	ctl, err := p.controller(ctx)
	if err != nil {
		return false
	}
	_, ok := ctl.Config.Roles[string(loops.Writer)]
	return !ok
}
