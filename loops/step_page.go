package loops

import (
	"fmt"
	"slices"
)

// NewPage is a page that an auditor asks for: there is a concept that the code has,
// and no page explains it. The runner has looked up where, and found the path free.
type NewPage struct {
	Path  string   `json:"path"`  // relative to the repository's root
	Title string   `json:"title"` // of the concept
	Why   string   `json:"why"`
	Cites []string `json:"cites"` // path:line
}

// MostPageCalls is how often a writer is called for one page of an audit at most.
const MostPageCalls = 2

// Work returns what agents are told and gates judge by. It is the run's start; while the
// writer of an audit works, the page in work is the work list.
func (s *State) Work() *Start {
	if !s.Auditing() || len(s.Wanted) == 0 {
		return &s.Start
	}
	start, p := s.Start, s.Wanted[0]
	start.Documentation = &DocumentationRequest{
		Since: s.Start.Base, From: "the audit started",
		Pages: []DocumentationPage{{Path: p.Path, Reason: fmt.Sprintf("requested to explain %q, but does not exist yet", p.Title), Targets: p.Cites, Wrong: true}},
	}
	return &start
}

// Page returns the page in work of an audit, nil if there is none.
func (s *State) Page() *NewPage {
	if !s.Auditing() || len(s.Wanted) == 0 {
		return nil
	}
	return &s.Wanted[0]
}

// nextPage has a writer write the next page that is asked for.
func (s State) nextPage() (State, []Command) {
	if len(s.Wanted) == 0 {
		return s.concluded()
	}
	s.PlanAttempt++
	s.Attempt = s.PlanAttempt
	s.WikiFails, s.Feedback, s.Notes = 0, nil, nil
	return s.enter(Writing, 1)
}

// pageMade takes what a writer did about one page. That a writer can't work keeps
// no plan from a person.
func (s State) pageMade(r RoleResult) (State, []Command) {
	o := r.Report.Outcome
	if n, most := r.Report.Usage.ToolCalls, s.Start.Limits.Budget.CallTools; most > 0 && n > most {
		return s.noPages(fmt.Sprintf("the writer made %d tool calls in one iteration, more than %d", n, most))
	}
	if why := s.outOfTime(r); why != "" {
		return s.noPages(why)
	}
	if o.Refused() || o.Passes() || o == BudgetSpent {
		return s.noPages("the writer can't run: " + detail(r))
	}
	if why, _ := s.beyond(r); why != "" {
		return s.rollback(s.Tree, Then{Do: ThenNextPage, Why: why})
	}
	switch {
	case o != OK && o != NoChange:
		return s.pageAgain("the writer failed: "+detail(r), true)
	case r.Tree == s.Tree && len(r.Changes) == 0:
		return s.pageAgain("the writer reported success, but wrote nothing", true)
	}
	s.Phase = WikiGating
	s.Candidate, s.Green = r.Tree, false
	return s.gates(StageWiki, -1, r.Tree)
}

// pageJudged takes what gates found in a page. A violation stops the line, as that of
// any writer; a page that is bad goes, and plans stay.
func (s State) pageJudged(worst Effect, results []GateResult) (State, []Command) {
	bad := worstOf(results, worst)
	why := "gate " + bad.Gate + ": " + first(bad.Reason)
	switch {
	case worst == Violation:
		return s.violated(classOf(bad, ClassTampering), why)
	case worst >= Red:
		s.feed(results)
		return s.pageAgain(why, false)
	}
	s.Green = true
	return s.commit()
}

// pageAgain calls the writer once more, on the tree that it left, or gives the page
// up. say is set if the writer must be told why, and no gate does.
func (s State) pageAgain(why string, say bool) (State, []Command) {
	if say {
		s.Feedback = append(s.Feedback, Feedback{From: "runner", Attempt: s.Attempt, Text: why})
	}
	if s.WikiFails++; s.WikiFails < min(MostPageCalls, s.Start.Limits.Attempts) {
		return s.enter(Writing, s.Try+1)
	}
	return s.rollback(s.Tree, Then{Do: ThenNextPage, Why: why})
}

// noPages gives up all pages that are left.
func (s State) noPages(why string) (State, []Command) {
	return s.rollback(s.Tree, Then{Do: ThenNoPages, Why: why})
}

// pagesDropped goes on without the first of the pages that are asked for.
func (s State) pagesDropped(n int, why string) (State, []Command) {
	for _, p := range s.Wanted[:n] {
		s.Dropped = append(s.Dropped, Reason{Path: p.Path, Message: fmt.Sprintf("page %q was not written: %s", p.Title, why)})
	}
	s.Wanted = slices.Clone(s.Wanted[n:])
	return s.nextPage()
}

// pageKept goes on after a page was committed.
func (s State) pageKept() (State, []Command) {
	s.Pages = append(s.Pages, s.Wanted[0].Path)
	s.Wanted = slices.Clone(s.Wanted[1:])
	return s.nextPage()
}
