package main

import (
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/loopwiki/wiki/schema/text"
)

type lintOptions struct {
	format   string
	json     bool
	outputs  []string
	rules    []string
	except   []string
	severity string
	failOn   string
	since    string
	today    string
	explain  string
	list     bool
	stats    bool
	counts   bool
	all      bool
	doubts   bool
	baseline baselineOptions
	fix      fixOptions
	ack      ackOptions
	judge    judgeOptions
}

func newLint(p *program) *cobra.Command {
	var o lintOptions
	c := &cobra.Command{
		Use:   "lint [PATH…]",
		Short: "Check the wiki for broken links, contradictions and other problems",
		Long: `Check the wiki: links, graph, front matter and structure, and what pages claim,
against each other, the index, the log, the code and the cited sources. Every
finding has an exact position and a remedy. All pages are checked, because
problems span pages; with PATH, a page or a folder, only findings there are
reported.

Text output lists errors and warnings, at most 10 per rule, and counts the rest;
use --all and --severity to see more. Other formats list all findings, up to the
consumer's limits. In GitHub Actions findings become annotations automatically.

Suppress a finding with a comment in the page, wiki-lint-disable-next-line RULE
-- reason, or with lint.disable in its front matter; see 'wiki lint --explain
unused-suppression'. To adopt lint on an existing wiki, write a baseline with
--baseline-write: existing findings are hidden, new ones are reported. Use --ack
to acknowledge a contradiction that can't be resolved now: it records who knows
about it and why it stays, and is reported again when a side changes. Use
--since to report only findings related to lines changed since a revision.

With --fix, safe fixes are applied before the report; --fix-unsafe also applies
fixes that need a review. Both change links, front matter and lists, never
prose, and only for findings that would be reported. With --diff the changes are
printed instead, with control and other invisible characters escaped.

With --doubts, pairs of claims are listed that may contradict each other, but
not surely enough for a rule. With --judge a model decides: the command or
server under judge in wiki.yaml, or else the first of claude, codex, gemini,
opencode and copilot in PATH, without tools and in an empty folder. Verdicts are
stored in .loopwiki/verdicts.jsonl, so each pair is judged once; commit that
file, and --judge=cached reports the same without calling a model. Write the
mode with an equals sign.`,
		Example: `  wiki lint
  wiki lint 20_SYSTEM --severity info
  wiki lint --select links,orphan --ignore broken-anchor
  wiki lint --explain broken-wikilink
  wiki lint --diff               # what --fix would do
  wiki lint --fix
  wiki lint --baseline-write
  wiki lint --ack ports.md:7 --reason "moves in June" --until 2026-06-30
  wiki lint --since origin/main
  wiki lint --judge              # ask a model about possible contradictions
  wiki lint --format json | jq '.findings[].path'
  wiki lint --output json=lint.json --fail-on warning`,
		Annotations: exits("0  no findings at or above --fail-on, or no changes with --diff", "1  findings at or above --fail-on, changes with --diff, or new findings not added to a baseline"),
		GroupID:     groupMake,
		SuggestFor:  []string{"check", "validate", "test"},
		Args:        cobra.ArbitraryArgs,
		RunE:        func(cmd *cobra.Command, args []string) error { return runLint(cmd.Context(), p, o, args) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVarP(&o.format, "format", "f", "", "print findings as `FORMAT`: "+text.List(formatNames(), "or"))
	f.BoolVar(&o.json, "json", false, "same as --format json")
	f.StringArrayVarP(&o.outputs, "output", "o", nil, "also write a report to a file, as `FORMAT=FILE`; repeatable")
	f.StringSliceVar(&o.rules, "select", nil, "run only this `RULE` or group; repeatable or comma-separated (alias: --rule)")
	f.StringSliceVar(&o.except, "ignore", nil, "skip this `RULE` or group; repeatable or comma-separated (alias: --except)")
	f.StringVar(&o.severity, "severity", "warning", "list findings of this `SEVERITY` and above in text: error, warning or info")
	f.BoolVar(&o.all, "all", false, "list all findings in text, not only the first "+strconv.Itoa(mostShown)+" per rule")
	f.StringVar(&o.failOn, "fail-on", "", "exit 1 on findings of this `SEVERITY` or above: error, warning or info; error by default")
	f.StringVar(&o.since, "since", "", "report only findings related to lines changed since `REV`, committed or not")
	o.baseline.flags(f)
	o.fix.flags(f)
	o.ack.flags(f)
	o.judge.flags(f)
	f.StringVar(&o.today, "today", "", "use `DAY` as today's date")
	f.BoolVar(&o.counts, "statistics", false, "print the number of findings per rule instead of the findings, in text")
	f.BoolVar(&o.stats, "stats", false, "print the findings and run time of each rule to standard error")
	f.BoolVar(&o.doubts, "doubts", false, "list pairs of claims that may contradict each other, and exit")
	f.StringVar(&o.explain, "explain", "", "explain `RULE`, with examples, and exit")
	f.BoolVar(&o.list, "list-rules", false, "list all rules and exit")
	f.SetNormalizeFunc(lintAlias)
	for _, flag := range []string{"select", "ignore", "explain"} {
		c.RegisterFlagCompletionFunc(flag, p.completeRules)
	}
	c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(formatNames(), cobra.ShellCompDirectiveNoFileComp))
	c.MarkFlagsMutuallyExclusive("format", "json")
	for _, flag := range []string{"fix", "fix-unsafe", "diff"} {
		c.MarkFlagsMutuallyExclusive("baseline-write", flag)
	}
	return c
}

// mostShown is how many findings of a rule text shows.
const mostShown = 10

// lintAlias knows the flags of wiki lint by their other names.
func lintAlias(_ *pflag.FlagSet, name string) pflag.NormalizedName {
	switch name {
	case "rule":
		name = "select"
	case "except":
		name = "ignore"
	}
	return pflag.NormalizedName(name)
}
