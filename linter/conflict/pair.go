package conflict

import (
	"fmt"

	"github.com/loopwiki/wiki/schema"
)

// Evidence is one reason for or against two claims being about the same thing.
type Evidence struct {
	What   string
	Points float64 // what it adds to the score
}

// The scores from which a pair is an error, a warning or a doubt.
const (
	Errs   = 3.0
	Warns  = 2.0
	Doubts = 1.0
)

// Pair is two differing claims, with the evidence that they are about the same thing.
type Pair struct {
	A, B     schema.Claim
	Evidence []Evidence
	Agree    int    // how many cells of the column agree
	Veto     string // the name of the veto that dropped it; empty when none did
	Rule     string
}

// Score is the sum of the evidence; 0 under a veto.
func (p *Pair) Score() float64 {
	if p.Veto != "" {
		return 0
	}
	sum := 0.0
	for _, e := range p.Evidence {
		sum += e.Points
	}
	return sum
}

// The verdicts on pairs.
const (
	Reported = "reported"
	Doubted  = "doubted"
	Dropped  = "dropped"
)

// Verdict says the result of a pair.
func (p *Pair) Verdict() string {
	switch s := p.Score(); {
	case s >= Warns:
		return Reported
	case s >= Doubts:
		return Doubted
	}
	return Dropped
}

// Why writes the evidence in a line: 4 cells of the column agree (+4), …
func (p *Pair) Why() string {
	out := ""
	for _, e := range p.Evidence {
		if out != "" {
			out += ", "
		}
		out += fmt.Sprintf("%s (%+g)", e.What, e.Points)
	}
	if p.Veto != "" {
		out += ", veto: " + p.Veto
	}
	return out
}

// ruleOf returns the rule that reports values of a kind.
func ruleOf(v schema.Value) string {
	switch v.Kind {
	case schema.ValueDate:
		return "date-conflict"
	case schema.ValueVersion:
		return "version-conflict"
	case schema.ValueQuantity:
		return "numeric-conflict"
	}
	return "field-conflict"
}
