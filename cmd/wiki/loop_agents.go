package main

import (
	"strings"
	"text/tabwriter"

	"github.com/loopwiki/wiki/loops/agent"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

// harnessesVersion is the version of the JSON that wiki loop agents prints.
const harnessesVersion = 1

type harnessesDocument struct {
	Version   int             `json:"version"`
	Harnesses []agent.Harness `json:"harnesses"`
}

func newLoopAgents(p *program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "agents",
		Short: "List harnesses and map them onto loop specs",
		Long: `List the agent CLIs and frameworks whose parts are mapped onto a loop spec. The
level of a harness is that of the deepest layer that runs within one iteration.
'by documentation' marks a mapping that no test runs.`,
		Example: `  wiki loop agents
  wiki loop agents map --harness claude`,
		Annotations: exits("0  the harnesses were listed"),
		SuggestFor:  []string{"agent", "harness", "harnesses"},
		Args:        cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return noCommand(cmd, args[0])
			}
			return runLoopAgents(p, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the list as JSON")
	c.AddCommand(newLoopAgentsMap(p))
	return c
}

func runLoopAgents(p *program, asJSON bool) error {
	if asJSON {
		return p.json(harnessesDocument{harnessesVersion, agent.Harnesses()})
	}
	w := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	for _, h := range agent.Harnesses() {
		text.Fprintf(w, "%s\t%s\tL%d\t%s\n", h.Name, h.Title, h.Level, tested(h))
	}
	return w.Flush()
}

// tested is with what the mapping of a harness is tested.
func tested(h agent.Harness) string {
	if h.Package == "" {
		return "by documentation"
	}
	return "tested with " + h.Package
}

// castOf is the line of wiki.yaml that lets a harness play all roles of a mapped spec.
func castOf(h agent.Harness) string {
	cast := "{agent: " + h.Agent
	if len(h.Argv) > 0 {
		cast += ", argv: [" + strings.Join(h.Argv, ", ") + "]"
	}
	return "loops: {roles: {maker: " + cast + "}, checker: " + cast + "}}}"
}
