package spec

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// The levels of conformance, each with what the one before has.
const (
	NotParseable = "" // not valid
	Parseable    = "Parseable"
	Operational  = "Operational" // its metrics can be measured, its cost limits hold
	Production   = "Production"  // it is safe, calibrated and has a runbook
)

// Conformance is how far a spec is fit for use.
type Conformance struct {
	Level string
	// Missing is what the next level needs.
	Missing []string
}

// Conform judges a valid document by its semantic findings. The standard leaves
// open where calibration and runbook are written: here, at extensions.calibration,
// a map by evaluator, and extensions.runbook.
func (d *Document) Conform(found []Finding) Conformance {
	var operational []string
	for _, f := range found {
		if f.Severity >= schema.Error {
			operational = append(operational, f.Path+": "+f.Message)
		}
	}
	limits := d.Root.Get("cost_limits")
	exceed := limits.Get("on_exceed").Get("action").ScalarText()
	if exceed == "warn" {
		operational = append(operational, "cost_limits.on_exceed.action: warn enforces nothing; use halt or throttle")
	}
	if len(operational) > 0 {
		return Conformance{Parseable, operational}
	}
	var production []string
	if len(items(d.Root, "safety_constraints")) == 0 {
		production = append(production, "safety_constraints: is empty; add at least one")
	}
	if exceed != "halt" {
		production = append(production, "cost_limits.on_exceed.action: is "+exceed+"; use halt")
	}
	extensions := d.Root.Get("extensions")
	for _, e := range items(d.Root, "evaluators") {
		id := e.Get("id").ScalarText()
		if e.Get("type").ScalarText() == LLMRubric && extensions.Get("calibration").Get(id) == nil {
			production = append(production, fmt.Sprintf("extensions.calibration.%s: is missing; describe how the judge was compared with people", id))
		}
	}
	if strings.TrimSpace(extensions.Get("runbook").ScalarText()) == "" {
		production = append(production, "extensions.runbook: is missing; name the page that says what to do when the loop stops")
	}
	if len(production) > 0 {
		return Conformance{Operational, production}
	}
	return Conformance{Level: Production}
}

// Short reports whether the document is in the short form of the introduction to
// the standard, which no schema accepts: conditions as a list, evaluators named
// after what they run, or a version of two numbers.
func (d *Document) Short() bool {
	stops := d.Root.Get("termination_conditions")
	if stops != nil && stops.Kind == schema.KindList {
		return true
	}
	return slices.ContainsFunc(items(d.Root, "evaluators"), func(e *schema.Node) bool {
		kind := e.Get("type")
		return kind.IsScalar() && !slices.Contains([]string{Deterministic, LLMRubric, Human}, kind.Text) && e.Get("id") == nil
	})
}
