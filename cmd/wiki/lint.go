package main

import (
	"github.com/spf13/cobra"
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
		Short: "Check the wiki and say what to do about what is wrong",
		Long: `Lint checks what pages link to, how they hang together and what they state:
against each other, against the index and the log, and against the code and the
sources they name. Every finding has its exact place and says what to do. All
pages are checked, since one page's fault is often another's; with PATH, a page
or a folder, only what was found there is shown.

Text shows warnings and errors and counts the rest; every other format holds all
that its readers take. In GitHub Actions the findings become annotations by
themselves.

What a page does not want to hear stands in it, as a comment that holds
wiki-lint-disable-next-line RULE -- reason, or under lint.disable in its
frontmatter; 'wiki lint --explain unused-suppression' shows all forms. A wiki
that can not be mended at once begins with --baseline-write: what is wrong today
is hidden from then on, and what is new is not. A contradiction that can not be
settled now is acknowledged with --ack: who knows of it and why it stays is
written down, and it is reported again when a side changes. With --since only
what has to do with the lines changed since a revision is shown.

With --fix what can be mended safely is mended before the report, which shows
what is left; --fix-unsafe makes the changes too that somebody ought to look at.
Both change links, frontmatter and lists, never prose, and only what the report
would hold. With --diff nothing is written: the changes are printed, with
control and other invisible characters as escapes.

With --doubts the pairs of statements are listed that may contradict each other
and that no rule is sure of. With --judge=on the model that wiki.yaml names under
judge is asked about them. What it says is kept in .loopwiki/verdicts.jsonl, so
that nothing is asked twice; commit it, and --judge=cached reports the same
without asking anybody.`,
		Example: `  wiki lint
  wiki lint 20_SYSTEM --severity info
  wiki lint --rule broken-wikilink,broken-anchor
  wiki lint --explain broken-wikilink
  wiki lint --diff               # what --fix would do
  wiki lint --fix
  wiki lint --baseline-write
  wiki lint --ack ports.md:7 --reason "moves in June" --until 2026-06-30
  wiki lint --since origin/main
  wiki lint --format json | jq '.findings[].path'
  wiki lint --output json=lint.json --fail-on warning`,
		Annotations: exits("0  nothing at or above --fail-on was found, or with --diff nothing to change", "1  something was, or a baseline was not to grow"),
		GroupID:     groupMake,
		SuggestFor:  []string{"check", "validate", "test"},
		Args:        cobra.ArbitraryArgs,
		RunE:        func(cmd *cobra.Command, args []string) error { return runLint(cmd.Context(), p, o, args) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVarP(&o.format, "format", "f", "", "print findings as `FORMAT`: "+list(formatNames()))
	f.BoolVar(&o.json, "json", false, "the same as --format json")
	f.StringArrayVarP(&o.outputs, "output", "o", nil, "also write `FORMAT=FILE`; may be repeated")
	f.StringSliceVar(&o.rules, "rule", nil, "run only `RULE`; may be repeated, or a list with commas")
	f.StringSliceVar(&o.except, "except", nil, "do not run `RULE`; may be repeated, or a list with commas")
	f.StringVar(&o.severity, "severity", "warning", "show findings of `SEVERITY` and above in text: error, warning or info")
	f.StringVar(&o.failOn, "fail-on", "", "exit 1 from this `SEVERITY` on: error, warning or info; error by default")
	f.StringVar(&o.since, "since", "", "show only what has to do with lines changed since `REV`, committed or not")
	o.baseline.flags(f)
	o.fix.flags(f)
	o.ack.flags(f)
	o.judge.flags(f)
	f.StringVar(&o.today, "today", "", "take this `DAY` for the present one")
	f.BoolVar(&o.stats, "stats", false, "print what each rule found and took to standard error")
	f.BoolVar(&o.doubts, "doubts", false, "list the pairs of statements that may contradict each other, and stop")
	f.StringVar(&o.explain, "explain", "", "say what `RULE` is about, with examples, and stop")
	f.BoolVar(&o.list, "list-rules", false, "list the rules and stop")
	for _, flag := range []string{"rule", "except", "explain"} {
		c.RegisterFlagCompletionFunc(flag, p.completeRules)
	}
	c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(formatNames(), cobra.ShellCompDirectiveNoFileComp))
	c.MarkFlagsMutuallyExclusive("format", "json")
	for _, flag := range []string{"fix", "fix-unsafe", "diff"} {
		c.MarkFlagsMutuallyExclusive("baseline-write", flag)
	}
	return c
}
