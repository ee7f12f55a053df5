package mcp

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// latestRuns is how many runs of loops the status lists.
const latestRuns = 10

type statusInput struct{}

func status(ctx context.Context, v *view, _ statusInput) (answer, error) {
	st, known := v.Stats(), v.known(ctx)
	states, private := map[schema.FreshnessState]int{}, 0
	for _, p := range v.Pages() {
		states[v.Freshness(p).Watch(known.Watched[p.Path]).State]++
		if v.private(p) {
			private++
		}
	}
	var b strings.Builder
	row := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%s: %s\n", name, text.Sprintf(format, args...))
	}
	row("root", "%s (%s)", v.Workspace().RootPath, st.Dialect)
	row("pages", "%d, %d of them raw sources, %d private", st.Pages, st.SourcePages, private)
	var fresh []string
	for _, s := range slices.Sorted(maps.Keys(states)) {
		fresh = append(fresh, fmt.Sprintf("%d %s", states[s], s))
	}
	row("freshness", "%s", strings.Join(fresh, ", "))
	severities := map[schema.Severity]int{}
	for i := range known.Findings {
		severities[known.Findings[i].Severity]++
	}
	row("findings", "%d errors, %d warnings, %d infos", severities[schema.Error], severities[schema.Warning], severities[schema.Info])
	open := 0
	for i := range known.Contradictions {
		if known.Contradictions[i].Acknowledged == nil {
			open++
		}
	}
	row("contradictions", "%d open, %d acknowledged", open, len(known.Contradictions)-open)
	for _, s := range v.Skipped() {
		row("skipped", "%s: %s", s.Check, s.Reason)
	}
	if known.Problem != "" {
		row("incomplete", "%s", known.Problem)
	}
	if !v.lib.opt.Public {
		list := v.proposals()
		row("proposals", "%d", len(list))
		for _, name := range list[:min(len(list), shownFindings)] {
			fmt.Fprintf(&b, "- %s/%s\n", ProposalFolder, text.Line(name))
		}
	}
	b.WriteString(v.runs())
	return answer{"the state of the wiki", b.String()}, nil
}

// runs lists the latest runs of loops. What they are about stays on this machine.
func (v *view) runs() string {
	if v.lib.opt.Runs == nil || v.lib.opt.Public {
		return ""
	}
	runs := v.lib.opt.Runs()
	var b strings.Builder
	fmt.Fprintf(&b, "runs: %d\n", len(runs))
	for _, r := range slices.Backward(runs[max(0, len(runs)-latestRuns):]) {
		done := 0
		for _, c := range r.Chunks {
			if c.Status == "done" {
				done++
			}
		}
		fmt.Fprintf(&b, "- %s  %s  %s, %s, %d of %d chunks done", text.Line(r.ID), clip(cmp.Or(r.Loop, r.Kind, r.Plan), 80), r.Mode, r.Status, done, len(r.Chunks))
		if r.WaitingFor != "" {
			fmt.Fprintf(&b, ", waiting for %s", r.WaitingFor)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
