package gate

import (
	"bytes"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

var _ = register(Gate{
	ID:     "decision",
	Stages: []loops.Stage{loops.StageWiki},
	Doc:    "If the plan asks for a decision page, one exists and names the plan's file.",
	phase:  phaseChange,
	judge:  judgeDecision,
})

func judgeDecision(ctx context.Context, j *judge) ([]loops.GateResult, error) {
	pl := &j.c.Start.Plan
	now := workspace(j.now.dir)
	if !pl.Decision || now == nil {
		return nil, nil
	}
	w, err := compileAt(ctx, now, j)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(w.wiki.Pages(), func(p *schema.Page) bool { return isDecision(p) && bytes.Contains(p.Source, []byte(pl.Path)) }) {
		return passed(), nil
	}
	return because(loops.Red, loops.ClassLint, []loops.Reason{{Path: now.RootPath, Message: "no decision page names " + pl.Path + "; the plan requires one"}}), nil
}

// decisionFolders are where decisions lie, lower case.
var decisionFolders = []string{"decisions", "decision", "adr", "adrs"}

// isDecision reports whether a page records a decision, by its type or its folder.
func isDecision(p *schema.Page) bool {
	if p.Meta.Type == "decision" || p.Meta.Type == "adr" {
		return true
	}
	return slices.ContainsFunc(strings.Split(strings.ToLower(path.Dir(p.Path)), "/"), func(dir string) bool { return slices.Contains(decisionFolders, dir) })
}
