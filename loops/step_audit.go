package loops

import (
	"fmt"

	"github.com/loopwiki/wiki/schema"
)

// AuditLoop is the loop that looks for what is wrong in a repository, and makes
// plans of it. Its run goes as one of [PlanLoop] does, with an auditor in the
// planner's place: what it answers is judged, the plans that are kept are written,
// and the run waits. Where nothing is kept it is over, and its goal is met.
const AuditLoop = "audit"

// AuditRequest is what an auditor is asked for.
type AuditRequest struct {
	Month string `json:"month"` // that names of plans begin with: 2026-07
	// Plans is how many plans are kept at most.
	Plans int `json:"plans"`
	// Pages is how many pages for concepts that no page explains a writer is asked
	// for at most; 0 where nobody writes.
	Pages int `json:"pages,omitempty"`
}

// AuditCategories are what an auditor's finding can be about.
var AuditCategories = []string{"bug", "security", "perf", "tests", "tech-debt", "migration", "dx", "docs", "direction"}

// Proposes reports whether a run makes plans for a person to read, and changes
// nothing itself.
func Proposes(r schema.RunSummary) bool {
	return r.Loop == PlanLoop || r.Loop == AuditLoop || r.Kind == AuditLoop
}

// Auditing reports whether the run makes plans of what an auditor finds.
func (s *State) Auditing() bool { return s.Start.Loop == AuditLoop || s.Start.Audit != nil }

// Left reports whether an audit committed something: pages, or its log.
func (s *State) Left() bool { return s.Auditing() && s.Place.Head != "" && s.Head != s.Place.Head }

// proposing returns the phase in which the one role of a run that makes plans works.
func (s *State) proposing() Phase {
	if s.Auditing() {
		return Auditing
	}
	return Planning
}

// worker is who works in the run's phase, or whose answer it is about.
func (s *State) worker() Role {
	if s.Phase == Proposing || s.Phase == Withdrawing {
		return s.proposing().role()
	}
	return s.Phase.role()
}

// weighed takes what the runner made of an auditor's findings: with the results
// that passed those that are kept, how many plans were made of them, and the pages
// that are asked for; with notes what was dropped. Pages are written first: a person
// reads all of it at once. Where nothing is to be published, the run is over.
func (s State) weighed(results []GateResult) (State, []Command) {
	s.Findings, s.Dropped, s.Wanted, s.Kept = nil, nil, nil, 0
	for _, r := range results {
		switch r.Effect {
		case Passed:
			s.Findings = append(s.Findings, r.Reason...)
			s.Wanted = append(s.Wanted, r.Pages...)
			s.Kept += r.Files
		case Note:
			s.Dropped = append(s.Dropped, r.Reason...)
		}
	}
	if s.Start.Mode == Shadow && s.Kept+len(s.Wanted) > 0 {
		why := fmt.Sprintf("nothing is written in shadow mode; remaining plans: %d", s.Kept)
		if n := len(s.Wanted); n > 0 {
			why += fmt.Sprintf(", requested pages: %d", n)
		}
		return s.finish(GoalMet, "", why)
	}
	if _, ok := s.Start.Roles[Writer]; !ok {
		s.Wanted = nil
	}
	return s.nextPage()
}

// concluded has the plans that are kept written. Where none is left, the run is over.
func (s State) concluded() (State, []Command) {
	if s.Kept > 0 {
		return s.propose()
	}
	why := "the auditor found nothing to plan"
	if n := len(s.Dropped); n > 0 {
		why = fmt.Sprintf("no plan remains: %d entries of the auditor's answer were dropped", n)
	}
	if n := len(s.Pages); n > 0 {
		why += fmt.Sprintf("; pages written: %d", n)
	}
	return s.finish(GoalMet, "", why)
}
