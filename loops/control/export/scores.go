package export

import (
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/loops/spec/les"
	"github.com/loopwiki/wiki/schema/text"
)

// Text says in markdown what the run's score is made of.
func (r Run) Text() string {
	var b strings.Builder
	s := r.Record.Observed
	first, last := r.Record.Trajectory[0], r.Record.Trajectory[len(r.Record.Trajectory)-1]
	text.Fprintf(&b, "\n## LES: %.1f, %s\n\n", s.Display, les.Band(s.Display))
	text.Fprintf(&b, "Goal score %.2f after iteration %d, %.2f after iteration %d (share of gates and goal that passed).\n", first.Goal, first.Iteration, last.Goal, last.Iteration)
	if r.Dropped > 0 {
		text.Fprintf(&b, "%s.\n", r.Tail())
	}
	b.WriteString("\n| category | score | weight |\n|---|---|---|\n")
	values, weights := s.Categories.Values(), les.Weights.Values()
	for i, name := range les.Names {
		text.Fprintf(&b, "| %s | %.2f | %.2f |\n", name, values[i], weights[i])
	}
	return b.String()
}

// Tail says what a record lacks of a long run.
func (r Run) Tail() string {
	n := len(r.Record.Trajectory)
	return fmt.Sprintf("The record holds the last %d of %d iterations, the most that its format allows", n, n+r.Dropped)
}

// Scores sums up the scores of the finished runs in a store. Runs without a score are
// left out.
func Scores(store *run.Store) (run.Scores, error) {
	ids, err := store.IDs()
	if err != nil {
		return run.Scores{}, err
	}
	var out run.Scores
	var all []float64
	same := func(text string) string { return text }
	for _, id := range ids {
		_, events, err := store.Read(id)
		if err != nil {
			continue // it is being made, or is none of ours
		}
		of, err := Of(events, same)
		if err != nil {
			continue
		}
		x := of.Record.Observed.Display
		if len(all) == 0 {
			out.Min, out.Max = x, x
		}
		out.Min, out.Max = min(out.Min, x), max(out.Max, x)
		all = append(all, x)
	}
	out.Runs, out.Mean = len(all), les.Round(les.Mean(all...), 1)
	return out, nil
}
