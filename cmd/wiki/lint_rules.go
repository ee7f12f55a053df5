package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/loopwiki/wiki/linter"
	"github.com/spf13/cobra"
)

// listRules prints every rule with its severity and what it can mend.
func listRules(p *program) error {
	t := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	for _, r := range linter.Rules() {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", r.ID, r.Severity, r.Fix, r.Summary)
	}
	return t.Flush()
}

func completeRules(_ *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	var out []string
	for _, r := range linter.Rules() {
		out = append(out, r.ID+"\t"+r.Summary)
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}
