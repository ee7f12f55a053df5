package main

import (
	"context"
	"fmt"

	"github.com/loopwiki/wiki/loops/docs"
	"github.com/spf13/cobra"
)

func newEvalDocumentation(p *program) *cobra.Command {
	var asJSON bool
	commits, limit := 0, docs.DefaultLimit
	c := &cobra.Command{
		Use:   "documentation REPO",
		Short: "Measure how far paths tell which pages a commit concerns",
		Long: `Replay the history of the repository in REPO without an agent: for each commit
that changes more than pages, rank the pages by their paths to the changed files,
and compare the list with the pages that people changed in that commit or in the
next five.

Only paths are replayed, on the current pages. A real run compares what pages say
with the code, and lists fewer ('wiki loop run documentation --dry-run'). Pages
and files that change together are learnt from earlier commits only. REPO may
also be a folder with a wiki and its repository's history as data, in
history.jsonl.

A changed page is found if it is on the list of that commit or of one of the five
before. "By commit" counts the reverse: the pages changed in a commit or the next
five that are on its own list. The baseline lists the pages whose sources or
covers include a changed file. The last rows show the recall without each reason,
and by each reason alone.`,
		Example:     "  wiki eval documentation .\n  wiki eval documentation . --limit 5 --json | jq .recall",
		Annotations: exits("0  the figures were printed", "2  no wiki was found", "3  git or the history is missing"),
		Args:        takes(1, false, "REPO"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runEvalDocumentation(cmd.Context(), p, args[0], commits, limit, asJSON)
		},
	}
	c.Flags().SortFlags = false
	c.Flags().IntVar(&commits, "commits", 0, "replay only the last `N` commits; 0 for all")
	c.Flags().IntVar(&limit, "limit", limit, "list at most `N` pages per commit")
	c.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	return c
}

type documentationDocument struct {
	Version int `json:"version"`
	docs.Score
	Baseline docs.Score            `json:"baseline" jsonschema:"the pages whose sources or covers hold a changed file, with the same limit"`
	Without  map[docs.Kind]float64 `json:"without" jsonschema:"the recall when one reason is left out"`
	Alone    map[docs.Kind]float64 `json:"alone" jsonschema:"the recall by one reason alone"`
}

// replayed are the reasons that paths alone can give.
var replayed = []docs.Kind{docs.BySource, docs.ByCitation, docs.ByMention, docs.ByLink, docs.ByName, docs.Together}

func runEvalDocumentation(ctx context.Context, p *program, repo string, commits, limit int, asJSON bool) error {
	if commits < 0 || limit < 1 {
		return misuse("use --commits 0 or more, and --limit 1 or more", "--commits %d, --limit %d: out of range", commits, limit)
	}
	s, err := docs.Load(ctx, p.path(repo), commits)
	if err != nil {
		return gitFault(err, "")
	}
	replay := func(leftOut docs.Features) docs.Score { return s.Bindings.Replay(s.Commits, limit, leftOut) }
	only := func(kind docs.Kind) docs.Features {
		out := docs.Features{}
		for _, k := range replayed {
			out[k] = k != kind
		}
		return out
	}
	doc := documentationDocument{Version: evaluationVersion, Score: replay(nil), Baseline: replay(only(docs.BySource)), Without: map[docs.Kind]float64{}, Alone: map[docs.Kind]float64{}}
	for _, k := range replayed {
		doc.Without[k], doc.Alone[k] = replay(docs.Features{k: true}).Recall, replay(only(k)).Recall
	}
	if asJSON {
		return p.json(doc)
	}
	p.out.Printf("%-12s %d with a work list, of %d\n", "commits", doc.Commits, len(s.Commits))
	p.out.Printf("%-12s %d, of a page in one commit\n\n", "changes", doc.Changes)
	p.out.Printf("%-12s %-16s %-18s %-10s %s\n", "", "found", "listed a commit", "by commit", "pooled (at best)")
	row := func(name string, s docs.Score) {
		p.out.Printf("%-12s %.3f (%d)%*s %.2f, most %-6d %.3f      %.3f (%.3f)\n", name, s.Recall, s.Found, 6-len(fmt.Sprint(s.Found)), "", s.Listed, s.Longest, s.PerCommit, s.Pooled, s.Ceiling)
	}
	row("work list", doc.Score)
	row("baseline", doc.Baseline)
	p.out.Printf("\n%-12s %-9s %s\n", "reason", "without", "alone")
	for _, k := range replayed {
		p.out.Printf("%-12s %.3f     %.3f\n", k, doc.Without[k], doc.Alone[k])
	}
	return nil
}
