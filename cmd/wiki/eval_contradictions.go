package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/linter/conflict"
	"github.com/spf13/cobra"
)

func newEvalContradictions(p *program) *cobra.Command {
	var asJSON bool
	var seeds int
	var o judgeOptions
	c := &cobra.Command{
		Use:   "contradictions SET|ROOT",
		Short: "Measure the contradiction rules on a labelled set",
		Long: `Lint the pages in SET/wiki and compare the findings with SET/labels.json, which
lists pairs of claims that contradict each other, and hard negatives: pairs that
only seem to. Precision is the share of reported pairs that are right, recall the
share of contradictions that are reported; "tempted" counts the hard negatives
that are reported.

With --seeded N, measure recall on the unlabelled wiki in ROOT: up to N claims of
each kind on which two pages agree are changed, one at a time, and the changes
that become findings or doubts are counted. The choice is made from the raw
markdown, and is the same each time.

With --judge, also measure the model configured in SET/wiki.yaml on the remaining
doubts; its verdicts are stored in SET/.loopwiki.`,
		Example:     "  wiki eval contradictions linter/conflict/testdata/skerry-line --json | jq .missed",
		Annotations: exits("0  the figures were printed", "2  the set can't be read"),
		Args:        takes(1, false, "SET|ROOT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if seeds > 0 {
				return runEvalSeeded(cmd.Context(), p, args[0], seeds, asJSON)
			}
			return runEvalContradictions(cmd.Context(), p, args[0], asJSON, o)
		},
	}
	c.Flags().IntVar(&seeds, "seeded", 0, "change up to `N` claims of each kind in the wiki ROOT, one at a time")
	c.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	o.flags(c.Flags())
	return c
}

func runEvalContradictions(ctx context.Context, p *program, set string, asJSON bool, o judgeOptions) error {
	if err := o.check(p, nil); err != nil {
		return err
	}
	dir := p.path(set)
	file := filepath.Join(dir, "labels.json")
	src, err := files.ReadGiven(file)
	if errors.Is(err, fs.ErrNotExist) {
		return misuse("a set is a folder with labels.json and wiki/", "%s has no labels.json", set)
	} else if err != nil {
		return err
	}
	labels, err := conflict.ReadLabels(src)
	if err != nil {
		return misuse("see linter/conflict/testdata for the format", "%s: %v", file, err)
	}
	ws, err := compiler.Detect(dir, "wiki")
	if err != nil {
		return err
	}
	b, err := p.openJudge(ws, o)
	if err != nil {
		return err
	}
	w, err := p.compileAt(ctx, ws, compiler.Options{})
	if err != nil {
		return err
	}
	res, err := linter.Run(ctx, w, linter.Config{Only: contradictionRules(b != nil), Judge: b.judge(w)})
	if err != nil {
		return err
	}
	if err := p.closeBench(b); err != nil {
		return err
	}
	score := conflict.Evaluate(labels, conflict.Pairs(res.Findings))
	if asJSON {
		return p.json(evaluation{evaluationVersion, score.Precision(), score.Recall(), score})
	}
	printScore(p, score)
	return nil
}

// evaluationVersion is the version of the JSON that wiki eval prints.
const evaluationVersion = 1

type evaluation struct {
	Version   int     `json:"version"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
	*conflict.Score
}

func contradictionRules(judged bool) []string {
	var ids []string
	for _, r := range linter.Rules() {
		if r.Group == linter.Contradiction || judged && r.Group == linter.Judged && !r.Notice {
			ids = append(ids, r.ID)
		}
	}
	return ids
}

func printScore(p *program, s *conflict.Score) {
	p.out.Printf("pairs      %d reported, %d right, %d without a label\n", s.Pairs, s.Right, s.Unlabelled)
	p.out.Printf("precision  %.3f\n", s.Precision())
	p.out.Printf("recall     %.3f  %d of %d\n", s.Recall(), s.Found.Found, s.Found.Of)
	p.out.Printf("tempted    %d of %d\n", s.Tempted.Found, s.Tempted.Of)
	for _, by := range []struct {
		name  string
		parts map[string]*conflict.Part
	}{{"by reach", s.Reach}, {"by kind", s.Kind}} {
		var out []string
		for _, k := range slices.Sorted(maps.Keys(by.parts)) {
			out = append(out, fmt.Sprintf("%s %d/%d", k, by.parts[k].Found, by.parts[k].Of))
		}
		p.out.Printf("%-9s  %s\n", by.name, strings.Join(out, ", "))
	}
	for _, l := range []struct {
		name string
		ids  []string
	}{{"missed", s.Missed}, {"taken", s.Taken}, {"unlabelled", s.Strangers}} {
		if len(l.ids) > 0 {
			p.out.Printf("%-9s  %s\n", l.name, strings.Join(l.ids, ", "))
		}
	}
}
