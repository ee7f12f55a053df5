package record

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/loopwiki/wiki/loops/spec/les"
	"github.com/loopwiki/wiki/loops/spec/schemas"
)

// Corpus is the outcome of checking the documents of a file.
type Corpus struct {
	Records []Record
	Kinds   map[Kind]int
	// Errors make the corpus invalid, Notes don't: numbers of a document that contradict
	// each other.
	Errors, Notes []string
}

// MinFailures is the share of failed runs that a corpus has at least: one of successes
// alone teaches nothing about failing.
const MinFailures = .4

// Check judges documents by their schemas and, if corpus is set, the records of them by
// the rules for a corpus.
func Check(items []Item, corpus bool) Corpus {
	c := Corpus{Kinds: make(map[Kind]int)}
	seen := make(map[string]bool)
	for n, i := range items {
		kind := i.Kind()
		c.Kinds[kind]++
		where := i.where(n, len(items))
		if kind == KindUnknown {
			c.Errors = append(c.Errors, where+"unknown document: expected trace_version, schema_version or metadata.schema_version")
			continue
		}
		faults := schemas.Validate(string(kind), i.Value)
		for _, f := range faults {
			c.Errors = append(c.Errors, where+f.String())
		}
		if kind != KindRecord || len(faults) > 0 {
			continue
		}
		var r Record
		if err := json.Unmarshal(i.Text, &r); err != nil {
			c.Errors = append(c.Errors, where+err.Error())
			continue
		}
		if seen[r.ID] {
			c.Errors = append(c.Errors, where+"duplicate record_id "+r.ID)
		}
		seen[r.ID] = true
		c.Records = append(c.Records, r)
		for _, note := range r.contradictions() {
			c.Notes = append(c.Notes, where+note)
		}
	}
	n := len(c.Records)
	if failed := Describe(c.Records).Outcomes["failure"]; corpus && float64(failed) < MinFailures*float64(n) {
		c.Errors = append(c.Errors, fmt.Sprintf("corpus: %d of %d records are failures; at least %.0f%% must be", failed, n, 100*MinFailures))
	}
	return c
}

// where is the place of a document, empty for a file that holds one.
func (i Item) where(n, of int) string {
	switch {
	case i.Line > 0:
		return fmt.Sprintf("line %d: ", i.Line)
	case of > 1:
		return fmt.Sprintf("record %d: ", n)
	}
	return ""
}

// contradictions are the numbers of a record that don't follow from its trajectory.
func (r *Record) contradictions() []string {
	var out []string
	differ := func(name string, stated, computed float64) {
		if math.Abs(stated-computed) > 1e-6 {
			out = append(out, fmt.Sprintf("%s is %s, but the trajectory gives %s", name, decimal(stated), decimal(computed)))
		}
	}
	m, n := r.Metadata, len(r.Trajectory)
	usd := make([]float64, n)
	for i, s := range r.Trajectory {
		usd[i] = s.USD
	}
	differ("metadata.iteration_count", float64(m.Iterations), float64(n))
	differ("metadata.cost_total_usd", les.Round(m.USD, 4), les.Round(les.Sum(usd...), 4))
	differ("metadata.goal_final", m.Final, r.Trajectory[n-1].Goal)
	differ("metadata.regression_count", float64(m.Regressions), float64(r.regressions()))
	if !slices.IsSortedFunc(r.Trajectory, func(a, b Step) int { return a.Iteration - b.Iteration }) {
		out = append(out, "the trajectory's iterations are not in order")
	}
	return append(out, r.scoreContradictions()...)
}

func (r *Record) scoreContradictions() []string {
	want, err := r.Score(les.Weights)
	if err != nil || r.Observed == want {
		return nil
	}
	old, _ := r.Score(les.CapturedWeights)
	switch {
	case r.Observed == old:
		return []string{fmt.Sprintf("les_observed is %s by older weights; LES 1.0 gives %s", decimal(old.Normalized), decimal(want.Normalized))}
	case r.Observed.Normalized != want.Normalized:
		return []string{fmt.Sprintf("les_observed.les_normalized is %s, but the trajectory gives %s", decimal(r.Observed.Normalized), decimal(want.Normalized))}
	}
	return []string{"les_observed does not follow from the trajectory"}
}
