package main

import (
	"context"

	"github.com/loopwiki/wiki/linter/merge"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

// mergeVersion is the version of the JSON that wiki merge prints.
const mergeVersion = 1

type mergeDocument struct {
	Version  int      `json:"version"`
	Resolved []string `json:"resolved" jsonschema:"files whose conflicts were resolved, or can be; below the repository"`
	Left     []string `json:"left" jsonschema:"files whose conflicts a person has to resolve"`
}

func newMerge(p *program) *cobra.Command {
	resolve, asJSON := false, false
	c := &cobra.Command{
		Use:   "merge",
		Short: "Resolve merge conflicts in the index, the log and state files",
		Long: `List the files that a merge, rebase or cherry-pick left in conflict, and which of
them can be resolved: the index, the log, wiki.lock, the baseline,
acknowledgements and verdicts. With --resolve, resolve and stage these, as the
merge driver would have ('wiki merge-driver'), for clones and hosts that merge
without it. Other files are left as they are.`,
		Example:     "  git merge origin/main || wiki merge --resolve && git commit --no-edit",
		Annotations: exits("0  no conflict is left, or none but those that can be resolved", "1  conflicts are left"),
		GroupID:     groupMake,
		SuggestFor:  []string{"conflicts", "resolve"},
		Args:        takes(0, false),
		RunE:        func(cmd *cobra.Command, _ []string) error { return runMerge(cmd.Context(), p, resolve, asJSON) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.BoolVar(&resolve, "resolve", false, "resolve and stage what can be resolved")
	f.BoolVar(&asJSON, "json", false, "print the result as JSON")
	return c
}

func runMerge(ctx context.Context, p *program, resolve, asJSON bool) error {
	ws, err := p.detect()
	if err != nil {
		return err
	}
	r, err := merge.Conflicts(ctx, ws)
	if err == nil && resolve {
		err = r.Write(ctx)
	}
	if err != nil {
		return gitFault(err, "")
	}
	doc := mergeDocument{mergeVersion, r.Resolved(), r.Left}
	done := "can resolve"
	if resolve {
		done = "resolved"
	}
	switch {
	case asJSON:
		err = p.json(doc)
	default:
		for _, file := range doc.Resolved {
			p.out.Printf("%s %s\n", done, file)
		}
		for _, file := range doc.Left {
			p.out.Printf("conflict %s\n", file)
		}
	}
	if len(doc.Left) > 0 {
		p.say("%s left; resolve by hand, then git add", text.Count(len(doc.Left), "conflict"))
		return found()
	}
	return err
}
