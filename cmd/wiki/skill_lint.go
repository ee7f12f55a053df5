package main

import (
	"context"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/linter/report"
	"github.com/loopwiki/wiki/loops/skill"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

type skillLintOptions struct {
	format  string
	json    bool
	outputs []string
	failOn  string
}

func newSkillLint(p *program) *cobra.Command {
	var o skillLintOptions
	c := &cobra.Command{
		Use:   "lint [PATH…]",
		Short: "Check skills for problems",
		Long: `Check the skills of the repository, or those at PATH: each has the name of its
folder and a description of what it does and when to use it; the files it links
to exist; it contains no machine-specific path and no secret; no part of it is
cut off; and its front matter has no unknown keys.

The report is the same as that of 'wiki lint', in any of its formats.`,
		Example: `  wiki skill lint
  wiki skill lint .agents/skills/tdd --fail-on warning
  wiki skill lint --format json | jq '.findings[].message'`,
		Annotations: exits("0  no findings at or above --fail-on", "1  findings at or above --fail-on"),
		SuggestFor:  []string{"check", "validate"},
		Args:        cobra.ArbitraryArgs,
		RunE:        func(cmd *cobra.Command, args []string) error { return runSkillLint(cmd.Context(), p, o, args) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVarP(&o.format, "format", "f", "", "print findings as `FORMAT`: "+text.List(formatNames(), "or"))
	f.BoolVar(&o.json, "json", false, "same as --format json")
	f.StringArrayVarP(&o.outputs, "output", "o", nil, "also write a report to a file, as `FORMAT=FILE`; repeatable")
	f.StringVar(&o.failOn, "fail-on", "error", "exit 1 on findings of this `SEVERITY` or above: error, warning or info")
	c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(formatNames(), cobra.ShellCompDirectiveNoFileComp))
	c.MarkFlagsMutuallyExclusive("format", "json")
	return c
}

func runSkillLint(ctx context.Context, p *program, o skillLintOptions, paths []string) error {
	if o.json {
		o.format = "json"
	}
	plan, err := p.planReports(o.format, o.outputs)
	if err != nil {
		return err
	}
	failOn, err := severity("--fail-on", o.failOn)
	if err != nil {
		return err
	}
	b, err := p.readSkills(ctx, paths)
	if err != nil {
		return err
	}
	r := b.report()
	r.Frames, r.Brief, r.Color, r.Base, r.FailOn, r.Version = p.tty, p.quiet, p.color(), from(b.dir), failOn, buildVersion().Wiki
	if err := p.writeReports(plan, r); err != nil {
		return err
	}
	if slices.ContainsFunc(r.Findings, func(d schema.Diagnostic) bool { return d.Severity >= failOn }) {
		return found()
	}
	return nil
}

// report converts the findings for the report formats.
func (b *skillbook) report() *report.Report {
	slices.SortStableFunc(b.found, func(x, y schema.Diagnostic) int { return strings.Compare(x.Path, y.Path) })
	r := &report.Report{Findings: b.found, Root: ".", Summaries: map[string]string{}, Looked: text.Count(len(b.skills), "skill")}
	for _, rule := range skill.Rules {
		r.Rules = append(r.Rules, &linter.Rule{ID: rule.ID, Group: linter.Hygiene, Severity: rule.Severity, Summary: rule.Summary})
		r.Summaries[rule.ID] = rule.Summary
	}
	r.Stats.Pages, r.Stats.Rules = len(b.skills), len(r.Rules)
	for _, d := range b.found {
		switch d.Severity {
		case schema.Error:
			r.Stats.Errors++
		case schema.Warning:
			r.Stats.Warnings++
		}
	}
	pages := map[string]*schema.Page{}
	for _, s := range b.skills {
		pages[s.Path] = &schema.Page{Path: s.Path, Source: s.Source, Lines: s.Lines}
	}
	r.Page = func(path string) *schema.Page { return pages[path] }
	return r
}
