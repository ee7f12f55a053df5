package main

import (
	"context"
	"fmt"

	"github.com/loopwiki/wiki/cmd/wiki/internal/replay"
	"github.com/spf13/cobra"
)

func newEvalStaleness(p *program) *cobra.Command {
	var asJSON bool
	commits := 0
	c := &cobra.Command{
		Use:   "staleness REPO",
		Short: "Measure the staleness rules on a repository's history",
		Long: `Replay the history of the repository in REPO, in a temporary folder. Before each
commit, a page is generated and verified for every file that the commit changes,
with a section per exported symbol that states its values; after the commit, the
sections with findings are counted.

A section is affected if its symbol's declaration or a stated value changed, or
the symbol is gone. An error or warning on another section is a false alarm. A
symbol in a renamed file is healed if it is found there. A stale value is right
if the symbol had that value before and no longer has it. Sections that only need
a review, because the body changed, are counted separately.`,
		Example:     "  wiki eval staleness .\n  wiki eval staleness ../other --commits 200 --json | jq .falseAlarms",
		Annotations: exits("0  the figures were printed", "3  git or the history is missing"),
		Args:        takes(1, false, "REPO"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runEvalStaleness(cmd.Context(), p, args[0], commits, asJSON)
		},
	}
	c.Flags().SortFlags = false
	c.Flags().IntVar(&commits, "commits", 0, "replay only the last `N` commits; 0 for all")
	c.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	return c
}

type stalenessDocument struct {
	Version int `json:"version"`
	replay.Score
}

func runEvalStaleness(ctx context.Context, p *program, repo string, commits int, asJSON bool) error {
	if commits < 0 {
		return misuse("use a number of commits, or 0 for all", "--commits: %d is negative", commits)
	}
	doc := stalenessDocument{Version: evaluationVersion}
	step, done := p.progress("replaying commits")
	n, err := replay.Run(ctx, p.path(repo), commits, step, doc.Add)
	done()
	if err != nil {
		return gitFault(err, "")
	}
	doc.Commits = n
	if asJSON {
		return p.json(doc)
	}
	s := &doc.Score
	share := func(name string, part, of int, what string) {
		percent := ""
		if of > 0 {
			percent = fmt.Sprintf("%.2f %%", 100*float64(part)/float64(of))
		}
		p.out.Printf("%-14s %8s  %d of %d %s\n", name, percent, part, of, what)
	}
	p.out.Printf("%-14s %8d  that changed code\n", "commits", s.Commits)
	p.out.Printf("%-14s %8d  of a commit and a section about a file that it changed\n", "pairs", s.Pairs)
	share("affected", s.Affected, s.Pairs, "pairs")
	share("false alarms", s.FalseAlarms, s.Pairs-s.Affected, "pairs that were not affected")
	share("false commits", s.FalseCommits, s.Commits, "commits")
	share("work list", s.Worklist, s.Pairs, "pairs only need a review")
	share("healed", s.Healed, s.Moves, "symbols in files that were renamed")
	share("right values", s.RightValues, s.Values, "stale values")
	share("missed", s.Missed, s.Affected, "affected pairs")
	if s.Unverified > 0 {
		p.out.Printf("%-14s %8d  pairs whose file can't be read\n", "unverifiable", s.Unverified)
	}
	for _, m := range s.Wrong {
		p.out.Printf("wrong  %.7s  %s  %s  %s\n", m.Commit, m.Target, m.State, m.Why)
	}
	return nil
}
