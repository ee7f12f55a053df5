package run

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema/text"
)

// iterationTable lists what the iterations of a declared loop came to, the marks of the last
// one, and where the outputs of its workers lie in the run's folder.
func iterationTable(s *loops.State) string {
	if s.Rounds == nil || len(s.Rounds.History) == 0 {
		return ""
	}
	var names []string
	for _, m := range s.Loop().Metrics {
		names = append(names, m.Name)
	}
	var b strings.Builder
	text.Fprintf(&b, "\n## Iterations\n\n| iteration | %s | spent | took |\n|---|%s---|---|\n", strings.Join(names, " | "), strings.Repeat("---|", len(names)))
	for i := range s.Rounds.History {
		it := &s.Rounds.History[i]
		var values []string
		for _, n := range names {
			value := "-"
			if v, ok := it.Of(n); ok {
				value = fmt.Sprintf("%.4g", v)
			}
			values = append(values, value)
		}
		text.Fprintf(&b, "| %d | %s | $%.2f | %v |\n", it.N, strings.Join(values, " | "), it.USD, time.Duration(it.Took).Round(time.Second))
		if it.Lost != "" {
			text.Fprintf(&b, "\nIteration %d came to no judgement: %s\n\n", it.N, quiet(it.Lost))
		}
	}
	if len(s.Rounds.Children) > 0 {
		b.WriteString("\n## Loops of the last iteration\n\n| loop | ended | why |\n|---|---|---|\n")
		for _, c := range s.Rounds.Children {
			text.Fprintf(&b, "| %s | %s | %s |\n", c.ID, c.Status, cell(orDash(quiet(c.Why))))
		}
	}
	b.WriteString(marks(s.Rounds.Marks))
	b.WriteString(outputs(s.Rounds.Outputs))
	return b.String()
}

func marks(all []loops.Mark) string {
	if len(all) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n## Last judgement\n\n| evaluator | score | passed | reasons |\n|---|---|---|---|\n")
	for _, m := range all {
		var why []string
		if m.Error != "" {
			why = append(why, m.Error)
		}
		for _, r := range m.Reasons {
			why = append(why, r.String())
		}
		text.Fprintf(&b, "| %s | %.3g | %v | %s |\n", m.Evaluator, m.Score, m.Passed, cell(orDash(quiet(strings.Join(why, "; ")))))
	}
	return b.String()
}

// outputs lists the last output of each worker.
func outputs(all []loops.WorkerOutput) string {
	seen := map[string]bool{}
	var lines []string
	for _, o := range slices.Backward(all) {
		if seen[o.Worker] || o.Folder == "" {
			continue
		}
		seen[o.Worker] = true
		lines = append(lines, fmt.Sprintf("- %s, iteration %d: `%s/%s`", o.Worker, o.Iteration, o.Folder, AnswerFile))
	}
	if len(lines) == 0 {
		return ""
	}
	slices.Reverse(lines)
	return "\n## Outputs\n\n" + strings.Join(lines, "\n") + "\n"
}
