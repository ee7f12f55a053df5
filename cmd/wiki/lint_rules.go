package main

import (
	"slices"
	"text/tabwriter"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

// rulesDocument is the JSON of --list-rules.
type rulesDocument struct {
	Version int        `json:"version"`
	Rules   []ruleInfo `json:"rules"`
}

type ruleInfo struct {
	ID       string          `json:"id"`
	Group    string          `json:"group"`
	Default  schema.Severity `json:"default"`
	Severity schema.Severity `json:"severity"` // as wiki.yaml configures it, paths aside
	Fix      string          `json:"fix"`      // safe, unsafe or empty
	Since    string          `json:"since"`
	Summary  string          `json:"summary"`
}

// listRules prints every rule with its severity in this wiki and what it can
// fix, those of wiki.yaml included.
func listRules(p *program, format string) error {
	if format != "" && format != "json" && format != "text" {
		return misuse("expected text or json", "--list-rules: unsupported format %q", format)
	}
	ws, err := p.detect()
	if err != nil {
		return err
	}
	rules, err := linter.RulesOf(ws)
	if err != nil {
		return err
	}
	severities := linter.Severities(rules, ws.Config.Lint)
	doc := rulesDocument{Version: 1}
	for _, r := range rules {
		doc.Rules = append(doc.Rules, ruleInfo{r.ID, string(r.Group), r.Severity, severities[r.ID], string(r.Fix), r.Since, r.Summary})
	}
	if format == "json" {
		return p.json(doc)
	}
	slices.SortStableFunc(doc.Rules, func(a, b ruleInfo) int { return linter.CompareGroups(linter.Group(a.Group), linter.Group(b.Group)) })
	t := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	for i, r := range doc.Rules {
		if i == 0 || r.Group != doc.Rules[i-1].Group {
			text.Fprintf(t, "%s:\n", linter.Group(r.Group).Name())
		}
		severity := r.Severity.String()
		if r.Severity != r.Default {
			severity += " (" + r.Default.String() + ")"
		}
		text.Fprintf(t, "%s\t%s\t%s\t%s\n", r.ID, severity, r.Fix, r.Summary)
	}
	return t.Flush()
}

// completeRules offers the rules there are, those of wiki.yaml too.
func (p *program) completeRules(_ *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	rules := linter.Rules()
	if ws, err := p.detect(); err == nil {
		if own, err := linter.RulesOf(ws); err == nil {
			rules = own
		}
	}
	var out []string
	groups := map[string]bool{}
	for _, r := range rules {
		if g := r.Group.Name(); !groups[g] {
			groups[g] = true
			out = append(out, g+"\tall rules of this group")
		}
		out = append(out, r.ID+"\t"+r.Summary)
	}
	return out, cobra.ShellCompDirectiveNoFileComp
}
