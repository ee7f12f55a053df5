package main

import (
	"strings"

	"github.com/loopwiki/wiki/loops/control/ready"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

// loopReadyVersion is the version of the JSON that wiki loop ready prints.
const loopReadyVersion = 1

type loopReadyDocument struct {
	Version  int             `json:"version"`
	Loop     string          `json:"loop"`
	Path     string          `json:"path" jsonschema:"of the spec, relative to the repository's root"`
	Ready    bool            `json:"ready" jsonschema:"every criterion is met"`
	Criteria []loopCriterion `json:"criteria" jsonschema:"in the order in which they are best met"`
}

type loopCriterion struct {
	ID   string `json:"id" jsonschema:"names the criterion; stable"`
	OK   bool   `json:"ok"`
	What string `json:"what" jsonschema:"what is asked"`
	Why  string `json:"why,omitempty" jsonschema:"why it is not so"`
	Do   string `json:"do,omitempty" jsonschema:"what to do about it"`
}

func newLoopReady(p *program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "ready NAME|FILE",
		Short: "Say whether a loop may be automated, and what is missing",
		Long: `Ready holds a loop against what has to be true before it may run without a
person: that every line of its spec is held by something, that it knows its
inputs, its bounds and its end, that somebody checks, that budgets bound it, and
that it is said what goes to a person. For each criterion that is not met it says
what to do.

NAME is a loop of agents/loops or a built-in one, FILE a spec wherever it lies.`,
		Example: `  wiki loop ready link-repair
  wiki loop ready docs/LOOP_SPEC.md
  wiki loop ready link-repair --json | jq '.criteria[] | select(.ok | not) | .do'`,
		Annotations: exits("0  it may be automated", "1  something is missing"),
		SuggestFor:  []string{"readiness", "check", "lint"},
		Args:        takes(1, false, "NAME"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runLoopReady(cmd, p, asJSON, args[0])
		},
		ValidArgsFunction: p.loopNames,
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON document")
	return c
}

func runLoopReady(cmd *cobra.Command, p *program, asJSON bool, name string) error {
	place, err := p.loops(cmd)
	if err != nil {
		return err
	}
	l, err := place.MustFindLoop(p.path("."), name)
	if err != nil {
		return err
	}
	criteria, err := ready.New(place.Repo).Ready(cmd.Context(), l)
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
		p.say("%s: %d of %d criteria are met", doc.Loop, len(criteria)-missing, len(criteria))
	}
	if err == nil && missing > 0 {
		return found()
	}
	return err
}

// loopNames completes the names of loops.
func (p *program) loopNames(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	place, err := p.loops(cmd)
	if err != nil || len(args) > 0 {
		return nil, cobra.ShellCompDirectiveDefault
	}
	var names []string
	all, _ := place.Loops()
	for _, l := range all {
		names = append(names, l.Spec.Name)
	}
	return names, cobra.ShellCompDirectiveDefault
}
