// Package convert turns the short form of loop specifications and the loop specs in
// markdown of agents/loops into documents of LSS 1.0, and these into markdown. What
// the other form can't say is kept in the extension x_wiki, so that it comes back.
package convert

import (
	"cmp"
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/loops/spec"
)

// draft is what both forms come to, before the defaults of the standard.
type draft struct {
	Name, Version, Objective, Input string

	Workers    []worker
	Evaluators []evaluator
	Success    float64 // of primary_quality
	Iterations int
	Seconds    int // 0 is no limit
	Stall      int // iterations without improvement, 0 is none
	USD        float64
	Each       float64 // USD an iteration, 0 if nothing says
	Tokens     int
	Sections   []section
}

type worker struct {
	ID, Role, After, Format string
	Model                   spec.Model
}

type evaluator struct {
	ID, Type       string
	Implementation string // of a deterministic one
	Criteria       string // of a rubric
	Threshold      float64
	Model          spec.Model
}

// Channel is the id of the evaluator's way back to the first worker.
func (e evaluator) Channel() string { return e.ID + "_to_worker" }

// section is a part of a markdown spec that LSS has no key for.
type section struct{ Name, Text string }

//go:embed draft.yaml.tmpl
var draftText string

var draftTemplate = spec.Template(draftText)

// Judge is the evaluator that decides: the first command if all of it must pass, the
// first rubric if a score must be reached, or else the first of all.
func (d draft) Judge() string {
	kind := spec.LLMRubric
	if d.Success == 1 {
		kind = spec.Deterministic
	}
	i := slices.IndexFunc(d.Evaluators, func(e evaluator) bool { return e.Type == kind })
	return d.Evaluators[max(i, 0)].ID
}

// Definition says what the primary metric measures.
func (d draft) Definition() string {
	return "Score of " + d.Judge()
}

// PerIteration is what an iteration may cost: its share of the budget twice, if nothing says.
func (d draft) PerIteration() float64 {
	return min(d.USD, cmp.Or(d.Each, math.Ceil(200*d.USD/float64(max(1, d.Iterations)))/100))
}

// document writes the draft and reads it as a document.
func (d draft) document(path string) (*spec.Document, error) {
	doc, err := spec.Render(path, draftTemplate(), d)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return doc, nil
}

// id makes an id of a part from words, unlike those that are taken.
func id(words string, taken func(string) bool) string {
	s := strings.Trim(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' {
			return r
		}
		return '-'
	}, strings.ToLower(words)), "-")
	s = strings.TrimRight(s[:min(len(s), 56)], "-")
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		s = "part-" + s
	}
	s = strings.TrimSuffix(s, "-")
	for i, base := 2, s; taken(s); i++ {
		s = base + "-" + strconv.Itoa(i)
	}
	return s
}

// ours is a model of one of this program's roles.
func ours(role string) spec.Model { return spec.Model{Provider: "x_wiki", Name: role} }
