package main

import (
	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops/spec/bench"
	"github.com/spf13/cobra"
)

// leaderboardVersion is the version of the JSON that wiki loop bench leaderboard prints.
const leaderboardVersion = 1

type leaderboardDocument struct {
	Version int `json:"version"`
	bench.Ranking
}

func newLoopBenchLeaderboard(p *program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "leaderboard FILE",
		Short: "Rank the entries of a leaderboard",
		Long: `Rank the entries of a leaderboard, over all and per suite and task, as markdown.
Over all, an entry counts that is not partial and has a score in every suite, or
is older than suites. Ranks come from the scores that entries state: verify them
first.`,
		Example:     "  wiki loop bench leaderboard entries.json > LIVE.md\n  wiki loop bench leaderboard entries.json --json | jq '.generalist[0]'",
		Annotations: exits("0  the ranks were printed"),
		SuggestFor:  []string{"rank", "ranking"},
		Args:        takes(1, false, "FILE"),
		RunE: func(_ *cobra.Command, args []string) error {
			src, err := files.ReadGiven(p.path(args[0]))
			if err != nil {
				return err
			}
			board, err := bench.ReadLeaderboard(src)
			if err != nil {
				return misuse("'wiki loop bench verify' says what is wrong", "%s: not a leaderboard: %w", args[0], err)
			}
			ranking := board.Rank()
			if asJSON {
				return p.json(leaderboardDocument{leaderboardVersion, ranking})
			}
			_, err = p.out.WriteString(ranking.Markdown())
			return err
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	return c
}
