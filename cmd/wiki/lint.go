package main

import (
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
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
		Short: "Check the wiki and say what to do about what is wrong",
		Long: `Lint checks what pages link to, how they hang together and what they state:
against each other, against the index and the log, and against the code and the
sources they name. Every finding has its exact place and says what to do. All
pages are checked, since one page's fault is often another's; with PATH, a page
or a folder, only what was found there is shown.

Text shows warnings and errors, at most 10 of each rule, and counts the rest;
--all shows more, and --severity milder ones. Every other format holds all that
its readers take. In GitHub Actions the findings become annotations by
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
and that no rule is sure of. With --judge a model is asked about them: the
command or server under judge in wiki.yaml, or else the first of claude, codex,
gemini, opencode and copilot in PATH, with its tools off and in an empty folder.
Its verdicts are kept in .loopwiki/verdicts.jsonl, so nothing is asked twice;
commit the file, and --judge=cached reports the same without asking anybody.
Write the mode with an equals sign.`,
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
	f.StringSliceVar(&o.rules, "select", nil, "run only `RULE` or group; may be repeated, or a list with commas (--rule does the same)")
	f.StringSliceVar(&o.except, "ignore", nil, "do not run `RULE` or group; may be repeated, or a list with commas (--except does the same)")
	f.StringVar(&o.severity, "severity", "warning", "show findings of `SEVERITY` and above in text: error, warning or info")
	f.BoolVar(&o.all, "all", false, "show all findings in text, not the first "+strconv.Itoa(mostShown)+" of each rule")
	f.StringVar(&o.failOn, "fail-on", "", "exit 1 from this `SEVERITY` on: error, warning or info; error by default")
	f.StringVar(&o.since, "since", "", "show only what has to do with lines changed since `REV`, committed or not")
	o.baseline.flags(f)
	o.fix.flags(f)
	o.ack.flags(f)
	o.judge.flags(f)
	f.StringVar(&o.today, "today", "", "take this `DAY` for the present one")
	f.BoolVar(&o.counts, "statistics", false, "print how often each rule reported in place of the findings, in text")
	f.BoolVar(&o.stats, "stats", false, "print what each rule found and took to standard error")
	f.BoolVar(&o.doubts, "doubts", false, "list the pairs of statements that may contradict each other, and stop")
	f.StringVar(&o.explain, "explain", "", "say what `RULE` is about, with examples, and stop")
	f.BoolVar(&o.list, "list-rules", false, "list the rules and stop")
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
