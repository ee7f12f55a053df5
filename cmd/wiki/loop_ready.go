package main

import (
	"strings"

	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

// loopReadyVersion is the version of the JSON that wiki loop ready prints.
const loopReadyVersion = 1

type loopReadyDocument struct {
	Version  int             `json:"version"`
	Loop     string          `json:"loop"`
	Path     string          `json:"path" jsonschema:"path of the spec, relative to the repository's root"`
	Ready    bool            `json:"ready" jsonschema:"whether every criterion is met"`
	Criteria []loopCriterion `json:"criteria" jsonschema:"in the order in which to meet them"`
}

type loopCriterion struct {
	ID   string `json:"id" jsonschema:"stable id of the criterion"`
	OK   bool   `json:"ok"`
	What string `json:"what" jsonschema:"what is required"`
	Why  string `json:"why,omitempty" jsonschema:"why it is not met"`
	Do   string `json:"do,omitempty" jsonschema:"what to do about it"`
}

func newLoopReady(p *program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "ready NAME|FILE",
		Short: "Check whether a loop is ready to run unattended",
		Long: `Check whether a loop is ready to run unattended: every line of its spec is
enforced, its inputs, limits and end are defined, its changes are checked,
budgets limit it, and it says what needs a person. If all of it is met, the last
criterion is that 'wiki loop run' would start it now: there is a commit, a wiki
to document, a program for each role, and no unfinished run in the way. For each
criterion that is not met, the remedy is printed. Agents are not called,
trackers are not asked, and tests are not run.

NAME is a loop of agents/loops or a built-in one, FILE the path of a spec.`,
		Example: `  wiki loop ready link-repair
  wiki loop ready docs/LOOP_SPEC.md
  wiki loop ready link-repair --json | jq '.criteria[] | select(.ok | not) | .do'`,
		Annotations: exits("0  the loop is ready", "1  something is missing"),
		SuggestFor:  []string{"readiness", "check", "lint"},
		Args:        takes(1, false, "NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runLoopReady(cmd, p, asJSON, args[0])
		},
		ValidArgsFunction: p.loopNames,
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	return c
}

func runLoopReady(cmd *cobra.Command, p *program, asJSON bool, name string) error {
	ctl, err := p.loops(cmd)
	if err != nil {
		return err
	}
	l, err := ctl.MustFindLoop(p.path("."), name)
	if err != nil {
		return err
	}
	criteria, err := ctl.Ready(cmd.Context(), l)
	if err != nil {
		return err
	}
	doc := loopReadyDocument{Version: loopReadyVersion, Loop: l.Spec.Name, Path: l.Spec.Path, Ready: true, Criteria: []loopCriterion{}}
	missing := 0
	for _, c := range criteria {
		doc.Criteria = append(doc.Criteria, loopCriterion(c))
		if !c.OK {
			missing++
			doc.Ready = false
		}
	}
	if asJSON {
		err = p.json(doc)
	} else {
		for _, c := range doc.Criteria {
			word := "yes"
			if !c.OK {
				word = "no "
			}
			p.out.Printf("%s  %-10s %s\n", word, c.ID, c.What)
			if !c.OK {
				p.out.Printf("     %s\n     do: %s\n", text.Block(strings.ReplaceAll(c.Why, "\n", "\n     ")), c.Do)
			}
		}
		p.say("%s: %d of %d criteria met", doc.Loop, len(criteria)-missing, len(criteria))
	}
	if err == nil && missing > 0 {
		return found()
	}
	return err
}

// loopNames completes the names of loops.
func (p *program) loopNames(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	ctl, err := p.loops(cmd)
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	var names []string
	all, _ := ctl.Loops()
	for _, l := range all {
		names = append(names, l.Spec.Name)
	}
	return names, cobra.ShellCompDirectiveDefault
}
